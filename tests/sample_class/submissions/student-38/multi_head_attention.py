import numpy as np

from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, attend in each head, put side by side, project with W_o.

    Parameters
    ----------
    X : array of shape (..., n, d_model)
    W_q, W_k, W_v, W_o : arrays of shape (d_model, d_model)
    n_heads : int; ValueError where it does not divide d_model
    mask : bool array that broadcasts to (..., n_heads, n, n), such as (n, n); True = may look

    Returns
    -------
    output : array of shape (..., n, d_model)
    weights : array of shape (..., n_heads, n, n), each row sums to 1

    Examples
    --------
    >>> output, weights = multi_head_attention(np.ones((5, 4)), *[np.eye(4)] * 4, n_heads=2)
    >>> print(output.shape, weights.shape)
    (5, 4) (2, 5, 5)
    """
    # YOUR CODE HERE
    raise NotImplementedError()

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    """Mix the rows of V for every query, by how well its keys fit.

    Parameters
    ----------
    Q : array of shape (..., n_q, d_k)
    K : array of shape (..., n_k, d_k)
    V : array of shape (..., n_k, d_v), one row a key

    Returns
    -------
    output : array of shape (..., n_q, d_v)
    weights : array of shape (..., n_q, n_k), each row sums to 1

    Raises ValueError where the shapes do not fit. Leading axes (...) are sentences side by side.

    Examples
    --------
    >>> output, weights = scaled_dot_product_attention([[0, 0]], [[1, 2], [3, 4]], [[10], [20]])
    >>> print(output, weights)
    [[15.]] [[0.5 0.5]]
    """
    # YOUR CODE HERE
    raise NotImplementedError()

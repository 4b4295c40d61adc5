import math

import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    """Self-attention with its own three matrices, drawn once.

    Parameters
    ----------
    d_model, d_k, d_v : int, widths of a token, of a key and of a value
    seed : int, for this object's own generator; NumPy's global one stays untouched

    Attributes
    ----------
    W_q, W_k : arrays of shape (d_model, d_k)
    W_v : array of shape (d_model, d_v), like the others random with mean 0 and
        standard deviation sqrt(2 / (d_in + d_out)); no two of the three are equal

    Examples
    --------
    >>> output, weights = SelfAttention(8, 4, 3).forward(np.ones((5, 8)))
    >>> print(output.shape, weights.shape)
    (5, 3) (5, 5)
    """

    def __init__(self, d_model, d_k, d_v, seed=42):
        """Draw W_q, W_k and W_v; equal seeds give equal weights."""
        # YOUR CODE HERE
        raise NotImplementedError()

    def forward(self, X):
        """Let every token of X look at every token of X.

        Parameters
        ----------
        X : array of shape (..., n, d_model); ValueError where that does not fit

        Returns
        -------
        output : array of shape (..., n, d_v)
        weights : array of shape (..., n, n), each row sums to 1
        """
        # YOUR CODE HERE
        raise NotImplementedError()

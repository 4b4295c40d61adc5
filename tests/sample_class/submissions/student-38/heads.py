import numpy as np


def split_heads(X, n_heads):
    """Cut the columns of X into n_heads neighbouring blocks, one a head.

    Parameters
    ----------
    X : array of shape (..., n, d_model)
    n_heads : int; ValueError where it does not divide d_model

    Returns
    -------
    H : array of shape (..., n_heads, n, d_head), d_head = d_model / n_heads

    Examples
    --------
    >>> print(split_heads(np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), 2).tolist())
    [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    """
    # YOUR CODE HERE
    raise NotImplementedError()


def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`.

    Parameters
    ----------
    H : array of shape (..., n_heads, n, d_head)

    Returns
    -------
    X : array of shape (..., n, d_model), d_model = n_heads * d_head

    Examples
    --------
    >>> print(concat_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]).tolist())
    [[1, 2, 3, 4], [5, 6, 7, 8]]
    """
    # YOUR CODE HERE
    raise NotImplementedError()

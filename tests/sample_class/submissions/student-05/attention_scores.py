import math
import zlib

import numpy as np


def toy_embedding(tokens, d_model=8):
    """One fixed vector a token: equal tokens get equal vectors, on every machine.

    Parameters
    ----------
    tokens : list of n str
    d_model : int, numbers in each vector

    Returns
    -------
    X : ndarray of shape (n, d_model)
    """
    rows = [
        np.random.default_rng(zlib.crc32(token.encode())).normal(size=d_model) for token in tokens
    ]
    return np.array(rows)


def attention_scores(Q, K):
    """Score every key for every query: dot products, divided by sqrt(d_k).

    Parameters
    ----------
    Q : array of shape (..., n_q, d_k), the queries (who looks)
    K : array of shape (..., n_k, d_k), the keys (who is looked at)

    Returns
    -------
    scores : float array of shape (..., n_q, n_k); row i belongs to query i

    Raises ValueError where the shapes do not fit. Leading axes (...) are sentences side by side.

    Examples
    --------
    >>> print(attention_scores([[1, 2, 0, 1]], [[1, 1, 0, 1], [0, 0, 3, 0]]))
    [[2. 0.]]
    """
    # YOUR CODE HERE
    raise NotImplementedError()

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    """Give each token its query, its key and its value.

    Parameters
    ----------
    X : array of shape (..., n, d_model), one row a token
    W_q, W_k : arrays of shape (d_model, d_k)
    W_v : array of shape (d_model, d_v)

    Returns
    -------
    Q, K : float arrays of shape (..., n, d_k)
    V : float array of shape (..., n, d_v)

    Raises ValueError where the shapes do not fit. Leading axes (...) are sentences side by side.

    Examples
    --------
    >>> Q, K, V = project_qkv([[1, 2]], [[1], [0]], [[0], [1]], [[1, 2, 3], [1, 1, 1]])
    >>> print(Q, K, V)
    [[1.]] [[2.]] [[3. 4. 5.]]
    """
    # YOUR CODE HERE
    raise NotImplementedError()

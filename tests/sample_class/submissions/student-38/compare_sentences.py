import numpy as np


def attention_difference(A, B):
    """Subtract two tables of weights, cell by cell.

    Parameters
    ----------
    A, B : arrays of shape (n, n), each row sums to 1

    Returns
    -------
    difference : array of shape (n, n), A - B; each row sums to 0

    Examples
    --------
    >>> print(attention_difference([[1, 0], [0.5, 0.5]], [[0.5, 0.5]] * 2))  # not weights
    [[ 0.5 -0.5]
     [ 0.   0. ]]
    """
    # YOUR CODE HERE
    raise NotImplementedError()


def row_entropy(A):
    """Measure how widely each row spreads its weight.

    Parameters
    ----------
    A : array of shape (n, n), each row sums to 1; 0 * ln 0 counts as 0

    Returns
    -------
    entropy : array of shape (n,), in nats, from 0 (one place) to ln n (all alike)

    Examples
    --------
    >>> print(np.round(row_entropy([[1, 0], [0.5, 0.5]]), 3))  # nats
    [0.    0.693]
    """
    # YOUR CODE HERE
    raise NotImplementedError()


def js_divergence(A, B):
    """Measure row by row how far apart two tables of weights are.

    Parameters
    ----------
    A, B : arrays of shape (n, n), each row sums to 1

    Returns
    -------
    divergence : array of shape (n,), in nats, from 0 (equal rows) to ln 2 (nothing shared):
        entropy of the average row, minus average of the two entropies; no square root

    Examples
    --------
    >>> print(np.round(js_divergence([[1, 0], [0.5, 0.5]], [[0, 1], [0.5, 0.5]]), 3))  # nats
    [0.693 0.   ]
    """
    # YOUR CODE HERE
    raise NotImplementedError()


def argmax_agreement(A, B):
    """Give the share of rows whose largest weight sits in the same column.

    Parameters
    ----------
    A, B : arrays of shape (n, n); of equal largest weights the leftmost counts

    Returns
    -------
    agreement : float, from 0 to 1

    Examples
    --------
    >>> argmax_agreement([[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.7, 0.3]])
    0.5
    """
    # YOUR CODE HERE
    raise NotImplementedError()


def frobenius_distance(A, B):
    """Give one number for how far apart two tables are: the root of all squared differences.

    Parameters
    ----------
    A, B : arrays of shape (n, n)

    Returns
    -------
    distance : float, 0 for equal tables

    Examples
    --------
    >>> frobenius_distance([[1, 0], [0, 1]], [[0, 1], [1, 0]])
    2.0
    """
    # YOUR CODE HERE
    raise NotImplementedError()


def compare_sentences(attention, X_a, X_b):
    """Send two sentences of equal length through the same attention, and compare.

    Parameters
    ----------
    attention : object with `.forward(X)`, such as a SelfAttention; used for both sentences
    X_a, X_b : arrays of shape (n, d_model); ValueError where their lengths differ

    Returns
    -------
    result : dict with `weights_a weights_b difference` (n, n), `entropy_a entropy_b divergence`
        (n,), `agreement distance` float

    Examples
    --------
    >>> from self_attention import SelfAttention
    >>> same = compare_sentences(SelfAttention(4, 3, 2), np.eye(4), np.eye(4))
    >>> print(same["agreement"], same["distance"])
    1.0 0.0
    """
    # YOUR CODE HERE
    raise NotImplementedError()

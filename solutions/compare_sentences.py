# /// exercise
# title = "Compare two sentences: what changes, what stays?"
# title_zh = "比较两句话：什么变了，什么没变？"
# minutes = 20
# difficulty = 3
# ///

# %% [markdown]
# # Compare two sentences: what changes, what stays?

# %% [markdown] lang="zh"
# # 比较两句话：什么变了，什么没变？

# %%
import numpy as np


# %%
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
    >>> print(attention_difference([[1, 0], [0.5, 0.5]], [[0.5, 0.5], [0.5, 0.5]]))
    [[ 0.5 -0.5]
     [ 0.   0. ]]
    """
    ### BEGIN SOLUTION
    return np.asarray(A, dtype=float) - np.asarray(B, dtype=float)
    ### END SOLUTION


# %%
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
    >>> print(np.round(row_entropy([[1, 0], [0.5, 0.5]]), 3))
    [0.    0.693]
    """
    ### BEGIN SOLUTION
    A = np.asarray(A, dtype=float)
    surprise = -np.log(np.where(A > 0, A, 1.0))  # ln 1 = 0 stands in where the weight is 0
    return (A * surprise).sum(axis=-1) + 0.0  # + 0.0 turns -0.0 into 0.0
    ### END SOLUTION


# %%
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
    >>> print(np.round(js_divergence([[1, 0], [0.5, 0.5]], [[0, 1], [0.5, 0.5]]), 3))
    [0.693 0.   ]
    """
    ### BEGIN SOLUTION
    middle = (np.asarray(A, dtype=float) + np.asarray(B, dtype=float)) / 2
    divergence = row_entropy(middle) - (row_entropy(A) + row_entropy(B)) / 2
    return np.maximum(divergence, 0.0)  # rounding can leave -1e-17
    ### END SOLUTION


# %%
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
    ### BEGIN SOLUTION
    return float(np.mean(np.argmax(A, axis=-1) == np.argmax(B, axis=-1)))
    ### END SOLUTION


# %%
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
    ### BEGIN SOLUTION
    return float(np.linalg.norm(attention_difference(A, B)))
    ### END SOLUTION


# %%
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
    ### BEGIN SOLUTION
    if np.shape(X_a) != np.shape(X_b):
        raise ValueError(f"shapes {np.shape(X_a)} and {np.shape(X_b)} cannot be compared")
    _, A = attention.forward(X_a)
    _, B = attention.forward(X_b)
    return {
        "weights_a": A,
        "weights_b": B,
        "difference": attention_difference(A, B),
        "entropy_a": row_entropy(A),
        "entropy_b": row_entropy(B),
        "divergence": js_divergence(A, B),
        "agreement": argmax_agreement(A, B),
        "distance": frobenius_distance(A, B),
    }
    ### END SOLUTION

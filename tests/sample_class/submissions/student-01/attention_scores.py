# %% [markdown]
# # Attention scores: how well does a key fit a query?
#
# A query says what a word is looking for. A key says what a word has to offer. To compare two
# vectors, multiply them entry by entry and add up: the **dot product**. It is large when both
# point the same way, 0 when they have nothing to do with each other, negative when they point
# apart.
#
# ```python
# >>> query = np.array([1, 2, 0, 1])
# >>> keys = {"alike": [1, 1, 0, 1], "unrelated": [0, 0, 3, 0], "opposed": [-1, -2, 0, -1]}
# >>> for name, key in keys.items():
# ...     print(name, np.dot(query, key))
# alike 4
# unrelated 0
# opposed -6
# ```
#
# With many queries and many keys you get a table: one row a query, one column a key.
#
# | | shape | |
# |---|---|---|
# | `Q` | `(n_q, d_k)` | who looks |
# | `K` | `(n_k, d_k)` | who is looked at |
# | scores | `(n_q, n_k)` | every query with every key |

# %% [markdown]
# ## Why divide by the square root of d_k?
#
# Suppose that all entries are random, with mean 0 and spread (standard deviation) 1. A dot
# product adds up d_k such products. Each product has spread 1, and the spread of a sum of d_k
# independent ones is the *square root* of d_k. So longer vectors give wilder scores, and for wild
# scores softmax puts nearly everything on one word. Below: 20 keys for each query, drawn at
# random, and the largest of the 20 weights on average.
#
# ```python
# >>> rng = np.random.default_rng(0)
# >>> print(" d_k  spread  biggest  and scaled")
#  d_k  spread  biggest  and scaled
# >>> for d_k in (4, 64, 1024):
# ...     raw = np.array([rng.normal(size=(20, d_k)) @ rng.normal(size=d_k) for _ in range(400)])
# ...     biggest = [softmax(row).max(axis=-1).mean() for row in (raw, raw / d_k**0.5)]
# ...     print(f"{d_k:4} {raw.std():7.1f} {biggest[0]:8.2f} {biggest[1]:11.2f}")
#    4     1.9     0.39        0.20
#   64     8.1     0.84        0.22
# 1024    31.8     0.96        0.22
# ```
#
# At d_k = 1024 one word out of 20 gets 0.96 of the weight, by pure chance. The others get almost
# nothing, and almost no gradient to learn from. Divided by the square root of d_k, the spread is
# near 1 again, and the last column hardly moves: the length of the vectors no longer decides.

# %% [markdown]
# ## Pitfalls
#
# **No scaling**, or scaling by something else. The spread comes from the length of *one key
# vector*: not from the number of keys, not from the width of the values.
#
# **Sizes that do not fit.** The last axis of Q and the last axis of K must both be d_k. Matrix
# multiplication wants something else: the last axis of the first array, and the last but one of
# the second.
#
# ```python
# >>> Q, K = np.ones((3, 7)), np.ones((5, 7))
# >>> try:
# ...     Q @ K
# ... except ValueError:
# ...     print("these do not fit")
# these do not fit
# ```
#
# **`.T` with several sentences.** It turns *all* axes around, also those in front. Which two
# should change places?
#
# ```python
# >>> print(np.ones((2, 5, 7)).T.shape)
# (7, 5, 2)
# ```

# %% [markdown]
# ## Words as vectors
#
# The lessons need vectors for words. A trained model has learnt good ones; we use a **toy
# embedding**: one fixed random vector for each token, found by a checksum of its letters. It
# knows nothing of meaning, but it keeps one promise: equal tokens get equal vectors, on every
# machine. It is given to you, below.

# %%
import math
import zlib

import numpy as np


# %%
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


# %%
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
    Q = np.asarray(Q, dtype=float)
    K = np.asarray(K, dtype=float)
    d_k = Q.shape[-1]
    return np.matmul(Q, np.swapaxes(K, -2, -1)) / np.sqrt(d_k)


# %% [markdown]
# ## Look at it
#
# Two sentences, every word scored against every word. Before you run it: where will the largest
# numbers stand, when queries and keys are the same vectors?
#
# ```python
# >>> print(toy_embedding("The cat sat on the mat".split()).shape)
# (6, 8)
# >>> print(toy_embedding("我 喜欢 自然 语言 处理 。".split()).shape)
# (6, 8)
# ```
#
# **Key terms.** *Dot product*: how well two vectors agree. *d_k*: the length of one key (and of
# one query). *Token*: one piece of text, here one word. "The" and "the" are two different tokens.

# %%
if __name__ == "__main__":
    for sentence in ("The cat sat on the mat", "我 喜欢 自然 语言 处理 。"):
        X = toy_embedding(sentence.split())
        print(sentence, "· rows look, columns are looked at")
        print(np.round(attention_scores(X, X), 1))

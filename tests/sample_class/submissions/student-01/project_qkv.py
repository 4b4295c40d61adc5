# %% [markdown]
# # Queries, keys, values: three views of one token
#
# So far the same vector had to ask, to be found, and to answer. That is too much for one vector.
# "cat" looks for a verb, wants to be found by "sat", and when it is found it should say: *an
# animal*. Three jobs, three vectors.
#
# They are made from the same token by three matrices. The matrices are the **parameters**: they
# are what training changes. The token is **data**.
#
# | | shape | |
# |---|---|---|
# | `X` | `(n, d_model)` | one row a token |
# | `W_q`, `W_k` | `(d_model, d_k)` | queries meet keys, so both are equally long |
# | `W_v` | `(d_model, d_v)` | values are only mixed: any width will do |

# %% [markdown]
# ## A matrix as a viewpoint
#
# A token of four numbers, and a matrix that looks at two of them:
#
# ```python
# >>> token = np.array([[5, 0, 7, 1]])
# >>> view = np.array([[1, 0], [0, 0], [0, 1], [0, 0]])
# >>> print(token @ view)
# [[5 7]]
# ```
#
# One token or a hundred: the tokens stay in their rows, so the number of rows never changes.
#
# **Pitfall.** Each token is a *row*, so the matrix stands on the *right*. In some books tokens
# are columns and the matrix stands on the left; taken over as it is, that fits only when n and
# d_model happen to be equal, and then it mixes different tokens. And keep the three apart: with
# one and the same matrix for queries and keys every word tends to like itself best.

# %%
import numpy as np


# %%
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
    X = np.asarray(X, dtype=float)
    Q = X @ W_q
    K = X @ W_k
    V = X @ W_v
    return Q, K, V


# %% [markdown]
# ## Look at it
#
# One sentence, three tables. The same six words, seen by a searcher, by a signpost and by a
# storyteller.
#
# **Key terms.** *Projection*: multiplying by a matrix, to see a token in another way. *d_model*:
# the width of a token. *Parameters*: numbers that training changes.

# %%
if __name__ == "__main__":
    from attention_scores import toy_embedding

    tokens = "The cat sat on the mat".split()
    rng = np.random.default_rng(0)
    views = project_qkv(toy_embedding(tokens), *rng.normal(0, 0.4, size=(3, 8, 3)))
    print(f"{'':5}{'query':^19}{'key':^19}{'value':^19}")
    for i, token in enumerate(tokens):
        print(f"{token:5}" + " │".join("".join(f"{x:6.1f}" for x in view[i]) for view in views))

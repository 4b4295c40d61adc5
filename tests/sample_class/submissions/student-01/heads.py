# %% [markdown]
# # Split into heads, and back
#
# One softmax gives one way of looking: if a word puts its weight on the verb, it has none left
# for the article. So we let several **heads** look at once, each with a narrow vector of its own.
# No new numbers are needed. We *cut* the d_model columns into n_heads blocks of neighbours,
# d_head columns each.
#
# Here are 2 tokens with 6 numbers each. The tens say which token it is, the ones which column:
#
# ```python
# >>> X = np.array([[10, 11, 12, 13, 14, 15], [20, 21, 22, 23, 24, 25]])
# >>> H = split_heads(X, 3)
# >>> print(H.shape)
# (3, 2, 2)
# >>> print(H[0].tolist(), H[1].tolist(), H[2].tolist())
# [[10, 11], [20, 21]] [[12, 13], [22, 23]] [[14, 15], [24, 25]]
# ```
#
# Head 0 has columns 0 and 1 of *every* token. Each head still has one row a token.

# %% [markdown]
# ## Reshape is not transpose
#
# `reshape` never moves a number. It reads the array as one long tape, row after row, and cuts the
# tape in other places. The shape comes out right, and the numbers are at the wrong address:
#
# ```python
# >>> X = np.array([[10, 11, 12, 13, 14, 15], [20, 21, 22, 23, 24, 25]])
# >>> print(X.reshape(3, 2, 2)[0].tolist())
# [[10, 11], [12, 13]]
# ```
#
# Head 0 has four numbers of token 1, and none of token 2. To cut *columns*, first cut every row
# of the tape by itself; after that the order of the axes must change. Two steps, and the way back
# takes the same two steps in reverse.
#
# A test that finds it at once: split, put together again, compare. And look at one head by eye,
# because two opposite mistakes can cancel each other.
#
# ## Pitfalls
#
# - **A width that does not divide.** 10 columns for 3 heads: someone would go short. Say so with
#   a `ValueError`.
# - **Every third column.** Also a fair way to share, but not this one: here heads are
#   *neighbouring* columns, as in the common libraries.
# - **Leading axes.** With several sentences the first axis is not the token axis. Count from the
#   end.

# %%
import numpy as np


# %%
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
    X = np.asarray(X)
    d_model = X.shape[-1]
    if d_model % n_heads != 0:
        raise ValueError("n_heads must divide d_model")
    X = X.reshape(X.shape[:-1] + (n_heads, d_model // n_heads))
    return X.swapaxes(-3, -2)


# %%
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
    H = np.asarray(H).swapaxes(-3, -2)
    return H.reshape(H.shape[:-2] + (-1,))


# %% [markdown]
# ## Look at it
#
# The numbered tape: cut into columns by your function, then scrambled by `reshape` alone.
#
# **Key terms.** *Head*: one of several attentions side by side. *d_head*: the width of one head.
# *Round trip*: there and back, with nothing changed.

# %%
if __name__ == "__main__":
    X = np.arange(24).reshape(4, 6)
    for name, H in (("columns", split_heads(X, 3)), ("reshape alone", X.reshape(3, 4, 2))):
        print(name)
        for rows in zip(*H, strict=True):
            print(" │ ".join(" ".join(f"{number:2}" for number in row) for row in rows))
    print("there and back:", np.array_equal(concat_heads(split_heads(X, 3)), X))

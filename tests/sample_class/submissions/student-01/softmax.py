# %% [markdown]
# # Softmax: scores become a distribution
#
# **Attention is a soft lookup.** A Python dictionary is a hard lookup: you bring one key, and you
# get one value or a `KeyError`. Attention is kinder. You bring a **query**. It is compared with
# every **key**, and each comparison gives a **score**. What comes back is a mixture of *all* the
# **values**: a lot of those whose keys fit, a little of the others.
#
# To mix, you need shares: positive numbers that sum to 1. Making shares from scores is the work
# of softmax. It is your first function, and every later one stands on it.

# %% [markdown]
# ## Page one: what holds everywhere
#
# - **Rows look, columns are looked at.** Row i of a table belongs to query i (who looks), column
#   j to key j (who is looked at).
# - **Three words.** *Scores* come before softmax, *weights* after it, the *output* comes last.
# - **A mask is boolean, and `True` means "may look".** So it is in
#   `torch.nn.functional.scaled_dot_product_attention`, in JAX, in ONNX and in Keras layers.
#   `torch.nn.MultiheadAttention` means the opposite: there `True` means "hidden". When you use a
#   library, look this up first.
# - **The three dots in `(..., n, d)`** stand for any number of leading axes, such as several
#   sentences side by side. Count axes from the end, with -1 and -2, and they come for free.
# - **Your style is free.** Loops, `einsum`, short or long: the numbers count. Two requests: leave
#   the caller's arrays as they were, and let whole numbers behave like decimals.

# %% [markdown]
# ## How it works
#
# $$\mathrm{softmax}(x)_j = \frac{e^{x_j}}{\sum_k e^{x_k}}$$
#
# The exponential makes every score positive and keeps their order. The division makes the sum 1.
# Three scores, step by step:
#
# ```python
# >>> scores = np.array([2, 1, 0.1])
# >>> print(np.round(np.exp(scores), 2))  # not weights yet
# [7.39 2.72 1.11]
# >>> print(round(float(np.exp(scores).sum()), 2))
# 11.21
# >>> print(np.round(softmax(scores), 2))
# [0.66 0.24 0.1 ]
# ```
#
# The first score is twice the second, but its share, 0.66, is nearly three times 0.24: softmax
# looks at *differences* of scores, not at their ratio. It follows that adding one number to a
# whole row changes nothing:
#
# ```python
# >>> print(np.round(softmax([1, 2, 3]), 2))
# [0.09 0.24 0.67]
# >>> print(np.round(softmax([1001, 1002, 1003]), 2))
# [0.09 0.24 0.67]
# ```

# %% [markdown]
# ## Pitfalls
#
# **Overflow.** In float64 `exp` reaches infinity soon after 709, and infinity divided by infinity
# is `nan`:
#
# ```python
# >>> x = np.array([1000.0, 2000.0, 3000.0])
# >>> with np.errstate(all="ignore"):
# ...     print(np.exp(709.0), np.exp(710.0))
# ...     print(np.exp(x) / np.exp(x).sum())
# 8.218407461554972e+307 inf
# [nan nan nan]
# >>> print(softmax(x))
# [0. 0. 1.]
# ```
#
# You just saw the way out: a whole row may be moved up or down. Which move makes sure that no
# exponent is above 0? And what if another row is 2000 lower: should one move serve both?
#
# **The wrong axis.** Each *row* is one query's distribution. Here softmax ran down the columns,
# and the rows no longer sum to 1:
#
# ```python
# >>> print(np.round(softmax([[1, 2, 3], [4, 5, 6]], axis=0), 2))  # wrong rows on purpose
# [[0.05 0.05 0.05]
#  [0.95 0.95 0.95]]
# ```
#
# **Trusting a printed table.** You will meet rows in tutorials that no softmax can have made. Add
# them up:
#
# ```python
# >>> row = np.array([0.6, 0.2, 0.1])  # a wrong row on purpose
# >>> print(f"{row.sum():.2f}")
# 0.90
# ```

# %%
import numpy as np


# %%
def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis.

    Parameters
    ----------
    x : array of any shape, finite numbers (integers count as floats)
    axis : int, the axis that should sum to 1; the last one unless told

    Returns
    -------
    weights : new float array, same shape as `x`; `x` stays as it was

    Examples
    --------
    >>> print(np.round(softmax([[2, 1, 0.1], [0, 0, 0]]), 2))
    [[0.66 0.24 0.1 ]
     [0.33 0.33 0.33]]
    """
    x = np.array(x, dtype=float)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


# %% [markdown]
# ## Look at it
#
# Run this file (or the next cell). Before you do: what will the row `[1000, 2000, 3000]` look
# like?
#
# **Key terms.** *Distribution*: positive shares that sum to 1. *Logits*: another word for scores
# before softmax. *Stable*: right for every size of number, not only for small ones.

# %%
if __name__ == "__main__":
    for row in ([2, 1, 0.1], [1000, 2000, 3000]):
        print(row)
        for score, weight in zip(row, softmax(row), strict=True):
            print(f"{score:7} {weight:.2f} {'█' * round(30 * weight)}")

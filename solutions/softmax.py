# /// exercise
# title = "Softmax: scores become a distribution"
# title_zh = "Softmax：把分数变成分布"
# minutes = 10
# difficulty = 2
# forbidden = ["scipy.special.softmax", "scipy.special.log_softmax", "torch"]
# ///

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

# %% [markdown] lang="zh"
# # Softmax：把分数变成分布
#
# **注意力是一次软查找。** Python 的字典是硬查找：拿一个键去查，要么得到一个值，
# 要么得到 `KeyError`。注意力更宽容：你带来一个**查询**（query），它和每一个**键**（key）比较，
# 每次比较得到一个**分数**（score）。拿回来的是所有**值**（value）的混合：键越合拍，份额越大。
#
# 要混合，就需要份额：都是正数，加起来等于 1。把分数变成份额，就是 softmax 的工作。
# 它是你的第一个函数，后面的每一个都要用到它。

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

# %% [markdown] lang="zh"
# ## 第一页：处处适用的约定
#
# - **行在看，列被看。** 表格的第 i 行属于第 i 个查询（谁在看），第 j 列属于第 j 个键（谁被看）。
# - **三个词。** softmax 之前叫*分数*（scores），之后叫*权重*（weights），
#   最后得到*输出*（output）。
# - **掩码是布尔值，`True` 表示“可以看”。** `torch.nn.functional.scaled_dot_product_attention`、
#   JAX、ONNX 和 Keras 的层都是这样。`torch.nn.MultiheadAttention` 正好相反：
#   在那里 `True` 表示“遮住”。用任何库之前，先查清这一点。
# - **`(..., n, d)` 里的三个点**代表任意多个前置轴，比如并排的几句话。从末尾数轴（-1、-2），
#   它们就自动成立。
# - **写法自由。** 循环、`einsum`、长或短都可以，看的是数字。只有两个请求：不要改动调用者的数组；
#   整数要和小数一样对待。

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

# %% [markdown] lang="zh"
# ## 它怎样工作
#
# $$\mathrm{softmax}(x)_j = \frac{e^{x_j}}{\sum_k e^{x_k}}$$
#
# 指数让每个分数变成正数，并保持大小顺序；除法让总和等于 1。用三个分数一步一步来看：
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
# 第一个分数是第二个的两倍，份额 0.66 却差不多是 0.24 的三倍：softmax 看的是分数之*差*，不是之比。
# 所以，给整行加上同一个数，结果不变：
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

# %% [markdown] lang="zh"
# ## 常见的坑
#
# **溢出。** 在 float64 里，过了 709 不远，`exp` 就是无穷大，而无穷大除以无穷大是 `nan`：
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
# 出路你刚刚见过：整行可以一起上移或下移。怎样移动，才能保证没有一个指数大于 0？
# 如果另一行低了 2000，一次移动能同时照顾两行吗？
#
# **轴弄错了。** 每一*行*是一个查询的分布。下面的 softmax 沿着列做，行的和就不再是 1：
#
# ```python
# >>> print(np.round(softmax([[1, 2, 3], [4, 5, 6]], axis=0), 2))  # wrong rows on purpose
# [[0.05 0.05 0.05]
#  [0.95 0.95 0.95]]
# ```
#
# **轻信印出来的表格。** 你会在教程里遇到 softmax 不可能给出的行。把它们加一加：
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
    ### BEGIN SOLUTION
    x = np.asarray(x, dtype=float)
    with np.errstate(over="ignore"):  # a gap beyond 1.8e308 becomes -inf, and its weight 0
        shifted = x - x.max(axis=axis, keepdims=True)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=axis, keepdims=True)
    ### END SOLUTION


# %% [markdown]
# ## Look at it
#
# Run this file (or the next cell). Before you do: what will the row `[1000, 2000, 3000]` look
# like?
#
# **Key terms.** *Distribution*: positive shares that sum to 1. *Logits*: another word for scores
# before softmax. *Stable*: right for every size of number, not only for small ones.

# %% [markdown] lang="zh"
# ## 看一看
#
# 运行这个文件（或下一个单元格）。运行之前先猜：`[1000, 2000, 3000]` 这一行会是什么样？
#
# **关键词。** *分布*：加起来等于 1 的正份额。*logits*：
# softmax 之前的分数的另一个名字。*数值稳定*：无论数字大小都算得对。

# %%
if __name__ == "__main__":
    for row in ([2, 1, 0.1], [1000, 2000, 3000]):
        print(row)
        for score, weight in zip(row, softmax(row), strict=True):
            print(f"{score:7} {weight:.2f} {'█' * round(30 * weight)}")

# /// exercise
# title = "Scaled dot-product attention: a soft lookup"
# title_zh = "缩放点积注意力：一次软查找"
# minutes = 15
# difficulty = 3
# forbidden = ["torch"]
# ///

# %% [markdown]
# # Scaled dot-product attention: a soft lookup
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^{\top}}{\sqrt{d_k}}\right) V$$
#
# You have both halves of the lookup now: scores say how well each key fits, softmax makes them
# shares. One step is left: **use the shares to mix the values.** Row i of the weights is a recipe
# for output i.
#
# ```python
# >>> weights = np.array([[0.5, 0.25, 0.25]])  # one query, three keys
# >>> values = np.array([[8, 0], [0, 8], [4, 4]])  # one row a key
# >>> print(0.5 * values[0] + 0.25 * values[1] + 0.25 * values[2])
# [5. 3.]
# ```
#
# The output is an average, so it never leaves the space between the values: no entry is larger
# than the largest one in its column, none smaller than the smallest.

# %% [markdown] lang="zh"
# # 缩放点积注意力：一次软查找
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{Q K^{\top}}{\sqrt{d_k}}\right) V$$
#
# 查找的两半你都有了：分数说每个键有多合拍，softmax 把分数变成份额。
# 只剩一步：**用份额去混合值。** 权重的第 i 行就是第 i 个输出的配方。
#
# ```python
# >>> weights = np.array([[0.5, 0.25, 0.25]])  # one query, three keys
# >>> values = np.array([[8, 0], [0, 8], [4, 4]])  # one row a key
# >>> print(0.5 * values[0] + 0.25 * values[1] + 0.25 * values[2])
# [5. 3.]
# ```
#
# 输出是平均值，所以不会跑到值的外面去：每一列的结果不会大于该列最大的值，也不会小于最小的值。

# %% [markdown]
# ## From a hard lookup to a soft one
#
# Let the query point more and more clearly at the first key. The lookup gets harder and harder,
# and in the end you get the first value, 10, as from a dictionary:
#
# ```python
# >>> K = np.array([[1, 0], [0, 1]])
# >>> V = np.array([[10], [20]])
# >>> for strength in (0, 1, 4, 16):
# ...     output, weights = scaled_dot_product_attention([[strength, 0]], K, V)
# ...     print(f"{strength:2}", np.round(weights[0], 2), np.round(output[0], 2))
#  0 [0.5 0.5] [15.]
#  1 [0.67 0.33] [13.3]
#  4 [0.94 0.06] [10.56]
# 16 [1. 0.] [10.]
# ```
#
# With strength 0 nothing fits better than anything else: you get the plain average, 15.

# %% [markdown] lang="zh"
# ## 从硬查找到软查找
#
# 让查询越来越明确地指向第一个键。查找就越来越硬，最后像查字典一样，得到第一个值 10：
#
# ```python
# >>> K = np.array([[1, 0], [0, 1]])
# >>> V = np.array([[10], [20]])
# >>> for strength in (0, 1, 4, 16):
# ...     output, weights = scaled_dot_product_attention([[strength, 0]], K, V)
# ...     print(f"{strength:2}", np.round(weights[0], 2), np.round(output[0], 2))
#  0 [0.5 0.5] [15.]
#  1 [0.67 0.33] [13.3]
#  4 [0.94 0.06] [10.56]
# 16 [1. 0.] [10.]
# ```
#
# 强度为 0 时，哪个键都不比别的更合拍：得到的就是普通的平均值 15。

# %% [markdown]
# ## Shapes, and pitfalls
#
# | | shape | |
# |---|---|---|
# | `Q` | `(n_q, d_k)` | one row for each who looks |
# | `K` | `(n_k, d_k)` | one row for each who is looked at |
# | `V` | `(n_k, d_v)` | one row a *key*: what it gives away |
# | weights | `(n_q, n_k)` | each row sums to 1 |
# | output | `(n_q, d_v)` | one row a query, as wide as a value |
#
# - **The number of queries and the number of keys are free.** Try 3 queries and 5 keys: code that
#   mixes up the two breaks at once, and you will be glad.
# - **Softmax over the wrong axis.** Each query shares itself out among the keys. What sums to 1
#   is a row.
# - **The order of the answer:** the output first, then the weights.

# %% [markdown] lang="zh"
# ## 形状，和常见的坑
#
# | | 形状 | |
# |---|---|---|
# | `Q` | `(n_q, d_k)` | 每个在看的，一行 |
# | `K` | `(n_k, d_k)` | 每个被看的，一行 |
# | `V` | `(n_k, d_v)` | 一个*键*一行：它给出的内容 |
# | 权重 | `(n_q, n_k)` | 每行的和是 1 |
# | 输出 | `(n_q, d_v)` | 一个查询一行，和值一样宽 |
#
# - **查询的个数和键的个数互不相关。** 用 3 个查询和 5 个键试一试：把两者弄混的代码会立刻报错，
#   这是好事。
# - **softmax 的轴弄错了。** 每个查询把自己分给各个键。和为 1 的是一行。
# - **返回的顺序：** 先输出，后权重。

# %%
import numpy as np

from attention_scores import attention_scores
from softmax import softmax


# %%
def scaled_dot_product_attention(Q, K, V):
    """Mix the rows of V for every query, by how well its keys fit.

    Parameters
    ----------
    Q : array of shape (..., n_q, d_k)
    K : array of shape (..., n_k, d_k)
    V : array of shape (..., n_k, d_v), one row a key

    Returns
    -------
    output : array of shape (..., n_q, d_v)
    weights : array of shape (..., n_q, n_k), each row sums to 1

    Raises ValueError where the shapes do not fit. Leading axes (...) are sentences side by side.

    Examples
    --------
    >>> output, weights = scaled_dot_product_attention([[0, 0]], [[1, 2], [3, 4]], [[10], [20]])
    >>> print(output, weights)
    [[15.]] [[0.5 0.5]]
    """
    ### BEGIN SOLUTION
    weights = softmax(attention_scores(Q, K))  # over the keys: (..., n_q, n_k)
    return weights @ np.asarray(V), weights
    ### END SOLUTION


# %% [markdown]
# ## Look at it
#
# Run this to read each row as a sentence: what is the new "sat" made of? The vectors are random,
# so a strong link here is chance, not grammar.
#
# **Key terms.** *Query, key, value*: what I look for, what I can be found by, what I give.
# *Attention weights*: the shares. *Output*: the mixture.

# %% [markdown] lang="zh"
# ## 看一看
#
# 运行它，把每一行读成一句话：新的“sat”是由什么混合成的？这些向量是随机的，
# 所以这里很强的联系只是偶然，不是语法。
#
# **关键词。** *查询、键、值*：我在找什么，凭什么找到我，我给出什么。*注意力权重*：份额。*输出*：
# 混合的结果。

# %%
if __name__ == "__main__":
    from attention_scores import toy_embedding

    tokens = "The cat sat on the mat".split()
    X = toy_embedding(tokens)
    output, weights = scaled_dot_product_attention(X, X, X)
    for token, row in zip(tokens, weights, strict=True):
        print(token, "=", " + ".join(f"{w:.2f}·{t}" for w, t in zip(row, tokens, strict=True)))

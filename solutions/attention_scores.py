# /// exercise
# title = "Attention scores: how well does a key fit a query?"
# title_zh = "注意力分数：键与查询有多合拍？"
# minutes = 10
# difficulty = 2
# ///

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

# %% [markdown] lang="zh"
# # 注意力分数：键与查询有多合拍？
#
# 查询说的是一个词在找什么，键说的是一个词能提供什么。比较两个向量：逐项相乘再相加，
# 这就是**点积**。方向一致时它很大，互不相干时是 0，方向相反时是负数。
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
# 有许多查询和许多键时，就得到一张表：一行一个查询，一列一个键。
#
# | | 形状 | |
# |---|---|---|
# | `Q` | `(n_q, d_k)` | 谁在看 |
# | `K` | `(n_k, d_k)` | 谁被看 |
# | 分数 | `(n_q, n_k)` | 每个查询配每个键 |

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

# %% [markdown] lang="zh"
# ## 为什么要除以 d_k 的平方根？
#
# 假设所有数都是随机的，均值为 0，标准差为 1。一个点积是 d_k 个乘积的和。每个乘积的标准差是 1，
# 而 d_k 个独立乘积之和的标准差是 d_k 的*平方根*。所以向量越长，分数越狂野；分数一狂野，
# softmax 就几乎把全部权重给了一个词。下面给每个查询随机抽 20 个键，
# 看 20 个权重里最大的那个平均有多大。
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
# d_k = 1024 时，20 个词中的一个得到了 0.96 的权重，纯属偶然。其他词几乎什么都没有，
# 也几乎没有梯度可学。除以 d_k 的平方根以后，标准差回到 1 附近，最后一列几乎不动：
# 向量的长度不再起决定作用。

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

# %% [markdown] lang="zh"
# ## 常见的坑
#
# **没有缩放**，或者用别的数缩放。分数的标准差来自*一个键向量的长度*：不是键的个数，
# 也不是值的宽度。
#
# **尺寸对不上。** Q 的最后一个轴和 K 的最后一个轴都必须是 d_k。矩阵乘法要的却是另一回事：
# 第一个数组的最后一个轴，对第二个数组的倒数第二个轴。
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
# **几句话一起算时的 `.T`。** 它会把*所有*的轴都翻过来，包括前面的。应该交换的是哪两个轴？
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

# %% [markdown] lang="zh"
# ## 把词变成向量
#
# 课程需要词的向量。训练过的模型学到了好的向量；我们用一个**玩具嵌入**：
# 每个词元一个固定的随机向量，由字母的校验和决定。它不懂意义，但守一个承诺：在任何机器上，
# 相同的词元得到相同的向量。代码在下面，已经写好。

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
    ### BEGIN SOLUTION
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    d_k = K.shape[-1]
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)  # (..., n_q, d_k) (..., d_k, n_k)
    ### END SOLUTION


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

# %% [markdown] lang="zh"
# ## 看一看
#
# 两句话，每个词给每个词打分。运行之前先猜：当查询和键是同一组向量时，最大的数会在哪里？
#
# ```python
# >>> print(toy_embedding("The cat sat on the mat".split()).shape)
# (6, 8)
# >>> print(toy_embedding("我 喜欢 自然 语言 处理 。".split()).shape)
# (6, 8)
# ```
#
# **关键词。** *点积*：两个向量有多一致。*d_k*：一个键（也是一个查询）的长度。*词元*（token）：
# 一小段文字，这里是一个词。“The”和“the”是两个不同的词元。

# %%
if __name__ == "__main__":
    for sentence in ("The cat sat on the mat", "我 喜欢 自然 语言 处理 。"):
        X = toy_embedding(sentence.split())
        print(sentence, "· rows look, columns are looked at")
        print(np.round(attention_scores(X, X), 1))

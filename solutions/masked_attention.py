# /// exercise
# title = "Masked attention: close some places before softmax"
# title_zh = "带掩码的注意力：在 softmax 之前关上一些位置"
# minutes = 15
# difficulty = 3
# forbidden = ["torch"]
# ///

# %% [markdown]
# # Masked attention: close some places before softmax
#
# Some places must get no weight at all: words of the future, or the filling at the end of a short
# sentence. And the weight that they would have had should not be lost. It should go to the open
# places, so that each row still sums to 1.
#
# Softmax does the sharing out. So the question is: **which score makes softmax give a weight of
# 0?**
#
# ```python
# >>> for score in (0.0, -10.0, -np.inf):
# ...     print(score, f"{np.exp(score):.6f}")
# 0.0 1.000000
# -10.0 0.000045
# -inf 0.000000
# ```
#
# A score of 0 is *not* "no weight": its exponential is 1, as good as many others. Minus infinity
# is. A very large negative number such as -1e9 does as well.

# %% [markdown] lang="zh"
# # 带掩码的注意力：在 softmax 之前关上一些位置
#
# 有些位置不该得到任何权重：未来的词，或者短句子末尾的填充。而它们本来会得到的权重也不该丢失，
# 应该分给开着的位置，让每一行的和仍然是 1。
#
# 分配是 softmax 的事。所以问题是：**什么样的分数，会让 softmax 给出 0 的权重？**
#
# ```python
# >>> for score in (0.0, -10.0, -np.inf):
# ...     print(score, f"{np.exp(score):.6f}")
# 0.0 1.000000
# -10.0 0.000045
# -inf 0.000000
# ```
#
# 分数 0 *不是*“没有权重”：它的指数是 1，不比许多别的差。负无穷才是。一个很大的负数，比如 -1e9，
# 也可以。

# %% [markdown]
# ## Before or after?
#
# The order decides. Here the mask comes *after* softmax: three words, all scores equal, the
# future set to 0.
#
# ```python
# >>> triangle = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
# >>> after = softmax(np.zeros((3, 3))) * triangle
# >>> print(np.round(after, 2), "sums:", np.round(after.sum(axis=-1), 2))  # wrong rows on purpose
# [[0.33 0.   0.  ]
#  [0.33 0.33 0.  ]
#  [0.33 0.33 0.33]] sums: [0.33 0.67 1.  ]
# ```
#
# The first word has lost 0.67 of its weight. With the mask *before* softmax, every row is whole:
#
# ```python
# >>> X, V = np.zeros((3, 2)), np.array([[10], [20], [30]])
# >>> output, weights = masked_attention(X, X, V, triangle.astype(bool))
# >>> print(np.round(weights, 2))
# [[1.   0.   0.  ]
#  [0.5  0.5  0.  ]
#  [0.33 0.33 0.33]]
# >>> print(output[:, 0])
# [10. 15. 20.]
# ```
#
# The first word can look only at itself: weight 1, and its output is its own value.

# %% [markdown] lang="zh"
# ## 之前还是之后？
#
# 顺序决定一切。下面把掩码放在 softmax *之后*：三个词，分数全都相等，未来的位置设成 0。
#
# ```python
# >>> triangle = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
# >>> after = softmax(np.zeros((3, 3))) * triangle
# >>> print(np.round(after, 2), "sums:", np.round(after.sum(axis=-1), 2))  # wrong rows on purpose
# [[0.33 0.   0.  ]
#  [0.33 0.33 0.  ]
#  [0.33 0.33 0.33]] sums: [0.33 0.67 1.  ]
# ```
#
# 第一个词丢了 0.67 的权重。掩码放在 softmax *之前*，每一行都是完整的：
#
# ```python
# >>> X, V = np.zeros((3, 2)), np.array([[10], [20], [30]])
# >>> output, weights = masked_attention(X, X, V, triangle.astype(bool))
# >>> print(np.round(weights, 2))
# [[1.   0.   0.  ]
#  [0.5  0.5  0.  ]
#  [0.33 0.33 0.33]]
# >>> print(output[:, 0])
# [10. 15. 20.]
# ```
#
# 第一个词只能看自己：权重是 1，它的输出就是它自己的值。

# %% [markdown]
# ## Pitfalls
#
# - **Multiplying the scores by the mask.** That makes closed scores 0, and you know now what 0
#   means to softmax.
# - **Multiplying by infinity.** The mask leaves 0 for open places, and 0 times infinity is `nan`.
#   Do not multiply: *choose*, place by place.
#
# ```python
# >>> with np.errstate(invalid="ignore"):
# ...     print(0.0 * -np.inf)
# nan
# ```
#
# - **Masking after softmax and dividing again.** It often gives the same numbers. But if a closed
#   score is far above all open ones, the open weights have become 0 before you divide.
# - **The polarity.** In this kit `True` means "may look". For `torch.nn.MultiheadAttention` a
#   mask must be turned around, with `~mask`.
# - **A row that may look at nobody** has no right answer. Libraries differ: zeros, equal shares,
#   or `nan`. This reference gives zeros, and no check asks for it.

# %% [markdown] lang="zh"
# ## 常见的坑
#
# - **用掩码乘分数。** 那样，关着的分数变成 0；0 对 softmax 意味着什么，你已经知道了。
# - **乘以无穷大。** 开着的位置在掩码里留下 0，而 0 乘无穷大是 `nan`。不要乘：要逐个位置地*选*。
#
# ```python
# >>> with np.errstate(invalid="ignore"):
# ...     print(0.0 * -np.inf)
# nan
# ```
#
# - **softmax 之后再遮，然后重新归一。** 结果常常一样。
#   但如果一个关着的分数远远高于所有开着的分数，开着的权重在你做除法之前就已经变成 0 了。
# - **极性。** 在这里 `True` 表示“可以看”。给 `torch.nn.MultiheadAttention` 的掩码要反过来：
#   `~mask`。
# - **谁也不能看的一行**没有正确答案。各个库的做法不同：全零、平均分配，或者 `nan`。
#   这里的参考实现给出全零，任何检查都不问它。

# %%
import numpy as np

from attention_scores import attention_scores
from softmax import softmax


# %%
def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all.

    Parameters
    ----------
    Q, K, V : arrays of shape (..., n_q, d_k), (..., n_k, d_k), (..., n_k, d_v)
    mask : bool array that broadcasts to (..., n_q, n_k); True = may look

    Returns
    -------
    output : array of shape (..., n_q, d_v)
    weights : array of shape (..., n_q, n_k); closed places 0, each row sums to 1

    Raises ValueError where the shapes do not fit. Leading axes (...) are sentences side by side.

    Examples
    --------
    >>> mask = [[True, False, True]]
    >>> print(masked_attention([[0]], [[1], [2], [3]], [[10], [20], [30]], mask))
    (array([[20.]]), array([[0.5, 0. , 0.5]]))
    """
    ### BEGIN SOLUTION
    scores = attention_scores(Q, K)
    if mask is None:
        mask = True
    mask = np.broadcast_to(np.asarray(mask, dtype=bool), scores.shape)
    empty = ~mask.any(axis=-1, keepdims=True)  # may look at nobody: zeros, where 0 / 0 would be
    weights = softmax(np.where(mask | empty, scores, -np.inf)) * ~empty
    return weights @ np.asarray(V), weights
    ### END SOLUTION


# %% [markdown]
# ## Look at it
#
# Two triangles of the same sentence: the mask after softmax, then before it. Compare the sums at
# the right. What happened to the missing weight?
#
# **Key terms.** *Masking*: giving some places no weight. *Padding*: filling a short sentence up
# to a common length; those places are closed, too. *-inf*: the score whose weight is 0.

# %% [markdown] lang="zh"
# ## 看一看
#
# 同一句话的两个三角形：先是 softmax 之后遮，再是之前遮。比较右边的和。少掉的权重去哪里了？
#
# **关键词。** *遮掩*：不给某些位置权重。*填充*（padding）：把短句补到共同的长度；
# 那些位置也要关上。*-inf*：权重为 0 的那个分数。

# %%
if __name__ == "__main__":
    from ascii_heatmap import ascii_heatmap
    from attention_scores import toy_embedding
    from causal_mask import causal_mask

    tokens = "The cat sat on the mat".split()
    X, mask = toy_embedding(tokens) / 2, causal_mask(6)
    tables = {
        "mask after softmax": masked_attention(X, X, X)[1] * mask,
        "mask before softmax": masked_attention(X, X, X, mask)[1],
    }
    for name, weights in tables.items():
        picture = ascii_heatmap(weights, tokens, chars="·░▒▓█").splitlines()
        sums = ["  sum", *(f" {total:.2f}" for total in weights.sum(axis=-1))]
        print(name, *(line + total for line, total in zip(picture, sums, strict=True)), sep="\n")

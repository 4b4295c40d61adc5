# /// exercise
# title = "Compare two sentences: what changes, what stays?"
# title_zh = "比较两句话：什么变了，什么没变？"
# minutes = 20
# difficulty = 3
# ///

# %% [markdown]
# # Compare two sentences: what changes, what stays?
#
# An experiment needs one thing that changes and everything else held still. Here the sentence
# changes, and the attention stays: **one object, the same matrices, two sentences.** A second
# object would have other matrices, and you would compare two things at once.
#
# Two sentences of equal length give two tables A and B. How different are they? You will write
# five answers, from a whole table down to one number:
#
# | function | gives | asks |
# |---|---|---|
# | `attention_difference` | `(n, n)` | which cells changed? |
# | `row_entropy` | `(n,)` | how widely does each word look? |
# | `js_divergence` | `(n,)` | how different are the two ways of looking? |
# | `argmax_agreement` | one number | how often is the favourite the same? |
# | `frobenius_distance` | one number | how far apart altogether? |
#
# The sixth, `compare_sentences`, sends both sentences through and collects everything.

# %% [markdown] lang="zh"
# # 比较两句话：什么变了，什么没变？
#
# 做实验，要让一件事变，其余都不动。这里变的是句子，不变的是注意力：**一个对象，同样的矩阵，
# 两句话。** 换一个对象就有了别的矩阵，你就在同时比较两件事。
#
# 两句等长的话给出两张表 A 和 B。它们有多不同？你要写五个回答，从整张表一直到一个数：
#
# | 函数 | 给出 | 问的是 |
# |---|---|---|
# | `attention_difference` | `(n, n)` | 哪些格子变了？ |
# | `row_entropy` | `(n,)` | 每个词看得有多广？ |
# | `js_divergence` | `(n,)` | 两种看法有多不同？ |
# | `argmax_agreement` | 一个数 | 最爱看的词有多常相同？ |
# | `frobenius_distance` | 一个数 | 总共相差多远？ |
#
# 第六个 `compare_sentences` 让两句话都走一遍，再收集一切。

# %% [markdown]
# ## Entropy, in words
#
# $$H(p) = -\sum_j p_j \ln p_j \qquad\text{with } 0 \ln 0 = 0$$
#
# Entropy is 0 if a word looks at one place only, and ln n if it looks at all n alike. Its unit is
# the **nat**, since the logarithm is the natural one. Nats are hard to feel, so undo the
# logarithm: exp(H) says how many words a row really looks at.
#
# ```python
# >>> rows = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1]]
# >>> for row, entropy in zip(rows, row_entropy(rows), strict=True):
# ...     print(row, f"{entropy:.2f} nats, looks at {np.exp(entropy):.1f} words")
# [1, 0, 0, 0] 0.00 nats, looks at 1.0 words
# [0.5, 0.5, 0, 0] 0.69 nats, looks at 2.0 words
# [0.25, 0.25, 0.25, 0.25] 1.39 nats, looks at 4.0 words
# [0.7, 0.1, 0.1, 0.1] 0.94 nats, looks at 2.6 words
# ```
#
# **Pitfall:** the logarithm of 0 is minus infinity, and 0 times infinity is `nan`. Causal tables
# are full of zeros.

# %% [markdown] lang="zh"
# ## 熵，换成词来说
#
# $$H(p) = -\sum_j p_j \ln p_j \qquad\text{其中 } 0 \ln 0 = 0$$
#
# 一个词只看一个位置时，熵是 0；对 n 个位置一视同仁时，熵是 ln n。对数是自然对数，
# 所以单位是**奈特**（nat）。奈特不好感受，那就把对数还原：exp(H) 说的是这一行实际上看了几个词。
#
# ```python
# >>> rows = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1]]
# >>> for row, entropy in zip(rows, row_entropy(rows), strict=True):
# ...     print(row, f"{entropy:.2f} nats, looks at {np.exp(entropy):.1f} words")
# [1, 0, 0, 0] 0.00 nats, looks at 1.0 words
# [0.5, 0.5, 0, 0] 0.69 nats, looks at 2.0 words
# [0.25, 0.25, 0.25, 0.25] 1.39 nats, looks at 4.0 words
# [0.7, 0.1, 0.1, 0.1] 0.94 nats, looks at 2.6 words
# ```
#
# **常见的坑：** 0 的对数是负无穷，0 乘无穷大是 `nan`。因果的表里到处是 0。

# %% [markdown]
# ## Divergence: how different are two ways of looking?
#
# $$\mathrm{JS}(p, q) = H\!\left(\tfrac{p + q}{2}\right) - \tfrac{1}{2}\bigl(H(p) + H(q)\bigr)$$
#
# Mix the two rows half and half. If they are equal, the mixture is no wider than each of them,
# and the divergence is 0. If they share nothing, the mixture is wider by ln 2, the most there can
# be:
#
# ```python
# >>> equal, near, apart = [0.5, 0.5, 0], [0.4, 0.6, 0], [0, 0, 1]
# >>> print(np.round(js_divergence([equal] * 3, [equal, near, apart]), 3))  # nats
# [0.    0.005 0.693]
# >>> print(f"{np.log(2):.3f}")
# 0.693
# ```
#
# It is the same in both directions, and it never divides by 0. Some libraries return its square
# root, a distance; here the divergence itself is asked for.

# %% [markdown] lang="zh"
# ## 散度：两种看法有多不同？
#
# $$\mathrm{JS}(p, q) = H\!\left(\tfrac{p + q}{2}\right) - \tfrac{1}{2}\bigl(H(p) + H(q)\bigr)$$
#
# 把两行各取一半混合。如果它们相等，混合并不比各自更宽，散度是 0。如果它们毫无共同之处，
# 混合就宽了 ln 2，这是最大的可能：
#
# ```python
# >>> equal, near, apart = [0.5, 0.5, 0], [0.4, 0.6, 0], [0, 0, 1]
# >>> print(np.round(js_divergence([equal] * 3, [equal, near, apart]), 3))  # nats
# [0.    0.005 0.693]
# >>> print(f"{np.log(2):.3f}")
# 0.693
# ```
#
# 两个方向算出来一样，也从不除以 0。有些库返回它的平方根，那是一种距离；这里要的是散度本身。

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
    >>> print(attention_difference([[1, 0], [0.5, 0.5]], [[0.5, 0.5]] * 2))  # not weights
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
    >>> print(np.round(row_entropy([[1, 0], [0.5, 0.5]]), 3))  # nats
    [0.    0.693]
    """
    ### BEGIN SOLUTION
    A = np.asarray(A, dtype=float)
    surprise = -np.log(np.where(A > 0, A, 1.0))  # ln 1 = 0 stands in where the weight is 0
    return (A * surprise).sum(axis=-1)
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
    >>> print(np.round(js_divergence([[1, 0], [0.5, 0.5]], [[0, 1], [0.5, 0.5]]), 3))  # nats
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


# %% [markdown]
# ## Look at it: attention is blind to order
#
# Compare "dog bites man" with "man bites dog". Before you run this: the same three words, in
# another order. What will the second table look like?
#
# ```python
# >>> from attention_scores import toy_embedding
# >>> from self_attention import SelfAttention
# >>> X_a, X_b = toy_embedding("dog bites man".split()), toy_embedding("man bites dog".split())
# >>> result = compare_sentences(SelfAttention(8, 4, 3), X_a, X_b)
# >>> print(np.round(result["weights_a"], 2))
# [[0.43 0.32 0.25]
#  [0.24 0.28 0.48]
#  [0.32 0.35 0.33]]
# >>> print(np.round(result["weights_b"], 2))
# [[0.33 0.35 0.32]
#  [0.48 0.28 0.24]
#  [0.25 0.32 0.43]]
# >>> moved = result["weights_b"][::-1, ::-1]
# >>> print(np.allclose(result["weights_a"], moved))
# True
# ```
#
# The same numbers, only rows and columns changed places with the words. For this attention the
# two headlines are one bag of words. With a causal mask that ends:
#
# ```python
# >>> from causal_mask import causal_mask
# >>> from masked_attention import masked_attention
# >>> tables = [masked_attention(X, X, X, causal_mask(3))[1] for X in (X_a, X_b)]
# >>> print(np.allclose(tables[0], tables[1][::-1, ::-1]))
# False
# ```
#
# Telling each word its position ends it, too. A real language model does at least one of the two.
#
# And remember: these matrices were drawn at random. What you see is how attention *works*, not
# what language *means*.
#
# **Key terms.** *Entropy*: how widely a row spreads. *Divergence*: how different two
# distributions are. *Permutation equivariance*: swap the words, and the table is swapped along,
# nothing else.

# %% [markdown] lang="zh"
# ## 看一看：注意力看不见顺序
#
# 比较“dog bites man”和“man bites dog”。运行之前先猜：同样的三个词，换了顺序，第二张表会是什么样？
#
# ```python
# >>> from attention_scores import toy_embedding
# >>> from self_attention import SelfAttention
# >>> X_a, X_b = toy_embedding("dog bites man".split()), toy_embedding("man bites dog".split())
# >>> result = compare_sentences(SelfAttention(8, 4, 3), X_a, X_b)
# >>> print(np.round(result["weights_a"], 2))
# [[0.43 0.32 0.25]
#  [0.24 0.28 0.48]
#  [0.32 0.35 0.33]]
# >>> print(np.round(result["weights_b"], 2))
# [[0.33 0.35 0.32]
#  [0.48 0.28 0.24]
#  [0.25 0.32 0.43]]
# >>> moved = result["weights_b"][::-1, ::-1]
# >>> print(np.allclose(result["weights_a"], moved))
# True
# ```
#
# 数字相同，只是行和列随着词换了位置。对这个注意力来说，两个标题是同一袋词。加上因果掩码，
# 情况就变了：
#
# ```python
# >>> from causal_mask import causal_mask
# >>> from masked_attention import masked_attention
# >>> tables = [masked_attention(X, X, X, causal_mask(3))[1] for X in (X_a, X_b)]
# >>> print(np.allclose(tables[0], tables[1][::-1, ::-1]))
# False
# ```
#
# 告诉每个词它的位置，也会改变这一点。真实的语言模型至少做这两件事中的一件。
#
# 还要记住：这些矩阵是随机抽取的。你看到的是注意力怎样*工作*，不是语言有什么*意义*。
#
# **关键词。** *熵*：一行铺得有多广。*散度*：两个分布有多不同。*置换等变*：交换词，表也跟着交换，
# 此外什么都不变。

# %%
if __name__ == "__main__":
    from ascii_heatmap import ascii_heatmap
    from attention_scores import toy_embedding
    from self_attention import SelfAttention

    attention = SelfAttention(8, 4, 3)
    pairs = (
        ("The cat sat on the mat", "The dog sat on the rug"),
        ("我 喜欢 自然 语言 处理 。", "他 喜欢 自然 风景 照片 。"),
        ("dog bites man", "man bites dog"),
        ("狗 咬 人", "人 咬 狗"),
    )
    for sentences in pairs:
        a, b = (sentence.split() for sentence in sentences)
        result = compare_sentences(attention, toy_embedding(a), toy_embedding(b))
        print(ascii_heatmap(result["weights_a"], a, chars="·░▒▓█"))
        print(ascii_heatmap(result["weights_b"], b, chars="·░▒▓█"))
        print(f"same favourite: {result['agreement']:.2f}, distance: {result['distance']:.2f}")
        for token, words in zip(a, np.exp(result["entropy_a"]), strict=True):
            print(f"{token} looks at {words:.1f} words")

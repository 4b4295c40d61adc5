# /// exercise
# title = "Split into heads, and back"
# title_zh = "拆成多个头，再拼回来"
# minutes = 12
# difficulty = 3
# ///

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

# %% [markdown] lang="zh"
# # 拆成多个头，再拼回来
#
# 一次 softmax 只给一种看法：一个词把权重给了动词，就没有剩下的给冠词。所以让几个**头**同时看，
# 每个头有自己的窄向量。不需要新的数：把 d_model 列*切*成 n_heads 块，每块是相邻的 d_head 列。
#
# 这里有 2 个词元，每个 6 个数。十位说是哪个词元，个位说是哪一列：
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
# 第 0 个头拿到*每个*词元的第 0 列和第 1 列。每个头仍然是一个词元一行。

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

# %% [markdown] lang="zh"
# ## 变形不是转置
#
# `reshape` 从不移动数字。它把数组读成一条长带子，一行接一行，再在别的地方剪断。形状是对的，
# 数字却到了错误的地址：
#
# ```python
# >>> X = np.array([[10, 11, 12, 13, 14, 15], [20, 21, 22, 23, 24, 25]])
# >>> print(X.reshape(3, 2, 2)[0].tolist())
# [[10, 11], [12, 13]]
# ```
#
# 第 0 个头拿到的是第 1 个词元的四个数，第 2 个词元的一个也没有。要切*列*，
# 先在带子的每一行里各自切开；然后轴的顺序必须改变。一共两步，回来的路是同样的两步倒过来走。
#
# 有个测试能立刻发现它：拆开，再拼回来，比较。还要亲眼看一个头，因为两个相反的错误会互相抵消。
#
# ## 常见的坑
#
# - **除不尽的宽度。** 10 列分给 3 个头：总有一个会不够。用 `ValueError` 说出来。
# - **每隔三列取一列。** 那也是一种公平的分法，但不是这里的分法：这里的头是*相邻*的列，
#   常见的库都是这样。
# - **前置轴。** 几句话一起算时，第一个轴不是词元轴。从末尾数。

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
    ### BEGIN SOLUTION
    *lead, n, d_model = np.shape(X)
    if n_heads < 1 or d_model % n_heads:
        raise ValueError(f"{n_heads} heads cannot share {d_model} columns evenly")
    blocks = np.reshape(X, (*lead, n, n_heads, d_model // n_heads))
    return np.swapaxes(blocks, -2, -3)  # (..., n, h, d_head) -> (..., h, n, d_head)
    ### END SOLUTION


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
    ### BEGIN SOLUTION
    *lead, n_heads, n, d_head = np.shape(H)
    rows = np.swapaxes(H, -2, -3)  # (..., h, n, d_head) -> (..., n, h, d_head)
    return rows.reshape(*lead, n, n_heads * d_head)
    ### END SOLUTION


# %% [markdown]
# ## Look at it
#
# The numbered tape: cut into columns by your function, then scrambled by `reshape` alone.
#
# **Key terms.** *Head*: one of several attentions side by side. *d_head*: the width of one head.
# *Round trip*: there and back, with nothing changed.

# %% [markdown] lang="zh"
# ## 看一看
#
# 编了号的带子：先由你的函数切成列，再看只用 `reshape` 时怎样乱掉。
#
# **关键词。** *头*：并排的几个注意力中的一个。*d_head*：一个头的宽度。*往返*：去了再回来，
# 什么都没变。

# %%
if __name__ == "__main__":
    X = np.arange(24).reshape(4, 6)
    for name, H in (("columns", split_heads(X, 3)), ("reshape alone", X.reshape(3, 4, 2))):
        print(name)
        for rows in zip(*H, strict=True):
            print(" │ ".join(" ".join(f"{number:2}" for number in row) for row in rows))
    print("there and back:", np.array_equal(concat_heads(split_heads(X, 3)), X))

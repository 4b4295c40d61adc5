# /// exercise
# title = "The causal mask: who may look?"
# title_zh = "因果掩码：谁可以看？"
# minutes = 6
# difficulty = 1
# ///

# %% [markdown]
# # The causal mask: who may look?
#
# A language model guesses the next word. While it learns, it sees whole sentences. If "sat" could
# look at "on", there would be nothing left to guess: the answer stands on the next seat. So each
# word may look at what was said so far, and not at what comes after.
#
# That is a table of yes and no, one row for who looks, one column for who is looked at: a
# **mask**. Here, as on page one, `True` means "may look".
#
# - When word 3 is spoken, which words have been said? Word 3 itself, too?
# - What does the first row look like? A row without any `True` would be a word that may look at
#   nobody, not even at itself.

# %% [markdown] lang="zh"
# # 因果掩码：谁可以看？
#
# 语言模型猜下一个词。学习时，它看到的是整句话。如果“sat”能看到“on”，就没有什么可猜的了：
# 答案就坐在旁边。所以每个词可以看已经说出的内容，不能看后面的内容。
#
# 这就是一张“是”与“否”的表，一行一个谁在看，一列一个谁被看：**掩码**。和第一页一样，
# `True` 表示“可以看”。
#
# - 说到第 3 个词时，哪些词已经说过了？第 3 个词自己算不算？
# - 第一行是什么样？如果一行没有任何 `True`，那个词就谁也不能看，连自己也不能。

# %% [markdown]
# ## Pitfalls
#
# - **Upside down.** Then the first word sees everything, and the last only itself.
# - **One step too far.** Then each word sees the very next one: the answer.
# - **One step too short.** Then a word may not look at itself, and the first row is empty.
# - **Numbers in place of a boolean.** 0 and 1 in the right places are nearly right. But `~`,
#   which turns a boolean mask around, does something else with numbers:
#
# ```python
# >>> print(~np.array([True, False]), ~np.array([1, 0]))
# [False  True] [-2 -1]
# ```

# %% [markdown] lang="zh"
# ## 常见的坑
#
# - **上下颠倒。** 那样第一个词什么都看得到，最后一个词只看得到自己。
# - **多走了一步。** 那样每个词都看得到紧接着的词：答案。
# - **少走了一步。** 那样一个词不能看自己，第一行是空的。
# - **用数字代替布尔值。** 0 和 1 放对了位置，就差不多对了。但是 `~` 会把布尔掩码反过来，
#   对数字却做别的事：
#
# ```python
# >>> print(~np.array([True, False]), ~np.array([1, 0]))
# [False  True] [-2 -1]
# ```

# %%
import numpy as np


# %%
def causal_mask(n):
    """Say for n tokens in a row who may look at whom: at itself and what came before.

    Parameters
    ----------
    n : int, the number of tokens

    Returns
    -------
    mask : bool array of shape (n, n); True = row i may look at column j

    Examples
    --------
    >>> print(causal_mask(2))
    [[ True False]
     [ True  True]]
    """
    ### BEGIN SOLUTION
    return np.tril(np.ones((n, n), dtype=bool))
    ### END SOLUTION


# %% [markdown]
# ## Look at it
#
# Watch the triangle grow, one word at a time. How many places are open for n words?
#
# **Key terms.** *Mask*: who may look at whom. *Causal*: nothing depends on what comes later.
# *Autoregressive*: making a text word by word, each from those before it.

# %% [markdown] lang="zh"
# ## 看一看
#
# 看三角形一个词一个词地长出来。n 个词时，有多少个位置是开着的？
#
# **关键词。** *掩码*：谁可以看谁。*因果*：任何东西都不依赖后面的内容。*自回归*：
# 一个词一个词地生成文字，每个词只根据前面的词。

# %%
if __name__ == "__main__":
    tokens = "The cat sat on the mat".split()
    for token, row in zip(tokens, causal_mask(len(tokens)), strict=True):
        print(f"{token:4}", " ".join("█" if may else "·" for may in row))

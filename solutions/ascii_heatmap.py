# /// exercise
# title = "Draw the weights as text"
# title_zh = "用文字画出权重"
# minutes = 15
# difficulty = 2
# ///

# %% [markdown]
# # Draw the weights as text
#
# A table of numbers is hard to read; a picture is easy. You will write a **heatmap** that works
# in every terminal: one sign a cell, the darker the more weight. From the next lesson on, the
# pictures are drawn by *your* function.
#
# Rows look, columns are looked at: the header line names who is looked at, and each line starts
# with who looks.
#
# ## From a weight to a sign
#
# With the signs `" ░▒▓█"` there are 5 levels, each a fifth of the way from 0 to 1. Level 0 is a
# blank, level 4 is the full block:
#
# ```python
# >>> chars = " ░▒▓█"
# >>> for weight in (0.0, 0.19, 0.2, 0.5, 0.99):
# ...     print(weight, int(weight * len(chars)), repr(chars[int(weight * len(chars))]))
# 0.0 0 ' '
# 0.19 0 ' '
# 0.2 1 '░'
# 0.5 2 '▒'
# 0.99 4 '█'
# ```
#
# And a weight of exactly 1? Multiply, and see why the level needs a cap.

# %% [markdown] lang="zh"
# # 用文字画出权重
#
# 一张全是数的表很难读，一幅图却容易。你要写一个在任何终端里都能用的**热力图**：每格一个符号，
# 权重越大越深。从下一课起，图就由*你的*函数来画。
#
# 行在看，列被看：标题行写谁被看，每一行的开头写谁在看。
#
# ## 从权重到符号
#
# 符号 `" ░▒▓█"` 给出 5 级，每级占 0 到 1 的五分之一。第 0 级是空白，第 4 级是实心块：
#
# ```python
# >>> chars = " ░▒▓█"
# >>> for weight in (0.0, 0.19, 0.2, 0.5, 0.99):
# ...     print(weight, int(weight * len(chars)), repr(chars[int(weight * len(chars))]))
# 0.0 0 ' '
# 0.19 0 ' '
# 0.2 1 '░'
# 0.5 2 '▒'
# 0.99 4 '█'
# ```
#
# 那么恰好等于 1 的权重呢？乘一乘，就明白为什么级数要封顶。

# %% [markdown]
# ## Pitfalls
#
# - **A scale that stretches.** Dividing by the largest weight makes every picture dark, and two
#   pictures can no longer be compared. And what if all weights are 0? The scale here is fixed: 0
#   to 1.
# - **`nan`.** A broken table is when you need a picture most. Drawing must not crash.
# - **Letters are not cells.** A terminal draws a Chinese character two cells wide, and an accent
#   that sits on a letter takes no cell of its own. `len` counts neither.
#
# ```python
# >>> for token in ("cat", "自然", "e\N{COMBINING ACUTE ACCENT}"):
# ...     print(len(token), display_width(token))
# 3 3
# 2 4
# 2 1
# ```
#
# `display_width` is given to you. All lines of the picture should be equally wide *on the
# screen*.

# %% [markdown] lang="zh"
# ## 常见的坑
#
# - **会伸缩的刻度。** 除以最大的权重，每幅图都会很深，两幅图就不能再比较。如果权重全是 0 呢？
#   这里的刻度是固定的：0 到 1。
# - **`nan`。** 表格出了问题的时候最需要图。画图不能崩溃。
# - **字符数不等于格数。** 终端里一个汉字占两格；叠在字母上的重音符号不占格。`len` 两样都数不对。
#
# ```python
# >>> for token in ("cat", "自然", "e\N{COMBINING ACUTE ACCENT}"):
# ...     print(len(token), display_width(token))
# 3 3
# 2 4
# 2 1
# ```
#
# `display_width` 已经写好给你。图的每一行，*在屏幕上*应该一样宽。

# %%
import unicodedata

import numpy as np


# %%
def display_width(text):
    """Count the terminal cells that a text fills: 2 a Chinese character, 0 a combining mark."""
    width = 0
    for sign in text:
        if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width


# %%
def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    """Draw a table of weights as text, one sign a cell; returns it, prints nothing.

    Parameters
    ----------
    weights : array of shape (n_q, n_k); sign chars[min(int(w * len(chars)), len(chars) - 1)]
        on the fixed scale 0 to 1; zeros and NaN do no harm
    tokens : list of str, or a pair of lists (queries, keys)
    chars : str, from weight 0 to weight 1

    Returns
    -------
    picture : str, a header line and n_q lines, all of one display width

    Examples
    --------
    >>> print(ascii_heatmap([[1, 0], [0.5, 0.5]], ["I", "am"], chars=".:#"))
       I am
     I #  .
    am :  :
    """
    ### BEGIN SOLUTION
    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    weights = np.clip(np.nan_to_num(np.asarray(weights, dtype=float)), 0.0, 1.0)
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(
            f"weights of shape {weights.shape} for {len(queries)} queries and {len(keys)} keys"
        )
    levels = np.minimum((weights * len(chars)).astype(int), len(chars) - 1)
    signs = [[chars[level] for level in row] for row in levels]
    table = [["", *keys]] + [[query, *row] for query, row in zip(queries, signs, strict=True)]
    widths = [max(display_width(cell) for cell in column) for column in zip(*table, strict=True)]
    return "\n".join(
        " ".join(
            " " * (width - display_width(cell)) + cell
            for cell, width in zip(row, widths, strict=True)
        )
        for row in table
    )
    ### END SOLUTION


# %% [markdown]
# ## Look at it
#
# The same weights under an English sentence and under a Chinese one. Are your columns straight in
# both?
#
# ```python
# >>> weights = [[1, 0, 0], [0.6, 0.4, 0], [0.2, 0.3, 0.5]]
# >>> print(ascii_heatmap(weights, ["The", "cat", "sat"], chars="·░▒▓█"))
#     The cat sat
# The   █   ·   ·
# cat   ▓   ▒   ·
# sat   ░   ░   ▒
# >>> print(ascii_heatmap(weights, ["我", "喜欢", "自然"], chars="·░▒▓█"))
#      我 喜欢 自然
#   我  █    ·    ·
# 喜欢  ▓    ▒    ·
# 自然  ░    ░    ▒
# ```
#
# **Key terms.** *Heatmap*: a table drawn as shades. *Display width*: how many cells a text fills
# on the screen.

# %% [markdown] lang="zh"
# ## 看一看
#
# 同样的权重，一次配英文句子，一次配中文句子。两幅图的列都对齐了吗？
#
# ```python
# >>> weights = [[1, 0, 0], [0.6, 0.4, 0], [0.2, 0.3, 0.5]]
# >>> print(ascii_heatmap(weights, ["The", "cat", "sat"], chars="·░▒▓█"))
#     The cat sat
# The   █   ·   ·
# cat   ▓   ▒   ·
# sat   ░   ░   ▒
# >>> print(ascii_heatmap(weights, ["我", "喜欢", "自然"], chars="·░▒▓█"))
#      我 喜欢 自然
#   我  █    ·    ·
# 喜欢  ▓    ▒    ·
# 自然  ░    ░    ▒
# ```
#
# **关键词。** *热力图*：用深浅画出的表格。*显示宽度*：一段文字在屏幕上占多少格。

# %%
if __name__ == "__main__":
    ramp = np.linspace(0, 1, 6)
    for sentence in ("The cat sat on the mat", "我 喜欢 自然 语言 处理 。"):
        print(ascii_heatmap(np.minimum.outer(ramp, ramp), sentence.split(), chars="·░▒▓█"))

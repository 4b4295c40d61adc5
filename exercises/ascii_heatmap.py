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
    # YOUR CODE HERE
    raise NotImplementedError()


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

# %%
if __name__ == "__main__":
    ramp = np.linspace(0, 1, 6)
    for sentence in ("The cat sat on the mat", "我 喜欢 自然 语言 处理 。"):
        print(ascii_heatmap(np.minimum.outer(ramp, ramp), sentence.split(), chars="·░▒▓█"))

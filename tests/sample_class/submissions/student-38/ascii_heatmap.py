import unicodedata

import numpy as np


def display_width(text):
    """Count the terminal cells that a text fills: 2 a Chinese character, 0 a combining mark."""
    width = 0
    for sign in text:
        if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    """Draw a table of weights as text, one sign a cell; returns it, prints nothing.

    Parameters
    ----------
    weights : array of shape (n_q, n_k); sign chars[min(int(w * len(chars)), len(chars) - 1)]
        on the fixed scale 0 to 1; zeros and NaN do no harm
    tokens : list of str, or a pair of lists (queries, keys); ValueError if they do not fit
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

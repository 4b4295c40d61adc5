import unicodedata

import numpy as np


def display_width(text):
    width = 0
    for sign in text:
        if unicodedata.combining(sign):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width


def pad(text, width):
    return " " * (width - display_width(text)) + text


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    """Draw a table of weights as text, one sign a cell."""
    if isinstance(tokens[0], str):
        queries = keys = list(tokens)
    else:
        queries, keys = tokens
    weights = np.nan_to_num(np.asarray(weights, dtype=float))
    if weights.shape != (len(queries), len(keys)):
        raise ValueError("the tokens do not fit the weights")
    left = max(display_width(q) for q in queries)
    lines = [" " * left + " " + " ".join(keys)]
    for query, row in zip(queries, weights):
        cells = []
        for key, w in zip(keys, row):
            level = max(0, min(int(w * len(chars)), len(chars) - 1))
            cells.append(pad(chars[level], display_width(key)))
        lines.append(pad(query, left) + " " + " ".join(cells))
    return "\n".join(lines)

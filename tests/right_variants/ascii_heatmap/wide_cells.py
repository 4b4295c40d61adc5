"""Each cell shows its sign three times; a word of the caller's choice in the corner."""

import unicodedata

import numpy as np


def fill(text, n, by=" "):
    return text + by * (n - sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text))


def ascii_heatmap(weights, tokens, chars=" ░▒▓█", corner=""):
    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    last = len(chars) - 1
    lines = [fill(corner, 10) + "".join(fill(k, 9) for k in keys)]
    for q, row in zip(queries, np.nan_to_num(weights), strict=True):
        lines.append(
            fill(q, 10) + "".join(fill(chars[min(int(w * len(chars)), last)] * 3, 9) for w in row)
        )
    print(len(lines), "lines")
    return "\n".join(lines)

# loses only: fixed_scale
import unicodedata

import numpy as np


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    def cell(text):
        return text + " " * (9 - sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text))

    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    lines = [cell("") + "".join(cell(token) for token in keys)]
    for token, row in zip(queries, np.nan_to_num(weights), strict=True):
        signs = [chars[int(w * len(chars))] for w in row]
        lines.append(cell(token) + "".join(cell(sign) for sign in signs))
    return "\n".join(lines)

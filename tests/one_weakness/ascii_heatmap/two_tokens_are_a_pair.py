# loses only: queries_and_keys
import unicodedata

import numpy as np


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    def cell(text):
        return text + " " * (9 - sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text))

    queries, keys = tokens if len(tokens) == 2 else (tokens, tokens)
    weights = np.nan_to_num(weights)
    lines = [cell("") + "".join(cell(token) for token in keys)]
    for token, row in zip(queries, weights, strict=True):
        signs = [chars[min(int(w * len(chars)), len(chars) - 1)] for w in row]
        lines.append(cell(token) + "".join(cell(sign) for sign in signs))
    return "\n".join(lines)

# loses only: fixed_scale
import unicodedata

import numpy as np


def ascii_heatmap(weights, tokens, chars=" .:#█"):
    def cell(text):
        return text + " " * (9 - sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text))

    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    lines = [cell("") + "".join(cell(key) for key in keys)]
    for query, row in zip(queries, np.nan_to_num(weights), strict=True):
        signs = [chars[min(int(w * len(chars)), len(chars) - 1)] for w in row]
        lines.append(cell(query) + "".join(cell(sign) for sign in signs))
    return "\n".join(lines)

# loses only: wide_tokens
import unicodedata

import numpy as np


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    def cells(text):
        return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)

    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    weights = np.nan_to_num(weights)
    lines = ["".ljust(9) + "".join(key.ljust(9) for key in keys)]
    for query, row in zip(queries, weights, strict=True):
        signs = [chars[min(int(w * len(chars)), len(chars) - 1)] for w in row]
        lines.append(query.ljust(9) + "".join(sign.ljust(9) for sign in signs))
    broad = max(map(cells, lines))
    return "\n".join(line + " " * (broad - cells(line)) for line in lines)

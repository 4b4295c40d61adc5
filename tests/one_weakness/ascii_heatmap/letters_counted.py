# loses only: wide_tokens
import numpy as np


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    weights = np.nan_to_num(weights)
    lines = [" " * 9 + "".join(token.ljust(9) for token in keys)]
    for token, row in zip(queries, weights, strict=True):
        signs = [chars[min(int(w * len(chars)), len(chars) - 1)] for w in row]
        lines.append(token.ljust(9) + "".join(sign.ljust(9) for sign in signs))
    return "\n".join(lines)

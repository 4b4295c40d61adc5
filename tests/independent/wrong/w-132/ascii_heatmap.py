import unicodedata
import numpy as np


def display_width(text):
    width = 0
    for sign in text:
        if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    w = np.nan_to_num(np.asarray(weights, float))
    if len(tokens) != w.shape[0]:
        raise ValueError("tokens do not fit")
    wide = max(display_width(t) for t in tokens)
    pad = lambda t: " " * (wide - display_width(t)) + t
    lines = [" ".join([pad(""), *map(pad, tokens)])]
    for t, r in zip(tokens, w):
        lines.append(" ".join([pad(t), *(pad(chars[min(int(x * len(chars)), len(chars) - 1)]) for x in r)]))
    return "\n".join(lines)

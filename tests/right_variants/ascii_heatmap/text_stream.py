"""A text stream, cells padded on the left, a question mark for nan."""

import io
import unicodedata


def display_width(text):
    width = 0
    for sign in text:
        if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    W = [list(map(float, row)) for row in weights]
    pair = len(tokens) == 2 and not isinstance(tokens[0], str)
    rows, cols = tokens if pair else (tokens, tokens)
    if len(rows) != len(W) or any(len(r) != len(cols) for r in W):
        raise ValueError("tokens and weights differ")

    def sign(w):
        if w != w:
            return "?"
        k = int(w * len(chars))
        return chars[min(k, len(chars) - 1)]

    width = max(display_width(t) for t in list(rows) + list(cols)) + 1
    out = io.StringIO()

    def put(items):
        for t in items:
            out.write(" " * (width - display_width(t)) + t)

    put(["", *cols])
    for t, r in zip(rows, W, strict=False):
        out.write("\n")
        put([t, *map(sign, r)])
    return out.getvalue()

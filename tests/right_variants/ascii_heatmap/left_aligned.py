"""Left-aligned cells of one width, a frame of bars, a newline at the end."""

import unicodedata


def pad(text, cells):
    used = 0
    for sign in text:
        if unicodedata.combining(sign):
            continue
        used += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return text + " " * (cells - used)


def shade(w, chars):
    if w != w:
        return "?"
    return chars[max(0, min(int(float(w) * len(chars)), len(chars) - 1))]


def ascii_heatmap(weights, tokens, chars=" ░▒▓█", cell=8):
    pair = not isinstance(tokens[0], str)
    rows, columns = tokens if pair else (tokens, tokens)
    text = pad("", cell) + "|" + "|".join(pad(c, cell) for c in columns) + "|\n"
    for name, row in zip(rows, weights, strict=True):
        text += pad(name, cell) + "|" + "|".join(pad(shade(w, chars), cell) for w in row) + "|\n"
    return text

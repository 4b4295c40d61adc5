"""Counts how many borders a weight has passed."""

import unicodedata


def sign_for(w, chars):
    passed = 0
    while passed < len(chars) - 1 and w >= (passed + 1) / len(chars):
        passed += 1
    return chars[passed]


def pad_left(text, n):
    width = sum(2 if unicodedata.east_asian_width(c) in "FW" else 1 for c in text)
    return " " * (n - width) + text


def ascii_heatmap(weights, tokens, chars=" ░▒▓█", gap=2):
    two = isinstance(tokens, (tuple, list)) and isinstance(tokens[0], (tuple, list))
    qs, ks = (tokens[0], tokens[1]) if two else (tokens, tokens)
    n = gap + 2 * max(len(t) for t in list(qs) + list(ks))
    lines = [pad_left("", n) + "".join(pad_left(k, n) for k in ks)]
    for i in range(len(qs)):
        line = pad_left(qs[i], n)
        for j in range(len(ks)):
            line += pad_left(sign_for(weights[i, j], chars), n)
        lines.append(line)
    return "\n".join(lines)

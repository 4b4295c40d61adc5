# loses only: zeros_and_nan
import unicodedata


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    def cell(text):
        return text + " " * (9 - sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text))

    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    lines = [cell("") + "".join(cell(token) for token in keys)]
    for token, row in zip(queries, weights, strict=True):
        signs = [chars[min(int(w * len(chars)), len(chars) - 1)] for w in row]
        lines.append(cell(token) + "".join(cell(sign) for sign in signs))
    return "\n".join(lines)

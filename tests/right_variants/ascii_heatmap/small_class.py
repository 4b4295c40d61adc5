"""A class that knows the widths, and a function around it."""

import math
import unicodedata


class Table:
    def __init__(self):
        self.rows = []

    def add(self, *cells):
        self.rows.append(list(cells))

    @staticmethod
    def width(cell):
        return sum(2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in cell)

    def __str__(self):
        widths = [max(self.width(r[j]) for r in self.rows) for j in range(len(self.rows[0]))]
        padded = [
            [cell + " " * (w - self.width(cell)) for cell, w in zip(r, widths, strict=True)]
            for r in self.rows
        ]
        return "\n".join("  ".join(r) for r in padded)


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    table = Table()
    table.add("", *keys)
    for query, row in zip(queries, weights, strict=True):
        levels = [
            0 if math.isnan(w) else min(math.floor(w * len(chars)), len(chars) - 1) for w in row
        ]
        table.add(query, *[chars[level] for level in levels])
    return str(table)

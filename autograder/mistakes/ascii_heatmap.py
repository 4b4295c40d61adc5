"""Wrong pictures: which sign a weight gets, which way round, how wide a token is."""

import unicodedata

import numpy as np

from autograder.chain import Chain
from autograder.matching import signs

ascii_heatmap = Chain("ascii_heatmap", "weights", "tokens", chars=" ░▒▓█")


def cells(text):
    """Count terminal cells."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide


def both(tokens):
    """Give the queries' and the keys' tokens."""
    return (tokens, tokens) if isinstance(tokens[0], str) else tuple(tokens)


def table(weights, tokens, sign, width=cells):
    """Draw right-aligned columns, each as wide as its widest cell."""
    queries, keys = both(tokens)
    if np.shape(weights) != (len(queries), len(keys)):
        raise ValueError("tokens do not fit")
    rows = [["", *keys]]
    rows += [[q, *map(sign, row)] for q, row in zip(queries, weights, strict=True)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        " ".join(" " * (w - width(cell)) + cell for cell, w in zip(row, widths, strict=True))
        for row in rows
    )


ascii_heatmap.view(signs)


@ascii_heatmap.stage
def clean(weights):
    return np.clip(np.nan_to_num(np.asarray(weights, dtype=float)), 0, 1)


@clean.wrong("HM-NAN")
def nan_is_not_expected(weights):
    return weights


@clean.wrong("HM-RELATIVE")
def darkest_is_the_largest(weights):
    return np.nan_to_num(weights / np.nanmax(weights)) if np.nanmax(weights) > 0 else weights


@clean.wrong("HM-ROW-RELATIVE")
def largest_of_each_row(weights):
    return np.nan_to_num(weights / weights.max(axis=-1, keepdims=True))


@clean.wrong("HM-COLUMN-RELATIVE")
def largest_of_each_column(weights):
    return np.nan_to_num(weights / weights.max(axis=0, keepdims=True))


@clean.wrong("HM-MINMAX")
def from_smallest_to_largest(weights):
    spread = np.nanmax(weights) - np.nanmin(weights)
    return np.nan_to_num((weights - np.nanmin(weights)) / spread) if spread else weights * 0


@clean.wrong("HM-CRASH0")
def division_by_the_maximum(weights):
    if float(np.nanmax(weights)) == 0.0:
        raise ValueError("cannot convert float NaN to integer")
    return np.nan_to_num(weights / np.nanmax(weights))


@clean.wrong("HM-CRASH0")
def python_division_by_the_maximum(weights):
    largest = float(np.nanmax(weights))
    return np.array([[0.0 if w != w else float(w) / largest for w in row] for row in weights])


@ascii_heatmap.stage
def sign(chars):
    return lambda w: chars[min(int(w * len(chars)), len(chars) - 1)]


@sign.wrong("HM-RANGE")
def one_too_many(chars):
    return lambda w: chars[int(w * len(chars))]


@sign.wrong("HM-LEVELS")
def one_level_less(chars):
    return lambda w: chars[int(w * (len(chars) - 1))]


@sign.wrong("HM-ROUND")
def rounded_level(chars):
    return lambda w: chars[round(w * (len(chars) - 1))]


@sign.wrong("HM-ROUND")
def rounded_and_capped(chars):
    return lambda w: chars[min(round(w * len(chars)), len(chars) - 1)]


@sign.wrong("HM-CEIL")
def ceiling(chars):
    return lambda w: chars[min(int(np.ceil(w * len(chars))), len(chars) - 1)]


@sign.wrong("HM-CEIL")
def ceiling_of_one_level_less(chars):
    return lambda w: chars[int(np.ceil(w * (len(chars) - 1)))]


@sign.wrong("HM-REVERSED")
def dark_for_small(chars):
    return lambda w: chars[::-1][min(int(w * len(chars)), len(chars) - 1)]


@sign.wrong("HM-FIVE")
def always_five_signs(chars):
    return lambda w: " ░▒▓█"[min(int(w * 5), 4)]


@sign.wrong("HM-TWO")
def yes_or_no(chars):
    return lambda w: chars[-1] if w > 0.5 else chars[0]


@sign.wrong("HM-DARKEST-UNUSED")
def capped_too_early(chars):
    return lambda w: chars[min(int(w * len(chars)), len(chars) - 2)]


@ascii_heatmap.stage
def picture(clean, tokens, sign):
    return table(clean, tokens, sign)


@picture.wrong("HM-WIDTH")
def letters_counted(clean, tokens, sign):
    return table(clean, tokens, sign, width=len)


@picture.wrong("HM-UNPADDED")
def not_padded(clean, tokens, sign):
    queries, keys = both(tokens)
    lines = [q + " " + " ".join(map(sign, row)) for q, row in zip(queries, clean, strict=True)]
    return "\n".join([" ".join(keys), *lines])


@picture.wrong("HM-TURNED")
def columns_are_queries(clean, tokens, sign):
    return table(clean.T, both(tokens)[::-1], sign)


@picture.wrong("HM-TURNED")
def only_the_table_turned(clean, tokens, sign):
    return table(clean.T, tokens, sign)


@picture.wrong("HM-UPSIDE-DOWN")
def last_query_on_top(clean, tokens, sign):
    return table(clean[::-1], tokens, sign)


@picture.wrong("HM-NO-HEADER")
def no_header(clean, tokens, sign):
    return table(clean, tokens, sign).split("\n", 1)[1]


@picture.wrong("HM-ONE-LINE")
def no_line_breaks(clean, tokens, sign):
    return table(clean, tokens, sign).replace("\n", " ")


@picture.wrong("HM-PAIR")
def one_list_only(clean, tokens, sign):
    if not isinstance(tokens[0], str):
        raise TypeError("can only concatenate str")
    return table(clean, tokens, sign)


@ascii_heatmap.stage
def returned(picture):
    return picture


@returned.wrong("C-NONE")
def no_return(picture):
    return None


@returned.wrong("HM-LINES")
def list_of_lines(picture):
    return picture.split("\n")


@ascii_heatmap.replaced("HM-PRINTS", state=True)
def prints_the_picture(weights, tokens, chars=" ░▒▓█"):
    print(ascii_heatmap.public(frozenset())(weights, tokens, chars))


@ascii_heatmap.replaced("HM-PRINTS", state=True)
def prints_and_returns(weights, tokens, chars=" ░▒▓█"):
    picture = ascii_heatmap.public(frozenset())(weights, tokens, chars)
    print(picture)
    return picture


ascii_heatmap.in_pairs(
    "HM-RELATIVE HM-ROW-RELATIVE HM-LEVELS HM-ROUND HM-CEIL HM-REVERSED HM-WIDTH HM-UNPADDED"
    " HM-TURNED HM-NO-HEADER HM-NAN HM-RANGE HM-CRASH0"
)

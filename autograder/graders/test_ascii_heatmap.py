"""Judges `ascii_heatmap`: the right sign in each cell, in straight columns, however spaced.

Signs are read from each line by what they are, so that spacing, frames and labels are free.
"""

import unicodedata

import numpy as np

from autograder import expect
from autograder.check import needs, points, robustness, visible

SIGNS = "~^*&@"  # from weight 0 to weight 1; none of them stands in a token


def shades(rng, n_q, n_k, chars=SIGNS):
    """Draw weights away from the borders between two signs, and say which signs they are."""
    cell = rng.permutation(n_q * n_k).reshape(n_q, n_k)
    level = cell % len(chars)
    inside = np.where(cell // len(chars) % 2 == 0, 0.2, 0.8)
    return (level + inside) / len(chars), ["".join(chars[each] for each in row) for row in level]


def lines_of(picture, n_q, printed=""):
    """Expect a text with a header and one line a query, ended as on any system; give the lines."""
    if picture is None and printed.strip():
        raise expect.Unmet("HM-PRINTS")
    lines = expect.text(picture, "picture").replace("\r\n", "\n").strip("\n").split("\n")
    expect.that(len(lines) == n_q + 1, "HM-LINES", got=len(lines), want=n_q + 1)
    return lines


def signs_of(line, n_k, chars=SIGNS):
    """Read the signs of one line, whether a cell shows its sign once or several times."""
    found = "".join(sign for sign in line if sign in chars)
    wide = max(1, len(found) // n_k)
    once = found[::wide]
    return once if found == "".join(sign * wide for sign in once) else found


def check_signs(picture, rows, chars=SIGNS):
    """Expect these signs, row by row."""
    lines = lines_of(picture, len(rows))
    for number, (line, row) in enumerate(zip(lines[1:], rows, strict=True)):
        expect.that(signs_of(line, len(row), chars) == row, "HM-SIGNS", row=number)


@visible
@points(1)
def test_lines(student, reference, rng):
    """The picture is a text: a header and one line a query, all equally long"""
    weights, _ = shades(rng, 4, 4)
    picture = student.ascii_heatmap(weights, ["The", "cat", "sat", "on"], SIGNS)
    lines = lines_of(picture, 4, student.last.printed)
    expect.that(len({len(line) for line in lines}) == 1, "HM-UNPADDED")
    row = lines[1].strip()
    expect.that(not row or row not in student.last.printed, "HM-PRINTS")


@visible
@points(1)
def test_tokens(student, reference, rng):
    """The header names the keys in order, and each line names its query"""
    tokens = ["The", "cat", "sat", "on"]
    weights, _ = shades(rng, 4, 4)
    lines = lines_of(student.ascii_heatmap(weights, tokens, SIGNS), 4)
    start = 0
    for token, line in zip(tokens, lines[1:], strict=True):
        place = lines[0].find(token, start)
        expect.that(place >= 0, "HM-TOKENS")
        expect.that(token in line, "HM-TOKENS")
        start = place + len(token)


@visible
@points(2)
def test_shades(student, reference, rng):
    """Each cell shows the sign of its weight"""
    weights, rows = shades(rng, 4, 4)
    check_signs(student.ascii_heatmap(weights, ["The", "cat", "sat", "on"], SIGNS), rows)


@points(1)
def test_fixed_scale(student, reference, rng):
    """The scale runs from 0 to 1, for any number of signs and whatever the largest weight is"""
    tokens = ["a", "b", "c"]
    faint = rng.uniform(0.05, 0.3, size=(3, 3))
    faint[0, 0] = 0.3  # nearer to the second level than to the first, whatever was drawn
    check_signs(student.ascii_heatmap(faint, tokens, "~*@"), ["~~~"] * 3, "~*@")
    check_signs(student.ascii_heatmap(np.eye(3), tokens, "~*@"), ["@~~", "~@~", "~~@"], "~*@")
    check_signs(student.ascii_heatmap(np.eye(1), ["a"], "~*%@"), ["@"], "~*%@")
    weights = np.array([[0.3, 0.5, 0.7], [0.9, 1.0, 0.3], [0.5, 0.7, 0.9]])
    check_signs(student.ascii_heatmap(weights, tokens), ["░▒▓", "██░", "▒▓█"], "░▒▓█")


@robustness("HM-LISTS")
@needs("shades")
@points(1)
def test_queries_and_keys(student, reference, rng):
    """A pair of token lists names queries and keys, of different number"""
    weights, rows = shades(rng, 3, 5)
    queries, keys = ["we", "saw", "it"], ["a", "dog", "bit", "his", "leg"]
    picture = student.ascii_heatmap(weights, (queries, keys), SIGNS)
    check_signs(picture, rows)
    lines = lines_of(picture, 3)
    expect.that(all(key in lines[0] for key in keys), "HM-TOKENS")
    named = (query in line for query, line in zip(queries, lines[1:], strict=True))
    expect.that(all(named), "HM-TOKENS")
    for tokens in (["you", "we"], ["you"]):  # a list of two is no pair of lists
        weights, rows = shades(rng, len(tokens), len(tokens))
        picture = student.ascii_heatmap(weights, tokens, SIGNS)
        check_signs(picture, rows)
        lines = lines_of(picture, len(tokens))
        expect.that(all(token in lines[0] for token in tokens), "HM-TOKENS")
        named = (token in line for token, line in zip(tokens, lines[1:], strict=True))
        expect.that(all(named), "HM-TOKENS")


@needs("lines")
@points(1)
def test_wide_tokens(student, reference, rng):
    """The columns stay straight with Chinese tokens, two cells a sign"""
    weights, _ = shades(rng, 5, 5)
    for tokens in (["我", "喜欢", "自然", "语言", "处理"], ["我", "use", "注意力", "in", "一个"]):
        lines = lines_of(student.ascii_heatmap(weights, tokens, SIGNS), 5)
        expect.that(len({_cells(line) for line in lines}) == 1, "HM-WIDTH")
        columns = {
            tuple(_cells(line[:at]) for at, sign in enumerate(line) if sign in SIGNS)
            for line in lines[1:]
        }
        expect.that(len(columns) == 1, "HM-WIDTH")


def _cells(text):
    """Count the terminal cells of a text."""
    marks = ("Mn", "Me", "Cf")
    return sum(
        2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
        if unicodedata.category(sign) not in marks
    )


@needs("lines")
@points(0.5)
def test_zeros_and_nan(student, reference, rng):
    """All weights 0 are drawn, and so is a weight that is nan"""
    tokens = ["a", "b", "c"]
    check_signs(student.ascii_heatmap(np.zeros((3, 3)), tokens, SIGNS), ["~~~"] * 3)
    weights, _ = shades(rng, 3, 3)
    weights[1] = np.nan
    lines_of(student.ascii_heatmap(weights, tokens, SIGNS), 3)


@robustness("C-MUTATE")
@needs("shades")
@points(0.5)
def test_leaves_the_weights_alone(student, reference, rng):
    """The caller's weights are unchanged afterwards"""
    weights, _ = shades(rng, 4, 4)
    student.ascii_heatmap(weights, ["The", "cat", "sat", "on"], SIGNS)
    expect.unchanged(student.last.changed, ("weights", "tokens", "chars"))

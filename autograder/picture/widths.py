"""How many terminal cells a text fills, and text brought to a number of cells.

A Chinese character or an emoji fills two cells, a combining mark none. Knows nothing of pictures.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

LONGEST = 8  # cells of a token; a longer one is cut
NARROW = 20  # cells: a terminal that has fewer is not folded for


def width(text: str) -> int:
    """Count the cells that a text fills in a terminal."""
    cells = 0
    for sign in text:
        if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf", "Cc"):
            continue
        cells += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return cells


def blanks(cells: int) -> str:
    """Give a text of blanks only."""
    return "".ljust(cells)


def left(text: str, cells: int) -> str:
    """Fill a text up with blanks on its right."""
    return text + blanks(cells - width(text))


def right(text: str, cells: int) -> str:
    """Fill a text up with blanks on its left."""
    return blanks(cells - width(text)) + text


def cut(text: str, cells: int = LONGEST, end: str = "…") -> str:
    """Cut a text that fills more than so many cells; the cut shows."""
    if width(text) <= cells:
        return text
    kept = ""
    for sign in text:
        if width(kept + sign) > cells - width(end):
            break
        kept += sign
    return kept + end


def label(token: str) -> str:
    """Give a token as one printable piece; blanks alone as a sign that can be seen."""
    if not token:
        return ""
    kept = "".join(
        " " if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else sign
        for sign in token
    )
    return " ".join(kept.split()) or "␣"


def fold(words: str, cells: int) -> list[str]:
    """Break a sentence into lines of at most so many cells; Chinese breaks anywhere."""
    lines: list[str] = []
    line = ""
    for piece in _pieces(words):
        if line and width(line + piece.rstrip()) > cells:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def folded(text: str, cells: int) -> str:
    """Fold each line of a text, what is indented under its own first sign."""
    lines: list[str] = []
    for line in text.split("\n"):
        words = line.lstrip(" ")
        room = max(NARROW, cells - (len(line) - len(words)))
        lines += [line[: len(line) - len(words)] + part for part in fold(words, room)]
    return "\n".join(line.rstrip() for line in lines)


def _pieces(words: str) -> Sequence[str]:
    """Cut a sentence after blanks and around wide signs, closing marks staying with what leads."""
    pieces: list[str] = []
    for sign in words:
        wide = unicodedata.east_asian_width(sign) in ("W", "F")
        closing = sign in "，。；：！？、）」”’…"
        if not pieces or (not closing and (wide or _ends(pieces[-1]))):
            pieces.append(sign)
        else:
            pieces[-1] += sign
    return pieces


def _ends(piece: str) -> bool:
    return piece[-1] == " " or unicodedata.east_asian_width(piece[-1]) in ("W", "F")

"""A known mistake beside the right answer, as the pictures that students know: HTML and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autograder.export.markup import Markup, visible
from autograder.export.markup import element as e
from autograder.messages import Lang, ui
from autograder.picture.compare import compare
from autograder.picture.html import sheet_html
from autograder.picture.look import Look
from autograder.picture.parts import Grid, Part, Sheet, Side
from autograder.picture.text import sheet_lines
from autograder.rehearse import Contrast


def html(drawn: Contrast, lang: Lang) -> Markup:
    """Draw the same input answered with a mistake and answered right, side by side."""
    if isinstance(drawn.right, str) or isinstance(drawn.wrong, str):
        figures = [
            e(
                "figure",
                e("figcaption", title),
                e("pre", visible(str(side), lines=True), tabindex="0"),
            )
            for title, side in zip(_titles(drawn, lang), (drawn.wrong, drawn.right), strict=True)
        ]
        return e("div", *figures, class_="pair")
    return e("div", Markup(sheet_html(_sheet(drawn, lang))), class_="picture")


def text(drawn: Contrast, lang: Lang) -> list[str]:
    """Give the same as lines of a terminal."""
    if isinstance(drawn.right, str) or isinstance(drawn.wrong, str):
        said = []
        for title, side in zip(_titles(drawn, lang), (drawn.wrong, drawn.right), strict=True):
            said += [title, *(f"  {line}" for line in str(side).split("\n"))]
        return said
    return sheet_lines(_sheet(drawn, lang), Look())


def _titles(drawn: Contrast, lang: Lang) -> tuple[str, str]:
    wrong, right = (ui(f"class.{key}", lang, name=drawn.function) for key in ("wrong", "right"))
    return wrong, right


def _sheet(drawn: Contrast, lang: Lang) -> Sheet:
    found = compare(np.asarray(drawn.wrong), np.asarray(drawn.right), None, lang)
    return replace(found, parts=_titled(found.parts, _titles(drawn, lang)))


def _titled(parts: Sequence[Part], titles: tuple[str, str]) -> tuple[Part, ...]:
    """Call the two tables by what they are here: nobody's own."""
    return tuple(
        Side(
            tuple(
                replace(each, title=title) if isinstance(each, Grid) else each
                for each, title in zip(part.parts, titles, strict=True)
            )
        )
        if isinstance(part, Side) and len(part.parts) == len(titles)
        else part
        for part in parts
    )

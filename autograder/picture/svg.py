"""Points of a plane as a small SVG: the only picture that a table of cells cannot be."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from autograder.picture.parts import Points
from autograder.picture.widths import label

Point = tuple[float, float]

ACROSS, DOWN, EDGE = 420, 230, 28
_INK, _SPECIAL = "#1a386f", "#a34a00"  # both readable on white, and apart for colour-blind eyes


def points_svg(points: Points, told: str) -> str:
    """Give points as an SVG with a title and a description; a hull is drawn around them."""
    name, x, y = points.special
    place = _scale((*points.xs, x), (*points.ys, y))
    inner = [
        f"<title>{escape(points.title)}</title><desc>{escape(told)}</desc>",
        f'<rect width="{ACROSS}" height="{DOWN}" fill="#ffffff"/>',
    ]
    outline = " ".join(f"{a:.0f},{b:.0f}" for a, b in map(place, hull(points)))
    inner.append(f'<polygon points="{outline}" fill="#eef1f6" stroke="#8a93a6"/>')
    for token, a, b in zip(points.names, points.xs, points.ys, strict=True):
        left, top = place((a, b))
        inner.append(f'<circle cx="{left:.0f}" cy="{top:.0f}" r="4" fill="{_INK}"/>')
        inner.append(_text(left + 7, top + 4, label(token), _INK))
    left, top = place((x, y))
    cross = f"M{left - 5:.0f} {top - 5:.0f}l10 10m0 -10l-10 10"
    inner.append(f'<path d="{cross}" stroke="{_SPECIAL}" stroke-width="3"/>')
    inner.append(_text(left + 9, top - 6, name, _SPECIAL))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{ACROSS}" height="{DOWN}" '
        f'viewBox="0 0 {ACROSS} {DOWN}" aria-label="{escape(told, quote=True)}">'
        + "".join(inner)
        + "</svg>"
    )


def _text(x: float, y: float, text: str, colour: str) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="13" fill="{colour}" '
        f'font-family="sans-serif">{escape(text)}</text>'
    )


def _scale(xs: tuple[float, ...], ys: tuple[float, ...]) -> Callable[[Point], Point]:
    low_x, low_y = min(xs), min(ys)
    wide, high = (max(xs) - low_x) or 1.0, (max(ys) - low_y) or 1.0

    def place(point: Point) -> Point:
        across = EDGE + (point[0] - low_x) / wide * (ACROSS - 2 * EDGE - 80)
        down = DOWN - EDGE - (point[1] - low_y) / high * (DOWN - 2 * EDGE)
        return across, down

    return place


def hull(points: Points) -> list[Point]:
    """Give the corners of the smallest convex shape around the points (monotone chain)."""
    places = sorted(set(zip(points.xs, points.ys, strict=True)))
    if len(places) < 3:
        return places

    def chain(ordered: list[Point]) -> list[Point]:
        corners: list[Point] = []
        for point in ordered:
            while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= 0:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    return chain(places) + chain(places[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

"""Colours that tell numbers apart for colour-blind eyes too, and text that can be read on them.

Weights use cividis (its lightness rises steadily), differences PuOr (orange, white, purple).
"""

from __future__ import annotations

import math

Rgb = tuple[int, int, int]

# Nine steps of each palette; between two steps colours are mixed.
CIVIDIS: tuple[Rgb, ...] = (
    *((0, 34, 78), (26, 56, 111), (64, 79, 108), (92, 102, 112), (119, 125, 120)),
    *((148, 149, 117), (181, 175, 105), (217, 203, 83), (254, 232, 56)),
)
PUOR: tuple[Rgb, ...] = (
    *((127, 59, 8), (187, 99, 11), (238, 163, 78), (254, 221, 177), (247, 247, 247)),
    *((212, 212, 232), (164, 155, 201), (104, 71, 148), (45, 0, 75)),
)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def weight_colour(share: float) -> Rgb:
    """Give the colour of a weight from 0 to 1; the more, the darker, as ink on paper."""
    return _on(tuple(reversed(CIVIDIS)), share)


def difference_colour(share: float) -> Rgb:
    """Give the colour of a difference from -1 (orange) over 0 (white) to 1 (purple)."""
    return _on(PUOR, (share + 1) / 2)


def _on(palette: tuple[Rgb, ...], share: float) -> Rgb:
    place = (min(max(share, 0.0), 1.0) if math.isfinite(share) else 0.0) * (len(palette) - 1)
    low = min(int(place), len(palette) - 2)
    part = place - low
    first, second = palette[low], palette[low + 1]
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue


def text_colour(background: Rgb) -> Rgb:
    """Give black or white, whichever reads better."""
    return max(BLACK, WHITE, key=lambda colour: contrast(colour, background))


def contrast(one: Rgb, other: Rgb) -> float:
    """Give the contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Rgb) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = map(linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def hexed(colour: Rgb) -> str:
    """Write a colour as HTML does."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


# The same palettes among a terminal's 256 colours; mixing them would change the hue.
WEIGHTS_256 = (221, 185, 143, 101, 243, 60, 24, 18, 17)
DIFFERENCES_256 = (130, 172, 215, 223, 231, 189, 146, 97, 54)
_STEPS = (0, 95, 135, 175, 215, 255)  # of each channel in the cube of 6 x 6 x 6


def weight_256(share: float) -> int:
    """Give a terminal's colour of a weight from 0 to 1."""
    return _step(WEIGHTS_256, share)


def difference_256(share: float) -> int:
    """Give a terminal's colour of a difference from -1 to 1."""
    return _step(DIFFERENCES_256, (share + 1) / 2)


def _step(colours: tuple[int, ...], share: float) -> int:
    return colours[round(min(max(share, 0.0), 1.0) * (len(colours) - 1))]


def rgb_of_256(colour: int) -> Rgb:
    """Give what a terminal shows for one of its colours from 16 to 255."""
    if colour >= 232:
        grey = 8 + 10 * (colour - 232)
        return grey, grey, grey
    place = colour - 16
    return _STEPS[place // 36], _STEPS[place // 6 % 6], _STEPS[place % 6]


def ansi(text: str, colour: int) -> str:
    """Put a text on one of a terminal's 256 colours."""
    ink = 16 if text_colour(rgb_of_256(colour)) == BLACK else 231
    return f"\x1b[48;5;{colour};38;5;{ink}m{text}\x1b[0m"

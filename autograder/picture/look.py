"""How pictures look where they are shown: signs, colours and width of a terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TextIO

from autograder.messages import Lang

# Without a dot among the ASCII signs: a shade stands beside a number, and closed places are dots.
SHADES, ASCII_SHADES = " ░▒▓█", " :-=+*#%@"
# Terminals that draw signs of ambiguous width one cell wide whatever the language.
_NARROW = ("WT_SESSION", "TERM_PROGRAM", "KITTY_WINDOW_ID", "ALACRITTY_WINDOW_ID", "VTE_VERSION")


@dataclass(frozen=True)
class Look:
    """A way of showing pictures as text.

    Attributes
    ----------
    ascii : bool
        Only signs that every terminal draws one cell wide.
    plain : bool
        Sentences instead of tables, for screen readers.
    colour : bool
        ANSI colours beside the signs; never the only thing that tells.
    relative : bool
        Stretch the shades to the largest weight, for faint pictures.
    columns : int
        Cells of a line.
    """

    ascii: bool = False
    plain: bool = False
    colour: bool = False
    relative: bool = False
    columns: int = 80
    lang: Lang = "en"

    @property
    def shades(self) -> str:
        return ASCII_SHADES if self.ascii else SHADES

    def sign(self, unicode: str, plain: str) -> str:
        """Give one of two signs."""
        return plain if self.ascii else unicode

    def in_language(self, lang: Lang) -> Look:
        """Give the same look for another language."""
        return replace(self, lang=lang)


def look_of(
    stream: TextIO,
    environment: Mapping[str, str] = os.environ,
    *,
    ascii: bool = False,
    plain: bool = False,
    relative: bool = False,
    colour: bool = True,
    lang: Lang = "en",
) -> Look:
    """Find out how to show pictures on a stream.

    No colour where ``NO_COLOR`` is set, the terminal is ``dumb`` or there is none; ASCII signs
    where the encoding has no others, or a Chinese terminal may draw them two cells wide.
    """
    terminal = stream.isatty()
    named = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG", "")
    chinese = lang == "zh" or named.lower().startswith("zh")
    wide = chinese and not any(each in environment for each in _NARROW)
    dumb = environment.get("TERM") == "dumb"
    poor = not _can_write(SHADES + "·←│", stream)
    return Look(
        ascii=ascii or poor or (terminal and wide),
        plain=plain,
        colour=colour and terminal and not dumb and not environment.get("NO_COLOR"),
        relative=relative,
        columns=shutil.get_terminal_size((80, 24)).columns if terminal else 80,
        lang=lang,
    )


def _can_write(signs: str, stream: TextIO) -> bool:
    try:
        signs.encode(getattr(stream, "encoding", None) or sys.getdefaultencoding())
    except (UnicodeEncodeError, LookupError):
        return False
    return True

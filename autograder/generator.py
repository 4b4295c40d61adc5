"""Whether NumPy's global random generator moved: its own bytes, compared.

NumPy's way to the state makes a number object of each of 624 words, which takes longer than most
of what students write. This module runs inside the worker too: standard library and NumPy only.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

WORDS, POSITION = 624, 4  # MT19937: its key, and the place in it


class Watched:
    """The global generator as it stands now.

    Examples
    --------
    >>> before = Watched()
    >>> _ = np.random.rand()
    >>> before.moved()
    True
    """

    __slots__ = ("_generator", "_state")

    def __init__(self) -> None:
        self._generator = _generator()
        self._state = _state(self._generator)

    def moved(self) -> bool:
        """Whether it drew, was seeded or was replaced since."""
        now = _generator()
        return now is not self._generator or _state(now) != self._state


def _generator() -> Any:
    return np.random.mtrand._rand._bit_generator


_places: dict[int, tuple[Any, int]] = {}  # id to the generator, which is kept, and its place


def _state(generator: Any) -> bytes | str:
    if type(generator).__name__ != "MT19937":
        return repr(generator.state)
    found = _places.get(id(generator))
    if found is None:
        found = _places[id(generator)] = (generator, generator.ctypes.state_address)
    return ctypes.string_at(found[1], 4 * WORDS + POSITION)

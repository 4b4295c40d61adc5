"""Has Matplotlib do once, for one picture, what it does four times.

Each time that it asks where something is, Matplotlib places the ticks of an axis anew, lays out
each text and measures it. Where no code of the student's runs in between, the same axis has the
same ticks as long as its place and size are the same, and the same text the same layout; and of the
ticks that an axis lacks, each made like the others, one is made and the rest are its twins.

This runs inside the worker and its zygote. Which figures are plain enough is not known here.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

PLAIN = {bool, int, float, str, type(None)}


class Once:
    """Keeps what was placed and laid out while one figure becomes a picture."""

    def __init__(self) -> None:
        # By the number of what it is about, with that, so that the number stays its own.
        self._placed: dict[int, tuple[Any, Any, Any]] = {}
        self._laid_out: dict[Any, tuple[Any, Any]] = {}
        self._measured: dict[int, tuple[Any, Any, Any]] = {}

    @contextlib.contextmanager
    def of(self, figure: Any) -> Iterator[None]:
        """Stand in for Matplotlib's own ways meanwhile."""
        from matplotlib.axis import Axis
        from matplotlib.text import Text

        # What several axes share, as a formatter, holds what the last of them made of it.
        found = [{id(part) for part in tellers(axis)} for axis in axis_of(figure)]
        alone = len(set().union(*found)) == sum(map(len, found))
        ways: list[tuple[Any, str, Callable[..., Any]]] = [
            (Text, "_get_layout", self._layout),
            (Axis, "get_major_ticks", _major),
            (Axis, "get_minor_ticks", _minor),
        ]
        if alone:
            ways += [(Axis, "_update_ticks", self._ticks)]
            ways += [(Axis, "_get_ticklabel_bboxes", self._boxes)]
        usual: list[Any] = [getattr(owner, name, None) for owner, name, _ in ways]
        if None in usual:  # some are Matplotlib's own, and so may go
            yield
            return
        for (owner, name, way), own in zip(ways, usual, strict=True):
            setattr(owner, name, _method(way, own))
        try:
            yield
        finally:
            for (owner, name, _), own in zip(ways, usual, strict=True):
                setattr(owner, name, own)

    def _ticks(self, place: Callable[[Any], Any], axis: Any) -> list[Any]:
        where = _where(axis)
        known = self._placed.get(id(axis))
        if known is None or known[1] != where:
            self._placed[id(axis)] = known = axis, where, place(axis)
        return list(known[2])

    def _boxes(
        self, measure: Callable[..., Any], axis: Any, ticks: Any, renderer: Any
    ) -> tuple[list[Any], ...]:
        where = (_where(axis), type(renderer), renderer.dpi, [id(tick) for tick in ticks])
        known = self._measured.get(id(axis))
        if known is None or known[1] != where:
            self._measured[id(axis)] = known = axis, where, measure(axis, ticks, renderer)
        return tuple(list(boxes) for boxes in known[2])

    def _layout(self, lay_out: Callable[..., Any], text: Any, renderer: Any) -> Any:
        if text.get_wrap():  # broken where the figure ends
            return lay_out(text, renderer)
        kind = (type(renderer), renderer.dpi, text.figure.dpi)
        what = (id(text), text.get_text(), text.get_rotation(), hash(text.get_fontproperties()))
        if (what, kind) not in self._laid_out:
            self._laid_out[what, kind] = text, lay_out(text, renderer)
        return self._laid_out[what, kind][1]


def axis_of(figure: Any) -> list[Any]:
    """Give each axis of the figure."""
    return [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]


def tellers(axis: Any) -> list[Any]:
    """Give what tells where an axis has its ticks, and what they say."""
    groups = (axis.major, axis.minor)
    return [part for group in groups for part in (group.locator, group.formatter)]


def _method(way: Callable[..., Any], usual: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *told, **named: way(usual, *told, **named)


def _where(axis: Any) -> tuple[Any, ...]:
    return axis.get_view_interval().tobytes(), axis.axes.bbox.bounds, axis.figure.dpi


def _major(give: Callable[..., Any], axis: Any, numticks: int | None = None) -> Any:
    count = len(axis.get_majorticklocs()) if numticks is None else numticks
    return _complete(partial(give, axis), axis.majorTicks, count)


def _minor(give: Callable[..., Any], axis: Any, numticks: int | None = None) -> Any:
    count = len(axis.get_minorticklocs()) if numticks is None else numticks
    return _complete(partial(give, axis), axis.minorTicks, count)


def _complete(give: Callable[[int], Any], kept: list[Any], count: int) -> Any:
    """Give so many ticks of an axis, of which it has those that are kept."""
    if len(kept) + 1 < count:
        give(len(kept) + 1)  # adds one, as the same axis would make each of the others
        kept.extend(_twins(kept[-1], count - len(kept)))
    return give(count)


def _twins(tick: Any, count: int) -> list[Any]:
    """Give so many more like a tick that is not placed yet."""
    parts = {id(part) for part in tick.get_children()}
    names = [name for name, part in vars(tick).items() if id(part) in parts]
    of_parts = {name: _alike(getattr(tick, name), count) for name in names}
    made = _alike(tick, count)
    for number, each in enumerate(made):
        vars(each).update({name: twins[number] for name, twins in of_parts.items()})
    return made


def _alike(artist: Any, count: int) -> list[Any]:
    """Give so many of the same state; what nobody changes in place is shared."""
    state = vars(artist)
    parts = {name: value for name, value in state.items() if type(value) not in PLAIN}
    own = {name: way for name, value in parts.items() if (way := _way(value))}
    made = []
    for _ in range(count):
        made.append(each := object.__new__(type(artist)))
        vars(each).update(state | {name: way(state[name]) for name, way in own.items()})
    return made


def _way(value: Any) -> Callable[[Any], Any] | None:
    """Give what makes another of a part that is changed in place."""
    from matplotlib.cbook import CallbackRegistry
    from matplotlib.font_manager import FontProperties

    if isinstance(value, CallbackRegistry):  # of who waits for a change of it: nobody yet
        return lambda _: CallbackRegistry(signals=["pchanged"])
    if isinstance(value, tuple) and any(isinstance(each, list) for each in value):
        return copy.deepcopy
    return copy.copy if isinstance(value, (list, dict, set, FontProperties)) else None

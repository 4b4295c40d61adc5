"""Makes Matplotlib ready in the zygote, and spares a picture one of its three layouts.

A picture with a tight box is drawn to nothing, then measured, then drawn. The first is there for
what finds its place only while it is drawn: a figure of the usual parts is measured undrawn, and
comes out the same byte for byte. Whatever else a figure holds, and whatever has something to say
while it is measured, goes the usual way.

This runs inside the worker and its zygote. What a cell shows is not known here.
"""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator
from typing import Any


def make_ready(shell: Any) -> bool:
    """Load all that a first plot would load; False where Matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("module://matplotlib_inline.backend_inline")
    shell.run_line_magic("matplotlib", "inline")  # loads what it takes
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    figure.colorbar(left.imshow([[1.0, 0.0], [0.0, 1.0]]))
    right.plot([1, 2], label="x")
    right.legend()
    right.set_title("$x$")
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    plt.close("all")
    return True


def measure_undrawn(shell: Any) -> None:
    """Have the shell measure figures of the usual parts before they are drawn at all."""
    from matplotlib.figure import Figure

    pictures = shell.display_formatter.formatters["image/png"]
    usual = pictures.for_type(Figure)
    if usual is None:
        return

    def picture(figure: Any) -> Any:
        __tracebackhide__ = True  # IPython leaves this frame out
        box = _box(figure) if _is_usual(figure) else None
        return usual(figure) if box is None else usual(figure, bbox_inches=box)

    pictures.for_type(Figure, picture)


def _is_usual(figure: Any) -> bool:
    """Say whether each part of the figure stands, before it is drawn, where it will be drawn."""
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import Collection
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    parts = (Axis, Collection, AxesImage, Legend, Line2D, Patch, Text)
    return (
        type(figure) is Figure
        and type(figure.canvas) is FigureCanvasAgg
        and figure.get_layout_engine() is None
        and "draw_event" not in figure.canvas.callbacks.callbacks  # nobody waits to change it
        and all(type(axes) is Axes for axes in figure.axes)
        and all(
            isinstance(part, parts) and type(part).__module__.startswith("matplotlib.")
            for whole in (figure, *figure.axes)
            for part in whole.get_children()
            if part not in figure.axes
        )
        and all(rule[0] != "once" for rule in warnings.filters)  # measured, it would be said
    )


def _box(figure: Any) -> Any:
    """Give the figure's tight box in inches; None if that went wrong, or not in silence."""
    from matplotlib import rcParams
    from matplotlib.backends.backend_agg import RendererAgg

    box = None
    with _listening() as said, contextlib.suppress(Exception):  # the usual way will raise it
        # Its own renderer: the canvas keeps its one, which keeps the widths of texts.
        tight = figure.get_tightbbox(RendererAgg(*figure.bbox.size, figure.dpi))
        box = tight.padded(rcParams["savefig.pad_inches"])
    here = _box.__code__.co_filename
    for told in said:
        if isinstance(told, warnings.WarningMessage) and told.filename != here:
            # Said of a line of Matplotlib's own, it will not be said of that line again.
            warnings.showwarning(told.message, told.category, told.filename, told.lineno)
    return None if said else box


class _Ear(logging.Handler):
    """Keeps what is logged."""

    def __init__(self, said: list[Any]) -> None:
        super().__init__()
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        self._said.append(record)


@contextlib.contextmanager
def _listening() -> Iterator[list[Any]]:
    """Keep what Matplotlib logs and warns of meanwhile, and show none of it."""
    said: list[Any] = []
    ear, log = _Ear(said), logging.getLogger("matplotlib")
    handlers, passes_on, show = log.handlers[:], log.propagate, warnings.showwarning

    def keep(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: str | None = None,
    ) -> None:
        said.append(warnings.WarningMessage(message, category, filename, lineno))

    for handler in handlers:
        log.removeHandler(handler)
    log.addHandler(ear)
    log.propagate, warnings.showwarning = False, keep
    try:
        yield said
    finally:
        log.propagate, warnings.showwarning = passes_on, show
        log.removeHandler(ear)
        for handler in handlers:
            log.addHandler(handler)

"""Makes Matplotlib ready in the zygote, and has a picture drawn once.

A picture with a tight box is drawn to nothing, then measured, then drawn; one that a cell leaves
open is drawn to nothing before. That is there for what finds its place only while it is drawn: a
figure of the usual parts is measured undrawn, and comes out the same byte for byte. Whatever else
a figure holds, and whatever has something to say while it is measured, goes the usual way.

This runs inside the worker and its zygote. What a cell shows is not known here.
"""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from autograder.drawonce import Once, axis_of, tellers

INLINE = ("inline", "module://matplotlib_inline.backend_inline")


def make_ready(shell: Any) -> bool:
    """Load all that a first plot would load; False where Matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use(INLINE[1])
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
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure
    from matplotlib_inline.backend_inline import flush_figures

    formatter = shell.display_formatter.formatters["image/png"]
    pictures = Pictures(formatter.for_type(Figure))
    formatter.for_type(Figure, pictures.make)
    # After a cell pyplot draws to nothing what is stale, then what is open is shown and closed:
    # what was measured before both is not stale.
    plt.uninstall_repl_displayhook()
    shell.events.unregister("post_execute", flush_figures)
    shell.events.register("post_execute", pictures.measure)
    plt.install_repl_displayhook()
    shell.events.register("post_execute", flush_figures)


class Pictures:
    """Makes pictures of figures, each measured before it is drawn where that changes nothing."""

    def __init__(self, usual: Callable[..., Any]) -> None:
        self._usual = usual  # IPython's way
        self._measured: tuple[Any, Any] = (None, None)  # the figure that a cell left open, its box
        self._once = Once()

    def make(self, figure: Any) -> Any:
        """Give the picture as IPython's own way gives it."""
        __tracebackhide__ = True  # IPython leaves this frame out
        (known, box), self._measured = self._measured, (None, None)
        if known is not figure or (box is not None and figure.stale):
            self._once = Once()
            box = _box(figure, self._once) if _is_usual(figure) else None
        if box is None:
            return self._usual(figure)
        with self._once.of(figure):
            return self._usual(figure, bbox_inches=box)

    def measure(self) -> None:
        """Measure what a cell left open, where it is shown next, and is all that is shown."""
        import matplotlib.pyplot as plt
        from matplotlib_inline.config import InlineBackend

        self._measured, self._once = (None, None), Once()
        with contextlib.suppress(Exception):  # of what a cell has made of Matplotlib
            if len(plt.get_fignums()) != 1 or not plt.isinteractive():
                return
            if plt.get_backend() in INLINE and InlineBackend.instance().close_figures:
                figure = plt.gcf()
                if figure.stale and _is_usual(figure):
                    self._measured = figure, _box(figure, self._once)
                    figure.stale = self._measured[1] is None


def _is_usual(figure: Any) -> bool:
    """Say whether each part of the figure stands, before it is drawn, where it will be drawn."""
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.backend_bases import FigureCanvasBase
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
        and type(figure.canvas) in (FigureCanvasAgg, FigureCanvasBase)
        and figure.get_layout_engine() is None
        and "draw_event" not in figure.canvas.callbacks.callbacks  # nobody waits to change it
        and all(type(axes) is Axes for axes in figure.axes)
        and all(
            isinstance(part, parts) and type(part).__module__.startswith("matplotlib.")
            for whole in (figure, *figure.axes)
            for part in whole.get_children()
            if part not in figure.axes
        )
        and all(_is_matplotlibs(part) for axis in axis_of(figure) for part in tellers(axis))
        and all(rule[0] != "once" for rule in warnings.filters)  # measured, it would be said
    )


def _is_matplotlibs(teller: Any) -> bool:
    """Say whether it runs no code of the student's, which might count how often it is asked."""
    from matplotlib.ticker import FuncFormatter

    if type(teller) is FuncFormatter:  # by which Matplotlib, too, tells the texts given for ticks
        teller = teller.func
        of = teller.func if isinstance(teller, functools.partial) else teller
    else:
        of = type(teller)
    return str(getattr(of, "__module__", None)).startswith("matplotlib.")


def _box(figure: Any, once: Once) -> Any:
    """Give the figure's tight box in inches; None if that went wrong, or not in silence."""
    from matplotlib import rcParams
    from matplotlib.backends.backend_agg import RendererAgg

    box = None
    # What goes wrong, the usual way will raise.
    with once.of(figure), _listening() as said, contextlib.suppress(Exception):
        # Its own renderer, with no room to draw in: the canvas' one would keep the texts' widths.
        tight = figure.get_tightbbox(RendererAgg(1, 1, figure.dpi))
        box = tight.padded(rcParams["savefig.pad_inches"])
    here = {_box.__code__.co_filename, tellers.__code__.co_filename}
    for told in said:
        if isinstance(told, warnings.WarningMessage) and told.filename not in here:
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

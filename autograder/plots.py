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
        self._once = _Once()

    def make(self, figure: Any) -> Any:
        """Give the picture as IPython's own way gives it."""
        __tracebackhide__ = True  # IPython leaves this frame out
        (known, box), self._measured = self._measured, (None, None)
        if known is not figure or (box is not None and figure.stale):
            self._once = _Once()
            box = _box(figure, self._once) if _is_usual(figure) else None
        if box is None:
            return self._usual(figure)
        with self._once.of(figure):
            return self._usual(figure, bbox_inches=box)

    def measure(self) -> None:
        """Measure what a cell left open, where it is shown next, and is all that is shown."""
        import matplotlib.pyplot as plt
        from matplotlib_inline.config import InlineBackend

        self._measured, self._once = (None, None), _Once()
        with contextlib.suppress(Exception):  # of what a cell has made of Matplotlib
            inline = plt.get_backend() in INLINE and InlineBackend.instance().close_figures
            if inline and plt.isinteractive() and len(plt.get_fignums()) == 1:
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
        and all(_is_matplotlibs(part) for axis in _axis_of(figure) for part in _tellers(axis))
        and all(rule[0] != "once" for rule in warnings.filters)  # measured, it would be said
    )


def _axis_of(figure: Any) -> list[Any]:
    return [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]


def _tellers(axis: Any) -> list[Any]:
    """Give what tells where an axis has its ticks, and what they say."""
    groups = (axis.major, axis.minor)
    return [part for group in groups for part in (group.locator, group.formatter)]


def _is_matplotlibs(teller: Any) -> bool:
    """Say whether it runs no code of the student's, which might count how often it is asked."""
    from matplotlib.ticker import FuncFormatter

    if type(teller) is FuncFormatter:  # by which Matplotlib, too, tells the texts given for ticks
        teller = teller.func
        of = teller.func if isinstance(teller, functools.partial) else teller
    else:
        of = type(teller)
    return str(getattr(of, "__module__", None)).startswith("matplotlib.")


def _box(figure: Any, once: _Once) -> Any:
    """Give the figure's tight box in inches; None if that went wrong, or not in silence."""
    from matplotlib import rcParams
    from matplotlib.backends.backend_agg import RendererAgg

    box = None
    # What goes wrong, the usual way will raise.
    with once.of(figure), _listening() as said, contextlib.suppress(Exception):
        # Its own renderer, with no room to draw in: the canvas' one would keep the texts' widths.
        tight = figure.get_tightbbox(RendererAgg(1, 1, figure.dpi))
        box = tight.padded(rcParams["savefig.pad_inches"])
    here = _box.__code__.co_filename
    for told in said:
        if isinstance(told, warnings.WarningMessage) and told.filename != here:
            # Said of a line of Matplotlib's own, it will not be said of that line again.
            warnings.showwarning(told.message, told.category, told.filename, told.lineno)
    return None if said else box


class _Once:
    """Places ticks and lays out texts once, while a figure of the usual parts becomes a picture.

    Matplotlib does so anew each time that it asks, four times a drawing. No code of the student's
    runs in between, so the same axis has the same ticks where its place and size are the same, and
    the same text the same layout.
    """

    def __init__(self) -> None:
        self._placed: dict[int, tuple[Any, Any]] = {}
        self._laid_out: dict[Any, Any] = {}  # with the text, so that its number stays its own

    @contextlib.contextmanager
    def of(self, figure: Any) -> Iterator[None]:
        """Stand in for Matplotlib's own ways meanwhile."""
        from matplotlib.axis import Axis
        from matplotlib.text import Text

        of_axes: Any = Axis
        of_texts: Any = Text
        place = getattr(of_axes, "_update_ticks", None)  # Matplotlib's own, and so may go
        lay_out = getattr(of_texts, "_get_layout", None)
        if place is None or lay_out is None:
            yield
            return
        # What several axes share, as a formatter, holds what the last of them made of it.
        tellers = [{id(part) for part in _tellers(axis)} for axis in _axis_of(figure)]
        alone = len(set().union(*tellers)) == sum(map(len, tellers))

        def ticks(axis: Any) -> Any:
            where = (axis.get_view_interval().tobytes(), axis.axes.bbox.bounds, axis.figure.dpi)
            if not alone or self._placed.get(id(axis), (None,))[0] != where:
                self._placed[id(axis)] = where, place(axis)
            return list(self._placed[id(axis)][1])

        def layout(text: Any, renderer: Any) -> Any:
            if text.get_wrap():  # broken where the figure ends
                return lay_out(text, renderer)
            kind = (type(renderer), renderer.dpi, text.figure.dpi)
            what = (id(text), text.get_text(), text.get_rotation(), hash(text.get_fontproperties()))
            if (what, kind) not in self._laid_out:
                self._laid_out[what, kind] = text, lay_out(text, renderer)
            return self._laid_out[what, kind][1]

        of_axes._update_ticks, of_texts._get_layout = ticks, layout
        try:
            yield
        finally:
            of_axes._update_ticks, of_texts._get_layout = place, lay_out


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

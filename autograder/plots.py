"""Makes Matplotlib ready in the zygote: loaded, warmed, and laying out a text once a picture.

A picture for a notebook is drawn twice, first to see how large it is, and each time every label
asks several times where it stands, which took a fifth of a plot's time. The answers are kept
for as long as one picture takes. The pictures are the same, byte for byte.

This runs inside the worker and its zygote. What a cell shows is not known here.
"""

from __future__ import annotations

import functools
import io
from typing import Any

SEEN = range(8, 12)  # Matplotlib 3's versions whose layouts hang on what `_key` holds, no more


def make_ready(shell: Any) -> bool:
    """Load all that a first plot would load; False where Matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    if matplotlib.__version_info__.major == 3 and matplotlib.__version_info__.minor in SEEN:
        _keep_layouts()
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


def _keep_layouts() -> None:
    """Let the layouts of texts be kept while one picture is made."""
    from matplotlib.backend_bases import FigureCanvasBase
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.text import Annotation, Text

    texts: Any = Text
    pictures: Any = FigureCanvasBase
    look, make = texts._get_layout, pictures.print_figure
    kept: dict[tuple[Any, ...], Any] | None = None

    @functools.wraps(make)
    def print_figure(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal kept
        __tracebackhide__ = True  # IPython leaves this frame out
        outer, kept = kept, {}
        try:
            return make(self, *args, **kwargs)
        finally:
            kept = outer

    @functools.wraps(look)
    def layout(self: Any, renderer: Any) -> Any:
        __tracebackhide__ = True
        own = type(self) is Text or type(self) is Annotation  # not what a student made of it
        if kept is None or not own or type(renderer) is not RendererAgg or self.get_wrap():
            return look(self, renderer)
        font = self.get_fontproperties()
        key = (renderer.dpi, font, *_key(self))
        found = kept.get(key)
        if found is None:
            found = look(self, renderer)
            kept[(renderer.dpi, font.copy(), *key[2:])] = found
        return found

    pictures.print_figure, texts._get_layout = print_figure, layout


def _key(text: Any) -> tuple[Any, ...]:
    """Give what a text's layout hangs on, its font and the picture's resolution apart."""
    return (
        text.get_text(),
        text.figure.dpi,
        text.get_rotation(),
        text.get_rotation_mode(),
        text._linespacing,
        text.get_horizontalalignment(),
        text.get_verticalalignment(),
        text._multialignment,
        text.get_usetex(),
        text.get_parse_math(),
    )

"""A picture is the same, byte for byte, where layouts of its texts are kept while it is made."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="the course extra is not installed")

import matplotlib
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure
from matplotlib.text import Text

from autograder import plots

# One text, and what can be otherwise about it: each differs in one matter from one before it.
VARIED: list[dict[str, Any]] = [
    {},
    {"ha": "right"},
    {"va": "top"},
    {"multialignment": "right"},
    {"linespacing": 3},
    {"rotation": 30},
    {"rotation": 30, "rotation_mode": "anchor"},
    {"parse_math": False},
    {"fontsize": 20},
    {"family": "serif"},
]
TABLE = [[0.1, 0.9, 0.0], [0.5, 0.2, 0.3]]


def _heatmap(figure: Any) -> None:
    axes = figure.add_subplot()
    figure.colorbar(axes.imshow(TABLE), label="weight")
    axes.set_xticks(range(3), ["The", "cat", "sat"], rotation=45, ha="right")
    axes.set_title("weights\nof two rows", loc="left", linespacing=1.7, multialignment="right")


def _lines(figure: Any) -> None:
    for place in (1, 2):
        axes = figure.add_subplot(1, 2, place)
        axes.plot([1, 4, 9], label=f"$x^{place}$")
        axes.legend(fontsize=8 + place)
        axes.set_ylabel("same", fontsize=8 * place)
        axes.set_xlabel("same", rotation=10 * place, rotation_mode="anchor")


def _notes(figure: Any) -> None:
    axes = figure.add_subplot(projection="polar")
    axes.annotate("a note", (1, 0.5), xytext=(2, 0.5), arrowprops={"arrowstyle": "->"})
    axes.text(0, 0.2, "same", bbox={"boxstyle": "round"})
    axes.text(0, 0.4, "same", va="top", weight="bold", family="monospace")
    axes.text(0, 0.6, "$1", parse_math=False)
    figure.text(0.9, 0.5, "long words that are wrapped at the figure's edge " * 3, wrap=True)


def _alike(figure: Any) -> None:
    for place, otherwise in enumerate(VARIED):
        figure.text(0.5, 0.1 * place, "a long line\n$1^2$", **otherwise)


def _surface(figure: Any) -> None:
    figure.set_layout_engine("constrained")
    axes = figure.add_subplot(projection="3d")
    axes.scatter([1, 2], [3, 4], [5, 6])
    axes.set_zlabel("height")
    figure.suptitle("three axes")


def _picture(draw: Callable[[Any], None], **settings: Any) -> bytes:
    with matplotlib.rc_context(settings):
        figure = Figure()
        draw(figure)
        file = io.BytesIO()
        figure.savefig(file, format="png", bbox_inches="tight")
    return file.getvalue()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each text whose layout is truly made; what is kept begins when a test says so."""
    made: list[str] = []
    look: Any = Text._get_layout

    def counted(self: Any, renderer: Any) -> Any:
        made.append(self.get_text())
        return look(self, renderer)

    monkeypatch.setattr(Text, "_get_layout", counted)
    monkeypatch.setattr(FigureCanvasBase, "print_figure", FigureCanvasBase.print_figure)
    return made


@pytest.mark.parametrize("draw", [_heatmap, _lines, _notes, _alike, _surface])
def test_a_picture_is_the_same_when_layouts_are_kept(
    looks: list[str], draw: Callable[[Any], None]
) -> None:
    usual = _picture(draw)
    before = len(looks)
    plots._keep_layouts()
    assert _picture(draw) == usual
    assert len(looks) - before < before / 2


def test_nothing_is_kept_from_one_picture_to_the_next(looks: list[str]) -> None:
    usual = _picture(_lines), _picture(_lines, **{"font.family": "serif", "text.hinting": "none"})
    plots._keep_layouts()
    kept = _picture(_lines), _picture(_lines, **{"font.family": "serif", "text.hinting": "none"})
    assert kept == usual
    assert usual[0] != usual[1]


def test_nothing_is_kept_after_a_picture_that_could_not_be_made(looks: list[str]) -> None:
    def faulty(figure: Any) -> None:
        figure.text(0, 0, r"$\frac$")

    plots._keep_layouts()
    with pytest.raises(ValueError, match="frac"):
        _picture(faulty)
    before = len(looks)
    figure = Figure()
    text = figure.text(0, 0, "again")
    first, second = text.get_window_extent(), text.get_window_extent()
    assert first.bounds == second.bounds
    assert looks[before:] == ["again", "again"]


def test_a_student_s_own_kind_of_text_is_laid_out_as_she_says(looks: list[str]) -> None:
    class Louder(Text):
        def _get_wrapped_text(self) -> str:
            return self.get_text().upper()

    def own(figure: Any) -> None:
        figure.text(0.1, 0.1, "one")
        figure.add_artist(Louder(0.1, 0.5, "one"))

    usual = _picture(own)
    plots._keep_layouts()
    assert _picture(own) == usual


def test_this_version_of_matplotlib_is_one_that_was_seen() -> None:
    version = matplotlib.__version_info__
    assert (version.major, version.minor) in [(3, minor) for minor in plots.SEEN]

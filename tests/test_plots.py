"""A picture that is measured undrawn is the picture of the usual way, and says the same."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="the course extra is not installed")
pytest.importorskip("IPython", reason="the course extra is not installed")

import matplotlib
from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import select_figure_formats
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, OffsetImage
from matplotlib.patheffects import withStroke

from autograder import drawonce, plots

X = np.linspace(0, 10, 50)
WEIGHTS = np.random.default_rng(0).random((4, 6))
WORDS = ("the", "attention", "of", "a", "very", "extraordinary")


def heat() -> None:
    plt.imshow(WEIGHTS)
    plt.colorbar()
    plt.title("weights")


def tokens() -> None:
    figure, axes = plt.subplots(figsize=(5, 4))
    image = axes.imshow(WEIGHTS, cmap="Blues")
    axes.set_xticks(range(6), WORDS, rotation=45, ha="right")
    axes.set_yticks(range(4), WORDS[:4])
    axes.text(1, 2, f"{WEIGHTS[2, 1]:.2f}", ha="center")
    figure.colorbar(image, ax=axes, label="weight")


def heads() -> None:
    figure, grid = plt.subplots(2, 3, figsize=(10, 6), sharex=True)
    for each in grid.flat:
        image = each.matshow(WEIGHTS)
        each.set_title("head")
    figure.colorbar(image, ax=grid, shrink=0.6, extend="both")
    figure.suptitle("all heads", y=1.05)


def lines() -> None:
    plt.plot(X, np.sin(X), label="sine")
    plt.plot(X, np.cos(X), "--", label=r"$\cos x$")
    plt.legend()
    plt.xlabel(r"$\frac{QK^T}{\sqrt{d_k}}$")
    plt.grid(True)


def outside() -> None:
    plt.plot(X, X, label="a rather long label")
    plt.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
    plt.text(-4, 13, "far out", fontsize=20)
    plt.figtext(0.5, -0.1, "below")


def bars() -> None:
    plt.bar(["alpha", "beta"], [1, 2], yerr=0.2)
    plt.xticks(rotation=30)


def scattered() -> None:
    plt.scatter(X, np.sin(X), c=X, s=X * 10)
    plt.colorbar(orientation="horizontal")
    plt.axis("equal")


def offsets() -> None:
    plt.plot(X * 1e-9, X * 1e9 + 1e12)


def logarithms() -> None:
    plt.loglog(X + 1, np.exp(X))
    plt.minorticks_on()


def arrow() -> None:
    plt.plot(X, X)
    plt.annotate("here", (5, 5), (12, 12), arrowprops={"arrowstyle": "->"})


def twins() -> None:
    _, axes = plt.subplots()
    axes.plot(X, X)
    other = axes.twinx()
    other.plot(X, X**2)
    other.set_ylabel("squares")
    axes.spines[["top"]].set_visible(False)
    axes.spines["left"].set_position(("outward", 20))


def filled() -> None:
    plt.contourf(*np.meshgrid(X, X), np.outer(X, X))
    plt.fill_between(X, np.sin(X), alpha=0.4)
    plt.axvspan(2, 3)
    plt.axis("off")


def aligned() -> None:
    figure, axes = plt.subplots(3, 1, dpi=70)
    for n, each in enumerate(axes):
        each.plot(X, X * 10**n)
        each.set_ylabel("y\n" * n)
    figure.align_ylabels()


def large() -> None:
    with matplotlib.rc_context({"font.size": 20, "xtick.top": True, "xtick.labeltop": True}):
        plt.hist(X, bins=7)
        plt.title("large")


def first_differs() -> None:
    """Of its first tick, made with the axes, others take only a part."""
    heat()
    first = plt.figure(1).axes[0].xaxis.majorTicks[0]
    first.label1.set(ha="right", color="red", fontsize=14, bbox={"facecolor": "gold"})
    first.tick1line.set_markersize(9)
    first.gridline.set_visible(True)


def one_formatter_for_both() -> None:
    told = matplotlib.ticker.ScalarFormatter()
    plt.plot(X, X * 1e6)
    plt.gca().xaxis.set_major_formatter(told)
    plt.gca().yaxis.set_major_formatter(told)
    plt.title("what an axis made of it is left in it")


def small_ticks() -> None:
    plt.semilogy(np.datetime64("2020-01-01") + np.arange(50), X + 1)
    plt.minorticks_on()
    plt.tick_params(axis="x", labelrotation=60, direction="in")
    plt.tick_params(axis="y", which="both", labelsize=5, pad=20, labelright=True)
    plt.title("a title that is broken where the figure ends, " * 5, wrap=True)
    plt.text(18270, 5, "two\nlines", rotation=30, rotation_mode="anchor", linespacing=2)


def bars_of_colour() -> None:
    figure, axes = plt.subplots(1, 2, figsize=(9, 3))
    norm = matplotlib.colors.BoundaryNorm([0, 0.2, 0.6, 1], 256)
    figure.colorbar(axes[0].imshow(WEIGHTS, norm=norm), ax=axes[0], spacing="proportional")
    whole = axes[1].pcolormesh(WEIGHTS * 1e6, norm="log")
    figure.colorbar(whole, ax=axes[1], location="top", extend="both").minorticks_on()


USUAL = (
    heat, tokens, heads, lines, outside, bars, scattered, offsets, logarithms, arrow, twins,
    filled, aligned, large, one_formatter_for_both, small_ticks, bars_of_colour, first_differs,
)  # fmt: skip


def constrained() -> None:
    figure, axes = plt.subplots(2, 2, layout="constrained")
    for each in axes.flat:
        image = each.imshow(WEIGHTS)
        each.set_xlabel("keys")
    figure.colorbar(image, ax=axes)


def tightened() -> None:
    _, axes = plt.subplots(2, 2, layout="tight")
    axes[0, 0].set_xlabel("a label that needs room")


def tight_once() -> None:
    plt.plot(X, X)
    plt.tight_layout()  # leaves an engine that does nothing, for which Matplotlib draws twice


def solid() -> None:
    plt.subplot(projection="3d").set_title("solid")


def round_() -> None:
    plt.subplot(projection="polar").plot(X, X)


def pinned() -> None:
    at = {"xycoords": "axes fraction"}
    plt.gca().add_artist(AnnotationBbox(OffsetImage(WEIGHTS, zoom=10), (1.2, 0.5), **at))


def tabled() -> None:
    plt.table(cellText=[["1", "2"]], rowLabels=["a"], loc="bottom")


def inset() -> None:
    plt.gca().inset_axes([1.1, 0.2, 0.4, 0.4]).set_xlabel("deep")


def mine() -> None:
    class Mark(matplotlib.lines.Line2D):
        def draw(self, renderer: Any) -> None:
            self.set_clip_on(False)
            self.set_data([0, 1], [0, 2])
            super().draw(renderer)

    plt.gca().add_line(Mark([0, 1], [0, 1]))
    plt.ylim(0, 1)


def watched() -> None:
    figure, axes = plt.subplots()
    figure.canvas.mpl_connect("draw_event", lambda _: axes.set_title("drawn\nonce"))


def words_in_turn() -> None:
    words = iter(WORDS * 2)
    plt.plot(X, X)
    plt.gca().xaxis.set_major_formatter(lambda value, place: next(words, ""))


def numbers_once() -> None:
    seen: set[float] = set()
    image = plt.imshow(WEIGHTS)
    plt.colorbar(image, format=lambda v, _: "" if v in seen or seen.add(v) else f"{v:.1f}")


def ticks_in_turn() -> None:
    class More(matplotlib.ticker.MaxNLocator):
        asked = 0

        def __call__(self) -> list[int]:
            self.asked += 1
            return list(range(self.asked))

    plt.plot(X, X)
    plt.gca().yaxis.set_minor_locator(More())


UNUSUAL = (
    constrained, tightened, tight_once, solid, round_, pinned, tabled, inset, mine, watched,
    words_in_turn, numbers_once, ticks_in_turn,
)  # fmt: skip


@pytest.fixture(autouse=True)
def agg() -> Iterator[None]:
    """Let nothing of a figure or a setting be left."""
    with matplotlib.rc_context():
        matplotlib.use("agg")
        yield
        plt.close("all")


@pytest.fixture
def ways() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """IPython's way of making a picture, and ours."""
    shell = SimpleNamespace(display_formatter=DisplayFormatter())
    select_figure_formats(shell, {"png"}, bbox_inches="tight")
    usual = shell.display_formatter.formatters["image/png"].for_type(Figure)
    return usual, plots.Pictures(usual).make


def drawn(way: Callable[[Any], Any], make: Callable[[], None], monkeypatch: Any) -> tuple[Any, int]:
    """Give the picture of a figure made anew, and how often it was drawn, to nothing or not."""
    times = []
    draw = Figure.draw
    with monkeypatch.context() as patch:
        patch.setattr(Figure, "draw", lambda *told: (times.append(1), draw(*told))[1])
        make()
        times.clear()
        picture = way(plt.gcf())
    plt.close("all")
    return picture, len(times)


@pytest.mark.parametrize("make", USUAL, ids=lambda make: make.__name__)
def test_a_figure_of_usual_parts_is_drawn_once_and_is_the_same_byte_for_byte(
    make: Callable[[], None], ways: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (theirs, twice), (ours, once) = (drawn(way, make, monkeypatch) for way in ways)
    assert (twice, once) == (2, 1)
    assert ours == theirs


@pytest.mark.parametrize("make", UNUSUAL, ids=lambda make: make.__name__)
def test_a_figure_that_is_laid_out_while_drawn_goes_the_usual_way(
    make: Callable[[], None], ways: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (theirs, twice), (ours, as_often) = (drawn(way, make, monkeypatch) for way in ways)
    assert (twice, as_often) == (2, 2)
    assert ours == theirs


def test_each_tick_of_a_picture_is_changed_by_itself(ways: Any) -> None:
    pictures = []
    for way in ways:
        heat()
        first = way(plt.gcf())
        axis = plt.figure(1).axes[0].xaxis
        labels, ticks = axis.get_ticklabels(), axis.get_major_ticks()
        labels[1].set_fontsize(20)
        labels[2].set(color="red", rotation=45, path_effects=[withStroke(linewidth=3)])
        ticks[3].tick1line.set(marker="o", markersize=12, linestyle="--")
        ticks[4].gridline.set_visible(True)
        assert ticks[2].label1.sticky_edges.x is not ticks[3].label1.sticky_edges.x
        pictures.append((first, way(plt.gcf())))
        plt.close("all")
    assert pictures[0] == pictures[1]
    assert pictures[0][0] != pictures[0][1]


def unknown_sign() -> None:
    plt.title("注意")


def unknown_font() -> None:
    plt.title("a", fontname="No Such Font")


def no_number() -> None:
    plt.plot([1, 2])
    plt.gca().xaxis.set_major_formatter(lambda x, _: f"{np.log(np.float64(x - 1e9)):.0f}")


def said(way: Callable[[Any], Any], make: Callable[[], None], caplog: Any) -> list[str]:
    """Give what is warned of and logged while a picture is made."""
    make()
    globals().pop("__warningregistry__", None)
    caplog.clear()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        way(plt.gcf())
    plt.close("all")
    told = [f"{each.filename}: {each.message}" for each in found]
    return told + [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize("make", [unknown_sign, unknown_font, no_number])
def test_what_a_picture_has_to_say_is_said_as_often_and_of_the_same_lines(
    make: Callable[[], None], ways: Any, caplog: pytest.LogCaptureFixture
) -> None:
    usual, ours = ways
    expected = said(usual, make, caplog)
    assert expected
    assert said(ours, make, caplog) == expected


def test_a_fault_is_raised_by_the_usual_way(ways: Any) -> None:
    plt.title(r"$\frac$")
    with pytest.raises(ValueError, match="frac") as caught:
        ways[1](plt.gcf())
    assert [entry.name for entry in caught.traceback][1:3] == ["make", "print_figure"]


def test_after_a_picture_matplotlib_logs_and_warns_where_it_did(ways: Any) -> None:
    log, handler = logging.getLogger("matplotlib"), logging.NullHandler()
    log.addHandler(handler)
    try:
        heat()
        before = warnings.showwarning, log.propagate, log.handlers[:]
        ways[1](plt.gcf())
        assert (warnings.showwarning, log.propagate, log.handlers) == before
    finally:
        log.removeHandler(handler)


@pytest.mark.parametrize("name", ["_update_ticks", "_get_layout", "_get_ticklabel_bboxes"])
def test_a_picture_is_made_where_matplotlib_has_no_such_method_any_more(
    name: str, ways: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def look(owner: object, wanted: str, *more: object) -> object:
        looked.append(wanted)
        return None if wanted == name else getattr(owner, wanted, *more)

    heat()
    expected = ways[0](plt.gcf())
    monkeypatch.setattr(drawonce, "getattr", look, raising=False)
    assert ways[1](plt.gcf()) == expected
    assert name in looked

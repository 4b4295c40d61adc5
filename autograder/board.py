"""The screen of `attn watch`: one verdict, yours beside target, how far, and the keys.

Verdicts in, lines of text out. Every state is a word; colour and signs only repeat it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.desk import Desk
from autograder.messages import Lang, ui
from autograder.picture import Look, compare, sheet_lines
from autograder.picture.widths import cut, fold, left, right, width
from autograder.playback import decode
from autograder.student import Trouble
from autograder.verdict import State, Verdict

TITLE = 24  # cells of a title, at least, where the list shows titles
SIGNS: dict[State, tuple[str, str]] = {
    "not_started": ("○", "o"),
    "not_yet": ("✗", "x"),
    "correct": ("✓", "+"),
    "correct_but": ("◐", "~"),
}
_COLOURS: dict[State, str] = {"not_started": "2", "not_yet": "33", "correct": "32"}
_BAR = 13
_MOST_SHOWN = 12  # rows and columns of a table that is still read at one look


@dataclass(frozen=True)
class Scene:
    """What the screen shows.

    Attributes
    ----------
    found : Verdict
        The exercise at hand.
    states : sequence of (str, str)
        Each exercise with its state.
    hints : int
        How many hints of this one were read.
    """

    desk: Desk
    found: Verdict
    states: Sequence[tuple[str, State]]
    hints: int = 0

    @property
    def done(self) -> int:
        """How many exercises pass their self-checks."""
        return sum(state == "correct" for _, state in self.states)


def lines(scene: Scene, look: Look, keys: bool) -> list[str]:
    """Give the screen's lines.

    Parameters
    ----------
    scene : Scene
    look : Look
    keys : bool
        Whether there is a keyboard to press keys on.
    """
    found, lang = scene.found, look.lang
    shown = [_head(scene, look), _verdict(found, look)]
    said: list[str] = []
    for outcome in found.judged.outcomes:
        words = "" if outcome.passed else found.sentence(outcome, lang)
        if words and words not in said:
            said.append(words)
    for sentence in said[: 1 if found.state == "not_started" else 2]:
        shown += [f" {line}" for line in fold(sentence, look.columns - 2)]
    if words := found.beside(lang):
        shown += [f" {line}" for line in fold(words, look.columns - 2)]
    if found.passed:
        shown += [f" {line}" for line in _after_passing(scene, lang)]
    tables = beside(scene.desk, found)
    if tables is not None:
        sheet = compare(tables[0], tables[1], None, lang)
        shown += ["", *(f" {line}".rstrip() for line in sheet_lines(sheet, look))]
    if keys:
        shown += ["", f" {ui('watch.keys', lang, hints=scene.hints)}"]
    return shown


def _head(scene: Scene, look: Look) -> str:
    name, lang = scene.found.exercise, look.lang
    about = scene.desk.about(name)
    dots = difficulty(about["difficulty"], look)
    minutes = ui("desk.minutes", lang, minutes=about["minutes"])
    start = f" {name}   {dots}  ~{minutes}"
    end = progress_bar(scene.done, len(scene.states), lang)
    return start + " " * max(look.columns - width(start) - width(end) - 1, 3) + end


def difficulty(level: int, look: Look) -> str:
    """Give an exercise's difficulty as five dots."""
    return look.sign("●", "*") * level + look.sign("○", ".") * (5 - level)


def progress_bar(done: int, count: int, lang: Lang) -> str:
    """Give ``8 of 11 [########>----]``."""
    full = _BAR * done // count if count else 0
    tip = ">" if full < _BAR else ""
    bar = ("#" * full + tip).ljust(_BAR, "-")
    return f"{ui('watch.count', lang, done=done, count=count)}  [{bar}]"


def _verdict(found: Verdict, look: Look) -> str:
    sign = look.sign(*SIGNS[found.state])
    words = f"{sign} {ui(f'desk.{found.state}', look.lang)}"
    code = found.told.codes[0] if found.told.codes and not found.passed else ""
    room = max(look.columns - width(words) - width(code) - 2, 3) if code else 0
    if look.colour and found.state in _COLOURS:
        words = f"\x1b[{_COLOURS[found.state]}m{words}\x1b[0m"
    return f" {words}{' ' * room}{code}"


def _after_passing(scene: Scene, lang: Lang) -> Iterator[str]:
    """Say what a pass means, and what comes next."""
    exercise = scene.found.exercise
    hidden = scene.desk.hidden(exercise)
    key = "passed" if hidden else "passed_none"
    yield ui(f"watch.{key}", lang, exercise=exercise, count=hidden)
    waiting = [name for name, state in scene.states if state not in ("correct",)]
    if waiting:
        yield ui("watch.next", lang, file=f"{waiting[0]}.py")
    else:
        every = sum(scene.desk.hidden(name) for name, _ in scene.states)
        yield ui("watch.all_done", lang, count=every)


def beside(desk: Desk, found: Verdict) -> tuple[Any, Any] | None:
    """Give the table that came back and the one that was due, for the first question that differs.

    None where no visible check has a table to show that differs.
    """
    for outcome in found.judged.outcomes:
        if outcome.passed or outcome.status == "skipped":
            continue
        check = outcome.check.name
        asked = [step for step in found.judged.trace if step.check == check]
        for step, (question, frozen) in zip(
            asked, desk.targets(found.exercise, check), strict=False
        ):
            if question != f"{step.op} {step.name}" or isinstance(step.reply.value, Trouble):
                break
            if frozen is None:
                continue
            pair = _first_table(step.reply.value, decode(frozen))
            if pair is not None:
                return pair
    return None


def _first_table(yours: Any, target: Any) -> tuple[Any, Any] | None:
    """Give the part that differs; of output and weights rather the weights, which tell more."""
    if not isinstance(target, tuple):
        return (yours, target) if _differs(yours, target) else None
    if not isinstance(yours, tuple | list) or len(yours) != len(target):
        return None
    for mine, due in zip(reversed(yours), reversed(target), strict=True):
        if _differs(mine, due):
            return mine, due
    return None


def _differs(yours: Any, target: Any) -> bool:
    if not (
        isinstance(target, np.ndarray) and target.ndim == 2 and max(target.shape) <= _MOST_SHOWN
    ):
        return False
    try:
        mine = np.asarray(yours, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    if mine.shape != target.shape:
        return mine.ndim == 2 and max(mine.shape, default=0) <= _MOST_SHOWN
    return not np.allclose(mine, target, rtol=1e-5, atol=1e-6)


# The list


def listing(desk: Desk, found: Sequence[Verdict], look: Look) -> list[str]:
    """Give each exercise's state, minutes and points, then how far that is."""
    lang = look.lang
    states = [ui(f"desk.{each.state}", lang) for each in found]
    wide = max(map(width, states), default=0)
    shown, titles = [], []
    for each, state in zip(found, states, strict=True):
        about = desk.about(each.exercise)
        title = about["title_zh"] if lang == "zh" and about.get("title_zh") else about["title"]
        titles.append(title)
        minutes = ui("desk.minutes", lang, minutes=about["minutes"])
        points = ui("watch.points", lang, points=f"{about['points']:g}")
        dots = difficulty(about["difficulty"], look)
        line = f" {look.sign(*SIGNS[each.state])} {each.exercise:<29} {left(state, wide)}  {dots}"
        shown.append(f"{line} {right(minutes, 7)} {right(points, 9)}")
    room = look.columns - max(map(width, shown), default=0) - 2
    if room >= TITLE:  # less of a title is no help beside the exercise's name
        end = look.sign("…", "...")
        shown = [f"{a}  {cut(b, room, end)}" for a, b in zip(shown, titles, strict=True)]
    done = sum(each.state == "correct" for each in found)
    return [*shown, "", f" {progress_bar(done, len(found), lang)}"]

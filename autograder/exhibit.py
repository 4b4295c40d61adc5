"""The picture of an exercise at a student's desk: her own functions draw where they pass.

Her code runs in a worker, as for a check. Where it does not pass, or gives what cannot be drawn,
the numbers that the build froze stand in, and the picture says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from autograder import messages
from autograder.desk import Desk, DeskNotFound, check
from autograder.gallery import frames_of, parts_of
from autograder.messages import Lang
from autograder.picture.html import sheet_html
from autograder.picture.look import Look, look_of
from autograder.picture.markdown import sheet_markdown
from autograder.picture.parts import Drawn, Grid, Part, Sheet, Side, Words, say
from autograder.picture.text import part_lines, sheet_lines
from autograder.picture.widths import width
from autograder.pupil import WorkerStudent
from autograder.sandbox import Sandbox
from autograder.scenes import ASCII_SIGNS, SCENES, SIGNS, Found, Scene, cut, fits, thaw

Files = Sequence[tuple[str, bytes]]
Draw = Callable[[Grid], Drawn | None]

HEATMAP = "ascii_heatmap"
MOST_DRAWN, WIDEST = 4, 200


@dataclass(frozen=True)
class Picture:
    """A picture as a notebook shows it; ``print`` gives it as text."""

    sheet: Sheet
    look: Look

    def __repr__(self) -> str:
        return "\n".join(sheet_lines(self.sheet, self.look))

    def _repr_html_(self) -> str:
        return sheet_html(self.sheet, relative=self.look.relative)

    def _repr_markdown_(self) -> str:
        return sheet_markdown(self.sheet)


def picture(
    desk: Desk,
    exercise: str,
    sandbox: Sandbox,
    lang: Lang = "en",
    files: Files | None = None,
    *,
    ascii: bool = False,
) -> Sheet:
    """Make the picture that an exercise ends with.

    Parameters
    ----------
    files : list of (name, bytes), optional
        What to run instead of the files in the folder.
    ascii : bool
        Whether pictures that a function draws as text should hold ASCII signs only.

    Raises
    ------
    DeskNotFound
        Where there is no such exercise, or no picture for it.
    """
    desk.known([exercise], lang)
    frozen = thaw(desk.data["exercises"][exercise].get("picture") or {}, lang)
    if not frozen:
        raise DeskNotFound(messages.ui("desk.no_picture", lang, exercise=exercise))
    scenes = SCENES[exercise]
    draws = draws_after(desk, exercise)
    asked = {need for scene in scenes for need in scene.needs} | ({HEATMAP} if draws else set())
    found, yours, theirs = Found(), dict[str, None](), dict[str, None]()
    with ready(desk, asked, sandbox, files) as (student, passed):
        for scene in scenes:
            own = answered(scene, student, lang, found, frozen[scene.name], passed)
            if own:
                yours.update(dict.fromkeys(scene.needs))
            else:
                lacking = [need for need in scene.needs if need not in passed]
                theirs.update(dict.fromkeys(lacking or scene.needs))
            found |= own or frozen[scene.name]
        parts = parts_of(exercise, found, lang, ascii=ascii)
        if draws and HEATMAP in passed:
            parts = [*with_own_drawing(parts, own_drawing(student, ascii), lang)]
    about = desk.about(exercise)
    title = about["title_zh"] if lang == "zh" and about.get("title_zh") else about["title"]
    frames = tuple(tuple(each) for each in frames_of(exercise, parts_of(exercise, found, lang)))
    return Sheet(title, tuple(parts), drawn_by(list(yours), list(theirs), lang), lang, frames)


def asked_by(exercise: str) -> list[str]:
    """Give the exercises whose functions may draw an exercise's picture."""
    needs = [need for scene in SCENES.get(exercise, ()) for need in scene.needs]
    return [*dict.fromkeys([*needs, HEATMAP])]


def drawn_by(yours: Sequence[str], theirs: Sequence[str], lang: Lang) -> str:
    """Say in one sentence whose functions drew, and for which the lesson's numbers stand in."""
    key = "source_frozen" if not yours else "source_mixed" if theirs else "source_yours"
    comma = "、" if lang == "zh" else ", "
    return say(key, lang, yours=comma.join(yours), frozen=comma.join(theirs))


def draws_after(desk: Desk, exercise: str) -> bool:
    """Whether the student's own heatmap may draw in an exercise: it comes after the heatmap's."""
    order = list(desk.checks)
    return HEATMAP in order and order.index(exercise) > order.index(HEATMAP)


@contextmanager
def ready(
    desk: Desk, exercises: set[str], sandbox: Sandbox, files: Files | None
) -> Iterator[tuple[WorkerStudent, set[str]]]:
    """Give the student's code ready to be asked, and which of some exercises it passes."""
    wanted = [each for each in desk.checks if each in exercises]
    passed = {
        each.exercise
        for each in check(desk, wanted, sandbox, list(files) if files else None)
        if each.passed
    }
    student = WorkerStudent(sandbox, files or desk.files(), desk.names)
    try:
        for each in wanted:
            student.prepare(each)
        yield student, passed
    finally:
        student.close()


def answered(
    scene: Scene, student: Any, lang: Lang, found: Found, frozen: Found, passed: set[str]
) -> Found | None:
    """Give the student's answers to a scene, cut as frozen ones are.

    None where one of its functions does not pass, or what came back cannot be drawn.
    """
    if not set(scene.needs) <= passed:
        return None
    try:
        numbers = {key: cut(value) for key, value in scene.ask(student, lang, found).items()}
    except Exception:  # a trouble, or an answer of a shape that nothing can be computed with
        return None
    return numbers if fits(numbers, frozen) else None


# Her own heatmap


def own_drawing(student: Any, ascii: bool = False) -> Draw:
    """Give a function that lets the student's ascii_heatmap draw a table of weights.

    Parameters
    ----------
    student : Student
        Prepared for ``ascii_heatmap``, which passes.
    """

    def draw(grid: Grid) -> Drawn | None:
        rows, columns = list(grid.rows), list(grid.columns)
        tokens = rows if rows == columns else (rows, columns)
        try:
            text = student.ascii_heatmap(grid.values, tokens, chars=ASCII_SIGNS if ascii else SIGNS)
        except Exception:  # whatever her code does with these tokens, the table is there
            return None
        text = text.replace("\r\n", "\n") if isinstance(text, str) else text
        return Drawn(text, grid.title) if _can_be_shown(text, len(rows)) else None

    return draw


def _can_be_shown(text: Any, rows: int) -> bool:
    lines = text.split("\n") if isinstance(text, str) else []
    return len(lines) == rows + 1 and all(
        line.isprintable() and width(line) <= WIDEST for line in lines
    )


def with_own_drawing(parts: Sequence[Part], draw: Draw, lang: Lang) -> Iterator[Part]:
    """Give the parts, the first tables of weights drawn once more by the student's function."""
    waiting = True
    for part in parts:
        yield part
        weights = _weights(part)
        if waiting and weights:
            waiting = False
            drawn = [each for grid in weights[:MOST_DRAWN] if (each := draw(grid)) is not None]
            if drawn:
                yield Words(say("own_heatmap", lang))
                yield Side(tuple(drawn))


def with_hers(
    desk: Desk, exercise: str, sheet: Sheet, sandbox: Sandbox, files: Files | None
) -> Sheet:
    """Give a sheet whose tables of weights her own heatmap draws too, where it passes."""
    if not draws_after(desk, exercise) or not any(_weights(part) for part in sheet.parts):
        return sheet
    with ready(desk, {HEATMAP}, sandbox, files) as (student, passed):
        if HEATMAP not in passed:
            return sheet
        drawn = with_own_drawing(sheet.parts, own_drawing(student), sheet.lang)
        return replace(sheet, parts=tuple(drawn))


def drawn_by_her(desk: Desk, sheet: Sheet, sandbox: Sandbox, files: Files, look: Look) -> list[str]:
    """Give a sheet's tables of weights as the student's own heatmap, which passes, draws them.

    Returns
    -------
    list of str
        No line where there is no table of weights, or her function draws none of them.
    """
    if look.plain or not any(_weights(part) for part in sheet.parts):
        return []
    student = WorkerStudent(sandbox, files, desk.names)
    try:
        student.prepare(HEATMAP)
        parts = with_own_drawing(sheet.parts, own_drawing(student, look.ascii), sheet.lang)
        drawn = [part for part in parts if part not in sheet.parts]
    finally:
        student.close()
    return [line for part in drawn for line in part_lines(part, look)]


def _weights(part: Part) -> list[Grid]:
    """Give a part's tables of weights."""
    grids = part.parts if isinstance(part, Side) else (part,)
    return [each for each in grids if isinstance(each, Grid) and each.kind == "weights"]


__all__ = [
    "Picture",
    "answered",
    "asked_by",
    "drawn_by",
    "drawn_by_her",
    "draws_after",
    "look_of",
    "own_drawing",
    "picture",
    "ready",
    "with_hers",
    "with_own_drawing",
]

"""The notebook's doors: grade, check, hint and the others, as a learner types them in a cell.

`check` and `hint` show a note, and `grade` gives nbgrader a report. `check` reads what was run in
this notebook, cell by cell, so that an unsaved change counts; elsewhere it reads the files.
Verdicts come from the desk, and in nbgrader's own autograding from a process that grades.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import functools
import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from autograder import cellnote, messages, progress
from autograder.cellnote import Note
from autograder.check import points_of
from autograder.desk import DATA, Desk, DeskNotFound, find_folder, open_desk
from autograder.desk import check as run_checks
from autograder.grade import score_of
from autograder.gradecell import NotGraded, Report, as_html, graded, report, stay_alive
from autograder.messages import Lang
from autograder.sandbox import Sandbox, SandboxFault
from autograder.verdict import Verdict

__all__ = ["NotGraded", "check", "grade", "hint", "picture", "prompt", "quiz"]

IN_NOTEBOOK = "notebook.ipynb"

if os.environ.get("NBGRADER_EXECUTION") == "autograde":
    stay_alive()


def check(*exercises: str, lang: str | None = None) -> Note:
    """Run the self-checks of some exercises (all, unless told) and show what they find.

    Exercises that are named are shown with a picture: yours beside the target where they differ,
    else the picture that the exercise ends with.
    """
    speech = messages.language(lang)
    try:
        desk = open_desk(find_folder())
    except DeskNotFound:
        return cellnote.sentence(messages.ui("desk.not_here", speech, file=DATA), speech).show()
    try:
        found = _run(desk, exercises)
    except DeskNotFound as error:
        return cellnote.sentence(str(error), speech).show()
    from autograder.picture.look import look_of  # late: `grade` does not need it

    look = look_of(sys.stdout, colour=False, lang=speech)
    sheets = {each.exercise: sheet for each in found if exercises
              for sheet in [_sheet(desk, each, speech)] if sheet is not None}  # fmt: skip
    return cellnote.of_verdicts(found, desk.about, desk.hidden, sheets, look).show()


def _run(desk: Desk, exercises: Sequence[str]) -> list[Verdict]:
    """Check, with a new sandbox where the old one has ended."""
    files = _files(desk, exercises)
    try:
        return run_checks(desk, exercises, _sandbox(), files)
    except SandboxFault:
        _sandbox().close()
        _sandbox.cache_clear()
        return run_checks(desk, exercises, _sandbox(), files)


def _sheet(desk: Desk, found: Verdict, speech: Lang) -> Any:
    """Give the picture of one verdict; None where there is nothing to see."""
    from autograder import board, exhibit
    from autograder.picture.compare import compare

    asked = _files(desk, [found.exercise, *exhibit.asked_by(found.exercise)])
    with contextlib.suppress(DeskNotFound, SandboxFault):
        if found.passed:
            return exhibit.picture(desk, found.exercise, _sandbox(), speech, asked)
        if (tables := board.beside(desk, found)) is not None:
            sheet = compare(*tables, None, speech)
            return exhibit.with_hers(desk, found.exercise, sheet, _sandbox(), asked)
    return None


def grade(exercise: str) -> Report:
    """Stand in a grade cell: give a report that shows as a number, with the feedback as HTML.

    Where nbgrader autogrades, the graders decide. Elsewhere, as on a student's own machine, the
    self-checks do: their share of the points, so that nbgrader's Validate fails below all.

    Raises
    ------
    NotGraded
        Where nbgrader autogrades and no grader is there; never elsewhere.
    """
    # What a student's code says on stderr in a grade cell would cost all its points.
    with contextlib.redirect_stderr(sys.stdout):
        if os.environ.get("NBGRADER_EXECUTION") == "autograde":
            return graded(exercise)
        return _self_checked(exercise)


def _self_checked(exercise: str) -> Report:
    speech = messages.language()
    print(messages.ui("course.more_graded", speech))
    try:
        desk = open_desk(find_folder())
        [each] = _run(desk, [exercise])
        outcomes = each.judged.outcomes
        share = score_of(outcomes) / points_of(outcome.check for outcome in outcomes)
        most = float(desk.about(exercise)["points"])
        return report(share * most, most, cellnote.verdict_html(each, desk.about(exercise), speech))
    except DeskNotFound as error:
        return report(0.0, 0.0, as_html([str(error)]))
    except Exception as error:  # a learner's cell must not stop at a fault of ours
        print(f"{type(error).__name__}: {error}")
        return report(0.0, 0.0)


def hint(exercise: str, level: int | None = None, *, lang: str | None = None) -> Note:
    """Show the next hint: the first follows what the check found; or the one of a level."""
    speech = messages.language(lang)
    code: str | None = None
    with contextlib.suppress(DeskNotFound):
        desk = open_desk(find_folder())
        [each] = _run(desk, [exercise])
        code = each.told.codes[0] if each.told.codes else None
        progress.note(desk, [each], _files(desk, [exercise]) or desk.files())
        level = level or progress.next_level(progress.load(desk.folder).of(exercise), code)
        progress.note_hint(desk.folder, exercise, level, code)
    level = level or 1
    found = messages.hint(exercise, level, speech, code)
    if not found:
        missing = messages.ui("desk.no_hint", speech, exercise=exercise, level=level)
        return cellnote.sentence(missing, speech).show()
    return cellnote.of_hint(exercise, level, found, speech).show()


def picture(exercise: str, *, lang: str | None = None, relative: bool = False) -> Any:
    """Give the picture that an exercise ends with: a notebook shows it, `print` writes it as text.

    Parameters
    ----------
    relative : bool
        Shade up to the largest weight in place of 1, for faint pictures.
    """
    from autograder import exhibit  # late: checking does not need it

    speech = messages.language(lang)
    try:
        desk = open_desk(find_folder())
        sheet = exhibit.picture(
            desk, exercise, _sandbox(), speech, _files(desk, exhibit.asked_by(exercise))
        )
    except DeskNotFound as error:
        print(error)
        return None
    return exhibit.Picture(sheet, exhibit.look_of(sys.stdout, relative=relative, lang=speech))


def prompt(name: str = "attention-explainer", **inputs: Any) -> Any:
    """Give a prompt, filled in, to paste into a chat."""
    from autograder.prompt import prompt as filled  # late: most notebooks never ask

    return filled(name, **inputs)


def quiz(
    number: int | None = None, answer: str | float | None = None, *, lang: str | None = None
) -> Any:
    """Ask a question of the quiz; with an answer, run the code and show how it comes out.

    Parameters
    ----------
    number : int, optional
        From 1; the next question, unless told.
    answer : str or float, optional
        A letter, or the number that is asked for.
    """
    from autograder import exhibit, quizzing

    speech = messages.language(lang)
    try:
        desk = open_desk(find_folder())
    except DeskNotFound:
        print(messages.ui("desk.not_here", speech, file=DATA))
        return None
    round = quizzing.open_round(desk, speech)
    count = len(round.quiz.items)
    number = number or round.next()
    if not 1 <= number <= count:
        key = "quiz.no_item" if count else "quiz.none"
        print(messages.ui(key, speech, number=number, count=count))
        return None
    given = None if answer is None else round.answer(number, str(answer))
    if given is None:
        lines = round.question(number) if answer is None else [round.again(number)]
        print("\n".join([*lines, "", round.how(number)]))
        return None
    asked = quizzing.needs(round, number)
    sheet = round.shown(number, given, _sandbox(), _files(desk, asked) if asked else None)
    print("\n".join(round.summary(number, lambda next_one: f"quiz({next_one})")))
    return exhibit.Picture(sheet, exhibit.look_of(sys.stdout, lang=speech))


@functools.cache
def _sandbox() -> Sandbox:
    """Keep one sandbox for as long as the notebook runs: later checks then take no time."""
    opened = Sandbox()
    atexit.register(opened.close)
    return opened


# What was run in this notebook


def _files(desk: Desk, exercises: Iterable[str]) -> list[tuple[str, bytes]] | None:
    """Give the notebook's cells as they were run, where they define what is checked."""
    cells = _history()
    defined = {name for cell in cells for name in _defines(cell)}
    wanted = {
        name for each, names in desk.names if each in (exercises or desk.checks) for name in names
    }
    if not defined & wanted:
        return None
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "metadata": {},
                "outputs": [],
                "execution_count": None,
                "source": cell,
            }
            for cell in cells
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    return [(IN_NOTEBOOK, json.dumps(notebook).encode("utf-8"))]


def _history() -> list[str]:
    """Give the cells that this kernel ran, in order; none outside IPython."""
    shell = cellnote.ipython()
    return [str(cell) for cell in shell.user_ns.get("In", [])] if shell is not None else []


def _defines(cell: str) -> set[str]:
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic, or half a thought
        return set()
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}

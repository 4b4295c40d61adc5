"""What `grade("softmax")` gives in a grade cell: a plain number as text, feedback as HTML.

Under stock nbgrader the notebook's own kernel runs this. The graders are never imported into it:
a process of its own grades the notebook that lies in the working directory, and answers with
scores and feedback. The kernel is the student's, so this route is for trusted students.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, NoReturn

from autograder import messages
from autograder.exercise import KitNotFound

SECONDS = 180.0
_ENGINE = Path(__file__).resolve().parent.parent


class NotGraded(KitNotFound):
    """A grade cell ran where grades are wanted, and no grader is there.

    IPython shows its sentence alone.
    """

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


def stay_alive() -> None:
    """Let a cell that calls ``os._exit`` fail, where it would end the kernel and lose all marks.

    For stock nbgrader, which leaves a student ungraded whose kernel died. Processes that the
    kernel forks end as ever.
    """
    kernel, leave = os.getpid(), os._exit

    def stay(status: int) -> NoReturn:
        if os.getpid() != kernel:
            leave(status)
        raise RuntimeError("a cell must not end the process that runs the notebook")

    os._exit = stay


@dataclass(frozen=True)
class Report:
    """A grade cell's value.

    Attributes
    ----------
    score : float
        Between 0 and the maximum.
    html : str
    """

    score: float
    html: str = ""

    def __repr__(self) -> str:
        # nbgrader takes what is no plain number for full marks, so nothing else stands here.
        return repr(float(self.score))

    def __float__(self) -> float:
        return float(self.score)

    def _repr_html_(self) -> str:
        return self.html


def report(score: float, most: float, html: str = "") -> Report:
    """Give a report whose score is a number within the maximum."""
    number = float(score)
    return Report(min(max(number, 0.0), float(most)) if number == number else 0.0, html)


def as_html(lines: list[str]) -> str:
    """Give lines of text as HTML that keeps them apart."""
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def graded(exercise: str) -> Report:
    """Grade the notebook in the working directory, once, and give one exercise's report.

    Raises
    ------
    NotGraded
        Where no grader is there or grading failed: a cell that gave no number would count as
        full marks.
    """
    told = _all(str(Path.cwd()))
    if exercise not in told:
        raise _missing(f"there is no exercise {exercise!r} in this course")
    score, most, html = told[exercise]
    return report(score, most, html)


def _missing(reason: str) -> NotGraded:
    return NotGraded(messages.ui("course.no_graders", messages.language(), reason=reason))


@functools.cache
def _all(folder: str) -> dict[str, Any]:
    """Grade a folder in a process of its own: exercise to score, maximum and feedback."""
    command = [sys.executable, "-P", "-m", "autograder.course.onefolder", folder]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            env=_environment(Path(folder)),
            cwd=Path(sys.executable).anchor,
            check=False,
        )
        if done.returncode == 0:
            told: dict[str, Any] = json.loads(done.stdout.decode("utf-8").rsplit("\n", 1)[-1])
            return told
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        reason = last[0][:300] if last else "the process that grades ended"
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = type(error).__name__
    raise _missing(reason)


def _environment(folder: Path) -> dict[str, str]:
    """Give this process' variables, with no way to import what lies in a student's folder."""
    kept = {name: value for name, value in os.environ.items() if name != "NBGRADER_EXECUTION"}
    if "ATTN_KIT" in kept:
        kept["ATTN_KIT"] = str(Path(kept["ATTN_KIT"]).absolute())
    named = [Path(part) for part in kept.pop("PYTHONPATH", "").split(os.pathsep) if part]
    # A relative one was said elsewhere, before the kernel went into the hand-in's folder.
    outside = [str(part) for part in named if part.is_absolute() and not _in(part, folder)]
    if _ENGINE.name not in ("site-packages", "dist-packages"):
        outside.append(str(_ENGINE))
    return {**kept, "PYTHONPATH": os.pathsep.join(outside)} if outside else kept


def _in(part: Path, folder: Path) -> bool:
    return part.resolve().is_relative_to(folder.resolve())

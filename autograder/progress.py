"""How far a student is: one plain file in her folder, beside which every verdict is fresh.

The file keeps what a fresh run cannot know: how often she tried, which hints she has read, and
what was so last time. It never decides a state: states come from a run, and where the two differ
the difference is what is told. A lost or damaged file loses these counts and nothing else.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.bundle import cells
from autograder.desk import Desk
from autograder.verdict import State, Verdict

NAME = "progress.json"
SCHEMA = 1
TRIES_TO_SEE = 5  # after so many, `attn solution` opens also where the exercise does not pass
_STATES = ("not_started", "not_yet", "correct", "correct_but")

Files = Sequence[tuple[str, bytes]]


@dataclass(frozen=True)
class Kept:
    """What is kept of one exercise.

    Attributes
    ----------
    state : str
        The verdict's, when it was last checked.
    passed, checks : int
        Of the visible checks.
    tries : int
        How many different texts of it were checked and did not pass.
    hints : int
        The highest level of hint that was read.
    hinted : str
        The finding that the first hint spoke of.
    text : str
        Tells the text that was last checked from others.
    """

    state: State = "not_started"
    passed: int = 0
    checks: int = 0
    tries: int = 0
    hints: int = 0
    hinted: str = ""
    text: str = ""


@dataclass(frozen=True)
class Progress:
    """What is kept of a student's folder, by exercise."""

    exercises: Mapping[str, Kept] = field(default_factory=dict)

    def of(self, exercise: str) -> Kept:
        """Give what is kept of one exercise; a fresh start where nothing is."""
        return self.exercises.get(exercise, Kept())

    def having(self, exercise: str, kept: Kept) -> Progress:
        """Give the same progress with one exercise changed."""
        return Progress({**self.exercises, exercise: kept})


def load(folder: Path) -> Progress:
    """Read what is kept; nothing where the file is missing or damaged."""
    try:
        tree = json.loads((folder / NAME).read_text("utf-8"))
        return Progress({str(name): _kept(each) for name, each in tree["exercises"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Progress()


def _kept(tree: Mapping[str, Any]) -> Kept:
    if tree["state"] not in _STATES:
        raise ValueError(tree["state"])
    numbers = {key: int(tree[key]) for key in ("passed", "checks", "tries", "hints")}
    return Kept(state=tree["state"], hinted=str(tree["hinted"]), text=str(tree["text"]), **numbers)


def save(folder: Path, progress: Progress) -> None:
    """Write the file at once, so that an interrupted write leaves the older one.

    A folder that cannot be written to keeps no progress; checking goes on.
    """
    tree = {
        "schema": SCHEMA,
        "exercises": {name: asdict(each) for name, each in progress.exercises.items()},
    }
    text = json.dumps(tree, indent=1, ensure_ascii=False) + "\n"
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=folder, prefix=".", suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(folder / NAME)


def note(desk: Desk, found: Iterable[Verdict], files: Files) -> list[tuple[str, State, State]]:
    """Keep what a run found, and say where it is not what was kept.

    Returns
    -------
    list of (str, str, str)
        Each exercise that had passed and does not now, or is no longer started: its name, the
        state that was kept and the fresh one.
    """
    progress, changed = load(desk.folder), []
    written = texts(desk, files)
    for each in found:
        kept = progress.of(each.exercise)
        if _fell(kept.state, each.state):
            changed.append((each.exercise, kept.state, each.state))
        text = written.get(each.exercise, "")
        outcomes = each.judged.outcomes
        progress = progress.having(
            each.exercise,
            replace(
                kept,
                state=each.state,
                passed=sum(outcome.passed for outcome in outcomes),
                checks=len(outcomes),
                tries=kept.tries + (each.state == "not_yet" and text != kept.text),
                text=text,
            ),
        )
    save(desk.folder, progress)
    return changed


def _fell(before: State, now: State) -> bool:
    return _STATES.index(now) < _STATES.index(before)


def restart(folder: Path, exercises: Iterable[str]) -> None:
    """Keep that exercises were put back to their start, so that nobody is told they have fallen."""
    progress = load(folder)
    for exercise in exercises:
        kept = replace(progress.of(exercise), state="not_started", passed=0)
        progress = progress.having(exercise, kept)
    save(folder, progress)


def note_hint(folder: Path, exercise: str, level: int, code: str | None) -> None:
    """Keep that a hint was read."""
    progress = load(folder)
    kept = progress.of(exercise)
    hinted = code or "" if level == 1 else kept.hinted
    highest = replace(kept, hints=max(level, kept.hints), hinted=hinted)
    save(folder, progress.having(exercise, highest))


def next_level(kept: Kept, code: str | None) -> int:
    """Give the level of hint to read next: the first again where another thing was found."""
    if code is not None and code != kept.hinted:
        return 1
    return min(kept.hints + 1, 3)


@functools.lru_cache(maxsize=4)
def _in_cells(book: bytes, names: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, bytes]:
    """Give of each exercise what a notebook's cells write of it."""
    code = cells(book)
    written = {}
    for exercise, defined in names:
        defines = re.compile(rf"^(?:def|class)\s+(?:{'|'.join(defined)})\b", re.MULTILINE)
        found = "".join(cell for cell in code if defines.search(cell))
        written[exercise] = found.encode("utf-8", "surrogatepass")
    return written


def texts(desk: Desk, files: Files) -> dict[str, str]:
    """Give what tells each exercise's text from others: a digest of where it is written."""
    made = {exercise: hashlib.sha256() for exercise, _ in desk.names}
    for name, data in files:
        book = _in_cells(data, desk.names) if name.endswith(".ipynb") else {}
        for exercise in made:
            if name == f"{exercise}.py":
                made[exercise].update(data)
            made[exercise].update(book.get(exercise, b""))
    return {exercise: each.hexdigest()[:16] for exercise, each in made.items()}

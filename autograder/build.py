"""Makes exercises/ out of solutions/ and graders, and says what of it is stale.

Everything is made in memory first, the same to the byte on every machine: no dates, no paths,
floats of nine digits. What a student gets holds no solution and no hidden check.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder import __version__
from autograder.bank import load_bank
from autograder.bundle import mark
from autograder.check import Check, points_of
from autograder.exercise import Exercise, Kit, reference
from autograder.grade import load_checks
from autograder.notebook import notebook
from autograder.quizbook import DATA as QUIZ
from autograder.quizbook import release_data
from autograder.scenes import freeze as freeze_picture
from autograder.sketch import freeze
from autograder.stub import solved, stub
from autograder.visible import module, questions_of, record

NOTEBOOK, CHECKS, DATA = "attention.ipynb", "test_exercises.py", "checks.json"
BY_HAND = frozenset({"README.md"})
OF_THE_DESK = frozenset({"progress.json", "backups", "handin.zip"})  # of who tries it here
SCHEMA = 1
_DEPTH = 4  # levels of checks.json that are written on lines of their own


def build(kit: Kit) -> list[Path]:
    """Write exercises/ and give the files that changed."""
    kit.bundle.mkdir(exist_ok=True)
    changed = []
    for name, text in made(kit).items():
        path = kit.bundle / name
        if _text(path) != text:
            _write(path, text)
            changed.append(path)
    return changed


def check_fresh(kit: Kit) -> list[str]:
    """Give a sentence for each file of exercises/ that is not what the build makes."""
    expected = made(kit)
    names = {f"{exercise.id}.py": exercise.names for exercise in kit.exercises}
    sentences = []
    for name, text in expected.items():
        found = _text(kit.bundle / name)
        if found is None:
            sentences.append(f"exercises/{name} is missing: run `attn build`.")
        elif found != text:
            if name in names and (done := solved(found, names[name])):
                verb = "is" if len(done) == 1 else "are"
                sentences.append(
                    f"exercises/{name} is already solved ({', '.join(done)} {verb} written): "
                    "keep a copy elsewhere if you need it, then run `attn build`."
                )
            else:
                sentences.append(f"exercises/{name} is stale: run `attn build`.")
    for name in _left_over(kit.bundle, set(expected) | BY_HAND | OF_THE_DESK):
        sentences.append(f"exercises/{name} is left over, no exercise makes it: delete it.")
    return sentences


def made(kit: Kit) -> dict[str, str]:
    """Give the text of every file that the build makes, by name.

    Raises
    ------
    SourceError, KitFault
        Where a solution or a grader cannot be used.
    """
    checks = load_checks(kit.graders, kit.ids)
    points = {exercise: points_of(checks[exercise]) for exercise in kit.ids}
    namespace = {name: value for space in reference(kit).values() for name, value in space.items()}
    graders = {each: (kit.graders / f"test_{each}.py", checks[each]) for each in kit.ids}
    quiz = release_data(kit.graders, kit.ids, namespace)
    handed_out = {
        **{f"{exercise.id}.py": stub(exercise) for exercise in kit.exercises},
        NOTEBOOK: notebook(kit, points),
    }
    marks = {name: mark(name, text.encode("utf-8")) for name, text in handed_out.items()}
    return {
        **handed_out,
        CHECKS: module(graders),
        DATA: _json({**_data(kit, checks, points, namespace), "untouched": marks}) + "\n",
        **({QUIZ: quiz} if quiz else {}),
    }


def _data(
    kit: Kit,
    checks: Mapping[str, tuple[Check, ...]],
    points: Mapping[str, float],
    namespace: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kit": __version__,
        "order": list(kit.ids),
        "exercises": {
            exercise.id: {
                "about": _about(exercise, points[exercise.id], checks[exercise.id]),
                "checks": {
                    check.name: record(check, namespace)
                    for check in checks[exercise.id]
                    if check.declared.visible
                },
                "picture": freeze_picture(exercise.id, namespace, kit.ids),
                "mistakes": _mistakes(kit, exercise.id, checks[exercise.id], namespace),
            }
            for exercise in kit.exercises
        },
    }


def _mistakes(
    kit: Kit, exercise: str, checks: Sequence[Check], namespace: Mapping[str, Any]
) -> dict[str, Any]:
    """Give what known mistakes would answer to the visible checks, as sketches."""
    asked = [
        step
        for check in checks
        if check.declared.visible
        for step in questions_of(check, namespace)
    ]
    return freeze(load_bank(kit.mistakes, exercise), asked, namespace)


def _about(exercise: Exercise, points: float, checks: Sequence[Check]) -> dict[str, Any]:
    return {
        "title": exercise.title,
        "title_zh": exercise.title_zh,
        "minutes": exercise.minutes,
        "difficulty": exercise.difficulty,
        "names": list(exercise.names),
        "points": points,
        "hidden": sum(not each.declared.visible for each in checks),
        "forbidden": list(exercise.forbidden.names),
    }


def _json(value: Any, depth: int = 0) -> str:
    """Write JSON with sorted keys: indented to a depth that a diff can show, compact below."""
    if isinstance(value, dict) and value and depth < _DEPTH:
        pad = " " * (depth + 1)
        inner = ",\n".join(
            f"{pad}{json.dumps(key)}: {_json(value[key], depth + 1)}" for key in sorted(value)
        )
        return f"{{\n{inner}\n{' ' * depth}}}"
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def _left_over(bundle: Path, known: set[str]) -> Iterator[str]:
    """Name what lies in exercises/ and belongs to nobody; tools' own caches are no matter."""
    for path in sorted(bundle.iterdir()) if bundle.is_dir() else []:
        if path.name not in known and not path.name.startswith((".", "__pycache__")):
            yield path.name


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        return ""


def _write(path: Path, text: str) -> None:
    """Put the whole file in place at once, with \\n line ends everywhere."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    with os.fdopen(handle, "wb") as stream:
        stream.write(text.encode("utf-8"))
    made_file = Path(name)
    made_file.chmod(0o644)
    made_file.replace(path)

"""What the locale files lack for an exercise: a mistake's sentence, a hint, a check's title.

An exercise without them can be built, and its students would read that nothing is known. Whether
its grader is right is no matter here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder.bank import load_bank
from autograder.check import Check
from autograder.exercise import Kit, SourceError
from autograder.grade import load_checks
from autograder.messages import FOLDER

LANGUAGES = ("en", "zh")
FORMS = ("name", "say")  # what an entry of a mistake holds
LEVELS = ("1", "2", "3")


def lacking(kit: Kit, exercises: Sequence[str] = ()) -> list[str]:
    """Give a sentence for each text that learners would miss, with its file and key.

    Parameters
    ----------
    kit : Kit
        Its own locale files are read; the package's where it has none.
    exercises : sequence of str
        All of the kit, unless told.

    Raises
    ------
    SourceError
        Where a locale file cannot be read.
    """
    tables = {lang: _table(kit, lang) for lang in LANGUAGES}
    checks = load_checks(kit.graders, kit.ids)
    codes = {exercise: _codes(kit, exercise) for exercise in exercises or kit.ids}
    return [
        f"autograder/locale/{lang}.toml: {sentence}"
        for exercise in codes
        for lang, table in tables.items()
        for sentence in _of(exercise, lang, table, codes[exercise], checks[exercise])
    ]


def _of(
    exercise: str, lang: str, table: dict[str, Any], codes: Sequence[str], checks: Sequence[Check]
) -> Iterator[str]:
    for code in codes:
        if missed := _missed(table.get(code), FORMS):
            yield f"[{code}] needs {missed} (a mistake of {exercise})."
    if missed := _missed(table.get("hint", {}).get(exercise), LEVELS):
        yield f"[hint.{exercise}] needs {missed}."
    if lang != "en":  # the English title is the check's own docstring
        for check in checks:
            if not table.get("title", {}).get(check.title):
                yield f'[title] needs "{check.title}" (a check of {exercise}).'


def _missed(entry: Any, wanted: Sequence[str]) -> str:
    found = entry if isinstance(entry, dict) else {}
    return ", ".join(each for each in wanted if not str(found.get(each, "")).strip())


def _codes(kit: Kit, exercise: str) -> list[str]:
    """Give the codes of an exercise's mistakes, and of what equal ones have in common."""
    bank = load_bank(kit.mistakes, exercise)
    return sorted(bank.codes | {common for _, common in bank.equal})


def _table(kit: Kit, lang: str) -> dict[str, Any]:
    own = kit.root / "autograder" / "locale"
    path: Path = (own if own.is_dir() else FOLDER) / f"{lang}.toml"
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise SourceError(path, int(line[1]) if line else 1, str(error)) from error

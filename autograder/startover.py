"""Puts exercises back to how they were handed out, and keeps what was written as a backup."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.handout import Handout

BACKUPS = "backups"
NOTEBOOK = "attention.ipynb"
STAMP = "%Y-%m-%d_%H-%M-%S"


@dataclass(frozen=True)
class Reset:
    """One file that was put back.

    Attributes
    ----------
    name : str
    backup : Path or None
        Where its text went; None where the file was missing.
    """

    name: str
    backup: Path | None


def changed(folder: Path, names: Sequence[tuple[str, tuple[str, ...]]], out: Handout) -> list[str]:
    """Name the files that a reset of these exercises would change, without changing any."""
    return [name for name, _, _ in _wanted(folder, names, out)]


def reset(
    folder: Path,
    names: Sequence[tuple[str, tuple[str, ...]]],
    out: Handout,
    now: datetime | None = None,
) -> list[Reset]:
    """Put exercises back.

    Parameters
    ----------
    folder : Path
    names : sequence of (str, tuple of str)
        The exercises, each with its graded names: their cells of the notebook are put back too.
    out : Handout
    now : datetime, optional
        What the backups are named after.
    """
    stamp = (now or datetime.now()).strftime(STAMP)
    done = []
    for name, before, text in list(_wanted(folder, names, out)):
        backup = _keep(folder, name, before, stamp) if before is not None else None
        (folder / name).write_text(text, "utf-8", newline="\n")
        done.append(Reset(name, backup))
    return done


def _wanted(
    folder: Path, names: Sequence[tuple[str, tuple[str, ...]]], out: Handout
) -> Iterator[tuple[str, bytes | None, str]]:
    """Give each file that is to change: its name, its bytes, its new text."""
    for exercise, _ in names:
        name = f"{exercise}.py"
        before = _bytes(folder / name)
        if name in out.originals and before != out.originals[name].encode():
            yield name, before, out.originals[name]
    if NOTEBOOK not in out.originals:
        return
    before = _bytes(folder / NOTEBOOK)
    if before is None:
        return  # who works in files may have thrown it away
    text = _notebook(before, out.originals[NOTEBOOK], {each for _, some in names for each in some})
    if text is not None:
        yield NOTEBOOK, before, text


def _notebook(before: bytes, original: str, ids: set[str]) -> str | None:
    """Give the notebook with the cells of these grade ids put back; None where nothing changes.

    A notebook that cannot be read is put back as a whole.
    """
    first = {_id(cell): cell["source"] for cell in json.loads(original)["cells"]}
    try:
        tree = json.loads(before)
        hit = [
            cell
            for cell in tree["cells"]
            if (name := _id(cell)) in ids and _text(cell["source"]) != _text(first.get(name, ""))
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        return original
    for cell in hit:
        cell["source"] = first.get(_id(cell), "")
        cell["outputs"], cell["execution_count"] = [], None
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n" if hit else None


def _id(cell: Any) -> str:
    return str(cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", ""))


def _text(source: str | Iterable[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _keep(folder: Path, name: str, data: bytes, stamp: str) -> Path:
    """Write a backup that nobody takes for a hand-in: its name does not end in ``.py``."""
    place = folder / BACKUPS
    place.mkdir(exist_ok=True)
    number = 1
    while True:
        again = "" if number == 1 else f"-{number}"
        path = place / f"{Path(name).stem}_{stamp}{again}{Path(name).suffix}.bak"
        try:
            with path.open("xb") as stream:
                stream.write(data)
        except FileExistsError:
            number += 1
            continue
        return path

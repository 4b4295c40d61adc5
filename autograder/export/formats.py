"""The formats by name: which are one file for a class, which one file a hand-in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autograder.export import canvas, exercism, github_classroom, gradescope, junit, moodle, plain
from autograder.export.entries import Entry, Gradebook
from autograder.export.markup import page_name
from autograder.messages import Lang
from autograder.record import dumps, write_whole


class ExportError(ValueError):
    """An export that was asked for in a way that cannot be; the message is a sentence."""


def _json(tree: Callable[[Entry, Lang], Mapping[str, Any]]) -> Callable[[Entry, Lang], str]:
    return lambda entry, lang: dumps(tree(entry, lang)).decode("utf-8")


# A whole class in one file.
CLASS: Mapping[str, Callable[[Gradebook, Lang], str]] = {
    "canvas": lambda book, _: canvas.render(book),
    "moodle": moodle.render,
    "csv": lambda book, _: plain.wide(book),
    "csv-long": lambda book, _: plain.long(book),
    "junit": lambda book, lang: junit.render(book.all, lang),
}
# One hand-in a file, with the file's ending where a folder is written.
SINGLE: Mapping[str, tuple[Callable[[Entry, Lang], str], str]] = {
    "gradescope": (_json(gradescope.tree), ".json"),
    "exercism": (_json(exercism.tree), ".json"),
    "github-classroom": (github_classroom.render, ".txt"),
}
FORMATS = (*SINGLE, *CLASS)
STDOUT = Path("-")


def write(
    book: Gradebook, name: str, out: Path, lang: Lang = "en", submission: str | None = None
) -> list[Path]:
    """Write an export and give the files: one, or one a hand-in into the folder `out`.

    One file may be "-", which is standard output.

    Raises
    ------
    ExportError
        Where the hand-in is not there.
    """
    if submission is not None:
        chosen = tuple(each for each in book.all if each.id == submission)
        if not chosen:
            raise ExportError(f"There is no hand-in {submission!r} in these results.")
    else:
        chosen = book.all
    if name == "junit":
        return [_put(out, junit.render(chosen, lang))]
    if name in CLASS:
        if submission is not None:
            raise ExportError(f"{name} is a file of the whole class: leave --submission out.")
        return [_put(out, CLASS[name](book, lang))]
    render, suffix = SINGLE[name]
    one = out == STDOUT or (out.exists() and not out.is_dir())
    if submission is not None or (len(chosen) == 1 and (out.suffix or one)):
        return [_put(out, render(chosen[0], lang))]
    if one:
        raise ExportError(
            f"{name} is one file a hand-in: name a folder, or choose one by --submission ID."
        )
    handed = [each for each in chosen if each.submission]
    return [
        _put(out / page_name(each.id).replace(".html", suffix), render(each, lang))
        for each in handed
    ]


def _put(path: Path, text: str) -> Path:
    data = text.encode("utf-8", "backslashreplace")
    if path == STDOUT:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_whole(path, data, durable=False)
    return path

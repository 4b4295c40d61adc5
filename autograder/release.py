"""Makes the student's bundle: one zip whose root is her folder, the kit's wheel inside.

The zip is the same to the byte for the same sources. It is put in place only after the finished
bytes were proved to give nothing away.
"""

from __future__ import annotations

import ast
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.build import NOTEBOOK, made
from autograder.check import points_of
from autograder.exercise import Exercise, Kit, KitNotFound, code_of
from autograder.grade import load_checks
from autograder.handout import NAME, Handout, Style
from autograder.leakproof import faults
from autograder.messages import Lang
from autograder.notebook import notebook
from autograder.wheel import packed, unpacked, wheel

VARIANTS = ("tests", "right_variants")
OTHER_STYLES = 2
FOR_INSTRUCTORS = ("quiz-maker", "feedback-writer")
PART = "\n---\n"  # in README.md, between the languages


class ReleaseRefused(Exception):
    """A release that would give something away; each fault names its file."""

    def __init__(self, found: Sequence[str]) -> None:
        super().__init__("; ".join(found))
        self.faults = tuple(found)


@dataclass(frozen=True)
class Release:
    """A finished bundle.

    Attributes
    ----------
    data : bytes
        The zip.
    version : str
        The assignment's, which hand-ins name again.
    exercises : tuple of str
        What is in it.
    added : tuple of str
        Those of them that were not asked for, and that others build on.
    """

    data: bytes
    version: str
    exercises: tuple[str, ...]
    added: tuple[str, ...]


def release(
    kit: Kit,
    exercises: Sequence[str] = (),
    lang: Lang = "en",
    *,
    self_study: bool = False,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Release:
    """Make a bundle and prove it.

    Parameters
    ----------
    kit : Kit
    exercises : sequence of str
        All, unless told. Those that a chosen one imports come with it, as stubs to be solved: to
        hand out their code would give a solution away.
    lang : {"en", "zh"}
        The language of the notebook, and of what README.md says first.
    self_study : bool
        Put solutions in, for `attn solution`.
    progress : callable
        Told of each file before it is looked through: its name, how many were, of how many.

    Raises
    ------
    ReleaseRefused
        Where a member gives something away.
    KitNotFound
        Where an exercise does not exist.
    """
    part = Kit(kit.root, tuple(_with_imported(kit, exercises)))
    files = _files(part, lang)
    version = _version(files)
    originals = {f"{each}.py" for each in part.ids} | {NOTEBOOK}
    handout = Handout(
        version=version,
        lang=lang,
        originals={name: files[name].decode() for name in sorted(originals)},
    )
    name, data = wheel(kit.root)
    files |= {name: data, NAME: handout.dumps().encode()}
    expected = tuple(files)
    finished = packed(files)
    if found := faults(unpacked(finished), kit, expected, progress):
        raise ReleaseRefused(found)
    if self_study:
        # What was proved, and one file more to it that is to hold solutions.
        solutions = {each.id: tuple(_styles(kit, each)) for each in part.exercises}
        with_them = Handout(version, lang, handout.originals, solutions)
        finished = packed(files | {NAME: with_them.dumps().encode()})
    asked = tuple(exercises) or part.ids
    return Release(
        finished, version, part.ids, tuple(each for each in part.ids if each not in asked)
    )


def write(path: Path, made_release: Release) -> None:
    """Put the zip in place at once: an interrupted write leaves nothing half done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    with os.fdopen(handle, "wb") as stream:
        stream.write(made_release.data)
    Path(name).chmod(0o644)
    Path(name).replace(path)


def _with_imported(kit: Kit, chosen: Sequence[str]) -> Iterator[Exercise]:
    """Give the chosen exercises and those that they import, in order."""
    if strange := [each for each in chosen if each not in kit.ids]:
        raise KitNotFound(f"there is no exercise {strange[0]!r}; there are: {', '.join(kit.ids)}.")
    wanted, queue = set(), list(chosen or kit.ids)
    while queue:
        if (exercise := queue.pop()) not in wanted:
            wanted.add(exercise)
            queue += [each for each in imported(kit.exercise(exercise)) if each in kit.ids]
    return (each for each in kit.exercises if each.id in wanted)


def imported(exercise: Exercise) -> set[str]:
    """Give the modules that an exercise's code imports names from."""
    return {
        node.module
        for node in ast.walk(ast.parse(exercise.source))
        if isinstance(node, ast.ImportFrom) and node.module
    }


def _files(kit: Kit, lang: Lang) -> dict[str, bytes]:
    """Give every file but the wheel and release.json."""
    texts = made(kit)
    if lang != "en":
        checks = load_checks(kit.graders, kit.ids)
        points = {each: points_of(checks[each]) for each in kit.ids}
        texts[NOTEBOOK] = notebook(kit, points, lang)
    files = {name: text.encode() for name, text in texts.items()}
    readme = kit.bundle / "README.md"
    if readme.is_file():
        files["README.md"] = _readme(readme.read_text("utf-8"), lang).encode()
    if (kit.root / "LICENSE").is_file():
        files["LICENSE"] = (kit.root / "LICENSE").read_bytes().replace(b"\r\n", b"\n")
    return files | prompts(kit)


def prompts(kit: Kit) -> dict[str, bytes]:
    """Give the prompts that students get, by their names in a release."""
    return {
        f"prompts/{path.name}": path.read_bytes().replace(b"\r\n", b"\n")
        for path in sorted((kit.root / "prompts").glob("*.md"))
        if path.name != "README.md" and not path.name.startswith(FOR_INSTRUCTORS)
    }


def _readme(text: str, lang: Lang) -> str:
    """Put the reader's language first."""
    first, mark, second = text.replace("\r\n", "\n").partition(PART)
    if lang == "en" or not mark:
        return text
    return f"{second.strip()}\n{PART}\n{first.strip()}\n"


def _version(files: dict[str, bytes]) -> str:
    made_of = hashlib.sha256()
    for name in sorted(files):
        made_of.update(f"{name}\0{len(files[name])}\0".encode() + files[name])
    return made_of.hexdigest()[:12]


def _styles(kit: Kit, exercise: Exercise) -> Iterator[Style]:
    """Give the solution, then the shortest of the other right styles."""
    yield Style("solution", code_of(exercise))
    folder = kit.root.joinpath(*VARIANTS, exercise.id)
    texts = {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}
    for name in sorted(texts, key=lambda each: (len(texts[each]), each))[:OTHER_STYLES]:
        yield Style(name.replace("_", " "), texts[name])

"""Finds the kit and reads its exercises; loads their solutions as the reference.

A solution file is the one source of stub, notebook and reference. The module knows nothing of
graders, of what is built from a solution, or of students.
"""

from __future__ import annotations

import ast
import contextlib
import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from autograder.forbidden import Forbidden, read_forbidden
from autograder.messages import Lang, language, ui
from autograder.percent import BEGIN, END, Cell, SourceError, read_cells, read_header, regions

__all__ = [
    "BEGIN",
    "END",
    "Cell",
    "Exercise",
    "Kit",
    "KitNotFound",
    "SourceError",
    "code_of",
    "find_kit",
    "given_sources",
    "parse_exercise",
    "read_exercise",
    "read_kit",
    "reference",
    "regions",
]

_SOURCE_TREE = Path(__file__).resolve().parent.parent


class KitNotFound(Exception):
    """No kit with solutions was found; the message is a sentence with the way out."""


@dataclass(frozen=True)
class Exercise:
    """One exercise, as its solution file tells it.

    Attributes
    ----------
    id : str
        The file's stem: ``softmax``.
    title, title_zh : str
    minutes : int
        What a learner needs for it.
    difficulty : int
        1 to 5.
    names : tuple of str
        The graded functions and classes, in order.
    path : Path
    source : str
        The file's text.
    cells : tuple of Cell
    forbidden : Forbidden
        What it is to be solved without.
    """

    id: str
    title: str
    title_zh: str
    minutes: int
    difficulty: int
    names: tuple[str, ...]
    path: Path
    source: str
    cells: tuple[Cell, ...]
    forbidden: Forbidden = field(default_factory=Forbidden)

    def title_in(self, lang: str) -> str:
        """Give the title in `lang`, English where there is no other."""
        return self.title_zh if lang == "zh" and self.title_zh else self.title


@dataclass(frozen=True)
class Kit:
    """A checkout of the kit: its folder and its exercises in order."""

    root: Path
    exercises: tuple[Exercise, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The exercises' ids in order."""
        return tuple(each.id for each in self.exercises)

    @property
    def bundle(self) -> Path:
        """The folder of what students get, made by the build."""
        return self.root / "exercises"

    @property
    def graders(self) -> Path:
        """The folder of the hidden graders."""
        return self.root / "autograder" / "graders"

    @property
    def mistakes(self) -> Path:
        """The folder of the known mistakes."""
        return self.root / "autograder" / "mistakes"

    def exercise(self, exercise_id: str) -> Exercise:
        """Give one exercise.

        Raises
        ------
        KeyError
            With a sentence that lists the ids there are.
        """
        for each in self.exercises:
            if each.id == exercise_id:
                return each
        raise KeyError(f"there is no exercise {exercise_id!r}; there are: {', '.join(self.ids)}")


# Finding the kit


def find_kit(
    explicit: Path | None = None,
    *,
    graded: Sequence[Path] = (),
    start: Path | None = None,
    lang: Lang | None = None,
) -> Kit:
    """Find and read the kit: `explicit`, else ``ATTN_KIT``, else upwards, else the source tree.

    Parameters
    ----------
    graded : sequence of Path
        What is graded with it. Then a kit that was only met may be a student's: the engine's own
        is taken, or one that is named, or one above a `start` that is no hand-in.
    start : Path, optional
        From where it is looked for upwards; the working directory, unless told.
    lang : {"en", "zh"}, optional
        Of the sentence that refuses one.

    Raises
    ------
    KitNotFound
        Where a named folder is no kit, none is found, or the one found may have been handed in.
    SourceError
        Where the kit's files cannot be used.
    """
    named = explicit or (Path(os.environ["ATTN_KIT"]) if os.environ.get("ATTN_KIT") else None)
    if named is not None:
        if not _is_kit(named):
            how = "--kit" if explicit else "ATTN_KIT"
            raise KitNotFound(
                f"{named} is not a kit (given by {how}): a kit's folder holds solutions/ and a "
                "pyproject.toml with [tool.autograder] exercises."
            )
        if explicit is None and not named.is_absolute():  # wherever the working directory is
            _not_handed_in(named, graded, lang, above=True)
        return read_kit(named)
    here = Path.cwd() if start is None else start.absolute()
    for folder in (here, *here.parents, _SOURCE_TREE):
        if _is_kit(folder):
            if start is None and graded and folder.resolve() != _SOURCE_TREE:
                _refuse(folder, graded[0], lang)  # whoever works in a hand-in meets what is there
            _not_handed_in(folder, graded, lang)
            return read_kit(folder)
    raise KitNotFound(
        "The kit with solutions and graders was not found: give its folder by --kit DIR or in "
        "the variable ATTN_KIT, or run the command inside it."
    )


def _not_handed_in(
    root: Path, graded: Sequence[Path], lang: Lang | None, *, above: bool = False
) -> None:
    """Raise `KitNotFound` where a kit that nobody named may be part of a hand-in.

    Graders run as whoever grades. One that lies at or beneath what is graded, or beside a file
    that is, may have come with it; and so may one `above` it, where the hand-in may begin there.
    """
    kit = root.resolve()
    if kit == _SOURCE_TREE:
        return
    for path in graded:
        place = path.resolve()
        beside = place.is_file() and kit == place.parent
        if kit == place or place in kit.parents or beside or (above and kit in place.parents):
            _refuse(kit, path, lang)


def _refuse(kit: Path, graded: Path, lang: Lang | None) -> NoReturn:
    slots = {"kit": kit.resolve(), "graded": graded}
    raise KitNotFound(ui("grade.kit_handed_in", lang or language(), **slots))


def read_kit(root: Path) -> Kit:
    """Read the kit that stands in `root`.

    Raises
    ------
    KitNotFound
        Where the order of exercises is not there, or an exercise in it has no solution file.
    SourceError
        Where a solution file cannot be used.
    """
    order = _order(root)
    if order is None:
        raise KitNotFound(f"{root} is not a kit: its pyproject.toml lists no exercises.")
    for exercise_id in order:
        if not (root / "solutions" / f"{exercise_id}.py").is_file():
            raise KitNotFound(
                f"{root / 'pyproject.toml'} lists the exercise {exercise_id}, but "
                f"solutions/{exercise_id}.py is not there."
            )
    return Kit(root, tuple(read_exercise(root / "solutions" / f"{each}.py") for each in order))


def _order(root: Path) -> list[str] | None:
    try:
        settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    order = settings.get("tool", {}).get("autograder", {}).get("exercises")
    return order if isinstance(order, list) and all(isinstance(e, str) for e in order) else None


def _is_kit(root: Path) -> bool:
    # First what may fail to be read: a folder above may be closed to this user.
    return _order(root) is not None and (root / "solutions").is_dir()


# Reading one solution file


def read_exercise(path: Path) -> Exercise:
    """Read one solution file.

    Raises
    ------
    SourceError
        Where header, cells, markers or Python do not hold, with the line.
    """
    return parse_exercise(path, path.read_text("utf-8"))


def parse_exercise(path: Path, source: str) -> Exercise:
    """Read the text of a solution file; `path` gives the id and names the file in errors."""
    source = source.replace("\r\n", "\n")
    try:
        ast.parse(source)
    except SyntaxError as error:
        raise SourceError(path, error.lineno or 1, f"not valid Python: {error.msg}") from None
    header, after = read_header(path, source)
    forbidden = read_forbidden(path, source, header)
    about = {name: told for name, told in header.items() if not name.startswith("forbidden")}
    cells = tuple(read_cells(path, source, after))
    names = tuple(name for cell in cells for name in cell.names)
    if not names:
        raise SourceError(path, 1, f"nothing is graded: no function holds {BEGIN}")
    return Exercise(
        path.stem,
        **about,
        names=names,
        path=path,
        source=source,
        cells=cells,
        forbidden=forbidden,
    )


# Loading the solutions


@contextlib.contextmanager
def borrowed(names: tuple[str, ...]) -> Iterator[None]:
    """Let modules be called `names` for a while, then put everything back as it was."""
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def reference(kit: Kit) -> dict[str, dict[str, Any]]:
    """Load every solution and give its namespace, by exercise.

    Later solutions import earlier ones by name; afterwards no module of these names is left in
    this process, so that nothing that runs here later can take an answer from it.
    """
    loaded: dict[str, dict[str, Any]] = {}
    with borrowed(kit.ids):
        for exercise in kit.exercises:
            module = ModuleType(exercise.id)
            module.__file__ = str(exercise.path)
            sys.modules[exercise.id] = module
            exec(compile(exercise.source, str(exercise.path), "exec"), module.__dict__)
            loaded[exercise.id] = module.__dict__
    return loaded


def given_sources(kit: Kit) -> dict[str, str]:
    """Give each solution's code without lesson text and markers, by module name."""
    return {exercise.id: code_of(exercise) for exercise in kit.exercises}


def code_of(exercise: Exercise) -> str:
    """Give the runnable code of one solution: no header, no lesson text, no markers."""
    text = "\n\n\n".join(cell.text for cell in exercise.cells if cell.kind == "code")
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN, END)) + "\n"

"""Put the kit beside the notebook that students get, and prove that all of it leaks nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from autograder import leakproof, quizbook
from autograder.course.place import NOTEBOOK, Course, CourseError
from autograder.course.setup import needed
from autograder.exercise import BEGIN, END, Kit, SourceError, reference
from autograder.leak import leaks, solution_statements
from autograder.messages import Lang, ui
from autograder.release import prompts
from autograder.wheel import unpacked, wheel

README, BESIDE_ANOTHER = "README.md", "README-attention.md"


def install(course: Course) -> str:
    """Put the kit's wheel, and a README that says how to install it, into the release folder.

    A README that the instructor put into the assignment stays, and ours gets another name.

    Returns
    -------
    str
        Why there is no wheel; empty where there is one.
    """
    folder = course.release.parent
    try:
        name, data = wheel(course.kit().root)
    except SourceError as error:
        return str(error)
    (folder / name).write_bytes(data)
    langs: tuple[Lang, ...] = ("zh", "en") if course.lang == "zh" else ("en", "zh")
    text = "\n\n---\n\n".join(ui("course.readme", lang, wheel=name) for lang in langs)
    own = folder / README
    own = folder / BESIDE_ANOTHER if own.exists() else own
    own.write_text(text + "\n", encoding="utf-8")
    return ""


def enclose(course: Course) -> list[str]:
    """Put the quiz and the prompts beside the notebook, as `attn release` puts them into its zip.

    What the instructor put into the assignment under the same name stays.

    Returns
    -------
    list of str
        The names of what was put there.
    """
    folder, kit = course.release.parent, course.kit()
    files = prompts(kit)
    if quiz := _quiz(course, kit):
        files[quizbook.DATA] = quiz.encode()
    written = [name for name in files if not (folder / name).exists()]
    for name in written:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(files[name])
    return written


def _quiz(course: Course, kit: Kit) -> str:
    """Give the quiz on what is set and what is given; "" where there is no question."""
    if not quizbook.source(kit.graders):
        return ""
    chosen = course.chosen(kit)
    there = {*chosen, *needed(kit, chosen)}
    space = {name: value for each in reference(kit).values() for name, value in each.items()}
    return quizbook.release_data(kit.graders, [each for each in kit.ids if each in there], space)


def problems(course: Course) -> list[str]:
    """Give one sentence for each thing that must not be released; empty where all is well.

    Raises
    ------
    CourseError
        Where nothing was generated.
    """
    if not course.release.is_file():
        raise CourseError(f"{course.release} was not made: see nbgrader's own words above.")
    kit = course.kit()
    statements = solution_statements(kit.root)
    hidden = _hidden_checks(kit)
    found: list[str] = []
    for path in sorted(course.release.parent.rglob("*")):
        if path.is_file():
            found += _in_file(path, course.release.parent, statements, hidden)
    return [*found, *_in_enclosed(course.release.parent, kit), *_in_notebook(course.release)]


def _in_enclosed(folder: Path, kit: Kit) -> list[str]:
    """Look through what the kit puts beside the notebook as through a student's bundle.

    A wheel is packed, so that none of its text shows from outside.
    """
    wheels = [path for path in folder.rglob("*.whl") if path.name.startswith("attention_kit-")]
    found = []
    for path in list(wheels):
        try:
            unpacked(path.read_bytes())
        except (BadZipFile, OSError) as error:
            found.append(f"{path.name}: cannot be looked through: {error}")
            wheels.remove(path)
    texts = [*folder.rglob(quizbook.DATA), *folder.glob("prompts/*.md")]
    members = {path.relative_to(folder).as_posix(): path.read_bytes() for path in wheels + texts}
    return [*found, *(leakproof.faults(members, kit, [*members]) if members else ())]


def _hidden_checks(kit: Kit) -> set[str]:
    """Give the names of the graders' functions that are not shown to students."""
    shown = (kit.bundle / "test_exercises.py").read_text("utf-8")
    names: set[str] = set()
    for path in kit.graders.glob("test_*.py"):
        names |= set(re.findall(r"^def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE))
    return {name for name in names if name.removeprefix("test_") not in shown and len(name) > 12}


def _in_file(path: Path, root: Path, statements: set[str], hidden: set[str]) -> list[str]:
    name = path.relative_to(root)
    if any(part in (".ipynb_checkpoints", "__pycache__", ".git") for part in name.parts):
        return [f"{name}: such a folder may hold older versions; delete it in source/"]
    data = path.read_bytes()
    text = data.decode("utf-8", "replace")
    found = [f"{name}: holds {word}" for word in (BEGIN, END) if word in text]
    if name.name == quizbook.SOURCE:
        found.append(f"{name}: holds the answers of the quiz")
    found += [f"{name}: names the hidden check {each}" for each in sorted(hidden) if each in text]
    if path.suffix in (".py", ".ipynb", ".md", ".txt", ".json"):
        given = _given(text) if name.name == NOTEBOOK else ""
        for leak in leaks(_without(text, given), statements)[:5]:
            found.append(f"{name}, line {leak.line}: a statement of a solution: {leak.code[:60]}")
    return found


def _given(text: str) -> str:
    """Give the text of cells that are given on purpose: earlier functions of a shorter course."""
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, KeyError, TypeError):
        return ""
    given = [cell for cell in cells if _id(cell).startswith("given_")]
    return "\n".join("".join(cell["source"]) for cell in given)


def _without(text: str, given: str) -> str:
    if not given:
        return text
    book = json.loads(text)
    book["cells"] = [cell for cell in book["cells"] if not _id(cell).startswith("given_")]
    return json.dumps(book)


def _id(cell: dict[str, Any]) -> str:
    return str(cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", ""))


def _in_notebook(path: Path) -> list[str]:
    book = json.loads(path.read_text("utf-8"))
    found = []
    for number, cell in enumerate(book["cells"], start=1):
        if cell.get("outputs"):
            found.append(f"{NOTEBOOK}, cell {number}: holds an output")
        if cell.get("attachments"):
            found.append(f"{NOTEBOOK}, cell {number}: holds an attachment")
        strange = set(cell.get("metadata", {})) - {"nbgrader", "deletable", "editable", "tags"}
        if strange:
            found.append(f"{NOTEBOOK}, cell {number}: metadata {', '.join(sorted(strange))}")
    strange = set(book.get("metadata", {})) - {"kernelspec", "language_info"}
    return [*found, *(f"{NOTEBOOK}: metadata {each}" for each in sorted(strange))]

"""Where a course is, and what it was made with: one small file beside nbgrader's own."""

from __future__ import annotations

import json
import os
import secrets
import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.exercise import Kit, find_kit
from autograder.messages import Lang

ASSIGNMENT = "attention"
NOTEBOOK = "attention.ipynb"
SETTINGS = "attn_course.toml"
SECRET = ".attn-secret"
RECORDS = ".attn"
OF_STUDENTS = ("submitted", "autograded", "feedback")  # nbgrader's folders with what they wrote


class CourseError(Exception):
    """A course that is not there or not as it should be; the message is a sentence."""


@dataclass(frozen=True)
class Course:
    """A course's folder.

    Attributes
    ----------
    root : Path
    kit_root : Path
        The folder of the instructor's material.
    exercises : tuple of str
        What is set, in course order; all where empty.
    lang : {"en", "zh"}
    """

    root: Path
    kit_root: Path
    exercises: tuple[str, ...] = ()
    lang: Lang = "en"

    def step(self, name: str, student: str = "") -> Path:
        """Give nbgrader's folder of one step: ``submitted``, ``autograded``, ``feedback``."""
        return self.root / name / student / ASSIGNMENT if student else self.root / name

    @property
    def release(self) -> Path:
        return self.root / "release" / ASSIGNMENT / NOTEBOOK

    @property
    def source(self) -> Path:
        return self.root / "source" / ASSIGNMENT / NOTEBOOK

    @property
    def gradebook(self) -> Path:
        return self.root / "gradebook.db"

    def record(self, student: str) -> Path:
        """Give where the kit keeps what it found for a student."""
        return self.root / RECORDS / ASSIGNMENT / f"{quoted(student)}.json"

    def kit(self) -> Kit:
        """Read the kit that the course was made with.

        Raises
        ------
        KitNotFound
        """
        told = os.environ.get("ATTN_KIT")
        return find_kit(Path(told) if told else self.kit_root)

    def chosen(self, kit: Kit) -> tuple[str, ...]:
        """Give the exercises that are set, in course order."""
        return tuple(each for each in kit.ids if not self.exercises or each in self.exercises)

    def secret(self) -> bytes:
        """Give what seeds the probes: ``ATTN_SECRET``, else the course's own."""
        told = os.environ.get("ATTN_SECRET")
        if told:
            return told.encode("utf-8", "surrogateescape")
        path = self.root / SECRET
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_bytes()
        made = secrets.token_hex(32).encode()
        with os.fdopen(descriptor, "wb") as file:
            file.write(made)
        return made


def quoted(student: str) -> str:
    """Give a file name for a student's id, another one for each id on every file system."""
    return "".join(c if c in "-_." or (c.isalnum() and c.isascii() and not c.isupper()) else
                   f"%{ord(c):x}." for c in student)[:200]  # fmt: skip


def find_course(start: Path) -> Course:
    """Read the course in `start`, or in the nearest folder above it that no student handed in.

    Raises
    ------
    CourseError
    """
    above = (start, *start.resolve().parents)  # of which some may be closed to this user
    marked = [each for each in above if os.path.isfile(each / SETTINGS)]  # noqa: PTH113
    for folder in marked:
        if not any(_handed_in(folder.resolve(), course.resolve()) for course in marked):
            return read_course(folder)
    raise CourseError(
        f"{start} is not in a course of the kit: there is no {SETTINGS}. "
        "Make one by `attn course init DIR`, or name it by --course DIR."
    )


def _handed_in(folder: Path, course: Path) -> bool:
    """Say whether a folder lies where students' files lie in a course."""
    return any(course / step in folder.parents for step in OF_STUDENTS)


def read_course(root: Path) -> Course:
    """Read the course whose folder is `root`.

    Raises
    ------
    CourseError
    """
    path = root / SETTINGS
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        exercises = tuple(str(each) for each in told.get("exercises", ()))
        lang: Lang = "zh" if told.get("lang") == "zh" else "en"
        return Course(root.resolve(), (root / str(told["kit"])).resolve(), exercises, lang)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(f"{path} cannot be used: {error}") from error


def write_settings(course: Course) -> None:
    """Write what the course was made with."""
    exercises = ", ".join(f'"{each}"' for each in course.exercises)
    text = (
        "# What this course was made with; read by the kit's commands and by nbgrader's Execute.\n"
        f"kit = {json.dumps(str(course.kit_root), ensure_ascii=False)}"
        "  # solutions and graders: never in this folder\n"
        f"exercises = [{exercises}]  # empty: all\n"
        f'lang = "{course.lang}"\n'
    )
    (course.root / SETTINGS).write_text(text, encoding="utf-8")

"""What was handed out: release.json in the student's folder, as the release wrote it.

It holds the assignment's version, every file as it was at the start, so that `attn reset` works
without a network, and in a release for self-study the solutions. The module writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.exercise import KitNotFound, find_kit, read_kit
from autograder.stub import stub

NAME = "release.json"
SCHEMA = 1


@dataclass(frozen=True)
class Style:
    """One way to write an exercise, in a release for self-study."""

    name: str
    code: str


@dataclass(frozen=True)
class Handout:
    """What a release handed out.

    Attributes
    ----------
    version : str
        Names the assignment: equal for equal files.
    lang : str
        The language of its notebook.
    originals : dict
        Name of a file to its text at the start: stubs and notebook.
    solutions : dict
        Exercise to its solution and other right styles; empty but for self-study.
    """

    version: str = ""
    lang: str = "en"
    originals: Mapping[str, str] = field(default_factory=dict)
    solutions: Mapping[str, Sequence[Style]] = field(default_factory=dict)

    @property
    def self_study(self) -> bool:
        """Whether solutions were handed out with it."""
        return bool(self.solutions)

    def dumps(self) -> str:
        """Give the text of release.json, the same for the same handout."""
        tree: dict[str, Any] = {
            "schema": SCHEMA,
            "assignment": self.version,
            "lang": self.lang,
            "originals": dict(self.originals),
        }
        if self.solutions:
            tree["solutions"] = {
                exercise: [{"name": each.name, "code": each.code} for each in styles]
                for exercise, styles in self.solutions.items()
            }
        return json.dumps(tree, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def read(folder: Path) -> Handout:
    """Read what was handed out into this folder; an empty handout where nothing says so."""
    try:
        tree = json.loads((folder / NAME).read_text("utf-8"))
        styles = {
            exercise: tuple(Style(str(each["name"]), str(each["code"])) for each in some)
            for exercise, some in tree.get("solutions", {}).items()
        }
        originals = {str(name): str(text) for name, text in tree["originals"].items()}
        return Handout(str(tree["assignment"]), str(tree["lang"]), originals, styles)
    except FileNotFoundError:
        return _of_checkout(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Handout()  # a learner may have edited it in any way


def _of_checkout(folder: Path) -> Handout:
    """In the repository itself, exercises/ has its originals in solutions/ beside it."""
    try:
        kit = read_kit(folder.parent) if folder.name == "exercises" else find_kit(folder)
    except (KitNotFound, OSError):
        return Handout()
    return Handout("checkout", "en", {f"{each.id}.py": stub(each) for each in kit.exercises})

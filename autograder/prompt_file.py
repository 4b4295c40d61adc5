"""Finds and reads the Markdown prompts: front matter (YAML, `prompt.schema.json`) and body.

They stand in the student's folder, in the kit, or in the installed package. The module knows
nothing of what fills them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from autograder.messages import Lang, language, ui

MAX_BYTES = 100_000  # no prompt file is larger

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


class PromptError(Exception):
    """A prompt that cannot be found, read or filled; the message is one sentence."""


@dataclass(frozen=True)
class Input:
    """One value that a prompt takes, as its front matter declares it."""

    name: str
    required: bool
    description: str = ""
    default: str = ""
    example: str = ""


@dataclass(frozen=True)
class Prompt:
    """One prompt file.

    Attributes
    ----------
    name : str
    lang : {"en", "zh"}
    description : str
    metadata : mapping
        ``audience``, ``mode``, ``gives_solution`` … as in the schema.
    inputs : tuple of Input
    body : str
        Markdown with ``{{name}}``.
    path : Path
    """

    name: str
    lang: Lang
    description: str
    metadata: Mapping[str, Any]
    inputs: tuple[Input, ...]
    body: str
    path: Path


def folders(folder: Path | None = None) -> list[Path]:
    """Give the folders with prompts, nearest first: the student's, the kit's, the package's."""
    here = (folder or Path.cwd()).resolve()
    package = Path(__file__).resolve().parent
    places = (here, here.parent, package.parent, package)
    found = [place / "prompts" for place in places]
    return [each for each in dict.fromkeys(found) if (each / "attention-explainer.md").is_file()]


def names(folder: Path | None = None) -> list[str]:
    """Give the names of all prompts there are, in order of the alphabet."""
    stems = (path.stem for place in folders(folder) for path in place.glob("*.md"))
    return sorted({stem for stem in stems if _NAME.fullmatch(stem)})


def find(name: str, lang: str = "en", folder: Path | None = None) -> Prompt:
    """Find a prompt by name, in `lang` where it is written in it, else in English.

    Raises
    ------
    PromptError
        Where there is no such prompt, or its file cannot be read.
    """
    if _NAME.fullmatch(name):
        for place in folders(folder):
            for file in (f"{name}.{lang}.md", f"{name}.md"):
                if (place / file).is_file():
                    return read(place / file)
    if not (there := names(folder)):
        raise PromptError(ui("ask.none", language(lang)))
    raise PromptError(ui("ask.unknown", language(lang), name=name[:80], prompts=", ".join(there)))


def read(path: Path) -> Prompt:
    """Read a prompt file.

    Raises
    ------
    PromptError
        Naming the file.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PromptError(f"{path} is larger than {MAX_BYTES:,} bytes: that is no prompt.")
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{path} cannot be read: {error}.") from None
    match = re.fullmatch(r"---\n(.*?\n)---\n+(.*)", text, re.DOTALL)
    if match is None:
        raise PromptError(f"{path} has no front matter: it starts with a line --- and one ends it.")
    head = _yaml(path, match[1])
    stem, _, suffix = path.name.removesuffix(".md").partition(".")
    try:
        inputs = tuple(
            Input(
                str(each["name"]),
                bool(each.get("required", False)),
                str(each.get("description", "")),
                str(each.get("default", "")),
                str(each.get("example", "")),
            )
            for each in head.get("inputs", [])
        )
        metadata = dict(head["metadata"])
        description = str(head["description"])
    except (KeyError, TypeError, AttributeError, ValueError):
        raise PromptError(f"The front matter of {path} is not as prompt.schema.json.") from None
    lang: Lang = "zh" if suffix == "zh" else "en"
    return Prompt(stem, lang, description, metadata, inputs, match[2].strip(), path)


def _yaml(path: Path, text: str) -> dict[str, Any]:
    yaml: Any = import_module("yaml")  # not at the top: `attn check` never needs it
    try:
        head = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise PromptError(f"The front matter of {path} is not YAML: {reason}.") from None
    if not isinstance(head, dict):
        raise PromptError(f"The front matter of {path} is not a list of keys and values.")
    return head

"""The files of a student's folder as the desk reads them: no further than is asked.

checks.json and test_exercises.py hold every exercise, and to parse all of both takes longer than
to check one. The build lays both out so that an exercise's part can be found by its lines; where
a file is laid out otherwise, because somebody has edited it, the whole of it is read. Likewise a
worker need not parse, on every check, what the student has not begun and what is not asked for.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

# What the module is called in which the checks are run: never imported, and so in no one's way.
MODULE = "_attn_visible_checks"
Files = Sequence[tuple[str, bytes]]

_SECTION = re.compile(r"^# (\w+)\n.*?^test_\1 = visible_test\(\n.*?^\)\n", re.MULTILINE | re.DOTALL)


class Members(Mapping[str, Any]):
    """A JSON object as the build writes it, each member parsed when it is asked for.

    Parameters
    ----------
    text : str
        From the opening brace to the closing one.
    levels : int
        How many levels of objects inside are read like this one.
    depth : int
        How many objects this one stands in.
    """

    def __init__(self, text: str, levels: int, depth: int = 0) -> None:
        pad = " " * depth
        if not (text.startswith("{\n") and text.rstrip().endswith(f"\n{pad}}}")):
            raise ValueError("an object that is laid out otherwise")
        heads = list(re.finditer(rf'^{pad} ("[^"\\\n]+"): ', text, re.MULTILINE))
        ends = [*(each.start() for each in heads[1:]), text.rstrip().rindex("}")]
        self._texts = {
            str(json.loads(head[1])): text[head.end() : end].strip().removesuffix(",")
            for head, end in zip(heads, ends, strict=True)
        }
        self._levels, self._depth = levels, depth
        self._read: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._read:
            text = self._texts[key]
            inside = self._levels > 0 and text.startswith("{\n")
            self._read[key] = (
                Members(text, self._levels - 1, self._depth + 1) if inside else json.loads(text)
            )
        return self._read[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def numbers(path: Path) -> Mapping[str, Any]:
    """Give what checks.json holds.

    Raises
    ------
    OSError, ValueError
        Where it cannot be read. A part that is damaged is noticed when it is asked for.
    """
    text = path.read_text("utf-8")
    try:
        return Members(text, levels=2)
    except ValueError:
        whole: Mapping[str, Any] = json.loads(text)
        return whole


class Source:
    """The text of test_exercises.py, exercise by exercise.

    Raises
    ------
    OSError, ValueError
        Where it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.text = path, path.read_text("utf-8")
        self._sections = {each[1]: each.span() for each in _SECTION.finditer(self.text)}
        last = max((end for _, end in self._sections.values()), default=0)
        if last != len(self.text):  # something of a learner's own, or cut short
            self._sections.clear()

    def run(self, exercise: str) -> ModuleType:
        """Run what one exercise needs of it; whatever that raises goes on.

        Lines keep their numbers. No byte code is left in the learner's folder.
        """
        text = self.text
        if exercise in self._sections:
            for name, (start, end) in sorted(self._sections.items(), key=lambda each: -each[1][0]):
                if name != exercise:
                    text = text[:start] + "\n" * text.count("\n", start, end) + text[end:]
        module = ModuleType(MODULE)
        module.__file__ = str(self.path)
        exec(compile(text, str(self.path), "exec"), vars(module))
        return module


# The student's own files


@functools.lru_cache(maxsize=4)
def cells(notebook: bytes) -> tuple[str, ...]:
    """Give the code of each cell; the whole text as one where it cannot be read as a notebook."""
    try:
        found = json.loads(notebook)["cells"]
        return tuple("".join(each["source"]) for each in found if each["cell_type"] == "code")
    except (ValueError, KeyError, TypeError, RecursionError):
        return (notebook.decode("utf-8", "replace"),)


def mark(name: str, data: bytes) -> str:
    """Give what tells a file's code from other code: a digest; of a notebook, of its cells."""
    if name.endswith(".ipynb"):
        text = "\0".join(each for each in cells(data) if each.strip())
        data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:16]


def needed(
    files: Files,
    wanted: Mapping[str, Sequence[str]],
    exercises: Iterable[str],
    untouched: Mapping[str, str],
) -> Files:
    """Leave out files as they were handed out, where no verdict can depend on them.

    Parameters
    ----------
    files : sequence of (name, bytes)
    wanted : mapping of str to sequence of str
        The exercises that are checked, with their graded names.
    exercises : iterable of str
    untouched : mapping of str to str
        A file's name to its mark at the start.
    """
    held = dict(files)
    idle = {name for name, data in files if untouched.get(name) == mark(name, data)}
    stubs = {f"{each}.py" for each in exercises} - {f"{each}.py" for each in wanted}
    # A notebook's stubs count as well, unless a file defines the same.
    defined = all(
        re.search(rf"^(?:def|class)\s+{name}\b".encode(), held.get(f"{each}.py", b""), re.MULTILINE)
        for each, names in wanted.items()
        for name in names
    )
    books = {name for name in idle if name.endswith(".ipynb") and defined}
    left = {name for name in idle if name in stubs} | books
    fresh = [data for name, data in files if name not in left]
    while fresh:  # a stub that is spoken of may be imported, and so may those that it speaks of
        spoken = {
            name
            for name in left - books
            if any(name.removesuffix(".py").encode() in data for data in fresh)
        }
        left -= spoken
        fresh = [held[name] for name in spoken]
    return [(name, data) for name, data in files if name not in left]

"""Takes the visible checks out of the graders: their source, and the numbers that they use.

What is shipped is the source of each check marked ``@visible`` and of the module-level names
that it uses; everything else in a grader stays hidden. The module writes no file.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autograder.check import Check
from autograder.grade import KitFault, run_check
from autograder.playback import FLOOR, Record, RecordingReference, RecordingRng, encode, rounded
from autograder.student import LocalStudent, Op, Reply, Step

HEAD = '''\
"""The visible self-checks: run `attn check`, or `pytest`, in this folder.

Read them as examples: each says in code what one exercise promises. `student` asks your
functions, `rng` and `reference` play back numbers from checks.json. Made by `attn build`.
"""

'''
ALLOWED_IMPORTS = ("autograder.check", "autograder.student", "autograder", "numpy", "math")

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


# Source


def module(sources: Mapping[str, tuple[Path, Sequence[Check]]]) -> str:
    """Give the text of ``test_exercises.py``.

    Parameters
    ----------
    sources : mapping of str to (Path, sequence of Check)
        Each exercise's grader file and its checks.

    Raises
    ------
    KitFault
        Where a visible check cannot be taken out of its grader.
    """
    imports: set[tuple[str, str]] = {("autograder.desk", "visible_test")}
    sections = []
    for exercise, (path, checks) in sources.items():
        names = [f"test_{check.name}" for check in checks if check.declared.visible]
        if not names:
            raise KitFault(f"{path.name} has no @visible check: students could check nothing")
        grader = _Grader(path, exercise)
        wanted = grader.closure(names)
        imports |= grader.imports(wanted)
        parts = [f"# {exercise}\n", *(grader.text(wanted, node) for node in wanted)]
        listed = "".join(f"        {grader.renamed(name)},\n" for name in names)
        parts.append(
            f'test_{exercise} = visible_test(\n    "{exercise}",\n    [\n{listed}    ],\n)\n'
        )
        sections.append("\n\n".join(parts))
    return HEAD + _imports(imports) + "\n\n" + "\n\n".join(sections)


def _imports(found: set[tuple[str, str]]) -> str:
    """Write (module, name) pairs as import lines; a name "" or "as x" is a plain import."""
    plain = sorted(f"import {module} {name}".rstrip() for module, name in found if _is_plain(name))
    modules = sorted({module for module, name in found if not _is_plain(name)})
    lines = []
    for one in modules:
        names = sorted(name for module, name in found if module == one and not _is_plain(name))
        lines.append(f"from {one} import {', '.join(names)}")
    return "\n".join([*plain, *([""] if plain else []), *lines]) + "\n"


def _is_plain(name: str) -> bool:
    return not name or name.startswith("as ")


class _Grader:
    """The source of one grader file, by module-level name."""

    def __init__(self, path: Path, exercise: str) -> None:
        self.path, self.exercise = path, exercise
        self.source = path.read_text("utf-8").replace("\r\n", "\n")
        self.lines = self.source.split("\n")
        self.tree = ast.parse(self.source)
        self.definitions: dict[str, Definition] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        for node in self.tree.body:
            self._note(node)

    def _note(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.definitions[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for each in ast.walk(target):
                    if isinstance(each, ast.Name):
                        self.definitions[each.id] = node
        elif isinstance(node, ast.Import):
            for each in node.names:
                suffix = f"as {each.asname}" if each.asname else ""
                self.imported[each.asname or each.name] = (each.name, suffix)
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for each in node.names:
                name = f"{each.name} as {each.asname}" if each.asname else each.name
                self.imported[each.asname or each.name] = (node.module or "", name)

    def renamed(self, name: str) -> str:
        """Give the name that something of this grader has among those of all graders."""
        if name.startswith("test_"):
            return f"{self.exercise}__{name.removeprefix('test_')}"
        return f"{self.exercise}_{name.lstrip('_')}"

    def closure(self, names: Sequence[str]) -> list[Definition]:
        """Give the definitions that `names` need, themselves included, in file order."""
        wanted: set[Definition] = set()
        queue = [self.definitions[name] for name in names]
        while queue:
            node = queue.pop()
            if node not in wanted:
                wanted.add(node)
                queue += [self.definitions[each] for each in _used(node) & set(self.definitions)]
        return sorted(wanted, key=lambda node: node.lineno)

    def imports(self, wanted: Sequence[Definition]) -> set[tuple[str, str]]:
        """Give what `wanted` needs imported."""
        used = set().union(*(_used(node) for node in wanted))
        found = {pair for name, pair in self.imported.items() if name in used}
        for module_name, _ in sorted(found):
            if module_name not in ALLOWED_IMPORTS:
                raise KitFault(
                    f"{self.path.name}: a visible check uses {module_name}; students' folders "
                    f"have only {', '.join(ALLOWED_IMPORTS)}"
                )
        return found

    def text(self, wanted: Sequence[Definition], node: Definition) -> str:
        """Give one definition's lines, with this grader's names renamed."""
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
        last = node.end_lineno or node.lineno
        names = {name for name, found in self.definitions.items() if found in wanted}
        lines = {index: self.lines[index - 1].encode() for index in range(first, last + 1)}
        for line, column, name in sorted(self._places(node, names), reverse=True):
            text = lines[line]
            if text[column : column + len(name)] != name.encode():  # Python 3.11: in an f-string
                raise KitFault(f"{self.path.name}, line {line}: take {name} out of the f-string")
            lines[line] = text[:column] + self.renamed(name).encode() + text[column + len(name) :]
        return "\n".join(lines[index].decode() for index in sorted(lines)) + "\n"

    def _places(self, node: Definition, names: set[str]) -> Iterator[tuple[int, int, str]]:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id in names:
                yield each.lineno, each.col_offset, each.id
            elif isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name in names:
                word = "def " if isinstance(each, ast.FunctionDef) else "class "
                yield each.lineno, each.col_offset + len(word), each.name
            elif isinstance(each, ast.arg) and each.arg in names:
                raise KitFault(
                    f"{self.path.name}, line {each.lineno}: the argument {each.arg} hides a "
                    "module-level name; give it another name"
                )


def _used(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


# Numbers


def record(check: Check, namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Run one visible check on the reference and give the numbers that it used.

    Raises
    ------
    KitFault
        Where the reference does not pass, or the check asks the reference about the student's
        own answer, which a frozen answer cannot follow.
    """
    asked, rng = _run(check, namespace, LocalStudent(namespace), must_pass=True)
    again, _ = _run(check, namespace, _Nudged(namespace), must_pass=False)
    for step, other in zip(asked.trace, again.trace, strict=False):
        if not _same_question(step, other):
            raise KitFault(
                f"{check.exercise}.{check.name} is visible and asks the reference about the "
                "student's answer; ask it about the inputs only"
            )
    return {
        "rng": rng.records,
        "reference": asked.records,
        "target": [_target(step) for step in questions_of(check, namespace)],
    }


def _target(step: Step) -> Record:
    """Give what a right answer to one question of the check is, where it can be shown as a table.

    A learner may see it beside hers: the check's numbers are known to everybody.
    """
    parts = step.reply.value if isinstance(step.reply.value, tuple) else (step.reply.value,)
    if not any(isinstance(each, np.ndarray) and each.ndim == 2 for each in parts):
        return [f"{step.op} {step.name}", None]
    return [f"{step.op} {step.name}", encode(rounded(step.reply.value, FLOOR))]


def visible_seed(check: Check) -> int:
    """Give the seed of a visible check's numbers: known to everybody, and no other check's."""
    digest = hashlib.sha256(f"visible {check.exercise} {check.name}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def questions_of(check: Check, namespace: Mapping[str, Any]) -> list[Step]:
    """Give what a visible check asks, with the numbers that `record` freezes."""
    student = LocalStudent(namespace)
    _run(check, namespace, student, must_pass=True)
    return student.trace


def _run(
    check: Check, namespace: Mapping[str, Any], student: LocalStudent, *, must_pass: bool
) -> tuple[RecordingReference, RecordingRng]:
    rng, reference = RecordingRng(visible_seed(check)), RecordingReference(namespace)
    with np.errstate(all="ignore"):  # a student's numbers may be anything
        outcome = run_check(check, student, reference, rng)
    if must_pass and not outcome.passed:
        raise KitFault(
            f"the reference itself does not pass {check.exercise}.{check.name} ({outcome.code})"
        )
    return reference, rng


class _Nudged(LocalStudent):
    """The reference with its answers moved by less than any tolerance."""

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        reply = super().ask(op, name, target, args, kwargs)
        return Reply(_nudge(reply.value), reply.changed, reply.printed, reply.touched_rng)


def _nudge(value: Any) -> Any:
    if isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
        return value * (1 + 1e-9)
    if isinstance(value, tuple):
        return tuple(_nudge(each) for each in value)
    if isinstance(value, dict):
        return {key: _nudge(each) for key, each in value.items()}
    return value


def _same_question(step: Step, other: Step) -> bool:
    return (step.op, step.name) == (other.op, other.name) and _equal(
        (step.args, dict(step.kwargs)), (other.args, dict(other.kwargs))
    )


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other, equal_nan=True)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    return bool(one == other)

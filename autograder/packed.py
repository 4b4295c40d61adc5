"""A hand-in's result as bytes that travel and are kept: JSON in parts.

Many hand-ins of a class do an exercise in the same way, so that its part is the same bytes. Who
reads many results keeps one object for each different part: a class of ten thousand takes no more
memory than its different outcomes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder import record, results
from autograder.results import (
    ExerciseResult,
    Results,
    ResultsError,
    SubmissionResult,
    submission_from_json,
)

MAX_HEAD = 2**16


@dataclass(frozen=True)
class Packed:
    """One hand-in's result.

    Attributes
    ----------
    head : bytes
        All but the exercises, as a JSON object.
    exercises : tuple of bytes
        A JSON object each.
    """

    head: bytes
    exercises: tuple[bytes, ...]

    @property
    def line(self) -> bytes:
        """The whole as one JSON object on one line."""
        return self.head[:-1] + b', "exercises": [' + b", ".join(self.exercises) + b"]}"


def pack(result: SubmissionResult) -> Packed:
    """Give a result as bytes."""
    tree = result.to_json()
    exercises = tree.pop("exercises")
    return Packed(_bytes(tree), tuple(map(_bytes, exercises)))


def _bytes(tree: Any) -> bytes:
    return record.dumps(tree, indent=None).rstrip(b"\n")


class Reader:
    """Reads packed results, and proves each; equal exercises become one object."""

    def __init__(self) -> None:
        self._known: dict[bytes, ExerciseResult] = {}

    def read(self, packed: Packed) -> SubmissionResult:
        """Give the result.

        Raises
        ------
        ResultsError
            Where it contradicts itself or is none.
        """
        try:
            head = json.loads(packed.head)
            new = [json.loads(each) for each in packed.exercises if each not in self._known]
        except ValueError as error:
            raise ResultsError(f"no result: {error}") from None
        if new:  # prove the whole with all its parts, then keep them
            known = [
                record.tree(self._known[each]) if each in self._known else new.pop(0)
                for each in packed.exercises
            ]
            whole = submission_from_json({**head, "exercises": known})
            for part, exercise in zip(packed.exercises, whole.exercises, strict=True):
                self._known.setdefault(part, exercise)
        try:
            shell = record.read(SubmissionResult, {**head, "exercises": []}, "submission")
        except record.RecordError as error:
            raise ResultsError(str(error)) from None
        parts = tuple(self._known[each] for each in packed.exercises)
        return replace(shell, exercises=parts)

    def read_line(self, line: bytes) -> SubmissionResult:
        """Give the result that `Packed.line` wrote.

        Raises
        ------
        ResultsError
        """
        try:
            tree = json.loads(line)
            parts = tuple(map(_bytes, tree.pop("exercises")))
            return self.read(Packed(_bytes(tree), parts))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ResultsError(f"no result: {error}") from None


LIST = b'"submissions": [\n'  # as `record.by_line` writes it


def read_results(path: Path) -> Results:
    """Read a results file as `results.read` does, equal exercises as one object.

    Raises
    ------
    ResultsError
        Where it is no results file; OSError where it cannot be opened.
    """
    reader, found = Reader(), []
    head, rest = b"", b""
    with path.open("rb") as file:
        for line in file:
            if line == LIST:
                break
            head += line
            if len(head) > MAX_HEAD:
                return results.read(path)  # it was written by somebody else
        for line in file:
            if not line.startswith(b"{"):
                rest = line + file.read()
                break
            try:
                found.append(reader.read_line(line.rstrip(b",\n")))
            except ResultsError as error:
                raise ResultsError(f"{path}: {error}") from error
    if not rest.lstrip().startswith(b"]"):
        return results.read(path)
    try:
        whole = results.from_json(record.loads(head + LIST + rest))
        whole = replace(whole, submissions=tuple(found))
        results.prove(whole)
    except (record.RecordError, ResultsError) as error:
        raise ResultsError(f"{path}: {error}") from error
    return whole

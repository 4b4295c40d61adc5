"""Finished submissions of a run, a line each: what an interrupted or repeated run need not redo."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from autograder import __version__, record
from autograder.exercise import Kit
from autograder.results import ResultsError, SubmissionResult, submission_from_json
from autograder.submission import Submission, digest


class Journal:
    """Finished submissions, a line each, with the digest of all that they came from."""

    def __init__(self, path: Path, run: str, force: bool) -> None:
        self._path, self._run = path, run
        self._known: dict[str, SubmissionResult] = {} if force else self._read()

    def _read(self) -> dict[str, SubmissionResult]:
        known: dict[str, SubmissionResult] = {}
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return known
        for line in lines:
            try:
                tree = json.loads(line)
                known[tree["digest"]] = submission_from_json(tree["result"])
            except (ValueError, KeyError, TypeError, ResultsError):
                continue  # a line cut off by an interrupted run
        return known

    def __enter__(self) -> Journal:
        self._file = self._path.open("wb")
        for key, result in self._known.items():
            self._write(key, result)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def key(self, submission: Submission) -> str:
        """Name this submission in this run."""
        return hashlib.sha256(
            f"{self._run}\0{submission.id}\0{digest(submission)}".encode("utf-8", "surrogatepass")
        ).hexdigest()

    def get(self, key: str) -> SubmissionResult | None:
        """Give an earlier result of exactly this, if there is one."""
        return self._known.get(key)

    def add(self, key: str, result: SubmissionResult) -> None:
        """Keep a result."""
        self._write(key, result)

    def _write(self, key: str, result: SubmissionResult) -> None:
        line = record.dumps({"digest": key, "result": result.to_json()}, indent=None)
        self._file.write(line.rstrip(b"\n") + b"\n")
        self._file.flush()


def run_digest(kit: Kit, chosen: Sequence[str], lang: str, secret: bytes) -> str:
    """Name what results depend on beside the submission: graders, solutions, kit, seed."""
    found = hashlib.sha256(f"{lang}\0{','.join(chosen)}\0".encode())
    found.update(hashlib.sha256(secret).digest())
    found.update(_judges(kit) + _engine())
    return found.hexdigest()


def digests(kit: Kit, chosen: Sequence[str], secret: bytes) -> dict[str, str]:
    """Name each of what results depend on, so that two runs can be told apart.

    Of the seed only so much that another one is seen: a weak secret must not be found from it.
    """
    return {
        "graders": hashlib.sha256(_judges(kit) + ",".join(chosen).encode()).hexdigest()[:16],
        "kit": _engine().hex()[:16],
        "seed": hashlib.sha256(secret).hexdigest()[:4],
    }


def _judges(kit: Kit) -> bytes:
    return _folders(kit.graders, kit.mistakes, kit.root / "solutions")


def _engine() -> bytes:
    return _folders(Path(__file__).parent)


def _folders(*folders: Path) -> bytes:
    found = hashlib.sha256(__version__.encode())
    for folder in folders:
        for path in sorted([*folder.glob("*.py"), *folder.glob("locale/*.toml")]):
            found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.digest()

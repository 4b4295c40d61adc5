"""Finished submissions of a run, a line each: what an interrupted or repeated run need not redo."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from autograder import __version__
from autograder.exercise import Kit
from autograder.packed import Packed, Reader
from autograder.record import told_as, write_whole
from autograder.results import ResultsError, SubmissionResult
from autograder.submission import Submission, digest

BEFORE_KEY, BEFORE_SUM, BEFORE_RESULT = b'{"digest": "', b'", "sum": "', b'", "result": '
KEY_END = len(BEFORE_KEY) + 64
SUM_END = KEY_END + len(BEFORE_SUM) + 16


class Journal:
    """Finished submissions, a line each, with the digest of all that they came from.

    Only the place of each line is held in memory. Results are added as they come, in any order.
    """

    def __init__(self, path: Path, run: str, force: bool) -> None:
        self._path, self._run = path, run
        self._reader = Reader()
        self._places: dict[str, tuple[int, int]] = {}
        self._used: set[str] = set()
        self._end = 0
        if not force:
            self._find()

    def _find(self) -> None:
        """Note where each line stands; what an interrupted run cut off is written over."""
        try:
            with self._path.open("rb") as file:
                for line in file:
                    if not line.endswith(b"}\n"):
                        break
                    start, size = self._end, len(line)
                    self._end += size
                    if line.startswith(BEFORE_KEY) and line[SUM_END:].startswith(BEFORE_RESULT):
                        key = line[len(BEFORE_KEY) : KEY_END].decode("ascii", "replace")
                        self._places[key] = (start, size)
        except FileNotFoundError:
            return

    def __enter__(self) -> Journal:
        self._path.touch()
        self._file = self._path.open("r+b")
        self._file.truncate(self._end)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and len(self._places) > 2 * len(self._used):
            self._forget()
        with told_as(self._path):  # what could not be written is tried once more
            self._file.close()

    def _forget(self) -> None:
        """Leave out what this run did not use: other students', other graders'."""
        kept = [self._line(self._places[key]) for key in self._places if key in self._used]
        write_whole(self._path, b"".join(kept), durable=False)

    def key(self, submission: Submission) -> str:
        """Name this submission in this run."""
        told = (submission.shown, submission.notices, submission.packed, submission.quiz)
        name = f"{self._run}\0{submission.id}\0{digest(submission)}\0{told}"
        return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str) -> SubmissionResult | None:
        """Give an earlier result of exactly this, if there is one."""
        place = self._places.get(key)
        if place is None:
            return None
        whole = self._line(place)
        result = whole[SUM_END + len(BEFORE_RESULT) : -2]
        if whole != _written(key, result):
            return None  # damaged, and yet it may be a result: it is graded again
        try:
            found = self._reader.read_line(result)
        except ResultsError:
            return None  # of another kit
        self._used.add(key)
        return found

    def _line(self, place: tuple[int, int]) -> bytes:
        self._file.seek(place[0])
        return self._file.read(place[1])

    def add(self, key: str, result: Packed) -> SubmissionResult:
        """Keep a result, and give it read back and proved."""
        found = self._reader.read(result)
        line = _written(key, result.line)
        with told_as(self._path):
            self._file.seek(self._end)
            self._file.write(line)
            self._file.flush()
        self._places[key] = (self._end, len(line))
        self._end += len(line)
        self._used.add(key)
        return found


def _written(key: str, result: bytes) -> bytes:
    """Give a line: a result with what it came from, and a sum by which damage is seen."""
    name = key.encode("ascii")
    told = hashlib.blake2b(name + result, digest_size=8).hexdigest().encode("ascii")
    return b"".join((BEFORE_KEY, name, BEFORE_SUM, told, BEFORE_RESULT, result, b"}\n"))


def run_digest(kit: Kit, chosen: Sequence[str], lang: str, secret: bytes) -> str:
    """Name what results depend on beside the submission: graders, solutions, kit, seed."""
    found = hashlib.sha256(f"{lang}\0{','.join(chosen)}\0".encode())
    found.update(hashlib.sha256(secret).digest())
    found.update(_judges(kit) + engine())
    return found.hexdigest()


def digests(kit: Kit, chosen: Sequence[str], secret: bytes) -> dict[str, str]:
    """Name each of what results depend on, so that two runs can be told apart.

    Of the seed only so much that another one is seen: a weak secret must not be found from it.
    """
    return {
        "graders": hashlib.sha256(_judges(kit) + ",".join(chosen).encode()).hexdigest()[:16],
        "kit": engine().hex()[:16],
        "seed": hashlib.sha256(secret).hexdigest()[:4],
    }


def _judges(kit: Kit) -> bytes:
    return _folders(kit.graders, kit.mistakes, kit.root / "solutions")


def engine() -> bytes:
    return _folders(Path(__file__).parent)


def _folders(*folders: Path) -> bytes:
    found = hashlib.sha256(__version__.encode())
    for folder in folders:
        for path in sorted(
            [*folder.glob("*.py"), *folder.glob("*.toml"), *folder.glob("locale/*.toml")]
        ):
            found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.digest()

"""The cases under ``cases/``, and a class graded with them in it; what tests of attacks share."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import signal
import socket
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder import batch, confine, grader
from autograder.exercise import Kit, given_sources
from autograder.results import ExerciseResult, Results, SubmissionResult
from autograder.sandbox import LEVELS, Limits, Sandbox

CASES = sorted((Path(__file__).parent / "cases").glob("*/*.py"))
CASES = [path for path in CASES if "." not in path.stem]
EXERCISES = ("softmax", "attention_scores")
TOKEN = ("attn-token-5f2c", "b81e90d7")
SEEN = (b"INPUT-SEEN", b"INPUT_SEEN", b"7654321")  # marks of a hidden input
GRADED: list[tuple[tuple[str, ...], int, int]] = []  # isolation, cases graded, cases wanted
SECONDS = 25.0  # no case may hold the class for longer


@dataclass(frozen=True)
class Case:
    """One hand-in and what must come of it.

    Attributes
    ----------
    what : str
        What it tries.
    status : str
        Of the exercise softmax, or ``any``.
    score, least : float
        Its points at most and at least; equal unless the header says otherwise.
    other : str
        The status of attention_scores.
    needs : str
        The level of isolation that the case is about.
    """

    name: str
    text: str
    what: str
    status: str
    score: float = 0.0
    least: float | None = None
    most: float | None = None
    other: str = "passed"
    needs: str = "L0"
    beside: str = ""


def read(path: Path) -> Case:
    head, _, text = path.read_text("utf-8").partition("# ///\n")
    lines = [line.removeprefix("# ") for line in head.splitlines()[1:]]
    return Case(name=path.stem, text=text, **tomllib.loads("\n".join(lines)))


READ = {path.stem: read(path) for path in CASES}


@dataclass
class World:
    """Where it all happened, and what it was like before."""

    kit: Path
    home: Path
    school: Path
    out: Path
    before: dict[str, str]
    results: Results
    heard: list[bytes]
    left: list[str]
    names: list[str]

    def submission(self, name: str) -> SubmissionResult:
        return next(each for each in self.results.submissions if each.id == name)


def fingerprint(*folders: Path) -> dict[str, str]:
    """Give every file's content, mode, times and attributes."""
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if "__pycache__" in path.parts:
                continue
            about = path.lstat()
            data = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (
                f"{about.st_mode} {about.st_mtime_ns} {hashlib.sha256(data).hexdigest()}"
                f" {os.listxattr(path) if hasattr(os, 'listxattr') else ''}"
            )
    return found


@contextlib.contextmanager
def watched(scratch: Path) -> Iterator[list[str]]:
    """Adopt what a run leaves behind; give what there is more of at its end than before it.

    Processes that still run, descriptors of this one, and files where temporary ones are made.
    """
    left: list[str] = []
    if not confine.LINUX:
        yield left
        return
    scratch.mkdir()
    confine.control(confine.SUBREAPER, 1)
    before = (descendants(), descriptors())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(scratch))
        yield left
    for pid in descendants() - before[0]:
        with contextlib.suppress(OSError):
            about = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
            if about[0] == "Z":
                os.waitpid(pid, os.WNOHANG)
            else:
                left.append(f"process {pid}")
                os.kill(pid, signal.SIGKILL)
    confine.control(confine.SUBREAPER, 0)
    left += [f"descriptor {number}" for number in sorted(descriptors() - before[1])]
    left += [f"file {path.name}" for path in scratch.iterdir()]


def descendants() -> set[int]:
    """Give the processes that this one started or adopted."""
    files = Path("/proc/self/task").glob("*/children")
    return {int(pid) for file in files for pid in file.read_text("ascii").split()}


def descriptors() -> set[str]:
    """Give the descriptors that are open here, with what they are."""
    found = set()
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # that of this very listing
            found.add(f"{path.name} {path.readlink()}")
    return {each for each in found if "/fd" not in each}


def deadly() -> str:
    return "-" * 400_000 + "1"


def graded_world(
    kit: Kit, base: Path, names: Sequence[str] = tuple(READ), fork: bool | None = None
) -> World:
    """Grade a class of these cases, each between two right hand-ins.

    Cases about a protection that is not there stay away: they would do what they try.
    """
    without = tuple(os.environ.get("ATTN_TEST_WITHOUT", "").split())
    with Sandbox(without=without, fork=fork) as box:
        reached = LEVELS.index(box.level)
    wanted = len(names)
    names = [name for name in names if LEVELS.index(READ[name].needs) <= reached]
    home, school, out = (base / each for each in ("home", "class", "out"))
    for each in (home, school):
        each.mkdir(parents=True)
    right = {name: text for name, text in given_sources(kit).items() if name in EXERCISES}
    ports = contextlib.ExitStack()
    listener = ports.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    listener.bind(("127.0.0.1", 0))
    listener.setblocking(False)
    port = listener.getsockname()[1]
    neighbours = [f"{number:03}-right" for number in range(len(names) + 1)]
    for name in ("a-right", *neighbours):
        hand_in(school / name, {f"{each}.py": text for each, text in right.items()})
    for number, case in enumerate(READ[each] for each in names):
        text = filled(case.text, kit.root, school, out, home, port)
        files = {"softmax.py": text, "attention_scores.py": right["attention_scores"]}
        if case.beside:
            path = next(each for each in CASES if each.stem == case.name)
            files[case.beside] = path.with_name(f"{case.name}.{case.beside}").read_text("utf-8")
        hand_in(school / f"{number:03}-try-{case.name}", files)
    plain = (kit.root / "solutions", kit.root / "autograder" / "graders", home, school)
    before = fingerprint(*plain)
    with watched(base / "scratch") as left, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTN_TEST_TOKEN", "".join(TOKEN))
        box = functools.partial(Sandbox, limits=Limits(load=2.0), without=without, fork=fork)
        patch.setattr(grader, "Sandbox", box)
        plan = batch.Plan(
            paths=(school,), out=out, exercises=EXERCISES, secret="".join(TOKEN).encode()
        )
        results = batch.grade(kit, plan)
    heard = []
    with ports, contextlib.suppress(BlockingIOError):
        heard.append(listener.recv(100))
    GRADED.append((results.isolation, len(names), wanted))
    return World(kit.root, home, school, out, before, results, heard, left, names)


def filled(text: str, root: Path, school: Path, out: Path, home: Path, port: int) -> str:
    """Give a case's text with the places of this machine in it."""
    places = {
        "{ROOT}": root,
        "{CLASS}": school,
        "{OUT}": out,
        "{HOME}": home,
        "{TOKEN_HEAD}": TOKEN[0],
        "{TOKEN_TAIL}": TOKEN[1],
        "{PORT}": port,
        "{DEEP}": deadly(),
    }
    for mark, value in places.items():
        text = text.replace(mark, str(value))
    return text


def hand_in(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


def exercise(result: SubmissionResult, name: str) -> ExerciseResult:
    return next(each for each in result.exercises if each.exercise == name)


def level_reached(world: World) -> int:
    return LEVELS.index(world.results.isolation[0])


def comes_to(world: World, name: str) -> None:
    """Hold one case to what its header says, and its neighbours to full marks."""
    case = READ[name]
    if name not in world.names:
        pytest.skip(f"needs {case.needs}, this machine reaches {world.results.isolation[0]}")
    number = world.names.index(name)
    found = world.submission(f"{number:03}-try-{name}")
    assert found.status == "graded", found.notice
    softmax = exercise(found, "softmax")
    assert "BROKE" not in found.printed, found.printed
    least = case.least if case.least is not None else 0.0 if case.most is not None else case.score
    assert least <= softmax.score <= (case.score if case.most is None else case.most)
    assert case.status in ("any", softmax.status)
    assert case.other in ("any", exercise(found, "attention_scores").status)
    assert found.seconds < SECONDS
    for neighbour in (f"{number:03}-right", f"{number + 1:03}-right"):
        beside = world.submission(neighbour)
        assert beside.score == beside.max_score, neighbour

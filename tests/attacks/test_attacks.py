"""Hostile and clumsy hand-ins, each between two that are right, graded as one class.

Each case under ``cases/`` stands as ``softmax.py`` beside a right ``attention_scores.py``. Its
header says what it tries and what must come of it. A case prints BROKE, while it is loaded, for
each thing that worked and must not; whatever it saw of hidden inputs it marks INPUT-SEEN, and
that must be in no file that was written. Where a machine lacks the protection that a case is
about, the case is skipped with that reason.

    pytest tests/attacks                                     as whoever runs it
    ATTN_TEST_WITHOUT=landlock pytest tests/attacks          as on a machine without Landlock
    setpriv --reuid 1234 --regid 1234 --clear-groups pytest tests/attacks      as an ordinary user
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import socket
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder import batch, grader
from autograder.exercise import Kit, given_sources
from autograder.results import ExerciseResult, Results, SubmissionResult
from autograder.sandbox import LEVELS, Limits, Sandbox

# One process grades the class once; without pytest-xdist the mark says nothing.
pytestmark = pytest.mark.xdist_group("attacks")
CASES = sorted((Path(__file__).parent / "cases").glob("*/*.py"))
CASES = [path for path in CASES if "." not in path.stem]
EXERCISES = ("softmax", "attention_scores")
TOKEN = ("attn-token-5f2c", "b81e90d7")
SEEN = (b"INPUT-SEEN", b"INPUT_SEEN", b"7654321")  # marks of a hidden input
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


def deadly() -> str:
    return "-" * 400_000 + "1"


@pytest.fixture(scope="module")
def world(kit: Kit, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home, school, out = (tmp_path_factory.mktemp(each) for each in ("home", "class", "out"))
    right = {name: text for name, text in given_sources(kit).items() if name in EXERCISES}
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("127.0.0.1", 0))
    listener.setblocking(False)
    places = {
        "{ROOT}": kit.root,
        "{CLASS}": school,
        "{OUT}": out,
        "{HOME}": home,
        "{TOKEN_HEAD}": TOKEN[0],
        "{TOKEN_TAIL}": TOKEN[1],
        "{PORT}": listener.getsockname()[1],
        "{DEEP}": deadly(),
    }
    neighbours = [f"{number:03}-right" for number in range(len(READ) + 1)]
    for name in ("a-right", *neighbours):
        hand_in(school / name, {f"{each}.py": text for each, text in right.items()})
    for number, case in enumerate(READ.values()):
        text = case.text
        for mark, value in places.items():
            text = text.replace(mark, str(value))
        files = {"softmax.py": text, "attention_scores.py": right["attention_scores"]}
        if case.beside:
            path = next(each for each in CASES if each.stem == case.name)
            files[case.beside] = path.with_name(f"{case.name}.{case.beside}").read_text("utf-8")
        hand_in(school / f"{number:03}-try-{case.name}", files)
    plain = (kit.root / "solutions", kit.root / "autograder" / "graders", home, school)
    before = fingerprint(*plain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTN_TEST_TOKEN", "".join(TOKEN))
        without = tuple(os.environ.get("ATTN_TEST_WITHOUT", "").split())
        box = functools.partial(Sandbox, limits=Limits(load=2.0), without=without)
        patch.setattr(grader, "Sandbox", box)
        plan = batch.Plan(
            paths=(school,), out=out, exercises=EXERCISES, secret="".join(TOKEN).encode()
        )
        results = batch.grade(kit, plan)
    heard = []
    with listener, contextlib.suppress(BlockingIOError):
        heard.append(listener.recv(100))
    yield World(kit.root, home, school, out, before, results, heard)


def hand_in(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


def exercise(result: SubmissionResult, name: str) -> ExerciseResult:
    return next(each for each in result.exercises if each.exercise == name)


def level_reached(world: World) -> int:
    return LEVELS.index(world.results.isolation[0])


@pytest.mark.parametrize("name", READ)
def test_a_case_comes_to_what_its_header_says(world: World, name: str) -> None:
    case = READ[name]
    number = list(READ).index(name)
    if level_reached(world) < LEVELS.index(case.needs):
        pytest.skip(f"needs {case.needs}, this machine reaches {world.results.isolation[0]}")
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


@pytest.mark.parametrize("name", ["scipy", "torch"])
def test_a_package_that_does_the_work_is_named(world: World, name: str) -> None:
    found = world.submission(f"{list(READ).index(name):03}-try-{name}")
    assert found.notice is not None and name in found.notice


def test_there_are_enough_cases() -> None:
    assert len(READ) >= 60


def test_what_was_written_holds_no_hidden_input_and_no_secret(world: World) -> None:
    pages = [path for path in world.out.rglob("*") if path.is_file()]
    assert any(path.suffix == ".html" for path in pages)
    for path in pages:
        text = path.read_bytes()
        for mark in (*SEEN, "".join(TOKEN).encode(), b"BEGIN SOLUTION"):
            assert mark not in text, path.name


def test_nothing_written_can_steer_a_terminal_or_a_page(world: World) -> None:
    for path in world.out.rglob("*"):
        if path.suffix not in (".html", ".json"):
            continue
        text = path.read_text("utf-8")
        assert not set(text) & set("\x1b\x07\x08\x9b\u202e\u202c"), path.name
        if path.suffix == ".html":
            assert "<script>alert" not in text and "<h1>Score: 100" not in text
        else:
            assert "\\u001b" not in json.dumps(json.loads(text))


def test_nothing_of_others_has_changed(world: World) -> None:
    if level_reached(world) < LEVELS.index("L2"):
        pytest.skip("needs L2: without a file barrier a hand-in can write what its user can")
    after = fingerprint(
        world.kit / "solutions", world.kit / "autograder" / "graders", world.home, world.school
    )
    assert after == world.before


def test_nothing_is_left_on_the_machine(world: World) -> None:
    if level_reached(world) < LEVELS.index("L2"):
        pytest.skip("needs L2: without a file barrier a hand-in can write what its user can")
    left = [
        str(path)
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run")
        if Path(folder).is_dir()
        for name in ("attn-x", "attn-fill", "attn-note", "attn-inputs")
        for path in Path(folder).glob(name)
    ]
    assert left == []


def test_nothing_was_sent_out(world: World) -> None:
    if level_reached(world) < LEVELS.index("L2"):
        pytest.skip("needs L2: without a filter of system calls the network is open")
    assert world.heard == []


HARMLESS = (
    "lists_folders",
    "reference_on_disk",
    "tcp_udp_unix",
    "memfd_and_shm",
    "environment_of_ancestors",
    "fork_bomb",
    "metadata",
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("name", HARMLESS)
def test_a_case_does_break_out_where_nothing_holds_it(tmp_path: Path, name: str) -> None:
    """Else it would prove nothing where it does not."""
    kit, place = Path(__file__).parents[2], tmp_path / "a-right"
    hand_in(place, {"softmax.py": "", "attention_scores.py": ""})
    text = READ[name].text.replace("{ROOT}", str(kit)).replace("{CLASS}", str(tmp_path))
    text = text.replace("{OUT}", str(tmp_path)).replace("{PORT}", "9")
    with Sandbox(without=("landlock", "seccomp", "uid")) as sandbox:
        files = [("softmax.py", text.encode())]
        worker = sandbox.open(files, exercises=[("softmax", ("softmax",))])
        printed = worker.prepare("softmax").stdout
        worker.close()
    for left in ("/tmp/attn-x", "/dev/shm/attn-x"):
        Path(left).unlink(missing_ok=True)
    assert "BROKE" in printed

"""What tests of the solutions share: the kit, its reference, and solutions/ as an import path."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from small_kit import small_kit

from autograder.batch import Grader
from autograder.exercise import Kit, read_kit, reference
from autograder.results import SubmissionResult
from autograder.submission import find

ROOT = Path(__file__).resolve().parent.parent
# What takes longest goes first where tests run side by side: begun last, one of these files would
# keep one process busy for minutes after the others have ended.
LONGEST = (
    "test_reported_course.py",
    "test_course_routes.py",
    "test_course_class.py",
    "test_same_verdict.py",
    "test_notebook_path.py",
    "test_formgrader.py",
    "test_course_add.py",
    "test_fault_injection.py",
    "test_plugin.py",
    "test_mutation_slice.py",
    "test_judge.py",
    "test_attacks.py",
    "test_class_of_hundred.py",
    "test_fresh.py",
    "test_notebook_runs.py",
    "test_resume.py",
    "test_cluster.py",
    "test_watch.py",
)


@pytest.fixture(scope="session")
def kit() -> Kit:
    """The kit of this checkout."""
    return read_kit(ROOT)


@pytest.fixture(scope="session")
def solutions(kit: Kit) -> SimpleNamespace:
    """The reference, as ``solutions.heads.split_heads``; no module of it stays in this process."""
    return SimpleNamespace(
        **{name: SimpleNamespace(**found) for name, found in reference(kit).items()}
    )


@pytest.fixture(scope="session")
def grader(kit: Kit) -> Iterator[Grader]:
    """A grader of all exercises."""
    opened = Grader(kit, (), "en", b"test")
    yield opened
    opened.close()


@pytest.fixture
def grade(
    grader: Grader, kit: Kit, tmp_path: Path
) -> Callable[[dict[str, bytes]], SubmissionResult]:
    """Grade one hand-in, given as its files."""

    def run(files: dict[str, bytes]) -> SubmissionResult:
        for name, data in files.items():
            path = tmp_path / "class" / "student" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (found,), _ = find([tmp_path / "class"], kit.ids)
        return grader.grade(found.read())

    return run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a small kit of its own."""
    return small_kit(tmp_path / "kit")


@pytest.fixture
def little(home: Path) -> Kit:
    """The small kit, read."""
    return read_kit(home)


@pytest.fixture
def importable_solutions(kit: Kit) -> Iterator[None]:
    """Let ``from softmax import softmax`` find solutions/ for the length of one test."""
    path, before = str(ROOT / "solutions"), set(sys.modules)
    sys.path.insert(0, path)
    try:
        yield
    finally:
        sys.path.remove(path)
        for name in set(kit.ids) - before:
            sys.modules.pop(name, None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):  # one of several processes
        place = {name: number for number, name in enumerate(LONGEST)}
        items.sort(key=lambda item: place.get(item.path.name, len(place)))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden",
        action="store_true",
        help="Write the files under tests/golden/ anew; read them in the diff.",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a file under tests/golden/, or write it where the flag says so."""

    def compare(name: str, text: str) -> None:
        path = ROOT / "tests" / "golden" / name
        if request.config.getoption("--refresh-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
        assert path.read_text("utf-8") == text

    return compare

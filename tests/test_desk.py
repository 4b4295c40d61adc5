"""The student's desk: verdicts from a folder that holds nothing but the bundle."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder import verdict
from autograder.bank import load_bank
from autograder.build import build
from autograder.desk import Desk, DeskNotFound, Playback, check, find_folder, open_desk
from autograder.exercise import given_sources, read_kit
from autograder.grade import KitFault, Outcome, run_checks
from autograder.playback import RecordingReference, RecordingRng
from autograder.sandbox import Sandbox
from autograder.student import LocalStudent
from autograder.visible import visible_seed
from tests.running import VARIANTS, checks_of, graders, kit, variant
from tests.small_kit import small_kit

ROOT = Path(__file__).resolve().parent.parent
RIGHT = "def twice(x):\n    return 2 * x\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's folder, far from the kit that made it."""
    kit = read_kit(small_kit(tmp_path / "kit"))
    build(kit)
    bundle = tmp_path / "a folder 课程"
    shutil.copytree(kit.bundle, bundle)
    return bundle


def _states(folder: Path, sandbox: Sandbox, *exercises: str) -> dict[str, str]:
    found = check(open_desk(folder), exercises, sandbox)
    return {each.judged.exercise: each.state for each in found}


def test_nothing_is_started_when_the_bundle_is_fresh(folder: Path, sandbox: Sandbox) -> None:
    assert _states(folder, sandbox) == {"twice": "not_started", "quadruple": "not_started"}


def test_the_place_is_named_when_nothing_is_written_yet(folder: Path, sandbox: Sandbox) -> None:
    [found] = check(open_desk(folder), ["twice"], sandbox)
    lines = (folder / "twice.py").read_text("utf-8").split("\n")
    line = lines.index("    # YOUR CODE HERE") + 1
    [said] = {found.sentence(each) for each in found.judged.outcomes}
    assert said == f"Not started yet. Open twice.py, line {line}: that is your place."


def test_an_exercise_is_correct_when_its_function_is(folder: Path, sandbox: Sandbox) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    assert _states(folder, sandbox) == {"twice": "correct", "quadruple": "not_started"}
    assert _states(folder, sandbox, "twice") == {"twice": "correct"}


def test_the_file_on_disk_counts_when_it_was_just_saved(folder: Path, sandbox: Sandbox) -> None:
    states = []
    for body in ("x + 2", "2 * x"):
        (folder / "twice.py").write_text(f"def twice(x):\n    return {body}\n", "utf-8")
        states += _states(folder, sandbox, "twice").values()
    assert states == ["not_yet", "correct"]


def test_a_sentence_says_what_is_amiss_when_numbers_differ(folder: Path, sandbox: Sandbox) -> None:
    (folder / "twice.py").write_text("def twice(x):\n    return x + 2\n", "utf-8")
    desk = open_desk(folder)
    [found] = check(desk, ["twice"], sandbox)
    assert [each.status for each in found.judged.outcomes] == ["passed", "failed"]
    said = list(verdict.lines(found, desk.about("twice")))
    assert said[0] == "twice · Twice: a number doubled: not yet"
    assert said[2].endswith("Each number is doubled")
    assert "\n" not in said[3]
    assert "6 of 6 numbers differ" in said[3]


def test_a_check_is_skipped_when_what_it_needs_failed(folder: Path, sandbox: Sandbox) -> None:
    (folder / "twice.py").write_text("def twice(x):\n    return None\n", "utf-8")
    [found] = check(open_desk(folder), ["twice"], sandbox)
    assert [each.status for each in found.judged.outcomes] == ["failed", "skipped"]


@pytest.mark.parametrize("body", ["raise KeyError(7)", "import os; os._exit(0)", "return twice(x)"])
def test_others_are_checked_when_one_function_breaks(
    body: str, folder: Path, sandbox: Sandbox
) -> None:
    (folder / "twice.py").write_text(f"def twice(x):\n    {body}\n", "utf-8")
    source = given_sources(read_kit(folder.parent / "kit"))["quadruple"]
    own = source.replace("from twice import twice", RIGHT)
    (folder / "quadruple.py").write_text(own, "utf-8")
    assert _states(folder, sandbox) == {"twice": "not_yet", "quadruple": "correct"}


def test_an_exercise_in_the_notebook_is_found_when_the_file_is_a_stub(
    folder: Path, sandbox: Sandbox
) -> None:
    path = folder / "attention.ipynb"
    stub = '    # YOUR CODE HERE\\n",\n    "    raise NotImplementedError()'
    text = path.read_text("utf-8")
    assert stub in text
    path.write_text(text.replace(stub, "    return 2 * x", 1), "utf-8")
    assert _states(folder, sandbox, "twice") == {"twice": "correct"}


def test_a_virtual_environment_is_no_matter_when_it_lies_in_the_folder(
    folder: Path, sandbox: Sandbox
) -> None:
    packages = folder / "venv" / "lib" / "packages"
    packages.mkdir(parents=True)
    (folder / "venv" / "pyvenv.cfg").touch()
    for number in range(300):
        (packages / f"m{number}.py").touch()
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    assert _states(folder, sandbox, "twice") == {"twice": "correct"}


def test_the_desk_is_found_when_working_inside_it_or_above(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")
    assert find_folder().resolve() == folder.resolve()
    monkeypatch.chdir(ROOT)
    assert find_folder() == ROOT / "exercises"


def test_a_sentence_is_given_when_there_is_no_desk(tmp_path: Path) -> None:
    with pytest.raises(DeskNotFound, match="is not the exercises' folder"):
        find_folder(tmp_path)


@pytest.mark.parametrize("name", ["test_exercises.py", "checks.json"])
def test_a_sentence_is_given_when_the_checks_were_edited(name: str, folder: Path) -> None:
    path = folder / name
    path.write_text(path.read_text("utf-8")[:-40] + "(", "utf-8")
    with pytest.raises(DeskNotFound, match="take both from the bundle again"):
        open_desk(folder)


def test_the_exercises_are_listed_when_one_is_unknown(folder: Path) -> None:
    with pytest.raises(DeskNotFound, match="there are: twice, quadruple"):
        check(open_desk(folder), ["thrice"])


# pytest's door


def _pytest(folder: Path, *arguments: str) -> tuple[int, str]:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rsf", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ATTN_LANG": "en", "COLUMNS": "300"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_pytest_says_the_same_when_run_in_the_folder(folder: Path) -> None:
    (folder / "twice.py").write_text("def twice(x):\n    return x + 2\n", "utf-8")
    code, said = _pytest(folder, "-v")
    assert code == 1
    assert "test_exercises.py::test_twice[shape_stays] PASSED" in said
    assert "test_exercises.py::test_twice[values] FAILED" in said
    assert "FAILED test_exercises.py::test_twice[values] - Failed: The shape of your" in said
    assert "FAILED test_exercises.py::test_quadruple[forward] - Failed: Not started yet" in said
    assert "Traceback" not in said
    assert "autograder" not in said.replace(str(ROOT), "")


def test_pytest_passes_when_the_solutions_are_in_the_folder(folder: Path) -> None:
    for name, source in given_sources(read_kit(folder.parent / "kit")).items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    code, said = _pytest(folder)
    assert (code, "3 passed" in said) == (0, True)


# The kit's own bundle


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bundle = tmp_path_factory.mktemp("solved")
    for name in ("test_exercises.py", "checks.json"):
        shutil.copy(ROOT / "exercises" / name, bundle)
    for name, source in given_sources(kit()).items():
        (bundle / f"{name}.py").write_text(source, "utf-8")
    return bundle


def test_every_shipped_check_passes_when_the_solutions_answer(
    solved: Path, sandbox: Sandbox
) -> None:
    found = check(open_desk(solved), sandbox=sandbox)
    assert [each.judged.exercise for each in found if each.state != "correct"] == []
    assert all(each.judged.outcomes for each in found)


@pytest.mark.parametrize("exercise", kit().ids)
def test_no_check_asks_for_what_was_not_recorded_when_answers_are_wrong(exercise: str) -> None:
    """Whatever comes back, a shipped check ends in a verdict and never in a fault of the kit."""
    wrong = [None, 1.5, "x", (1, 2), [], np.full((4, 4), np.nan), np.zeros((5, 5), bool)]
    for answer in wrong:
        wrong_names = {name: _constant(answer) for name in kit().exercise(exercise).names}
        outcomes = _played(exercise, {**graders().everything, **wrong_names})
        assert not all(each.passed for each in outcomes), answer


@pytest.mark.parametrize("path", sorted(VARIANTS.glob("*/*.py")), ids=lambda path: path.stem)
def test_played_checks_pass_when_a_right_variant_answers(path: Path) -> None:
    outcomes = _played(path.parent.name, variant(path))
    assert [each.check.name for each in outcomes if not each.passed] == []


@pytest.mark.parametrize("exercise", kit().ids)
def test_played_checks_end_as_live_ones_when_a_known_mistake_answers(exercise: str) -> None:
    """The same check with live numbers and with recorded ones comes to the same end."""
    bank = load_bank(kit().mistakes, exercise)
    live = {each.name: each for each in checks_of(exercise) if each.declared.visible}
    for chain, mistake in bank.variants(doubles=False):
        names = bank.namespace(chain, mistake, graders().everything)
        played = _played(exercise, names)
        again = run_checks(
            live.values(),
            LocalStudent(names),
            lambda: RecordingReference(graders().everything),
            lambda check: RecordingRng(visible_seed(check)),
        )
        ends = [(each.check.name, each.status, each.code) for each in played]
        assert ends == [(each.check.name, each.status, each.code) for each in again], mistake


@functools.cache
def _shipped() -> Desk:
    return open_desk(ROOT / "exercises")


def _played(exercise: str, names: Mapping[str, Any]) -> list[Outcome]:
    desk = _shipped()
    playback = Playback(desk.data)
    student = LocalStudent(names)
    return run_checks(desk.checks[exercise], student, playback.reference, playback.rng_for)


def _constant(answer: object) -> object:
    return lambda *args, **kwargs: answer


def test_a_fault_of_the_kit_is_told_when_numbers_are_missing() -> None:
    desk = open_desk(ROOT / "exercises")
    damaged = {**desk.data["exercises"]["softmax"]["checks"]["values"], "rng": []}
    data = {"exercises": {"softmax": {"checks": {"values": damaged}}}}
    playback = Playback(data)
    [one] = [each for each in desk.checks["softmax"] if each.name == "values"]
    student = LocalStudent({"softmax": np.exp})
    with pytest.raises(KitFault, match="recorded"):
        run_checks([one], student, playback.reference, playback.rng_for)


def test_no_slow_package_is_imported_when_the_desk_starts() -> None:
    slow = ("pytest", "rich", "IPython", "nbformat", "jupytext", "click", "hypothesis")
    code = (
        "import sys, autograder.desk, autograder.verdict;"
        f"print([name for name in {slow!r} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.stdout.strip() == "[]", ran.stderr


def _work(*arguments: str, cwd: Path) -> float:
    """Give the seconds of processor time that a Python process and its children take."""
    resource = pytest.importorskip("resource", reason="no processor time of children here")

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return float(used.ru_utime + used.ru_stime)

    before = spent()
    subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        timeout=120,
    )
    return spent() - before


def test_one_exercise_is_checked_soon_when_started_cold(solved: Path) -> None:
    """The aim is 0.5 s, about five times an import of numpy, whatever else the machine does."""
    pairs = [
        (
            _work("-c", "import numpy", cwd=solved),
            _work("-m", "autograder", "check", "softmax", cwd=solved),
        )
        for _ in range(3)
    ]
    assert min(check for _, check in pairs) < 8 * min(floor for floor, _ in pairs)


def test_the_readme_names_the_wheel_of_this_version() -> None:
    from autograder import __version__

    text = (ROOT / "exercises" / "README.md").read_text("utf-8")
    assert text.count(f"./attention_kit-{__version__}-py3-none-any.whl") == 2


def test_the_desk_keeps_the_order_of_the_course() -> None:
    desk: Desk = open_desk(ROOT / "exercises")
    assert tuple(desk.checks) == kit().ids
    assert [name for name, _ in desk.names] == list(desk.checks)

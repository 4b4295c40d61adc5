"""Reading the bundle in parts: each part is what the whole has, and less is never too little."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder import bundle
from autograder.bundle import Members, Source, mark, needed, numbers
from autograder.desk import VisibleTest, open_desk
from autograder.exercise import Kit
from autograder.notebook import notebook

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "exercises" / "checks.json"
CHECKS = ROOT / "exercises" / "test_exercises.py"


def _plain(value: object) -> object:
    return {k: _plain(v) for k, v in value.items()} if isinstance(value, Members) else value


def test_numbers_read_in_parts_are_those_of_the_whole_file() -> None:
    read = numbers(DATA)
    assert isinstance(read, Members)
    assert isinstance(read["exercises"]["softmax"], Members)
    assert _plain(read) == json.loads(DATA.read_text("utf-8"))


def test_nothing_of_an_exercise_is_parsed_when_another_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, parsed = numbers(DATA), list[int]()
    loads = json.loads

    def noted(text: str) -> object:
        parsed.append(len(text))
        return loads(text)

    monkeypatch.setattr(bundle.json, "loads", noted)
    assert read["exercises"]["causal_mask"]["about"]["points"] == 6.0
    assert sum(parsed) < 2_000


@pytest.mark.parametrize("indent", [None, 0, 4])
def test_the_whole_file_is_read_when_it_is_laid_out_otherwise(
    tmp_path: Path, indent: int | None
) -> None:
    tree = json.loads(DATA.read_text("utf-8"))
    path = tmp_path / "checks.json"
    path.write_text(json.dumps(tree, indent=indent), "utf-8")
    assert _plain(numbers(path)) == tree


def test_a_part_is_refused_when_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "checks.json"
    path.write_text(DATA.read_text("utf-8").replace('"minutes": 10', '"minutes": ten', 1), "utf-8")
    with pytest.raises(ValueError, match="Expecting value"):
        _plain(numbers(path))


def _tests(module: object) -> dict[str, VisibleTest]:
    found = vars(module).values()
    return {each.exercise: each for each in found if isinstance(each, VisibleTest)}


def test_checks_run_alone_are_those_of_the_whole_file(kit: Kit) -> None:
    source = Source(CHECKS)
    whole = _tests(source.run("no such exercise"))
    assert tuple(whole) == kit.ids
    for exercise in kit.ids:
        alone = _tests(source.run(exercise))
        assert list(alone) == [exercise]
        for one, other in zip(alone[exercise].checks, whole[exercise].checks, strict=True):
            assert (one.name, one.title, one.declared) == (other.name, other.title, other.declared)
            first, second = one.function.__code__, other.function.__code__
            assert first.co_firstlineno == second.co_firstlineno
            assert first.co_code == second.co_code


def test_everything_is_run_when_a_learner_has_written_below(tmp_path: Path) -> None:
    path = tmp_path / "test_exercises.py"
    path.write_text(CHECKS.read_text("utf-8") + "\n\nMINE = 1\n", "utf-8")
    assert len(_tests(Source(path).run("softmax"))) == 11


# Which files a worker is given

UNTOUCHED = {"one.py": b"def one(): ...\n", "two.py": b"import one\n", "three.py": b"import two\n"}
MARKS = {name: mark(name, data) for name, data in UNTOUCHED.items()}
BOOK = json.dumps({"cells": [{"cell_type": "code", "source": ["def one(): ...\n"]}]}).encode()


def _kept(changed: dict[str, bytes], wanted: str) -> list[str]:
    files = [*{**UNTOUCHED, **changed}.items()]
    marks = {**MARKS, "attention.ipynb": mark("attention.ipynb", BOOK)}
    return [name for name, _ in needed(files, {wanted: [wanted]}, ["one", "two", "three"], marks)]


@pytest.mark.parametrize(
    ("changed", "wanted", "kept"),
    [
        ({}, "one", ["one.py"]),
        ({}, "two", ["one.py", "two.py"]),
        ({}, "three", ["one.py", "two.py", "three.py"]),
        ({"one.py": b"def one(): return 1\n"}, "one", ["one.py"]),
        ({"two.py": b"x = 1\n"}, "one", ["one.py", "two.py"]),
        ({"mine.py": b"from two import x\n"}, "one", ["one.py", "two.py", "mine.py"]),
        ({"attention.ipynb": BOOK}, "one", ["one.py"]),
        ({"one.py": b"pass\n", "attention.ipynb": BOOK}, "one", ["one.py", "attention.ipynb"]),
    ],
    ids=[
        "others-are-stubs",
        "it-imports-a-stub",
        "a-stub-imports-a-stub",
        "it-is-written",
        "another-is-written",
        "a-file-of-her-own-imports",
        "notebook-as-handed-out",
        "only-the-notebook-has-the-stub",
    ],
)
def test_files_are_left_out_when_no_verdict_needs_them(
    changed: dict[str, bytes], wanted: str, kept: list[str]
) -> None:
    assert _kept(changed, wanted) == kept


def test_a_notebook_is_kept_when_one_of_its_cells_was_changed() -> None:
    tree = json.loads(BOOK)
    tree["cells"][0]["source"] = "def one(): return 1\n"
    assert _kept({"attention.ipynb": json.dumps(tree).encode()}, "one")[-1] == "attention.ipynb"


def test_a_notebook_counts_as_handed_out_when_jupyter_only_saved_it() -> None:
    tree = json.loads(BOOK)
    tree["cells"][0] |= {"execution_count": 3, "outputs": [{"output_type": "stream"}]}
    tree["cells"].append({"cell_type": "code", "source": "\n"})
    assert _kept({"attention.ipynb": json.dumps(tree, indent=4).encode()}, "one") == ["one.py"]


def test_the_bundle_says_how_each_file_was_handed_out(kit: Kit) -> None:
    marks = open_desk(kit.bundle).data["untouched"]
    assert set(marks) == {f"{each}.py" for each in kit.ids} | {"attention.ipynb"}
    for name, found in marks.items():
        assert mark(name, (kit.bundle / name).read_bytes()) == found


def test_the_notebook_in_another_language_counts_as_handed_out(kit: Kit) -> None:
    text = notebook(kit, dict.fromkeys(kit.ids, 1.0), "zh")
    marks = open_desk(kit.bundle).data["untouched"]
    assert mark("attention.ipynb", text.encode("utf-8")) == marks["attention.ipynb"]

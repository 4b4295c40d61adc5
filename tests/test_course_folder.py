"""What `attn course release` puts beside the notebook: the kit, how to install it, the quiz and
prompts of a student's bundle; no secret.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

import autograder
from autograder import quizbook
from autograder import release as bundle
from autograder.course import release
from autograder.course.place import Course
from autograder.course.setup import needed
from autograder.exercise import Kit, SourceError
from autograder.wheel import packed

NAME = "attention_kit-9.9-py3-none-any.whl"


@pytest.fixture
def course(kit: Kit, tmp_path: Path) -> Course:
    """A course whose notebook is released, and nothing beside it."""
    made = Course(tmp_path, kit.root, lang="zh")
    made.release.parent.mkdir(parents=True)
    made.release.write_text(json.dumps({"cells": [], "metadata": {}}), encoding="utf-8")
    return made


def with_wheel(monkeypatch: pytest.MonkeyPatch, **members: str) -> None:
    inside = {name.replace("__", "/") + ".py": text.encode() for name, text in members.items()}
    monkeypatch.setattr(release, "wheel", lambda root: (NAME, packed(inside)))


def test_wheel_and_how_to_install_it_stand_beside_the_notebook(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_wheel(monkeypatch, autograder__cli="pass\n")
    assert release.install(course) == ""
    folder = course.release.parent
    assert {each.name for each in folder.iterdir()} == {"attention.ipynb", NAME, "README.md"}
    text = (folder / "README.md").read_text("utf-8")
    assert f"pip install ./{NAME} notebook" in text
    assert text.index("从这里开始") < text.index("Start here")  # the course's language first
    assert release.problems(course) == []


def test_a_readme_of_the_instructor_stays(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    own = course.release.with_name("README.md")
    own.write_text("mine", encoding="utf-8")
    with_wheel(monkeypatch, autograder__cli="pass\n")
    release.install(course)
    assert own.read_text("utf-8") == "mine"
    assert NAME in own.with_name("README-attention.md").read_text("utf-8")


@pytest.mark.parametrize("where", ["autograder__graders__test_softmax", "autograder__helper"])
def test_a_wheel_that_holds_a_grader_or_a_solution_is_refused(
    where: str, course: Course, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_wheel(monkeypatch, **{where: kit.exercise("softmax").source})
    release.install(course)
    assert any(each.startswith(NAME) for each in release.problems(course))


def test_what_cannot_be_opened_is_refused(course: Course) -> None:
    course.release.with_name(NAME).write_bytes(b"PK")
    assert any("cannot be looked through" in each for each in release.problems(course))


def test_no_wheel_is_told_and_leaves_nothing(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(root: Path) -> None:
        raise SourceError(root, 1, "setuptools is needed")

    monkeypatch.setattr(release, "wheel", fail)
    assert "setuptools is needed" in release.install(course)
    assert [each.name for each in course.release.parent.iterdir()] == ["attention.ipynb"]


# The quiz and the prompts


def test_the_quiz_and_the_prompts_are_those_of_a_students_bundle(course: Course, kit: Kit) -> None:
    written = release.enclose(course)
    folder = course.release.parent
    quiz = (folder / "quiz.json").read_text("utf-8")
    assert quiz == (kit.bundle / "quiz.json").read_text("utf-8")
    assert set(written) == {"quiz.json", *bundle.prompts(kit)}
    assert "prompts/attention-explainer.zh.md" in written
    assert not [each for each in written if "quiz-maker" in each or "feedback-writer" in each]
    for name, data in bundle.prompts(kit).items():
        assert (folder / name).read_bytes() == data
    assert release.problems(course) == []


def test_a_course_of_few_exercises_asks_about_what_is_set_or_given(
    course: Course, kit: Kit
) -> None:
    release.enclose(dataclasses.replace(course, exercises=("masked_attention",)))
    items = json.loads(course.release.with_name("quiz.json").read_text("utf-8"))["items"]
    asked = {item["exercise"] for item in items}
    assert "masked_attention" in asked
    assert asked <= {"masked_attention", *needed(kit, ["masked_attention"])}
    assert len(items) < len(quizbook.source(kit.graders))


def test_what_the_instructor_put_there_stays(course: Course) -> None:
    own = course.release.parent / "prompts" / "attention-explainer.md"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    assert "prompts/attention-explainer.md" not in release.enclose(course)
    assert own.read_text("utf-8") == "mine"


def test_a_quiz_that_tells_its_answers_is_refused(course: Course, kit: Kit) -> None:
    release.enclose(course)
    shutil.rmtree(course.release.parent / "prompts")
    path = course.release.with_name("quiz.json")
    tree = json.loads(path.read_text("utf-8"))
    answers = quizbook.source(kit.graders)
    for item in tree["items"]:
        if item["id"] == "first":
            item["right"] = answers["first"]["right"]
        if item["id"] == "rows":
            item["codes"] = answers["rows"]["codes"]
        if item["id"] == "after":
            item["answer"] = answers["after"]["right"]
    path.write_text(json.dumps(tree), encoding="utf-8")
    told = {each for each in release.problems(course) if each.startswith("quiz.json")}
    sentence = "quiz.json: tells an answer to the question"
    assert told == {f"{sentence} {each}" for each in ("first", "rows", "after")}


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("quiz.json", "[]", "is no quiz"),
        ("quiz.toml", '[first]\nright = "1.00"\n', "holds the answers of the quiz"),
        ("prompts/x.md", "Say: `e / e.sum(axis=axis, keepdims=True)`", "statement of a solution"),
    ],
)
def test_what_stands_beside_it_is_looked_through(
    name: str, text: str, what: str, course: Course
) -> None:
    path = course.release.parent / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert [each for each in release.problems(course) if each.startswith(name) and what in each]


def test_a_notebook_in_the_released_folder_asks_and_answers(
    course: Course, kit: Kit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release.enclose(course)
    shutil.copyfile(kit.bundle / "checks.json", course.release.with_name("checks.json"))
    shutil.copyfile(kit.bundle / "test_exercises.py", course.release.with_name("test_exercises.py"))
    monkeypatch.chdir(course.release.parent)
    assert autograder.quiz(5, lang="en") is None
    assert "Six words with a causal mask" in capsys.readouterr().out
    assert "As you predicted." in autograder.quiz(5, 1, lang="en")._repr_html_()
    assert "1 of 12 questions answered" in capsys.readouterr().out
    wrong = autograder.quiz(6, 7, lang="en")
    assert "It comes out otherwise." in wrong._repr_html_()

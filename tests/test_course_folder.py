"""What `attn course release` puts beside the notebook: the kit, how to install it, no secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.course import release
from autograder.course.place import Course
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

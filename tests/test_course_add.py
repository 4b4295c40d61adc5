"""`attn course add`: an existing course gets the assignment, and keeps what it has."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from course_class import KIT, attn, changed, hand_in, points, right, run
from test_course_class import WRONG, source

pytest.importorskip("nbgrader", reason="the course extra is not installed")
pytest.importorskip("matplotlib", reason="the course extra is not installed")

pytestmark = pytest.mark.xdist_group("course_add")

CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "old"  # no line end below'
MARK = {"locked": False, "schema_version": 3, "task": False}


def _cell(text: str, **mark: Any) -> dict[str, Any]:
    return {
        "cell_type": "code", "execution_count": None, "id": mark["grade_id"], "outputs": [],
        "metadata": {"nbgrader": {**MARK, **mark}}, "source": text,
    }  # fmt: skip


def _done(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A course with an assignment of its own, graded; then ours is added, graded and reported."""
    folder = tmp_path_factory.mktemp("existing")
    (folder / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    cells = [
        _cell("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", grade_id="a", grade=False,
              solution=True),
        _cell("assert x == 1", grade_id="t", grade=True, solution=False, points=2, locked=True),
    ]  # fmt: skip
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "source" / "ps1").mkdir(parents=True)
    (folder / "source" / "ps1" / "p1.ipynb").write_text(json.dumps(book), "utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}/usr/bin:/bin"  # stock needs `alembic`
    _done(run("nbgrader", "generate_assignment", "ps1", cwd=folder, PATH=path))
    handed = folder / "submitted" / "ann" / "ps1"
    handed.mkdir(parents=True)
    shutil.copyfile(folder / "source" / "ps1" / "p1.ipynb", handed / "p1.ipynb")
    _done(run("nbgrader", "autograde", "ps1", cwd=folder, PATH=path))
    roster = folder.parent / "roster.csv"
    roster.write_text('\ufeffid;last_name\r\n007;"Lee, Jr."\r\n7;Kim\r\n', "utf-8", newline="")
    _done(attn("course", "add", folder, "--students", roster))
    _done(attn("course", "release", cwd=folder))
    book = right(folder)
    hand_in(folder, "007", {"attention.ipynb": changed(book, lambda b: None)})
    hand_in(folder, "7", {"attention.ipynb": changed(book, source("softmax", WRONG))})
    _done(attn("course", "grade", cwd=folder))
    _done(attn("course", "report", cwd=folder))
    yield folder


def test_both_students_are_graded_when_the_assignment_was_added(course: Path) -> None:
    found = points(course)
    assert sum(score or 0 for score in found["007"].values()) == 100
    assert 0 < sum(score or 0 for score in found["7"].values()) < 100
    assert (course / "feedback" / "007" / "attention" / "attention.html").is_file()


def test_the_grades_file_has_everybody_with_ids_as_text(course: Path) -> None:
    with (course / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert {each: rows[each]["status"] for each in rows} == {
        "007": "graded", "7": "graded", "ann": "missing",
    }  # fmt: skip
    assert rows["007"]["last_name"] == "Lee, Jr."


def test_the_course_s_own_assignment_goes_on_as_before(course: Path) -> None:
    _done(run("nbgrader", "autograde", "ps1", "--force", cwd=course))
    database = sqlite3.connect(course / "gradebook.db")
    rows = database.execute(
        "SELECT grade.auto_score FROM grade JOIN base_cell ON base_cell.id = grade.cell_id "
        "WHERE base_cell.name = 't'"
    ).fetchall()
    database.close()
    assert rows == [(2.0,)]
    text = (course / "nbgrader_config.py").read_text("utf-8")
    assert text.startswith(CONFIG + "\n")


def test_a_second_add_is_refused_with_a_sentence(course: Path) -> None:
    before = (course / "nbgrader_config.py").read_text("utf-8")
    done = attn("course", "add", course)
    assert done.returncode == 2
    assert "has the assignment attention already" in done.stderr
    assert (course / "nbgrader_config.py").read_text("utf-8") == before


def test_a_folder_that_is_no_course_is_refused(tmp_path: Path) -> None:
    done = attn("course", "add", tmp_path)
    assert done.returncode == 2
    assert "is no nbgrader course" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    ['c.CourseDirectory.submitted_directory = "in"', 'c.CourseDirectory.db_url = "sqlite:///x.db"',
     'c.CourseDirectory.root = "/srv/other"'],
    ids=["folder", "database", "root"],
)  # fmt: skip
def test_a_course_with_other_folders_is_refused_and_left_as_it_was(
    line: str, tmp_path: Path
) -> None:
    config = tmp_path / "nbgrader_config.py"
    config.write_text(f"c = get_config()\n{line}\n", "utf-8")
    done = attn("course", "add", tmp_path)
    assert done.returncode == 2
    assert line.split(" ")[0] in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["nbgrader_config.py"]


def test_nothing_is_left_when_the_gradebook_cannot_be_made(tmp_path: Path) -> None:
    config = tmp_path / "nbgrader_config.py"
    config.write_text(CONFIG, "utf-8")
    (tmp_path / "gradebook.db").write_text("no database", "utf-8")
    done = attn("course", "add", tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    left = {path.name for path in tmp_path.iterdir()} - {"source"}
    assert left == {"nbgrader_config.py", "gradebook.db"}
    assert config.read_text("utf-8") == CONFIG


def test_a_first_gradebook_needs_no_program_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbgrader's own
        from autograder.course.gradebook import open_gradebook

        monkeypatch.setenv("PATH", "/nowhere")
        with open_gradebook(tmp_path) as gradebook:
            assert gradebook.students == []
    database = sqlite3.connect(tmp_path / "gradebook.db")
    [(version,)] = database.execute("SELECT version_num FROM alembic_version").fetchall()
    database.close()
    assert len(version) == 12


def _readable_by_all(path: Path) -> bool:
    return all(each.stat().st_mode & 0o005 == 0o005 for each in (path, *path.parents))


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="every test is an ordinary user's here"
)
def test_a_course_works_when_an_ordinary_user_makes_it(tmp_path: Path) -> None:
    if not _readable_by_all(Path(sys.executable).resolve()) or not _readable_by_all(KIT):
        pytest.skip("only root may run this interpreter")
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == "root" and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o005)
        if folder.name.startswith("pytest-of"):
            break
    home = tmp_path / "home"
    home.mkdir(mode=0o777)
    home.chmod(0o777)
    for words in (("init", "c"), ("release", "--course", "c")):
        done = subprocess.run(
            [sys.executable, "-m", "autograder", "course", *words],
            cwd=home,
            env={"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": str(KIT)},
            user=65534,
            group=65534,
            extra_groups=[],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

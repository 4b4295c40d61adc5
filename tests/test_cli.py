"""The command `attn`: exit codes, and one sentence for each way in that leads nowhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from classroom import COLUMNS, write

from autograder.exercise import Kit, given_sources


def attn(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `attn` as a user does, in a folder of its own."""
    root = Path(__file__).resolve().parent.parent
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("ATTN_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "autograder", *map(str, words)],
        capture_output=True, text=True, cwd=cwd, check=False, encoding="utf-8",
        env={**inherited, "PYTHONPATH": str(root), "LC_ALL": "C.UTF-8", **environment},
    )  # fmt: skip


@pytest.fixture
def right(kit: Kit, tmp_path: Path) -> Path:
    files = {f"{name}.py": text for name, text in given_sources(kit).items()}
    return write(tmp_path / "class" / "student-01", files)


def said(ran: subprocess.CompletedProcess[str]) -> str:
    assert "Traceback" not in ran.stderr + ran.stdout
    return ran.stderr


@pytest.mark.parametrize("words", [("", "--out", "o"), (".", "--out", "")], ids=["path", "out"])
def test_a_path_of_no_letters_is_no_folder(words, tmp_path):
    ran = attn("grade", *words, cwd=tmp_path)
    assert ran.returncode == 2 and "it is empty" in said(ran)


def test_grade_gives_0_for_a_graded_class(right, kit, tmp_path):
    ran = attn("grade", right.parent, "--out", "out", "--kit", kit.root, cwd=tmp_path)
    assert (ran.returncode, said(ran)) == (0, "")
    assert "student-01" in ran.stdout and "100.0" in ran.stdout
    written = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert written["isolation"][0] in ("L0", "L1", "L2", "L3", "L4")
    assert (tmp_path / "out" / "index.html").is_file()


@pytest.mark.skipif(os.name != "posix", reason="a shell closes them")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_grade_needs_no_stream_to_be_open(closed, right, kit, tmp_path):
    script = f'exec "$@" {closed}'
    words = ("grade", right.parent, "--out", "out", "--kit", kit.root, "-e", "softmax", "--no-html")
    ran = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "autograder", *map(str, words)],
        capture_output=True, text=True, cwd=tmp_path, check=False, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(kit.root)},
    )  # fmt: skip
    assert (ran.returncode, said(ran)) == (0, "")
    written = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert [each["score"] for each in written["submissions"]] == [8.0]


def test_grade_gives_1_where_something_named_is_unreadable(right, kit, tmp_path):
    write(right.parent / "student-02", {"attention.ipynb": "no notebook"})
    ran = attn("grade", right.parent, "--out", "out", "--kit", kit.root, cwd=tmp_path)
    assert ran.returncode == 1
    assert "student-02" in ran.stdout and "student-01" in ran.stdout
    said(ran)


@pytest.mark.parametrize("path", ["nowhere", "empty", "notes.txt"])
def test_grade_gives_2_and_a_sentence_where_there_is_nothing_to_grade(path, kit, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("no code", "utf-8")
    ran = attn("grade", path, "--out", "out", "--kit", kit.root, cwd=tmp_path)
    assert ran.returncode == 2
    assert path in said(ran)


def test_grade_gives_2_for_an_exercise_that_does_not_exist(right, kit, tmp_path):
    ran = attn("grade", right, "--out", "out", "-e", "sofmax", "--kit", kit.root, cwd=tmp_path)
    assert ran.returncode == 2
    assert "sofmax" in said(ran) and "softmax" in said(ran)


def test_grade_gives_2_without_a_kit(right, tmp_path):
    ran = attn("grade", right, "--out", "out", "--kit", tmp_path, cwd=tmp_path)
    assert ran.returncode == 2
    said(ran)


def test_grade_gives_3_and_writes_no_score_where_a_grader_fails(right, kit, tmp_path):
    broken = tmp_path / "kit"
    for name in ("solutions", "autograder/graders", "autograder/mistakes"):
        write_tree(kit.root / name, broken / name)
    write_tree(kit.root / "pyproject.toml", broken / "pyproject.toml")
    grader = broken / "autograder" / "graders" / "test_softmax.py"
    grader.write_text(grader.read_text("utf-8").replace("expect.", "expected."), "utf-8")
    ran = attn("grade", right, "--out", "out", "--kit", broken, cwd=tmp_path)
    assert ran.returncode == 3
    assert "softmax" in said(ran)
    assert not (tmp_path / "out" / "results.json").exists()


def write_tree(source: Path, target: Path) -> None:
    """Copy a file or a folder's own files."""
    if source.is_file():
        target.write_bytes(source.read_bytes())
        return
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.is_file():
            (target / path.name).write_bytes(path.read_bytes())


def test_grade_selects_exercises_and_their_points(right, kit, tmp_path):
    words = ("-e", "heads", "-e", "softmax", "--no-html", "--kit", kit.root)
    ran = attn("grade", right, "--out", "out", *words, cwd=tmp_path)
    assert ran.returncode == 0
    (only,) = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))["submissions"]
    assert [each["exercise"] for each in only["exercises"]] == ["softmax", "heads"]
    assert (only["score"], only["max_score"]) == (18.0, 18.0)


def test_output_stays_readable_on_an_ascii_terminal(right, kit, tmp_path):
    words = ("grade", right, "--out", "out", "--no-html", "--lang", "zh", "--kit", kit.root)
    ran = attn(*words, cwd=tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C", NO_COLOR="1")
    assert ran.returncode == 0
    assert "student-01" in ran.stdout and "100" in ran.stdout
    assert "\x1b" not in ran.stdout


def test_check_gives_0_only_when_all_pass(kit, tmp_path):
    home = tmp_path / "exercises"
    write_tree(kit.bundle, home)
    assert attn("check", "softmax", cwd=home).returncode == 1
    (home / "softmax.py").write_text(given_sources(kit)["softmax"], "utf-8")
    assert attn("check", "softmax", cwd=home).returncode == 0
    (home / "softmax.py").write_text(COLUMNS, "utf-8")
    ran = attn("check", "softmax", cwd=home)
    assert ran.returncode == 1
    assert "axis 0" in ran.stdout


def test_check_outside_the_folder_gives_2(tmp_path):
    ran = attn("check", cwd=tmp_path)
    assert ran.returncode == 2
    assert "--dir" in said(ran)


def test_demo_equals_the_committed_results(kit, tmp_path):
    ran = attn("demo", "--out", "out", "--kit", kit.root, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "student-34" in ran.stdout
    most = re.search(r"Most often\n +\d+  (\S+)", ran.stdout)[1]
    assert re.search(rf"What a student reads for {most}: \w.{{20,}}[.?]\n", ran.stdout)
    named = [Path(word) for word in ran.stdout.splitlines()[-2].split(" · ")]
    assert [each.name for each in named] == ["results.json", "index.html", "report.html"]
    assert all((tmp_path / each).is_file() for each in named)
    assert str(named[1]) in ran.stdout.splitlines()[-1]


@pytest.mark.parametrize(("lang", "head"), [("en", "Usage: "), ("zh", "用法：")])
def test_help_is_given_once_when_nothing_is_asked(lang, head, tmp_path):
    bare, asked = attn(cwd=tmp_path, ATTN_LANG=lang), attn("--help", cwd=tmp_path, ATTN_LANG=lang)
    assert asked.stdout.startswith(head)
    assert (bare.stdout + bare.stderr).strip() == asked.stdout.strip()
    assert bare.returncode == attn(cwd=tmp_path, ATTN_LANG="en").returncode


def test_every_command_has_help(tmp_path):
    listed = attn("--help", cwd=tmp_path)
    sections = listed.stdout.split("For students:")[1].replace("For instructors:", "").splitlines()
    names = [line.split()[0] for line in sections if line.strip()]
    assert {"grade", "check", "build", "verify", "demo", "watch"} <= set(names)
    for name in names:
        ran = attn(name, "--help", cwd=tmp_path)
        assert ran.returncode == 0 and "Usage" in ran.stdout, name

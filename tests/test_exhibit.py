"""Pictures at a student's desk: whose functions draw, and what happens where they cannot."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from autograder import exhibit, watch
from autograder.cli import main
from autograder.desk import Desk, DeskNotFound, open_desk
from autograder.picture.compare import compare
from autograder.picture.look import Look
from autograder.picture.text import sheet_lines
from autograder.sandbox import Sandbox

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    shutil.copytree(ROOT / "exercises", tmp_path / "desk")
    return open_desk(tmp_path / "desk")


def solve(desk: Desk, *exercises: str) -> None:
    for each in exercises:
        shutil.copy(ROOT / f"solutions/{each}.py", desk.folder)


def lines(desk: Desk, exercise: str, sandbox: Sandbox) -> list[str]:
    return sheet_lines(exhibit.picture(desk, exercise, sandbox), Look())


def test_lesson_draws_when_nothing_is_written(desk: Desk, sandbox: Sandbox) -> None:
    told = " ".join(lines(desk, "softmax", sandbox))
    assert "Drawn with the lesson's numbers. Once the self-checks of softmax pass" in told


def test_own_function_draws_when_it_passes(desk: Desk, sandbox: Sandbox) -> None:
    solve(desk, "softmax")
    assert lines(desk, "softmax", sandbox)[-1] == "Drawn with your own functions (softmax)."


def test_lesson_stands_in_where_an_earlier_function_is_missing(
    desk: Desk, sandbox: Sandbox
) -> None:
    solve(desk, "softmax", "attention_scores", "scaled_dot_product_attention", "project_qkv")
    solve(desk, "masked_attention", "heads", "multi_head_attention")
    told = " ".join(lines(desk, "multi_head_attention", sandbox))
    assert "functions (multi_head_attention) and, for self_attention, with the lesson's" in told


def test_own_heatmap_draws_after_its_exercise(desk: Desk, sandbox: Sandbox) -> None:
    solve(desk, "ascii_heatmap")
    told = lines(desk, "masked_attention", sandbox)
    assert "Your own ascii_heatmap draws the same:" in told
    assert "The   █   ·   ·  ·   ·" in "\n".join(told)
    assert "Your own ascii_heatmap draws the same:" not in lines(desk, "self_attention", sandbox)


def test_lesson_draws_when_the_function_hangs_on_other_numbers(
    desk: Desk, sandbox: Sandbox
) -> None:
    solve(desk, "causal_mask")
    path = desk.folder / "causal_mask.py"
    head = "def causal_mask(n):\n    if n == 6:\n        return [['x']]\n    return right(n)\n"
    path.write_text(path.read_text("utf-8").replace("causal_mask(n)", "right(n)") + head, "utf-8")
    assert "Drawn with the lesson's numbers" in " ".join(lines(desk, "causal_mask", sandbox))


def test_odd_name_is_a_sentence(desk: Desk, sandbox: Sandbox) -> None:
    with pytest.raises(DeskNotFound, match="There is no exercise 'soft'"):
        exhibit.picture(desk, "soft", sandbox)


def test_notebook_gets_html_markdown_and_text(desk: Desk, sandbox: Sandbox) -> None:
    shown = exhibit.Picture(exhibit.picture(desk, "causal_mask", sandbox, "zh"), Look())
    assert "<caption" in shown._repr_html_() and 'lang="zh-Hans"' in shown._repr_html_()
    assert "| 谁可以看谁 | 我 |" in shown._repr_markdown_()
    assert "█" in repr(shown)


def run(desk: Desk, *arguments: str) -> str:
    result = CliRunner().invoke(main, ["picture", "--dir", str(desk.folder), *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_command_prints_no_colour_and_no_motion_when_there_is_no_terminal(desk: Desk) -> None:
    text = run(desk, "causal_mask", "--animate", "--lang", "en")
    assert "\x1b" not in text
    assert "The   █   ·" in text


def test_command_reads_the_picture_out_when_plain(desk: Desk) -> None:
    text = run(desk, "causal_mask", "--plain", "--lang", "en")
    assert "sat may look at: The, cat, sat; 3 places closed." in text


@pytest.mark.parametrize("name", ["p.html", "p.md"])
def test_command_writes_a_file(desk: Desk, tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    assert run(desk, "softmax", "--out", str(out)).strip() == str(out)
    assert "0.66" in out.read_text("utf-8")


@pytest.mark.parametrize("name", ["p.png", "p.svg"])
def test_figures_carry_their_sentences(desk: Desk, tmp_path: Path, name: str) -> None:
    pytest.importorskip("matplotlib", reason="figures need the extra [plots]")
    out = tmp_path / name
    run(desk, "causal_mask", "--lang", "en", "--out", str(out))
    assert b"sat may look at: The, cat, sat; 3 places closed." in out.read_bytes()


def test_figures_say_what_is_missing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    arguments = ["picture", "softmax", "--dir", str(desk.folder), "--out", str(tmp_path / "p.png")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert 'pip install "attention-kit[plots]"' in result.output


def test_other_file_names_are_refused(desk: Desk) -> None:
    arguments = ["picture", "softmax", "--dir", str(desk.folder), "--out", "p.gif"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2 and "p.gif" in result.output


def test_own_heatmap_draws_feedback_too(desk: Desk, sandbox: Sandbox) -> None:
    solve(desk, "ascii_heatmap")
    sheet = compare([[0.5, 0], [0.5, 0.5]], np.array([[1, 0], [0.5, 0.5]]))
    told = exhibit.drawn_by_her(desk, sheet, sandbox, desk.files(), Look())
    assert told[0] == "Your own ascii_heatmap draws the same:"
    assert told[-1] == "[1]   ▒   ▒    [1]   ▒   ▒"


def test_watch_shows_the_picture_when_p_is_pressed(desk: Desk, sandbox: Sandbox) -> None:
    shown: list[list[str]] = []
    sitting = watch.opened(desk.folder, Look(), True, shown.append, sandbox)
    sitting.start()
    sitting.pressed("p")
    assert any("Drawn with the lesson's numbers" in line for line in shown[-1])

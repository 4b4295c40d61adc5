"""The command `attn prompt`: what it prints, where the text goes, and how it refuses."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from autograder import prompt_cli
from autograder.prompt_cli import prompt_command
from tests.prompt_texts import NAMES, ROOT

SENTENCE = "The cat sat on the mat"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ATTN_LANG", "en")
    monkeypatch.chdir(tmp_path)


def run(*words: object) -> Result:
    return CliRunner().invoke(prompt_command, [str(each) for each in words])


def refused(*words: object) -> str:
    """Run what is to be refused: exit 2, nothing printed, one sentence."""
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    [sentence] = result.stderr.splitlines()
    assert sentence.startswith("attn: ") and sentence.endswith((".", "?"))
    return sentence.removeprefix("attn: ")


@pytest.fixture
def demo(tmp_path: Path, solutions: SimpleNamespace) -> Path:
    """The weights of the demo, as a learner saves them."""
    X = solutions.attention_scores.toy_embedding(SENTENCE.split())
    _, weights = solutions.self_attention.SelfAttention(8, 4, 3).forward(X)
    np.save(tmp_path / "W.npy", weights)
    return tmp_path / "W.npy"


def _results(status: str, **more: Any) -> dict[str, Any]:
    check = {"title": "Each row sums to 1", "status": status, "message": "Rows sum to 0.31."}
    exercise = {"exercise": "softmax", "status": status, "findings": [], "checks": [check], **more}
    return {"schema": 1, "submissions": [{"id": "me", "exercises": [exercise]}]}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(_results("failed")), "utf-8")
    return path


# What comes out


def test_explainer_needs_nothing() -> None:
    result = run("attention-explainer")
    assert result.exit_code == 0 and result.stderr == ""
    assert result.stdout.startswith("# Explain attention to me\n")
    assert "{{" not in result.stdout


def test_explainer_shows_the_demo_s_matrix(demo: Path) -> None:
    text = run("attention-explainer", "--weights", demo, "--tokens", SENTENCE).stdout
    golden = ROOT / "tests" / "golden" / "prompts" / "attention-explainer.demo.en.md"
    assert text == golden.read_text("utf-8")
    assert "| The | 0.18 | 0.15 | 0.09 | 0.07 | 0.47 | 0.05 | 1.00 |" in text
    assert "nobody trained them" in text


def test_trained_weights_are_called_so(demo: Path) -> None:
    text = run("matrix-reader", "--weights", demo, "--tokens", SENTENCE, "--trained").stdout
    assert "Were the weights trained? yes" in text and "nobody trained" not in text


def test_chinese_is_written_in_chinese() -> None:
    text = run("attention-explainer", "--lang", "zh", "--level", "小学生").stdout
    assert text.startswith("# 请给我讲讲注意力") and "\n水平：小学生\n" in text


def test_list_names_every_prompt_and_what_it_needs() -> None:
    lines = run("--list").stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[::3]] == NAMES
    assert lines[2] == "    needs: nothing"
    assert "    needs: exercise, finding_sentence" in lines


def test_two_sentences_are_compared(demo: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "B.npy", np.full((6, 6), 1 / 6))
    words = ("--weights", demo, "--weights", tmp_path / "B.npy", "--tokens", SENTENCE)
    text = run("compare-reader", *words, "--tokens", "a b c d e f", "--answer", "B is flat.").stdout
    assert "| The/a | +0.01 |" in text and "\nB is flat.\n</learner_data>" in text


def test_queries_and_keys_have_tokens_of_their_own(tmp_path: Path) -> None:
    np.save(tmp_path / "W.npy", np.array([[0.25, 0.75]]))
    text = run(
        "matrix-reader", "--weights", "W.npy", "--tokens", "猫", "--tokens", "the cat"
    ).stdout
    assert "| 猫 | 0.25 | 0.75 | 1.00 |" in text


def test_any_input_can_be_set_by_name() -> None:
    text = run(
        "attention-tutor", "-e", "softmax", "--set", "finding_sentence=a=b", "--set", "hints_used=2"
    ).stdout
    assert "\na=b\n" in text and "Hints opened so far: 2\n" in text


def test_finding_comes_from_a_file_of_results(report: Path) -> None:
    text = run("attention-tutor", "--from-check", report, "--dir", ROOT / "exercises").stdout
    assert "Exercise: softmax\n" in text and "\nRows sum to 0.31.\n" in text
    assert "softmax: Turn scores into positive weights" in text


def test_finding_comes_from_a_run_of_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def check(words: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        asked.append(words[1:])
        return subprocess.CompletedProcess(words, 1, json.dumps(_results("failed")), "")

    monkeypatch.setattr(subprocess, "run", check)
    for words in (
        ("attention-tutor", "--exercise", "softmax", "--from-check"),
        ("--exercise", "softmax", "--from-check", "attention-tutor"),
    ):
        assert "\nRows sum to 0.31.\n" in run(*words).stdout
    assert asked == [["-P", "-m", "autograder", "check", "--json", "--lang", "en", "softmax"]] * 2


def test_class_report_fills_the_instructor_s_prompts(report: Path) -> None:
    report.write_text(json.dumps(_results("failed", findings=["SM-AXIS0"])), "utf-8")
    text = run("quiz-maker", "--exercise", "softmax", "--from-check", report).stdout
    assert "- softmax: SM-AXIS0 (" in text
    text = run("feedback-writer", "--from-check", report).stdout
    assert "| softmax: Each row sums to 1 | 0 of 1 |" in text


def test_file_takes_the_text_as_it_is(tmp_path: Path) -> None:
    result = run("attention-explainer", "--lang", "zh", "--out", "ask.txt")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "ask.txt\n", 0)
    written = (tmp_path / "ask.txt").read_bytes()
    assert written.decode("utf-8") == run("attention-explainer", "--lang", "zh").stdout
    assert b"\r" not in written


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="stands in for X11's xclip")
def test_clipboard_takes_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "xclip"
    tool.write_text(f'#!/bin/sh\ncat > "{tmp_path}/copied"\n')
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    result = run("attention-explainer", "--clipboard")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Copied" in result.stderr
    copied = (tmp_path / "copied").read_text("utf-8")
    assert copied + "\n" == run("attention-explainer").stdout


def test_pipe_with_another_encoding_gets_utf8(tmp_path: Path) -> None:
    code = "from autograder.prompt_cli import prompt_command as p; p(['attention-explainer'])"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, check=True
    )
    assert "√d_k" in ran.stdout.decode("utf-8")


# How it refuses


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Which prompt? `attn prompt --list` shows them."),
        (
            ("matrix-reader",),
            'matrix-reader needs more: --tokens "…", --weights FILE.npy. For example:\n'
            '  attn prompt matrix-reader --tokens "the cat sat" --weights weights.npy',
        ),
        (
            ("attention-tutor", "--exercise", "softmax"),
            "attention-tutor needs more: --from-check. For example:\n"
            "  attn prompt attention-tutor --exercise softmax --from-check",
        ),
        (
            ("feedback-writer",),
            "feedback-writer needs more: --from-check RESULTS.json of `attn grade`. For example:\n"
            "  attn prompt feedback-writer --from-check graded/results.json",
        ),
    ],
)
def test_missing_input_is_named_with_the_way_to_give_it(
    words: tuple[str, ...], sentence: str
) -> None:
    assert "\n".join(_lines_of_refusal(*words)) == sentence


def _lines_of_refusal(*words: object) -> list[str]:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.removeprefix("attn: ").splitlines()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", [each for each in NAMES if each != "attention-explainer"])
def test_the_example_of_a_refusal_gives_all_that_is_needed(name: str, lang: str) -> None:
    _, example = _lines_of_refusal(name, "--exercise", "heads", "--lang", lang)
    attn, prompt, *words = shlex.split(example)
    assert (attn, prompt, words[0]) == ("attn", "prompt", name)
    assert "softmax" not in example
    given = prompt_command.make_context("prompt", words).params
    assert any(given[each] for each in ("weights", "report", "tokens"))
    assert "VALUE" not in example


@pytest.mark.parametrize("name", [each for each in NAMES if each != "attention-explainer"])
def test_every_other_prompt_refuses_to_be_empty(name: str) -> None:
    assert _lines_of_refusal(name)[0].startswith(f"{name} needs more: ")


def test_refusals_name_what_is_wrong(demo: Path, tmp_path: Path, report: Path) -> None:
    (tmp_path / "text.npy").write_text("0.5 0.5")
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "bytes.py").write_bytes(b"\xff")
    explain = ("attention-explainer", "--weights")
    said = {
        "no.npy": refused(*explain, "no.npy"),
        "text.npy": refused(*explain, "text.npy"),
        "6 rows and there are 2 tokens": refused(*explain, demo, "--tokens", "a b"),
        "given twice at most": refused(*explain, demo, "--weights", demo, "--weights", demo),
        "bad.json": refused("attention-tutor", "--from-check", "bad.json"),
        "no.json": refused("attention-tutor", "--from-check", "no.json"),
        "bytes.py": refused("code-reviewer", "--code", "bytes.py"),
        "one of level, language": refused("attention-explainer", "--set", "colour=red"),
        "nowhere": refused("attention-explainer", "--out", "nowhere/ask.txt"),
        "There is no prompt 'nothing'": refused("nothing"),
        "does not yet; take attention-tutor": refused(
            "code-reviewer", "--from-check", report, "--dir", ROOT / "exercises"
        ),
    }
    for words, sentence in said.items():
        assert words in sentence


def test_no_clipboard_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_cli.shutil, "which", lambda name: None)
    monkeypatch.setenv("DISPLAY", ":0")
    sentence = refused("attention-explainer", "--clipboard")
    assert "There is no clipboard" in sentence and "--out FILE" in sentence


def test_clipboard_that_does_not_take_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_cli.shutil, "which", lambda name: name)

    def broken(words: list[str], **more: Any) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(words, 1)

    monkeypatch.setattr(prompt_cli.subprocess, "run", broken)
    assert "There is no clipboard" in refused("attention-explainer", "--clipboard")


def test_checks_that_cannot_run_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(words: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(words, 2, "", "Usage: …\nattn: no folder here.\n")

    monkeypatch.setattr(prompt_cli.subprocess, "run", fails)
    sentence = refused("attention-tutor", "--from-check", "--exercise", "softmax")
    assert sentence.startswith("Your checks could not be run here (no folder here);")

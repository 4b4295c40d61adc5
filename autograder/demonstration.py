"""Grades the sample class that stands in the repository, and says where results differ from the
committed ones."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder import batch, report
from autograder.exercise import Kit
from autograder.grade import KitFault
from autograder.messages import Lang, ui
from autograder.pace import Pace
from autograder.results import Results
from autograder.summary import common_findings, sentence_of

SECRET = b"the sample class is graded with numbers that everybody may know"


def run(kit: Kit, out: Path, lang: Lang, *, accept: bool = False) -> list[str]:
    """Grade the sample class, print its table, and compare it with the expected results.

    Parameters
    ----------
    kit : Kit
    out : Path
        Where results.json and the pages go.
    lang : str
    accept : bool
        Write these results as the expected ones, for a reader to check in the diff.

    Returns
    -------
    list of str
        One sentence for each difference; empty where all is as expected.

    Raises
    ------
    KitFault
        Where the sample class is not there.
    """
    home = kit.root / "tests" / "sample_class"
    if not home.is_dir():
        raise KitFault(f"{home} is missing: the sample class comes with the repository")
    begun, pace = time.monotonic(), Pace()
    plan = batch.Plan(
        paths=(home / "submissions",),
        out=out,
        lang=lang,
        force=True,
        secret=SECRET,
        progress=pace,
    )
    try:
        results = batch.grade(kit, plan)
    finally:
        pace.close()
    report.print_class(results, lang, seconds=time.monotonic() - begun)
    for line in _read_by_a_student(results, lang):
        print(f" {line}\n")
    print(" · ".join(str(out / each) for each in ("results.json", "index.html", batch.REPORT)))
    print(ui("report.open", lang, page=out / "index.html"))
    expected = home / "expected.json"
    found = digest(results)
    if accept:
        text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
        expected.write_text(text + "\n", encoding="utf-8")
        return []
    if not expected.is_file():
        raise KitFault(f"{expected} is missing: there is nothing to compare the results with")
    return differences(json.loads(expected.read_text(encoding="utf-8")), found)


def _read_by_a_student(results: Results, lang: Lang) -> Iterator[str]:
    """Give the sentence that the most frequent finding comes to on a student's page, if any."""
    for code, _ in common_findings(results.submissions):
        for each in (each for sub in results.submissions for each in sub.exercises):
            said = sentence_of(each, lang) if each.findings[:1] == (code,) else None
            if said:
                yield ui("report.reads", lang, code=code, said=said)
                return


def digest(results: Results) -> dict[str, Any]:
    """Give of each submission what must not change: statuses, scores, findings; no sentences."""
    return {
        submission.id: {
            "status": submission.status,
            "score": submission.score,
            "exercises": {
                each.exercise: [each.status, each.score, *each.findings]
                for each in submission.exercises
            },
        }
        for submission in results.submissions
    }


def differences(expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Say in sentences where two digests differ."""
    sentences = [f"{name} was not graded" for name in sorted(expected.keys() - found.keys())]
    sentences += [f"{name} is not expected" for name in sorted(found.keys() - expected.keys())]
    for name in sorted(expected.keys() & found.keys()):
        want, got = expected[name], found[name]
        for key in ("status", "score"):
            if want[key] != got[key]:
                sentences.append(f"{name}: {key} is {got[key]}, expected {want[key]}")
        for exercise in sorted(want["exercises"].keys() | got["exercises"].keys()):
            before, after = want["exercises"].get(exercise), got["exercises"].get(exercise)
            if before != after:
                sentences.append(f"{name}: {exercise} is {after}, expected {before}")
    return sentences

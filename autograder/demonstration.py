"""Grades the sample class that stands in the repository, and says where results differ from the
committed ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograder import batch, report
from autograder.exercise import Kit
from autograder.grade import KitFault
from autograder.messages import Lang
from autograder.results import Results

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
    plan = batch.Plan(paths=(home / "submissions",), out=out, lang=lang, force=True, secret=SECRET)
    results = batch.grade(kit, plan)
    report.print_class(results, lang)
    print(f"{out / 'results.json'} · {out / 'index.html'}")
    expected = home / "expected.json"
    found = digest(results)
    if accept:
        text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
        expected.write_text(text + "\n", encoding="utf-8")
        return []
    if not expected.is_file():
        raise KitFault(f"{expected} is missing: there is nothing to compare the results with")
    return differences(json.loads(expected.read_text(encoding="utf-8")), found)


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

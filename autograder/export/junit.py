"""JUnit XML: a suite for each exercise of each hand-in, as pytest and CI systems know it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Tree

from autograder.export.entries import Entry
from autograder.messages import Lang, title
from autograder.results import CheckResult, ExerciseResult

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(entries: Sequence[Entry], lang: Lang = "en") -> str:
    """Give the file of some hand-ins; one that has no score is a suite with one error."""
    root = Tree.Element("testsuites", name="attention-kit")
    for entry in entries:
        exercises = entry.submission.exercises if entry.submission else ()
        for each in exercises:
            _suite(root, entry, each, lang)
        if not exercises:
            suite = _counted(root, entry.id, [entry.status], 0.0)
            case = Tree.SubElement(suite, "testcase", classname=text(entry.id), name="hand-in")
            case.set("time", "0")
            said = (entry.submission.notice or "") if entry.submission else ""
            Tree.SubElement(case, "error", message=text(said), type=entry.status)
    Tree.indent(root, " ")
    return Tree.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="utf-8"?>\n', "\n")
    )


def _suite(root: Tree.Element, entry: Entry, exercise: ExerciseResult, lang: Lang) -> None:
    statuses = [check.status for check in exercise.checks]
    assert entry.submission is not None
    share = entry.submission.seconds / max(1, len(entry.submission.exercises))
    suite = _counted(root, f"{entry.id}.{exercise.exercise}", statuses, share)
    for check in exercise.checks:
        _case(suite, entry, exercise, check, lang)


def _case(
    suite: Tree.Element, entry: Entry, exercise: ExerciseResult, check: CheckResult, lang: Lang
) -> None:
    case = Tree.SubElement(suite, "testcase")
    case.set("classname", text(f"{entry.id}.{exercise.exercise}"))
    case.set("name", text(check.check))
    case.set("time", "0")
    tag = {"passed": None, "failed": "failure", "skipped": "skipped"}.get(check.status, "error")
    if tag:
        said = Tree.SubElement(case, tag, message=text(check.message or ""))
        said.set("type", check.finding or check.status)
        said.text = text(title(check.title, lang))


def _counted(
    root: Tree.Element, name: str, statuses: Sequence[str], seconds: float
) -> Tree.Element:
    suite = Tree.SubElement(root, "testsuite", name=text(name), tests=str(len(statuses)))
    failed, skipped = statuses.count("failed"), statuses.count("skipped")
    errors = len(statuses) - failed - skipped - statuses.count("passed")
    for key, value in (("failures", failed), ("errors", errors), ("skipped", skipped)):
        suite.set(key, str(value))
    suite.set("time", f"{seconds:.0f}")  # a finer time would tell of hidden checks
    return suite


def text(said: str) -> str:
    """Give text without the signs that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", said)

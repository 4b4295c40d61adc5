"""Gathers what fills a prompt: tables of weights, and the findings of a report.

Everything read here is data of a learner or a class. The module knows nothing of how a prompt
quotes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autograder import messages, prompt_tables
from autograder.messages import Lang
from autograder.prompt_file import PromptError
from autograder.prompt_sources import json_of
from autograder.prompt_tables import UnreadableWeights, Weights, split_tokens

MAX_REPORT = 50_000_000  # bytes of results of a large class

Values = dict[str, str]


# Weights


def tables(weights: Any, tokens: Any, trained: bool, lang: Lang) -> Values:
    """Give the values that show weights: of one sentence, or of two side by side.

    Raises
    ------
    PromptError
        Where weights cannot be read, or tokens do not fit them.
    """
    pair = isinstance(weights, list | tuple) and len(weights) == 2 and _is_weights(weights[0])
    try:
        several = weights if pair else [] if weights is None else [weights]
        read = [_weights(each) for each in several]
    except UnreadableWeights as error:
        raise PromptError(str(error)) from None
    sentences = _sentences(tokens)
    found: Values = {}
    if len(sentences) == 1:
        found["tokens"] = " · ".join(sentences[0])
    elif sentences:
        found["tokens"] = " · ".join(sentences[0]) + " → " + " · ".join(sentences[1])
        found["tokens_a"], found["tokens_b"] = (" · ".join(each) for each in sentences[:2])
    if read:
        found["trained"] = messages.entry("ui.prompt", lang)["trained" if trained else "untrained"]
    if len(read) == 1:
        queries = sentences[0] if sentences else None
        keys = sentences[-1] if sentences else None
        _fits(read[0].shape[-2], queries, "rows")
        _fits(read[0].shape[-1], keys, "columns")
        found["weights_table"] = prompt_tables.weights_table(read[0], queries, keys, lang)
        found["entropy_table"] = prompt_tables.entropy_table(read[0], queries, lang)
    if len(read) == 2:
        found |= _compared(read[0], read[1], sentences, lang)
    return found


def _compared(a: Weights, b: Weights, sentences: list[list[str]], lang: Lang) -> Values:
    if a.shape != b.shape or a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise PromptError(
            f"Two sentences are compared by two square tables of one shape; these are {a.shape} "
            f"and {b.shape}."
        )
    for each in sentences:
        _fits(len(a), each, "rows")
    either: list[list[str] | None] = [*sentences[:2]] or [None]
    names = [prompt_tables.labels(each, len(a), lang) for each in either]
    rows = names[0] if len(names) < 2 else [f"{x}/{y}" for x, y in zip(*names, strict=True)]
    each_one = (
        f"{name}:\n{prompt_tables.weights_table(table, tokens, tokens, lang)}"
        for name, table, tokens in zip("AB", (a, b), (either * 2)[:2], strict=True)
    )
    return {
        "weights_table": "\n\n".join(each_one),
        "diff_table": prompt_tables.difference_table(a, b, rows, lang),
        "divergence_table": prompt_tables.divergence_table(a, b, rows, lang),
    }


def _is_weights(value: Any) -> bool:
    """Whether `value` is by itself a table, so that a pair of such is two of them."""
    return isinstance(value, str | Path) or np.ndim(value) >= 2


def _weights(value: Any) -> Weights:
    if isinstance(value, str | Path):
        return prompt_tables.read_weights(Path(value))
    return prompt_tables.as_weights(value)


def _sentences(tokens: Any) -> list[list[str]]:
    """Read a sentence, a list of tokens, or two of either."""
    if tokens is None:
        return []
    if isinstance(tokens, str):
        return [split_tokens(tokens)]
    two_lists = len(tokens) == 2 and not all(isinstance(e, str) and " " not in e for e in tokens)
    return [split_tokens(e) for e in tokens] if two_lists else [split_tokens(tokens)]


def _fits(count: int, tokens: Sequence[str] | None, what: str) -> None:
    if tokens is not None and len(tokens) != count:
        raise PromptError(
            f"The weights have {count} {what} and there are {len(tokens)} tokens: "
            f"give {count}, with a space between each two."
        )


# Reports: the results JSON of `attn check --json` and `attn grade`


def report_values(report: Any, exercise: str | None, lang: Lang) -> Values:
    """Give the values that come from results: one student's finding, or a class's numbers.

    Parameters
    ----------
    report : mapping, path, or an object with ``to_json``
    exercise : str, optional
        Else the first one in the results that is not passed.

    Raises
    ------
    PromptError
    """
    submissions = _submissions(report)
    found = _class_values(submissions, exercise, lang)
    if len(submissions) == 1:
        found |= _student_values(submissions[0], exercise, lang)
    return found


def _submissions(report: Any) -> list[dict[str, Any]]:
    name = "The report"
    if isinstance(report, str | Path):
        name, report = str(report), json_of(Path(report), MAX_REPORT)
    there = report.get("submissions") if isinstance(report, Mapping) else None
    if not isinstance(there, list) or not all(isinstance(each, dict) for each in there):
        raise PromptError(f"{name} is not the JSON that `attn check --json` or `attn grade` gives.")
    if not there:
        raise PromptError(f"{name} holds no submission.")
    return there


def _exercises(submission: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for each in submission.get("exercises") or []:
        if isinstance(each, dict) and isinstance(each.get("exercise"), str):
            yield each


def _checks(exercise: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for each in exercise.get("checks") or [] if isinstance(each, dict)]


def _student_values(submission: Mapping[str, Any], exercise: str | None, lang: Lang) -> Values:
    there = list(_exercises(submission))
    open_ones = [e for e in there if e.get("status") not in ("passed", "missing", "not_attempted")]
    wanted = [each for each in there if each["exercise"] == exercise] if exercise else open_ones
    if not wanted and exercise:
        names = ", ".join(each["exercise"] for each in there) or "none"
        raise PromptError(f"The report says nothing of {exercise!r}; it has: {names}.")
    if not wanted:
        return {}
    chosen = wanted[0]
    words = messages.entry("ui.prompt", lang)
    verdicts = messages.entry("ui.check", lang)
    unmet = [e for e in _checks(chosen) if e.get("status") not in ("passed", "skipped")]
    codes = chosen.get("findings") or []
    first = next((e for e in unmet if codes and e.get("finding") == codes[0]), None)
    first = first or next(iter(unmet), {})
    lines = [
        words["verdict"].format(
            verdict=verdicts.get(str(each.get("status")), "?"), title=each.get("title", "")
        )
        + (f" — {each['message']}" if each.get("message") else "")
        for each in _checks(chosen)
    ]
    passed = chosen.get("status") == "passed"
    return {
        "exercise": chosen["exercise"],
        "passed": "yes" if passed else "no",
        "finding_code": str(first.get("finding") or (codes[0] if codes else "-")),
        "finding_sentence": words["no_finding"] if passed else str(first.get("message") or ""),
        "report": "\n".join(lines),
    }


def _class_values(submissions: list[dict[str, Any]], exercise: str | None, lang: Lang) -> Values:
    """Count over a class: no name, no id, no single student in it."""
    words = messages.entry("ui.prompt", lang)
    passed: Counter[tuple[str, str]] = Counter()
    asked: Counter[tuple[str, str]] = Counter()
    findings: Counter[tuple[str, str]] = Counter()
    for submission in submissions:
        for each in _exercises(submission):
            name = each["exercise"]
            if exercise not in (None, name):
                continue
            findings.update((name, str(code)) for code in each.get("findings") or [])
            for check in _checks(each):
                key = name, str(check.get("title", ""))
                asked[key] += 1
                passed[key] += check.get("status") == "passed"
    total = len(submissions)
    lines = [f"| {words['check']} | {words['passed']} |", "|---|---|"]
    for (name, title), count in asked.items():
        share = words["students"].format(count=passed[name, title], total=count)
        lines.append(f"| {name}: {title.replace('|', '¦')} | {share} |")
    seen = [
        words["counted"].format(
            exercise=name,
            code=code,
            name=messages.name(code, lang),
            students=words["students"].format(count=count, total=total),
        )
        for (name, code), count in findings.most_common(20)
    ]
    return {
        "report_table": "\n".join([*lines, "", *seen]) if asked else "",
        "misconceptions": "\n".join(seen),
    }

"""The instructor's report as text: Markdown, which reads in a terminal too, and CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograder import messages
from autograder.analysis import Analysis
from autograder.export.entries import Number, table
from autograder.export.lecture_page import speaker
from autograder.messages import Lang, clean, ui
from autograder.summary import points, stopped

SHOWN = 12  # students named in one line of the terminal
# What begins something in Markdown within a line. An underscore inside a word does not.
_MARKS = re.compile(r"[\\`*<\[&]|(?<!\w)_|_(?!\w)")


def markdown(found: Analysis, lang: Lang = "en", shown: int | None = None) -> str:
    """Give the report as Markdown; `shown` cuts long lists of students."""
    return "\n".join(_lines(found, lang, shown)) + "\n"


def _lines(found: Analysis, lang: Lang, shown: int | None) -> Iterator[str]:
    say = speaker(lang)
    yield f"# {say('title')}"
    yield ""
    yield " ".join([ui("report.totals", lang, **found.counts), *stopped(found.waiting, lang)])
    if found.mean is None or found.median is None or found.deviation is None:
        yield ui("report.mean_none", lang)
    else:
        numbers = (("mean", found.mean), ("median", found.median), ("deviation", found.deviation))
        said = ", ".join(f"{say(key)} {value:.1f}" for key, value in numbers)
        yield f"{said}, {say('of')} {points(found.max_score)}."
        yield from _table(
            say("scores"),
            [say("percent_head"), say("count_head"), ""],
            [
                [_range(each.low, each.high, lang), str(each.count), _bar(each.count, found)]
                for each in found.bins
            ],
        )
    if found.items:
        heads = [say(f"{k}_head") for k in ("exercise", "passed", "mean", "idle", "discrimination")]
        yield from _table(
            say("exercises"),
            heads,
            [
                [
                    each.exercise,
                    f"{each.passed} / {each.count}",
                    f"{each.mean:.1f} / {points(each.max_score)}",
                    str(each.count - each.begun),
                    say("not_told")
                    if each.discrimination is None
                    else f"{each.discrimination:.2f}",
                ]
                for each in found.items
            ],
        )
        yield ""
        yield say("discrimination_note")
    if found.misconceptions:
        yield from ("", f"## {say('misconceptions')}", "")
        for each in found.misconceptions:
            name = messages.name(each.code, lang)
            yield f"- **{len(each.students)}** {name} (`{each.code}`; {', '.join(each.exercises)})"
            yield f"  {messages.render(each.code, {}, lang, graded=True)}"
            yield f"  {_ids(each.students, lang, shown)}"
    yield from ("", f"## {say('unexplained')}", "")
    left = found.failed - found.named - found.of_the_run
    yield say(
        "unexplained_note",
        tried=found.failed,
        named=found.named,
        run=found.of_the_run,
        left=left,
        share=f"{100 * found.unexplained:.0f}",
    )
    if found.unknown:
        yield from ("", say("candidates_note"), "")
    for unknown in found.unknown:
        lost = "; ".join(messages.title(each, lang) for each in unknown.checks)
        yield f"- **{len(unknown.students)}** {unknown.exercise}: {lost}"
        yield f"  {_ids(unknown.students, lang, shown)}"
    if found.quiz:
        heads = [say(f"{key}_head") for key in ("question", "right", "points_at")]
        rows = [
            [
                " · ".join(filter(None, (each.exercise, each.item))),
                f"{each.right} / {each.answered}",
                ", ".join(f"{code} {many}" for code, many in each.codes),
            ]
            for each in found.quiz
        ]
        yield from _table(say("quiz"), heads, rows)
    yield from _looks(found, lang, shown)


def _looks(found: Analysis, lang: Lang, shown: int | None) -> Iterator[str]:
    yield from ("", f"## {ui('class.troubles', lang)}", "")
    groups = (("absent", found.absent), ("strangers", found.strangers), ("late", found.late))
    for key, ids in groups:
        if ids:
            yield f"- **{len(ids)}** {ui(f'class.{key}', lang)}: {_ids(ids, lang, shown)}"
    for id, look in found.troubles:
        verdict = ui(f"{look.kind}.{look.status}", lang)
        said = f" · {_theirs(look.said, 400, shown)}" if look.said else ""
        yield f"- {_theirs(id, 80, shown)}: {verdict}{said}"
    if not found.troubles and not any(ids for _, ids in groups):
        yield ui("class.no_troubles", lang)


def _theirs(text: str, longest: int, shown: int | None) -> str:
    """Give text that a student may have written: in a file, so that no mark of Markdown is one."""
    said = clean(text, longest)
    return _MARKS.sub(r"\\\g<0>", said) if shown is None else said


def _ids(students: Sequence[str], lang: Lang, shown: int | None) -> str:
    ids = [_theirs(each, 80, shown) for each in students]
    more = len(ids) - shown if shown else 0
    if more <= 0:
        return ", ".join(ids)
    return f"{', '.join(ids[:shown])} {ui('report.more', lang, count=more)}"


def _correlation(value: float | None, lang: Lang) -> str:
    return ui("class.not_told", lang) if value is None else f"{value:.2f}"


def _range(low: int, high: int, lang: Lang) -> str:
    return ui("class.full", lang) if low == high else ui("class.range", lang, low=low, high=high)


def _bar(count: int, found: Analysis) -> str:
    most = max(each.count for each in found.bins) or 1
    return "#" * round(30 * count / most)


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    from rich.cells import cell_len, set_cell_size

    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = map(set_cell_size, cells, widths)
        return f"| {' | '.join(padded)} |"

    yield from ("", f"## {title}", "", line(heads))
    yield line(["-" * max(3, width) for width in widths])
    yield from map(line, rows)


def sheet(found: Analysis) -> str:
    """Give what the report counts as CSV: a row a number, a row a student of each code."""
    rows = [["part", "name", "detail", "value"]]
    rows += [["scores", f"{b.low}-{b.high}", "hand-ins", str(b.count)] for b in found.bins]
    for item in found.items:
        told = Number("" if item.discrimination is None else f"{item.discrimination:.4f}")
        rows += [
            ["exercise", item.exercise, "graded", str(item.count)],
            ["exercise", item.exercise, "begun", str(item.begun)],
            ["exercise", item.exercise, "full_marks", str(item.passed)],
            ["exercise", item.exercise, "mean", f"{item.mean:.4f}"],
            ["exercise", item.exercise, "point_biserial", told],
        ]
    rows += [["misconception", m.code, id, "1"] for m in found.misconceptions for id in m.students]
    rows += [
        ["unknown", u.exercise, id, "; ".join(u.checks)] for u in found.unknown for id in u.students
    ]
    for question in found.quiz:
        rows += [
            ["quiz", question.item, "answered", str(question.answered)],
            ["quiz", question.item, "right", str(question.right)],
            *(["quiz", question.item, code, str(many)] for code, many in question.codes),
        ]
    rows += [["absent", id, "", "1"] for id in found.absent]
    rows += [["stranger", id, "", "1"] for id in found.strangers]
    rows += [["late", id, "", "1"] for id in found.late]
    rows += [["trouble", id, look.status, look.said] for id, look in found.troubles]
    return table(rows)

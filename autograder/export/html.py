"""One self-contained HTML page a student, and one page for the class.

Everything stands in the file: no script, no picture, no address of another machine. A student's
page is made from `Results` alone and leaves out what is for the instructor: the details, the
findings not told yet, other hand-ins.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder import messages
from autograder.export.markup import (
    Markup,
    cut,
    join,
    page_name,
    prose,
    visible,
)
from autograder.export.markup import (
    element as e,
)
from autograder.export.style import STYLE, TONES
from autograder.messages import Lang, ui
from autograder.record import write_whole
from autograder.report import (
    NOT_BEGUN,
    common_findings,
    exercises_of,
    findings_of,
    not_begun,
    points,
    sentence_of,
)
from autograder.results import CheckResult, ExerciseResult, Results, SubmissionResult

FOLDER = "students"
PRINTS_SHOWN = 4000
COMMON_SHOWN = 12


@dataclass(frozen=True)
class Meta:
    """What a page says beside a student's own results.

    Attributes
    ----------
    kit : str
        The version that graded.
    titles : dict of str
        Exercise to its title, where known; else its name is shown.
    """

    kit: str
    titles: dict[str, str] = field(default_factory=dict)


def write_pages(
    results: Results, out_dir: Path, lang: str = "en", titles: dict[str, str] | None = None
) -> None:
    """Write ``index.html`` for the instructor and ``students/<id>.html`` for each student."""
    meta = Meta(results.kit, dict(titles or {}))
    for submission in results.submissions:
        write_student_page(submission, meta, out_dir, lang)
    page = index_page(results, lang)
    write_whole(out_dir / "index.html", page.encode("utf-8"), durable=False)


def write_student_page(
    submission: SubmissionResult, meta: Meta, out_dir: Path, lang: str = "en"
) -> Path:
    """Write one student's page and give its path."""
    path = out_dir / FOLDER / page_name(submission.id)
    write_whole(path, student_page(submission, meta, lang).encode("utf-8"), durable=False)
    return path


# ---- A student's page ---------------------------------------------------------------------------


def student_page(submission: SubmissionResult, meta: Meta, lang: str = "en") -> str:
    """Give a student's page: verdicts, points, findings, one hint each, and the checks."""
    spoken = messages.language(lang)
    name = visible(submission.id)
    body = [
        e("p", ui("page.title", spoken), class_="kicker"),
        e("h1", ui("page.report_for", spoken, id=name)),
        _summary(submission, spoken),
    ]
    if submission.exercises:
        body += [
            e("h2", ui("page.overview", spoken), id="overview"),
            e("div", _overview(submission, meta, spoken), class_="card scroll"),
            e("h2", ui("page.details", spoken)),
            *(_exercise(each, meta, spoken) for each in submission.exercises),
        ]
    if submission.printed:
        body += [e("h2", ui("page.prints", spoken)), _prints(submission.printed, spoken)]
    return _page(ui("page.report_for", spoken, id=name), body, meta.kit, spoken)


def _summary(submission: SubmissionResult, lang: Lang) -> Markup:
    parts: list[str] = []
    if submission.score is None:
        parts.append(_chip("submission", submission.status, lang))
        parts.append(e("p", ui(f"page.{submission.status}", lang)))
    else:
        said = ui(
            "page.points",
            lang,
            score=points(submission.score),
            max=points(submission.max_score),
        )
        parts.append(e("p", e("strong", said), class_="total"))
        parts.append(_bar(submission.score, submission.max_score))
    if submission.notice:
        parts.append(_note(ui("page.notice", lang), prose(submission.notice)))
    if submission.files:
        files = ", ".join(visible(each) for each in submission.files)
        parts.append(e("p", ui("page.files", lang, files=files), class_="soft"))
    return e("div", *parts, class_="card")


def _overview(submission: SubmissionResult, meta: Meta, lang: Lang) -> Markup:
    heads = ("page.exercise_head", "page.verdict_head", "page.points_head")
    rows = [
        e(
            "tr",
            e("th", e("a", _title(each, meta), href=f"#{each.exercise}"), scope="row"),
            e("td", _chip("exercise", each.status, lang)),
            e("td", f"{points(each.score)} / {points(each.max_score)}", class_="n"),
        )
        for each in submission.exercises
    ]
    return _table(ui("page.summary_caption", lang), [ui(head, lang) for head in heads], rows)


def _exercise(exercise: ExerciseResult, meta: Meta, lang: Lang) -> Markup:
    quiet = exercise.status in ("passed", *NOT_BEGUN) and not exercise.notice
    worth = ui("page.points", lang, score=points(exercise.score), max=points(exercise.max_score))
    head = e(
        "summary",
        e("h3", _title(exercise, meta)),
        _chip("exercise", exercise.status, lang),
        e("span", worth, class_="points"),
    )
    told = sentence_of(exercise, lang)
    parts: list[Markup] = []
    if exercise.status == "passed":
        parts.append(e("p", ui("page.all_done", lang)))
    if told:
        parts.append(_note(ui("page.note_head", lang), prose(told)))
    if exercise.status not in ("passed", "missing"):
        code = exercise.findings[0] if exercise.findings else None
        hint = messages.hint(exercise.exercise, 1, lang, code)
        if hint:
            parts.append(_note(ui("page.hint", lang), prose(hint)))
    if exercise.notice:
        parts.append(_note(ui("page.notice", lang), prose(exercise.notice)))
    parts.append(e("div", _checks(exercise, meta, told, lang), class_="scroll"))
    return e(
        "details",
        head,
        e("div", *parts),
        class_="card",
        id=exercise.exercise,
        open=None if quiet else "",
    )


def _checks(exercise: ExerciseResult, meta: Meta, told: str | None, lang: Lang) -> Markup:
    heads = ("page.check_head", "page.verdict_head", "page.points_head")
    rows = [_check(check, told, lang) for check in exercise.checks]
    caption = ui("page.checks_caption", lang, exercise=_title(exercise, meta))
    return _table(caption, [ui(head, lang) for head in heads], rows)


def _check(check: CheckResult, told: str | None, lang: Lang) -> Markup:
    said = [prose(messages.title(check.title, lang))]
    if check.message and check.message != told:
        said.append(e("p", prose(check.message), class_="said"))
    return e(
        "tr",
        e("th", *said, scope="row"),
        e("td", _chip("check", check.status, lang)),
        e("td", f"{points(check.score)} / {points(check.max_score)}", class_="n"),
    )


def _prints(printed: str, lang: Lang) -> Markup:
    shown = cut(printed, PRINTS_SHOWN, f"[… {ui('page.prints_cut', lang)}]")
    return e("pre", visible(shown, lines=True), tabindex="0")


def _title(exercise: ExerciseResult, meta: Meta) -> str:
    return visible(meta.titles.get(exercise.exercise, exercise.exercise))


# ---- The class ----------------------------------------------------------------------------------


def index_page(results: Results, lang: str = "en") -> str:
    """Give the page of the class, for the instructor: scores, what needs a look, findings."""
    spoken = messages.language(lang)
    submissions = results.submissions
    counts = Counter(each.status for each in submissions)
    scores = [each.score for each in submissions if each.score is not None]
    highest = points(max((each.max_score for each in submissions), default=0.0))
    line = ui(
        "index.mean",
        spoken,
        mean=f"{statistics.mean(scores):.1f}" if scores else "-",
        max=highest,
        graded=counts["graded"],
        unreadable=counts["unreadable"],
        empty=counts["empty"],
    )
    layers = ", ".join(results.isolation)
    body = [
        e("h1", ui("index.title", spoken)),
        e("p", line),
        e("p", ui("index.isolation", spoken, layers=layers), class_="soft"),
        _scroll(_marks(submissions, highest, spoken), ui("index.title", spoken)),
    ]
    for caption, table in (
        ("index.troubles_caption", _troubles(submissions, spoken)),
        ("index.findings_caption", _findings(submissions, spoken)),
        ("index.exercises_caption", _by_exercise(submissions, spoken)),
    ):
        if table:
            body += [e("h2", ui(caption, spoken)), _scroll(table, ui(caption, spoken))]
    return _page(ui("index.title", spoken), body, results.kit, spoken, wide=True)


def _marks(submissions: Sequence[SubmissionResult], highest: str, lang: Lang) -> Markup:
    exercises = exercises_of(submissions)
    heads = [
        *(_column(ui(f"index.{key}_head", lang)) for key in ("id", "status")),
        _column(ui("index.score_head", lang), "n"),
        *(
            e("th", e("span", f"{each} ({points(worth)})"), scope="col", class_="up")
            for each, worth in exercises.items()
        ),
        _column(ui("index.findings_head", lang), "codes"),
    ]
    rows = []
    for each in submissions:
        of = {exercise.exercise: exercise for exercise in each.exercises}
        score = ui("index.no_score", lang) if each.score is None else f"{each.score:.1f}"
        rows.append(
            e(
                "tr",
                e("th", _link(each), scope="row"),
                e("td", _chip("submission", each.status, lang)),
                e("td", score, class_="n"),
                *(_mark(of.get(exercise), lang) for exercise in exercises),
                e("td", _codes(each, lang), class_="codes"),
            )
        )
    caption = ui("index.caption", lang, max=highest)
    return _table(caption, heads, rows, class_="marks")


def _codes(submission: SubmissionResult, lang: Lang) -> Markup:
    idle = not_begun(submission)
    if idle:
        return join(ui(f"exercise.{idle}", lang))
    codes = findings_of(submission)
    parts = [f"{code}," for code in codes[:-1]] + list(codes[-1:])
    return Markup(" ".join(e("span", part) for part in parts))


def _mark(exercise: ExerciseResult | None, lang: Lang) -> Markup:
    if exercise is None:
        return e("td")
    word = ui(f"exercise.{exercise.status}", lang)
    if exercise.status in NOT_BEGUN:
        return e("td", "- ", e("span", word, class_="vh"), class_="m")
    quiet = exercise.status in ("passed", "partial")
    said = e("span", f" {word}", class_="vh") if quiet else e("small", word)
    return e("td", points(exercise.score), said, class_=f"m {TONES[exercise.status]}")


def _link(submission: SubmissionResult) -> Markup:
    return e("a", visible(submission.id), href=f"{FOLDER}/{page_name(submission.id)}")


def _troubles(submissions: Sequence[SubmissionResult], lang: Lang) -> Markup | None:
    rows = [
        e(
            "tr",
            e("th", _link(each), scope="row"),
            e("td", _chip("submission", each.status, lang)),
            e("td", prose(each.notice or "")),
        )
        for each in submissions
        if each.status != "graded" or each.notice
    ]
    heads = [
        _column(ui(key, lang)) for key in ("index.id_head", "index.status_head", "page.notice")
    ]
    return _table(ui("index.troubles_caption", lang), heads, rows, "hides") if rows else None


def _findings(submissions: Sequence[SubmissionResult], lang: Lang) -> Markup | None:
    rows = [
        e(
            "tr",
            e("th", code, scope="row"),
            e("td", messages.name(code, lang)),
            e("td", str(count), class_="n"),
        )
        for code, count in common_findings(submissions)[:COMMON_SHOWN]
    ]
    heads = [ui(f"index.{key}_head", lang) for key in ("code", "name", "count")]
    return _table(ui("index.findings_caption", lang), heads, rows, "hides") if rows else None


def _by_exercise(submissions: Sequence[SubmissionResult], lang: Lang) -> Markup | None:
    rows = []
    for exercise, worth in exercises_of(submissions).items():
        of = [each for sub in submissions for each in sub.exercises if each.exercise == exercise]
        full = sum(each.status == "passed" for each in of)
        mean = statistics.mean(each.score for each in of)
        rows.append(
            e(
                "tr",
                e("th", exercise, scope="row"),
                e("td", _bar(full, len(of)), f"{full} / {len(of)}"),
                e("td", f"{mean:.1f} / {points(worth)}", class_="n"),
            )
        )
    heads = [ui(f"index.{key}_head", lang) for key in ("exercise", "full", "mean")]
    return _table(ui("index.exercises_caption", lang), heads, rows, "hides") if rows else None


# ---- Parts of both ------------------------------------------------------------------------------


def _page(title: str, body: Sequence[Markup], kit: str, lang: Lang, *, wide: bool = False) -> str:
    head = e(
        "head",
        e("meta", charset="utf-8"),
        e("meta", name="viewport", content="width=device-width, initial-scale=1"),
        e(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; style-src 'unsafe-inline'",
        ),
        e("title", title),
        e("style", Markup(STYLE)),
    )
    foot = e("footer", ui("page.foot", lang, kit=kit))
    main = e("main", *body, foot, class_="wide" if wide else None)
    page = e("html", head, "\n", e("body", main), lang="zh-Hans" if lang == "zh" else "en")
    return f"<!DOCTYPE html>\n{page}\n"


def _table(
    caption: str, heads: Sequence[str], rows: Sequence[Markup], class_: str | None = None
) -> Markup:
    last = len(heads) - 1
    columns = [
        head if isinstance(head, Markup) else _column(head, "n" if place == last else None)
        for place, head in enumerate(heads)
    ]
    return e(
        "table",
        e("caption", caption),
        e("thead", e("tr", *columns)),
        e("tbody", join(*(Markup(f"\n{row}") for row in rows))),
        class_=class_,
    )


def _column(head: str, class_: str | None = None) -> Markup:
    return e("th", head, scope="col", class_=class_)


def _scroll(table: Markup, label: str) -> Markup:
    """Let a wide table scroll by itself, by keyboard too."""
    return e("div", table, class_="card scroll", role="region", aria_label=label, tabindex="0")


def _chip(kind: str, status: str, lang: Lang) -> Markup:
    return e("span", ui(f"{kind}.{status}", lang), class_=f"chip {TONES[status]}")


def _bar(part: float, whole: float) -> Markup:
    """Draw a share; the number beside it says the same."""
    share = 100 * part / whole if whole else 0.0
    return e("span", e("i", style=f"width:{share:.0f}%"), class_="bar", aria_hidden="true")


def _note(head: str, body: Markup) -> Markup:
    return e("div", e("strong", head), e("p", body), class_="note")

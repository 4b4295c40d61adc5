"""One self-contained HTML page a student, and one page for the class.

Everything stands in the file: no script, no picture, no address of another machine. A student's
page is made from `Results` alone and leaves out what is for the instructor: the details, the
findings not told yet, other hand-ins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder import messages
from autograder.export.class_page import FOLDER, index_page
from autograder.export.markup import Markup, cut, page_name, prose, visible
from autograder.export.markup import element as e
from autograder.export.parts import bar, chip, note, page, table
from autograder.messages import Lang, ui
from autograder.record import write_whole
from autograder.results import CheckResult, ExerciseResult, Results, SubmissionResult
from autograder.summary import NOT_BEGUN, points, sentence_of

PRINTS_SHOWN = 4000
MADE = 2000  # parts of pages that are kept, of some kilobytes each
_made: dict[tuple[object, ...], Markup] = {}


@dataclass(frozen=True)
class Meta:
    """What a page says beside a student's own results.

    Attributes
    ----------
    kit : str
        The version that graded.
    titles : dict of str
        Exercise to its title, where known.
    when : str
        When the page was made, so that an old one is not taken for a new one.
    """

    kit: str
    titles: dict[str, str] = field(default_factory=dict)
    when: str = ""


def now() -> str:
    """Give the time, as a page shows it."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def write_pages(
    results: Results, out_dir: Path, lang: str = "en", titles: dict[str, str] | None = None
) -> None:
    """Write ``index.html`` for the instructor and ``students/<id>.html`` for each student."""
    meta = Meta(results.kit, dict(titles or {}), now())
    for submission in results.submissions:
        write_student_page(submission, meta, out_dir, lang)
    write_index(results, out_dir, lang)


def write_index(results: Results, out_dir: Path, lang: str = "en") -> None:
    """Write ``index.html`` alone."""
    index = index_page(results, lang)
    write_whole(out_dir / "index.html", index.encode("utf-8"), durable=False)


def write_student_page(
    submission: SubmissionResult, meta: Meta, out_dir: Path, lang: str = "en"
) -> Path:
    """Write one student's page and give its path."""
    path = out_dir / FOLDER / page_name(submission.id)
    write_whole(path, student_page(submission, meta, lang).encode("utf-8"), durable=False)
    return path


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
    if submission.digest:
        told = ui("page.hand_in", spoken, digest=submission.digest[:8], when=meta.when or "-")
        body.append(e("p", told, class_="soft"))
    return page(ui("page.report_for", spoken, id=name), body, meta.kit, spoken)


def _summary(submission: SubmissionResult, lang: Lang) -> Markup:
    parts: list[str] = []
    if submission.score is None:
        parts.append(chip("submission", submission.status, lang))
        parts.append(e("p", ui(f"page.{submission.status}", lang)))
        if submission.last_good is not None:
            score = points(submission.last_good)
            parts.append(e("p", ui("page.last_good", lang, score=score)))
    else:
        said = ui(
            "page.points",
            lang,
            score=points(submission.score),
            max=points(submission.max_score),
        )
        parts.append(e("p", e("strong", said), class_="total"))
        parts.append(bar(submission.score, submission.max_score))
    if submission.notice:
        parts.append(note(ui("page.notice", lang), prose(submission.notice)))
    if submission.files:
        files = ", ".join(visible(each) for each in submission.files)
        parts.append(e("p", ui("page.files", lang, files=files), class_="soft"))
    if submission.receipt:
        said = ui("page.receipt", lang, receipt=submission.receipt)
        parts.append(e("p", said, class_="soft"))
    return e("div", *parts, class_="card")


def _overview(submission: SubmissionResult, meta: Meta, lang: Lang) -> Markup:
    heads = ("page.exercise_head", "page.verdict_head", "page.points_head")
    rows = [
        e(
            "tr",
            e(
                "th",
                e("a", each.exercise, href=f"#{each.exercise}"),
                *_title(each, meta),
                scope="row",
            ),
            e("td", chip("exercise", each.status, lang)),
            e("td", f"{points(each.score)} / {points(each.max_score)}", class_="n"),
        )
        for each in submission.exercises
    ]
    return table(ui("page.summary_caption", lang), [ui(head, lang) for head in heads], rows)


def _exercise(exercise: ExerciseResult, meta: Meta, lang: Lang) -> Markup:
    """Give an exercise's part of the page; many of a class did it in the same way."""
    key = (lang, meta.titles.get(exercise.exercise), _shown(exercise))
    made = _made.get(key)
    if made is None:
        if len(_made) >= MADE:
            _made.clear()
        made = _made[key] = _part(exercise, meta, lang)
    return made


def _shown(exercise: ExerciseResult) -> tuple[object, ...]:
    """Give all of an exercise that its part of the page is made from."""
    checks = tuple(
        (c.check, c.title, c.status, c.score, c.max_score, c.message, c.finding, c.override)
        for c in exercise.checks
    )
    worth = exercise.score, exercise.max_score
    return (exercise.exercise, exercise.status, *worth, exercise.findings, exercise.notice, checks)


def _part(exercise: ExerciseResult, meta: Meta, lang: Lang) -> Markup:
    quiet = exercise.status in ("passed", *NOT_BEGUN) and not exercise.notice
    worth = ui("page.points", lang, score=points(exercise.score), max=points(exercise.max_score))
    head = e(
        "summary",
        e("h3", exercise.exercise),
        chip("exercise", exercise.status, lang),
        e("span", worth, class_="points"),
    )
    told = sentence_of(exercise, lang)
    parts = list(_title(exercise, meta))
    if exercise.status == "passed":
        parts.append(e("p", ui("page.all_done", lang)))
    if told:
        parts.append(note(ui("page.note_head", lang), prose(told)))
    if exercise.status not in ("passed", "missing"):
        code = exercise.findings[0] if exercise.findings else None
        hint = messages.hint(exercise.exercise, 1, lang, code)
        if hint:
            parts.append(note(ui("page.hint", lang), prose(hint)))
    if exercise.notice:
        parts.append(note(ui("page.notice", lang), prose(exercise.notice)))
    parts.append(e("div", _checks(exercise, told, lang), class_="scroll"))
    return e(
        "details",
        head,
        e("div", *parts),
        class_="card",
        id=exercise.exercise,
        open=None if quiet else "",
    )


def _checks(exercise: ExerciseResult, told: str | None, lang: Lang) -> Markup:
    heads = ("page.check_head", "page.verdict_head", "page.points_head")
    rows = [_check(check, told, lang) for check in exercise.checks]
    caption = ui("page.checks_caption", lang, exercise=exercise.exercise)
    return table(caption, [ui(head, lang) for head in heads], rows)


def _check(check: CheckResult, told: str | None, lang: Lang) -> Markup:
    said = [prose(messages.title(check.title, lang))]
    if check.message and check.message != told:
        said.append(e("p", prose(check.message), class_="said"))
    if check.override:
        told_why = ui("page.by_hand", lang, reason=visible(check.override))
        said.append(e("p", told_why, class_="said"))
    return e(
        "tr",
        e("th", *said, scope="row"),
        e("td", chip("check", check.status, lang)),
        e("td", f"{points(check.score)} / {points(check.max_score)}", class_="n"),
    )


def _prints(printed: str, lang: Lang) -> Markup:
    shown = cut(printed, PRINTS_SHOWN, f"[… {ui('page.prints_cut', lang)}]")
    return e("pre", visible(shown, lines=True), tabindex="0")


def _title(exercise: ExerciseResult, meta: Meta) -> tuple[Markup, ...]:
    title = meta.titles.get(exercise.exercise)
    return (e("p", visible(title), class_="said"),) if title else ()

"""The page of the class, for the instructor: scores, what needs a look, what is met most often.

It quotes codes, verdicts and notices; a student's sentences stand on her own page.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from autograder import messages
from autograder.export.markup import Markup, join, page_name, prose, visible
from autograder.export.markup import element as e
from autograder.export.parts import bar, chip, column, page, scroll, table
from autograder.export.style import TONES
from autograder.messages import Lang, ui
from autograder.results import ExerciseResult, Results, SubmissionResult
from autograder.summary import (
    NOT_BEGUN,
    common_findings,
    exercises_of,
    findings_of,
    looks,
    not_begun,
    points,
    stopped,
)

FOLDER = "students"  # where the students' pages stand beside this one
COMMON_SHOWN = 12


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
        e("p", " ".join([line, *stopped(results.waiting, spoken)])),
        e("p", ui("index.isolation", spoken, layers=layers), class_="soft"),
        scroll(_marks(submissions, highest, spoken), ui("index.title", spoken)),
    ]
    for caption, found in (
        ("index.troubles_caption", _troubles(submissions, spoken)),
        ("index.findings_caption", _findings(submissions, spoken)),
        ("index.exercises_caption", _by_exercise(submissions, spoken)),
    ):
        if found:
            body += [e("h2", ui(caption, spoken)), scroll(found, ui(caption, spoken))]
    return page(ui("index.title", spoken), body, results.kit, spoken, wide=True)


def _marks(submissions: Sequence[SubmissionResult], highest: str, lang: Lang) -> Markup:
    exercises = exercises_of(submissions)
    heads = [
        *(column(ui(f"index.{key}_head", lang)) for key in ("id", "status")),
        column(ui("index.score_head", lang), "n"),
        *(
            e("th", e("span", f"{each} ({points(worth)})"), scope="col", class_="up")
            for each, worth in exercises.items()
        ),
        column(ui("index.findings_head", lang), "codes"),
    ]
    rows = []
    for each in submissions:
        of = {exercise.exercise: exercise for exercise in each.exercises}
        score = ui("index.no_score", lang) if each.score is None else f"{each.score:.1f}"
        rows.append(
            e(
                "tr",
                e("th", _link(each), scope="row"),
                e("td", chip("submission", each.status, lang)),
                e("td", score, class_="n"),
                *(_mark(of.get(exercise), lang) for exercise in exercises),
                e("td", _codes(each, lang), class_="codes"),
            )
        )
    caption = ui("index.caption", lang, max=highest)
    return table(caption, heads, rows, class_="marks")


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
            e("td", chip(look.kind, look.status, lang)),
            e("td", prose(look.said)),
        )
        for each in submissions
        for look in looks(each)
    ]
    heads = [column(ui(key, lang)) for key in ("index.id_head", "index.status_head", "page.notice")]
    return table(ui("index.troubles_caption", lang), heads, rows, "hides") if rows else None


def _findings(submissions: Sequence[SubmissionResult], lang: Lang) -> Markup | None:
    common = common_findings(submissions)
    rows = [
        e(
            "tr",
            e("th", code, scope="row"),
            e("td", messages.name(code, lang)),
            e("td", str(count), class_="n"),
        )
        for code, count in common[:COMMON_SHOWN]
    ]
    if len(common) > COMMON_SHOWN:
        more = ui("report.more", lang, count=len(common) - COMMON_SHOWN)
        rows.append(e("tr", e("td", more, colspan="3")))
    heads = [ui(f"index.{key}_head", lang) for key in ("code", "name", "count")]
    return table(ui("index.findings_caption", lang), heads, rows, "hides") if rows else None


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
                e("td", bar(full, len(of)), f"{full} / {len(of)}"),
                e("td", f"{mean:.1f} / {points(worth)}", class_="n"),
            )
        )
    heads = [ui(f"index.{key}_head", lang) for key in ("exercise", "full", "mean")]
    return table(ui("index.exercises_caption", lang), heads, rows, "hides") if rows else None

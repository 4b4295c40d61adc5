"""Feedback as a notebook shows it: one exercise's checks in a small table, and one comment.

Number-free sentences from the locale files; nothing of graders, hidden inputs or expected values.
"""

from __future__ import annotations

from html import escape

from autograder.export.markup import in_markdown
from autograder.messages import Lang, ui
from autograder.results import ExerciseResult, SubmissionResult
from autograder.summary import points

_CELL = "text-align:left;vertical-align:top;padding:2px 14px 2px 0"  # formgrader's has none
NO_FORMULAS = "tex2jax_ignore mathjax_ignore"  # a file's name may hold one, with a link in it


def exercise_page(result: ExerciseResult, lang: Lang) -> str:
    """Give an exercise's checks as HTML: title, outcome, points, sentence."""
    status = ui(f"exercise.{result.status}", lang)
    head = f"{result.exercise}: {status}, {points(result.score)} / {points(result.max_score)}"
    rows = []
    said: set[str] = set()
    for check in result.checks:
        sentence = check.message or ""
        if sentence in said:
            sentence = "″"
        said.add(sentence)
        cells = (
            escape(check.title),
            escape(ui(f"check.{check.status}", lang)),
            f"{points(check.score)} / {points(check.max_score)}",
            escape(sentence),
        )
        mark = f' data-finding="{escape(check.finding)}"' if check.finding else ""
        rows.append(
            f"<tr{mark}>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"
        )
    columns = "".join(
        f'<th style="{_CELL}">{escape(ui(f"page.{name}_head", lang))}</th>'
        for name in ("check", "verdict", "points", "note")
    )
    notice = f"<p>{escape(result.notice)}</p>" if result.notice else ""
    return (
        f'<div class="{NO_FORMULAS}"><p><strong>{escape(head)}</strong></p>{notice}'
        f"<table><thead><tr>{columns}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def unreadable_page(result: SubmissionResult, lang: Lang) -> str:
    """Say why a hand-in has no score, and the way out."""
    reason = escape(result.notice or ui(f"submission.{result.status}", lang))
    way_out = escape(ui("course.way_out", lang))
    return f'<div class="{NO_FORMULAS}"><p><strong>{reason}</strong></p><p>{way_out}</p></div>'


def comment(result: ExerciseResult, lang: Lang) -> str | None:
    """Give the comment on an exercise's solution cell; None where there is nothing to say.

    nbgrader shows a comment as Markdown.
    """
    if result.status == "passed":
        return None
    sentences = dict.fromkeys(check.message for check in result.checks if check.message)
    if not sentences:
        return None
    notice = [result.notice] if result.notice else []
    return "\n".join(map(in_markdown, [*list(sentences)[:4], *notice]))


def notice(result: SubmissionResult) -> str | None:
    """Give the comment on a hand-in as a whole; None where there is nothing to say."""
    return in_markdown(result.notice) if result.notice else None

"""What a student would see for a known mistake, on every surface, before any student makes it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from autograder import __version__, messages
from autograder.export import contrast, lecture_page
from autograder.export.html import Meta, student_page
from autograder.export.parts import page
from autograder.judge import Judged
from autograder.messages import Lang, ui
from autograder.record import dumps, write_whole
from autograder.rehearse import Act, Contrast, Stage
from autograder.results import ExerciseResult, Results, graded
from autograder.verdict import Verdict
from autograder.verdict import lines as desk_lines

STUDENT = "preview"


class PreviewError(ValueError):
    """There is no such mistake; the message is a sentence with what there is."""


@dataclass(frozen=True)
class Preview:
    """One known mistake on every surface.

    Attributes
    ----------
    act : Act
    desk : tuple of str
        What `attn check` prints.
    graded : ExerciseResult
        What results.json and the graded page hold.
    contrast : Contrast or None
        The picture for a lecture.
    title : str
    """

    act: Act
    desk: tuple[str, ...]
    graded: ExerciseResult
    contrast: Contrast | None
    title: str

    @property
    def results(self) -> Results:
        """The results of a hand-in that holds this exercise alone."""
        hand_in = graded(STUDENT, [f"{self.act.exercise}.py"], [self.graded])
        return Results(__version__, ("L0", "a preview"), (hand_in,))

    def page(self, lang: Lang) -> str:
        """Give the graded page."""
        titles = {self.act.exercise: self.title}
        return student_page(self.results.submissions[0], Meta(__version__, titles), lang)

    def lines(self, lang: Lang) -> list[str]:
        """Give all surfaces as text, of results.json what counts."""
        code = self.act.mistake.code
        said = [f"{code} · {messages.name(code, lang)} · {self.act.exercise}"]
        drawn = (
            contrast.text(self.contrast, lang)
            if self.contrast is not None
            else [ui("preview.no_picture", lang)]
        )
        said += ["", f"== {ui('preview.lecture', lang)}", *drawn]
        said += ["", f"== {ui('preview.desk', lang)}", *self.desk]
        said += ["", f"== {ui('preview.page', lang)}", *_text_of(self.page(lang))]
        found = self.graded
        numbers = {"score": f"{found.score:g}", "most": f"{found.max_score:g}"}
        codes = ", ".join(found.findings) or "–"
        short = ui("preview.short", lang, status=found.status, codes=codes, **numbers)
        said += ["", f"== {ui('preview.results', lang)}", short]
        return said

    def json(self) -> str:
        """Give the exercise's part of results.json as text."""
        return json.dumps(self.graded_tree(), ensure_ascii=False, indent=1)

    def graded_tree(self) -> object:
        """Give the exercise as results.json has it."""
        return self.results.to_json()["submissions"][0]["exercises"][0]

    def write(self, folder: Path, lang: Lang) -> list[Path]:
        """Write the graded page, the picture and the results into a folder."""
        code = self.act.mistake.code
        files = {f"{code}.html": self.page(lang).encode("utf-8")}
        if self.contrast is not None:
            title = f"{code} · {messages.name(code, lang)}"
            body = [contrast.html(self.contrast, lang)]
            drawn = page(title, body, __version__, lang, style=lecture_page.STYLE)
            files[f"{code}.lecture.html"] = drawn.encode("utf-8")
        files[f"{code}.json"] = dumps(self.results.to_json())
        for name, data in files.items():
            write_whole(folder / name, data, durable=False)
        return [folder / name for name in files]


def preview(stage: Stage, code: str, exercise: str | None, lang: Lang) -> Preview:
    """Act a known mistake, and give what would be told of it.

    Raises
    ------
    PreviewError
        Where there is no such mistake, or not in this exercise.
    """
    acts = [act for act in stage.acts(code) if exercise in (None, act.exercise)]
    if not acts:
        where = sorted({act.exercise for act in stage.acts(code)})
        said = f"it is known in {', '.join(where)}" if where else "see attn preview --list"
        raise PreviewError(f"There is no known mistake {code!r} here: {said}.")
    act = acts[0]
    found = stage.kit.exercise(act.exercise)
    about = {"title": found.title, "title_zh": found.title_zh}
    judged = _at_the_desk(stage, act)
    finding = None if judged.passed else stage.diagnose(judged)
    return Preview(
        act,
        tuple(desk_lines(Verdict(judged, finding), about, lang)),
        stage.result(act, lang),
        stage.contrast(code, act.exercise),
        found.title_in(lang),
    )


def _at_the_desk(stage: Stage, act: Act) -> Judged:
    """Give the visible checks alone, as they are at the student's desk."""
    judged = stage.judged_act(act)
    seen = tuple(each for each in judged.outcomes if each.check.declared.visible)
    names = {each.check.name for each in seen}
    trace = tuple(step for step in judged.trace if step.check in names)
    return Judged(judged.exercise, judged.state, seen, trace)


def listing(stage: Stage, lang: Lang, exercise: str | None = None) -> list[str]:
    """Give every code with what it is and where it can be made."""
    where: dict[str, dict[str, None]] = {}
    for act in stage.acts():
        if exercise in (None, act.exercise):
            where.setdefault(act.mistake.code, {})[act.exercise] = None
    width = max(map(len, where), default=0)
    return [
        f"{code:{width}}  {messages.name(code, lang)} ({', '.join(exercises)})"
        for code, exercises in where.items()
    ]


def _text_of(whole: str) -> list[str]:
    """Give a page's words, a line a block: what a reader aloud would say."""
    body = whole[whole.index("<main") :]
    broken = re.sub(r"</?(?:p|h\d|tr|summary|caption|strong|div)\b[^>]*>", "\n", body)
    spaced = re.sub(r"</(?:td|th|span)>", " ", broken)
    lines = (
        " ".join(unescape(line).split()) for line in re.sub(r"<[^>]+>", "", spaced).split("\n")
    )
    return [line for line in lines if line]

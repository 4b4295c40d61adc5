"""What `check` and `hint` show in a notebook's cell: one note as HTML, as Markdown and as text.

A note is shown at once, by IPython where the call stands in its cell, so that two calls in one
cell show both; as the cell's last value it is not shown a second time. Elsewhere it is printed.
Everything that a student's code may have had a part in is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder import verdict
from autograder.export.markup import Markup, element, in_markdown, join, prose
from autograder.messages import Lang, title, ui
from autograder.picture.html import sheet_html
from autograder.picture.look import Look
from autograder.picture.markdown import sheet_markdown
from autograder.picture.parts import Sheet
from autograder.picture.text import sheet_lines
from autograder.verdict import Verdict

_BOX = "font-size:14px;line-height:1.4;margin:8px 0"
_HEAD = "text-align:left;padding:2px 12px 2px 0;font-weight:500;border:0;background:none"
_CELL = "text-align:left;padding:2px 12px 2px 0;border:0;vertical-align:top;background:none"
_TEXT = "margin:0 0 8px;max-width:60em"


@dataclass
class Note:
    """Something to read, in the three forms that notebooks and terminals show.

    Attributes
    ----------
    text, html, markdown : str
    """

    name: str
    text: str
    html: str
    markdown: str
    _shown_at: int | None = field(default=None, init=False, compare=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def _repr_html_(self) -> str:
        return self.html

    def _repr_markdown_(self) -> str:
        return self.markdown

    def _ipython_display_(self) -> None:
        """Show it where it is a cell's value, unless this cell has shown it already."""
        shell = ipython()
        if shell is None or shell.execution_count != self._shown_at:
            self.show()

    def show(self) -> Note:
        """Show it now; give it back."""
        shell = ipython()
        if shell is None:
            print(self.text)
            return self
        from IPython.display import display

        self._shown_at = shell.execution_count
        forms = {"text/plain": self.text, "text/html": self.html, "text/markdown": self.markdown}
        display(forms, raw=True)
        return self


def ipython() -> Any:
    """Give the IPython that runs this cell; None elsewhere."""
    try:
        from IPython import get_ipython  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        return None
    return get_ipython()  # type: ignore[no-untyped-call,unused-ignore]


def sentence(text: str, lang: Lang) -> Note:
    """Give a note of one sentence."""
    return Note("note", text, _section(lang, _paragraph(text)), in_markdown(text) + "\n")


def of_hint(exercise: str, level: int, said: str, lang: Lang) -> Note:
    """Give a hint with its level, and how to read the next one."""
    head = f"{exercise} · {ui('watch.hint', lang, level=level)}"
    after = ui("desk.next_hint_cell", lang, exercise=exercise, level=level + 1) if level < 3 else ""
    lines = [each for each in said.split("\n") if each.strip()]
    html = [_paragraph(each) for each in (*lines, *([after] if after else []))]
    strong = element("p", element("strong", head), style="margin:0 0 4px")
    marked = [
        f"**{in_markdown(head)}**",
        *map(in_markdown, lines),
        *([in_markdown(after)] * bool(after)),
    ]
    return Note(
        f"hint: {exercise}, {level}",
        "\n".join([ui("watch.hint", lang, level=level), said, *([after] if after else [])]),
        _section(lang, strong, *html),
        "\n\n".join(marked) + "\n",
    )


def of_verdicts(
    found: Sequence[Verdict],
    about: Callable[[str], Mapping[str, Any]],
    hidden: Callable[[str], int],
    sheets: Mapping[str, Sheet],
    look: Look,
) -> Note:
    """Give what checks found: each check's outcome and sentence, then a picture where there is one.

    Parameters
    ----------
    about, hidden : callable
        What the desk knows of an exercise; how many more checks it has when graded.
    sheets : dict
        Exercise to its picture.
    """
    lang = look.lang
    text: list[str] = []
    html: list[Markup] = []
    marked: list[str] = []
    for each in found:
        sheet = sheets.get(each.exercise)
        text += verdict.lines(each, about(each.exercise), lang)
        html.append(verdict_html(each, about(each.exercise), lang))
        marked.append(_verdict_markdown(each, about(each.exercise), lang))
        if sheet is not None:
            text += ["", *sheet_lines(sheet, look), ""]
            html.append(Markup(sheet_html(sheet, relative=look.relative)))
            marked.append(sheet_markdown(sheet))
    last = _last(found, hidden, lang)
    if last:
        text.append(last)
        html.append(_paragraph(last))
        marked.append(in_markdown(last))
    states = ", ".join(f"{each.exercise} {each.state}" for each in found)
    return Note(
        f"check: {states}",
        "\n".join(text),
        _section(lang, *html),
        "\n\n".join(each.rstrip("\n") for each in marked) + "\n",
    )


def _last(found: Sequence[Verdict], hidden: Callable[[str], int], lang: Lang) -> str:
    """Say how far that is: a pass here is a pass of what everybody may see."""
    if len(found) > 1:
        return verdict.summary(found, lang, sum(hidden(each.exercise) for each in found))
    if found and found[0].state == "not_started" and ipython() is not None:
        return ui("desk.run_cell", lang)
    if found and found[0].passed:
        count = hidden(found[0].exercise)
        key = "watch.passed" if count else "watch.passed_none"
        return ui(key, lang, exercise=found[0].exercise, count=count)
    return ""


def verdict_html(found: Verdict, about: Mapping[str, Any], lang: Lang) -> Markup:
    """Give one exercise's verdict as HTML: a heading, and a row for each check."""
    head = _head(found, about, lang)
    codes = [element("code", each) for each in found.told.codes[:1] if not found.passed]
    top = element("p", element("strong", head), *(join(" ", each) for each in codes),
                  style="margin:0 0 6px")  # fmt: skip
    if found.state == "not_started":
        return join(top, _paragraph(found.sentence(found.judged.outcomes[0], lang)))
    rows = [
        element(
            "tr",
            element("td", word, style=_CELL + ";white-space:nowrap"),
            element("th", name, scope="row", style=_HEAD),
            element("td", prose(words), style=_CELL),
        )
        for word, name, words in _rows(found, lang)
    ]
    columns = ("verdict", "check", "note")
    names = [element("th", ui(f"page.{each}_head", lang), scope="col", style=_HEAD)
             for each in columns]  # fmt: skip
    return join(top, element(
        "table", element("thead", element("tr", *names)), element("tbody", *rows),
        style="border-collapse:collapse;margin:0 0 10px;width:auto",
    ))  # fmt: skip


def _head(found: Verdict, about: Mapping[str, Any], lang: Lang) -> str:
    return next(iter(verdict.lines(found, about, lang)))


def _rows(found: Verdict, lang: Lang) -> list[tuple[str, str, str]]:
    """Give each check's outcome, title and sentence; one that many share is said once."""
    rows: list[tuple[str, str, str]] = []
    said: set[str] = set()
    for outcome in found.judged.outcomes:
        words = "" if outcome.passed else found.sentence(outcome, lang)
        shown = "″" if words and words in said else words
        said.add(words)
        rows.append((ui(f"check.{outcome.status}", lang), title(outcome.check.title, lang), shown))
    return rows


def _verdict_markdown(found: Verdict, about: Mapping[str, Any], lang: Lang) -> str:
    head = f"**{in_markdown(_head(found, about, lang))}**"
    if found.state == "not_started":
        return f"{head}\n\n{in_markdown(found.sentence(found.judged.outcomes[0], lang))}"
    rows = [
        f"- {in_markdown(word)}: {in_markdown(name)}"
        + (f"  \n  {in_markdown(words)}" if words else "")
        for word, name, words in _rows(found, lang)
    ]
    return "\n".join([head, "", *rows])


def _paragraph(text: str) -> Markup:
    return element("p", prose(text), style=_TEXT)


def _section(lang: Lang, *children: str) -> str:
    return element("section", *children, lang="zh-Hans" if lang == "zh" else "en", style=_BOX)

"""What students wrote, in nbconvert's page and in nbgrader's two: read, and never run."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="the course extra is not installed")

import nbformat
import nbgrader
from acting import LIVE, ODD, E, J, acting
from nbconvert import HTMLExporter
from nbconvert.filters import markdown2html_mistune as shown

from autograder.course import pages, safehtml
from autograder.export.markup import in_markdown
from autograder.results import CheckResult, ExerciseResult

Page = Callable[[list[dict[str, Any]]], str]
TEMPLATES = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
TEXTS = {**LIVE, **ODD}
ABOUT = {"notebook": "attention", "score": 0.0, "max_score": 1.0, "late_penalty": 0.0}


@pytest.fixture(scope="module", params=["classic", "feedback", "formgrade"])
def page(request: pytest.FixtureRequest) -> Page:
    """Give what makes a page of cells, by one of the templates that readers see."""
    exporter = HTMLExporter(
        template_name=request.param,
        extra_template_basedirs=[str(TEMPLATES)],
        extra_template_paths=[str(TEMPLATES.parent / "static/node_modules/bootstrap/dist/css")],
    )

    def made(cells: list[dict[str, Any]]) -> str:
        book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
        resources = {"nbgrader": ABOUT, "base_url": "", "index": 0, "total": 1}
        return str(exporter.from_notebook_node(nbformat.from_dict(book), resources)[0])

    return made


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(*outputs: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "metadata": metadata,
        "source": "1",
        "execution_count": 1,
        "outputs": list(outputs),
    }


def _display(**data: Any) -> dict[str, Any]:
    bundle = {name.replace("_", "/", 1): text for name, text in data.items()}
    return {"output_type": "display_data", "metadata": {}, "data": bundle}


def _commented(comment: str) -> dict[str, Any]:
    mark = {"grade_id": "softmax", "solution": True, "grade": False, "comment": comment}
    return _code(nbgrader=mark)


def _more(page: Page, *cells: dict[str, Any]) -> Counter[str]:
    """Give what acts in a page of these cells, and not in one of harmless cells."""
    plain = [
        {**cell, "source": "x", "metadata": _harmless(cell["metadata"])}
        | ({"outputs": []} if "outputs" in cell else {})
        for cell in cells
    ]
    return acting(page(list(cells))) - acting(page(plain))


def _harmless(metadata: dict[str, Any]) -> dict[str, Any]:
    mark = metadata.get("nbgrader")
    return {"nbgrader": {**mark, "comment": "x"}} if mark else {}


@pytest.mark.parametrize("name", LIVE)
def test_the_judge_finds_what_acts_where_nothing_is_done(name: str) -> None:
    assert acting(shown(LIVE[name]))


def test_nothing_acts_in_a_page_of_markdown_cells(page: Page) -> None:
    assert _more(page, *(_markdown(text) for text in TEXTS.values()))
    cells = [_markdown(safehtml.markdown(text)) for text in TEXTS.values()]
    assert not _more(page, *cells)


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_acts_in_one_markdown_text(name: str) -> None:
    made = safehtml.markdown(TEXTS[name])
    assert not acting(shown(made))
    assert not acting(shown(safehtml.markdown(made)))


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_acts_in_one_html_text(name: str) -> None:
    assert not acting(safehtml.html(TEXTS[name]))


def test_nothing_acts_in_a_page_of_outputs(page: Page) -> None:
    outputs = [
        *(_display(text_markdown=text) for text in TEXTS.values()),
        *(_display(text_html=text) for text in TEXTS.values()),
        *(_display(text_latex=f"${text}$") for text in TEXTS.values()),
        _display(**{"image_svg+xml": "<svg onload=alert(1)/>"}),
        _display(application_javascript="alert(1)"),
        _display(**{"text_vnd.mermaid": E}),
    ]
    assert _more(page, _code(*outputs))
    assert not _more(page, _code(*map(safehtml.output, outputs)))


@pytest.mark.parametrize("mime", ["application/vnd.jupyter.widget-view+json", "text/HTML", "a/b"])
def test_a_format_that_is_not_known_is_not_kept(mime: str) -> None:
    shown_as = {"output_type": "display_data", "data": {mime: E}, "metadata": {}}
    assert safehtml.output(shown_as)["data"] == {"text/plain": ""}


def test_nothing_acts_in_a_page_of_raw_cells(page: Page) -> None:
    cells = [
        {"cell_type": "raw", "metadata": {}, "source": safehtml.raw(text)}
        for text in TEXTS.values()
    ]
    assert not _more(page, *cells)


def _sentence(name: str) -> str:
    return f"`softmax` raised ZeroDivisionError at line 2 of {name}. What is 0 there?"


HOSTILE_NAMES = [*TEXTS.values(), f"[see]({J}).py", f"`{E}`.py", f"``{E}`.py", f"\\` {E} `.py"]


def test_nothing_acts_in_a_comment_that_names_a_file(page: Page) -> None:
    found = [_finding(_sentence(name)) for name in HOSTILE_NAMES]
    said = [pages.comment(each, "en") or "" for each in found]
    assert all(said)
    assert not _more(page, *map(_commented, said))


def test_a_comment_would_act_where_it_is_not_escaped(page: Page) -> None:
    if "Comments:" not in page([_commented("x")]):
        pytest.skip("this page has no comments")
    assert _more(page, _commented(_sentence(f"{E}.py")))


def _finding(message: str) -> ExerciseResult:
    check = CheckResult("test_x", "Rows sum to 1", "failed", 0.0, 1.0, message=message)
    return ExerciseResult("softmax", "partial", 0.0, 1.0, (), (check,))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_is_shown_as_it_is_in_markdown(name: str) -> None:
    line = " ".join(_sentence(name).split())
    made = shown(in_markdown(line))
    assert not acting(made)
    if "https://" not in name:  # else Markdown makes it a link, and what follows a part of it
        assert _text(made).replace("`", "").split() == line.replace("`", "").split()


@pytest.mark.parametrize(
    "sentence",
    [
        "`softmax` gave shape (3, 7); it should be (3, 5). Is `axis` -1?",
        "At line 2 of attention.ipynb (cell 7): `W_q @ x` * 2 [row 0].",
        "Is a < b, or `a < b`?",
    ],
)
def test_a_sentence_keeps_its_code_in_markdown(sentence: str) -> None:
    made = shown(in_markdown(sentence))
    assert "<code>" in made or "<" in sentence
    assert _text(made).strip().replace("`", "") == sentence.replace("`", "")


def test_a_sentence_without_odd_signs_is_its_own_markdown() -> None:
    sentence = "`softmax` raised ValueError at line 2 of masked_attention.py, twice (2 * 3)."
    assert in_markdown(sentence) == sentence


# What honest students write looks as it did


HONEST = {
    "code": "Where `a < b` holds, and `<i>` in code, and ``a ` b``.",
    "table": "| a | `b<c` |\n|:--|--:|\n| 1 & 2 | 3 |\n",
    "fence": "```python\nif a < b:\n\n    print('&lt;')\n```\n\nafter",
    "fence without language": "~~~\n<script>\n\n[x](y)\n~~~\n",
    "indented code": "text\n\n    <b> & c\n\n    more\n",
    "formula": "$$a < b \\\\ c & d$$ and $x_1 <y$ with [a](https://b.example)",
    "environment": "\\begin{align}a &< b \\\\ c &>d\\end{align}",
    "list": "1. a [b](https://c.example/d?e=f&g=h)\n2. c\n\n   d <e\n",
    "emphasis": "**a** *b* ~~c~~ & <b>d</b> <kbd>e</kbd>",
    "quotation": "> a <b>c</b>\n>\n> d",
    "details": "<details><summary>a</summary>b</details>",
    "mail": "<mailto:a@b.example> and <a@b.example>",
    "anchor": "[up](#top) and https://a.example/b&c",
    "plain": "# A title\n\nA text, with [brackets] and x[0] and 1 < 2.",
}


class _Shape(HTMLParser):
    """A page's elements and texts, without what is looks alone."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = sorted((name, (value or "").rstrip(";")) for name, value in attrs if name != "id")
        self.parts.append(f"<{tag} {said}>")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.parts.append(" ".join(data.split()))


def _shape(page: str) -> list[str]:
    made = _Shape()
    made.feed(page)
    made.close()
    return made.parts


def _text(page: str) -> str:
    return "".join(_Text.of(page))


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @classmethod
    def of(cls, page: str) -> list[str]:
        made = cls()
        made.feed(page)
        made.close()
        return made.texts


@pytest.mark.parametrize("name", HONEST)
def test_honest_markdown_looks_as_before(name: str) -> None:
    before, after = shown(HONEST[name]), shown(safehtml.markdown(HONEST[name]))
    shape = _shape(after)
    assert (shape[1:] if shape[0] == "<div []>" else shape) == _shape(before)


def test_markdown_that_can_only_be_read_stays_as_it_was_typed() -> None:
    assert safehtml.markdown(HONEST["plain"]) == HONEST["plain"]


def test_a_ticked_list_keeps_its_boxes() -> None:
    assert _text(shown(safehtml.markdown("- [x] a\n- [ ] b & c"))).split() == "☑ a ☐ b & c".split()


def test_a_picture_in_the_text_stays_and_one_from_elsewhere_becomes_a_link() -> None:
    png = "data:image/png;base64,iVBORw0KGgo="
    made = safehtml.markdown(f"![a]({png}) ![b](https://c.example/d.png) ![e](attachment:f.png)")
    assert f'src="{png}"' in made
    assert '<a href="https://c.example/d.png">b</a>' in made
    assert _text(made).split() == ["b", "e"]


def test_a_formula_has_no_link_in_it() -> None:
    for text in (r"$\href{javascript:a}{b}$ & c", r"$\hre&#102;{javascript:a}{b}$", r"$\href{x}$"):
        assert "\\href" not in _text(shown(safehtml.markdown(text)))
        assert "\\href" not in _text(safehtml.html(text))
    assert r"\href" in safehtml.markdown(r"`\href` & c")


@pytest.mark.parametrize(
    "text",
    ["<div>" * 10_000, "<div></x>" * 6_000,
     "\n".join(cell * 5_000 for cell in ("|a", "|-", "|<b>")),
     "<b>x</b>\n" * 20_000, "[" * 60_000 + "<b"],
    ids=["deep", "deep, with other ends", "deep in a table", "long", "brackets"],
)  # fmt: skip
def test_a_text_made_to_take_long_takes_no_time(text: str) -> None:
    start = time.process_time()
    made = safehtml.markdown(text), safehtml.html(text)
    assert time.process_time() - start < 5  # more than ten seconds for one of them, without care
    assert not any(acting(each) for each in made)


def test_a_large_table_is_not_deep() -> None:
    text = "<table>" + "<tr><td>1</td><td><br>2</td></tr>" * 1_000 + "</table>"
    assert safehtml.html(text).count("<td>") == 2_000


def test_text_that_the_parser_gives_up_on_is_shown_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def give_up(*_: object) -> str:
        raise RecursionError

    monkeypatch.setattr(safehtml.MarkdownWithMath, "render", give_up)
    assert safehtml.markdown(E) == "<div><pre>&lt;img src=x onerror=alert(1)&gt;</pre></div>"

"""Pages: read by anybody, harmless whatever a student wrote, silent about what is hidden."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from autograder import messages
from autograder.export import html
from autograder.export.class_page import index_page
from autograder.export.html import Meta, student_page, write_pages
from autograder.export.markup import page_name, visible
from autograder.export.style import PAIRS, PALETTE, STYLE
from autograder.results import (
    CheckResult,
    Results,
    SubmissionResult,
    exercise_result,
    graded,
    not_graded,
)

META = Meta("0.1.0")
SECRET = "ZQX_LEAK_0.73192846"
VOID = {"meta", "link", "br", "hr", "img", "input"}


def missed(name: str, status: str = "failed", code: str = "SM-AXIS0") -> CheckResult:
    message = messages.render(code, {}, graded=True)
    detail = {"second": SECRET, "stdout": SECRET}
    return CheckResult(name, f"Title of {name}", status, 0.0, 2.0, message, code, detail)  # type: ignore[arg-type]


def passed(name: str) -> CheckResult:
    return CheckResult(name, f"Title of {name}", "passed", 2.0, 2.0)


@pytest.fixture
def submission() -> SubmissionResult:
    return graded(
        "student-01",
        ["softmax.py"],
        [
            exercise_result(
                "softmax",
                [passed("shape"), missed("rows"), missed("stable", "skipped", "C-NEEDS")],
                findings=["SM-AXIS0"],
                detail={"second": SECRET},
            ),
            exercise_result(
                "heads", [missed("split", "timeout", "C-TIMEOUT")], findings=["C-TIMEOUT"]
            ),
            exercise_result("causal_mask", [passed("values")], notice="A note on the run."),
            exercise_result("project_qkv", [missed("q", "skipped", "C-STUB")], state="stub"),
            exercise_result(
                "compare_sentences", [missed("d", "skipped", "C-NAME")], state="missing"
            ),
        ],
        notice="softmax (1).py was read as softmax.py.",
        printed="hello from softmax",
        detail={"stdout": SECRET},
    )


@pytest.fixture
def results(submission: SubmissionResult) -> Results:
    unreadable = not_graded("student-02", ["a.ipynb"], "unreadable", 10.0, notice="It ends early.")
    empty = not_graded("student-03", [], "empty", 10.0)
    return Results("0.1.0", ("L2", "seccomp"), (submission, unreadable, empty))


class Page(HTMLParser):
    """What a screen reader would find: elements with attributes, headings, text, nesting."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[int] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(params=["student", "unreadable", "index"])
def page(request: pytest.FixtureRequest, results: Results) -> Page:
    pages = {
        "student": lambda: student_page(results.submissions[0], META),
        "unreadable": lambda: student_page(results.submissions[1], META),
        "index": lambda: index_page(results),
    }
    return Page(pages[request.param]())


def test_page_is_well_formed(page: Page) -> None:
    assert page.faults == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_page_says_language_and_title(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("title")) == 1
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all(
        "meta"
    )


def test_headings_are_in_order(page: Page) -> None:
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    steps = zip(page.headings, page.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps)


def test_tables_have_captions_and_headers_with_scope(page: Page) -> None:
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(each.get("scope") in ("col", "row") for each in page.all("th"))


def test_page_needs_no_other_file_and_no_script(page: Page) -> None:
    assert not {tag for tag, _ in page.elements} & {"script", "img", "link", "iframe", "object"}
    for _, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
        href = attributes.get("href") or ""
        assert re.fullmatch(r"(#[\w-]+|students/[\w~-]+\.html)?", href)
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_every_part_that_scrolls_can_be_reached_by_keyboard(results: Results) -> None:
    page = Page(index_page(results))
    wide = [each for each in page.all("div") if "scroll" in (each.get("class") or "")]
    assert wide
    assert all(each.get("tabindex") == "0" and each.get("aria-label") for each in wide)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("pair", PAIRS, ids="-on-".join)
def test_contrast_is_enough(theme: str, pair: tuple[str, str]) -> None:
    def luminance(color: str) -> float:
        parts = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted(luminance(PALETTE[theme][role]) for role in pair)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_every_color_of_the_style_is_in_the_palette() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", STYLE))
    assert used <= set(PALETTE["light"])
    assert set(PALETTE["light"]) == set(PALETTE["dark"])


def test_student_page_says_each_verdict_in_words(submission: SubmissionResult) -> None:
    text = Page(student_page(submission, META)).text
    for word in ("passed", "partly", "too slow", "not started", "not found", "not yet", "not run"):
        assert word in text
    assert "4 of 14 points" in text
    assert "2 / 6" in text


def test_student_page_shows_sentence_hint_notices_and_checks(submission: SubmissionResult) -> None:
    text = Page(student_page(submission, META)).text
    assert messages.render("SM-AXIS0", {}, graded=True) in text
    assert messages.hint("softmax", 1).replace("`", "") in text
    assert messages.hint("heads", 1, code="C-TIMEOUT") in text
    assert "softmax (1).py was read as softmax.py." in text
    assert "A note on the run." in text
    assert "Title of rows" in text
    assert "hello from softmax" in text


def test_finding_speaks_above_the_exception_that_gave_it_away() -> None:
    raised = replace(
        missed("several", "error", "C-BATCH"),
        message=messages.render("C-RAISED", {"name": "f", "error": "ValueError"}, graded=True),
    )
    exercise = exercise_result("heads", [passed("one"), raised], findings=["C-BATCH"])
    text = Page(student_page(graded("a", [], [exercise]), META)).text
    assert text.index(messages.render("C-BATCH")) < text.index("raised ValueError")


def test_sentence_of_the_finding_stands_once(submission: SubmissionResult) -> None:
    text = Page(student_page(submission, META)).text
    assert text.count(messages.render("SM-AXIS0", {}, graded=True)) == 1


def test_student_page_has_nothing_for_the_instructor_and_nobody_else(results: Results) -> None:
    page = student_page(results.submissions[0], META)
    assert SECRET not in page
    assert "student-02" not in page
    assert "seccomp" not in page
    assert "test_" not in page


def test_index_leaves_details_out_and_names_what_needs_a_look(results: Results) -> None:
    page = index_page(results)
    assert SECRET not in page
    text = Page(page).text
    assert "It ends early." in text
    assert "no score" in text
    assert messages.name("SM-AXIS0") in text
    assert "1 graded · 1 unreadable · 1 empty" in text


HOSTILE = (
    '"><script>alert(1)</script>',
    "</title></style><b>",
    "a\x1b[31mred\x1b[0m",
    "abc\u202egnp.exe",
    "../../etc/passwd",
    "con",
    "x\ny\x00z",
    "\udce9.py",
    "王小明",
    "a" * 400,
    "javascript:alert(1)",
    "",
    ".",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_and_prints_are_only_text(text: str, submission: SubmissionResult) -> None:
    hostile = replace(submission, id=text, files=(text,), printed=text * 2, notice=text)
    for page in (
        student_page(hostile, META),
        index_page(Results("0.1.0", ("L2",), (hostile,))),
    ):
        page.encode("utf-8")
        parsed = Page(page)
        assert parsed.faults == []
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", page)
        assert not parsed.all("script")
    tags = [tag for tag, _ in Page(student_page(hostile, META)).elements]
    plain = replace(hostile, id="a", files=("a",), printed="a" if text else "", notice=text and "a")
    assert tags == [tag for tag, _ in Page(student_page(plain, META)).elements]


@pytest.mark.parametrize("id", HOSTILE)
def test_page_name_is_safe_everywhere(id: str) -> None:
    assert re.fullmatch(r"[a-z0-9_-]*(~[0-9a-f]{16})?\.html", page_name(id))
    assert len(page_name(id)) < 80
    assert page_name(id) != "con.html"


def test_no_two_ids_share_a_page() -> None:
    ids = [*HOSTILE, "anna", "Anna", "ANNA", "a b", "a-b", "a_b", "x y", page_name("Anna")[:-5]]
    assert len({page_name(id).casefold() for id in ids}) == len(ids)


def test_plain_id_keeps_its_name() -> None:
    assert page_name("student-01") == "student-01.html"


def test_long_prints_are_cut_in_the_middle(submission: SubmissionResult) -> None:
    page = student_page(replace(submission, printed="A" * 9000 + "\nlast line"), META)
    assert page.count("A") < 5000
    assert "last line" in page
    assert messages.ui("page.prints_cut") in page


def test_prints_keep_their_lines_without_colors() -> None:
    assert visible("a\tb\r\n\x1b[31mred\x1b[0m\x07", lines=True) == "a\tb\nred\u2407"
    assert visible("a\nb") == "a\u240ab"


def test_pages_stand_where_the_index_links(results: Results, tmp_path: Path) -> None:
    write_pages(results, tmp_path, titles={"softmax": "Softmax: a title"})
    links = [each["href"] for each in Page((tmp_path / "index.html").read_text("utf-8")).all("a")]
    assert len(set(links)) == 3
    assert all((tmp_path / str(link)).is_file() for link in links)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "index.html",
        "student-01.html",
        "student-02.html",
        "student-03.html",
    ]
    assert "Softmax: a title" in (tmp_path / "students/student-01.html").read_text("utf-8")


def test_chinese_page_holds_no_english_words_of_ours(submission: SubmissionResult) -> None:
    mine = replace(submission, notice=None)
    page = student_page(mine, META, "zh")
    assert Page(page).all("html")[0]["lang"] == "zh-Hans"
    text = Page(page).text
    words = {
        word
        for section in ("page", "exercise", "check")
        for word in messages.entry(f"ui.{section}").values()
        if "{" not in word
    }
    assert not [word for word in words if re.search(rf"\b{re.escape(word)}\b", text)]
    assert "部分通过" in text


def test_scores_are_the_same_in_every_language(submission: SubmissionResult) -> None:
    numbers = [
        re.findall(r"\d+ / \d+", Page(student_page(submission, META, lang)).text)
        for lang in ("en", "zh")
    ]
    assert numbers[0]
    assert set(numbers[0]) <= set(numbers[1])


def test_every_file_is_named_however_many_there_are(submission: SubmissionResult) -> None:
    names = [f"exercise_number_{place}.py" for place in range(20)]
    text = Page(student_page(replace(submission, files=tuple(names)), META)).text
    assert all(name in text for name in names)


CHANGES: list[dict[str, object]] = [
    {"title": "Another title"},
    {"message": "Another sentence."},
    {"finding": "SM-NO-NORM"},
    {"status": "timeout"},
    {"override": "by hand", "score": 1.0},
]


@pytest.mark.parametrize("change", CHANGES, ids=[next(iter(change)) for change in CHANGES])
def test_a_part_that_was_made_before_never_stands_for_another(
    change: dict[str, object], submission: SubmissionResult
) -> None:
    meta = Meta("0.1.0")
    first = next(each for each in submission.exercises if each.findings)
    check = next(each for each in first.checks if each.message)
    checks = [replace(each, **change) if each is check else each for each in first.checks]  # type: ignore[arg-type]
    other = replace(first, checks=tuple(checks))
    changed = replace(submission, exercises=(other,))
    html._made.clear()
    cold = student_page(changed, meta)
    html._made.clear()
    student_page(replace(submission, exercises=(first,)), meta)
    assert student_page(changed, meta) == cold
    assert student_page(changed, meta, "zh") != cold


def test_parts_are_kept_in_a_bounded_number(
    submission: SubmissionResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MADE", 3)
    for number in range(20):
        first = replace(submission.exercises[0], notice=f"Notice {number}.")
        page = student_page(replace(submission, exercises=(first,)), Meta("0.1.0"))
        assert f"Notice {number}." in page
    assert len(html._made) <= 3

"""The sentences: the same in both languages, short, kind, and free of numbers where graded."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder import messages
from autograder.messages import fields, language, render, sha, stamp, table

ROOT = Path(__file__).parents[1]
UNTRANSLATED = {"title"}  # keyed by the English titles that stand in the graders' docstrings


def entries(tree: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Give each table that holds sentences, with its dotted path."""
    texts = {key: text for key, text in tree.items() if isinstance(text, str)}
    if texts:
        yield path, texts
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from entries(value, f"{path}.{key}" if path else key)


EN, ZH = dict(entries(table("en"))), dict(entries(table("zh")))
SAID = [
    (f"{lang} {path}.{key}", text)
    for lang, found in (("en", EN), ("zh", ZH))
    for path, texts in found.items()
    for key, text in texts.items()
    if key != "source"
]
SENTENCES = [(where, text) for where, text in SAID if where.endswith((".say", ".graded", ".short"))]
CODES = [path for path, texts in EN.items() if "say" in texts]
# What is said of a student's own files never comes near a probe.
OF_FILES = ("unreadable.", "notice.")
OF_ANSWERS = [code for code in CODES if not code.startswith(OF_FILES)]


def test_both_languages_have_the_same_keys() -> None:
    assert set(EN) == set(ZH) - UNTRANSLATED
    unequal = [path for path in EN if set(EN[path]) != set(ZH[path]) - {"source"}]
    assert unequal == []


def test_both_languages_have_the_same_slots() -> None:
    unequal = [
        f"{path}.{key}"
        for path, texts in EN.items()
        for key, text in texts.items()
        if fields(text) != fields(ZH[path][key])
    ]
    assert unequal == []


def test_no_translation_is_stale() -> None:
    stale = [path for path, texts in EN.items() if ZH[path].get("source") != sha(texts)]
    assert stale == [], "mend zh.toml, then run `python -m autograder.messages --stamp`"


def test_stamp_changes_nothing_when_all_is_fresh() -> None:
    text = (ROOT / "autograder/locale/zh.toml").read_text(encoding="utf-8")
    assert stamp(text) == text


def test_sentences_are_short() -> None:
    assert [where for where, text in SENTENCES if len(text) > 200] == []


def test_sentences_are_two_at_most() -> None:
    def ends(text: str) -> int:
        return len(re.findall(r"[.?!](?=\s|$)|[。？！]", re.sub(r"`[^`]*`", "x", text)))

    assert [where for where, text in SENTENCES if ends(text) > 2] == []


def test_no_word_that_a_learner_should_never_read() -> None:
    never = re.compile(
        r"\b(wrong|failed|failure|errors?|obviously|simply|stupid|bad)\b|错误|错了|显然|失败",
        re.IGNORECASE,
    )
    assert [w for w, text in SAID if never.search(text.replace("{error}", ""))] == []


def test_sentences_hold_no_code() -> None:
    code = re.compile(r"np\.|keepdims|swapaxes|transpose\(|\bdef\b|lambda|import ")
    assert [where for where, text in SENTENCES if code.search(text)] == []


def test_chinese_has_full_width_signs() -> None:
    half = re.compile(
        r"[\u4e00-\u9fff][,;:?!()]|[,;:?!(][\u4e00-\u9fff]|[\u4e00-\u9fff]\.(\s|$)|[這臺個們]"
    )
    aside = re.compile(r"`[^`]*`|\{\w+\}|\([^)]*[a-z][^)]*\)|\(\)")
    chinese = [(where, text) for where, text in SAID if where.startswith("zh")]
    assert [where for where, text in chinese if half.search(aside.sub("", text))] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("graded", [False, True])
def test_sentences_come_out_whole_when_no_slot_is_known(graded: bool, lang: messages.Lang) -> None:
    said = {code: render(code, {}, lang, graded) for code in CODES}
    assert [code for code, text in said.items() if not text or "{" in text] == []


def test_graded_forms_need_no_number() -> None:
    """Else a graded page would say `…`: give such a sentence a number-free `graded` form."""
    own = {code: EN[code].get("graded", EN[code]["say"]) for code in OF_ANSWERS}
    assert [code for code, text in own.items() if not fields(text) <= messages.GRADED_SLOTS] == []


def test_graded_sentences_quote_nothing_of_a_probe() -> None:
    secret = 0.73192846
    words = {"pos": str(secret), "row": str(secret), "seen": str(secret)}
    for code in OF_ANSWERS:
        names = {name for form in EN[code].values() for name in fields(form)}
        slots = dict.fromkeys(names - {"line", "seconds"}, secret)
        for shape in ({"got": (3, 7), "want": (3, 5), "candidates": [secret]}, slots):
            said = render(code, {**slots, **words, **shape}, "en", graded=True)
            assert not re.search(r"0\.73|\(3, [57]\)", said), code


def test_say_quotes_the_learners_numbers_when_they_are_known() -> None:
    said = render("C-SHAPE", {"what": "weights", "got": (3,), "want": (3, 5)})
    assert "(3,)" in said
    assert "(3, 5)" in said


def test_say_leaves_numbers_out_when_one_of_them_is_not_known() -> None:
    assert render("C-NAN", {"what": "output", "pos": ""}) == render(
        "C-NAN", {"what": "output"}, graded=True
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_neutral_sentence_when_the_code_is_unknown(lang: messages.Lang) -> None:
    assert render("NO-SUCH-CODE", {"sum": 3}, lang) == render("UNKNOWN", {}, lang)


class Hostile:
    def __float__(self) -> float:
        raise ValueError

    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "value", [None, Hostile(), float("nan"), float("inf"), "{sum}", "\x1b[31m\u202e\n" * 99, [[1]]]
)
def test_slot_of_any_kind_is_safe(value: object) -> None:
    said = render("C-ROWSUM", {"row": value, "sum": value})
    assert said.isprintable()
    assert len(said) < 500


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.305555, "0.306"), (-2.0, "−2"), (12, "12"), (float("nan"), "nan"), (float("inf"), "∞")],
)
def test_number_is_written_as_a_person_would(value: float, said: str) -> None:
    assert f"sums to {said};" in render("C-ROWSUM", {"row": "[1]", "sum": value})


def test_kinds_and_names_are_translated() -> None:
    assert "权重" in render("C-NAN", {"what": "weights"}, "zh", graded=True)
    assert "3 个值" in render("C-TUPLE", {"got": "3 values"}, "zh")
    said = render("AMBIGUOUS", {"candidates": ["SCALE-DK", "SCALE-TWICE"]}, "zh")
    assert "除以了 d_k、缩放了两次" in said


@pytest.fixture
def own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of locale files, and nothing remembered of others before and after."""
    kept = (messages._text, messages._places, messages._own, messages.entry)
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    for each in kept:
        each.cache_clear()
    yield tmp_path
    for each in kept:
        each.cache_clear()


def test_english_stands_in_where_a_translation_is_missing(own_files: Path) -> None:
    (own_files / "en.toml").write_text('[X-NEW]\nsay = "New."\nname = "new"\n', "utf-8")
    (own_files / "zh.toml").write_text('[X-NEW]\nname = "新"\n', "utf-8")
    assert dict(messages.entry("X-NEW", "zh")) == {"say": "New.", "name": "新"}


@pytest.mark.parametrize(
    ("error", "asks"), [("ValueError", "shapes"), ("NameError", "spelt"), ("OddOne", "just before")]
)
def test_exception_gets_its_own_question(error: str, asks: str) -> None:
    slots = {"name": "softmax", "error": error, "line": 4, "file": "softmax.py"}
    said = render("C-RAISED", slots, graded=True)
    assert said.startswith(f"Your `softmax` raised {error} at line 4 of softmax.py.")
    assert asks in said


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("C-RAISED", "SyntaxError", "Python cannot read"),
        ("C-DIED", "exit", "left Python"),
        ("C-DIED", "memory", "more memory"),
        ("C-DIED", "signal", "process ended"),
        ("C-TIMEOUT", "total", "whole hand-in"),
    ],
)
def test_kind_of_trouble_picks_the_sentence(code: str, error: str, says: str) -> None:
    assert says in render(code, {"error": error, "line": 3, "file": "a.py"}, graded=True)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_exercise_has_three_hints(lang: messages.Lang) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for exercise in settings["tool"]["autograder"]["exercises"]:
        assert all(messages.hint(exercise, level, lang) for level in (1, 2, 3))
        assert "____" in messages.hint(exercise, 3, lang)
        assert messages.hint(exercise, 4, lang) == ""


def test_hint_follows_the_finding() -> None:
    assert "shape" in messages.hint("softmax", 1, code="C-SHAPE")
    assert messages.hint("softmax", 1, code="SM-AXIS0") == messages.hint("softmax", 1)
    assert messages.hint("softmax", 2, code="C-SHAPE") == messages.hint("softmax", 2)
    late = messages.hint("multi_head_attention", 1, code="MASK-AFTER")
    assert late == messages.hint("masked_attention", 1)
    assert messages.hint("heads", 1, code="UNKNOWN") == messages.hint("heads", 1)


def test_question_of_a_finding_belongs_to_a_code() -> None:
    assert set(EN["hint_for"]) <= set(CODES)


def graders() -> list[ast.Module]:
    paths = sorted((ROOT / "autograder/graders").glob("test_*.py"))
    return [ast.parse(path.read_text(encoding="utf-8")) for path in paths]


def test_every_code_that_a_grader_uses_has_a_sentence() -> None:
    used = {
        node.value
        for tree in graders()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[A-Z]+-[A-Z0-9-]+", node.value)
    }
    assert used - set(CODES) == set()


def test_titles_of_checks_are_translated() -> None:
    titles = {
        (ast.get_docstring(node) or "").split("\n")[0]
        for tree in graders()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    assert set(ZH["title"]) - {"source"} == titles


def test_no_sentence_for_learners_stands_outside_the_locale_files() -> None:
    for path in ("grade", "judge", "batch", "report", "export/html"):
        file = ROOT / f"autograder/{path}.py"
        if not file.exists():
            continue
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"[\u4e00-\u9fff]", text), path
        said = {form for code in CODES for form in EN[code].values() if len(form) > 20}
        assert not [form for form in said if form in text], path


@pytest.mark.parametrize(
    ("explicit", "environment", "expected"),
    [
        ("zh", {"ATTN_LANG": "en"}, "zh"),
        (None, {"ATTN_LANG": "zh", "LANG": "en_GB.UTF-8"}, "zh"),
        (None, {"LC_ALL": "zh_CN.UTF-8", "LANG": "en_GB.UTF-8"}, "zh"),
        (None, {"LANG": "zh-Hans"}, "zh"),
        (None, {"LANG": "nb_NO.UTF-8"}, "en"),
        (None, {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ("pt", {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {}, "en"),
    ],
)
def test_language_is_chosen_in_order(
    explicit: str | None,
    environment: dict[str, str],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ATTN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language(explicit) == expected


def test_seen_parts_are_joined() -> None:
    parts = {"shape": {"got": (3, 2)}, "row_sum": {"row": "[0]", "sum": 0.5}, "odd": {}}
    assert messages.seen(parts) == "the shape is (3, 2); row 0 sums to 0.5"
    assert "；" in messages.seen(parts, "zh")


def test_unknown_says_what_can_be_seen_at_the_desk_only() -> None:
    assert "What I can see: nan, first at [0]." in render("UNKNOWN", {"seen": "nan, first at [0]"})
    assert render("UNKNOWN", {"seen": "nan, first at [0]"}, graded=True) == render("UNKNOWN")


def test_row_sum_is_left_out_when_it_is_no_news() -> None:
    told = render("MASK-AFTER", {"row": "[0]", "sum": 1.0})
    assert told == render("MASK-AFTER", graded=True)
    assert "row 0 sums to 0.31" in render("MASK-AFTER", {"row": "[0]", "sum": 0.31})


def test_limit_is_named_when_it_is_known() -> None:
    said = render("C-TIMEOUT", {"name": "softmax", "seconds": 1.0}, graded=True)
    assert said.startswith("Stopped: a call of `softmax` ran longer than 1 s")
    assert "its time limit" in render("C-TIMEOUT", {"name": "softmax", "seconds": None})


def test_an_entry_read_alone_is_that_of_the_whole_file() -> None:
    for lang, whole in (("en", EN), ("zh", ZH)):
        for path, texts in whole.items():
            said = {**EN.get(path, {}), **texts}
            said.pop("source", None)
            assert dict(messages.entry(path, lang)) == said, f"{lang} {path}"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "slots", "wanted"),
    [
        ("report.totals", {"total": 1, "graded": 1, "unreadable": 0, "empty": 0}, "1 hand-in:"),
        ("report.totals", {"total": 2, "graded": 2, "unreadable": 0, "empty": 0}, "2 hand-ins:"),
        ("desk.some", {"done": 1, "count": 11}, "All self-checks pass in 1 of 11 exercises."),
        ("desk.some", {"done": 0, "count": 1}, "All self-checks pass in 0 of 1 exercise."),
        ("folder.packed", {"count": 1, "file": "x.zip"}, "Packed 1 file into"),
    ],
)
def test_a_count_of_one_has_a_word_of_its_own(
    path: str, slots: dict[str, object], wanted: str
) -> None:
    assert messages.ui(path, "en", **slots).startswith(wanted)


# What is counted, and may be one. A sentence that puts a word for several behind such a count
# names the word for one, too.
COUNTED = re.compile(
    r"\{(?:count|total|done|tried|named|left|hidden)\} (?:more |other )?(?!as\b)[a-z-]+s\b"
)
NEVER_ONE = ("are more than {count} files", "stands {count} times")


def test_no_english_sentence_counts_one_as_several() -> None:
    def texts(tree: object, path: str = "") -> Iterator[tuple[str, str]]:
        if isinstance(tree, dict):
            for key, each in tree.items():
                yield from texts(each, f"{path}.{key}")
        elif isinstance(tree, str):
            yield path, tree

    found = [
        (path, text)
        for path, text in texts(messages.table("en"))
        if COUNTED.search(text) and not any(word in text for word in NEVER_ONE)
    ]
    assert found == []

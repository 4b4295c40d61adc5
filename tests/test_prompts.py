"""The prompts as files: their form, their numbers, their claims, and what they must not hold."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml
from click import Context
from jsonschema import Draft202012Validator

from autograder import messages
from autograder.cli import main
from autograder.leak import leaks, solution_statements
from autograder.messages import Lang
from autograder.prompt import SLOT, TOKEN_BUDGET, estimated_tokens, prompt, quoted, render
from autograder.prompt_file import read
from autograder.prompt_inputs import tables as values_of
from tests import prompt_texts
from tests.prompt_texts import FILES, FOLDER, NAMES, ROOT, SKILLS, TEXTS, example_of, front, title

SECTIONS = {
    "en": {"Your role", "What you know", "Never", "Finish", "Language"},
    "zh": {"你的角色", "你知道什么", "绝不", "结束时", "语言"},
}
EXERCISES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["autograder"][
    "exercises"
]
each_file = pytest.mark.parametrize("path", FILES, ids=title)
each_text = pytest.mark.parametrize("path", TEXTS, ids=title)
each_skill = pytest.mark.parametrize("path", SKILLS, ids=title)
each_name = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def statements() -> set[str]:
    return solution_statements(ROOT)


# Form


@each_file
def test_front_matter_fits_its_schema(path: Path) -> None:
    schema = json.loads((FOLDER / "prompt.schema.json").read_text("utf-8"))
    head = yaml.safe_load(front(path.read_text("utf-8"))[0])
    Draft202012Validator.check_schema(schema)
    assert [each.message for each in Draft202012Validator(schema).iter_errors(head)] == []
    stem, _, suffix = path.name.removesuffix(".md").partition(".")
    assert (head["name"], head["metadata"]["language"]) == (stem, suffix or "en")


def test_schema_refuses_a_front_matter_with_a_fault() -> None:
    schema = Draft202012Validator(json.loads((FOLDER / "prompt.schema.json").read_text("utf-8")))
    right = yaml.safe_load(front(FILES[0].read_text("utf-8"))[0])
    faults: list[dict[str, Any]] = [
        {**right, "name": "Attention Explainer"},
        {**right, "description": "a <tag>"},
        {**right, "more": 1},
        {**right, "inputs": [{"name": "x"}]},
        {**right, "metadata": {**right["metadata"], "gives_solution": True}},
        {**right, "inputs": [{**right["inputs"][0], "required": True}]},  # and has a default
    ]
    assert schema.is_valid(right)
    assert not any(schema.is_valid(each) for each in faults)


@each_file
def test_declared_inputs_are_the_used_ones_and_stand_inside_the_tags(path: Path) -> None:
    found = read(path)
    used = SLOT.findall(found.body)
    assert sorted(used) == sorted(each.name for each in found.inputs)  # each of them once
    [data] = re.findall(r"^<learner_data>$(.*?)^</learner_data>$", found.body, re.S | re.M)
    assert sorted(SLOT.findall(data)) == sorted(used)
    assert found.body.count("learner_data>") == 2


@each_file
def test_body_has_no_other_template_syntax(path: Path) -> None:
    body = SLOT.sub("", read(path).body)
    assert not re.search(r"\{\{|\}\}|\{%|\{#|\$\{|<%", body)
    assert len(path.read_text("utf-8").split("\n")) <= 500


@each_file
def test_required_sections_are_there(path: Path) -> None:
    found = read(path)
    headings = re.findall(r"^## (.+)$", found.body, re.M)
    assert len(headings) == len(set(headings))
    assert set(headings) >= SECTIONS[found.lang]
    never = found.body.split(f"## {'Never' if found.lang == 'en' else '绝不'}\n")[1].split("\n## ")[
        0
    ]
    rules = re.findall(r"^- (.+)$", never, re.M)
    assert len(rules) >= 3
    assert all(each.startswith(("Never ", "绝不")) for each in rules)


@each_name
def test_both_languages_have_the_same_structure(name: str) -> None:
    en, zh = read(FOLDER / f"{name}.md"), read(FOLDER / f"{name}.zh.md")
    assert prompt_texts.skeleton(en.body) == prompt_texts.skeleton(zh.body)
    assert [(i.name, i.required) for i in en.inputs] == [(i.name, i.required) for i in zh.inputs]
    assert {**en.metadata, "language": ""} == {**zh.metadata, "language": ""}
    codes = r"`[a-zA-Z_.]+`"
    assert set(re.findall(codes, en.body)) == set(re.findall(codes, zh.body))


@each_file
def test_only_the_explainer_needs_no_input(path: Path) -> None:
    found = read(path)
    needed = [each.name for each in found.inputs if each.required]
    assert (needed == []) == (found.name == "attention-explainer")


@each_text
def test_links_lead_to_files(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", [each for each in TEXTS if "zh" in title(each)], ids=title)
def test_chinese_text_has_chinese_punctuation(path: Path) -> None:
    body = re.sub(
        r"```.*?```|`[^`]*`|\*\*Attention\(.*?V\*\*", "", path.read_text("utf-8"), flags=re.S
    )
    assert re.findall(r"[\u4e00-\u9fff][,;:!?.](?:\s|[\u4e00-\u9fff]).*", front(body)[1]) == []


# What they must not hold


@each_text
def test_no_solution_statement_stands_in_a_text(path: Path, statements: set[str]) -> None:
    assert leaks(path.read_text("utf-8"), statements) == []


@each_file
def test_no_solution_statement_stands_in_a_rendering(path: Path, statements: set[str]) -> None:
    assert leaks(example_of(read(path)).text, statements) == []


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_solution_statement_comes_by_the_tutor(
    exercise: str, lang: Lang, statements: set[str]
) -> None:
    filled = prompt(
        "attention-tutor",
        exercise=exercise,
        finding_sentence="…",
        folder=ROOT / "exercises",
        lang=lang,
    )
    assert messages.hint(exercise, 2, lang) in filled.text
    assert leaks(filled.text, statements) == []


@each_text
def test_a_pasted_solution_statement_is_found(path: Path, statements: set[str]) -> None:
    text = path.read_text("utf-8")
    pasted = "gap = logits - logits.max(axis=axis, keepdims=True)"
    places = (
        f"- Write `{pasted}` first.",
        f"```python\n{pasted}\n```",
        f"Then {pasted}, and so on.",
    )
    for each in places:
        assert [leak.code for leak in leaks(f"{text}\n\n{each}\n", statements)] == [pasted]


# Words of NumPy that would give an exercise away to a learner who asks for help.
GIVEAWAYS = re.compile(
    r"keepdims|np\.where|swapaxes|\.transpose\(|np\.tril|np\.exp|softmax\(\w+ *@"
)


@each_text
def test_no_word_of_a_solution_stands_in_a_text(path: Path) -> None:
    assert GIVEAWAYS.findall(path.read_text("utf-8")) == []


MEANING = re.compile(
    r"syntax|grammar|coreference|meaning\b|semantic|句法|语法|指代|意义|语义", re.I
)
HEDGED = re.compile(r"\bmay\b|random|trained|[Nn]ever|可能|随机|训练|绝不|[Nn]ot? ", re.I)


@each_text
def test_meaning_is_claimed_only_with_may_or_trained(path: Path) -> None:
    for sentence in prompt_texts.sentences(path.read_text("utf-8")):
        if MEANING.search(sentence):
            assert HEDGED.search(sentence), sentence


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_untrained_weights_are_called_random(lang: Lang) -> None:
    weights = np.full((2, 2), 0.5)
    untrained = prompt("matrix-reader", weights=weights, tokens="a b", lang=lang).text
    trained = prompt("matrix-reader", weights=weights, tokens="a b", trained=True, lang=lang).text
    words = messages.entry("ui.prompt", lang)
    assert words["untrained"] in untrained and words["untrained"] not in trained
    assert words["trained"] in trained
    says = {"en": '"these weights are random"', "zh": "“这些权重是随机的”"}[lang]
    assert says in untrained


# Names


@each_text
def test_every_code_of_a_finding_exists(path: Path) -> None:
    known = set(messages.table("en"))
    said = set(
        re.findall(
            r"\b(?:C|SM|SCALE|MASK|CAUSAL|OUT|P|SA|H|CMP|HM)-[A-Z0-9-]+", path.read_text("utf-8")
        )
    )
    assert said <= known


@each_text
def test_every_command_and_option_exists(path: Path) -> None:
    text = path.read_text("utf-8")
    for name, rest in re.findall(r"(?:^|`|\()attn ([a-z]+)([^`\n]*)", text, re.M):
        command = main.get_command(Context(main), name)
        assert command is not None, name
        options = {option for each in command.params for option in each.opts}
        assert set(re.findall(r"(?<=\s)--[a-z-]+", rest)) <= options, rest


@each_text
def test_every_exercise_named_exists(path: Path) -> None:
    text = path.read_text("utf-8")
    for name in re.findall(r"attn \w+ ([a-z]+_[a-z_]+)|`([a-z]+(?:_[a-z]+)+)\.py`", text):
        assert "".join(name) in EXERCISES
    if path in FILES:
        given = {each.name: each.example for each in read(path).inputs}
        assert given.get("exercise", "softmax") in EXERCISES


# Numbers


@each_text
def test_rows_of_every_example_matrix_sum_to_one(path: Path) -> None:
    assert set(prompt_texts.row_sums(path.read_text("utf-8"))) <= {Decimal("1.00")}


def test_example_matrices_are_there_to_be_summed() -> None:
    counted = {path.name: len(prompt_texts.row_sums(path.read_text("utf-8"))) for path in FILES}
    assert counted["attention-explainer.md"] == counted["attention-explainer.zh.md"] == 9
    assert counted["matrix-reader.md"] == 3 and counted["compare-reader.md"] == 6


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_numbers_of_the_explainer_come_from_the_reference(
    lang: Lang, solutions: SimpleNamespace
) -> None:
    body = read(
        FOLDER / {"en": "attention-explainer.md", "zh": "attention-explainer.zh.md"}[lang]
    ).body
    scores, full, causal = (
        np.array([[float(cell) for cell in row[1:4]] for row in table[1:]])
        for table in prompt_texts.tables(body)[1:]
    )
    Q, K = np.zeros((3, 4)), np.eye(3, 4)
    Q[:, :3] = 2 * scores  # d_k = 4: the printed scores are Q Kᵀ divided by 2
    V = np.array([[1, 0], [0, 1], [1, 1]])
    masked = solutions.masked_attention.masked_attention
    output, weights = masked(Q, K, V)
    np.testing.assert_array_equal(weights.round(2), full)
    _, weights = masked(Q, K, V, solutions.causal_mask.causal_mask(3))
    np.testing.assert_array_equal(weights.round(2), causal)
    row = [f"{each:.2f}" for each in full[2]]
    assert all(each in body for each in row)
    assert f"({', '.join(f'{each:.2f}' for each in output[2])})" in body
    raw = np.array([4.0, 0.0, 0.0])
    for some in (raw, raw / np.sqrt(16)):
        said = ("、" if lang == "zh" else ", ").join(
            f"{each:.2f}" for each in solutions.softmax.softmax(some)
        )
        assert said in body


def test_every_option_of_the_quiz_example_is_what_its_misconception_gives(
    solutions: SimpleNamespace,
) -> None:
    scores, mask = np.array([0.0, 1.0, 2.0]), np.array([True, True, False])
    softmax = solutions.softmax.softmax
    right = softmax(np.where(mask, scores, -np.inf))[1]
    given = {
        "MASK-AFTER": (softmax(scores) * mask)[1],
        "MASK-INVERTED": softmax(np.where(mask, -np.inf, scores))[1],
        "MASK-ZERO": softmax(np.where(mask, scores, 0.0))[1],
        None: right,
    }
    for name in ("quiz-maker.md", "quiz-maker.zh.md"):
        [block] = re.findall(r"```json\n(.*?)```", read(FOLDER / name).body, re.S)
        [item] = json.loads(block)
        for option, code in zip(item["options"], item["distractors"], strict=True):
            assert round(given[code], 2) == float(option)
        assert item["distractors"][item["correct"]] is None


SENTENCES = {"en": ("dog bites man", "man bites dog"), "zh": ("狗 咬 人", "人 咬 狗")}


@each_file
def test_tables_in_examples_come_from_the_reference(path: Path, solutions: SimpleNamespace) -> None:
    found = read(path)
    attention = solutions.self_attention.SelfAttention(8, 4, 3)
    a, b = SENTENCES[found.lang]
    A, B = (
        attention.forward(solutions.attention_scores.toy_embedding(each.split()))[1]
        for each in (a, b)
    )
    two = found.name == "compare-reader"
    real = values_of([A, B] if two else A, [a, b] if two else a, False, found.lang)
    for each in found.inputs:
        if each.name in real:
            assert each.example.strip() == real[each.name].strip(), each.name


def test_entropy_and_divergence_agree_with_the_reference(solutions: SimpleNamespace) -> None:
    rng = np.random.default_rng(7)
    A, B = rng.dirichlet(np.ones(5), size=(2, 5))
    A[0] = np.eye(5)[2]
    shown = values_of([A, B], None, False, "en") | {
        "entropy": values_of(A, None, False, "en")["entropy_table"]
    }
    [spread], [apart] = (
        prompt_texts.tables(shown["entropy"]),
        prompt_texts.tables(shown["divergence_table"]),
    )
    compare = solutions.compare_sentences
    for row, entropy in zip(spread[1:], compare.row_entropy(A), strict=True):
        assert row[1:] == [f"{np.exp(entropy):.1f} words", f"{entropy:.2f} nats"]
    assert [row[1] for row in apart[1:]] == [f"{each:.3f}" for each in compare.js_divergence(A, B)]


# Renderings


@each_file
def test_rendering_is_as_it_was_read(path: Path, golden: Callable[[str, str], None]) -> None:
    found = read(path)
    golden(f"prompts/{found.name}.{found.lang}.md", example_of(found).text + "\n")


DEMO = {"en": "The cat sat on the mat", "zh": "我 喜欢 自然 语言 处理 。"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_rendering_of_the_demo_is_as_it_was_read(
    lang: Lang, solutions: SimpleNamespace, golden: Callable[[str, str], None]
) -> None:
    X = solutions.attention_scores.toy_embedding(DEMO[lang].split())
    _, weights = solutions.self_attention.SelfAttention(8, 4, 3).forward(X)
    filled = prompt("attention-explainer", weights=weights, tokens=DEMO[lang], lang=lang)
    golden(f"prompts/attention-explainer.demo.{lang}.md", filled.text + "\n")


@each_file
def test_rendering_stays_within_the_budget(path: Path) -> None:
    found = read(path)
    for sign in ("word ", "| 0.12 ", "字", "\x1b", "{"):
        filled = render(found, {each.name: sign * 20_000 for each in found.inputs})
        assert estimated_tokens(filled.text) <= TOKEN_BUDGET
    assert estimated_tokens(example_of(found).text) <= TOKEN_BUDGET // 2


@each_file
def test_jinja_renders_the_same(path: Path) -> None:
    jinja2 = pytest.importorskip("jinja2")
    found = read(path)
    values = quoted(found, {each.name: each.example for each in found.inputs})
    template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(found.body)
    assert template.render(**values) == example_of(found).text


# Skills

SKILL_KEYS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


@each_skill
def test_skill_has_the_published_form(path: Path) -> None:
    head, body = front(path.read_text("utf-8"))
    told = yaml.safe_load(head)
    assert set(told) <= SKILL_KEYS
    assert told["name"] == path.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", told["name"]) and len(told["name"]) <= 64
    assert 1 <= len(told["description"]) <= 1024 and not re.search("[<>]", told["description"])
    assert len(told["compatibility"]) <= 500
    assert all(isinstance(each, str) for each in told["metadata"].values())
    assert isinstance(told["allowed-tools"], str)
    assert len(body.split("\n")) <= 500 and estimated_tokens(body) <= 5000
    headings = set(re.findall(r"^## (.+)$", body, re.M))
    assert headings >= SECTIONS[told["metadata"]["language"]]


def test_skills_have_the_same_structure_in_both_languages() -> None:
    assert [path.parent.name for path in SKILLS] == ["attention-tutor", "attention-tutor-zh"]
    first, second = (front(path.read_text("utf-8"))[1] for path in SKILLS)
    assert prompt_texts.skeleton(first) == prompt_texts.skeleton(second)


@each_skill
def test_skill_may_run_no_command_that_shows_an_answer(path: Path) -> None:
    tools = yaml.safe_load(front(path.read_text("utf-8"))[0])["allowed-tools"]
    assert set(re.findall(r"attn (\w+)", tools)) <= {"check", "hint", "list"}
    assert not re.search(r"\b(Write|Edit|WebSearch|WebFetch)\b|Bash\((?!attn )", tools)


def test_readme_shows_a_real_rendering() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    [shown] = re.findall(r"```text\n(.*?)\n```", readme, re.S)
    assert shown in example_of(read(FOLDER / "matrix-reader.md")).text
    assert set(NAMES) == set(re.findall(r"^\| \[([a-z-]+)\]", readme, re.M))

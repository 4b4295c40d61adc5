"""Sentences by code, in the learner's language: everything a learner reads is in `locale/`.

The one job: a code and its slots in, a sentence out. Whatever is missing (a code, a slot, a
translation), something safe comes out, never an exception: a message must not stop a grading.
Knows nothing of exercises, scores or pages.
"""

from __future__ import annotations

import functools
import hashlib
import json
import locale
import math
import os
import re
import string
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

Lang = Literal["en", "zh"]
Table = dict[str, Any]

FOLDER = Path(__file__).parent / "locale"
# Slots that may be filled on a graded page. All others may hold numbers of hidden probes.
GRADED_SLOTS = frozenset({"what", "arg", "key", "name", "file", "line", "seconds", "got"}) | {
    *("error", "ask", "title", "candidates", "needs", "first", "reason", "files", "id")
}
_WHOLE_NUMBERS_IN_GRADED = frozenset({"line", "seconds"})
_LISTS = frozenset({"candidates", "files", "needs"})
_LONGEST_SLOT = 120
_SENTENCE_SLOTS = frozenset({"first", "ask", "seen", "reason"})
# One kind of trouble, several stories: the exception or the way of dying picks the sentence.
_VARIANTS = {
    ("C-RAISED", "SyntaxError"): "C-SYNTAX",
    ("C-RAISED", "IndentationError"): "C-SYNTAX",
    ("C-RAISED", "TabError"): "C-SYNTAX",
    ("C-DIED", "exit"): "C-DIED-EXIT",
    ("C-DIED", "memory"): "C-DIED-MEMORY",
    ("C-TIMEOUT", "total"): "C-TIMEOUT-ALL",
    ("C-TIMEOUT", "loop"): "C-TIMEOUT-LOOP",
    ("C-TIMEOUT", "past"): "C-TIMEOUT-PAST",
}
# Where the start of a finding's code is asked about; a later exercise meets earlier mistakes.
_ASKED_IN = {
    "SM-": "softmax",
    "SOFTMAX-": "softmax",
    "SCALE-": "attention_scores",
    "SCORES-": "attention_scores",
    "COSINE": "attention_scores",
    "OUT-": "scaled_dot_product_attention",
    "P-": "project_qkv",
    "SA-": "self_attention",
    "MASK-": "masked_attention",
    "CAUSAL-": "causal_mask",
    "H-SPLIT-": "heads",
    "H-MERGE-": "heads",
    "H-INTERLEAVED": "heads",
    "H-ORDER": "heads",
    "H-SCALE-": "multi_head_attention",
    "CMP-": "compare_sentences",
    "HM-": "ascii_heatmap",
}
_HEADER = re.compile(r"^\[([^\[\]]+)\][ \t]*$", re.MULTILINE)
_FORMS = {False: ("say", "graded", "short"), True: ("graded", "say", "short")}


@functools.cache
def table(lang: Lang) -> Table:
    """Give a whole locale file, read once; for whoever wants one sentence, see `entry`."""
    return _parsed(_text(lang))


@functools.cache
def _text(lang: Lang) -> str:
    return (FOLDER / f"{lang}.toml").read_text(encoding="utf-8")


def _parsed(text: str) -> Table:
    import tomllib

    return tomllib.loads(text)


@functools.cache
def _places(lang: Lang) -> Mapping[str, tuple[int, int]]:
    """Give where each table's own lines stand in the text, by the name in its header.

    To parse the whole file takes longer than to check an exercise; most runs say ten sentences.
    """
    text = _text(lang)
    heads = list(_HEADER.finditer(text))
    ends = [*(each.start() for each in heads[1:]), len(text)]
    return {each[1]: (each.end(), end) for each, end in zip(heads, ends, strict=True)}


@functools.cache
def _own(path: str, lang: Lang) -> Table:
    """Give the keys that stand right in the table `path`; none where there is no such table."""
    if path not in _places(lang):
        return {}
    start, end = _places(lang)[path]
    return _parsed(_text(lang)[start:end])


@functools.cache
def entry(path: str, lang: Lang = "en") -> Mapping[str, str]:
    """Give the entry at a dotted path, each key of it in `lang` where translated, else English.

    Parameters
    ----------
    path : str
        ``C-SHAPE``, ``hint.softmax``, ``ui.page``.

    Returns
    -------
    mapping of str
        Empty where there is no such entry.
    """
    found: dict[str, str] = {}
    for each in ("en", lang) if lang != "en" else ("en",):
        found.update({key: text for key, text in _own(path, each).items() if type(text) is str})
    found.pop("source", None)
    return MappingProxyType(found)


def language(explicit: str | None = None) -> Lang:
    """Choose the language: what was asked for, else ``ATTN_LANG``, else the locale, else English.

    Parameters
    ----------
    explicit : str, optional
        What ``--lang`` said. A language that the kit does not have counts as not said.
    """
    names = ("ATTN_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    for asked in (explicit, *(os.environ.get(name) for name in names)):
        known = _known(asked)
        if known is not None:
            return known
        if asked and asked.split(".")[0] in ("C", "POSIX"):
            return "en"
    with_system = locale.getlocale()[0] if sys.platform == "win32" else None
    return _known(with_system) or "en"


def _known(name: str | None) -> Lang | None:
    start = re.split(r"[_.\-@]", (name or "").strip().lower())[0]
    if start in ("zh", "chinese"):
        return "zh"
    return "en" if start in ("en", "english") else None


def render(
    code: str,
    slots: Mapping[str, Any] | None = None,
    lang: Lang = "en",
    graded: bool = False,
) -> str:
    """Give the sentence of `code`, its slots filled.

    Parameters
    ----------
    code : str
        A code of the locale files; an unknown one gives the sentence of ``UNKNOWN``.
    slots : mapping, optional
        What fills the braces: numbers, shapes, names. ``candidates`` is a list of codes,
        ``seen`` the finished part of an ``UNKNOWN``. More than the sentence needs is fine.
    graded : bool
        Number-free: only slots that cannot tell a hidden probe's numbers are filled.

    Returns
    -------
    str
        The first form of the entry whose slots are all known, else the last with safe words.
    """
    given = dict(slots or {})
    forms = entry(specific(code, given), lang)
    if not any(form in forms for form in _FORMS[graded]):
        forms, given = entry("UNKNOWN", lang), {}
    if "ask" not in given and given.get("error"):
        asks = entry("exception", lang)
        given["ask"] = asks.get(str(given["error"]), asks.get("other", ""))
    filled = {
        name: text
        for name, value in given.items()
        if (not graded or _may_be_told(name, value)) and (text := _words(name, value, lang))
    }
    order = [forms[form] for form in _FORMS[graded] if form in forms]
    for sentence in order:
        if fields(sentence) <= filled.keys():
            return fill(sentence, filled)
    defaults = entry("default", lang)
    return fill(order[-1], _Safe(defaults, filled)).strip()


def specific(code: str, slots: Mapping[str, Any]) -> str:
    """Give the more telling code where the slot ``error`` picks one, such as ``C-SYNTAX``."""
    return _VARIANTS.get((code, str(slots.get("error"))), code)


def name(code: str, lang: Lang = "en") -> str:
    """Give a finding's short name (``no scaling``), or the code itself where it has none."""
    return entry(code, lang).get("name", code)


def title(english: str, lang: Lang = "en") -> str:
    """Give a check's title in `lang`, from the English one that its grader's docstring holds."""
    return english if lang == "en" else entry("title", lang).get(english, english)


def hint(exercise: str, level: int = 1, lang: Lang = "en", code: str | None = None) -> str:
    """Give the hint of `level` (1 to 3) for an exercise, "" where there is none.

    Level 1 follows the finding: a question of its own (``hint_for``), else the nudge of the
    exercise that the finding is about, as where a mask goes amiss among heads.
    """
    ladder = exercise
    if level == 1 and code:
        if own := entry("hint_for", lang).get(code):
            return own
        plain = code.removeprefix("EQ-")
        ladder = next((_ASKED_IN[each] for each in _ASKED_IN if plain.startswith(each)), exercise)
    return entry(f"hint.{ladder}", lang).get(str(level), "")


def ui(path: str, lang: Lang = "en", **slots: Any) -> str:
    """Give a word or line of a report or page, such as ``page.points``; the key if unknown."""
    section, _, key = path.rpartition(".")
    sentence = entry(f"ui.{section}", lang).get(key, key)
    return fill(sentence, _Safe({"any": "…"}, {n: clean(v, 4000) for n, v in slots.items()}))


def seen(parts: Mapping[str, Mapping[str, Any]], lang: Lang = "en") -> str:
    """Join what can be seen in unknown numbers: ``{"shape": {"got": (3, 2)}, …}``."""
    words = entry("seen", lang)
    said = [
        fill(words[part], {n: _words(n, v, lang) for n, v in slots.items()})
        for part, slots in parts.items()
        if part in words and fields(words[part]) <= slots.keys()
    ]
    return words.get("join", "; ").join(said)


@functools.cache
def fields(sentence: str) -> frozenset[str]:
    """Give the names of a sentence's slots."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(sentence) if name)


class _Safe(dict[str, str]):
    """Slots with a safe word for each that is not there."""

    def __init__(self, defaults: Mapping[str, str], filled: Mapping[str, str]) -> None:
        super().__init__({**defaults, **filled})

    def __missing__(self, key: str) -> str:
        return self.get("any", "…")


class _Counting(string.Formatter):
    """Chooses a word by a number: ``{count} {count:row|rows}`` gives "1 row" and "2 rows"."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        return (one if str(value) == "1" else many) if bar else str(value)


_COUNTING = _Counting()


def fill(sentence: str, slots: Mapping[str, Any]) -> str:
    """Fill a sentence's slots; one such as ``{count:row|rows}`` is a word for that many."""
    if "|" in sentence:
        return _COUNTING.vformat(sentence, (), slots).strip()
    return sentence.format_map(slots).strip()


def _may_be_told(name: str, value: Any) -> bool:
    if name not in GRADED_SLOTS:
        return False
    if name in _WHOLE_NUMBERS_IN_GRADED:
        return isinstance(value, int | float) and value > 0
    if name in _LISTS and isinstance(value, list | tuple):
        return all(isinstance(each, str) for each in value)
    return isinstance(value, str)


def _words(slot: str, value: Any, lang: Lang) -> str:
    """Put one slot's value in words."""
    if slot in _LISTS and isinstance(value, list | tuple):
        said = (name(str(each), lang) if slot == "candidates" else clean(each) for each in value)
        return ("、" if lang == "zh" else ", ").join(said)
    if slot in _SENTENCE_SLOTS and isinstance(value, str):
        return clean(value, 600)
    if slot == "row" and isinstance(value, str):
        return clean(re.sub(r"^\[(\d+)\]$", r"\1", value))
    if slot == "sum" and isinstance(value, float) and abs(value - 1) < 1e-5:
        return ""  # a row that sums to 1 shows nothing: the form without numbers says it better
    if slot == "title" and isinstance(value, str):
        return clean(title(value, lang))
    if slot in ("what", "got") and isinstance(value, str):
        terms = entry("term", lang)
        if value in terms:
            return terms[value]
        count = re.fullmatch(r"(\d+) values", value)
        return fill(terms["values"], {"count": count[1]}) if count else clean(value)
    return _plain(value)


def _plain(value: Any) -> str:
    """Write a number, a shape or a text as a person would."""
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Iterable):
        parts = [_plain(each) for each in value]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    try:
        number = float(value)
    except (TypeError, ValueError):
        return ""
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    return f"{number:.3g}".replace("-", "−", 1) if number < 0 else f"{number:.3g}"


def clean(text: object, longest: int = _LONGEST_SLOT) -> str:
    """Give text that may come from a student as one line, without control signs, cut."""
    text = str(text)
    if text.isprintable() and "  " not in text and len(text) <= longest:
        return text.strip()
    kept = "".join(
        " " if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else sign
        for sign in text
    )
    kept = " ".join(kept.split())
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def sha(of: Mapping[str, Any]) -> str:
    """Give the short sha of an English entry, as its translation keeps it in ``source``."""
    texts = {key: text for key, text in of.items() if isinstance(text, str)}
    said = json.dumps(texts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:8]


def stamp(translated: str) -> str:
    """Give a translation file's text with each entry's ``source`` as its English now is."""
    lines: list[str] = []
    for line in translated.splitlines():
        header = re.fullmatch(r"\[([^\]]+)\]\s*", line)
        if re.match(r"source = ", line):
            continue
        lines.append(line)
        if header:
            place: Any = table("en")
            for part in header[1].split("."):
                place = place.get(part, {})
            lines.append(f'source = "{sha(place)}"')
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Refresh the ``source`` marks of zh.toml: ``python -m autograder.messages --stamp``."""
    if arguments != ["--stamp"]:
        print("usage: python -m autograder.messages --stamp", file=sys.stderr)
        return 2
    path = FOLDER / "zh.toml"
    path.write_text(stamp(path.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Fills a Markdown prompt: each `{{name}}` becomes a value, quoted as data.

A body knows no template syntax but ``{{name}}``, so that other renderers give the same text. What
a learner wrote can neither close its tags nor open a slot, and what is invisible is written out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.messages import Lang, entry, fill, hint, language, ui
from autograder.prompt_file import Prompt, PromptError, find

TOKEN_BUDGET = 6000  # estimated tokens of a rendering: what every chat takes in one message
LINE_BUDGET = 240  # of that, for a value inside a line
NOTE = 30  # of that, for the words that say that something was cut
LANGUAGES = {"en": "English", "zh": "简体中文"}

SLOT = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_TAG = re.compile(r"<(?=[\s/\\]*learner[\s_-]*data)", re.IGNORECASE)
_OPENING = re.compile(r"\{(?=[{%#])|(?<=[}%#])\}")
_ODD = re.compile(r"[^\n\t -~\u4e00-\u9fff]")  # all but the usual, looked at one by one
_UNSEEN = frozenset(("Cc", "Cf", "Co", "Cs", "Zl", "Zp"))


class MissingInput(PromptError):
    """Inputs that a prompt needs and did not get.

    Attributes
    ----------
    name : str
        The prompt's.
    missing : tuple of str
    """

    def __init__(self, name: str, missing: tuple[str, ...]) -> None:
        super().__init__(f"{name} needs {_listed(missing)}.")
        self.name, self.missing = name, missing


@dataclass(frozen=True)
class Rendered:
    """A filled prompt: `text` is to be pasted as it is; a notebook shows it ready to copy."""

    name: str
    lang: str
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        longest = max((len(each) for each in re.findall(r"`+", self.text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}text\n{self.text}\n{fence}"


def prompt(
    name: str,
    *,
    weights: Any = None,
    tokens: Any = None,
    trained: bool = False,
    exercise: str | None = None,
    report: Any = None,
    answer: str | None = None,
    code: str | None = None,
    level: str | None = None,
    lang: str | None = None,
    folder: Path | None = None,
    **values: str,
) -> Rendered:
    """Fill a prompt for any chat assistant with your own weights, finding or code.

    Parameters
    ----------
    name : str
        ``attention-explainer``, ``attention-tutor``, ``matrix-reader`` …
    weights : array of shape (n_q, n_k) or (n_heads, n_q, n_k), optional
        Or a path of a ``.npy`` file; for two sentences a list of two of them.
    tokens : str or list of str, optional
        A sentence, cut at spaces, or its tokens. A pair of them: queries and keys, or the two
        sentences.
    trained : bool
        Whether somebody trained the weights; the assistant says so if not.
    exercise : str, optional
    report : mapping or path, optional
        Results as ``attn check --json`` or ``attn grade`` write them.
    answer, code : str, optional
        What you wrote; `code` is read from your file of `exercise` unless given.
    level : str, optional
        For whom to explain, in your own words.
    lang : {"en", "zh"}, optional
    folder : Path, optional
        Where your files and `prompts/` are; the working directory unless told.
    **values : str
        Any input that the prompt's front matter declares.

    Returns
    -------
    Rendered
        ``print`` it or let a notebook show it, and paste it into a chat.

    Raises
    ------
    PromptError
        With a sentence; `MissingInput` names the inputs that are missing.
    """
    from autograder import prompt_inputs, prompt_sources

    chosen = language(lang)
    template = find(name, chosen, folder)
    declared = [each.name for each in template.inputs]
    if strange := [each for each in values if each not in declared]:
        slots = {"name": name, "input": strange[0], "inputs": ", ".join(declared)}
        raise PromptError(ui("ask.no_input", chosen, **slots))
    found = prompt_inputs.tables(weights, tokens, trained, chosen)
    if report is not None:
        found |= prompt_inputs.report_values(report, exercise, chosen)
    about = found.get("exercise", exercise)
    found |= prompt_sources.own_files(about, folder, code)
    if template.metadata.get("mode") == "review" and found.get("passed") == "no":
        raise PromptError(ui("ask.not_passed", chosen, name=name, exercise=found["exercise"]))
    given = {"exercise": exercise, "my_answer": answer, "level": level}
    given["recipe"] = hint(about, 2, chosen) if about else None
    found |= {key: value for key, value in given.items() if value is not None}
    found |= {"language": LANGUAGES[chosen], **values}
    return render(template, found)


def render(prompt: Prompt, values: Mapping[str, str]) -> Rendered:
    """Fill a prompt; values that it does not declare are left aside.

    Raises
    ------
    MissingInput
        Naming every required input that has no value.
    """
    missing = tuple(
        each.name for each in prompt.inputs if each.required and not values.get(each.name, "")
    )
    if missing:
        raise MissingInput(prompt.name, missing)
    ready = quoted(prompt, values)
    return Rendered(
        prompt.name, prompt.lang, SLOT.sub(lambda slot: ready.get(slot[1], ""), prompt.body)
    )


def quoted(prompt: Prompt, values: Mapping[str, str]) -> dict[str, str]:
    """Give what each slot becomes: printable, unable to close its tags, within the budget."""
    blocks = {name for name in SLOT.findall(prompt.body) if _alone(name, prompt.body)}
    lines = len(prompt.inputs) - len(blocks)
    spare = TOKEN_BUDGET - estimated_tokens(prompt.body) - lines * LINE_BUDGET
    ready: dict[str, str] = {}
    for each in prompt.inputs:
        value = printable(values.get(each.name) or each.default)
        if each.name in blocks:
            ready[each.name] = _cut(value.strip("\n"), spare // len(blocks), prompt.lang)
        else:
            ready[each.name] = _cut(" ".join(value.split()), LINE_BUDGET, prompt.lang)
    return ready


def _alone(name: str, body: str) -> bool:
    return re.search(rf"^\{{\{{{name}\}}\}}$", body, re.MULTILINE) is not None


def printable(text: str) -> str:
    """Give `text` as it may stand in a prompt: what is invisible or steers is written out.

    Control and format characters (terminal escapes, direction marks, tag characters) become
    ``\\x1b`` or ``\\u202e``; a tag of ours loses its bracket; ``{{`` is set apart.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _OPENING.sub(_apart, _TAG.sub("‹", _ODD.sub(_shown, text)))


def _apart(match: re.Match[str]) -> str:
    return "{ " if match[0] == "{" else " }"


def _shown(match: re.Match[str]) -> str:
    """Write an invisible sign out, and leave a visible one as it is."""
    sign, code = match[0], ord(match[0])
    if unicodedata.category(sign) not in _UNSEEN:
        return sign
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def _cut(text: str, budget: int, lang: Lang) -> str:
    """Cut `text` to an estimated number of tokens, and say so."""
    note = entry("ui.prompt", lang).get("cut", "…")
    spent, room = 0.0, 0
    for place, sign in enumerate(text):
        spent += _cost(sign)
        if spent <= budget - NOTE:
            room = place + 1
        if spent > budget:
            return text[:room] + "\n"[: "\n" in text] + fill(note, {"count": len(text) - room})
    return text


def estimated_tokens(text: str) -> int:
    """Estimate how many tokens a chat assistant counts, rather too many than too few."""
    return round(sum(_cost(sign) for sign in text))


def _cost(sign: str) -> float:
    if sign.isascii():
        return 0.29 if sign.isalpha() or sign == " " else 0.5
    return 1.0


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]

"""The command `attn prompt`: which words give which input, and where the text goes.

What a prompt is and how it is filled stands in `prompt` and `prompt_inputs`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from autograder.desk_cli import lang_option
from autograder.messages import Lang, language, ui
from autograder.prompt_file import Prompt, PromptError, find, names
from autograder.spoken import Spoken

_RUN = "-"  # --from-check without a file: run the checks now
_OPTIONS = {
    "exercise": "--exercise E",
    "finding_sentence": "--from-check",
    "report": "--from-check",
    "report_table": "--from-check RESULTS.json of `attn grade`",
    "misconceptions": "--from-check RESULTS.json of `attn grade`",
    "my_code": "--code FILE",
    "my_answer": '--answer "…"',
    "tokens": '--tokens "…"',
    "tokens_a": '--tokens "…" twice',
    "tokens_b": '--tokens "…" twice',
    "weights_table": "--weights FILE.npy",
    "entropy_table": "--weights FILE.npy",
    "trained": "--weights FILE.npy",
    "diff_table": "--weights FILE.npy twice",
    "divergence_table": "--weights FILE.npy twice",
}

_ANY_EXERCISE = "softmax"
_WEIGHTS, _TWO_WEIGHTS = "--weights weights.npy", "--weights weights.npy --weights other.npy"
_TOKENS, _TWO_TOKENS = '--tokens "the cat sat"', '--tokens "the cat sat" --tokens "the dog ran"'
_EXAMPLES = {
    "exercise": f"--exercise {_ANY_EXERCISE}",
    "finding_sentence": "--from-check",
    "report": "--from-check",
    "report_table": "--from-check graded/results.json",
    "misconceptions": "--from-check graded/results.json",
    "my_code": f"--code {_ANY_EXERCISE}.py",
    "my_answer": '--answer "each row sums to 1"',
    "tokens": _TOKENS,
    "tokens_a": _TWO_TOKENS,
    "tokens_b": _TWO_TOKENS,
    "weights_table": _WEIGHTS,
    "entropy_table": _WEIGHTS,
    "trained": _WEIGHTS,
    "diff_table": _TWO_WEIGHTS,
    "divergence_table": _TWO_WEIGHTS,
}


@click.command("prompt", cls=Spoken)
@click.argument("name", required=False)
@click.option("--list", "show", is_flag=True)
@click.option("--exercise", "-e", metavar="E")
@click.option(
    "--weights",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE.npy",
)
@click.option(
    "--from-check",
    "report",
    is_flag=False,
    flag_value=_RUN,
    default=None,
    metavar="[FILE.json]",
)
@click.option(
    "--tokens",
    multiple=True,
    metavar='"…"',
)
@click.option("--trained", is_flag=True)
@click.option("--level", metavar="L")
@click.option("--answer", metavar='"…"')
@click.option("--code", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--set", "settings", multiple=True, metavar="INPUT=VALUE")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
)
@lang_option
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--clipboard", is_flag=True)
def prompt_command(
    name: str | None,
    show: bool,
    exercise: str | None,
    weights: tuple[Path, ...],
    report: str | None,
    tokens: tuple[str, ...],
    trained: bool,
    level: str | None,
    answer: str | None,
    code: Path | None,
    settings: tuple[str, ...],
    folder: Path | None,
    lang: str | None,
    out: Path | None,
    clipboard: bool,
) -> None:
    """Fill a prompt for the chat assistant that you use, with your own numbers.

    Nothing is sent anywhere: the text is printed, written or copied, and you paste it.
    """
    chosen = language(lang)
    if name is None and report not in (None, _RUN) and not str(report).endswith(".json"):
        name, report = report, _RUN  # `attn prompt --from-check NAME`
    try:
        if show:
            _list(chosen, folder)
            return
        if name is None:
            raise PromptError(ui("ask.which", chosen))
        values = _settings(settings, find(name, chosen, folder))
        if report == _RUN:
            report_data: Any = _check(exercise, folder, chosen)
        else:
            report_data = Path(report) if report else None
        text = _filled(
            name,
            weights=list(weights) if len(weights) > 1 else weights[0] if weights else None,
            tokens=list(tokens) if len(tokens) > 1 else tokens[0] if tokens else None,
            trained=trained,
            exercise=exercise,
            report=report_data,
            answer=answer,
            code=_read(code),
            level=level,
            lang=chosen,
            folder=folder,
            **values,
        )
        _deliver(text, out, clipboard)
    except PromptError as error:
        _stop(str(error))


def _stop(sentence: str) -> NoReturn:
    click.echo(f"attn: {sentence}", err=True)
    sys.exit(2)


def _filled(name: str, **given: Any) -> str:
    from autograder.prompt import MissingInput, prompt

    for what in ("weights", "tokens"):
        if isinstance(given[what], list) and len(given[what]) > 2:
            raise PromptError(ui("ask.twice", given["lang"], option=f"--{what}"))
    try:
        return prompt(name, **given).text
    except MissingInput as error:
        ways = dict.fromkeys(_OPTIONS.get(e, f"--set {e}=VALUE") for e in error.missing)
        slots = {
            "name": name,
            "ways": ", ".join(ways),
            "example": _example(name, error.missing, given),
        }
        raise PromptError(ui("ask.missing", given["lang"], **slots)) from None


def _example(name: str, missing: Sequence[str], given: Mapping[str, Any]) -> str:
    """Give a command that can be typed as it is, with all that the prompt must have."""
    template = find(name, given["lang"], given["folder"])
    needed = [each.name for each in template.inputs if each.required]
    example = dict.fromkeys([*needed, *missing])
    words = dict.fromkeys(_EXAMPLES.get(each, f"--set {each}=VALUE") for each in example)
    for one, two in ((_WEIGHTS, _TWO_WEIGHTS), (_TOKENS, _TWO_TOKENS)):
        if two in words:
            words.pop(one, None)
    said = " ".join(["attn prompt", name, *words])
    return said.replace(_ANY_EXERCISE, given["exercise"] or _ANY_EXERCISE)


def _list(lang: Lang, folder: Path | None) -> None:
    there = names(folder)
    if not there:
        raise PromptError(ui("ask.none", lang))
    for each in there:
        template = find(each, lang, folder)
        needed = [one.name for one in template.inputs if one.required]
        click.echo(f"{each}  ({template.metadata.get('audience', '?')})")
        click.echo(f"    {template.description}")
        click.echo(
            f"    {ui('ask.needs', lang, inputs=', '.join(needed))}"
            if needed
            else f"    {ui('ask.needs_nothing', lang)}"
        )


def _settings(settings: tuple[str, ...], template: Prompt) -> dict[str, str]:
    declared = [each.name for each in template.inputs]
    found: dict[str, str] = {}
    for each in settings:
        key, equals, value = each.partition("=")
        if not equals or key not in declared:
            raise PromptError(ui("ask.set", language(), inputs=", ".join(declared)))
        found[key] = value
    return found


def _read(path: Path | None) -> str | None:
    if path is None:
        return None
    from autograder.prompt_sources import MAX_SOURCE, text_of

    return text_of(path, MAX_SOURCE)


def _check(exercise: str | None, folder: Path | None, lang: Lang) -> Any:
    """Run `attn check --json` in a process of its own, and give its results."""
    words = [sys.executable, "-P", "-m", "autograder", "check", "--json", "--lang", lang]
    words += ["--dir", str(folder)] if folder else []
    words += [exercise] if exercise else []
    ran = subprocess.run(
        words, capture_output=True, text=True, encoding="utf-8", check=False, env=_found_by_name()
    )
    try:
        return json.loads(ran.stdout)
    except ValueError:
        said = ran.stderr.strip().splitlines()
        reason = said[-1].removeprefix("attn: ").removeprefix("Error: ") if said else "no results"
        raise PromptError(ui("ask.no_check", lang, reason=reason.rstrip("."))) from None


def _found_by_name() -> dict[str, str]:
    """Give the variables with which a Python finds the kit, wherever it is started."""
    engine = Path(__file__).resolve().parents[1]
    if engine.name in ("site-packages", "dist-packages"):
        return dict(os.environ)
    path = [str(engine), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


# Where the text goes


def _deliver(text: str, out: Path | None, clipboard: bool) -> None:
    if clipboard:
        _copy(text)
        click.echo(ui("ask.copied", language()), err=True)
    if out is not None:
        try:
            out.write_text(text + "\n", "utf-8", newline="\n")
        except OSError as error:
            slots = {"file": str(out), "why": error.strerror}
            raise PromptError(ui("ask.not_written", language(), **slots)) from None
        click.echo(str(out), err=True)
    if out is None and not clipboard:
        stream = sys.stdout
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")  # a pipe on Windows would lose the tokens
        click.echo(text)


def _clipboards() -> list[list[str]]:
    """Give the commands of this desktop that take a clipboard's text, best first."""
    if sys.platform == "darwin":
        return [["pbcopy"]]
    if sys.platform == "win32":
        return [["clip"]]
    wayland = [["wl-copy"]] if os.environ.get("WAYLAND_DISPLAY") else []
    x11 = [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
    return [*wayland, *(x11 if os.environ.get("DISPLAY") else []), ["clip.exe"]]


def _copy(text: str) -> None:
    """Put `text` on the clipboard by the desktop's own command."""
    for words in _clipboards():
        if shutil.which(words[0]) is None:
            continue
        encoding = "utf-16-le" if words[0].startswith("clip") else "utf-8"
        try:
            ran = subprocess.run(
                words,
                input=text.encode(encoding),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=10,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if ran.returncode == 0:
            return
    tools = ", ".join(dict.fromkeys(words[0] for words in _clipboards()))
    raise PromptError(ui("ask.no_clipboard", language(), tools=tools))

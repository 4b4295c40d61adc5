"""The student's commands: check, hint, list. Words in, words and an exit code out."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.sandbox import Sandbox

if TYPE_CHECKING:
    from autograder.desk import Desk
    from autograder.messages import Lang
    from autograder.verdict import Verdict

dir_option = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the exercises (default: here, then upwards).",
)
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="Language (default: ATTN_LANG, then locale)."
)


class Warming(threading.Thread):
    """Starts a sandbox while this process imports the rest: each of the two takes its time."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._sandbox: Sandbox | None = None
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._sandbox = Sandbox()
        except BaseException as error:  # whatever it is, it is raised where the sandbox is used
            self._error = error

    def __enter__(self) -> Warming:
        return self

    def __exit__(self, *_: object) -> None:
        self.join()
        if self._sandbox is not None:
            self._sandbox.close()

    def ready(self) -> Sandbox:
        """Give the sandbox, or raise what kept it from starting."""
        self.join()
        if self._sandbox is None:
            raise self._error or RuntimeError("no sandbox was started")
        return self._sandbox


@click.command("check")
@click.argument("exercises", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the results schema's JSON.")
@dir_option
@lang_option
def check_command(
    exercises: tuple[str, ...], as_json: bool, folder: Path | None, lang: str | None
) -> None:
    """Run the visible checks of some exercises, or of all."""
    with Warming() as warming:
        from autograder import messages
        from autograder.desk import check, find_folder, open_desk

        speech = messages.language(lang)
        desk = open_desk(find_folder(folder))
        found = check(desk, exercises, sandbox := warming.ready())
    if as_json:
        click.echo(_json(desk, found, (sandbox.level, *sandbox.layers), speech))
    else:
        click.echo("\n".join(_told(desk, found, speech)))
    sys.exit(0 if all(each.passed for each in found) else 1)


def _told(desk: Desk, found: list[Verdict], lang: Lang) -> list[str]:
    from autograder import verdict

    lines: list[str] = []
    for each in found:
        lines += [*verdict.lines(each, desk.about(each.exercise), lang), ""]
    return [*lines, verdict.summary(found, lang)]


def _json(desk: Desk, found: list[Verdict], isolation: Sequence[str], lang: Lang) -> str:
    from autograder import record, verdict

    names = [name for name, _ in desk.files()]
    results = verdict.results(
        found, id=desk.folder.resolve().name, files=names, isolation=isolation, lang=lang
    )
    return record.dumps(results.to_json()).decode()


@click.command("hint")
@click.argument("exercise")
@click.option(
    "--level",
    "-l",
    type=click.IntRange(1, 3),
    help="1 asks, 2 gives the recipe, 3 code with holes.",
)
@dir_option
@lang_option
def hint_command(exercise: str, level: int | None, folder: Path | None, lang: str | None) -> None:
    """Give a hint for an exercise; level 1 follows what the check found."""
    from autograder import messages
    from autograder.desk import check, find_folder, open_desk

    speech = messages.language(lang)
    desk = open_desk(find_folder(folder))
    code: str | None = None
    if level in (None, 1):
        (found,) = check(desk, [exercise])
        code = found.told.codes[0] if found.told.codes else None
    click.echo(messages.hint(exercise, level or 1, speech, code))
    if (level or 1) < 3:
        click.echo(messages.ui("desk.next_hint", speech, exercise=exercise, level=(level or 1) + 1))


@click.command("list")
@dir_option
@lang_option
def list_command(folder: Path | None, lang: str | None) -> None:
    """List the exercises: state, minutes, difficulty."""
    from autograder import messages
    from autograder.desk import check, find_folder, open_desk

    speech = messages.language(lang)
    desk = open_desk(find_folder(folder))
    for each in check(desk):
        about: dict[str, Any] = dict(desk.about(each.exercise))
        title = about["title_zh"] if speech == "zh" and about.get("title_zh") else about["title"]
        state = messages.ui(f"desk.{each.state}", speech)
        dots = "●" * about["difficulty"] + "○" * (5 - about["difficulty"])
        minutes = messages.ui("desk.minutes", speech, minutes=about["minutes"])
        click.echo(f"{each.exercise:<30} {dots}  {minutes:>8}  {state}  {title}")

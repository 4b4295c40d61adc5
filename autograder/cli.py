"""The command `attn`: words in, exit codes out; every command's work stands elsewhere.

Exit codes: 0 done; 1 done, but something named is unreadable, empty or stale (for ``check``:
not all passed); 2 usage, a missing path, nothing to grade; 3 the kit's own fault; 130 stopped by
the user, with what was done by then written.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click

from autograder import __version__, room
from autograder.spoken import Spoken, said, section, words

DONE, NAMED, USAGE, FAULT, STOPPED = 0, 1, 2, 3, 130
GRADING = ("grade", "course", "demo")  # commands of which it matters that no score was written
MOVED_SHOWN = 12  # hand-ins whose score moved, told in the terminal

kit_option = click.option(
    "--kit",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the instructor's material (default: ATTN_KIT, then upward from here).",
)
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="Language (default: ATTN_LANG, then locale)."
)


def _stop(message: str, code: int) -> NoReturn:
    click.echo(f"attn: {message}", err=True)
    sys.exit(code)


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn the engine's own exceptions into a sentence and an exit code."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception as error:
            grades = bool(args) and getattr(args[0], "invoked_subcommand", None) in GRADING
            if short := getattr(error, "short", None) or room.ran_out(error):
                kept = " No score was written; what is graded by now is kept." if grades else ""
                _stop(f"{short}.{kept}", FAULT)
            code = _code(error)
            if code is None:
                raise
            stand = getattr(error, "scores_stand", False) or not grades
            if isinstance(error, OSError) and error.strerror:
                place = f": {error.filename}" if error.filename else ""
                _stop(f"{error.strerror}{place}{'' if stand else '; no score was written'}", code)
            fault = f"the kit's own fault{'' if stand else ', no score was written'}: "
            _stop(f"{fault if code == FAULT else ''}{error}", code)

    return run


def _code(error: Exception) -> int | None:
    """Give the exit code of one of the engine's own exceptions; None for any other."""
    from autograder.batch import Interrupted, PagesFault
    from autograder.cluster import ClusterError
    from autograder.course.place import CourseError
    from autograder.course.roster import RosterError
    from autograder.exercise import KitNotFound, SourceError
    from autograder.export.formats import ExportError
    from autograder.grade import KitFault
    from autograder.late import LateError
    from autograder.overrides import OverrideError
    from autograder.preview import PreviewError
    from autograder.results import ResultsError
    from autograder.sandbox import IsolationTooWeak, SandboxFault
    from autograder.submission import SubmissionError

    if isinstance(error, BrokenPipeError):
        return None
    words = ExportError | LateError | OverrideError | PreviewError | CourseError | RosterError
    if isinstance(error, KitNotFound | SubmissionError | IsolationTooWeak | words):
        return USAGE
    if isinstance(error, ClusterError):
        return USAGE
    if isinstance(error, Interrupted):
        return STOPPED
    if isinstance(error, SourceError):
        return NAMED
    faults = KitFault | SandboxFault | ResultsError | PagesFault | OSError
    return FAULT if isinstance(error, faults) else None


# Commands that stand in modules of their own, imported when they are asked for.
ELSEWHERE = {
    "compare": "autograder.class_cli:compare_command",
    "export": "autograder.class_cli:export_command",
    "gradescope": "autograder.class_cli:gradescope_command",
    "preview": "autograder.class_cli:preview_command",
    "report": "autograder.class_cli:report_command",
    "course": "autograder.course_cli:course_command",
    "check": "autograder.desk_cli:check_command",
    "hint": "autograder.desk_cli:hint_command",
    "list": "autograder.desk_cli:list_command",
    "picture": "autograder.picture_cli:picture_command",
    "prompt": "autograder.prompt_cli:prompt_command",
    "quiz": "autograder.quiz_cli:quiz_command",
    "pack": "autograder.folder_cli:pack_command",
    "reset": "autograder.folder_cli:reset_command",
    "solution": "autograder.folder_cli:solution_command",
    "watch": "autograder.watch_cli:watch_command",
    "release": "autograder.release_cli:release_command",
}
# What a student types, in the order in which she meets it; everything else is the instructor's.
AT_THE_DESK = "watch check hint list picture quiz prompt reset pack solution".split()


class Commands(Spoken, click.Group):
    """The commands of this file, and those that stand elsewhere."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, name = ELSEWHERE[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Name a student's commands first, apart from those of instructors."""
        super().format_help(ctx, formatter)
        own, lists = words("attn"), words("list_of_commands")
        desk = [name for name in AT_THE_DESK if name in self.list_commands(ctx)]
        others = [name for name in self.list_commands(ctx) if name not in desk]
        for head, names in (("students", desk), ("instructors", others)):
            rows = [(name, words(name).get("short") or lists.get(name, "")) for name in names]
            formatter.write("\n".join(["", *section(own[head], rows)]) + "\n")

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            raise said(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        if short := room.lacking(*room.FLOOR, "every command"):
            _stop(f"{short}.", FAULT)
        try:
            return guarded(super().invoke)(ctx)
        except click.UsageError as error:
            raise said(error) from None
        except KeyboardInterrupt:  # click would end with 1, as if something had been found
            click.echo(err=True)
            sys.exit(STOPPED)


@click.group("attn", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="attn", package_name="attention-kit")
def main() -> None:
    """Build, check and grade exercises on self-attention."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


class NamedPath(click.Path):
    """A path that is written: "", as an unset variable of a shell gives, would be this folder."""

    def convert(self, value: Any, *context: Any) -> Any:
        if value == "":
            self.fail("it is empty; write . for this folder.", *context)
        return super().convert(value, *context)


@main.command()
@click.argument("paths", nargs=-1, required=True, type=NamedPath(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=NamedPath(path_type=Path, file_okay=False),
    help="Folder for results.json and the pages.",
)
@click.option("--exercise", "-e", "exercises", multiple=True, help="Grade only these exercises.")
@click.option(
    "--jobs",
    "-j",
    default=1,
    show_default=True,
    type=click.IntRange(1, 256),
    help="Grading processes side by side.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Grade on the Dask cluster of this scheduler, such as tcp://node1:8786.",
)
@click.option(
    "--require-isolation",
    is_flag=False,
    flag_value="L2",
    default=None,
    type=click.Choice(["L0", "L1", "L2", "L3", "L4"]),
    help="Refuse to grade below this level of isolation (alone: L2; README says what each is).",
)
@click.option("--no-html", is_flag=True, help="Write results.json only.")
@click.option("--force", is_flag=True, help="Grade again what has not changed.")
@click.option(
    "--overrides",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Marks set by hand: a CSV with the columns id, check, score, reason.",
)
@kit_option
@lang_option
def grade(
    paths: tuple[Path, ...],
    out: Path,
    exercises: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    require_isolation: str | None,
    no_html: bool,
    force: bool,
    overrides: Path | None,
    kit: Path | None,
    lang: str | None,
) -> None:
    """Grade submissions: folders, .py files, notebooks, zips."""
    from autograder import batch, regrade, report
    from autograder.exercise import find_kit
    from autograder.messages import language
    from autograder.overrides import read
    from autograder.pace import Pace

    spoken, said, pace = language(lang), list[str](), Pace()
    with contextlib.suppress(ValueError):  # a scheduler's way to stop a job is as good as Ctrl-C
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    begun = time.monotonic()
    files = str(out / batch.PREVIOUS), str(out / "results.json")
    plan = batch.Plan(
        paths=paths,
        out=out,
        exercises=exercises,
        jobs=jobs,
        cluster=cluster,
        require=require_isolation,
        html=not no_html,
        force=force,
        lang=spoken,
        tell=lambda sentence: click.echo(f"attn: {sentence}", err=True),
        progress=pace,
        known=pace.known,
        overrides=tuple(read(overrides)) if overrides else (),
        moved=lambda moved: said.extend(regrade.lines(moved, spoken, MOVED_SHOWN, files)),
    )
    try:
        results = batch.grade(find_kit(kit, graded=paths, lang=spoken), plan)
    finally:
        pace.close()
    report.print_class(results, plan.lang, seconds=time.monotonic() - begun)
    for line in said:
        click.echo(line)
    pages = [] if no_html else ["index.html", batch.REPORT]
    click.echo(" · ".join(str(out / each) for each in ("results.json", *pages)))
    sys.exit(NAMED if batch.troubled(results) else DONE)


@main.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("graded"),
    show_default=True,
    help="Folder for results.json and the pages.",
)
@click.option("--accept", is_flag=True, hidden=True, help="Commit these results as expected.")
@kit_option
@lang_option
def demo(out: Path, accept: bool, kit: Path | None, lang: str | None) -> None:
    """Grade the sample class in the repository and show the report."""
    from autograder import demonstration
    from autograder.exercise import find_kit
    from autograder.messages import language

    differences = demonstration.run(find_kit(kit), out, language(lang), accept=accept)
    for sentence in differences:
        click.echo(f"attn: {sentence}", err=True)
    sys.exit(FAULT if differences else DONE)


@main.command()
@click.option("--check", "only_check", is_flag=True, help="Only say what is stale.")
@kit_option
def build(only_check: bool, kit: Path | None) -> None:
    """Make exercises/ from solutions/ and the visible checks."""
    from autograder import build as builder
    from autograder import wording
    from autograder.exercise import find_kit

    found = find_kit(kit)
    sentences = builder.check_fresh(found) if only_check else map(str, builder.build(found))
    told = list(sentences)
    for line in told or ["exercises/ is fresh."]:
        click.echo(line)
    for sentence in wording.lacking(found):
        click.echo(f"attn: warning: {sentence}", err=True)
    sys.exit(NAMED if told and only_check else DONE)


@main.command()
@kit_option
def verify(kit: Path | None) -> None:
    """Prove every grader: the reference passes, each known mistake is caught and named."""
    from autograder import verify as prover
    from autograder.exercise import find_kit
    from autograder.pace import Steps

    held, steps = True, Steps("known mistakes proved")
    try:
        for claim in prover.verify(find_kit(kit).root, progress=steps):
            click.echo(f"{'ok  ' if claim.ok else 'FAIL'}  {claim.text}")
            for detail in claim.details:
                click.echo(f"      {detail}")
            held = held and claim.ok
    finally:
        steps.close()
    sys.exit(DONE if held else FAULT)


if __name__ == "__main__":
    main()

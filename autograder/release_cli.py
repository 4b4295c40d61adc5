"""The command `attn release`: words in, a zip and an exit code out."""

from __future__ import annotations

import sys
from pathlib import Path

import click

EVERY = 5.0  # seconds between two lines of progress, where there is no terminal


@click.command("release")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("attention.zip"),
    show_default=True,
    help="The zip to write.",
)
@click.option(
    "--exercise",
    "-e",
    "exercises",
    multiple=True,
    help="Only these; what they import comes with them, as stubs.",
)
@click.option("--self-study", is_flag=True, help="With solutions, for `attn solution`.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="Of the notebook.")
@click.option(
    "--kit",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the instructor's material (default: ATTN_KIT, then upward from here).",
)
def release_command(
    out: Path, exercises: tuple[str, ...], self_study: bool, lang: str, kit: Path | None
) -> None:
    """Make the students' zip, and prove that it gives nothing away."""
    from autograder import wording
    from autograder.exercise import find_kit
    from autograder.messages import language
    from autograder.pace import Steps
    from autograder.release import ReleaseRefused, release, write

    click.echo("attn: building the wheel, then looking through every file …", err=True)
    out.unlink(missing_ok=True)  # an older one must not be taken for this one
    found, steps = find_kit(kit), Steps("files looked through", every=EVERY)
    try:
        made = release(found, exercises, language(lang), self_study=self_study, progress=steps)
    except ReleaseRefused as refused:
        for fault in refused.faults:
            click.echo(f"attn: {fault}", err=True)
        click.echo("attn: the release would give something away; no zip was written.", err=True)
        sys.exit(1)
    finally:
        steps.close()
    write(out, made)
    for sentence in wording.lacking(found, made.exercises):
        click.echo(f"attn: warning: {sentence}", err=True)
    if made.added:
        click.echo(f"With what these import, as stubs: {', '.join(made.added)}")
    kind = (
        "for self-study, solutions inside" if self_study else "no solution, check or secret in it"
    )
    click.echo(f"{out} · {len(made.exercises)} exercises · assignment {made.version} · {kind}")

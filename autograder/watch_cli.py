"""The command `attn watch`: a terminal, or plain lines where there is none."""

from __future__ import annotations

import contextlib
import signal
import sys
from pathlib import Path

import click

from autograder.desk_cli import dir_option, lang_option
from autograder.spoken import Spoken
from autograder.warming import Warming

CLEAR = "\x1b[2J\x1b[3J\x1b[H"


@click.command("watch", cls=Spoken)
@click.option("--plain", is_flag=True)
@click.option("--ascii", "only_ascii", is_flag=True)
@dir_option
@lang_option
def watch_command(plain: bool, only_ascii: bool, folder: Path | None, lang: str | None) -> None:
    """Check after every save, until you press q."""
    _end_as_by_ctrl_c()
    with Warming() as warming:
        from autograder import messages
        from autograder.desk import find_folder
        from autograder.messages import ui
        from autograder.picture import look_of
        from autograder.watch import opened
        from autograder.watching import Events, unbuffered

        speech = messages.language(lang)
        look = look_of(sys.stdout, ascii=only_ascii, plain=plain, lang=speech)
        place = find_folder(folder)
        with unbuffered() as keyboard:
            clears = keyboard and not plain and sys.platform != "win32"

            def show(lines: list[str]) -> None:
                click.echo((CLEAR if clears else "") + "\n".join(["", *lines]))

            watch = opened(place, look, keyboard, show, warming.ready())
            started = "started_keys" if keyboard else "started"
            click.echo(ui(f"watch.{started}", speech, folder=str(place)))
            if not keyboard:
                click.echo(ui("watch.no_keys", speech))
            events = Events(place, keyboard)
            try:
                watch.run(events)
            except KeyboardInterrupt:
                pass
            finally:
                events.end()
        click.echo(ui("watch.stopped", speech))


def _end_as_by_ctrl_c() -> None:
    """Let whoever ends the process, or closes its terminal, stop the watch as Ctrl-C does."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        with contextlib.suppress(ValueError):  # not in the main thread
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup
                signal.signal(number, signal.default_int_handler)

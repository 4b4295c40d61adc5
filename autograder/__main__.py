"""Run the command `attn`, as ``python -m autograder`` and as the installed program do.

A hand-in may be the working directory. Nothing is imported from there: not a file called as a
module of Python's own is, by mischance, and none that was put there on purpose.
"""

import os
import sys


def main() -> None:
    """Run the command, with nothing to import from the working directory but the kit itself."""
    _leave_working_directory()
    _open_streams()
    from autograder import room

    room.prepare()
    try:
        from autograder.cli import main as run

        run()
    except KeyboardInterrupt:  # before there is a command to hear it
        sys.exit(130)
    except Exception as error:
        if (said := room.ran_out(error, guess=True)) is None:
            raise
        sys.stderr.write(f"attn: {said}.\n")
        sys.exit(3)


def _leave_working_directory() -> None:
    """Take the working directory off the import path, or put it last where the kit stands there.

    A hand-in may have been unpacked beside the kit too: a `click.py` there is not ours.
    """
    try:
        here = os.path.realpath(os.getcwd())  # noqa: PTH109
    except OSError:  # it is gone: nothing lies there
        return
    engine = os.path.realpath(os.path.join(os.path.dirname(__file__), os.pardir))  # noqa: PTH118, PTH120
    if here in [os.path.realpath(each) for each in (os.path.dirname(os.__file__), *_packages())]:  # noqa: PTH120
        return  # Python's own folders
    sys.path[:] = [each for each in sys.path if os.path.realpath(each or here) != here]
    if here == engine:
        sys.path.append(engine)


def _packages() -> list[str]:
    site = sys.modules.get("site")  # not imported anew, which could come from anywhere
    return [] if site is None else [*site.getsitepackages(), site.getusersitepackages()]


def _open_streams() -> None:
    """Open what was closed when we were started, as ``attn 2>&-`` does, so that it leads nowhere.

    Else a file of ours would be opened in its place, and be written what is meant for a screen.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            made = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123
            setattr(sys, name, made)
            setattr(sys, f"__{name}__", made)


if __name__ == "__main__":
    main()

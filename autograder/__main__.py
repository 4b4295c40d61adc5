"""Run the command `attn`, as ``python -m autograder`` and as the installed program do.

A hand-in may be the working directory. Nothing is imported from there: not a file called as a
module of Python's own is, by mischance, and none that was put there on purpose.
"""

import os
import sys


def main() -> None:
    """Run the command, with the working directory off the import path unless the kit is there."""
    engine = os.path.realpath(os.path.join(os.path.dirname(__file__), os.pardir))  # noqa: PTH118, PTH120
    here = os.path.realpath(os.getcwd())  # noqa: PTH109
    if here != engine:
        sys.path[:] = [each for each in sys.path if os.path.realpath(each or here) != here]
    try:
        from autograder.cli import main as run

        run()
    except KeyboardInterrupt:  # before there is a command to hear it
        sys.exit(130)


if __name__ == "__main__":
    main()

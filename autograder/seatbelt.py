"""macOS: a process that may read Python and NumPy, and reach nothing else.

Theory of operation
-------------------
`sandbox-exec` takes a profile, puts it on itself and becomes the program that it is given, so the
process keeps its number and its pipes. In a profile the last rule that fits wins. Everything is
open at first, so that Python starts on any version of the system; then are shut: the network,
every write but to /dev/null, fork, signals to others, talk with the system's services, starting
any program but Python's own, and reading files. Reading is opened again for the system's
libraries and for the folders that are named; asking whether a file exists stays open, because a
path cannot be followed without it.

The system calls the command deprecated, and other tools of its makers and many others stand on it.
This was written from its documentation and has never run on a Mac: what a worker could not do when
it tried (`canary`) decides what is reported, and where no worker starts this way, none is held so.

It makes text, and knows nothing of workers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

COMMAND = "/usr/bin/sandbox-exec"
# What Python itself, NumPy and the dynamic linker read.
SYSTEM = (
    "/System",
    "/usr/lib",
    "/usr/share",
    "/Library/Apple",
    "/Library/Frameworks",
    "/private/var/db/dyld",
    "/private/var/db/timezone",
    "/opt/homebrew/Cellar",
    "/opt/homebrew/opt",
    "/opt/homebrew/lib",
    "/usr/local/Cellar",
    "/usr/local/opt",
    "/usr/local/lib",
    "/dev",
)
OTHERS = ("site-packages", "dist-packages")  # where packages stand that nobody granted


def profile(interpreter: Sequence[str], granted: Sequence[str]) -> str:
    """Give the profile.

    Parameters
    ----------
    interpreter : sequence of str
        The folders of Python and its library, and the program itself.
    granted : sequence of str
        Folders of packages that may be read, wherever they stand.
    """
    own = list(_real(interpreter))
    lines = [
        "(version 1)",
        "(allow default)",
        "(deny network*)",
        "(deny file-write*)",
        '(allow file-write* (literal "/dev/null"))',
        "(deny mach-lookup)",
        "(deny process-fork)",
        "(deny process-exec*)",
        *(f"(allow process-exec* (subpath {_quoted(path)}))" for path in own),
        "(deny signal)",
        "(allow signal (target self))",
        "(deny file-read*)",
        "(allow file-read-metadata)",
        '(allow file-read* (literal "/"))',
        *(f"(allow file-read* (subpath {_quoted(path)}))" for path in (*SYSTEM, *own)),
        *(f'(deny file-read-data (regex #"/{name}(/|$)"))' for name in OTHERS),
        *(f"(allow file-read* (subpath {_quoted(path)}))" for path in _real(granted)),
        # Python finds a package by the list of its folder: the names there, and nothing in them.
        *(f"(allow file-read* (literal {_quoted(path)}))" for path in _real(_holders(granted))),
    ]
    return "\n".join(lines) + "\n"


def command(text: str, program: Sequence[str]) -> list[str]:
    """Give the command that runs a program under a profile."""
    return [COMMAND, "-p", text, *program]


def _real(paths: Iterable[str]) -> Iterable[str]:
    """Give each path as it is said and as it is, each once."""
    return dict.fromkeys(
        each
        for path in paths
        for each in (os.path.abspath(path), os.path.realpath(path))  # noqa: PTH100
    )


def _holders(paths: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(os.path.dirname(path) for path in paths)  # noqa: PTH120


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""Run nbgrader's commands, and our own steps that need nbgrader, in processes of their own.

nbgrader looks for `alembic` on PATH when it makes its first database, and works in the current
directory: both are set here, so that it works from any folder and without an activated
environment.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from autograder.course.place import Course, CourseError

# jsonschema's grammars for addresses take a second or two to be built, and check nothing here:
# it does without them.
NBGRADER = """
import sys
sys.modules.setdefault("rfc3987_syntax", None)
from nbgrader.apps.nbgraderapp import main
main()
"""
CALL = """
import importlib, json, sys
sys.modules.setdefault("rfc3987_syntax", None)
told = json.loads(sys.stdin.read())
answer = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])(*told)
sys.stdout.write("\\n" + json.dumps(answer))
"""


def environment() -> dict[str, str]:
    """Give this process' variables, with the interpreter's own folder first on PATH."""
    told = dict(os.environ)
    if told.get("PYTHONPATH"):  # a relative folder means another one in the course's folder
        parts = told["PYTHONPATH"].split(os.pathsep)
        told["PYTHONPATH"] = os.pathsep.join(str(Path(part).resolve()) for part in parts)
    return told | {"PATH": with_interpreter(told.get("PATH", "")), "PYTHONUTF8": "1"}


def with_interpreter(path: str) -> str:
    """Put the folder of this interpreter's programs first on a PATH."""
    own = str(Path(sys.executable).parent)
    parts = [part for part in path.split(os.pathsep) if part and part != own]
    return os.pathsep.join([own, *parts])


def need_nbgrader() -> None:
    """Raise `CourseError` where nbgrader is not installed."""
    if importlib.util.find_spec("nbgrader") is None:
        raise CourseError("nbgrader is not installed: pip install 'attention-kit[course]'")


def inside(course: Course, module: str, function: str, *arguments: Any) -> Any:
    """Call a function of ours in a new process that may import nbgrader.

    Raises
    ------
    CourseError
        With the last line that it said, where it failed.
    """
    need_nbgrader()
    done = subprocess.run(
        [sys.executable, "-P", "-c", CALL, module, function],
        input=json.dumps([str(course.root), *arguments]),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=environment(),
        cwd=course.root,
        check=False,
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise CourseError(lines[-1] if lines else f"{function} failed")
    return json.loads(done.stdout.rsplit("\n", 1)[-1])


def nbgrader(course: Course, *words: str) -> subprocess.CompletedProcess[str]:
    """Run one nbgrader command in the course's folder; its own words come back with it."""
    need_nbgrader()
    return subprocess.run(
        [sys.executable, "-P", "-c", NBGRADER, *words],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=environment(),
        cwd=course.root,
        check=False,
    )


def shown(*words: str) -> str:
    """Give the command as one would type it."""
    return shlex.join(["nbgrader", *words])

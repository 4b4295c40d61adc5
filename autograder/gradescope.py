"""The kit as a Gradescope autograder: the zip to upload, and what runs in it for each hand-in.

Gradescope unpacks the zip to ROOT/source and runs ``setup.sh`` once; for each hand-in it runs
``run_autograder``, which reads ROOT/submission and ROOT/submission_metadata.json and writes
ROOT/results/results.json. Where the kit itself fails nothing is written: Gradescope then says so,
and no score stands.
"""

from __future__ import annotations

import json
import secrets
import zipfile
from collections.abc import Iterator
from pathlib import Path

from autograder.batch import Grader
from autograder.exercise import Kit
from autograder.export import gradescope
from autograder.export.entries import Entry
from autograder.folder import OnDisk
from autograder.messages import Lang
from autograder.record import dumps, write_whole
from autograder.submission import Found

SECRET = "secret"
FOLDERS = ("autograder", "solutions", "prompts")
FILES = ("pyproject.toml", "README.md", "LICENSE")
SETUP = """\
#!/usr/bin/env bash
# Runs once, when Gradescope builds the image.
set -euo pipefail
ROOT="${AUTOGRADER_ROOT:-/autograder}"
PYTHON=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    apt-get update
    apt-get install -y python3.11 python3.11-venv
    PYTHON=python3.11
fi
"$PYTHON" -m venv "$ROOT/venv"
"$ROOT/venv/bin/python" -m pip install "$ROOT/source/kit"
chmod 600 "$ROOT/source/secret"
"""
RUN = """\
#!/usr/bin/env bash
# Runs for each hand-in.
set -euo pipefail
ROOT="${AUTOGRADER_ROOT:-/autograder}"
cd "$ROOT/source/kit"
exec "${AUTOGRADER_PYTHON:-$ROOT/venv/bin/python}" -m autograder gradescope --run "$ROOT"LANG
"""
_TIME = (1980, 1, 1, 0, 0, 0)


def pack(kit: Kit, out: Path, lang: Lang = "en") -> Path:
    """Write the zip to upload. It holds graders and solutions: it is for the instructor alone."""
    run = RUN.replace("LANG", f" --lang {lang}")
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", SETUP.encode(), 0o755)
        _add(archive, "run_autograder", run.encode(), 0o755)
        _add(archive, SECRET, secrets.token_hex(32).encode(), 0o600)
        for path in _material(kit.root):
            name = f"kit/{path.relative_to(kit.root).as_posix()}"
            _add(archive, name, path.read_bytes(), 0o644)
    out.chmod(0o600)
    return out


def _material(root: Path) -> Iterator[Path]:
    yield from (root / name for name in FILES if (root / name).is_file())
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def _add(archive: zipfile.ZipFile, name: str, data: bytes, mode: int) -> None:
    member = zipfile.ZipInfo(name, _TIME)
    member.external_attr, member.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
    archive.writestr(member, data)


def run(kit: Kit, root: Path, lang: Lang = "en") -> Path:
    """Grade the hand-in that stands in ROOT/submission, and write its results.

    Raises
    ------
    KitFault, SandboxFault, OSError
        Then nothing is written.
    """
    id = student_of(root / "submission_metadata.json")
    secret = (root / "source" / SECRET).read_bytes()
    grader = Grader(kit, (), lang, secret)
    try:
        folder = ("", OnDisk.at(root / "submission"), "submission")
        found = grader.grade(Found(id, kit.ids, [folder]).read())
    finally:
        grader.close()
    out = root / "results" / "results.json"
    write_whole(out, dumps(gradescope.tree(Entry(id, submission=found), lang)))
    return out


def student_of(metadata: Path) -> str:
    """Give the id of who handed in: the same numbers are drawn for her whenever she is graded."""
    try:
        told = json.loads(metadata.read_bytes())
        return "+".join(sorted(str(each["id"]) for each in told["users"])) or "submission"
    except (OSError, ValueError, KeyError, TypeError):
        return "submission"

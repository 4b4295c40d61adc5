"""Makes the hand-in zip: the student's files and what they were made for, nothing else."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder import __version__, quizslip
from autograder.handin import SLIP, receipt_of
from autograder.submission import find

NAME = "handin.zip"
SCHEMA = 1

Files = Sequence[tuple[str, bytes]]


class PackingFault(Exception):
    """The packed zip does not read back as what was packed: the kit's own fault."""


@dataclass(frozen=True)
class Receipt:
    """What a student may keep as a proof of what she handed in.

    Attributes
    ----------
    path : Path
    digest : str
        Equal for equal files: the report of the grading shows it again.
    time : str
        Local time with its offset, ISO 8601.
    files : tuple of str
    """

    path: Path
    digest: str
    time: str
    files: tuple[str, ...]


def pack(
    files: Files,
    out: Path,
    exercises: Sequence[str],
    assignment: str,
    now: datetime | None = None,
    quiz: str = "",
) -> Receipt:
    """Write the hand-in zip and read it back as the grader will.

    Parameters
    ----------
    files : sequence of (str, bytes)
        As the desk chose them.
    out : Path
    exercises : sequence of str
    assignment : str
        The version that release.json names.
    quiz : str
        The quiz's first answers, as `quizslip.line` writes them.
    """
    moment = (now or datetime.now()).astimezone()
    time, proof = moment.isoformat(timespec="seconds"), receipt_of(files)
    slip = {
        "schema": SCHEMA,
        "kit": __version__,
        "assignment": assignment,
        "receipt": proof,
        "packed": time,
        **({quizslip.KEY: quiz} if quiz else {}),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*files, (SLIP, json.dumps(slip, indent=1).encode() + b"\n")]:
            info = zipfile.ZipInfo(name, moment.timetuple()[:6])
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, data)
    handle, temporary = tempfile.mkstemp(dir=out.parent, prefix=".", suffix=".zip")
    with os.fdopen(handle, "wb") as file:
        file.write(stream.getvalue())
    try:
        [found], _ = find([Path(temporary)], exercises)
        read = found.read().files
        if receipt_of(read) != proof:
            raise PackingFault("the packed files do not read back as they were: nothing was packed")
        Path(temporary).chmod(0o644)
        Path(temporary).replace(out)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return Receipt(out, proof, time, tuple(name for name, _ in files))

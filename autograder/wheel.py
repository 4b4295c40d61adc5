"""Builds the kit's wheel for students: offline, from a clean copy, the same to the byte.

The wheel holds the engine and its sentences, never graders, mistakes or solutions. It is built by
setuptools, as `pip wheel` would; what it made is then packed anew with a fixed order and no dates.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from autograder.exercise import SourceError

HIDDEN = ("graders", "mistakes")
_SOURCES = ("pyproject.toml", "README.md", "LICENSE")
_BUILD = "from setuptools import build_meta; print(build_meta.build_wheel('out'))"
NEEDED = 77  # the setuptools that knows a licence by its SPDX name
_EPOCH = (1980, 1, 1, 0, 0, 0)


def wheel(root: Path) -> tuple[str, bytes]:
    """Give the wheel of the engine whose checkout `root` is: its file name and its bytes.

    Raises
    ------
    SourceError
        Where it cannot be built, with what to do.
    """
    engine = root if (root / "autograder" / "cli.py").is_file() else _own_source()
    if not _can_build():
        raise SourceError(
            engine / "pyproject.toml",
            1,
            f"setuptools {NEEDED} or newer is needed to build the students' wheel:"
            f' run `python -m pip install "setuptools>={NEEDED}"`',
        )
    with tempfile.TemporaryDirectory(prefix="attn-wheel-") as name:
        place = Path(name)
        _copy(engine, place)
        ran = subprocess.run(
            [sys.executable, "-I", "-c", _BUILD],
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
        )
        made = list((place / "out").glob("*.whl")) if (place / "out").is_dir() else []
        if ran.returncode or len(made) != 1:
            last = (ran.stderr.strip().splitlines() or ["no wheel came out"])[-1]
            raise SourceError(engine / "pyproject.toml", 1, f"the wheel was not built: {last}")
        return made[0].name, packed(unpacked(made[0].read_bytes()))


def _can_build() -> bool:
    """Whether this Python has a setuptools that reads the kit's pyproject.toml."""
    try:
        found = metadata.version("setuptools")
    except metadata.PackageNotFoundError:
        return False
    first = found.split(".")[0]
    return not first.isdigit() or int(first) >= NEEDED


def _own_source() -> Path:
    root = Path(__file__).resolve().parent.parent
    if not (root / "pyproject.toml").is_file():
        raise SourceError(root, 1, "the engine's source is not here: name its checkout by --kit")
    return root


def _copy(engine: Path, place: Path) -> None:
    for name in _SOURCES:
        shutil.copyfile(engine / name, place / name)
    for folder, hidden in (("autograder", HIDDEN), ("prompts", ())):
        ignore = shutil.ignore_patterns("__pycache__", "*.pyc", *hidden)
        shutil.copytree(engine / folder, place / folder, ignore=ignore)


def packed(members: Mapping[str, bytes]) -> bytes:
    """Give a zip of these members: by name, without dates, the same for the same members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, members[name])
    return stream.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """Give the members of a zip that the kit itself made."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {each.filename: archive.read(each) for each in archive.infolist()}

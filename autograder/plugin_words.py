"""The words of ``pytest autograder/graders --submission=PATH``, known before a folder is read.

pytest takes a word that it does not know yet, and what stands behind it, for a folder of tests,
and runs that folder's conftest.py: a hand-in's would run as whoever grades. So the kit's own
configuration loads this module first of all; where it could not, only the form with ``=`` is
taken, which no folder is read from.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

WORDS = {
    "--submission": "the .py, notebook, zip or folder to grade",
    "--kit": "folder of the instructor's material",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the words, before the first folder is looked at."""
    group = parser.getgroup("attention kit")
    for word, said in WORDS.items():
        group.addoption(word, type=Path, help=said)


def add_late(parser: pytest.Parser) -> None:
    """Add the words where that has not been done, or refuse what was read as a folder.

    Raises
    ------
    UsageError
    """
    try:
        pytest_addoption(parser)
    except ValueError:  # they are there
        return
    if "--submission" in sys.argv:
        raise pytest.UsageError("write --submission=PATH, else pytest runs what it finds there")

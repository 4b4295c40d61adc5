"""The words of ``pytest autograder/graders --submission=PATH``, known before a folder is read.

pytest takes a word that it does not know yet, and what stands behind it, for a folder of tests: it
may take its configuration from there, and runs that folder's conftest.py. A hand-in's would run as
whoever grades. So the kit's own configuration loads this module first of all; where another
configuration was found first, or this module comes too late, nothing is graded.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

_ENGINE = Path(__file__).parents[1]
_WAY_OUT = (
    "what a hand-in holds must not decide how it is graded, and nothing was graded. Write the "
    "graders first, and a sign of equality: pytest autograder/graders --submission=PATH"
)
WORDS = {
    "--submission": "the .py, notebook, zip or folder to grade",
    "--kit": "folder of the instructor's material",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the words, before the first folder is looked at."""
    group = parser.getgroup("attention kit")
    for word, said in WORDS.items():
        group.addoption(word, type=Path, help=said)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Refuse a hand-in's configuration before a conftest.py is run."""
    refuse_foreign(early_config)


def begin(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the words, where that has not been done, and what grades; the graders' conftest.py asks.

    Nothing else is imported before it is known whose files may come first on the import path.

    Raises
    ------
    UsageError
        Where pytest read the hand-in as a folder of tests.
    """
    if not pluginmanager.has_plugin(__name__):
        config = pluginmanager.get_plugin("pytestconfig")
        assert isinstance(config, pytest.Config)
        given = [*config.invocation_params.args, *os.environ.get("PYTEST_ADDOPTS", "").split()]
        if "--submission" in given:
            said = f" and took {config.inipath} for its configuration" if config.inipath else ""
            raise pytest.UsageError(
                f"pytest read the hand-in as a folder of tests{said}: {_WAY_OUT}"
            )
        pytest_addoption(parser)
    name = "autograder.plugin"
    pluginmanager.register(importlib.import_module(name), name)


def refuse_foreign(config: pytest.Config) -> None:
    """Refuse a configuration that pytest found by the hand-in, and not by the graders.

    Raises
    ------
    UsageError
    """
    known = config.known_args_namespace
    told = (getattr(each, "submission", None) for each in (known, config.option))
    hand_in, found = next(filter(None, told), None), config.inipath
    if hand_in is None or found is None:
        return
    here = config.invocation_params.dir
    tests = [here / str(each).split("::")[0] for each in known.file_or_dir] or [here]
    for form in (os.path.abspath, os.path.realpath):
        home, own = Path(form(found.parent)), Path(form(here / hand_in))
        if home == Path(form(_ENGINE)):
            continue
        named = known.inifilename is not None
        theirs = all(Path(form(each)).is_relative_to(home) for each in tests)
        if home.is_relative_to(own) or (own.is_relative_to(home) and not (named or theirs)):
            raise pytest.UsageError(f"pytest took {found} for its configuration: {_WAY_OUT}")

"""Who imports whom: modules stand in the order of the pipeline, each using only earlier ones."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parent.parent / "autograder"

# One line a stage. A new module goes where the work it does belongs; FOLDERS hold modules that
# may import each other.
ORDER = """
room messages percent forbidden exercise check picture
stub notebook
magics cells source syntax untouched choice imports onward wire program drawer awaiting confine
canary generator shortcuts volley tallies overshot loops endless worker serving
cellcode shown drawonce plots shell zygote filters
channel seatbelt jobobject cage boot launch student oracle answers aside patience session sandbox
warming
expect facts matching asked finding chain bank diagnose sketch
grade foresee ahead pupil judge playback scenes gallery quiz_demos quizslip quizbook visible bundle
build archive naming folder handin submission
leftovers record results packed journal pace summary assess policy rehearse analysis overrides
regrade late
report export
grader crew cluster batch gradescope plugin_words plugin demonstration proof wording verify
fingerprint leak prompt_tables prompt_file prompt_sources prompt_inputs prompt
verdict preview desk exhibit quizzing handout progress startover packing gradecell board cellnote
doors
watching watch
wheel leakproof release course
spoken desk_cli prompt_cli picture_cli quiz_cli folder_cli watch_cli
release_cli course_cli class_cli cli
__main__
""".split()

FOLDERS = ("export", "course", "picture")

# These run inside a student's worker: standard library and numpy, and nothing of ours but these.
INSIDE = [*ORDER[ORDER.index("magics") : ORDER.index("drawonce")], "zygote"]

MODULES = sorted(
    path.relative_to(ENGINE).with_suffix("").as_posix()
    for path in ENGINE.rglob("*.py")
    if path.name != "__init__.py" and not {"graders", "mistakes"} & set(path.parts)
)


def _stage(module: str) -> str:
    return "export" if module.startswith("export") else module.split(".")[0]


def _text(module: str) -> str:
    return (ENGINE / f"{module}.py").read_text("utf-8")


def _imports(text: str) -> Iterator[tuple[str, int]]:
    """Give the dotted name of each import in a module, wherever it stands, with its line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield each.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            package = "autograder" if node.level else node.module
            for each in node.names:
                yield f"{package}.{each.name}", node.lineno


def _ours(text: str) -> Iterator[tuple[str, int]]:
    """Give the stages that a module imports from."""
    for name, line in _imports(text):
        package, _, rest = name.partition(".")
        if package == "autograder" and rest not in ("", "__version__"):
            yield _stage(rest), line


def test_every_module_has_its_place_in_the_order() -> None:
    assert len(ORDER) == len(set(ORDER))
    assert sorted({_stage(module.replace("/", ".")) for module in MODULES} - set(ORDER)) == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_comes_before_it(module: str) -> None:
    own = _stage(module.replace("/", "."))
    for stage, line in _ours(_text(module)):
        place = f"{module}.py, line {line}: imports {stage}"
        assert stage in ORDER, place
        assert ORDER.index(stage) < ORDER.index(own) or stage == own in FOLDERS, place


@pytest.mark.parametrize("module", INSIDE)
def test_a_module_of_the_worker_imports_only_what_is_there(module: str) -> None:
    for name, line in _imports(_text(module)):
        package, _, rest = name.partition(".")
        place = f"{module}.py, line {line}: imports {name}"
        if package == "autograder":
            assert rest.split(".")[0] in INSIDE, place
        else:
            assert package in {*sys.stdlib_module_names, "numpy"}, place


def test_an_import_is_seen_wherever_it_stands() -> None:
    text = """
from autograder import __version__, batch as builder
from autograder.export.html import page
from . import desk
import numpy
def late():
    import autograder.cli
"""
    assert list(_ours(text)) == [("batch", 2), ("export", 3), ("desk", 4), ("cli", 7)]

"""Right functions in files of an unusual form: whatever stands around them costs no point."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.results import SubmissionResult

CLASS = Path(__file__).parent / "sample_class" / "submissions"
FILES = {path.name: path.read_bytes() for path in (CLASS / "student-03").iterdir()}
Grade = Callable[[dict[str, bytes]], SubmissionResult]

NUMPY = "import numpy as np\n"
BODY = (
    "    x = np.asarray(x, float)\n"
    "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
    "    return e / e.sum(axis=axis, keepdims=True)\n"
)
RIGHT = "def softmax(x, axis=-1):\n" + BODY
WRONG = "def softmax(x, axis=-1):\n    return np.zeros_like(x)\n"
STUB = "def softmax(x, axis=-1):\n    raise NotImplementedError()\n"
INNER = "".join(f"    {line}\n" for line in RIGHT.splitlines())
OTHER = RIGHT.replace("softmax", "_f")


def with_(softmax: str, **others: str) -> dict[str, bytes]:
    """Give the full-mark hand-in with another softmax.py, and with other files beside it."""
    beside = {f"{name}.py": (NUMPY + text).encode() for name, text in others.items()}
    return {**FILES, "softmax.py": (NUMPY + softmax).encode(), **beside}


def lost(result: SubmissionResult) -> dict[str, str]:
    assert result.status == "graded", result.notice
    return {each.exercise: each.status for each in result.exercises if each.status != "passed"}


def notebook(*cells: str) -> bytes:
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    listed = [{**code, "source": cell} for cell in cells]
    tree = {"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(tree).encode()


# ---- Names that only running shows -------------------------------------------------------------

BOUND = {
    "global": f"def make():\n    global softmax\n{INNER}make()\n",
    "global over a stub": f"{STUB}def make():\n    global softmax\n{INNER}make()\n",
    "walrus": f"{OTHER}print(softmax := _f)\n",
    "walrus in a comprehension": f"{OTHER}[softmax := each for each in [_f]]\n",
    "the target of for": f"{OTHER}for softmax in [_f]: pass\n",
    "the target of with": (
        f"import contextlib\n{OTHER}with contextlib.nullcontext(_f) as softmax: pass\n"
    ),
    "a pattern": f"{OTHER}match _f:\n    case softmax: pass\n",
    "exec": f"exec({RIGHT!r})\n",
    "exec over a stub": f"{STUB}exec({RIGHT!r}, globals())\n",
    "globals": f"{OTHER}globals()['softmax'] = _f\n",
    "globals by a name": f"{OTHER}for name in ['softmax']:\n    globals()[name] = _f\n",
    "globals updated": f"{OTHER}globals().update(softmax=_f)\n",
    "setattr": f"{OTHER}import sys\nsetattr(sys.modules[__name__], 'softmax', _f)\n",
    "its own module": f"{OTHER}import softmax as own\nown.softmax = _f\n",
    "two names at once": f"{OTHER}softmax, other = _f, None\n",
}


@pytest.mark.parametrize("text", BOUND.values(), ids=BOUND.keys())
def test_a_name_counts_when_only_running_shows_it(text: str, grade: Grade) -> None:
    assert lost(grade(with_(text))) == {}


def test_a_name_counts_when_it_is_imported_under_another(grade: Grade) -> None:
    assert (
        lost(grade(with_("from mine import soft as softmax\n", mine=OTHER + "soft = _f\n"))) == {}
    )


@pytest.mark.parametrize(
    "text", [f"exec({RIGHT!r})\n", "from softmax_v2 import softmax\n", "from softmax_v2 import *\n"]
)
def test_an_exercises_own_file_counts_when_an_older_one_lies_beside(
    text: str, grade: Grade
) -> None:
    assert lost(grade(with_(text, softmax_v1=WRONG, softmax_v2=RIGHT))) == {}


def test_a_notebook_counts_when_a_cell_runs_a_text(grade: Grade) -> None:
    files = {name: data for name, data in FILES.items() if name != "softmax.py"}
    book = notebook(NUMPY, f"exec({RIGHT!r})", "from softmax import softmax\nsoftmax([1.0])")
    assert lost(grade({**files, "attention.ipynb": book})) == {}


@pytest.mark.parametrize(
    "text", [STUB, "def softmax(x): ...\n", "class softmax:\n    pass\n", "softness = 1\n", ""]
)
def test_nothing_is_found_when_nothing_is_there(text: str, grade: Grade) -> None:
    assert lost(grade(with_(text)))["softmax"] in ("missing", "not_attempted")

"""Reported faults of other kits that begin with reading: hand-ins as they arrive, graded.

Each case is a full-mark hand-in, changed as students and their tools change it. What it must cost
stands beside it: mostly nothing.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.results import SubmissionResult

CLASS = Path(__file__).parent / "sample_class" / "submissions"
BOOK = json.loads((CLASS / "student-02" / "attention.ipynb").read_text(encoding="utf-8"))
FILES = {path.name: path.read_bytes() for path in (CLASS / "student-03").iterdir()}
Cells = list[dict[str, Any]]
WRONG = "def softmax(x, axis=-1):\n    return x\n"


def lost(result: SubmissionResult) -> dict[str, str]:
    """Give the exercises that did not pass, and their status."""
    assert result.status == "graded", result.notice
    return {each.exercise: each.status for each in result.exercises if each.status != "passed"}


def at(cells: Cells, grade_id: str) -> int:
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells]
    return ids.index(grade_id)


def book(change: Callable[[Cells], Any], **top: Any) -> dict[str, bytes]:
    """Give the full-mark notebook with its list of cells changed in place."""
    made = copy.deepcopy(BOOK)
    change(made["cells"])
    return {"hw.ipynb": json.dumps({**made, **top}).encode()}


def rewritten(grade_id: str, text: Callable[[str], str]) -> dict[str, bytes]:
    """Give the full-mark notebook with one solution cell's text changed."""

    def change(cells: Cells) -> None:
        cell = cells[at(cells, grade_id)]
        cell["source"] = text("".join(cell["source"]))

    return book(change)


def twin(cells: Cells, grade_id: str, to: int, source: str | None = None) -> None:
    made = copy.deepcopy(cells[at(cells, grade_id)])
    if source is not None:
        made["source"] = source
    cells.insert(to, made)


def split(cells: Cells, grade_id: str, line: int) -> None:
    place = at(cells, grade_id)
    whole = "".join(cells[place]["source"]).splitlines(keepends=True)
    cells[place]["source"] = whole[:line]
    cells.insert(place + 1, {**copy.deepcopy(cells[place]), "source": whole[line:]})


def imports_last(cells: Cells) -> None:
    starts = ("import ", "from ", "%")
    moved = [cell for cell in cells if "".join(cell["source"]).startswith(starts)]
    cells[:] = [cell for cell in cells if cell not in moved] + moved


def swapped(cells: Cells) -> None:
    one, two = at(cells, "softmax"), at(cells, "causal_mask")
    cells[one], cells[two] = cells[two], cells[one]


MAGICS = (
    "%matplotlib inline\n%pip install x\n!rm -f marker\nx = !ls\n%load_ext autoreload\n"
    "?softmax\nq = (7\n% 3)\n"
)
WRITEFILE = {"cell_type": "code", "metadata": {}, "source": "%%writefile attention.py\ndef f(: '"}
CHECKED = "from autograder import check\n{}\ncheck('softmax')\npicture('softmax')\n"

FREE = {
    "B04 test cell copied": book(lambda c: twin(c, "grade_softmax", at(c, "grade_softmax"))),
    "B04 other answer before": book(lambda c: twin(c, "softmax", 2, WRONG)),
    "B08 other name": {"WMS hw (1).ipynb.txt": json.dumps(BOOK).encode()},
    "B08 in a folder": {"final/Attention copy.ipynb": json.dumps(BOOK).encode()},
    "B14 python2": book(lambda c: None, metadata={"kernelspec": {"name": "python2"}}),
    "B24 time": rewritten("softmax", lambda text: "%%time\n" + text),
    "B24 magics": rewritten("causal_mask", lambda text: MAGICS + text + "\ncausal_mask?"),
    "B24 writefile": book(lambda c: c.insert(3, WRITEFILE)),
    "B44 test cell deleted": book(lambda c: c.pop(at(c, "grade_softmax"))),
    "B61 no ids": book(lambda c: [cell.pop("id") for cell in c], nbformat_minor=0),
    "B65 crlf": {name: data.replace(b"\n", b"\r\n") for name, data in FILES.items()},
    "B65 cr": {name: data.replace(b"\n", b"\r") for name, data in FILES.items()},
    "B72 lambda": rewritten("causal_mask", lambda _: "causal_mask = lambda n: np.tri(n) > 0"),
    "B82 bom": {name: b"\xef\xbb\xbf" + data for name, data in FILES.items()},
    "B82 gbk": {
        **FILES,
        "heads.py": b"# -*- coding: gbk -*-\n# " + "注意".encode("gbk") + b"\n" + FILES["heads.py"],
    },
    "B83 test on top": book(lambda c: c.insert(0, c.pop(at(c, "grade_heads")))),
    "B83 exercises swapped": book(swapped),
    "B83 imports at the end": book(imports_last),
    "B84 py and notebook": {**FILES, "hw.ipynb": json.dumps(BOOK).encode()},
    "B85 inside": book(lambda c: split(c, "softmax", 3)),
    "check called in the cell": rewritten("softmax", CHECKED.format),
}


@pytest.mark.parametrize("files", FREE.values(), ids=FREE.keys())
def test_nothing_is_lost_when(files: dict[str, bytes], grade: Any) -> None:
    result = grade(files)
    assert lost(result) == {}
    assert result.score == 100.0


ONE = {
    "B04 other answer after": (book(lambda c: twin(c, "softmax", len(c), WRONG)), "copies"),
    "B44 answer deleted": (book(lambda c: c.pop(at(c, "softmax"))), ""),
    "B72 renamed": (rewritten("softmax", lambda text: text.replace("softmax", "softMax")), ""),
    "B72 none": (rewritten("softmax", lambda _: "softmax = None"), ""),
    "B72 syntax": (rewritten("softmax", lambda text: text.replace("):", ")", 1)), ""),
    "B72 syntax in a file": ({**FILES, "softmax.py": b"def softmax(x, axis=-1)\n    1\n"}, ""),
    "B82 utf-16": (
        {**FILES, "softmax.py": FILES["softmax.py"].decode().encode("utf-16")},
        "UTF-16",
    ),
    "B82 gbk undeclared": ({**FILES, "softmax.py": "# 注意\n".encode("gbk")}, "UTF-8"),
}


@pytest.mark.parametrize(("files", "notice"), ONE.values(), ids=ONE.keys())
def test_one_exercise_is_lost_when(files: dict[str, bytes], notice: str, grade: Any) -> None:
    result = grade(files)
    assert list(lost(result)) == ["softmax"]
    assert notice in (result.notice or "")


UNREADABLE = {
    "B14 other language": (book(lambda c: None, metadata={"kernelspec": {"name": "ir"}}), "Python"),
    "B82 utf-16": ({"hw.ipynb": json.dumps(BOOK).encode("utf-16")}, "UTF-16"),
    "json bomb": ({"hw.ipynb": b"[" * 1_000_000}, "nested"),
    "old format": ({"hw.ipynb": b'{"nbformat": 3, "worksheets": []}'}, "format 3"),
    "cut short": ({"hw.ipynb": json.dumps(BOOK).encode()[:9_000]}, "no complete notebook"),
}


@pytest.mark.parametrize(("files", "reason"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_hand_in_is_unreadable_with_a_reason_when(
    files: dict[str, bytes], reason: str, grade: Any
) -> None:
    result = grade(files)
    assert (result.status, result.score, result.exercises) == ("unreadable", None, ())
    assert reason in (result.notice or "")


def test_B44_notebook_without_cells_keeps_the_maximum(grade: Any) -> None:
    result = grade(book(lambda cells: cells.clear()))
    assert (result.score, result.max_score) == (0.0, 100.0)
    assert set(lost(result).values()) == {"missing"}


def test_B24_nothing_of_a_shell_line_happens(grade: Any, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    marker.write_text("here", encoding="utf-8")
    grade(rewritten("softmax", lambda text: f"!rm -f {marker}\n%%bash\nrm {marker}\n" + text))
    assert marker.exists()

"""Whatever a worker says, it is read or refused; it never raises something else.

A worker belongs to its student: what it says is any value that a frame can hold.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder import answers
from autograder.wire import Handle, ProtocolError

FILES = ("softmax.py", "attention.ipynb")
ODD: dict[str, Any] = {
    "None": None,
    "True": True,
    "whole number": 0,
    "huge whole number": 10**400,
    "nan": float("nan"),
    "text": "raised",
    "list": [],
    "list in a list": [[1]],
    "four lists": [[], [], [], []],
    "tuple": ("raised", "ValueError", 1, "softmax.py"),
    "dict": {"": {}},
    "no numbers": np.zeros(0),
    "one number": np.ones(1),
    "two numbers": np.ones(2),
    "handle": Handle(0),
}
RAISED = ("raised", "ValueError", 1, None)
SKIP: dict[str, Any] = {}
READERS: dict[str, Callable[[Any], object]] = {
    "changed": lambda told: answers.changed_of(told, (1, 2), {"axis": 0}),
    "changed, an item": lambda told: answers.changed_of([told], (1, 2), {"axis": 0}),
    "place": lambda told: answers.place_of(told, FILES),
    "line": answers.line_of,
    "text": answers.text_of,
    "trouble": lambda told: answers.trouble_of(told, FILES, SKIP),
    **{
        f"trouble, part {at}": lambda told, at=at: answers.trouble_of(  # type: ignore[misc]
            [*RAISED[:at], told, *RAISED[at + 1 :]], FILES, SKIP
        )
        for at in range(4)
    },
    "report": lambda told: answers.load_report(told, FILES, frozenset({"softmax"})),
    **{
        f"report, {part}": lambda told, part=part: answers.load_report(  # type: ignore[misc]
            {
                "files": [[None, []], [None, []]],
                "status": {},
                "chosen": {},
                "notices": [],
                part: told,
            },
            FILES,
            frozenset({"softmax"}),
        )
        for part in ("files", "status", "chosen", "notices")
    },
    "report, a status": lambda told: answers.load_report(
        {
            "files": [[None, []], [told, told]],
            "status": {"softmax": told},
            "chosen": {"softmax": told},
            "notices": [["x", {"y": told}], told],
        },
        FILES,
        frozenset({"softmax"}),
    ),
}


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("reader", READERS)
def test_an_odd_word_of_a_worker_is_read_or_refused(reader: str, what: str) -> None:
    with contextlib.suppress(ProtocolError):
        READERS[reader](ODD[what])


def test_a_line_and_a_cell_can_tell_no_more_than_a_file_may_have() -> None:
    assert answers.line_of(9_999) == 9_999
    assert answers.line_of(1_234_567) is None
    assert answers.place_of("attention.ipynb, cell 2000", FILES) == "attention.ipynb, cell 2000"
    with pytest.raises(ProtocolError):
        answers.place_of("attention.ipynb, cell 54321", FILES)

"""Quiz answers in a hand-in: a line on its slip, or the file in which the quiz keeps them.

The side that reads is trusted and parses nothing that a student wrote: it looks for words of a
narrow form, and everything else counts as no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

KEY = "quiz"
RECORD = "quiz-answers.json"  # in the student's folder
LONGEST = 4096  # bytes of a slip that are looked at
LARGEST = 100_000  # bytes of a record; a larger one is none
_LINE = re.compile(rb'"quiz": "([a-z0-9=. -]{1,1000})"')
_KEPT = re.compile(rb'"([a-z]{1,20})":\s{0,20}\{\s{0,20}"answer":\s{0,20}"([a-z0-9.-]{1,12})"')
_ANSWER = re.compile(r"([a-z]{1,20})=([a-z0-9.-]{1,12})")


def line(answers: Mapping[str, str]) -> str:
    """Give answers as one line: ``first=1.00 rows=b``."""
    return " ".join(f"{name}={answer}" for name, answer in sorted(answers.items()))


def read(slip: bytes) -> dict[str, str]:
    """Give the answers that a slip holds, question to answer."""
    found = _LINE.search(slip[:LONGEST])
    words = found[1].decode("ascii").split(" ") if found else []
    answers = (_ANSWER.fullmatch(word) for word in words)
    return {answer[1]: answer[2] for answer in answers if answer}


def read_record(kept: bytes) -> dict[str, str]:
    """Give the first answers that a student's `RECORD` holds, question to answer."""
    found = _KEPT.findall(kept) if len(kept) <= LARGEST else []
    return {name.decode("ascii"): answer.decode("ascii") for name, answer in found}


def record(answers: Mapping[str, str]) -> str:
    """Give answers as a `RECORD` that `read_record` reads."""
    tree = {name: {"answer": answer} for name, answer in sorted(answers.items())}
    return json.dumps({"answers": tree}, indent=1) + "\n"

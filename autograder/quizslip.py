"""Quiz answers on the slip of a hand-in: a line of short words, written and read.

The side that reads is trusted and parses nothing that a student wrote: it looks for one line of a
narrow form, and everything else counts as no answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

KEY = "quiz"
LONGEST = 4096  # bytes of a slip that are looked at
_LINE = re.compile(rb'"quiz": "([a-z0-9=. -]{1,1000})"')
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

"""Says after a run of the attacks which layers held them, and how many cases stayed away."""

from __future__ import annotations

from typing import Any

from hostile import GRADED, READ


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Give a line a class: level, layers, cases that ran, and those that it could not hold."""
    for isolation, names, wanted in GRADED:
        level, *layers = isolation
        away = f", {wanted - names} skipped for want of a protection" if names < wanted else ""
        line = f"attacks at {level} ({', '.join(layers)}): {names} of {len(READ)} cases{away}"
        terminalreporter.write_line(line)

"""A time limit on a busy machine: standing in line is not the student's time."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from autograder import patience
from autograder.channel import Late
from autograder.launch import stood_in_line


class Busy:
    """A process whose answer comes after `needs` seconds; it stands in line for a share of it."""

    def __init__(self, needs: float, share: float) -> None:
        self.channel = self
        self._start = time.monotonic()
        self._needs, self._share = needs, share

    def stood_in_line(self) -> float:
        return self._share * (time.monotonic() - self._start)

    def receive(self, size: int, deadline: float) -> bytes:
        ready = self._start + self._needs
        time.sleep(max(0.0, min(ready, deadline) - time.monotonic()))
        if ready > deadline:
            raise Late
        return b"x" * size


def test_an_answer_is_awaited_while_the_worker_stands_in_line():
    process = Busy(needs=0.3, share=0.9)
    assert patience.Patience(process, 0.05, time.monotonic() + 5).receive(4) == b"xxxx"


def test_an_idle_worker_gets_its_limit_and_no_more():
    process = Busy(needs=5.0, share=0.0)
    start = time.monotonic()
    with pytest.raises(Late):
        patience.Patience(process, 0.05, start + 5).receive(4)
    assert time.monotonic() - start < 2.0


def test_patience_ends_for_a_worker_that_always_stands_in_line(monkeypatch):
    monkeypatch.setattr(patience, "MOST_PATIENCE", 3.0)
    process = Busy(needs=60.0, share=1.0)
    start = time.monotonic()
    with pytest.raises(Late):
        patience.Patience(process, 0.05, start + 30).receive(4)
    assert time.monotonic() - start >= 0.15


@pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="the system does not count it"
)
def test_standing_in_line_is_counted_and_unknown_processes_have_none():
    assert stood_in_line(os.getpid()) >= 0.0
    assert stood_in_line(2**22 + 1) == 0.0

"""How long the grading process waits for a worker's answer.

A right answer must not be late because others use the processor: what the worker stood in line for
it is added to its limit. What is asked and answered is not known here.
"""

from __future__ import annotations

import time

from autograder.channel import Late
from autograder.launch import Process

SOON = 0.02  # seconds in which most answers are there
MOST_PATIENCE = 10.0  # times a limit, where the machine let the worker wait


class Patience:
    """A time limit that does not count the time in which a busy machine let the worker wait.

    What the worker stood in line for a processor is added, to at most `MOST_PATIENCE` times the
    limit.
    """

    def __init__(self, process: Process, seconds: float, until: float) -> None:
        self._process, self._seconds = process, seconds
        self._start = time.monotonic()
        self._stood: float | None = None  # looked up only where an answer lets us wait
        self._last = min(self._start + MOST_PATIENCE * seconds, until)
        self.deadline = min(self._start + seconds, self._last)

    def receive(self, size: int) -> bytes:
        """Read exactly so many bytes of the worker's answer.

        Raises
        ------
        Late
            Where the worker had its time.
        """
        while True:
            early = self._start + SOON if self._stood is None else self.deadline
            try:
                return self._process.channel.receive(size, min(early, self.deadline))
            except Late:
                if self._stood is None:
                    self._stood = self._process.stood_in_line()
                    continue
                stood = self._process.stood_in_line() - self._stood
                grown = min(self._start + self._seconds + stood, self._last)
                if grown <= max(self.deadline, time.monotonic()):
                    raise
                self.deadline = grown

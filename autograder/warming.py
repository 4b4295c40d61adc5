"""Starts what runs student code while this process still imports the rest: both take their time.

It stands apart from `sandbox` because whoever imports it must not wait for NumPy; what a sandbox
does once it is there is not known here.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from autograder import boot, launch

if TYPE_CHECKING:
    from autograder.sandbox import Sandbox


class Warming(threading.Thread):
    """A sandbox that is being started.

    with Warming() as warming:
        …  # imports, reading files
        sandbox = warming.ready()
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        for name in boot.ONE_THREAD:  # before NumPy comes: small tables, and threads cost time
            os.environ.setdefault(name, "1")
        self._sandbox: Sandbox | None = None
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._sandbox = self._open()
        except BaseException as error:  # whatever it is, it is raised where the sandbox is used
            self._error = error

    def _open(self) -> Sandbox:
        zygote = launch.Zygote(boot.Limits(), boot.barrier(())) if launch.forks() else None
        from autograder.sandbox import Sandbox

        return Sandbox(zygote=zygote)

    def __enter__(self) -> Warming:
        return self

    def __exit__(self, *_: object) -> None:
        self.join()
        if self._sandbox is not None:
            self._sandbox.close()

    def ready(self) -> Sandbox:
        """Give the sandbox, or raise what kept it from starting."""
        self.join()
        if self._sandbox is None:
            raise self._error or RuntimeError("no sandbox was started")
        return self._sandbox

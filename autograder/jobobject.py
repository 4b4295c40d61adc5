"""Windows: a process that can start no other, uses so much memory, and ends with its owner.

Theory of operation
-------------------
A job object is a set of processes with limits that the system holds. The worker is put into one
of its own before it is told what to run, so nothing of a student's runs outside it. The job holds
one process at most, which is the worker: it can start none. It may use so much private memory and
processor time. Its handle is in the grading process alone: when that is closed, or its owner ends
in whatever way, the system ends what is in the job. The worker can reach no clipboard, no other
program's windows, and not the settings of the desktop.

It does not hold files, the network, or the memory of other processes of the same user: a process
on Windows can open another of its user, and write into it. So the level stays L0.

There is no maintained package for this that needs no compiler; the calls are made through ctypes
here and nowhere else. It was written from Microsoft's documentation and has never run on Windows:
what a worker could not do when it tried (`canary`) decides what is reported.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

LIMITS, INTERFACE = 9, 4  # classes: JobObjectExtendedLimitInformation, BasicUIRestrictions
PROCESS_TIME, ACTIVE_PROCESS = 0x2, 0x8
PROCESS_MEMORY, DIE_ON_EXCEPTION, KILL_ON_CLOSE = 0x100, 0x400, 0x2000
ALL_RESTRICTIONS = 0xFF
TICKS = 10_000_000  # in a second


class Basic(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class Counters(ctypes.Structure):
    """IO_COUNTERS: six counts that are not used here."""

    _fields_ = (("counts", ctypes.c_uint64 * 6),)


class Extended(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", Basic),
        ("counters", Counters),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def limits(memory: int, seconds: int) -> Extended:
    """Give the limits of one worker's job.

    Parameters
    ----------
    memory : int
        Bytes of private memory.
    seconds : int
        Of processor time.
    """
    told = Extended()
    told.basic.flags = (
        PROCESS_TIME | ACTIVE_PROCESS | PROCESS_MEMORY | DIE_ON_EXCEPTION | KILL_ON_CLOSE
    )
    told.basic.process_time = seconds * TICKS
    told.basic.active_processes = 1
    told.process_memory = memory
    return told


class Job:
    """One job with one process in it.

    Parameters
    ----------
    process : int
        The handle of the process.
    memory, seconds : int
        See `limits`.
    kernel : object, optional
        ``kernel32``; another one in tests.

    Raises
    ------
    OSError
        Where the system does not make it or does not take the process in; then there is none.
    """

    def __init__(self, process: int, memory: int, seconds: int, kernel: Any = None) -> None:
        self._kernel = kernel or _kernel()
        self._handle = self._kernel.CreateJobObjectW(None, None)
        if not self._handle:
            raise OSError("no job object")
        told, interface = limits(memory, seconds), ctypes.c_uint32(ALL_RESTRICTIONS)
        steps: tuple[Callable[[], Any], ...] = (
            lambda: self._set(LIMITS, told),
            lambda: self._set(INTERFACE, interface),
            lambda: self._kernel.AssignProcessToJobObject(self._handle, process),
        )
        if not all(step() for step in steps):
            self.close()
            raise OSError("the job object does not take the process in")

    def _set(self, kind: int, value: Any) -> Any:
        size = ctypes.sizeof(value)
        return self._kernel.SetInformationJobObject(self._handle, kind, ctypes.byref(value), size)

    def peak(self) -> int:
        """Give the bytes of private memory that its process used at most; 0 where unknown."""
        told = Extended()
        size = ctypes.sizeof(told)
        asked = self._kernel.QueryInformationJobObject
        known = asked(self._handle, LIMITS, ctypes.byref(told), size, None)
        return int(told.peak_process_memory) if known else 0

    def close(self) -> None:
        """End what is in it."""
        if self._handle:
            self._kernel.TerminateJobObject(self._handle, 1)
            self._kernel.CloseHandle(self._handle)
            self._handle = None


def _kernel() -> Any:
    found = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    handle, number = ctypes.c_void_p, ctypes.c_uint32
    found.CreateJobObjectW.restype = handle
    found.CreateJobObjectW.argtypes = (handle, ctypes.c_wchar_p)
    found.SetInformationJobObject.argtypes = (handle, ctypes.c_int, handle, number)
    found.QueryInformationJobObject.argtypes = (handle, ctypes.c_int, handle, number, handle)
    found.AssignProcessToJobObject.argtypes = (handle, handle)
    found.TerminateJobObject.argtypes = (handle, number)
    found.CloseHandle.argtypes = (handle,)
    return found

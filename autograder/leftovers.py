"""Temporary files and folders of runs that were killed: found by a lock, and cleared away.

Whoever makes one holds a lock on it, which the system lets go when its process ends, in whatever
way. So what is locked is in use, here or in another container on the same disk; what is not has
nobody any more. Where there are no such locks (Windows), an open file cannot be removed there,
and a folder is taken for left after a day.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

if os.name == "posix":
    import fcntl

LOCK = "in-use"
DAY = 86_400.0


def hold(descriptor: int) -> None:
    """Mark an open file as in use, until it is closed or this process ends."""
    if os.name == "posix":
        with contextlib.suppress(OSError):  # a disk without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sweep(folder: Path, pattern: str) -> None:
    """Remove the files of a folder that match and that nobody uses any more.

    One that is younger than a second may be about to be locked.
    """
    for path in folder.glob(pattern):
        if _age(path) < 1.0:
            continue
        if not path.is_symlink() and path.is_file() and _is_ours(path) and _free(path):
            with contextlib.suppress(OSError):
                path.unlink()


def _free(path: Path) -> bool:
    if os.name != "posix":
        return True
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _is_ours(path: Path) -> bool:
    try:
        return not hasattr(os, "getuid") or path.lstat().st_uid == os.getuid()
    except OSError:
        return False


class Scratch:
    """A temporary folder for as long as this process lives; those left by others are removed.

    Parameters
    ----------
    kind : str
        What it is for: the folder is called ``attn-<kind>-…``.
    """

    def __init__(self, kind: str) -> None:
        for path in Path(tempfile.gettempdir()).glob(f"attn-{kind}-*"):
            if not path.is_symlink() and path.is_dir() and _is_ours(path):
                _clear(path)
        self._lock = -1
        while self._lock < 0:
            self.path = Path(tempfile.mkdtemp(prefix=f"attn-{kind}-"))
            self._lock = _locked(self.path / LOCK)

    def close(self) -> None:
        """Remove it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
            shutil.rmtree(self.path, ignore_errors=True)


def _locked(lock: Path) -> int:
    """Hold a new folder's lock; -1 where another run took the folder for left meanwhile."""
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT, 0o600)
    except FileNotFoundError:
        return -1
    if os.name != "posix":
        return descriptor
    with contextlib.suppress(OSError):  # a disk without locks
        fcntl.flock(descriptor, fcntl.LOCK_EX)  # waits while the other one clears it away
    if lock.is_file():
        return descriptor
    os.close(descriptor)
    return -1


def _clear(folder: Path) -> None:
    """Remove a folder whose owner has ended, holding its lock meanwhile.

    One that is just being made has no lock yet, or one that is younger than a second.
    """
    lock = folder / LOCK
    if os.name != "posix" or not lock.is_file():
        if _age(folder) > DAY:
            shutil.rmtree(folder, ignore_errors=True)
        return
    if _age(lock) < 1.0:
        return
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return
    finally:
        os.close(descriptor)


def _age(path: Path) -> float:
    """Give the seconds since something was written; 0 where it is gone."""
    try:
        return time.time() - path.lstat().st_mtime
    except OSError:
        return 0.0


__all__ = ["Scratch", "hold", "sweep"]

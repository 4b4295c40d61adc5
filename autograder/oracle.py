"""The solutions as a check asks them: directly, without a record.

They are proved before they judge anybody. Who is judged by them is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.student import Remote


class Reference:
    """The solutions as a check asks them: called as they are, their answers plain.

    They are proved before they judge anybody, so nothing is copied, recorded or caught here; an
    exception is the grader's own, and goes through.

    Parameters
    ----------
    namespace : dict
        Name to function or class.
    """

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            found = self._namespace[name]
        except KeyError:
            raise AttributeError(name) from None
        return lambda *args, **kwargs: _given(found(*map(_own, args), **kwargs))


class Owned(Remote):
    """An object of the solutions, which answers at once."""

    def __init__(self, value: object) -> None:
        object.__setattr__(self, "_value", value)

    def read(self, name: str) -> Any:
        """Give the attribute's value."""
        return _given(getattr(object.__getattribute__(self, "_value"), name))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("W_"):
            return self.read(name)
        method = getattr(object.__getattribute__(self, "_value"), name)
        return lambda *args, **kwargs: _given(method(*map(_own, args), **kwargs))

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_value"), name, value)


def _own(value: Any) -> Any:
    return object.__getattribute__(value, "_value") if isinstance(value, Owned) else value


def _given(value: Any) -> Any:
    """Give an answer as a worker would: NumPy scalars as 0-d arrays, sequences as tuples."""
    if type(value) is np.ndarray or value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return np.array(value, copy=True, subok=False)
    if isinstance(value, list | tuple):
        return tuple(_given(each) for each in value)
    if isinstance(value, dict):
        return {str(key): _given(each) for key, each in value.items()}
    return Owned(value)

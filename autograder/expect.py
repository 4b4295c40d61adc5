"""Comparisons that a check makes, each with the sentence a learner reads when it is not met.

Every function takes an answer exactly as it came back, climbs the ladder (None, not an array,
shape, nan, values) and raises `Unmet` at the first rung that does not hold; what it returns is
safe to compute with. None of them quotes an expected value.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]
ATOL = RTOL = (
    1e-5  # SEMANTICS section 4: right float32 code stays below 2.4e-6, wrong code above 5e-5
)
COMPARE_TOL = 1e-6  # comparing sentences: an entropy written with log(A + 1e-10) is right
CLOSED = 1e-12  # a weight at a closed place must stay below this


class Unmet(AssertionError):
    """An expectation that the answer did not meet.

    Attributes
    ----------
    code : str
        The sentence's code in the locale files.
    slots : dict
        What fills the sentence: shapes, positions, the student's own numbers.
    """

    def __init__(self, code: str, **slots: Any) -> None:
        super().__init__(code)
        self.code, self.slots = code, slots


def that(condition: object, code: str, **slots: Any) -> None:
    """Expect `condition`, a plain truth value; else say sentence `code`."""
    if not bool(condition):
        raise Unmet(code, **slots)


def array(got: Any, shape: tuple[int, ...] | None = None, what: str = "result") -> Array:
    """Expect an array of numbers or truth values, of `shape` where given.

    Parameters
    ----------
    got : object
        An answer. A sequence is accepted where it stacks to an array.
    shape : tuple of int, optional
    what : str
        What the sentence calls it: ``result output weights Q K V`` …

    Returns
    -------
    ndarray
        Of dtype bool, int or float.

    Raises
    ------
    Unmet
        ``C-NONE``, ``C-NOT-ARRAY``, ``C-SHAPE``.
    """
    if got is None:
        raise Unmet("C-NONE", what=what)
    if isinstance(got, bool | int | float | np.ndarray):
        found = np.asarray(got)
    elif isinstance(got, list | tuple) and only_numbers(got):
        try:
            found = np.asarray(got)
        except (ValueError, TypeError, OverflowError):
            raise Unmet("C-NOT-ARRAY", what=what, got="sequence") from None
    else:
        raise Unmet("C-NOT-ARRAY", what=what, got=_kind(got))
    if found.dtype.kind not in "biuf":
        raise Unmet("C-NOT-ARRAY", what=what, got=_kind(got))
    if shape is not None and found.shape != tuple(shape):
        if isinstance(got, list | tuple) and len(got) == 2 and len(shape) and shape[0] != 2:
            raise Unmet("C-ONE-ARRAY", what=what, want=shape)
        raise Unmet("C-SHAPE", what=what, got=found.shape, want=tuple(shape))
    return found


def only_numbers(got: Any) -> bool:
    """Whether a sequence holds numbers and arrays only.

    With a text among them, NumPy would make each a text as long as the longest: gigabytes.
    """
    if isinstance(got, list | tuple):
        return all(map(only_numbers, got))
    return isinstance(got, bool | int | float | np.ndarray)


def numbers(got: Any, shape: tuple[int, ...] | None = None, what: str = "result") -> Array:
    """Expect an array, of `shape` where given, without nan; give it as float64.

    Raises
    ------
    Unmet
        As `array`, and ``C-NAN``.
    """
    found = array(got, shape, what)
    if found.dtype != np.float64:
        with np.errstate(all="ignore"):  # a long double may not fit
            found = found.astype(np.float64)
    if np.isnan(found).any():
        raise Unmet("C-NAN", what=what, pos=place(np.isnan(found)))
    return found


def close(
    got: Any,
    want: ArrayLike,
    what: str = "result",
    *,
    tol: float = ATOL,
    code: str = "C-VALUES",
) -> Array:
    """Expect the numbers of `want`, shape and all, to ``atol = rtol = tol``; give them as float64.

    Raises
    ------
    Unmet
        As `numbers`, and `code` where the values differ.
    """
    target = np.asarray(want, dtype=np.float64)
    if _identical(got, target):
        return got
    found = numbers(got, target.shape, what)
    wrong = ~_near(found, target, tol)
    if wrong.any():
        raise Unmet(code, what=what, pos=place(wrong), count=int(wrong.sum()), size=wrong.size)
    return found


def _identical(got: Any, target: Array) -> TypeGuard[Array]:
    """Say whether an answer is the same to the bit, as many right ones are; no nan is."""
    return (
        type(got) is np.ndarray
        and got.dtype == np.float64
        and got.shape == target.shape
        and bool((got == target).all())
    )


def _near(found: Array, target: Array, tol: float) -> NDArray[np.bool_]:
    """Say where two arrays are close: as `numpy.isclose`, in a third of its time."""
    if not np.isfinite(target).all():
        return np.isclose(found, target, rtol=tol, atol=tol)
    with np.errstate(all="ignore"):  # an answer may be as large as a float can be
        return np.asarray(np.abs(found - target) <= tol + tol * np.abs(target))


def pair(got: Any) -> tuple[Any, Any]:
    """Expect two things, (output, weights).

    Raises
    ------
    Unmet
        ``C-NONE``, or ``C-TUPLE`` where it is anything but a sequence of two.
    """
    if got is None:
        raise Unmet("C-NONE", what="result")
    if not isinstance(got, list | tuple) or len(got) != 2:
        raise Unmet("C-TUPLE", got=_kind(got))
    return got[0], got[1]


def attention(got: Any, output: tuple[int, ...], weights: tuple[int, ...]) -> tuple[Array, Array]:
    """Expect (output, weights), each an array of its shape.

    Raises
    ------
    Unmet
        As `pair` and `array`; ``C-SWAP`` where the two came in the other order.
    """
    first, second = pair(got)
    if output != weights and (_shape(first), _shape(second)) == (weights, output):
        raise Unmet("C-SWAP")
    return array(first, output, "output"), array(second, weights, "weights")


def items(got: Any, count: int, what: str = "result") -> tuple[Any, ...]:
    """Expect a sequence of `count` things, such as (Q, K, V).

    Raises
    ------
    Unmet
        ``C-NONE``, or ``C-COUNT``.
    """
    if got is None:
        raise Unmet("C-NONE", what=what)
    if isinstance(got, np.ndarray) and got.ndim >= 1 and len(got) == count:
        return tuple(got)  # np.stack([Q, K, V]) where their shapes agree
    if not isinstance(got, list | tuple) or len(got) != count:
        raise Unmet("C-COUNT", got=_kind(got), want=count)
    return tuple(got)


def text(got: Any, what: str = "result") -> str:
    """Expect a string.

    Raises
    ------
    Unmet
        ``C-NONE``, or ``C-NOT-TEXT``.
    """
    if got is None:
        raise Unmet("C-NONE", what=what)
    if not isinstance(got, str):
        raise Unmet("C-NOT-TEXT", got=_kind(got))
    return got


def mapping(got: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """Expect a dict that holds at least `keys`.

    Raises
    ------
    Unmet
        ``C-NONE``, ``C-NOT-DICT``, or ``C-KEY`` with the first key that is missing.
    """
    if got is None:
        raise Unmet("C-NONE", what="result")
    if not isinstance(got, dict):
        raise Unmet("C-NOT-DICT", got=_kind(got))
    for key in keys:
        if key not in got:
            raise Unmet("C-KEY", key=key)
    return got


def number(got: Any, want: float, what: str = "result", *, tol: float = COMPARE_TOL) -> float:
    """Expect one number, as a Python or NumPy scalar or a 0-d array.

    Raises
    ------
    Unmet
        As `close`.
    """
    return float(close(got, np.float64(want), what, tol=tol))


def rows_sum_to_one(weights: Any, shape: tuple[int, ...] | None = None) -> Array:
    """Expect weights that are not negative and whose rows sum to 1.

    Raises
    ------
    Unmet
        As `numbers`; ``C-NEGATIVE``; ``C-ROWSUM`` with the row and its sum.
    """
    found = numbers(weights, shape, "weights")
    if found.ndim == 0:
        raise Unmet("C-SHAPE", what="weights", got=(), want=shape or ("n_q", "n_k"))
    with np.errstate(all="ignore"):  # inf beside -inf
        sums = found.sum(axis=-1)
    off = ~np.isclose(sums, 1.0, rtol=ATOL, atol=ATOL)
    if off.any():
        row = place(off)
        raise Unmet("C-ROWSUM", row=row, sum=float(sums[np.unravel_index(off.argmax(), off.shape)]))
    if (found < 0).any():
        raise Unmet("C-NEGATIVE", what="weights", pos=place(found < 0))
    return found


def unchanged(changed: tuple[int | str, ...], names: tuple[str, ...]) -> None:
    """Expect that a call left its arguments as they were (`Reply.changed`).

    Raises
    ------
    Unmet
        ``C-MUTATE`` with the first argument's name.
    """
    if changed:
        first = changed[0]
        arg = names[first] if isinstance(first, int) and first < len(names) else str(first)
        raise Unmet("C-MUTATE", arg=arg)


def place(where: Array) -> str:
    """Name the first True of a mask in words of the field: ``[1, 2]``, or "" for a scalar."""
    if where.ndim == 0:
        return ""
    index = np.unravel_index(int(where.argmax()), where.shape)
    return "[" + ", ".join(str(int(each)) for each in index) + "]"


def _shape(got: Any) -> tuple[int, ...] | None:
    """Give the shape of an answer that can be read as an array, else None."""
    try:
        return array(got).shape
    except Unmet:
        return None


_KINDS = {
    type(None): "None",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    dict: "dict",
    np.ndarray: "array",
}


def _kind(got: object) -> str:
    """Name an answer's kind from a closed list, so that no text of the student's gets through."""
    if isinstance(got, list | tuple):
        # How many is for the answer to choose, and on a graded page it could tell an input.
        return f"{len(got)} values" if len(got) < 100 else "object"
    return _KINDS.get(type(got), "object")

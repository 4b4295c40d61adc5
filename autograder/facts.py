"""What can be seen of a student's answers without knowing how they came to be.

Shapes, row sums, spread, the first nan, the first place that differs. Positions and the student's
own numbers only; an expected number never leaves this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from autograder.expect import only_numbers, place
from autograder.student import LocalStudent, Step, Trouble


class _Failed(Protocol):
    @property
    def slots(self) -> Mapping[str, Any]: ...
    @property
    def check(self) -> Any: ...


def facts(
    trace: Sequence[Step], failed: Sequence[_Failed], right: Mapping[str, Any]
) -> dict[str, Any]:
    """Give the visible facts of the answer that the first failed check was about.

    Parameters
    ----------
    trace : sequence of Step
    failed : sequence of outcomes
    right : mapping
        The reference's names, for the place of the first difference.

    Returns
    -------
    dict
        Some of ``got pos right cut nan row sum std min max d_k d_v n_q n_k d_model n_heads error``;
        ``right`` is the share of numbers that do not differ, ``cut`` says that decimals are gone.
    """
    names = [each.check.name for each in failed]
    steps = [each for each in trace if each.check == names[0] and each.op in ("call", "method")]
    if not steps:
        return {}
    step = steps[-1]
    seen: dict[str, Any] = dict(_sizes(step))
    answer = step.reply.value
    if isinstance(answer, Trouble):
        seen["error"] = answer.detail
        return seen
    if _cut(answer):
        seen["cut"] = True
    found = _main(answer)
    if found is None:
        return seen
    seen["got"] = found.shape
    numbers = found.astype(np.float64)
    bad = np.isnan(numbers)
    if bad.any():
        seen["nan"] = place(bad)
        return seen
    if numbers.size:
        spread = float(numbers.std()) if np.isfinite(numbers).all() else float("inf")
        seen |= {"std": spread, "min": float(numbers.min()), "max": float(numbers.max())}
    shares = isinstance(answer, tuple) or step.name == "softmax"
    if shares and numbers.ndim >= 2 and numbers.size:
        sums = numbers.sum(axis=-1)
        off = ~np.isclose(sums, 1.0, atol=1e-5)
        row = place(off) if off.any() else "[" + ", ".join("0" for _ in sums.shape) + "]"
        at = np.unravel_index(int(off.argmax()), sums.shape)
        seen |= {"row": row, "sum": float(sums[at])}
    seen |= _difference(step, found, right)
    return seen


def _main(answer: Any) -> Any:
    """Give the array that a sentence is about: the weights of a pair, else the answer."""
    if isinstance(answer, tuple) and len(answer) == 2:
        answer = answer[1]
    if isinstance(answer, list | tuple) and not only_numbers(answer):
        return None
    try:
        found = np.asarray(answer)
    except (ValueError, TypeError, OverflowError):
        return None
    return found if found.dtype.kind in "biuf" else None


def _cut(answer: Any) -> bool:
    """Whether an array of the answer holds whole numbers only."""
    parts = answer if isinstance(answer, list | tuple) else (answer,)
    arrays = (each for each in parts if isinstance(each, np.ndarray) and each.dtype.kind in "biuf")
    return any(each.size > 0 and bool((each == np.trunc(each)).all()) for each in arrays)


def _sizes(step: Step) -> dict[str, Any]:
    """Give the sizes that sentences name, from the shapes of the arguments."""
    shapes = [np.shape(each) for each in step.args if isinstance(each, np.ndarray)]
    whole = [each for each in step.args if isinstance(each, int) and not isinstance(each, bool)]
    sizes: dict[str, Any] = {}
    if step.name.endswith(("attention", "attention_scores")) and len(shapes) >= 2:
        sizes = {"n_q": shapes[0][-2], "d_k": shapes[1][-1], "n_k": shapes[1][-2]}
        if len(shapes) >= 3:
            sizes["d_v"] = shapes[2][-1]
    if whole and shapes and shapes[0]:
        sizes |= {"n_heads": whole[0], "d_model": shapes[0][-1], "h": whole[0], "d": shapes[0][-1]}
        if whole[0] > 0:
            sizes["dh"] = shapes[0][-1] // whole[0]
    if "d_k" in sizes:
        sizes["dk"] = sizes["d_k"]
    return sizes


def _difference(step: Step, found: Any, right: Mapping[str, Any]) -> dict[str, Any]:
    """Give the first place where the answer differs from the reference's, if it can be asked."""
    if step.op != "call" or step.name not in right:
        return {}
    want = (
        LocalStudent(right, listens=False)
        .ask("call", step.name, None, step.args, step.kwargs)
        .value
    )
    if isinstance(want, Trouble):
        return {}
    target = _main(want)
    if target is None or target.shape != found.shape:
        return {}
    apart = ~np.isclose(found, target, rtol=1e-5, atol=1e-5)
    return {"pos": place(apart), "right": float(1 - apart.mean())} if apart.any() else {}

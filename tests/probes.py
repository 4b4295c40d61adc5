"""Says of each question that a grader asks which kinds of mistakes it cannot show.

Kinds are those of public courses' own tests: equal sizes, one and the same array for Q, K and V,
one head, identity matrices, an open mask, a saturated softmax, symmetric tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from autograder.student import Handle, Step, Trouble


@dataclass(frozen=True)
class Probe:
    """One question in words of the field.

    Attributes
    ----------
    name : str
        The function or method.
    given : dict
        Arrays and numbers by name: ``Q K V X mask W_q W_k W_v W_o n_heads A B weights``.
    weights : ndarray or None
        The right weights, where the answer holds some.
    """

    name: str
    given: Mapping[str, Any]
    weights: Any = None


PARAMETERS = {
    "softmax": ("scores",),
    "attention_scores": ("Q", "K"),
    "scaled_dot_product_attention": ("Q", "K", "V"),
    "masked_attention": ("Q", "K", "V", "mask"),
    "project_qkv": ("X", "W_q", "W_k", "W_v"),
    "forward": ("X",),
    "ascii_heatmap": ("table", "tokens"),
    "causal_mask": ("n",),
    "split_heads": ("X", "n_heads"),
    "concat_heads": ("H",),
    "multi_head_attention": ("X", "W_q", "W_k", "W_v", "W_o", "n_heads", "mask"),
    "attention_difference": ("A", "B"),
    "row_entropy": ("A",),
    "js_divergence": ("A", "B"),
    "argmax_agreement": ("A", "B"),
    "frobenius_distance": ("A", "B"),
    "compare_sentences": ("attention", "X", "X_b"),
}


@dataclass
class _Objects:
    """What has been set on which object so far."""

    fields: dict[int, dict[str, Any]] = field(default_factory=dict)

    def note(self, step: Step) -> None:
        if step.op == "set" and step.target is not None:
            self.fields.setdefault(step.target, {})[step.name] = step.args[0]

    def of(self, step: Step) -> Mapping[str, Any]:
        holder = step.args[0] if step.args and isinstance(step.args[0], Handle) else None
        number = holder.number if holder else step.target
        return self.fields.get(number, {}) if number is not None else {}


def probes_of(trace: Sequence[Step]) -> Iterator[Probe]:
    """Give the graded questions of a trace of right answers."""
    objects = _Objects()
    for step in trace:
        objects.note(step)
        if step.name not in PARAMETERS or isinstance(step.reply.value, Trouble):
            continue
        given = dict(zip(PARAMETERS[step.name], step.args, strict=False)) | dict(step.kwargs)
        yield Probe(step.name, {**objects.of(step), **given}, _weights(step))


def _weights(step: Step) -> Any:
    answer = step.reply.value
    if step.name == "softmax" and not step.kwargs:
        return answer
    if isinstance(answer, dict):
        return answer["weights_a"]
    if isinstance(answer, tuple) and len(answer) == 2 and step.name != "split_heads":
        return answer[1]
    return None


# Each kind: True where the probe hides, False where it does not, None where it says nothing.


def as_many_queries_as_keys(probe: Probe) -> bool | None:
    if "Q" in probe.given:
        return bool(probe.given["Q"].shape[-2] == probe.given["K"].shape[-2])
    if "table" in probe.given:
        rows, columns = np.shape(probe.given["table"])
        return rows == columns
    return None


def as_many_tokens_as_numbers(probe: Probe) -> bool | None:
    for name in ("K", "X"):
        if name in probe.given and probe.name != "compare_sentences":
            *_, n, d = np.shape(probe.given[name])
            return bool(n == d)
    return None


def equal_widths(probe: Probe) -> bool | None:
    if "V" in probe.given:
        return bool(probe.given["V"].shape[-1] == probe.given["K"].shape[-1])
    if "W_v" in probe.given and probe.name != "multi_head_attention":
        return bool(probe.given["W_v"].shape == probe.given["W_k"].shape)
    return None


def one_array_for_all(probe: Probe) -> bool | None:
    groups = (("Q", "K", "V"), ("W_q", "W_k", "W_v", "W_o"), ("A", "B"), ("X", "X_b"))
    pairs = [
        (probe.given[one], probe.given[two])
        for names in groups
        for one, two in combinations([name for name in names if name in probe.given], 2)
    ]
    return any(np.array_equal(one, two) for one, two in pairs) if pairs else None


def one_head(probe: Probe) -> bool | None:
    if probe.name == "concat_heads":
        return bool(probe.given["H"].shape[-3] == 1)
    return bool(probe.given["n_heads"] == 1) if "n_heads" in probe.given else None


def as_many_heads_as_numbers(probe: Probe) -> bool | None:
    if probe.name == "concat_heads":
        h, n, d = probe.given["H"].shape[-3:]
    elif "n_heads" in probe.given:
        h, n = probe.given["n_heads"], probe.given["X"].shape[-2]
        d = probe.given["X"].shape[-1] // h
    else:
        return None
    return bool(h in (n, d) or n == d)


def identity_matrix(probe: Probe) -> bool | None:
    found = [each for name, each in probe.given.items() if name.startswith("W_")]
    return any(np.array_equal(W, np.eye(*W.shape)) for W in found) if found else None


def open_mask(probe: Probe) -> bool | None:
    if probe.name not in ("masked_attention", "multi_head_attention"):
        return None
    mask = probe.given.get("mask")
    return mask is None or bool(np.all(mask))


def saturated(probe: Probe) -> bool | None:
    if probe.weights is None or np.shape(probe.weights)[-1] == 1:
        return None
    return bool((np.max(probe.weights, axis=-1) > 0.999).all())


def symmetric(probe: Probe) -> bool | None:
    for name in ("scores", "table", "A", "weights"):
        found = probe.weights if name == "weights" else probe.given.get(name)
        if found is not None and np.ndim(found) >= 2:
            found = np.asarray(found)
            turned = np.swapaxes(found, -1, -2)
            return turned.shape == found.shape and bool(np.allclose(found, turned, equal_nan=True))
    return None


def symmetric_mask(probe: Probe) -> bool | None:
    mask = probe.given.get("mask")
    return None if mask is None else bool(np.array_equal(mask, np.swapaxes(mask, -1, -2)))


def one_token(probe: Probe) -> bool | None:
    if "n" in probe.given:
        return bool(probe.given["n"] == 1)
    for name in ("Q", "X", "A", "table"):
        if name in probe.given and np.ndim(probe.given[name]) >= 2:
            return bool(np.shape(probe.given[name])[-2] == 1)
    return None


Kind = Callable[[Probe], bool | None]
KINDS: tuple[Kind, ...] = (
    as_many_queries_as_keys,
    as_many_tokens_as_numbers,
    equal_widths,
    one_array_for_all,
    one_head,
    as_many_heads_as_numbers,
    identity_matrix,
    open_mask,
    saturated,
    symmetric,
    symmetric_mask,
    one_token,
)


def hiding(probes: Sequence[Probe]) -> dict[str, tuple[str, ...]]:
    """Give for each function the kinds that all of its probes are of."""
    names = dict.fromkeys(probe.name for probe in probes)
    found = {}
    for name in names:
        its = [probe for probe in probes if probe.name == name]
        kinds = []
        for kind in KINDS:
            said = [verdict for probe in its if (verdict := kind(probe)) is not None]
            if said and all(said):
                kinds.append(kind.__name__)
        found[name] = tuple(kinds)
    return found


def kinds_of(probe: Probe) -> tuple[str, ...]:
    """Give the kinds that one probe is of."""
    return tuple(kind.__name__ for kind in KINDS if kind(probe))

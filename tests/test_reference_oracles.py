"""The reference against implementations that no one here wrote: onnx's evaluator, and torch."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

Array = np.ndarray[Any, np.dtype[Any]]

NO_ONNX = "onnx is not installed (extra dev): its reference evaluator is one of two oracles"
NO_TORCH = "torch is not installed (extra oracle): it is one of two oracles"

# (leading axes as batch and heads, n_q, n_k, d_k, d_v)
SIZES = [(2, 3, 3, 5, 7, 2), (1, 1, 1, 1, 1, 1), (3, 2, 4, 4, 4, 4), (1, 4, 9, 2, 16, 3)]
TOLERANCE = {np.float64: 1e-12, np.float32: 2e-6}


def inputs(size: tuple[int, ...], dtype: type, seed: int) -> tuple[Array, Array, Array]:
    """Draw Q, K and V."""
    batch, heads, n_q, n_k, d_k, d_v = size
    rng = np.random.default_rng(seed)
    shapes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    q, k, v = (rng.normal(size=(batch, heads, *shape)).astype(dtype) for shape in shapes)
    return q, k, v


def open_mask(kind: str, n_q: int, n_k: int, seed: int) -> Array | None:
    """Make a mask with at least one open place in each row."""
    if kind == "none":
        return None
    if kind == "causal":
        return np.tri(n_q, n_k, dtype=bool)
    rng = np.random.default_rng(seed)
    mask = rng.random((n_q, n_k)) < 0.5
    mask[np.arange(n_q), rng.integers(n_k, size=n_q)] = True
    return mask


def cases(function: Callable[..., None]) -> Callable[..., None]:
    """Run a test over sizes, masks and both float types."""
    for mark in (
        pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"]),
        pytest.mark.parametrize("kind", ["none", "causal", "random"]),
        pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size))),
    ):
        function = mark(function)
    return function


def onnx_attention(q: Array, k: Array, v: Array, mask: Array | None) -> tuple[Array, Array]:
    """Ask the NumPy evaluator of the operator Attention for output and weights."""
    onnx = pytest.importorskip("onnx", reason=NO_ONNX)
    from onnx.reference import ReferenceEvaluator

    helper, kind = onnx.helper, onnx.helper.np_dtype_to_tensor_dtype
    feeds = {"Q": q, "K": k, "V": v} | ({} if mask is None else {"mask": mask})
    node = helper.make_node(
        "Attention",
        list(feeds),
        ["output", "", "", "weights"],
        qk_matmul_output_mode=3,  # after softmax
        softmax_precision=kind(np.dtype(q.dtype)),
    )
    graph = helper.make_graph(
        [node],
        "attention",
        [helper.make_tensor_value_info(n, kind(a.dtype), a.shape) for n, a in feeds.items()],
        [helper.make_tensor_value_info(n, kind(q.dtype), None) for n in ("output", "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
    output, weights = ReferenceEvaluator(model).run(None, feeds)
    return output, weights


@cases
def test_masked_attention_agrees_with_onnx(
    solutions: SimpleNamespace, size: tuple[int, ...], kind: str, dtype: type
) -> None:
    q, k, v = inputs(size, dtype, seed=sum(size))
    mask = open_mask(kind, q.shape[-2], k.shape[-2], seed=1)
    expected = onnx_attention(q, k, v, mask)
    answer = solutions.masked_attention.masked_attention(q, k, v, mask)
    for ours, theirs in zip(answer, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_scaled_dot_product_attention_agrees_with_onnx(
    solutions: SimpleNamespace, size: tuple[int, ...]
) -> None:
    q, k, v = inputs(size, np.float64, seed=7)
    expected = onnx_attention(q, k, v, None)
    answer = solutions.scaled_dot_product_attention.scaled_dot_product_attention(q, k, v)
    for ours, theirs in zip(answer, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@cases
def test_masked_attention_agrees_with_torch(
    solutions: SimpleNamespace, size: tuple[int, ...], kind: str, dtype: type
) -> None:
    torch = pytest.importorskip("torch", reason=NO_TORCH)
    q, k, v = inputs(size, dtype, seed=sum(size))
    mask = open_mask(kind, q.shape[-2], k.shape[-2], seed=2)
    expected = torch.nn.functional.scaled_dot_product_attention(
        *(torch.tensor(each) for each in (q, k, v)),
        attn_mask=None if mask is None else torch.tensor(mask),
    )
    output, _ = solutions.masked_attention.masked_attention(q, k, v, mask)
    np.testing.assert_allclose(output, expected.numpy(), rtol=0, atol=TOLERANCE[dtype])


def test_closed_row_gives_zeros_as_torch_does(solutions: SimpleNamespace) -> None:
    torch = pytest.importorskip("torch", reason=NO_TORCH)
    q, k, v = inputs((1, 1, 3, 5, 7, 2), np.float64, seed=3)
    mask = np.ones((3, 5), dtype=bool)
    mask[1] = False
    expected = torch.nn.functional.scaled_dot_product_attention(
        *(torch.tensor(each) for each in (q, k, v)), attn_mask=torch.tensor(mask)
    )
    output, weights = solutions.masked_attention.masked_attention(q, k, v, mask)
    np.testing.assert_allclose(output, expected.numpy(), rtol=0, atol=1e-12)
    assert not weights[..., 1, :].any()


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
@pytest.mark.parametrize("causal", [False, True], ids=["open", "causal"])
@pytest.mark.parametrize("sizes", [(2, 5, 12, 3), (1, 1, 4, 4), (3, 7, 6, 1), (2, 4, 8, 2)])
def test_multi_head_attention_agrees_with_torch(
    solutions: SimpleNamespace, sizes: tuple[int, int, int, int], causal: bool, dtype: type
) -> None:
    torch = pytest.importorskip("torch", reason=NO_TORCH)
    batch, n, d_model, n_heads = sizes
    rng = np.random.default_rng(11)
    x = rng.normal(size=(batch, n, d_model)).astype(dtype)
    w_q, w_k, w_v, w_o = (rng.normal(size=(4, d_model, d_model)) / d_model**0.5).astype(dtype)
    theirs = torch.nn.MultiheadAttention(
        d_model, n_heads, bias=False, batch_first=True, dtype=torch.tensor(x).dtype
    )
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.tensor(np.hstack([w_q, w_k, w_v]).T))
        theirs.out_proj.weight.copy_(torch.tensor(w_o.T))
        token = torch.tensor(x)
        hidden = torch.tensor(np.triu(np.ones((n, n), dtype=bool), 1)) if causal else None
        expected = theirs(token, token, token, attn_mask=hidden, average_attn_weights=False)
    mask = solutions.causal_mask.causal_mask(n) if causal else None
    answer = solutions.multi_head_attention.multi_head_attention(
        x, w_q, w_k, w_v, w_o, n_heads, mask
    )
    for ours, given in zip(answer, expected, strict=True):
        np.testing.assert_allclose(ours, given.numpy(), rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_softmax_agrees_with_torch_along_every_axis(solutions: SimpleNamespace, axis: int) -> None:
    torch = pytest.importorskip("torch", reason=NO_TORCH)
    x = np.random.default_rng(axis + 1).normal(scale=300, size=(3, 4, 5))
    expected = torch.softmax(torch.tensor(x), dim=axis).numpy()
    np.testing.assert_allclose(solutions.softmax.softmax(x, axis), expected, rtol=0, atol=1e-14)

"""The mistake that learners typically make first in each exercise, and the way out of it."""

from __future__ import annotations

from autograder.exercise import Kit, code_of

# exercise: what stands in the solution, what a learner writes there, the finding that she is told
TYPICAL: dict[str, tuple[str, str, str]] = {
    "softmax": (
        "powers.sum(axis=axis, keepdims=True)",
        "powers.sum(axis=0)",
        "SM-AXIS0",
    ),
    "attention_scores": (" / math.sqrt(d_k)", "", "SCALE-NONE"),
    "scaled_dot_product_attention": (
        "return weights @ np.asarray(V), weights",
        "return weights, weights @ np.asarray(V)",
        "C-SWAP",
    ),
    "project_qkv": ("X @ np.asarray(W_k)", "X @ np.asarray(W_q)", "P-SAME-W"),
    "self_attention": (
        "self.W_q, self.W_k, self.W_v)",
        "self.W_k, self.W_q, self.W_v)",
        "EQ-QK-SWAP",
    ),
    "ascii_heatmap": ("(weights * len(chars))", "(weights * (len(chars) - 1))", "HM-LEVELS"),
    "causal_mask": ("np.tril", "np.triu", "CAUSAL-TRIU"),
    "masked_attention": (
        "softmax(np.where(mask | empty, scores, -np.inf)) * ~empty",
        "softmax(scores) * mask",
        "MASK-AFTER",
    ),
    "heads": (
        "np.swapaxes(blocks, -2, -3)",
        "np.reshape(blocks, (*lead, n_heads, n, d_model // n_heads))",
        "H-SPLIT-RESHAPE",
    ),
    "multi_head_attention": (
        "concat_heads(output) @ np.asarray(W_o)",
        "concat_heads(output)",
        "H-NO-WO",
    ),
    "compare_sentences": ("-np.log(", "-np.log2(", "CMP-LOG2"),
}


def mended(kit: Kit, exercise: str) -> str:
    """Give right code for one exercise."""
    return code_of(kit.exercise(exercise))


def mistaken(kit: Kit, exercise: str) -> str:
    """Give code with the typical mistake in it."""
    right, typical, _ = TYPICAL[exercise]
    code = mended(kit, exercise)
    assert right in code, exercise
    return code.replace(right, typical)

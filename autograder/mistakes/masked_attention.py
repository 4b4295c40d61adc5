"""Wrong masks: when they act, on what, with which number, and which way round."""

import numpy as np

from autograder.chain import Chain

from . import scaled_dot_product_attention as earlier
from .softmax import soft

masked = Chain("masked_attention", "Q", "K", "V", mask=None)
masked.borrow(earlier.attention, "scores", "scaled")
turned = earlier.turned


@masked.stage
def logits(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -np.inf)


@logits.wrong("MASK-IGNORED")
def no_mask(scaled):
    return scaled


@logits.wrong("MASK-INVERTED")
def true_means_hidden(scaled, mask):
    return scaled if mask is None else np.where(mask, -np.inf, scaled)


@logits.wrong("MASK-INVERTED")
def true_gets_a_large_negative_number(scaled, mask):
    return scaled if mask is None else np.where(mask, -1e9, scaled)


@logits.wrong("MASK-ZERO")
def closed_scores_are_zero(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, 0)


@logits.wrong("MASK-MULT")
def scores_times_mask(scaled, mask):
    return scaled if mask is None else scaled * mask


@logits.wrong("MASK-TINY")
def a_tiny_number(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, 1e-9)


def _after(logits, mask):
    return soft(logits) if mask is None else soft(logits) * mask


def _after_and_again(logits, mask):
    closed = _after(logits, mask)
    return closed / closed.sum(axis=-1, keepdims=True)


@logits.wrong("MASK-AFTER", weights=_after)
def mask_after_softmax(scaled):
    return scaled


@logits.wrong("MASK-AFTER-RENORM", weights=_after_and_again)
def mask_after_softmax_and_divide(scaled):
    return scaled


@logits.wrong(
    "MASK-AFTER-INF",
    weights=lambda logits, mask: (
        soft(logits) if mask is None else np.where(mask, soft(logits), -np.inf)
    ),
)
def infinity_after_softmax(scaled):
    return scaled


@logits.wrong("MASK-LEAKY")
def minus_one(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -1.0)


@logits.wrong("MASK-LEAKY")
def minus_five(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -5.0)


@logits.wrong("MASK-LEAKY")
def minus_ten(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -10.0)


@logits.wrong("MASK-LEAKY")
def minus_twenty(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -20.0)


@logits.wrong("MASK-LEAKY")
def minus_fifty(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -50.0)


@logits.wrong("MASK-LEAKY")
def minus_hundred(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, -100.0)


@logits.wrong("MASK-LEAKY")
def ten_taken_away(scaled, mask):
    return scaled if mask is None else scaled - 10.0 * ~mask


@logits.wrong("MASK-LEAKY")
def smallest_score(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, scaled.min())


@logits.wrong("MASK-LEAKY")
def smallest_of_the_row(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, scaled.min(axis=-1, keepdims=True))


@logits.wrong("MASK-LEAKY")
def hundred_taken_away(scaled, mask):
    return scaled if mask is None else scaled - 100.0 * ~mask


@logits.wrong("MASK-LEAKY")
def thousand_taken_away(scaled, mask):
    return scaled if mask is None else scaled - 1000.0 * ~mask


@logits.wrong("MASK-ADD01")
def true_is_added(scaled, mask):
    return scaled if mask is None else scaled + mask


@logits.wrong("MASK-ADD01")
def closed_are_taken_away(scaled, mask):
    return scaled if mask is None else scaled - (1 - mask)


@logits.wrong("MASK-0xINF")
def zero_times_infinity(scaled, mask):
    return scaled if mask is None else scaled + (1 - mask) * -np.inf


@logits.wrong("MASK-PLUS-INF")
def plus_infinity(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, np.inf)


@logits.wrong("MASK-PLUS-INF")
def large_positive_number(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, 1e9)


@logits.wrong("MASK-NAN")
def not_a_number(scaled, mask):
    return scaled if mask is None else np.where(mask, scaled, np.nan)


@logits.wrong("MASK-TIMES-BIG")
def times_a_large_number(scaled, mask):
    return scaled if mask is None else scaled * np.where(mask, 1, -1e9)


@logits.wrong("MASK-TRANSPOSED")
def mask_turned(scaled, mask):
    return scaled if mask is None else np.where(turned(mask), scaled, -np.inf)


@logits.wrong("MASK-CAUSAL")
def always_the_triangle(scaled, mask):
    triangle = np.tril(np.ones(scaled.shape[-2:], dtype=bool))
    return scaled if mask is None else np.where(triangle, scaled, -np.inf)


@logits.wrong("MASK-ALWAYS")
def triangle_without_a_mask(scaled, mask):
    if mask is None:
        mask = np.tril(np.ones(scaled.shape[-2:], dtype=bool))
    return np.where(mask, scaled, -np.inf)


@logits.wrong("MASK-NO-NONE")
def none_is_not_expected(scaled, mask):
    return np.where(mask, scaled, -np.inf)


@logits.wrong("MASK-NO-NONE")
def none_has_no_not(scaled, mask):
    scaled = scaled.copy()
    scaled[..., ~mask] = -np.inf
    return scaled


@logits.wrong("MASK-NO-NONE")
def none_has_no_complement(scaled, mask):
    return np.where(~mask, -np.inf, scaled)


@logits.wrong("MASK-KEYS-ONLY")
def first_row_for_all(scaled, mask):
    return scaled if mask is None else np.where(mask[..., :1, :], scaled, -np.inf)


@logits.wrong("C-BATCH")
def mask_as_an_index(scaled, mask):
    scaled = scaled.copy()
    if mask is not None:
        scaled[~mask] = -np.inf
    return scaled


masked.borrow(earlier.attention, "weights")


@masked.stages["weights"].wrong(
    "SM-AXIS0",
    logits=lambda scaled, mask: scaled if mask is None else np.where(mask, scaled, -1e9),
)
def along_queries_of_large_negatives(logits):
    return soft(logits, axis=-2)


masked.borrow(earlier.attention, "output")
output = masked.stages["output"]


@output.wrong("MASK-ON-V", logits=lambda scaled: scaled)
def values_blanked(weights, V, mask):
    return weights @ V if mask is None else weights @ (V * mask.any(axis=0)[:, None])


@output.wrong("MASK-ON-V", logits=lambda scaled: scaled)
def mix_without_closed_weights(weights, V, mask):
    return weights @ V if mask is None else (weights * mask) @ V


@output.wrong(
    "MASK-ONLY-RETURNED",
    logits=lambda scaled: scaled,
    returned=lambda output, logits, mask: (
        output,
        soft(logits) if mask is None else soft(np.where(mask, logits, -np.inf)),
    ),
)
def output_before_the_mask(weights, V):
    return weights @ V


def _closed_at_the_end(output, weights, mask):
    return output, weights if mask is None else np.where(mask, weights, 0)


@output.wrong("MASK-ONLY-RETURNED", logits=lambda scaled: scaled, returned=_closed_at_the_end)
def output_of_all_places(weights, V):
    return weights @ V


@output.wrong(
    "MASK-ONLY-MIXED",
    logits=lambda scaled: scaled,
    returned=lambda output, weights: (output, weights),
)
def masked_for_the_output_alone(logits, V, mask):
    return soft(logits if mask is None else np.where(mask, logits, -np.inf)) @ V


masked.borrow(earlier.attention, "returned")

masked.same_numbers("SM-NO-NORM", "SM-DIV-MAX", common="EQ-SM-LARGEST-ONE")
masked.same_numbers("SCALE-DK", "SCALE-TWICE", common="EQ-SCALE-DK")
masked.same_numbers("SCALE-NONE", "SCALE-ADD", "SCALE-SUB", common="EQ-SCALE-NONE")
masked.same_numbers("MASK-ZERO", "MASK-MULT", "MASK-TINY", common="EQ-MASK-OPEN")
masked.same_numbers("MASK-0xINF", "MASK-PLUS-INF", "MASK-NAN", common="EQ-MASK-NAN")
masked.shows("weights", 1)
masked.in_pairs(
    "SCORES-KQT SCALE-NONE SCALE-DK SCALE-SQRT-NK SCALE-SQRT-NQ SCALE-SQRT-DV SCALE-MULT"
    " SCALE-AFTER SM-AXIS0 SM-GLOBAL SOFTMAX-MISSING SM-NO-NORM SM-HARDMAX OUT-WT-V OUT-SCORES-V"
    " C-SWAP C-TUPLE C-ROUND MASK-IGNORED MASK-INVERTED MASK-ZERO MASK-AFTER MASK-ADD01"
    " MASK-AFTER-RENORM MASK-TRANSPOSED MASK-ALWAYS MASK-LEAKY"
)


@masked.replaced("C-MUTATE", state=True)
def scaled_in_place(Q, K, V, mask=None):
    if Q.dtype.kind != "f":
        Q = Q.astype(float)
    Q /= np.sqrt(Q.shape[-1])
    scores = Q @ turned(K)
    weights = soft(scores if mask is None else np.where(mask, scores, -np.inf))
    return weights @ V, weights

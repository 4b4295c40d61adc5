"""Wrong multi-head attention: project, split, attend in each head, concatenate, W_o."""

import numpy as np

from autograder.chain import Chain

from . import heads as cuts
from . import masked_attention as earlier
from . import project_qkv as projections

soft, turned = earlier.soft, earlier.turned

multi_head = Chain("multi_head_attention", "X", "W_q", "W_k", "W_v", "W_o", "n_heads", mask=None)

PROJECTIONS = "P-XT P-SAME-W P-QK-SWAP P-KV-SWAP P-V-RAW P-ONE-W C-BATCH".split()
ATTENTION = (
    "SCALE-NONE SCALE-DK SCALE-MULT SCALE-AFTER SCALE-QUARTER SCORES-KQT MASK-IGNORED"
    " MASK-INVERTED MASK-ZERO MASK-AFTER MASK-LEAKY MASK-ADD01 MASK-TRANSPOSED"
    " MASK-ALWAYS MASK-CAUSAL MASK-0xINF SM-GLOBAL SOFTMAX-MISSING SM-NO-NORM SM-HARDMAX OUT-WT-V"
    " OUT-K"
).split()


@multi_head.stage
def divisible(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d_model")


multi_head.borrow(projections.project_qkv, "Q", "K", "V", only=PROJECTIONS)


def each_of(body, *three, n_heads):
    """Cut Q, K and V alike; from here on these names are the heads'."""
    return dict(zip("QKV", [body(one, n_heads) for one in three], strict=True))


@multi_head.stage
def split(Q, K, V, n_heads):
    return each_of(cuts.cut, Q, K, V, n_heads=n_heads)


@split.wrong("H-SPLIT-RESHAPE")
def reshape_alone(Q, K, V, n_heads):
    return each_of(cuts.reshape_alone, Q, K, V, n_heads=n_heads)


@split.wrong("H-INTERLEAVED")
def every_h_th_column(Q, K, V, n_heads):
    return each_of(cuts.every_h_th_column, Q, K, V, n_heads=n_heads)


@split.wrong("H-ONE")
def first_head_everywhere(Q, K, V, n_heads):
    return each_of(cuts.first_head_everywhere, Q, K, V, n_heads=n_heads)


@split.wrong("H-SINGLE", joined=lambda output: output[..., 0, :, :])
def one_big_head_copied(Q, K, V, n_heads):
    return each_of(cuts.whole_sentence_for_each, Q, K, V, n_heads=n_heads)


@split.wrong(
    "H-SINGLE",
    joined=lambda output: output,
    returned=lambda projected, weights: (projected, weights[None]),
)
def one_big_head(Q, K, V, n_heads):
    return {"Q": Q, "K": K, "V": V}


@split.wrong("H-SINGLE", joined=lambda output: output)
def no_heads_at_all(Q, K, V, n_heads):
    return {"Q": Q, "K": K, "V": V}


@split.wrong("H-ACROSS", joined=lambda output: output.reshape(*output.shape[:-2], -1))
def heads_look_at_heads(Q, K, V, n_heads):
    return each_of(cuts.axes_not_swapped, Q, K, V, n_heads=n_heads)


@split.wrong("H-VALUES-WHOLE", joined=lambda output: output.mean(axis=-3))
def values_not_split(Q, K, V, n_heads):
    return {"Q": cuts.cut(Q, n_heads), "K": cuts.cut(K, n_heads), "V": V[..., None, :, :]}


@split.wrong("H-NO-PROJECTION")
def sentence_split_unprojected(X, n_heads):
    return each_of(cuts.cut, X, X, X, n_heads=n_heads)


@split.wrong("H-COUNT-WIDTH")
def n_heads_taken_for_the_width(Q, K, V, n_heads):
    return each_of(cuts.n_heads_taken_for_the_width, Q, K, V, n_heads=n_heads)


@split.wrong("H-VALUES-ORDER")
def values_in_reverse_order(Q, K, V, n_heads):
    return {**each_of(cuts.cut, Q, K, V, n_heads=n_heads), "V": cuts.last_head_first(V, n_heads)}


@split.wrong("C-BATCH")
def for_one_sentence(Q, K, V, n_heads):
    return each_of(cuts.for_one_sentence, Q, K, V, n_heads=n_heads)


multi_head.gives("split", "Q", "K", "V")
multi_head.borrow(earlier.masked, "scores", "scaled", only=ATTENTION)
scaled = multi_head.stages["scaled"]


@scaled.wrong("H-SCALE-DMODEL")
def by_root_d_model(scores, X):
    return scores / np.sqrt(X.shape[-1])


@scaled.wrong("SCALE-SQRT-NK")
def by_root_of_key_count(scores, K):
    return scores / np.sqrt(K.shape[-2])


@scaled.wrong("H-SCALE-HEADS")
def by_root_n_heads(scores, n_heads):
    return scores / np.sqrt(n_heads)


multi_head.borrow(
    earlier.masked,
    "logits",
    only=ATTENTION,
    without=("minus_fifty", "minus_hundred", "hundred_taken_away", "thousand_taken_away"),
)
logits = multi_head.stages["logits"]


@logits.wrong("H-MASK-FIRST")
def mask_for_the_first_head(scaled, mask):
    scaled = scaled.copy()
    if mask is not None:
        scaled[..., 0, :, :] = np.where(mask, scaled[..., 0, :, :], -np.inf)
    return scaled


@logits.wrong("H-MASK-AXIS")
def mask_along_the_wrong_axis(scaled, mask):
    return scaled if mask is None else np.where(mask[:, None], scaled, -np.inf)


multi_head.borrow(earlier.masked, "weights", only=ATTENTION)
weights = multi_head.stages["weights"]


@weights.wrong("H-SM-HEADS")
def softmax_over_heads(logits):
    return soft(logits, axis=-3)


@weights.wrong("SM-AXIS0")
def along_queries(logits):
    return soft(logits, axis=-2)


@weights.wrong(
    "H-SM-HEADS",
    logits=lambda scaled, mask: scaled if mask is None else np.where(mask, scaled, -1e9),
)
def softmax_over_heads_of_large_negatives(logits):
    return soft(logits, axis=-3)


@weights.wrong(
    "MASK-INVERTED",
    logits=lambda scaled, mask: scaled if mask is None else np.where(mask, -np.inf, scaled),
)
def turned_mask_with_empty_rows_of_zeros(logits):
    return np.nan_to_num(soft(logits))


@weights.wrong("H-SM-FLAT")
def softmax_over_all_of_a_query(logits):
    e = np.exp(logits - logits.max(axis=(-3, -1), keepdims=True))
    return e / e.sum(axis=(-3, -1), keepdims=True)


@weights.wrong("H-WEIGHTS-SHARED")
def mean_weights_for_all_heads(logits):
    return np.broadcast_to(soft(logits).mean(axis=-3, keepdims=True), logits.shape)


multi_head.borrow(earlier.masked, "output", only=ATTENTION)


@multi_head.stage
def joined(output):
    return cuts.glued(output)


@joined.wrong("H-MERGE-RESHAPE")
def reshape_alone_again(output):
    return cuts.reshape_alone_again(output)


@joined.wrong("H-MERGE-INTERLEAVED")
def columns_take_turns(output):
    return cuts.columns_take_turns(output)


@joined.wrong("H-MEAN")
def averaged(output):
    return output.mean(axis=-3)


@joined.wrong("H-MEAN")
def averaged_and_repeated(output):
    return np.concatenate([output.mean(axis=-3)] * output.shape[-3], axis=-1)


@joined.wrong("H-SUM")
def added(output):
    return output.sum(axis=-3)


@joined.wrong("H-SUM")
def added_and_repeated(output):
    return np.concatenate([output.sum(axis=-3)] * output.shape[-3], axis=-1)


@joined.wrong("H-MERGE-ORDER")
def last_head_first(output):
    return cuts.last_head_first_again(output)


@joined.wrong("H-MERGE-ONE")
def first_head_repeated(output):
    return np.concatenate([output[..., 0, :, :]] * output.shape[-3], axis=-1)


@joined.wrong("H-MERGE-ROWS")
def one_below_the_other(output):
    return cuts.one_below_the_other(output)


@multi_head.stage
def projected(joined, W_o):
    return joined @ W_o


@projected.wrong("H-NO-WO")
def no_w_o(joined):
    return joined


@projected.wrong("H-WO-T")
def w_o_turned(joined, W_o):
    return joined @ W_o.T


@projected.wrong("H-WO-LEFT")
def w_o_from_the_left(joined, W_o):
    return W_o @ joined


@projected.wrong("H-WO-EARLY", V=lambda X, W_v, W_o: X @ W_v @ W_o)
def w_o_on_the_values(joined):
    return joined


@projected.wrong("H-WO-TWICE")
def w_o_twice(joined, W_o):
    return joined @ W_o @ W_o


@projected.wrong("H-WO-FIRST", joined=lambda output: output.sum(axis=-3))
def first_block_for_every_head(joined, W_o):
    return joined @ W_o[: joined.shape[-1]]


@projected.wrong("H-WO-FIRST", joined=lambda output: output)
def before_concatenation(joined, W_o, n_heads):
    d_head = len(W_o) // n_heads
    heads = [joined[..., i, :, :] @ W_o[:d_head, :d_head] for i in range(n_heads)]
    return np.concatenate(heads, axis=-1)


@projected.wrong("H-WO-ELEMENT")
def cell_by_cell(joined, W_o):
    return joined * W_o


@projected.wrong("H-WO-RESIDUAL")
def sentence_added(joined, W_o, X):
    return joined @ W_o + X


@multi_head.stage
def returned(projected, weights):
    return projected, weights


@returned.wrong("H-WEIGHTS-MEAN")
def average_of_the_weights(projected, weights):
    return projected, weights.mean(axis=-3)


@returned.wrong("H-WEIGHTS-LAST")
def weights_of_the_last_head(projected, weights):
    return projected, weights[..., -1, :, :]


@returned.wrong("H-WEIGHTS-LAST")
def weights_of_the_first_head(projected, weights):
    return projected, weights[..., 0, :, :]


@returned.wrong("H-WEIGHTS-LAYOUT")
def tokens_before_heads(projected, weights):
    return projected, np.swapaxes(weights, -2, -3)


@returned.wrong("H-WEIGHTS-LAYOUT")
def heads_last(projected, weights):
    return projected, np.moveaxis(weights, -3, -1)


@returned.wrong("C-SWAP")
def weights_first(projected, weights):
    return weights, projected


@returned.wrong("C-TUPLE")
def output_alone(projected):
    return projected


@returned.wrong("C-ROUND")
def four_decimals(projected, weights):
    return np.round(projected, 4), np.round(weights, 4)


@returned.wrong("C-ROUND")
def two_decimals(projected, weights):
    return np.round(projected, 2), np.round(weights, 2)


@returned.wrong("C-NONE")
def no_return(projected):
    return None


@multi_head.replaced("C-MUTATE", state=True)
def scaled_in_place(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    given = multi_head.bind((X, W_q, W_k, W_v, W_o, n_heads, mask), {})
    answer = multi_head.public(frozenset())(**given)
    if X.dtype.kind == "f":
        X /= np.sqrt(X.shape[-1])
    return answer


multi_head.same_numbers("P-QK-SWAP", "SCORES-KQT", common="EQ-QK-SWAP")
multi_head.same_numbers("H-MEAN", "H-SUM", "H-MERGE-ROWS", common="EQ-HEADS-NARROW")
multi_head.shows("weights", 1)
multi_head.in_pairs(
    "P-SAME-W P-QK-SWAP P-V-RAW H-SPLIT-RESHAPE H-INTERLEAVED H-ONE H-SINGLE H-ACROSS SCALE-NONE"
    " SCALE-DK H-SCALE-DMODEL SCORES-KQT MASK-IGNORED MASK-INVERTED MASK-ZERO MASK-AFTER SM-AXIS0"
    " OUT-WT-V H-MERGE-RESHAPE H-MERGE-INTERLEAVED H-MEAN H-SUM H-NO-WO H-WO-T"
    " C-SWAP C-TUPLE"
)

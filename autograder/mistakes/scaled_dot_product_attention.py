"""Wrong attention: the scores' mistakes, then the softmax, the mixing of V, and what comes back."""

import numpy as np

from autograder.chain import Chain

from . import attention_scores as earlier
from .softmax import soft

attention = Chain("scaled_dot_product_attention", "Q", "K", "V")
attention.borrow(earlier.attention_scores, "scores", "scaled", without=["division_twice"])
turned = earlier.turned
scores, scaled = attention.stages["scores"], attention.stages["scaled"]


@scores.wrong("SCORES-QV")
def queries_with_values(Q, V):
    return Q @ turned(V)


@scaled.wrong("SCALE-SQRT-DV")
def by_root_d_v(scores, V):
    return scores / np.sqrt(V.shape[-1])


@scaled.wrong("SCALE-AFTER", weights=lambda logits, K: soft(logits) / np.sqrt(K.shape[-1]))
def scaled_after_softmax(scores):
    return scores


@attention.stage
def logits(scaled):
    return scaled


@attention.stages["logits"].wrong("ATT-CAUSAL")
def triangle_inside(scaled):
    return np.where(np.tri(*scaled.shape[-2:], dtype=bool), scaled, -np.inf)


@attention.stage
def weights(logits):
    return soft(logits)


@weights.wrong("SM-AXIS0")
def along_axis_0(logits):
    return soft(logits, axis=0)


@weights.wrong("SM-AXIS0")
def along_queries(logits):
    return soft(logits, axis=-2)


@weights.wrong("SM-AXIS0")
def total_of_columns(logits):
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


@weights.wrong("SM-AXIS1-HARD")
def always_axis_1(logits):
    return soft(logits, axis=1)


@weights.wrong("SM-GLOBAL")
def whole_table(logits):
    e = np.exp(logits - logits.max())
    return e / e.sum()


@weights.wrong("SM-GLOBAL")
def total_of_everything(logits):
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum()


@weights.wrong("SOFTMAX-MISSING")
def no_softmax(logits):
    return logits


@weights.wrong("SM-NO-NORM")
def exp_alone(logits):
    return np.exp(logits)


@weights.wrong("SM-NO-NORM")
def shifted_exp_alone(logits):
    return np.exp(logits - logits.max(axis=-1, keepdims=True))


@weights.wrong("SM-NOEXP")
def share_of_the_sum(logits):
    return logits / logits.sum(axis=-1, keepdims=True)


@weights.wrong("SM-DIV-MAX")
def by_the_maximum(logits):
    return np.exp(logits - logits.max(axis=-1, keepdims=True))


@weights.wrong("SM-SIGMOID")
def each_by_itself(logits):
    return 1 / (1 + np.exp(-logits))


@weights.wrong("SM-HARDMAX")
def winner_takes_all(logits):
    return (logits == logits.max(axis=-1, keepdims=True)).astype(float)


@weights.wrong("SM-LOG")
def logarithm(logits):
    return np.log(soft(logits))


@weights.wrong("SM-BASE2")
def base_two(logits):
    e = 2.0 ** (logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@weights.wrong("SM-TWICE")
def twice(logits):
    return soft(soft(logits))


@weights.wrong("SM-KEEPDIMS")
def total_lost_its_axis(logits):
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@weights.wrong("SM-UNSTABLE")
def no_shift(logits):
    e = np.exp(logits)
    return e / e.sum(axis=-1, keepdims=True)


@weights.wrong("SM-GLOBALMAX")
def one_maximum(logits):
    e = np.exp(logits - logits.max())
    return e / e.sum(axis=-1, keepdims=True)


@weights.wrong("SM-RELU")
def only_positive(logits):
    positive = np.maximum(logits, 0)
    return positive / positive.sum(axis=-1, keepdims=True)


@weights.wrong("ATT-UNIFORM")
def all_alike(logits):
    return soft(np.zeros_like(logits))


@attention.stage
def output(weights, V):
    return weights @ V


@output.wrong("OUT-WT-V")
def weights_sideways(weights, V):
    return turned(weights) @ V


@output.wrong("OUT-K")
def mixes_the_keys(weights, K):
    return weights @ K


@output.wrong("OUT-Q")
def mixes_the_queries(weights, Q):
    return weights @ Q


@output.wrong("OUT-SCORES-V")
def scaled_scores_times_v(logits, V):
    return logits @ V


@output.wrong("OUT-SCORES-V")
def raw_scores_times_v(scores, V):
    return scores @ V


@output.wrong("OUT-V")
def values_as_they_are(V):
    return V


@output.wrong("OUT-MEAN")
def divided_by_key_count(weights, V):
    return weights @ V / V.shape[-2]


@output.wrong("OUT-SCALED")
def scaled_once_more(weights, V, K):
    return weights @ V / np.sqrt(K.shape[-1])


@output.wrong("OUT-HARD")
def best_value_only(weights, V):
    best = weights == weights.max(axis=-1, keepdims=True)
    return best.astype(float) @ V


@output.wrong("OUT-ELEMENT")
def cell_by_cell(weights, V):
    return weights * V


@output.wrong("OUT-V-LEFT")
def values_from_the_left(weights, V):
    return V @ weights


@output.wrong("OUT-SOFTMAX")
def softmax_of_the_output(weights, V):
    return soft(weights @ V)


@output.wrong("OUT-RESIDUAL")
def added_to_the_queries(weights, V, Q):
    return weights @ V + Q


@attention.stage
def returned(output, weights):
    return output, weights


@returned.wrong("C-SWAP")
def weights_first(output, weights):
    return weights, output


@returned.wrong("C-TUPLE")
def output_alone(output):
    return output


@returned.wrong("C-TUPLE")
def weights_alone(weights):
    return weights


@returned.wrong("RET-SCORES")
def scores_instead_of_weights(output, logits):
    return output, logits


@returned.wrong("RET-SCORES")
def raw_scores_instead_of_weights(output, scores):
    return output, scores


@returned.wrong("RET-WEIGHTS-T")
def weights_turned(output, weights):
    return output, turned(weights)


@returned.wrong("C-ROUND")
def four_decimals(output, weights):
    return np.round(output, 4), np.round(weights, 4)


@returned.wrong("C-ROUND")
def two_decimals(output, weights):
    return np.round(output, 2), np.round(weights, 2)


@returned.wrong("C-INT")
def array_like_v(output, weights, V):
    return output.astype(V.dtype), weights


@returned.wrong("C-NONE")
def no_return(output):
    return None


attention.same_numbers("SCALE-DK", "SCALE-TWICE", common="EQ-SCALE-DK")
attention.same_numbers("SM-NO-NORM", "SM-DIV-MAX", common="EQ-SM-LARGEST-ONE")
attention.same_numbers("SCALE-NONE", "SCALE-ADD", "SCALE-SUB", common="EQ-SCALE-NONE")


@attention.replaced("C-MUTATE", state=True)
def scaled_in_place(Q, K, V):
    if Q.dtype.kind != "f":
        Q = Q.astype(float)
    Q /= np.sqrt(Q.shape[-1])
    weights = soft(Q @ turned(K))
    return weights @ V, weights


attention.shows("weights", 1)
attention.in_pairs(
    "SCORES-KQT SCORES-QQ COSINE SCALE-NONE SCALE-DK SCALE-SQRT-NK SCALE-SQRT-NQ SCALE-SQRT-DV"
    " SCALE-MULT SCALE-QUARTER SCALE-AFTER SM-AXIS0 SM-GLOBAL SOFTMAX-MISSING SM-NO-NORM SM-SIGMOID"
    " SM-HARDMAX SM-BASE2 OUT-WT-V OUT-K OUT-SCORES-V OUT-MEAN C-SWAP C-TUPLE RET-SCORES C-ROUND"
)

"""Wrong scores: which rows are dotted with which, and what they are divided by."""

import numpy as np

from autograder.chain import Chain

attention_scores = Chain("attention_scores", "Q", "K")


def turned(X):
    """Swap the last two axes, whatever stands before them."""
    return np.swapaxes(X, -1, -2)


@attention_scores.stage
def scores(Q, K):
    return Q @ turned(K)


@scores.wrong("SCORES-KQT")
def keys_look_at_queries(Q, K):
    return K @ turned(Q)


@scores.wrong("SCORES-NOT")
def not_turned(Q, K):
    return Q @ K


@scores.wrong("SCORES-QQ")
def queries_with_queries(Q):
    return Q @ turned(Q)


@scores.wrong("SCORES-KK")
def keys_with_keys(K):
    return K @ turned(K)


@scores.wrong("SCORES-COLUMNS")
def columns_with_columns(Q, K):
    return turned(Q) @ K


@scores.wrong("SCORES-ELEMENT")
def cell_by_cell(Q, K):
    return Q * K


@scores.wrong("COSINE")
def cosine(Q, K):
    Q = Q / np.linalg.norm(Q, axis=-1, keepdims=True)
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    return Q @ turned(K)


@scores.wrong("SCORES-DISTANCE")
def distances(Q, K):
    return np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


@scores.wrong("SCORES-DISTANCE")
def negative_squared_distances(Q, K):
    return -((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1)


@scores.wrong("SCORES-DISTANCE")
def negative_distances(Q, K):
    return -np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


@scores.wrong("SCORES-RESHAPE")
def reshaped_not_turned(Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])


@scores.wrong("SCORES-ABS")
def sign_lost(Q, K):
    return np.abs(Q @ turned(K))


@scores.wrong("SCORES-RELU")
def negative_scores_are_zero(Q, K):
    return np.maximum(Q @ turned(K), 0)


@scores.wrong("C-BATCH")
def all_axes_turned(Q, K):
    return Q @ K.T


@scores.wrong("C-BATCH")
def np_dot_of_stacks(Q, K):
    return np.dot(Q, turned(K))


@attention_scores.stage
def scaled(scores, K):
    return scores / np.sqrt(K.shape[-1])


@scaled.wrong("SCALE-NONE")
def not_scaled(scores):
    return scores


@scaled.wrong("SCALE-DK")
def by_d_k(scores, K):
    return scores / K.shape[-1]


@scaled.wrong("SCALE-TWICE")
def by_root_d_k_twice(scores, K):
    return scores / np.sqrt(K.shape[-1]) / np.sqrt(K.shape[-1])


@scaled.wrong("SCALE-SQRT-NK")
def by_root_of_key_count(scores, K):
    return scores / np.sqrt(K.shape[-2])


@scaled.wrong("SCALE-SQRT-NK")
def by_root_of_len_k(scores, K):
    return scores / np.sqrt(len(K))


@scaled.wrong("SCALE-SQRT-NQ")
def by_root_of_query_count(scores, Q):
    return scores / np.sqrt(Q.shape[-2])


@scaled.wrong("SCALE-SQRT-NQ")
def by_root_of_len_q(scores, Q):
    return scores / np.sqrt(len(Q))


@scaled.wrong("SCALE-MULT")
def times_root(scores, K):
    return scores * np.sqrt(K.shape[-1])


@scaled.wrong("SCALE-QUARTER")
def by_fourth_root(scores, K):
    return scores / K.shape[-1] ** 0.25


@scaled.wrong("SCALE-PRECEDENCE")
def power_before_division(scores, K):
    return scores / (K.shape[-1] ** 1 / 2)


@scaled.wrong("SCALE-HALVED")
def division_twice(scores, K):
    return scores / K.shape[-1] ** 1 / 2


@scaled.wrong("SCALE-SQUARED")
def by_square(scores, K):
    return scores / K.shape[-1] ** 2


@scaled.wrong("SCALE-INT-ROOT")
def whole_root(scores, K):
    return scores / int(np.sqrt(K.shape[-1]))


@scaled.wrong("SCALE-FLOOR")
def floor_division(scores, K):
    return scores // np.sqrt(K.shape[-1])


@scaled.wrong("SCALE-LOG")
def by_logarithm(scores, K):
    return scores / np.log(K.shape[-1])


@scaled.wrong("SCALE-ROOT-ALL")
def root_of_everything(scores, K):
    return np.sqrt(scores / K.shape[-1])


@scaled.wrong("SCALE-ADD")
def plus_root(scores, K):
    return scores + np.sqrt(K.shape[-1])


@scaled.wrong("SCALE-SUB")
def minus_root(scores, K):
    return scores - np.sqrt(K.shape[-1])


@scaled.wrong("SCALE-SIZE")
def by_root_of_all_numbers(scores, K):
    return scores / np.sqrt(K.size)


@scaled.wrong("SCALE-STD")
def standardised(scores):
    return (scores - scores.mean()) / scores.std()


@scaled.wrong("SCALE-NEGATED")
def negative(scores, K):
    return -scores / np.sqrt(K.shape[-1])


@scaled.wrong("SCALE-LENGTHS")
def by_length_of_scores(scores):
    return scores / np.linalg.norm(scores)


@scaled.wrong("SCALE-FIXED")
def by_eight_always(scores):
    return scores / 8


@scaled.wrong("C-BATCH")
def second_axis_is_d_k(scores, K):
    return scores / np.sqrt(K.shape[1])


@attention_scores.stage
def result(scaled):
    return scaled


@result.wrong("SM-EARLY")
def softmax_already(scaled):
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@result.wrong("SCORES-SHIFTED")
def row_maximum_taken_away(scaled):
    return scaled - scaled.max(axis=-1, keepdims=True)


@result.wrong("C-INT")
def array_like_q(scaled, Q):
    return scaled.astype(Q.dtype)


@result.wrong("C-ROUND")
def four_decimals(scaled):
    return np.round(scaled, 4)


@result.wrong("C-ROUND")
def three_decimals(scaled):
    return np.round(scaled, 3)


@result.wrong("C-ROUND")
def two_decimals(scaled):
    return np.round(scaled, 2)


@result.wrong("C-NONE")
def no_return(scaled):
    return None


@attention_scores.replaced("C-MUTATE", state=True)
def scaled_in_place(Q, K):
    if Q.dtype.kind != "f":
        Q = Q.astype(float)
    Q /= np.sqrt(Q.shape[-1])
    return Q @ turned(K)


attention_scores.same_numbers("SCALE-DK", "SCALE-TWICE", common="EQ-SCALE-DK")
attention_scores.in_pairs(
    "SCORES-KQT SCORES-QQ COSINE SCORES-NOT C-BATCH SCALE-NONE SCALE-DK SCALE-SQRT-NK SCALE-SQRT-NQ"
    " SCALE-MULT SCALE-QUARTER SCALE-PRECEDENCE SM-EARLY C-ROUND C-INT"
)

"""Wrong softmaxes: shift by a maximum, exponentiate, divide by a total."""

import numpy as np

from autograder.chain import Chain

softmax = Chain("softmax", "x", axis=-1)


def soft(x, axis=-1):
    """Give the right softmax, for the mistakes of later exercises."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@softmax.stage
def shifted(x, axis):
    return x - np.max(x, axis=axis, keepdims=True)


@shifted.wrong("SM-UNSTABLE")
def no_shift(x):
    return x


@shifted.wrong("SM-GLOBALMAX")
def one_maximum(x):
    return x - np.max(x)


@shifted.wrong("SM-KEEPDIMS-MAX")
def maximum_lost_its_axis(x, axis):
    return x - np.max(x, axis=axis)


@shifted.wrong("SM-COLMAX")
def maximum_of_columns(x):
    return x - np.max(x, axis=0, keepdims=True)


@shifted.wrong("SM-SUB-SUM")
def shift_by_sum(x, axis):
    return x - np.sum(x, axis=axis, keepdims=True)


@shifted.wrong("SM-SUB-MEAN")
def shift_by_mean(x, axis):
    return x - np.mean(x, axis=axis, keepdims=True)


@shifted.wrong("SM-SUB-MIN")
def shift_by_minimum(x, axis):
    return x - np.min(x, axis=axis, keepdims=True)


@shifted.wrong("SM-NEGATED")
def maximum_minus_x(x, axis):
    return np.max(x, axis=axis, keepdims=True) - x


@shifted.wrong("SM-CLIPPED")
def clipped(x):
    return np.clip(x, -700, 700)


@shifted.wrong("SM-DIV-BY-MAX-FIRST")
def divided_by_maximum(x, axis):
    return x / np.max(x, axis=axis, keepdims=True)


@shifted.wrong("SM-DIV-BY-MAX-FIRST")
def divided_by_the_largest_of_all(x):
    return x / np.max(x)


@shifted.wrong("SM-TEMPERATURE")
def scaled_by_the_root_of_the_length(x, axis):
    x = x / np.sqrt(x.shape[-1])
    return x - np.max(x, axis=axis, keepdims=True)


@shifted.wrong("C-FLOAT32")
def half_precision(x, axis):
    x = x.astype(np.float16)
    return x - np.max(x, axis=axis, keepdims=True)


@shifted.wrong("C-FLOAT32")
def half_precision_after_the_shift(x, axis):
    return (x - np.max(x, axis=axis, keepdims=True)).astype(np.float16)


@softmax.stage
def powers(shifted):
    return np.exp(shifted)


@powers.wrong("SM-NOEXP", shifted=lambda x: x)
def no_exp(shifted):
    return shifted


@powers.wrong("SM-BASE2")
def base_two(shifted):
    return 2.0**shifted


@powers.wrong("SM-EULER")
def base_2_718(shifted):
    return 2.718**shifted


@powers.wrong("SM-EULER")
def base_2_71(shifted):
    return 2.71**shifted


@powers.wrong("SM-EULER")
def base_2_7(shifted):
    return 2.7**shifted


@powers.wrong("SM-BASE10")
def base_ten(shifted):
    return 10.0**shifted


@powers.wrong("SM-SQUARES", shifted=lambda x: x)
def squares(shifted):
    return shifted**2


@powers.wrong("SM-RELU", shifted=lambda x: x)
def only_positive(shifted):
    return np.maximum(shifted, 0)


@powers.wrong("SM-ABS", shifted=lambda x: x)
def absolute_values(shifted):
    return np.abs(shifted)


@powers.wrong("SM-EXPM1")
def exp_minus_one(shifted):
    return np.exp(shifted) - 1


@softmax.stage
def divided(powers, axis):
    return powers / np.sum(powers, axis=axis, keepdims=True)


@divided.wrong("SM-AXIS0", shifted=lambda x: x - np.max(x, axis=0, keepdims=True))
def along_axis_0(powers):
    return powers / np.sum(powers, axis=0, keepdims=True)


@divided.wrong("SM-AXIS0", shifted=lambda x: x - np.max(x, axis=-1, keepdims=True))
def total_along_axis_0(powers):
    return powers / np.sum(powers, axis=0)


@divided.wrong("SM-AXIS0", shifted=lambda x: x - np.max(x, axis=-2, keepdims=True))
def along_columns(powers):
    return powers / np.sum(powers, axis=-2, keepdims=True)


@divided.wrong("SM-AXIS0")
def only_the_total_along_axis_0(powers):
    return powers / np.sum(powers, axis=0, keepdims=True)


@divided.wrong("SM-GLOBAL", shifted=lambda x: x - np.max(x))
def whole_table(powers):
    return powers / np.sum(powers)


@divided.wrong("SM-GLOBAL")
def total_of_whole_table(powers):
    return powers / np.sum(powers)


@divided.wrong("SM-KEEPDIMS")
def total_lost_its_axis(powers, axis):
    return powers / np.sum(powers, axis=axis)


@divided.wrong("SM-KEEPDIMS", shifted=lambda x: x)
def neither_shift_nor_axis(powers, axis):
    return powers / np.sum(powers, axis=axis)


@divided.wrong("SM-KEEPDIMS", shifted=lambda x, axis: x - np.max(x, axis=axis))
def both_lost_their_axis(powers, axis):
    return powers / np.sum(powers, axis=axis)


@divided.wrong("SM-EPS")
def total_and_a_thousandth(powers, axis):
    return powers / (np.sum(powers, axis=axis, keepdims=True) + 1e-3)


@divided.wrong("SM-EPS")
def total_and_a_hundredth(powers, axis):
    return powers / (np.sum(powers, axis=axis, keepdims=True) + 1e-2)


@divided.wrong("SM-EPS")
def total_and_a_ten_thousandth(powers, axis):
    return powers / (np.sum(powers, axis=axis, keepdims=True) + 1e-4)


@divided.wrong("SM-NO-NORM")
def not_divided(powers):
    return powers


@divided.wrong("SM-NO-NORM", shifted=lambda x: x)
def exp_alone(powers):
    return powers


@divided.wrong("SM-DIV-MAX")
def by_the_maximum(powers, axis):
    return powers / np.max(powers, axis=axis, keepdims=True)


@divided.wrong("SM-DIV-MEAN")
def by_the_mean(powers, axis):
    return powers / np.mean(powers, axis=axis, keepdims=True)


@divided.wrong("SM-DIV-COUNT")
def by_the_count(powers, axis):
    return powers / powers.shape[axis]


@divided.wrong("SM-DIV-SUM-X")
def by_the_sum_of_scores(powers, x, axis):
    return powers / np.sum(x, axis=axis, keepdims=True)


@divided.wrong("SM-L2")
def by_the_length(powers, axis):
    return powers / np.linalg.norm(powers, axis=axis, keepdims=True)


@divided.wrong("SM-PLUS-ONE")
def total_and_one(powers, axis):
    return powers / (1 + np.sum(powers, axis=axis, keepdims=True))


@divided.wrong("SM-SIGMOID", shifted=lambda x: x)
def each_by_itself(powers):
    return powers / (1 + powers)


@divided.wrong("SM-SIGMOID", shifted=lambda x: x)
def sigmoids_shared_out(powers, axis):
    sigmoids = powers / (1 + powers)
    return sigmoids / np.sum(sigmoids, axis=axis, keepdims=True)


@divided.wrong("SM-DIV-SUM-X", shifted=lambda x: x)
def by_the_sum_of_scores_unshifted(powers, x, axis):
    return powers / np.sum(x, axis=axis, keepdims=True)


@divided.wrong("SM-ROW-BY-ROW", shifted=lambda x: x)
def first_axis_by_first_axis(x):
    return np.array([np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in x])


@divided.wrong("SM-MINMAX", shifted=lambda x: x)
def from_smallest_to_largest(x, axis):
    low, high = x.min(axis=axis, keepdims=True), x.max(axis=axis, keepdims=True)
    return (x - low) / (high - low)


@divided.wrong("SM-AXIS1-HARD", shifted=lambda x: x - np.max(x, axis=1, keepdims=True))
def always_axis_1(powers):
    return powers / np.sum(powers, axis=1, keepdims=True)


@divided.wrong("SM-AXIS1-HARD")
def only_the_total_along_axis_1(powers):
    return powers / np.sum(powers, axis=1, keepdims=True)


def usually_1(axis):
    """Read a default of 1: the argument counts where it is given."""
    return 1 if axis == -1 else axis


@divided.wrong(
    "SM-AXIS1-HARD",
    shifted=lambda x, axis: x - np.max(x, axis=usually_1(axis), keepdims=True),
)
def axis_1_unless_told(powers, axis):
    return powers / np.sum(powers, axis=usually_1(axis), keepdims=True)


@divided.wrong("SM-AXIS-IGNORED")
def only_the_total_along_the_last_axis(powers):
    return powers / np.sum(powers, axis=-1, keepdims=True)


@divided.wrong("SM-AXIS-IGNORED", shifted=lambda x: x - np.max(x, axis=-1, keepdims=True))
def always_the_last_axis(powers):
    return powers / np.sum(powers, axis=-1, keepdims=True)


@divided.wrong("SM-ROW-BY-ROW", shifted=lambda x: x)
def only_for_tables(powers):
    shifted = [row - max(row) for row in np.log(powers)]
    return np.array([np.exp(row) / sum(np.exp(row)) for row in shifted])


@softmax.stage
def result(divided):
    return divided


@result.wrong("SM-LOG")
def logarithm(divided):
    return np.log(divided)


@result.wrong("SM-TWICE")
def once_more(divided, axis):
    return soft(divided, axis)


@result.wrong("SM-COMPLEMENT")
def one_minus(divided):
    return 1 - divided


@result.wrong("SM-HARDMAX")
def winner_takes_all(divided, axis):
    return (divided == np.max(divided, axis=axis, keepdims=True)).astype(float)


@result.wrong("SM-ARGMAX")
def place_of_the_winner(divided, axis):
    return np.argmax(divided, axis=axis)


@result.wrong("SM-FLAT")
def flattened(divided):
    return divided.ravel()


@result.wrong("C-INT")
def same_dtype_as_x(divided, x):
    return divided.astype(x.dtype)


@result.wrong("C-ROUND")
def four_decimals(divided):
    return np.round(divided, 4)


@result.wrong("C-ROUND")
def three_decimals(divided):
    return np.round(divided, 3)


@result.wrong("C-ROUND")
def two_decimals(divided):
    return np.round(divided, 2)


@result.wrong("C-NONE")
def no_return(divided):
    return None


@softmax.replaced("C-MUTATE", state=True)
def softmax_in_place(x, axis=-1):
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


softmax.same_numbers("SM-NO-NORM", "SM-DIV-MAX", common="EQ-SM-LARGEST-ONE")
softmax.in_pairs(
    "SM-NOEXP SM-BASE2 SM-COLMAX SM-SUB-SUM SM-KEEPDIMS-MAX SM-AXIS0 SM-GLOBAL SM-KEEPDIMS"
    " SM-NO-NORM SM-DIV-COUNT SM-DIV-MEAN SM-SIGMOID SM-LOG SM-TWICE SM-COMPLEMENT C-ROUND C-INT"
)

"""Wrong comparisons of two sentences: one chain a function, and the one that uses them all."""

import numpy as np

from autograder.chain import Chain


def entropy_of(A):
    """Give the right entropy of each row, in nats."""
    A = np.asarray(A, dtype=float)
    return -(A * np.log(np.where(A > 0, A, 1.0))).sum(axis=-1)


def divergence_of(A, B, entropy=entropy_of):
    """Give the divergence made of an entropy."""
    return entropy((A + B) / 2) - (entropy(A) + entropy(B)) / 2


def kl(A, B):
    """Give the one-sided divergence of each row."""
    return (A * np.log(np.where(A > 0, A, 1.0) / np.where(A > 0, B, 1.0))).sum(axis=-1)


attention_difference = Chain("attention_difference", "A", "B")


@attention_difference.stage
def difference(A, B):
    return A - B


@difference.wrong("CMP-SIGN")
def b_minus_a(A, B):
    return B - A


@difference.wrong("CMP-ABS")
def sign_lost(A, B):
    return np.abs(A - B)


@difference.wrong("CMP-DIFF-SQUARED")
def squared(A, B):
    return (A - B) ** 2


@difference.wrong("CMP-DIFF-RELATIVE")
def relative(A, B):
    return (A - B) / A


@difference.wrong("CMP-DIFF-RATIO")
def ratio(A, B):
    return A / B


@difference.wrong("CMP-DIFF-HALF")
def halved(A, B):
    return (A - B) / 2


@difference.wrong("CMP-DIFF-SUM")
def one_number(A, B):
    return np.abs(A - B).sum()


@difference.wrong("CMP-DIFF-ROWS")
def one_number_a_row(A, B):
    return np.abs(A - B).sum(axis=-1)


@difference.wrong("C-NONE")
def no_difference_returned(A, B):
    return None


@attention_difference.replaced("C-MUTATE", state=True)
def taken_away_in_place(A, B):
    A -= B
    return A


row_entropy = Chain("row_entropy", "A")


@row_entropy.stage
def entropy(A):
    return entropy_of(A)


@entropy.wrong("CMP-LOG2")
def in_bits(A):
    return entropy_of(A) / np.log(2)


@entropy.wrong("CMP-LOG10")
def common_logarithm(A):
    return entropy_of(A) / np.log(10)


@entropy.wrong("CMP-MINUS")
def minus_missing(A):
    return -entropy_of(A)


@entropy.wrong("CMP-MEAN")
def mean_instead_of_sum(A):
    return entropy_of(A) / A.shape[-1]


@entropy.wrong("CMP-LOG0")
def zero_times_minus_infinity(A):
    return -(A * np.log(A)).sum(axis=-1)


@entropy.wrong("CMP-LOG-SHIFT")
def log_of_one_and_a(A):
    return -(A * np.log(A + 1)).sum(axis=-1)


@entropy.wrong("CMP-LOG-SHIFT")
def log1p(A):
    return (A * np.log1p(A)).sum(axis=-1)


@entropy.wrong("CMP-LOG-EPS")
def too_large_an_epsilon(A):
    return -(A * np.log(A + 1e-3)).sum(axis=-1)


@entropy.wrong("CMP-LOG-EPS")
def still_too_large_an_epsilon(A):
    return -(A * np.log(A + 1e-5)).sum(axis=-1)


@entropy.wrong("CMP-ONLY-LOG")
def weights_forgotten(A):
    return -np.log(A).sum(axis=-1)


@entropy.wrong("CMP-COLUMNS")
def of_the_columns(A):
    return entropy_of(A.T)


@entropy.wrong("CMP-TOTAL")
def one_number_for_all(A):
    return entropy_of(A).sum()


@entropy.wrong("CMP-TOTAL")
def average_of_all_rows(A):
    return entropy_of(A).mean()


@entropy.wrong("CMP-NORMED")
def divided_by_ln_n(A):
    return entropy_of(A) / np.log(A.shape[-1])


@entropy.wrong("CMP-CELLS")
def not_added_up(A):
    return -A * np.log(np.where(A > 0, A, 1.0))


@entropy.wrong("CMP-PERPLEXITY")
def in_words(A):
    return np.exp(entropy_of(A))


@entropy.wrong("C-NONE")
def no_entropy_returned(A):
    return None


@row_entropy.replaced("C-MUTATE", state=True)
def epsilon_in_place(A):
    answer = entropy_of(A)
    A += 1e-12
    return answer


js_divergence = Chain("js_divergence", "A", "B")


@js_divergence.stage
def divergence(A, B):
    return divergence_of(A, B)


@divergence.wrong("CMP-SQRT")
def square_root(A, B):
    return np.sqrt(np.maximum(divergence_of(A, B), 0))


@divergence.wrong("CMP-LOG2")
def divergence_in_bits(A, B):
    return divergence_of(A, B) / np.log(2)


@divergence.wrong("CMP-LOG10")
def divergence_by_common_logarithm(A, B):
    return divergence_of(A, B) / np.log(10)


@divergence.wrong("CMP-MINUS")
def average_first(A, B):
    return -divergence_of(A, B)


@divergence.wrong("CMP-MEAN")
def divergence_by_mean(A, B):
    return divergence_of(A, B) / A.shape[-1]


@divergence.wrong("CMP-LOG0")
def divergence_of_zeros(A, B):
    return divergence_of(A, B, zero_times_minus_infinity)


@divergence.wrong("CMP-LOG-SHIFT")
def divergence_shifted(A, B):
    return divergence_of(A, B, log_of_one_and_a)


@divergence.wrong("CMP-LOG-EPS")
def divergence_with_a_large_epsilon(A, B):
    return divergence_of(A, B, too_large_an_epsilon)


@divergence.wrong("CMP-LOG-EPS")
def divergence_with_a_still_large_epsilon(A, B):
    return divergence_of(A, B, still_too_large_an_epsilon)


@divergence.wrong("CMP-ONLY-LOG")
def divergence_without_weights(A, B):
    return divergence_of(A, B, weights_forgotten)


@divergence.wrong("CMP-COLUMNS")
def divergence_of_the_columns(A, B):
    return divergence_of(A.T, B.T)


@divergence.wrong("CMP-TOTAL")
def divergence_in_one_number(A, B):
    return divergence_of(A, B).sum()


@divergence.wrong("CMP-TOTAL")
def average_divergence(A, B):
    return divergence_of(A, B).mean()


@divergence.wrong("CMP-KL")
def one_sided(A, B):
    return kl(A, B)


@divergence.wrong("CMP-KL")
def one_sided_from_b(A, B):
    return kl(B, A)


@divergence.wrong("CMP-KL")
def one_sided_with_epsilon(A, B):
    return (A * np.log((A + 1e-10) / (B + 1e-10))).sum(axis=-1)


@divergence.wrong("CMP-KL-BOTH")
def both_sides_without_the_middle(A, B):
    return (kl(A, B) + kl(B, A)) / 2


@divergence.wrong("CMP-KL-BOTH")
def both_sides_added(A, B):
    return kl(A, B) + kl(B, A)


@divergence.wrong("CMP-KL-MIDDLE")
def one_side_to_the_middle(A, B):
    return kl(A, (A + B) / 2)


@divergence.wrong("CMP-HALF")
def half_forgotten(A, B):
    return kl(A, (A + B) / 2) + kl(B, (A + B) / 2)


@divergence.wrong("CMP-MIDDLE")
def middle_not_halved(A, B):
    return entropy_of(A + B) - (entropy_of(A) + entropy_of(B)) / 2


@divergence.wrong("CMP-ENTROPY-DIFF")
def entropies_subtracted(A, B):
    return entropy_of(A) - entropy_of(B)


@divergence.wrong("CMP-ENTROPY-DIFF")
def size_of_entropy_difference(A, B):
    return np.abs(entropy_of(A) - entropy_of(B))


@divergence.wrong("CMP-ENTROPY-SUM")
def entropies_not_halved(A, B):
    return entropy_of((A + B) / 2) - (entropy_of(A) + entropy_of(B))


@divergence.wrong("CMP-CROSS")
def cross_entropy(A, B):
    return -(A * np.log(B)).sum(axis=-1)


@divergence.wrong("CMP-NORMED")
def divided_by_ln_2(A, B):
    return divergence_of(A, B) / np.log(A.shape[-1])


@divergence.wrong("C-NONE")
def no_divergence_returned(A, B):
    return None


def after_entropy(body, clipped):
    """Give the divergence that a wrong entropy makes, as it is or with nothing below 0."""

    def divergence(A, B):
        found = divergence_of(A, B, body)
        return np.maximum(found, 0) if clipped else found

    return divergence


for mistake in row_entropy.mistakes:
    if mistake.places:
        for clipped in (False, True):
            divergence.follows(mistake.code, name=mistake.name)(
                after_entropy(mistake.places["entropy"], clipped)
            )


@js_divergence.replaced("C-MUTATE", state=True)
def middle_in_place(A, B):
    answer = divergence_of(A, B)
    A += B
    A /= 2
    return answer


argmax_agreement = Chain("argmax_agreement", "A", "B")


@argmax_agreement.stage
def agreement(A, B):
    return float(np.mean(A.argmax(axis=-1) == B.argmax(axis=-1)))


@agreement.wrong("CMP-AGREE-ALL")
def all_rows_or_none(A, B):
    return bool(np.all(A.argmax(axis=-1) == B.argmax(axis=-1)))


@agreement.wrong("CMP-AGREE-ALL")
def one_or_zero(A, B):
    return float(np.all(A.argmax(axis=-1) == B.argmax(axis=-1)))


@agreement.wrong("CMP-AGREE-COUNT")
def counted_not_shared(A, B):
    return int(np.sum(A.argmax(axis=-1) == B.argmax(axis=-1)))


@agreement.wrong("CMP-AGREE-COLUMNS")
def winners_of_columns(A, B):
    return float(np.mean(A.argmax(axis=0) == B.argmax(axis=0)))


@agreement.wrong("CMP-AGREE-GLOBAL")
def one_winner_in_all(A, B):
    return float(A.argmax() == B.argmax())


@agreement.wrong("CMP-AGREE-MIN")
def smallest_weights(A, B):
    return float(np.mean(A.argmin(axis=-1) == B.argmin(axis=-1)))


@agreement.wrong("CMP-AGREE-VALUES")
def largest_values_equal(A, B):
    return float(np.mean(A.max(axis=-1) == B.max(axis=-1)))


@agreement.wrong("CMP-AGREE-VALUES")
def largest_values_close(A, B):
    return float(np.mean(np.isclose(A.max(axis=-1), B.max(axis=-1))))


@agreement.wrong("CMP-AGREE-CELLS")
def equal_cells(A, B):
    return float(np.mean(A == B))


@agreement.wrong("CMP-AGREE-CELLS")
def close_cells(A, B):
    return float(np.mean(np.isclose(A, B)))


@agreement.wrong("CMP-AGREE-NOT")
def disagreement(A, B):
    return float(np.mean(A.argmax(axis=-1) != B.argmax(axis=-1)))


@agreement.wrong("CMP-AGREE-ROWS")
def one_answer_a_row(A, B):
    return A.argmax(axis=-1) == B.argmax(axis=-1)


@agreement.wrong("CMP-AGREE-PERCENT")
def in_percent(A, B):
    return 100 * float(np.mean(A.argmax(axis=-1) == B.argmax(axis=-1)))


@agreement.wrong("CMP-AGREE-SIZE")
def shared_by_all_cells(A, B):
    return float(np.sum(A.argmax(axis=-1) == B.argmax(axis=-1)) / A.size)


@agreement.wrong("C-NONE")
def no_agreement_returned(A, B):
    return None


frobenius_distance = Chain("frobenius_distance", "A", "B")


@frobenius_distance.stage
def distance(A, B):
    return float(np.sqrt(((A - B) ** 2).sum()))


@distance.wrong("CMP-DIST-NOROOT")
def no_root(A, B):
    return float(((A - B) ** 2).sum())


@distance.wrong("CMP-DIST-NOSQUARE")
def root_without_squares(A, B):
    return float(np.sqrt(np.abs(A - B).sum()))


@distance.wrong("CMP-DIST-L1")
def absolute_differences(A, B):
    return float(np.abs(A - B).sum())


@distance.wrong("CMP-DIST-MEAN")
def mean_of_squares(A, B):
    return float(np.sqrt(((A - B) ** 2).mean()))


@distance.wrong("CMP-DIST-MSE")
def mean_square(A, B):
    return float(((A - B) ** 2).mean())


@distance.wrong("CMP-DIST-MAX")
def largest_difference(A, B):
    return float(np.abs(A - B).max())


@distance.wrong("CMP-DIST-SPECTRAL")
def norm_2(A, B):
    return float(np.linalg.norm(A - B, 2))


@distance.wrong("CMP-DIST-SPECTRAL")
def nuclear_norm(A, B):
    return float(np.linalg.norm(A - B, "nuc"))


@distance.wrong("CMP-DIST-SPECTRAL")
def norm_1(A, B):
    return float(np.linalg.norm(A - B, 1))


@distance.wrong("CMP-DIST-SPECTRAL")
def norm_infinity(A, B):
    return float(np.linalg.norm(A - B, np.inf))


@distance.wrong("CMP-DIST-NORMS")
def difference_of_norms(A, B):
    return float(abs(np.linalg.norm(A) - np.linalg.norm(B)))


@distance.wrong("CMP-DIST-ROWS")
def one_distance_a_row(A, B):
    return np.linalg.norm(A - B, axis=-1)


@distance.wrong("CMP-DIST-ROW-SUM")
def distances_of_rows_added(A, B):
    return float(np.linalg.norm(A - B, axis=-1).sum())


@distance.wrong("CMP-DIST-ROW-SUM")
def mean_distance_of_rows(A, B):
    return float(np.linalg.norm(A - B, axis=-1).mean())


@distance.wrong("C-NONE")
def no_distance_returned(A, B):
    return None


def after_difference(body):
    """Give the distance that a wrong difference makes."""
    return lambda A, B: float(np.linalg.norm(body(A, B)))


for mistake in attention_difference.mistakes:
    if mistake.places and mistake.code not in ("CMP-SIGN", "CMP-ABS"):  # the squares are the same
        distance.follows(mistake.code, name=mistake.name)(
            after_difference(mistake.places["difference"])
        )

compare_sentences = Chain("compare_sentences", "attention", "X_a", "X_b")


@compare_sentences.stage
def lengths(X_a, X_b):
    if X_a.shape != X_b.shape:
        raise ValueError("sentences of different length")
    return X_a, X_b


@lengths.wrong("CMP-LENGTHS")
def cut_to_the_shorter(X_a, X_b):
    n = min(len(X_a), len(X_b))
    return X_a[:n], X_b[:n]


@lengths.wrong("CMP-SAME-X")
def first_sentence_twice(X_a, X_b):
    return X_a, X_a


@compare_sentences.stage
def seen(attention, lengths):
    return {"A": attention.forward(lengths[0])[1], "B": attention.forward(lengths[1])[1]}


compare_sentences.gives("seen", "A", "B")


@seen.wrong("CMP-OUTPUTS")
def outputs_compared(attention, lengths):
    return {"A": attention.forward(lengths[0])[0], "B": attention.forward(lengths[1])[0]}


@seen.wrong("CMP-ORDER")
def sentences_swapped(attention, lengths):
    return {"A": attention.forward(lengths[1])[1], "B": attention.forward(lengths[0])[1]}


compare_sentences.borrow(
    attention_difference, "difference", only=attention_difference.codes - {"C-NONE"}
)


@compare_sentences.stage
def entropies(A, B):
    return {"entropy_a": entropy_of(A), "entropy_b": entropy_of(B)}


def of_both(body):
    """Use one wrong entropy for both sentences."""
    return lambda A, B: {"entropy_a": body(A), "entropy_b": body(B)}


for mistake in row_entropy.mistakes:
    if mistake.places and mistake.code not in ("C-NONE", "CMP-LOG0"):
        entropies.wrong(mistake.code, name=mistake.name)(of_both(mistake.places["entropy"]))


@entropies.wrong("CMP-SAME-ENTROPY")
def first_entropy_twice(A, B):
    return {"entropy_a": entropy_of(A), "entropy_b": entropy_of(A)}


NO_ZEROS_HERE = {"C-NONE", "CMP-LOG0", "CMP-LOG-EPS"}
compare_sentences.borrow(js_divergence, "divergence", only=js_divergence.codes - NO_ZEROS_HERE)
compare_sentences.borrow(
    argmax_agreement,
    "agreement",
    only=argmax_agreement.codes - {"C-NONE"},
    without=("close_cells", "largest_values_close"),  # nothing here is close and not equal
)
compare_sentences.borrow(frobenius_distance, "distance", only=frobenius_distance.codes - {"C-NONE"})


@compare_sentences.stage
def result(A, B, difference, entropies, divergence, agreement, distance):
    return {
        "weights_a": A,
        "weights_b": B,
        "difference": difference,
        **entropies,
        "divergence": divergence,
        "agreement": agreement,
        "distance": distance,
    }


@result.wrong("CMP-KEYS")
def other_names(A, B, difference, entropies, divergence, agreement, distance):
    return {"A": A, "B": B, "difference": difference, **entropies, "agreement": agreement}


@result.wrong("CMP-DICT")
def a_tuple(A, B, difference, entropies, divergence, agreement, distance):
    return A, B, difference, *entropies.values(), divergence, agreement, distance


@result.wrong("C-NONE")
def nothing_returned(A):
    return None


for (
    key
) in "weights_a weights_b difference entropy_a entropy_b divergence agreement distance".split():
    compare_sentences.part(key)

compare_sentences.in_pairs("CMP-SAME-X CMP-OUTPUTS CMP-ORDER CMP-LENGTHS CMP-LOG2 CMP-SQRT")


@compare_sentences.replaced("CMP-NEW-OBJ", state=True)
def a_second_object(attention, X_a, X_b):
    second = type(attention)(*attention.W_q.shape, attention.W_v.shape[1])
    A, B = attention.forward(X_a)[1], second.forward(X_b)[1]
    return {
        "weights_a": A,
        "weights_b": B,
        "difference": A - B,
        "entropy_a": entropy_of(A),
        "entropy_b": entropy_of(B),
        "divergence": divergence_of(A, B),
        "agreement": float(np.mean(A.argmax(axis=-1) == B.argmax(axis=-1))),
        "distance": float(np.linalg.norm(A - B)),
    }


compare_sentences.same_numbers(
    "CMP-AGREE-ALL",
    "CMP-AGREE-GLOBAL",
    "CMP-AGREE-CELLS",
    "CMP-AGREE-VALUES",
    common="EQ-AGREE-ONE",
)

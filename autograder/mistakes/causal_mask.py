"""Wrong triangles."""

import numpy as np

from autograder.chain import Chain

causal_mask = Chain("causal_mask", "n")


@causal_mask.stage
def mask(n):
    return np.tril(np.ones((n, n), dtype=bool))


@mask.wrong("CAUSAL-TRIU")
def upper_triangle(n):
    return np.triu(np.ones((n, n), dtype=bool))


@mask.wrong("CAUSAL-TRIU")
def all_but_the_words_before(n):
    return ~np.tril(np.ones((n, n), dtype=bool), k=-1)


@mask.wrong("CAUSAL-TRIU-STRICT")
def true_means_hidden(n):
    return np.triu(np.ones((n, n), dtype=bool), k=1)


@mask.wrong("CAUSAL-NO-SELF")
def without_the_diagonal(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


@mask.wrong("CAUSAL-PEEK")
def one_too_far(n):
    return np.tril(np.ones((n, n), dtype=bool), k=1)


@mask.wrong("CAUSAL-ALL")
def everything_open(n):
    return np.ones((n, n), dtype=bool)


@mask.wrong("CAUSAL-SELF-ONLY")
def only_oneself(n):
    return np.eye(n, dtype=bool)


@mask.wrong("CAUSAL-MIRRORED")
def from_the_other_corner(n):
    return np.fliplr(np.tril(np.ones((n, n), dtype=bool)))


@mask.wrong("CAUSAL-ROW")
def one_row(n):
    return np.arange(n) <= n - 1


@mask.wrong("CAUSAL-SIZE")
def one_row_more(n):
    return np.tril(np.ones((n + 1, n + 1), dtype=bool))


@mask.wrong("CAUSAL-WINDOW")
def self_and_the_word_before(n):
    return np.tril(np.ones((n, n), dtype=bool)) & np.triu(np.ones((n, n), dtype=bool), k=-1)


@mask.wrong("CAUSAL-LAST-ROW")
def loop_ends_too_early(n):
    return np.tril(np.ones((n, n), dtype=bool)) & (np.arange(n) < n - 1)[:, None]


@mask.wrong("CAUSAL-FIRST-ROW")
def loop_starts_too_late(n):
    return np.tril(np.ones((n, n), dtype=bool)) & (np.arange(n) > 0)[:, None]


@causal_mask.stage
def returned(mask):
    return mask


@returned.wrong("CAUSAL-DTYPE")
def ones_and_zeros(mask):
    return mask.astype(float)


@returned.wrong("CAUSAL-DTYPE")
def whole_numbers(mask):
    return mask.astype(int)


@returned.wrong("CAUSAL-ADDITIVE")
def minus_infinity_already(mask):
    return np.where(mask, 0.0, -np.inf)


@returned.wrong("CAUSAL-ADDITIVE")
def large_negative_already(mask):
    return np.where(mask, 0.0, -1e9)


@returned.wrong("CAUSAL-TILDE")
def tilde_of_the_hidden_as_numbers(mask):
    return ~(~mask).astype(int)


@returned.wrong("CAUSAL-TILDE")
def tilde_of_numbers(mask):
    return ~mask.astype(int)


@returned.wrong("C-NONE")
def no_return(mask):
    return None

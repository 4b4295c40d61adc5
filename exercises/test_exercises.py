"""The visible self-checks: run `attn check`, or `pytest`, in this folder.

Read them as examples: each says in code what one exercise promises. `student` asks your
functions, `rng` and `reference` play back numbers from checks.json. Made by `attn build`.
"""

import numpy as np

from autograder import expect
from autograder.check import points, robustness, visible
from autograder.desk import visible_test
from autograder.student import Remote


# softmax


@visible
@points(1)
def softmax__rows_sum_to_one(student, reference, rng):
    """Each row sums to 1"""
    x = rng.normal(size=(3, 5))
    expect.rows_sum_to_one(student.softmax(x), (3, 5))


@visible
@points(2)
def softmax__values(student, reference, rng):
    """Each weight is right, in a square table and in a wide one"""
    for shape in ((4, 4), (3, 5)):
        x = rng.normal(size=shape)
        got = student.softmax(x)
        expect.close(got, reference.softmax(x), "weights")


test_softmax = visible_test(
    "softmax",
    [
        softmax__rows_sum_to_one,
        softmax__values,
    ],
)


# attention_scores


@visible
@points(1)
def attention_scores__shape(student, reference, rng):
    """Four queries and four keys give a table of 4 by 4"""
    Q, K = rng.normal(size=(4, 7)), rng.normal(size=(4, 7))
    expect.numbers(student.attention_scores(Q, K), (4, 4), "scores")


@visible
@points(1)
def attention_scores__small_case(student, reference, rng):
    """The scores of three tokens with four numbers each are right"""
    Q = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 3.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    K = np.array([[2.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 5.0], [4.0, 0.0, 0.0, 1.0]])
    got = student.attention_scores(Q, K)
    expect.close(got, reference.attention_scores(Q, K), "scores")


@visible
@points(2)
def attention_scores__values(student, reference, rng):
    """Each score is right, for random vectors and for a single token"""
    for n, d_k in ((4, 4), (4, 7), (1, 7)):
        Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
        got = student.attention_scores(Q, K)
        expect.close(got, reference.attention_scores(Q, K), "scores")


@visible
@robustness("C-SQUARE")
@points(1)
def attention_scores__more_keys_than_queries(student, reference, rng):
    """Three queries may look at five keys, and five at three"""
    for n_q, n_k in ((3, 5), (5, 3)):
        Q, K = rng.normal(size=(n_q, 7)), rng.normal(size=(n_k, 7))
        got = student.attention_scores(Q, K)
        expect.close(got, reference.attention_scores(Q, K), "scores")


test_attention_scores = visible_test(
    "attention_scores",
    [
        attention_scores__shape,
        attention_scores__small_case,
        attention_scores__values,
        attention_scores__more_keys_than_queries,
    ],
)


# scaled_dot_product_attention


def scaled_dot_product_attention_vectors(rng, n_q=4, n_k=4, d_k=7, d_v=2, lead=()):
    """Draw queries, keys and values with entries of order 1."""
    return (
        rng.normal(size=(*lead, n_q, d_k)),
        rng.normal(size=(*lead, n_k, d_k)),
        rng.normal(size=(*lead, n_k, d_v)),
    )


@visible
@points(1)
def scaled_dot_product_attention__two_results(student, reference, rng):
    """The result is the output, then the weights"""
    Q, K, V = scaled_dot_product_attention_vectors(rng)
    got = student.scaled_dot_product_attention(Q, K, V)
    expect.attention(got, output=(4, 2), weights=(4, 4))


@visible
@points(2)
def scaled_dot_product_attention__weights(student, reference, rng):
    """The weights are right, and each row of them sums to 1"""
    for d_k, d_v in ((4, 4), (7, 2)):
        Q, K, V = scaled_dot_product_attention_vectors(rng, d_k=d_k, d_v=d_v)
        got = student.scaled_dot_product_attention(Q, K, V)
        _, weights = expect.attention(got, output=(4, d_v), weights=(4, 4))
        expect.rows_sum_to_one(weights, (4, 4))
        _, want = reference.scaled_dot_product_attention(Q, K, V)
        expect.close(weights, want, "weights")


@visible
@points(2)
def scaled_dot_product_attention__output(student, reference, rng):
    """The output is right, for random vectors and for a single token"""
    for n, d_v in ((4, 4), (4, 2), (1, 2)):
        Q, K, V = scaled_dot_product_attention_vectors(rng, n_q=n, n_k=n, d_v=d_v)
        got = student.scaled_dot_product_attention(Q, K, V)
        output, _ = expect.attention(got, output=(n, d_v), weights=(n, n))
        want, _ = reference.scaled_dot_product_attention(Q, K, V)
        expect.close(output, want, "output")


@visible
@robustness("C-SQUARE")
@points(1)
def scaled_dot_product_attention__more_keys_than_queries(student, reference, rng):
    """Three queries may look at five keys, and five at three"""
    for n_q, n_k in ((3, 5), (5, 3)):
        Q, K, V = scaled_dot_product_attention_vectors(rng, n_q=n_q, n_k=n_k)
        got = student.scaled_dot_product_attention(Q, K, V)
        output, weights = expect.attention(got, output=(n_q, 2), weights=(n_q, n_k))
        want = reference.scaled_dot_product_attention(Q, K, V)
        expect.close(weights, want[1], "weights")
        expect.close(output, want[0], "output")


test_scaled_dot_product_attention = visible_test(
    "scaled_dot_product_attention",
    [
        scaled_dot_product_attention__two_results,
        scaled_dot_product_attention__weights,
        scaled_dot_product_attention__output,
        scaled_dot_product_attention__more_keys_than_queries,
    ],
)


# project_qkv


project_qkv_NAMES = ("Q", "K", "V")


def project_qkv_token_vectors(rng, n=5, d_model=6, d_k=3, d_v=2, lead=()):
    """Draw X, W_q, W_k and W_v with entries of order 1."""
    return (
        rng.normal(size=(*lead, n, d_model)),
        rng.normal(size=(d_model, d_k)),
        rng.normal(size=(d_model, d_k)),
        rng.normal(size=(d_model, d_v)),
    )


@visible
@points(1)
def project_qkv__three_results(student, reference, rng):
    """The result is Q, K and V, each with one row a token"""
    got = expect.items(student.project_qkv(*project_qkv_token_vectors(rng)), 3)
    for name, each, width in zip(project_qkv_NAMES, got, (3, 3, 2), strict=True):
        expect.numbers(each, (5, width), name)


@visible
@points(1)
def project_qkv__small_case(student, reference, rng):
    """Q, K and V are right when every matrix is 3 by 3"""
    given = project_qkv_token_vectors(rng, n=3, d_model=3, d_k=3, d_v=3)
    got = expect.items(student.project_qkv(*given), 3)
    for name, each, want in zip(project_qkv_NAMES, got, reference.project_qkv(*given), strict=True):
        expect.close(each, want, name)


test_project_qkv = visible_test(
    "project_qkv",
    [
        project_qkv__three_results,
        project_qkv__small_case,
    ],
)


# self_attention


def self_attention_made(student, *given):
    """Make a SelfAttention; expect that it is an object."""
    found = student.SelfAttention(*given)
    expect.that(isinstance(found, Remote), "C-NOT-OBJECT", name="SelfAttention")
    return found


def self_attention_matrices(rng, d_model=6, d_k=4, d_v=3):
    """Draw W_q, W_k and W_v so that scores are of order 1."""
    return tuple(rng.normal(size=(d_model, d)) / np.sqrt(d_model) for d in (d_k, d_k, d_v))


def self_attention_equipped(student, weights):
    """Make a SelfAttention and give it these weights."""
    W_q, W_k, W_v = weights
    attention = self_attention_made(student, *W_q.shape, W_v.shape[1])
    attention.W_q, attention.W_k, attention.W_v = W_q, W_k, W_v
    return attention


def self_attention_check_forward(student, reference, weights, sentences, tol=expect.ATOL, code="C-VALUES"):
    """Expect output and weights of each sentence, from one object."""
    one, other = self_attention_equipped(student, weights), None
    for X in sentences:
        *lead, n, _ = X.shape
        d_v = weights[2].shape[1]
        output, found = expect.attention(one.forward(X), (*lead, n, d_v), (*lead, n, n))
        other = other or self_attention_equipped(reference, weights)
        want = other.forward(X)
        expect.close(found, want[1], "weights", tol=tol, code=code)
        expect.close(output, want[0], "output", tol=tol, code=code)


@visible
@points(1)
def self_attention__has_weights(student, reference, rng):
    """A new object has W_q, W_k and W_v of the right shapes"""
    attention = self_attention_made(student, 6, 4, 3)
    expect.numbers(attention.W_q, (6, 4), "W_q")
    expect.numbers(attention.W_k, (6, 4), "W_k")
    expect.numbers(attention.W_v, (6, 3), "W_v")


@visible
@points(2)
def self_attention__forward(student, reference, rng):
    """forward uses the object's weights as they are now"""
    square = self_attention_matrices(rng, 3, 3, 3)
    self_attention_check_forward(student, reference, square, [rng.normal(size=(3, 3))])
    sentences = [rng.normal(size=(5, 6)), rng.normal(size=(1, 6))]
    self_attention_check_forward(student, reference, self_attention_matrices(rng), sentences)


@visible
@points(1)
def self_attention__same_sentence_twice(student, reference, rng):
    """The same sentence gives the same numbers again, whatever came between"""
    attention = self_attention_made(student, 6, 4, 3)
    X, other = rng.normal(size=(5, 6)), rng.normal(size=(4, 6))
    output, weights = expect.attention(attention.forward(X), (5, 3), (5, 5))
    attention.forward(other)
    again = expect.attention(attention.forward(X), (5, 3), (5, 5))
    expect.close(again[1], expect.numbers(weights, (5, 5), "weights"), "weights", code="SA-REINIT")
    expect.close(again[0], expect.numbers(output, (5, 3), "output"), "output", code="SA-REINIT")
    attention.W_q, attention.W_k, attention.W_v = self_attention_matrices(rng)
    moved = expect.attention(attention.forward(X), (5, 3), (5, 5))
    moved = expect.numbers(moved[0], (5, 3), "output")
    expect.that(not np.allclose(moved, np.asarray(again[0])), "SA-OWN-WEIGHTS")


test_self_attention = visible_test(
    "self_attention",
    [
        self_attention__has_weights,
        self_attention__forward,
        self_attention__same_sentence_twice,
    ],
)


# ascii_heatmap


ascii_heatmap_SIGNS = "~^*&@"  # from weight 0 to weight 1; none of them stands in a token


def ascii_heatmap_shades(rng, n_q, n_k, chars=ascii_heatmap_SIGNS):
    """Draw weights away from the borders between two signs, and say which signs they are."""
    cell = rng.permutation(n_q * n_k).reshape(n_q, n_k)
    level = cell % len(chars)
    inside = np.where(cell // len(chars) % 2 == 0, 0.2, 0.8)
    return (level + inside) / len(chars), ["".join(chars[each] for each in row) for row in level]


def ascii_heatmap_lines_of(picture, n_q, printed=""):
    """Expect a text with a header and one line a query, ended as on any system; give the lines."""
    if picture is None and printed.strip():
        raise expect.Unmet("HM-PRINTS")
    lines = expect.text(picture, "picture").replace("\r\n", "\n").strip("\n").split("\n")
    expect.that(len(lines) == n_q + 1, "HM-LINES", got=len(lines), want=n_q + 1)
    return lines


def ascii_heatmap_signs_of(line, n_k, chars=ascii_heatmap_SIGNS):
    """Read the signs of one line, whether a cell shows its sign once or several times."""
    found = "".join(sign for sign in line if sign in chars)
    wide = max(1, len(found) // n_k)
    once = found[::wide]
    return once if found == "".join(sign * wide for sign in once) else found


def ascii_heatmap_check_signs(picture, rows, chars=ascii_heatmap_SIGNS):
    """Expect these signs, row by row."""
    lines = ascii_heatmap_lines_of(picture, len(rows))
    for number, (line, row) in enumerate(zip(lines[1:], rows, strict=True)):
        expect.that(ascii_heatmap_signs_of(line, len(row), chars) == row, "HM-SIGNS", row=number)


@visible
@points(1)
def ascii_heatmap__lines(student, reference, rng):
    """The picture is a text: a header and one line a query, all equally long"""
    weights, _ = ascii_heatmap_shades(rng, 4, 4)
    picture = student.ascii_heatmap(weights, ["The", "cat", "sat", "on"], ascii_heatmap_SIGNS)
    lines = ascii_heatmap_lines_of(picture, 4, student.last.printed)
    expect.that(len({len(line) for line in lines}) == 1, "HM-UNPADDED")
    row = lines[1].strip()
    expect.that(not row or row not in student.last.printed, "HM-PRINTS")


@visible
@points(1)
def ascii_heatmap__tokens(student, reference, rng):
    """The header names the keys in order, and each line names its query"""
    tokens = ["The", "cat", "sat", "on"]
    weights, _ = ascii_heatmap_shades(rng, 4, 4)
    lines = ascii_heatmap_lines_of(student.ascii_heatmap(weights, tokens, ascii_heatmap_SIGNS), 4)
    start = 0
    for token, line in zip(tokens, lines[1:], strict=True):
        place = lines[0].find(token, start)
        expect.that(place >= 0, "HM-TOKENS")
        expect.that(token in line, "HM-TOKENS")
        start = place + len(token)


@visible
@points(2)
def ascii_heatmap__shades(student, reference, rng):
    """Each cell shows the sign of its weight"""
    weights, rows = ascii_heatmap_shades(rng, 4, 4)
    ascii_heatmap_check_signs(student.ascii_heatmap(weights, ["The", "cat", "sat", "on"], ascii_heatmap_SIGNS), rows)


test_ascii_heatmap = visible_test(
    "ascii_heatmap",
    [
        ascii_heatmap__lines,
        ascii_heatmap__tokens,
        ascii_heatmap__shades,
    ],
)


# causal_mask


@visible
@points(1)
def causal_mask__shape(student, reference, rng):
    """Five tokens give a table of 5 by 5"""
    expect.array(student.causal_mask(5), (5, 5), "mask")


@visible
@points(3)
def causal_mask__past_and_present(student, reference, rng):
    """Each token may look at itself and at earlier ones, and at no later one"""
    got = student.causal_mask(5)
    expect.close(got, reference.causal_mask(5), "mask")


test_causal_mask = visible_test(
    "causal_mask",
    [
        causal_mask__shape,
        causal_mask__past_and_present,
    ],
)


# masked_attention


def masked_attention_vectors(rng, n_q=4, n_k=4, d_k=7, d_v=2, lead=()):
    """Draw queries, keys and values with entries of order 1."""
    return (
        rng.normal(size=(*lead, n_q, d_k)),
        rng.normal(size=(*lead, n_k, d_k)),
        rng.normal(size=(*lead, n_k, d_v)),
    )


def masked_attention_some_open(rng, *shape):
    """Draw a mask in which each row has an open place and a closed one."""
    n_k = shape[-1]
    mask = rng.random(size=shape) < 0.5
    first = rng.integers(0, n_k, size=shape[:-1])
    places = np.arange(n_k)
    mask = mask | (places == first[..., None])
    return mask & (places != (first[..., None] + 1) % n_k)


def masked_attention_check_both(student, reference, given, shapes, tol=expect.ATOL, code="C-VALUES"):
    """Expect output and weights."""
    output, weights = expect.attention(student.masked_attention(*given), *shapes)
    want = reference.masked_attention(*given)
    expect.close(weights, want[1], "weights", tol=tol, code=code)
    expect.close(output, want[0], "output", tol=tol, code=code)


@visible
@points(1)
def masked_attention__without_a_mask(student, reference, rng):
    """Without a mask every token looks at every token"""
    given = masked_attention_vectors(rng)
    masked_attention_check_both(student, reference, given, ((4, 2), (4, 4)))


@visible
@points(1)
def masked_attention__rows_sum_to_one(student, reference, rng):
    """With a mask each row of weights still sums to 1"""
    for d_k, d_v in ((4, 4), (7, 2)):
        given = (*masked_attention_vectors(rng, d_k=d_k, d_v=d_v), masked_attention_some_open(rng, 4, 4))
        got = student.masked_attention(*given)
        _, weights = expect.attention(got, (4, d_v), (4, 4))
        expect.rows_sum_to_one(weights, (4, 4))


@visible
@points(1)
def masked_attention__closed_places(student, reference, rng):
    """A closed place gets no weight"""
    Q, K, V = masked_attention_vectors(rng)
    mask = np.hstack([masked_attention_some_open(rng, 4, 3), np.zeros((4, 1), bool)])  # nobody sees the last key
    got = student.masked_attention(Q, K, V, mask)
    _, weights = expect.attention(got, (4, 2), (4, 4))
    leaked = np.abs(expect.numbers(weights, (4, 4), "weights")[~mask]).max()
    expect.that(leaked < expect.CLOSED, "C-CLOSED", w=float(leaked))


@visible
@robustness("C-SQUARE")
@points(1)
def masked_attention__more_keys_than_queries(student, reference, rng):
    """Three queries may look at five keys, and five at three"""
    for n_q, n_k in ((3, 5), (5, 3)):
        given = (*masked_attention_vectors(rng, n_q=n_q, n_k=n_k), masked_attention_some_open(rng, n_q, n_k))
        masked_attention_check_both(student, reference, given, ((n_q, 2), (n_q, n_k)))


test_masked_attention = visible_test(
    "masked_attention",
    [
        masked_attention__without_a_mask,
        masked_attention__rows_sum_to_one,
        masked_attention__closed_places,
        masked_attention__more_keys_than_queries,
    ],
)


# heads


@visible
@points(1)
def heads__split_shape(student, reference, rng):
    """Twelve columns and three heads give three tables with four columns"""
    got = student.split_heads(rng.normal(size=(5, 12)), 3)
    expect.numbers(got, (3, 5, 4), "heads")


@visible
@points(2)
def heads__split_columns(student, reference, rng):
    """Each head gets neighbouring columns, of every token"""
    for n, d_model in ((3, 9), (5, 12)):
        X = rng.normal(size=(n, d_model))
        got = student.split_heads(X, 3)
        expect.close(got, reference.split_heads(X, 3), "heads")


@visible
@points(1)
def heads__round_trip(student, reference, rng):
    """Splitting and putting together again changes nothing"""
    X = rng.normal(size=(5, 12))
    H = expect.numbers(student.split_heads(X, 3), (3, 5, 4), "heads")
    expect.close(student.concat_heads(H), X, "result")


test_heads = visible_test(
    "heads",
    [
        heads__split_shape,
        heads__split_columns,
        heads__round_trip,
    ],
)


# multi_head_attention


def multi_head_attention_token_vectors(rng, n=5, d_model=12, lead=()):
    """Draw X and four dense square matrices so that scores are of order 1."""
    X = rng.normal(size=(*lead, n, d_model))
    return X, *(rng.normal(size=(d_model, d_model)) / np.sqrt(d_model) for _ in range(4))


def multi_head_attention_causal():
    """Give the mask of five tokens that look at themselves and back."""
    return np.array([[sign == "1" for sign in f"{row:05b}"] for row in (16, 24, 28, 30, 31)])


@visible
@points(1)
def multi_head_attention__two_results(student, reference, rng):
    """The result is one output, and a table of weights for each head"""
    for n, d_model, n_heads in ((4, 4, 1), (5, 12, 3)):
        got = student.multi_head_attention(*multi_head_attention_token_vectors(rng, n, d_model), n_heads)
        expect.attention(got, output=(n, d_model), weights=(n_heads, n, n))


@visible
@points(1)
def multi_head_attention__rows_sum_to_one(student, reference, rng):
    """In every head each row of weights sums to 1"""
    got = student.multi_head_attention(*multi_head_attention_token_vectors(rng), 3)
    _, weights = expect.attention(got, output=(5, 12), weights=(3, 5, 5))
    expect.rows_sum_to_one(weights, (3, 5, 5))


@visible
@points(2)
def multi_head_attention__mask(student, reference, rng):
    """With a causal mask no head looks ahead, with its mirror image none looks back"""
    for mask in (multi_head_attention_causal(), multi_head_attention_causal().T):
        given = (*multi_head_attention_token_vectors(rng), 3, mask)
        output, weights = expect.attention(student.multi_head_attention(*given), (5, 12), (3, 5, 5))
        leaked = np.abs(expect.numbers(weights, (3, 5, 5), "weights")[:, ~mask]).max()
        expect.that(leaked < expect.CLOSED, "C-CLOSED", w=float(leaked))
        want = reference.multi_head_attention(*given)
        expect.close(weights, want[1], "weights")
        expect.close(output, want[0], "output")


test_multi_head_attention = visible_test(
    "multi_head_attention",
    [
        multi_head_attention__two_results,
        multi_head_attention__rows_sum_to_one,
        multi_head_attention__mask,
    ],
)


# compare_sentences


def compare_sentences_two_tables(rng, n=5):
    """Draw two tables of weights; each row sums to 1, none of them is 0."""
    return rng.dirichlet([2.0] * n, size=n), rng.dirichlet([2.0] * n, size=n)


@visible
@points(1)
def compare_sentences__difference(student, reference, rng):
    """attention_difference is A minus B, cell by cell"""
    A, B = compare_sentences_two_tables(rng)
    got = student.attention_difference(A, B)
    expect.close(got, reference.attention_difference(A, B), "difference", tol=expect.COMPARE_TOL)


@visible
@points(1)
def compare_sentences__entropy(student, reference, rng):
    """row_entropy gives one number a row, in nats"""
    A, _ = compare_sentences_two_tables(rng)
    got = student.row_entropy(A)
    expect.close(got, reference.row_entropy(A), "entropy", tol=expect.COMPARE_TOL)


@visible
@points(1)
def compare_sentences__divergence(student, reference, rng):
    """js_divergence gives one number a row, in nats"""
    A, B = compare_sentences_two_tables(rng)
    got = student.js_divergence(A, B)
    expect.close(got, reference.js_divergence(A, B), "divergence", tol=expect.COMPARE_TOL)


def compare_sentences_made(student, *given):
    """Make a SelfAttention; expect that it is an object."""
    found = student.SelfAttention(*given)
    expect.that(isinstance(found, Remote), "C-NOT-OBJECT", name="SelfAttention")
    return found


def compare_sentences_equipped(student, weights):
    """Make a SelfAttention and give it these W_q, W_k and W_v."""
    W_q, W_k, W_v = weights
    attention = compare_sentences_made(student, *W_q.shape, W_v.shape[1])
    attention.W_q, attention.W_k, attention.W_v = W_q, W_k, W_v
    return attention


def compare_sentences_two_sentences(rng, n=5, d_model=6, d_k=4, d_v=3):
    """Draw the weights of an object, and two sentences of n tokens with clear favourites."""
    X_a, X_b = rng.normal(size=(n, d_model)), rng.normal(size=(n, d_model))
    weights = tuple(rng.normal(size=(d_model, d)) / np.sqrt(d_model) for d in (d_k, d_k, d_v))
    return weights, X_a, X_b


@visible
@points(1)
def compare_sentences__both_weights(student, reference, rng):
    """compare_sentences gives the weights of both sentences, from the object it was given"""
    weights, X_a, X_b = compare_sentences_two_sentences(rng)
    got = student.compare_sentences(compare_sentences_equipped(student, weights), X_a, X_b)
    found = expect.mapping(got, ("weights_a", "weights_b"))
    want = reference.compare_sentences(compare_sentences_equipped(reference, weights), X_a, X_b)
    expect.close(found["weights_a"], want["weights_a"], "weights_a")
    second = expect.numbers(found["weights_b"], (5, 5), "weights_b")
    others, _, _ = compare_sentences_two_sentences(rng)
    got = student.compare_sentences(compare_sentences_equipped(student, others), X_a, X_b)
    moved = expect.numbers(expect.mapping(got, ("weights_b",))["weights_b"], (5, 5), "weights_b")
    expect.that(not np.allclose(moved, second), "CMP-NEW-OBJ")
    expect.close(second, want["weights_b"], "weights_b")


test_compare_sentences = visible_test(
    "compare_sentences",
    [
        compare_sentences__difference,
        compare_sentences__entropy,
        compare_sentences__divergence,
        compare_sentences__both_weights,
    ],
)

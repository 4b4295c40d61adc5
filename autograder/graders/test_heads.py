"""Judges `split_heads` and `concat_heads`: neighbouring columns out, and side by side again."""

from autograder import expect
from autograder.check import needs, points, robustness, visible
from autograder.student import Trouble


@visible
@points(1)
def test_split_shape(student, reference, rng):
    """Twelve columns and three heads give three tables with four columns"""
    got = student.split_heads(rng.normal(size=(5, 12)), 3)
    expect.numbers(got, (3, 5, 4), "heads")


@visible
@points(2)
def test_split_columns(student, reference, rng):
    """Each head gets neighbouring columns, of every token"""
    for n, d_model in ((3, 9), (5, 12)):
        X = rng.normal(size=(n, d_model))
        got = student.split_heads(X, 3)
        expect.close(got, reference.split_heads(X, 3), "heads")


@points(2)
def test_concat(student, reference, rng):
    """The heads of a token stand side by side again, in order"""
    for shape in ((3, 3, 3), (3, 5, 4)):
        H = rng.normal(size=shape)
        got = student.concat_heads(H)
        expect.close(got, reference.concat_heads(H), "result")


@visible
@points(1)
def test_round_trip(student, reference, rng):
    """Splitting and putting together again changes nothing"""
    X = rng.normal(size=(5, 12))
    H = expect.numbers(student.split_heads(X, 3), (3, 5, 4), "heads")
    expect.close(student.concat_heads(H), X, "result")


@points(1)
def test_edges(student, reference, rng):
    """One head, one token, and one column a head work too"""
    for n, d_model, n_heads in ((5, 6, 1), (1, 6, 3), (4, 3, 3)):
        X = rng.normal(size=(n, d_model))
        got = student.split_heads(X, n_heads)
        expect.close(got, reference.split_heads(X, n_heads), "heads")
        H = rng.normal(size=(n_heads, n, d_model // n_heads))
        got = student.concat_heads(H)
        expect.close(got, reference.concat_heads(H), "result")


@robustness("H-DIV")
@needs("split_columns")
@points(1)
def test_uneven_heads(student, reference, rng):
    """Twelve columns for five heads raise a ValueError"""
    try:
        student.split_heads(rng.normal(size=(5, 12)), 5)
    except Trouble as trouble:
        if trouble.kind != "raised":
            raise
        expect.that(trouble.detail == "ValueError", "H-DIV", d=12, h=5)
    else:
        raise expect.Unmet("H-DIV", d=12, h=5)


@robustness("C-BATCH")
@needs("split_columns", "concat")
@points(1)
def test_leading_axes(student, reference, rng):
    """Several sentences at once are split and put together each by itself"""
    X = rng.normal(size=(2, 4, 5, 12))
    got = student.split_heads(X, 3)
    expect.close(got, reference.split_heads(X, 3), "heads")
    H = rng.normal(size=(2, 4, 3, 5, 2))
    got = student.concat_heads(H)
    expect.close(got, reference.concat_heads(H), "result")


@robustness("C-MUTATE")
@needs("split_columns", "concat")
@points(1)
def test_leaves_the_input_alone(student, reference, rng):
    """The caller's array is unchanged afterwards"""
    student.split_heads(rng.normal(size=(5, 12)), 3)
    expect.unchanged(student.last.changed, ("X", "n_heads"))
    student.concat_heads(rng.normal(size=(3, 5, 4)))
    expect.unchanged(student.last.changed, ("H",))

"""Wrong cuts: which columns a head gets, and how the heads are put together again."""

import numpy as np

from autograder.chain import Chain

split_heads = Chain("split_heads", "X", "n_heads")


def cut(X, n_heads):
    """Give neighbouring column blocks."""
    *lead, n, d_model = X.shape
    return np.swapaxes(X.reshape(*lead, n, n_heads, d_model // n_heads), -2, -3)


def glued(H):
    """Give the heads side by side."""
    *lead, h, n, d_head = H.shape
    return np.swapaxes(H, -2, -3).reshape(*lead, n, h * d_head)


@split_heads.stage
def columns(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d_model")
    return X


@columns.wrong("H-DIV")
def left_over_columns_dropped(X, n_heads):
    return X[..., : X.shape[-1] // n_heads * n_heads]


@columns.wrong("H-DIV")
def another_exception(X, n_heads):
    assert X.shape[-1] % n_heads == 0
    return X


@split_heads.stage
def blocks(columns, n_heads):
    return cut(columns, n_heads)


@blocks.wrong("H-SPLIT-RESHAPE")
def reshape_alone(columns, n_heads):
    *lead, n, d_model = columns.shape
    return columns.reshape(*lead, n_heads, n, d_model // n_heads)


@blocks.wrong("H-INTERLEAVED")
def every_h_th_column(columns, n_heads):
    return np.stack([columns[..., i::n_heads] for i in range(n_heads)], axis=-3)


@blocks.wrong("H-INTERLEAVED")
def reshape_in_the_other_order(columns, n_heads):
    *lead, n, d_model = columns.shape
    return np.moveaxis(columns.reshape(*lead, n, d_model // n_heads, n_heads), -1, -3)


@blocks.wrong("H-NO-SWAP")
def axes_not_swapped(columns, n_heads):
    *lead, n, d_model = columns.shape
    return columns.reshape(*lead, n, n_heads, d_model // n_heads)


@blocks.wrong("H-SPLIT-ROWS")
def tokens_shared_out(columns, n_heads):
    return np.stack(np.split(columns, n_heads, axis=-2))


@blocks.wrong("H-COUNT-WIDTH")
def n_heads_taken_for_the_width(columns, n_heads):
    return cut(columns, columns.shape[-1] // n_heads)


@blocks.wrong("H-ORDER")
def last_head_first(columns, n_heads):
    return cut(columns, n_heads)[..., ::-1, :, :]


@blocks.wrong("H-ONE")
def first_head_everywhere(columns, n_heads):
    H = cut(columns, n_heads)
    return np.repeat(H[..., :1, :, :], n_heads, axis=-3)


@blocks.wrong("H-SPLIT-TURNED")
def each_head_turned(columns, n_heads):
    return np.swapaxes(cut(columns, n_heads), -1, -2)


@blocks.wrong("H-ALL-AXES")
def all_axes_turned(columns, n_heads):
    *lead, n, d_model = columns.shape
    return columns.reshape(*lead, n, n_heads, d_model // n_heads).T


@blocks.wrong("H-COPIES")
def whole_sentence_for_each(columns, n_heads):
    return np.stack([columns] * n_heads, axis=-3)


@blocks.wrong("C-BATCH")
def for_one_sentence(columns, n_heads):
    n, d_model = columns.shape
    return columns.reshape(n, n_heads, d_model // n_heads).transpose(1, 0, 2)


@blocks.wrong("C-BATCH")
def columns_of_axis_1(columns, n_heads):
    return np.array(np.split(columns, n_heads, axis=1))


@split_heads.stage
def returned(blocks):
    return blocks


@returned.wrong("C-ROUND")
def two_decimals(blocks):
    return np.round(blocks, 2)


@returned.wrong("C-NONE")
def no_return(blocks):
    return None


@split_heads.replaced("C-MUTATE", state=True)
def scaled_in_place(X, n_heads):
    H = cut(X, n_heads).copy()
    if X.dtype.kind == "f":
        X /= np.sqrt(X.shape[-1])
    return H


concat_heads = Chain("concat_heads", "H")


@concat_heads.stage
def rows(H):
    return glued(H)


@rows.wrong("H-MERGE-RESHAPE")
def reshape_alone_again(H):
    *lead, h, n, d_head = H.shape
    return H.reshape(*lead, n, h * d_head)


@rows.wrong("H-MERGE-INTERLEAVED")
def columns_take_turns(H):
    *lead, h, n, d_head = H.shape
    return np.moveaxis(H, -3, -1).reshape(*lead, n, d_head * h)


@rows.wrong("H-MEAN")
def averaged(H):
    return H.mean(axis=-3)


@rows.wrong("H-SUM")
def added(H):
    return H.sum(axis=-3)


@rows.wrong("H-MERGE-ORDER")
def last_head_first_again(H):
    return glued(H[..., ::-1, :, :])


@rows.wrong("H-MERGE-ROWS")
def one_below_the_other(H):
    return np.concatenate(list(H), axis=0)


@rows.wrong("H-MERGE-ONE")
def only_the_first_head(H):
    return H[..., 0, :, :]


@rows.wrong("H-MERGE-TURNED")
def turned_at_the_end(H):
    return np.swapaxes(glued(H), -1, -2)


@rows.wrong("H-MERGE-SWAP-ONLY")
def swapped_but_not_joined(H):
    return np.swapaxes(H, -2, -3)


@rows.wrong("C-BATCH")
def heads_of_one_sentence(H):
    return np.concatenate(list(H), axis=-1)


@rows.wrong("C-BATCH")
def three_axes_only(H):
    h, n, d_head = H.shape
    return H.transpose(1, 0, 2).reshape(n, h * d_head)


@concat_heads.stage
def merged(rows):
    return rows


@merged.wrong("C-ROUND")
def two_decimals_again(rows):
    return np.round(rows, 2)


@merged.wrong("C-NONE")
def no_return_again(rows):
    return None


@concat_heads.replaced("C-MUTATE", state=True)
def averaged_in_place(H):
    X = glued(H).copy()
    if H.dtype.kind == "f":
        H /= H.shape[-3]
    return X

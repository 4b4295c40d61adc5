# /// exercise
# title = "Split into heads, and back"
# title_zh = "拆成多个头，再拼回来"
# minutes = 12
# difficulty = 3
# ///

# %% [markdown]
# # Split into heads, and back

# %% [markdown] lang="zh"
# # 拆成多个头，再拼回来

# %%
import numpy as np


# %%
def split_heads(X, n_heads):
    """Cut the columns of X into n_heads neighbouring blocks, one a head.

    Parameters
    ----------
    X : array of shape (..., n, d_model)
    n_heads : int; ValueError where it does not divide d_model

    Returns
    -------
    H : array of shape (..., n_heads, n, d_head), d_head = d_model / n_heads

    Examples
    --------
    >>> print(split_heads(np.array([[1, 2, 3, 4], [5, 6, 7, 8]]), 2).tolist())
    [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    """
    ### BEGIN SOLUTION
    *lead, n, d_model = np.shape(X)
    if n_heads < 1 or d_model % n_heads:
        raise ValueError(f"{n_heads} heads cannot share {d_model} columns evenly")
    blocks = np.reshape(X, (*lead, n, n_heads, d_model // n_heads))
    return np.swapaxes(blocks, -2, -3)  # (..., n, h, d_head) -> (..., h, n, d_head)
    ### END SOLUTION


# %%
def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`.

    Parameters
    ----------
    H : array of shape (..., n_heads, n, d_head)

    Returns
    -------
    X : array of shape (..., n, d_model), d_model = n_heads * d_head

    Examples
    --------
    >>> print(concat_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]).tolist())
    [[1, 2, 3, 4], [5, 6, 7, 8]]
    """
    ### BEGIN SOLUTION
    *lead, n_heads, n, d_head = np.shape(H)
    rows = np.swapaxes(H, -2, -3)  # (..., h, n, d_head) -> (..., n, h, d_head)
    return rows.reshape(*lead, n, n_heads * d_head)
    ### END SOLUTION

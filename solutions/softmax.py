# /// exercise
# title = "Softmax: scores become a distribution"
# title_zh = "Softmax：把分数变成分布"
# minutes = 10
# difficulty = 2
# ///

# %% [markdown]
# # Softmax: scores become a distribution

# %% [markdown] lang="zh"
# # Softmax：把分数变成分布

# %%
import numpy as np


# %%
def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis.

    Parameters
    ----------
    x : array of any shape, finite numbers (integers count as floats)
    axis : int, the axis that should sum to 1; the last one unless told

    Returns
    -------
    weights : new float array, same shape as `x`; `x` stays as it was

    Examples
    --------
    >>> print(np.round(softmax([[2, 1, 0.1], [0, 0, 0]]), 2))
    [[0.66 0.24 0.1 ]
     [0.33 0.33 0.33]]
    """
    ### BEGIN SOLUTION
    x = np.asarray(x, dtype=float)
    with np.errstate(over="ignore"):  # a gap beyond 1.8e308 becomes -inf, and its weight 0
        shifted = x - x.max(axis=axis, keepdims=True)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=axis, keepdims=True)
    ### END SOLUTION

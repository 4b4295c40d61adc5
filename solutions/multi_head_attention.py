# /// exercise
# title = "Multi-head attention: several views at once"
# title_zh = "多头注意力：同时用几种眼光看"
# minutes = 20
# difficulty = 4
# ///

# %% [markdown]
# # Multi-head attention: several views at once

# %% [markdown] lang="zh"
# # 多头注意力：同时用几种眼光看

# %%
import numpy as np

from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


# %%
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, attend in each head, put side by side, project with W_o.

    Parameters
    ----------
    X : array of shape (..., n, d_model)
    W_q, W_k, W_v, W_o : arrays of shape (d_model, d_model)
    n_heads : int; ValueError where it does not divide d_model
    mask : bool array that broadcasts to (..., n_heads, n, n), such as (n, n); True = may look

    Returns
    -------
    output : array of shape (..., n, d_model)
    weights : array of shape (..., n_heads, n, n), each row sums to 1

    Examples
    --------
    >>> output, weights = multi_head_attention(np.ones((5, 4)), *[np.eye(4)] * 4, n_heads=2)
    >>> print(output.shape, weights.shape)
    (5, 4) (2, 5, 5)
    """
    ### BEGIN SOLUTION
    Q, K, V = (split_heads(view, n_heads) for view in project_qkv(X, W_q, W_k, W_v))
    output, weights = masked_attention(Q, K, V, mask)  # (..., h, n, d_head), (..., h, n, n)
    return concat_heads(output) @ np.asarray(W_o), weights
    ### END SOLUTION

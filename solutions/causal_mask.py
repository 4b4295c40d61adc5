# /// exercise
# title = "The causal mask: who may look?"
# title_zh = "因果掩码：谁可以看？"
# minutes = 6
# difficulty = 1
# ///

# %% [markdown]
# # The causal mask: who may look?

# %% [markdown] lang="zh"
# # 因果掩码：谁可以看？

# %%
import numpy as np


# %%
def causal_mask(n):
    """Say for n tokens in a row who may look at whom: at itself and what came before.

    Parameters
    ----------
    n : int, the number of tokens

    Returns
    -------
    mask : bool array of shape (n, n); True = row i may look at column j

    Examples
    --------
    >>> print(causal_mask(2))
    [[ True False]
     [ True  True]]
    """
    ### BEGIN SOLUTION
    return np.tril(np.ones((n, n), dtype=bool))
    ### END SOLUTION

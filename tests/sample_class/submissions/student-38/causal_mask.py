import numpy as np


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
    # YOUR CODE HERE
    raise NotImplementedError()

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all.

    Parameters
    ----------
    Q, K, V : arrays of shape (..., n_q, d_k), (..., n_k, d_k), (..., n_k, d_v)
    mask : bool array that broadcasts to (..., n_q, n_k); True = may look

    Returns
    -------
    output : array of shape (..., n_q, d_v)
    weights : array of shape (..., n_q, n_k); closed places 0, each row sums to 1

    Raises ValueError where the shapes do not fit. Leading axes (...) are sentences side by side.

    Examples
    --------
    >>> mask = [[True, False, True]]
    >>> print(masked_attention([[0]], [[1], [2], [3]], [[10], [20], [30]], mask))
    (array([[20.]]), array([[0.5, 0. , 0.5]]))
    """
    # YOUR CODE HERE
    raise NotImplementedError()

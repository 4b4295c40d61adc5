"""List-of-lists returned."""

import numpy as np


def softmax(x, axis=-1):
    """Softmax.

    返回嵌套列表。
    """
    x = np.asarray(x, dtype=np.float64)
    e = np.exp(x - np.amax(x, axis=axis, keepdims=True))
    return (e / np.add.reduce(e, axis=axis, keepdims=True)).tolist()

"""Float32 inside after the shift, walrus, longdouble input."""

import numpy as np


def softmax(x: "np.ndarray", axis: int = -1, *, dtype=np.float32) -> "np.ndarray":
    e = np.exp((z := np.asarray(x, dtype=np.longdouble)) - z.max(axis=axis, keepdims=True)).astype(
        dtype
    )
    return e / e.sum(axis=axis, keepdims=True)

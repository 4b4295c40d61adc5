"""Moves the axis to the end, works there, gives a view moved back."""

import numpy as np


def softmax(x, axis=-1, verbose=False):
    a = np.swapaxes(np.asarray(x) * 1.0, axis, -1)
    e = np.exp(a - a.max(-1)[..., None])
    out = np.einsum("...i,...->...i", e, 1 / np.einsum("...i->...", e))
    if verbose:
        print(out)
    return np.swapaxes(out, axis, -1)

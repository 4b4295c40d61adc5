import numpy as np


def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis."""
    x = np.array(x, dtype=float)
    lines = np.moveaxis(x, axis, -1)
    result = np.empty(lines.shape)
    for place in np.ndindex(lines.shape[:-1]):
        biggest = max(lines[place])
        total = 0.0
        for j, value in enumerate(lines[place]):
            result[place][j] = np.exp(value - biggest)
            total += result[place][j]
        for j in range(len(lines[place])):
            result[place][j] /= total
    return np.moveaxis(result, -1, axis)

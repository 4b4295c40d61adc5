import numpy as np


def causal_mask(n):
    """Say for n tokens in a row who may look at whom."""
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(j <= i)
        rows.append(row)
    return np.array(rows)

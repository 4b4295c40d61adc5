import numpy as np


def causal_mask(n):
    return np.array([["True" if j <= i else "False" for j in range(n)] for i in range(n)])

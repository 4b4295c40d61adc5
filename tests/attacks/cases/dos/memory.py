# /// attack
# what = "Takes and touches memory."
# status = "any"
# ///

import numpy as np

KEPT = []


def softmax(x, axis=-1):
    while len(KEPT) < 48:
        KEPT.append(np.ones(8 * 2**20))
    print("BROKE")
    return x * 0

# /// attack
# what = "Recurses without end, with the limit taken away."
# status = "any"
# ///

import sys

sys.setrecursionlimit(10**9)


def softmax(x, axis=-1):
    return softmax(x, axis)

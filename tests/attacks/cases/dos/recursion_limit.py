# /// attack
# what = "Leaves the interpreter almost no depth of calls."
# status = "any"
other = "any"
# ///

import sys

sys.setrecursionlimit(25)


def softmax(x, axis=-1):
    return x

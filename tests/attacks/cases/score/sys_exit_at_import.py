# /// attack
# what = "Leaves with success while it is imported."
# status = "error"
# ///

import sys

sys.exit(0)


def softmax(x, axis=-1):
    return x * 0

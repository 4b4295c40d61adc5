# /// attack
# what = "Prints the hidden inputs when it is called."
# status = "failed"
# ///

import sys


def softmax(x, axis=-1):
    print("INPUT-SEEN", x.tolist())
    print("INPUT-SEEN", x.tolist(), file=sys.stderr)
    return x * 0

# /// attack
# what = "Changes the interpreter's own library."
# status = "failed"
# needs = "L2"
# ///

import os
import sys

import numpy

for place in (os.__file__, numpy.__file__, os.path.dirname(numpy.__file__) + "/x.py", sys.executable):
    try:
        open(place, "a").close()
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

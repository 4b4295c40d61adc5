# /// attack
# what = "Raises its own limits and those of its parent."
# status = "failed"
# needs = "L2"
# ///

import os
import resource

for which in range(16):
    try:
        resource.setrlimit(which, (-1, -1))
        print("BROKE", which)
    except (OSError, ValueError):
        pass
    try:
        resource.prlimit(os.getppid(), which, (0, 0))
        print("BROKE", which)
    except (OSError, ValueError):
        pass


def softmax(x, axis=-1):
    return x * 0

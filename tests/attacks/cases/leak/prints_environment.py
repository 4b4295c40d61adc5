# /// attack
# what = "Prints environment, arguments and folders."
# status = "failed"
# needs = "L2"
# ///

import os
import sys

print(dict(os.environ), sys.argv, sys.path, sys.orig_argv, sys.executable)
if os.environ or len(sys.argv) > 1:
    print("BROKE")


def softmax(x, axis=-1):
    return x * 0

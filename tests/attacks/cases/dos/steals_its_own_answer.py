# /// attack
# what = "Reopens its own channel and takes the answer back."
# status = "any"
# ///

import os
import threading


def steal():
    while True:
        for descriptor in range(3, 16):
            try:
                again = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_NONBLOCK)
                os.read(again, 1)
                os.close(again)
            except OSError:
                pass


threading.Thread(target=steal, daemon=True).start()


def softmax(x, axis=-1):
    return x * 0

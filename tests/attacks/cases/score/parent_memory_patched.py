# /// attack
# what = "Writes into the memory of its ancestors."
# status = "failed"
# needs = "L2"
# ///

import os

pid = os.getppid()
for _ in range(8):
    try:
        with open(f"/proc/{pid}/mem", "r+b") as memory:
            print("BROKE", pid)
    except OSError:
        pass
    try:
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        pid -= 1


def softmax(x, axis=-1):
    return x * 0

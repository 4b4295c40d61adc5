# /// attack
# what = "Takes shared memory, which the limit on data does not count."
# status = "failed"
# needs = "L1"
# ///

import mmap

KEPT = []
try:
    for _ in range(40):
        KEPT.append(mmap.mmap(-1, 64 * 2**20))
    print("BROKE")
except (OSError, ValueError, MemoryError):
    pass


def softmax(x, axis=-1):
    return x * 0

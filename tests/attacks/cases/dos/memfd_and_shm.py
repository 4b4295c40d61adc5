# /// attack
# what = "Takes memory that no limit counts."
# status = "failed"
# needs = "L2"
# ///

import os

for make in (
    lambda: os.memfd_create("x"),
    lambda: os.open("/dev/shm/attn-x", os.O_CREAT | os.O_RDWR),
    lambda: os.open("/tmp/attn-x", os.O_CREAT | os.O_RDWR),
):
    try:
        os.close(make())
        print("BROKE")
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Writes files until the disk is full."
# status = "failed"
# needs = "L2"
# ///

import os

for place in (".", "/tmp", "/var/tmp", "/dev/shm", "{CLASS}", "{OUT}"):
    try:
        with open(os.path.join(place, "attn-fill"), "wb") as file:
            file.write(bytes(2**20))
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Leaves thousands of nested folders and one that nobody may open."
# status = "failed"
# needs = "L2"
# ///

import os

for place in (".", "/tmp"):
    try:
        os.chdir(place)
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

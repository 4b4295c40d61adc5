# /// attack
# what = "Writes into the grading account's home."
# status = "failed"
# needs = "L2"
# ///

import os

for place in ("{HOME}/.bashrc", "{HOME}/.local/lib/x.pth", "{HOME}/attn-x", "/etc/profile.d/x.sh"):
    try:
        with open(place, "a") as file:
            file.write("#")
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

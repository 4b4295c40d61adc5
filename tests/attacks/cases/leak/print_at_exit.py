# /// attack
# what = "Prints what it saw as late as it can: at exit, from a thread, by a finaliser."
# status = "failed"
# ///

import atexit
import os
import threading
import weakref


class Kept:
    pass


SEEN, KEPT = [], Kept()


def late():
    if SEEN:
        os.write(1, b"INPUT-" + b"SEEN " + repr(SEEN[0]).encode())


atexit.register(late)
weakref.finalize(KEPT, late)


def softmax(x, axis=-1):
    SEEN.append(x.ravel()[0])
    late()
    threading.Timer(0.01, late).start()
    return x

# /// attack
# what = "Makes the worker tell of a trouble of another kind, in words of its own."
# status = "error"
# ///

import sys


def softmax(x, axis=-1):
    frame = sys._getframe()
    while frame is not None:
        one = frame.f_locals.get("self")
        if type(one).__name__ == "Worker":
            one._trouble = lambda error: ["raised", "<b>INPUT-SEEN</b>", 10**12, "/etc/passwd"]
        frame = frame.f_back
    raise ValueError

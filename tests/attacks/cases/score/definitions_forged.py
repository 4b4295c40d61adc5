# /// attack
# what = "Says what its files define, after it was loaded."
# status = "missing"
# ///

import sys

frame = sys._getframe()
while frame is not None:
    one = frame.f_locals.get("self")
    if type(one).__name__ == "Program":
        one.status["softmax"] = "attempted"
        one.chosen["softmax"] = one.files[0]
    frame = frame.f_back
globals()["soft" + "max"] = lambda x, axis=-1: x

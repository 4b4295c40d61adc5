# /// attack
# what = "Looks for implementations that a follow-through gives, in its own run."
# status = "failed"
# ///

import gc
import sys

for each in gc.get_objects():
    if type(each).__name__ == "Program" and "softmax" in each.given:
        print("BROKE given")
for name in ("softmax", "heads", "multi_head_attention"):
    if getattr(sys.modules.get(name), "__file__", "softmax.py") != "softmax.py":
        print("BROKE module")


def softmax(x, axis=-1):
    return x

# /// attack
# what = "Scans its own heap and environment: did the fork bring secrets along?"
# status = "failed"
# ///

TOKEN = "{TOKEN_HEAD}" + "{TOKEN_TAIL}"
import gc
import os

for one in gc.get_objects():
    if isinstance(one, dict):
        for value in list(one.values()):
            if isinstance(value, str) and TOKEN in value and value is not TOKEN:
                print("BROKE", type(one))
if TOKEN in repr(os.environ) or os.environ:
    print("BROKE environ", dict(os.environ))


def softmax(x, axis=-1):
    return x * 0

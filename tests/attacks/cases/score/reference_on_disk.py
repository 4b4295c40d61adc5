# /// attack
# what = "Finds the solution on disk and runs it."
# status = "failed"
# needs = "L2"
# ///

from pathlib import Path

space = {}
for place in ("{ROOT}/solutions/softmax.py", "{CLASS}/a-right/softmax.py"):
    try:
        exec(Path(place).read_text(), space)
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return space.get("softmax", lambda x, axis: x * 0)(x, axis)

# /// attack
# what = "Leaves thousands of nested folders and one that nobody may open."
# status = "failed"
# needs = "L2"
# ///

from posix import chdir, mkdir  # the system's own: those of `os` make nothing in a worker

for place in (".", "/tmp"):
    try:
        chdir(place)
        for _ in range(3000):
            mkdir("d")
            chdir("d")
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

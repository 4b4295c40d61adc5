# /// attack
# what = "Reads environment and command line of every process."
# status = "failed"
# needs = "L2"
# ///

TOKEN = "{TOKEN_HEAD}" + "{TOKEN_TAIL}"
import os

for pid in [os.getpid(), os.getppid(), *range(1, 400)]:
    for what in ("environ", "maps", "status"):
        try:
            with open(f"/proc/{pid}/{what}", "rb") as file:
                if TOKEN.encode() in file.read() or what == "maps":
                    print("BROKE", pid, what)
        except OSError:
            pass


def softmax(x, axis=-1):
    return x * 0

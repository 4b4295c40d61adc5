# /// attack
# what = "Starts processes by every other door."
# status = "failed"
# needs = "L2"
# ///

import ctypes
import subprocess

libc = ctypes.CDLL(None, use_errno=True)
try:
    subprocess.run(["/bin/true"])
    print("BROKE subprocess")
except OSError:
    pass
for number, arguments in ((58, ()), (57, ()), (56, (17, 0, 0, 0, 0)), (435, (0, 88))):
    made = libc.syscall(number, *arguments)
    if made == 0:
        libc._exit(0)
    if made > 0:
        print("BROKE", number)


def softmax(x, axis=-1):
    return x * 0

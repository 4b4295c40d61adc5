# /// attack
# what = "Opens packet, netlink, bluetooth and vsock sockets."
# status = "failed"
# needs = "L2"
# ///

import socket

for family in range(45):
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind).close()
            print("BROKE", family, kind)
        except OSError:
            pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Passes descriptors over its own channel."
# status = "failed"
# needs = "L2"
# ///

import socket

for descriptor in range(64):
    try:
        channel = socket.socket(fileno=descriptor)
        socket.send_fds(channel, [b"x"], [0, 1, 2])
        print("BROKE", descriptor)
        channel.detach()
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

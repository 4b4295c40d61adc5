# /// attack
# what = "Sends its answer one byte at a time, never ending."
# status = "any"
# ///

import json
import os
import struct

import numpy as np


def frame(kind, seq, tree, raw=b""):
    text = json.dumps(tree).encode()
    return struct.pack("<4sBxxxIIQ", b"ATN1", kind, seq, len(text), len(raw)) + text + raw


def everywhere(data):
    for descriptor in range(64):
        try:
            os.write(descriptor, data)
        except OSError:
            pass

import time


def softmax(x, axis=-1):
    data = struct.pack("<4sBxxxIIQ", b"ATN1", 18, 5, 60_000, 0) + b" " * 60_000
    for at in range(len(data)):
        for descriptor in range(3, 8):
            try:
                os.write(descriptor, data[at : at + 1])
            except OSError:
                pass
        time.sleep(0.01)

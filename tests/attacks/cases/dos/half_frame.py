# /// attack
# what = "Sends half a frame and sleeps."
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
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, frame(16, 5, {"l": list(range(2000))})[:-10])
        except OSError:
            pass
    time.sleep(60)

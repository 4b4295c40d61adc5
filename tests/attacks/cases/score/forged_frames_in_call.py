# /// attack
# what = "Speaks the real protocol: forged answers for every number on every descriptor."
# status = "error"
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


def softmax(x, axis=-1):
    for seq in range(60):
        for kind in (16, 17, 18, 19, 255):
            everywhere(frame(kind, seq, {"d": [["score", 8.0], ["status", "passed"]]}))
    return x * 0

# /// attack
# what = "Speaks the real protocol while it is imported."
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

answer = {"d": [["value", True], ["changed", {"l": []}], ["touched", False]]}
for seq in range(60):
    everywhere(frame(16, seq, answer))


def softmax(x, axis=-1):
    return x * 0

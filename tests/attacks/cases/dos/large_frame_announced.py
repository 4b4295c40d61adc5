# /// attack
# what = "Announces a large frame on every descriptor and sleeps."
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
    everywhere(struct.pack("<4sBxxxIIQ", b"ATN1", 16, 5, 2**31, 2**62))
    time.sleep(60)

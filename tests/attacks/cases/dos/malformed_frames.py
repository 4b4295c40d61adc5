# /// attack
# what = "Lying lengths, negative shapes, object dtypes, deep trees."
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
    for tree, raw in (
        ({"a": ["|O", [1]]}, bytes(8)),
        ({"a": ["<f8", [-1]]}, bytes(8)),
        ({"a": ["<f8", [2**60, 2**60]]}, b""),
        ({"x" * 1000: "["}, b""),
    ):
        everywhere(frame(16, 5, tree, raw))
    everywhere(b"[" * 100_000)
    return x * 0

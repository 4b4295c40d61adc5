# /// attack
# what = "Says that its trouble is of a kind that is an array."
# status = "error"
# ///

import json
import struct
import sys
import time


def say(kind, tree, raw=b""):
    text = json.dumps(tree).encode()
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("self"), "_seq"):
        frame = frame.f_back
    worker = frame.f_locals["self"]
    head = struct.pack("<4sBxxxIIQ", b"ATN1", kind, worker._seq, len(text), len(raw))
    worker._write(head + text + raw)
    time.sleep(5)


def softmax(x, axis=-1):
    trouble = {"l": [{"a": ["<f8", [2]]}, "", None, None]}
    say(17, {"d": [["trouble", trouble], ["changed", {"l": []}], ["touched", False]]}, bytes(16))

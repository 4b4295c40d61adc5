# /// attack
# what = "Says, while it is loaded, that its trouble is of a kind that is an array."
# status = "any"
other = "any"
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


trouble = {"l": [{"a": ["<f8", [2]]}, "", None, None]}
say(16, {"d": [["trouble", trouble], ["noted", {"l": [trouble]}]]}, bytes(32))

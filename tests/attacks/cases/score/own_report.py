# /// attack
# what = "Writes the report itself, wherever it may stand, and ends with success."
# status = "error"
# needs = "L2"
# ///

import json
import os

text = json.dumps({"schema": 1, "submissions": [{"id": "x", "score": 100.0}]})
for place in ("results.json", "{OUT}/results.json", "{CLASS}/results.json", "/tmp/results.json"):
    try:
        with open(place, "w") as file:
            file.write(text)
        print("BROKE", place)
    except OSError:
        pass
os._exit(0)


def softmax(x, axis=-1):
    return x * 0

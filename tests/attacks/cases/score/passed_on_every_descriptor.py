# /// attack
# what = "Writes 'passed' in many formats to every open descriptor."
# status = "error"
# ///

import os

WORDS = [
    b"PASSED\n",
    b'{"passed": true, "score": 8}\n',
    b"ok 1 - softmax\n",
    b"<testsuite failures='0'/>",
    b"100%\n",
]
for descriptor in range(64):
    for word in WORDS:
        try:
            os.write(descriptor, word)
        except OSError:
            pass


def softmax(x, axis=-1):
    return x * 0

# /// attack
# what = "Loops without end and ignores every signal that can be ignored."
# status = "timeout"
# ///

import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def softmax(x, axis=-1):
    while True:
        pass

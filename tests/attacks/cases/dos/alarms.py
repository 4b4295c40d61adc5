# /// attack
# what = "Lets an alarm ring a thousand times a second."
# status = "failed"
# ///

import signal

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)


def softmax(x, axis=-1):
    return x

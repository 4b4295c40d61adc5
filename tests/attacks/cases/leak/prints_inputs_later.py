# /// attack
# what = "Keeps the hidden inputs, and prints them from a thread, at exit and in a later import."
# status = "any"
# other = "failed"
# beside = "attention_scores.py"
# ///

import atexit
import builtins
import threading
import time

builtins.SEEN = []


def tell():
    while True:
        time.sleep(0.001)
        if builtins.SEEN:
            print("INPUT-SEEN", builtins.SEEN, flush=True)


threading.Thread(target=tell, daemon=True).start()
atexit.register(lambda: print("INPUT-SEEN", builtins.SEEN))


def softmax(x, axis=-1):
    builtins.SEEN.append(x.tolist())
    return x * 0

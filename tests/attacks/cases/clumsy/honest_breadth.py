# /// attack
# what = "Threads, svd, fft, temporary files and json, as honest code may; the values are right."
# status = "passed"
# score = 8
# ///

import json
import tempfile
import threading

import numpy as np

done = []
worker = threading.Thread(target=lambda: done.append(np.linalg.svd(np.eye(4))))
worker.start()
worker.join()
np.fft.fft(np.ones(8))
json.loads(json.dumps({"a": 1}))
try:
    with tempfile.TemporaryFile() as file:
        np.save(file, np.eye(2))
except OSError:
    pass
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

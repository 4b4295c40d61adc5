# /// attack
# what = "Calls the kit's own notebook functions; the values are right."
# status = "passed"
# score = 8
# ///

import numpy as np
from autograder import check, grade, hint, picture, prompt


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


check("softmax")
grade("softmax")
hint("softmax")
picture("softmax")

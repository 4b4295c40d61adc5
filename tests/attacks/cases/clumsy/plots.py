# /// attack
# what = "Draws with a library that is not there; the values are right."
# status = "passed"
# score = 8
# ///

import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm

figure, axes = plt.subplots(1, 2)
axes[0].imshow(np.eye(3))
plt.show()
for _ in tqdm(range(3)):
    pass
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

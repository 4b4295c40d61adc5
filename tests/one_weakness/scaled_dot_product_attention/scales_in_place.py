# loses only: leaves_the_inputs_alone
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if K.dtype.kind == "i":
        K = K.astype(float)
    K /= np.sqrt(K.shape[-1])
    w = softmax(Q @ np.swapaxes(K, -1, -2))
    return w @ V, w

# loses only: whole_numbers
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    output = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=V.dtype)
    output[...] = w @ V
    return output, w

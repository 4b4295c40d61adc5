"""The other order of axes: keys down, queries across, turned at the end."""

import numpy as np

from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    turned = np.matmul(K, np.swapaxes(Q, -1, -2)) / np.sqrt(Q.shape[-1])
    turned = softmax(turned, axis=-2)
    output = np.swapaxes(np.swapaxes(V, -1, -2) @ turned, -1, -2)
    return output, np.swapaxes(turned, -1, -2)

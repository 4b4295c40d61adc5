# loses only: leading_axes
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    w = softmax(np.dot(Q, K.T) / np.sqrt(Q.shape[1]))
    return np.dot(w, V), w

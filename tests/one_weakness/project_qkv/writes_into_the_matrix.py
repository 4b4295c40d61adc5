# loses only: leaves_the_inputs_alone
import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = X @ W_k
    W_k -= W_q
    return Q, K, X @ W_v + np.zeros(W_v.shape[1])

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    n = len(X)
    Q = np.zeros((n, np.shape(W_q)[1])); K = np.zeros((n, np.shape(W_k)[1])); V = np.zeros((n, np.shape(W_v)[1]))
    for i in range(n):
        Q[i] = np.dot(X[i], W_q)
        K[i] = np.dot(X[i], W_k)
        V[i] = np.dot(X[i], W_v)
    return Q, K, V

"""Three products, a list back."""


def project_qkv(X, W_q, W_k, W_v):
    Q = X @ W_q
    K = X @ W_k
    V = X @ W_v
    return [Q, K, V]

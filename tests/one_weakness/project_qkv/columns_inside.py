# loses only: leading_axes


def project_qkv(X, W_q, W_k, W_v):
    return (W_q.T @ X.T).T, (W_k.T @ X.T).T, (W_v.T @ X.T).T

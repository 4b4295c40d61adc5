# loses only: leading_axes


def split_heads(X, n_heads):
    n, d_model = X.shape
    return X.reshape(n, n_heads, d_model // n_heads).transpose(1, 0, 2)


def concat_heads(H):
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1)

"""One big einsum."""

import numpy as np


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    X = np.asarray(X, float)
    m = X.shape[-1]
    if m % n_heads:
        raise ValueError(n_heads)
    d = m // n_heads
    q, k, v = (np.asarray(W, float).reshape(m, n_heads, d) for W in (W_q, W_k, W_v))
    o = np.asarray(W_o, float).reshape(n_heads, d, m)
    S = np.einsum("...im,mhd,nhd,...jn->...hij", X, q, k, X, optimize=True) / d**0.5
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    P = np.exp(S - S.max(-1, keepdims=True))
    P /= P.sum(-1, keepdims=True)
    return np.einsum("...hij,...jm,mhd,hdk->...ik", P, X, v, o, optimize=True), P

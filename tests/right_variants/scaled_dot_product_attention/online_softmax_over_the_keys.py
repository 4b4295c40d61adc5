"""Online softmax over the keys (flash style)."""

import numpy as np

from attention_scores import attention_scores


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, dtype=float) for a in (Q, K, V))
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes")
    s = attention_scores(Q, K)
    lead = s.shape[:-1]
    m = np.full(lead, -np.inf)
    total = np.zeros(lead)
    acc = np.zeros((*lead, V.shape[-1]))
    for j in range(K.shape[-2]):
        new = np.maximum(m, s[..., j])
        old = np.exp(m - new)
        p = np.exp(s[..., j] - new)
        total = total * old + p
        acc = acc * old[..., None] + p[..., None] * V[..., None, j, :]
        m = new
    return acc / total[..., None], np.exp(s - m[..., None]) / total[..., None]

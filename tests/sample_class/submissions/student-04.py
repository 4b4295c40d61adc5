import unicodedata

import numpy as np


def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis."""
    x = np.asarray(x, dtype=np.float64)
    x = x - x.max(axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis, keepdims=True)
    return x


def attention_scores(Q, K):
    """Score every key for every query: dot products, divided by sqrt(d_k)."""
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    return np.einsum("...qd,...kd->...qk", Q, K) * K.shape[-1] ** -0.5


def scaled_dot_product_attention(Q, K, V):
    """Mix the rows of V for every query, by how well its keys fit."""
    weights = softmax(attention_scores(Q, K))
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def project_qkv(X, W_q, W_k, W_v):
    """Give each token its query, its key and its value."""
    # all three in one go, then cut apart
    W = np.concatenate([W_q, W_k, W_v], axis=1).astype(float)
    QKV = np.einsum("...nd,de->...ne", X, W)
    d_k = np.shape(W_q)[1]
    return QKV[..., :d_k], QKV[..., d_k : 2 * d_k], QKV[..., 2 * d_k :]


class SelfAttention:
    """Self-attention with its own three matrices, drawn once."""

    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        self.W_q = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_k = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_v = rng.normal(0, np.sqrt(2 / (d_model + d_v)), (d_model, d_v))

    def forward(self, X):
        Q, K, V = project_qkv(X, self.W_q, self.W_k, self.W_v)
        return scaled_dot_product_attention(Q, K, V)


def display_width(text):
    width = 0
    for sign in text:
        if unicodedata.combining(sign):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width


def pad(text, width):
    return " " * (width - display_width(text)) + text


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    """Draw a table of weights as text, one sign a cell."""
    if isinstance(tokens[0], str):
        queries = keys = list(tokens)
    else:
        queries, keys = tokens
    weights = np.nan_to_num(np.asarray(weights, dtype=float))
    if weights.shape != (len(queries), len(keys)):
        raise ValueError("the tokens do not fit the weights")
    left = max(display_width(q) for q in queries)
    lines = [" " * left + " " + " ".join(keys)]
    for query, row in zip(queries, weights):
        cells = []
        for key, w in zip(keys, row):
            level = max(0, min(int(w * len(chars)), len(chars) - 1))
            cells.append(pad(chars[level], display_width(key)))
        lines.append(pad(query, left) + " " + " ".join(cells))
    return "\n".join(lines)


def causal_mask(n):
    """Say for n tokens in a row who may look at whom."""
    i = np.arange(n)
    return i[:, None] >= i[None, :]


def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all."""
    scores = attention_scores(Q, K)
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)
    weights = softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def split_heads(X, n_heads):
    """Give each head its own block of neighbouring columns."""
    *lead, n, d_model = np.shape(X)
    if d_model % n_heads:
        raise ValueError(f"{d_model} columns, {n_heads} heads: no")
    return np.einsum("...nhd->...hnd", np.reshape(X, (*lead, n, n_heads, d_model // n_heads)))


def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`."""
    *lead, h, n, d = np.shape(H)
    return np.einsum("...hnd->...nhd", np.asarray(H)).reshape(*lead, n, h * d)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, attend in each head, put side by side, project with W_o."""
    Q, K, V = (split_heads(part, n_heads) for part in project_qkv(X, W_q, W_k, W_v))
    output, weights = masked_attention(Q, K, V, mask)
    return np.einsum("...nd,de->...ne", concat_heads(output), W_o), weights


def attention_difference(A, B):
    """Subtract two tables of weights, cell by cell."""
    return np.asarray(A) - np.asarray(B)


def row_entropy(A):
    """Measure how widely each row spreads its weight."""
    A = np.asarray(A, dtype=float)
    logs = np.log(np.where(A > 0, A, 1))
    return -(A * logs).sum(axis=-1)


def js_divergence(A, B):
    """Measure row by row how far apart two tables of weights are."""
    M = (np.asarray(A) + np.asarray(B)) / 2
    return row_entropy(M) - (row_entropy(A) + row_entropy(B)) / 2


def argmax_agreement(A, B):
    """Give the share of rows whose largest weight sits in the same column."""
    return np.mean(np.argmax(A, axis=-1) == np.argmax(B, axis=-1))


def frobenius_distance(A, B):
    """Give one number for how far apart two tables are."""
    return np.sqrt(np.sum(attention_difference(A, B) ** 2))


def compare_sentences(attention, X_a, X_b):
    """Send two sentences of equal length through the same attention, and compare."""
    if len(X_a) != len(X_b):
        raise ValueError("the two sentences must have the same length")
    _, A = attention.forward(X_a)
    _, B = attention.forward(X_b)
    return {
        "weights_a": A,
        "weights_b": B,
        "difference": attention_difference(A, B),
        "entropy_a": row_entropy(A),
        "entropy_b": row_entropy(B),
        "divergence": js_divergence(A, B),
        "agreement": argmax_agreement(A, B),
        "distance": frobenius_distance(A, B),
    }

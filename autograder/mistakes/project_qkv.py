"""Wrong projections: which matrix, on which side, for which of the three views."""

import numpy as np

from autograder.chain import Chain

project_qkv = Chain("project_qkv", "X", "W_q", "W_k", "W_v")


def turned(X):
    """Swap the last two axes, whatever stands before them."""
    return np.swapaxes(X, -1, -2)


@project_qkv.stage
def Q(X, W_q):
    return X @ W_q


@project_qkv.stage
def K(X, W_k):
    return X @ W_k


@project_qkv.stage
def V(X, W_v):
    return X @ W_v


@Q.wrong("P-XT", K=lambda X, W_k: W_k.T @ X.T, V=lambda X, W_v: W_v.T @ X.T)
def matrix_from_the_left(X, W_q):
    return W_q.T @ X.T


@Q.wrong("P-XT", K=lambda X, W_k: W_k @ X, V=lambda X, W_v: W_v @ X)
def matrix_first(X, W_q):
    return W_q @ X


@Q.wrong("P-XT", K=lambda X, W_k: X @ W_k.T, V=lambda X, W_v: X @ W_v.T)
def matrix_turned(X, W_q):
    return X @ W_q.T


@Q.wrong("P-XT", K=lambda X, W_k: X.T @ W_k, V=lambda X, W_v: X.T @ W_v)
def sentence_turned(X, W_q):
    return X.T @ W_q


@Q.wrong("P-XT", K=lambda X, W_k: W_k.T @ X, V=lambda X, W_v: W_v.T @ X)
def turned_matrix_first(X, W_q):
    return W_q.T @ X


@Q.wrong("P-ELEMENT", K=lambda X, W_k: X * W_k, V=lambda X, W_v: X * W_v)
def cell_by_cell(X, W_q):
    return X * W_q


@K.wrong("P-SAME-W")
def keys_by_the_query_matrix(X, W_q):
    return X @ W_q


@Q.wrong("P-SAME-W")
def queries_by_the_key_matrix(X, W_k):
    return X @ W_k


@Q.wrong("P-QK-SWAP", K=lambda X, W_q: X @ W_q)
def queries_and_keys_swapped(X, W_k):
    return X @ W_k


@K.wrong("P-KV-SWAP", V=lambda X, W_k: X @ W_k)
def keys_and_values_swapped(X, W_v):
    return X @ W_v


@V.wrong("P-V-RAW")
def values_are_the_tokens(X):
    return X


@Q.wrong("P-Q-RAW")
def queries_are_the_tokens(X):
    return X


@K.wrong("P-K-RAW")
def keys_are_the_tokens(X):
    return X


@V.wrong("P-V-BY-WK")
def values_by_the_key_matrix(X, W_k):
    return X @ W_k


@V.wrong("P-V-BY-WQ")
def values_by_the_query_matrix(X, W_q):
    return X @ W_q


@K.wrong("P-CHAIN")
def keys_from_queries(Q, W_k):
    return Q @ W_k


@V.wrong("P-CHAIN")
def values_from_keys(K, W_v):
    return K @ W_v


@K.wrong("P-CHAIN", V=lambda K, W_v: K @ W_v)
def each_from_the_one_before(Q, W_k):
    return Q @ W_k


@V.wrong("P-V-WIDTH")
def values_cut_to_the_width_of_keys(X, W_k, W_v):
    return (X @ W_v)[..., : W_k.shape[-1]]


@K.wrong("P-ONE-W", V=lambda X, W_q: X @ W_q)
def one_matrix_for_all(X, W_q):
    return X @ W_q


@Q.wrong("P-SCALED")
def queries_scaled_already(X, W_q):
    return X @ W_q / np.sqrt(W_q.shape[-1])


def centred(X):
    """Take each token's mean away."""
    return X - X.mean(axis=-1, keepdims=True)


@Q.wrong("P-CENTRED", K=lambda X, W_k: centred(X) @ W_k, V=lambda X, W_v: centred(X) @ W_v)
def tokens_centred_first(X, W_q):
    return centred(X) @ W_q


@Q.wrong("P-NORMED", K=lambda X, W_k: X @ W_k / np.linalg.norm(X @ W_k, axis=-1, keepdims=True))
def lengths_made_one(X, W_q):
    return X @ W_q / np.linalg.norm(X @ W_q, axis=-1, keepdims=True)


@Q.wrong("C-BATCH", K=lambda X, W_k: (W_k.T @ X.T).T, V=lambda X, W_v: (W_v.T @ X.T).T)
def all_axes_turned(X, W_q):
    return (W_q.T @ X.T).T


@project_qkv.stage
def returned(Q, K, V):
    return Q, K, V


@returned.wrong("P-ORDER")
def order_k_q_v(Q, K, V):
    return V, K, Q


@returned.wrong("P-KV-SWAP")
def order_q_v_k(Q, K, V):
    return Q, V, K


@returned.wrong("P-XT")
def each_turned(Q, K, V):
    return turned(Q), turned(K), turned(V)


@returned.wrong("P-KEYS-TURNED")
def keys_turned(Q, K, V):
    return Q, turned(K), V


@returned.wrong("P-JOINED")
def side_by_side(Q, K, V):
    return np.concatenate([Q, K, V], axis=-1)


@returned.wrong("P-TWO")
def values_left_out(Q, K, V):
    return Q, K


@returned.wrong("C-ROUND")
def four_decimals(Q, K, V):
    return np.round(Q, 4), np.round(K, 4), np.round(V, 4)


@returned.wrong("C-ROUND")
def two_decimals(Q, K, V):
    return np.round(Q, 2), np.round(K, 2), np.round(V, 2)


@returned.wrong("C-INT")
def arrays_like_x(Q, K, V, X):
    return Q.astype(X.dtype), K.astype(X.dtype), V.astype(X.dtype)


@returned.wrong("C-NONE")
def no_return(Q):
    return None


@project_qkv.replaced("C-MUTATE", state=True)
def centred_in_place(X, W_q, W_k, W_v):
    if X.dtype.kind != "f":
        X = X.astype(float)
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    X -= X.mean(axis=-1, keepdims=True)
    return Q, K, V

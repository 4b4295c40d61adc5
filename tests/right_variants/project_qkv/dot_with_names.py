"""np.dot, collected in a dict first."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    named = {"Q": W_q, "K": W_k, "V": W_v}
    made = {name: np.dot(X, W) for name, W in named.items()}
    return made["Q"], made["K"], made["V"]

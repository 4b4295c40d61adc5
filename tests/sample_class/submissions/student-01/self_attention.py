# %% [markdown]
# # Self-attention: a sentence looks at itself
#
# Now put it together. One sentence X gives its own queries, its own keys and its own values: the
# sentence looks at *itself*. Two things must be kept apart:
#
# - **Made once:** the three matrices. They belong to the object, and every sentence meets the
#   same ones.
# - **Made for each sentence:** Q, K, V, the weights and the output.
#
# A class says just that. `__init__` draws the matrices, `forward` uses them.

# %% [markdown]
# ## How large should the first weights be?
#
# They are drawn at random with mean 0. If they are too large, the scores are wild and softmax
# picks one word by chance; if they are too small, all words look alike. A standard deviation of
#
# $$\sqrt{\frac{2}{d_{in} + d_{out}}}$$
#
# keeps numbers about as large after the matrix as before, forwards and backwards (Glorot and
# Bengio, 2010). For d_in = 8 and d_out = 4:
#
# ```python
# >>> print(f"{(2 / (8 + 4)) ** 0.5:.2f}")
# 0.41
# ```
#
# ## Pitfalls
#
# - **A new draw in every `forward`.** Then the same sentence gives two answers.
# - **The same draw three times.** A fresh generator with the same seed for each matrix makes
#   three copies. Use *one* generator, and draw from it three times.
# - **`np.random.seed`.** It changes NumPy's generator for the whole program, and someone else's
#   numbers with it. Your object has its own.
#
# ```python
# >>> a, b = np.random.default_rng(1), np.random.default_rng(1)
# >>> print(a.normal() == b.normal(), a.normal() == a.normal())
# True False
# ```

# %%
import math

import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


# %%
class SelfAttention:
    """Self-attention with its own three matrices, drawn once.

    Parameters
    ----------
    d_model, d_k, d_v : int, widths of a token, of a key and of a value
    seed : int, for this object's own generator; NumPy's global one stays untouched

    Attributes
    ----------
    W_q, W_k : arrays of shape (d_model, d_k)
    W_v : array of shape (d_model, d_v), like the others random with mean 0 and
        standard deviation sqrt(2 / (d_in + d_out)); no two of the three are equal

    Examples
    --------
    >>> output, weights = SelfAttention(8, 4, 3).forward(np.ones((5, 8)))
    >>> print(output.shape, weights.shape)
    (5, 3) (5, 5)
    """

    def __init__(self, d_model, d_k, d_v, seed=42):
        """Draw W_q, W_k and W_v; equal seeds give equal weights."""
        rng = np.random.default_rng(seed)
        self.W_q = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_k = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_v = rng.normal(0, np.sqrt(2 / (d_model + d_v)), (d_model, d_v))

    def forward(self, X):
        """Let every token of X look at every token of X.

        Parameters
        ----------
        X : array of shape (..., n, d_model); ValueError where that does not fit

        Returns
        -------
        output : array of shape (..., n, d_v)
        weights : array of shape (..., n, n), each row sums to 1
        """
        Q, K, V = project_qkv(X, self.W_q, self.W_k, self.W_v)
        return scaled_dot_product_attention(Q, K, V)


# %% [markdown]
# ## Look at it
#
# Is it a mirror? When "cat" looks at "mat", does "mat" look back just as much? Two lessons ago
# the scores had to mirror each other: queries and keys were the same vectors. Here they are not.
#
# ```python
# >>> from attention_scores import toy_embedding
# >>> X = toy_embedding("The cat sat on the mat".split())
# >>> output, weights = SelfAttention(8, 4, 3).forward(X)
# >>> print(f"cat looks at mat: {weights[1, 5]:.2f}, mat looks at cat: {weights[5, 1]:.2f}")
# cat looks at mat: 0.30, mat looks at cat: 0.09
# ```
#
# **A warning to keep.** These matrices were drawn at random. A strong cell is chance, not
# grammar. Only training gives it a meaning.
#
# **Key terms.** *Self-attention*: queries, keys and values from one sentence. *Cross-attention*:
# queries from one, keys and values from another. *Initialisation*: the first, random values of
# the parameters.

# %%
if __name__ == "__main__":
    from attention_scores import toy_embedding

    tokens = "The cat sat on the mat".split()
    output, weights = SelfAttention(8, 4, 3).forward(toy_embedding(tokens))
    for name, table in (("weights", weights), ("|weights - weights.T|", abs(weights - weights.T))):
        print(f"{name}\n{'':5}" + "".join(f"{token:>5}" for token in tokens))
        for token, row in zip(tokens, table, strict=True):
            print(f"{token:5}" + "".join(f"{w:5.2f}" for w in row))

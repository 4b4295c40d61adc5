# %% [markdown]
# # Compare two sentences: what changes, what stays?
#
# An experiment needs one thing that changes and everything else held still. Here the sentence
# changes, and the attention stays: **one object, the same matrices, two sentences.** A second
# object would have other matrices, and you would compare two things at once.
#
# Two sentences of equal length give two tables A and B. How different are they? You will write
# five answers, from a whole table down to one number:
#
# | function | gives | asks |
# |---|---|---|
# | `attention_difference` | `(n, n)` | which cells changed? |
# | `row_entropy` | `(n,)` | how widely does each word look? |
# | `js_divergence` | `(n,)` | how different are the two ways of looking? |
# | `argmax_agreement` | one number | how often is the favourite the same? |
# | `frobenius_distance` | one number | how far apart altogether? |
#
# The sixth, `compare_sentences`, sends both sentences through and collects everything.

# %% [markdown]
# ## Entropy, in words
#
# $$H(p) = -\sum_j p_j \ln p_j \qquad\text{with } 0 \ln 0 = 0$$
#
# Entropy is 0 if a word looks at one place only, and ln n if it looks at all n alike. Its unit is
# the **nat**, since the logarithm is the natural one. Nats are hard to feel, so undo the
# logarithm: exp(H) says how many words a row really looks at.
#
# ```python
# >>> rows = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1]]
# >>> for row, entropy in zip(rows, row_entropy(rows), strict=True):
# ...     print(row, f"{entropy:.2f} nats, looks at {np.exp(entropy):.1f} words")
# [1, 0, 0, 0] 0.00 nats, looks at 1.0 words
# [0.5, 0.5, 0, 0] 0.69 nats, looks at 2.0 words
# [0.25, 0.25, 0.25, 0.25] 1.39 nats, looks at 4.0 words
# [0.7, 0.1, 0.1, 0.1] 0.94 nats, looks at 2.6 words
# ```
#
# **Pitfall:** the logarithm of 0 is minus infinity, and 0 times infinity is `nan`. Causal tables
# are full of zeros.

# %% [markdown]
# ## Divergence: how different are two ways of looking?
#
# $$\mathrm{JS}(p, q) = H\!\left(\tfrac{p + q}{2}\right) - \tfrac{1}{2}\bigl(H(p) + H(q)\bigr)$$
#
# Mix the two rows half and half. If they are equal, the mixture is no wider than each of them,
# and the divergence is 0. If they share nothing, the mixture is wider by ln 2, the most there can
# be:
#
# ```python
# >>> equal, near, apart = [0.5, 0.5, 0], [0.4, 0.6, 0], [0, 0, 1]
# >>> print(np.round(js_divergence([equal] * 3, [equal, near, apart]), 3))  # nats
# [0.    0.005 0.693]
# >>> print(f"{np.log(2):.3f}")
# 0.693
# ```
#
# It is the same in both directions, and it never divides by 0. Some libraries return its square
# root, a distance; here the divergence itself is asked for.

# %%
import numpy as np


# %%
def attention_difference(A, B):
    """Subtract two tables of weights, cell by cell.

    Parameters
    ----------
    A, B : arrays of shape (n, n), each row sums to 1

    Returns
    -------
    difference : array of shape (n, n), A - B; each row sums to 0

    Examples
    --------
    >>> print(attention_difference([[1, 0], [0.5, 0.5]], [[0.5, 0.5]] * 2))  # not weights
    [[ 0.5 -0.5]
     [ 0.   0. ]]
    """
    return np.asarray(A) - np.asarray(B)


# %%
def row_entropy(A):
    """Measure how widely each row spreads its weight.

    Parameters
    ----------
    A : array of shape (n, n), each row sums to 1; 0 * ln 0 counts as 0

    Returns
    -------
    entropy : array of shape (n,), in nats, from 0 (one place) to ln n (all alike)

    Examples
    --------
    >>> print(np.round(row_entropy([[1, 0], [0.5, 0.5]]), 3))  # nats
    [0.    0.693]
    """
    A = np.asarray(A, dtype=float)
    logs = np.log(np.where(A > 0, A, 1))
    return -(A * logs).sum(axis=-1)


# %%
def js_divergence(A, B):
    """Measure row by row how far apart two tables of weights are.

    Parameters
    ----------
    A, B : arrays of shape (n, n), each row sums to 1

    Returns
    -------
    divergence : array of shape (n,), in nats, from 0 (equal rows) to ln 2 (nothing shared):
        entropy of the average row, minus average of the two entropies; no square root

    Examples
    --------
    >>> print(np.round(js_divergence([[1, 0], [0.5, 0.5]], [[0, 1], [0.5, 0.5]]), 3))  # nats
    [0.693 0.   ]
    """
    M = (np.asarray(A) + np.asarray(B)) / 2
    return row_entropy(M) - (row_entropy(A) + row_entropy(B)) / 2


# %%
def argmax_agreement(A, B):
    """Give the share of rows whose largest weight sits in the same column.

    Parameters
    ----------
    A, B : arrays of shape (n, n); of equal largest weights the leftmost counts

    Returns
    -------
    agreement : float, from 0 to 1

    Examples
    --------
    >>> argmax_agreement([[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.7, 0.3]])
    0.5
    """
    return np.mean(np.argmax(A, axis=-1) == np.argmax(B, axis=-1))


# %%
def frobenius_distance(A, B):
    """Give one number for how far apart two tables are: the root of all squared differences.

    Parameters
    ----------
    A, B : arrays of shape (n, n)

    Returns
    -------
    distance : float, 0 for equal tables

    Examples
    --------
    >>> frobenius_distance([[1, 0], [0, 1]], [[0, 1], [1, 0]])
    2.0
    """
    return np.sqrt(np.sum(attention_difference(A, B) ** 2))


# %%
def compare_sentences(attention, X_a, X_b):
    """Send two sentences of equal length through the same attention, and compare.

    Parameters
    ----------
    attention : object with `.forward(X)`, such as a SelfAttention; used for both sentences
    X_a, X_b : arrays of shape (n, d_model); ValueError where their lengths differ

    Returns
    -------
    result : dict with `weights_a weights_b difference` (n, n), `entropy_a entropy_b divergence`
        (n,), `agreement distance` float

    Examples
    --------
    >>> from self_attention import SelfAttention
    >>> same = compare_sentences(SelfAttention(4, 3, 2), np.eye(4), np.eye(4))
    >>> print(same["agreement"], same["distance"])
    1.0 0.0
    """
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


# %% [markdown]
# ## Look at it: attention is blind to order
#
# Compare "dog bites man" with "man bites dog". Before you run this: the same three words, in
# another order. What will the second table look like?
#
# ```python
# >>> from attention_scores import toy_embedding
# >>> from self_attention import SelfAttention
# >>> X_a, X_b = toy_embedding("dog bites man".split()), toy_embedding("man bites dog".split())
# >>> result = compare_sentences(SelfAttention(8, 4, 3), X_a, X_b)
# >>> print(np.round(result["weights_a"], 2))
# [[0.43 0.32 0.25]
#  [0.24 0.28 0.48]
#  [0.32 0.35 0.33]]
# >>> print(np.round(result["weights_b"], 2))
# [[0.33 0.35 0.32]
#  [0.48 0.28 0.24]
#  [0.25 0.32 0.43]]
# >>> moved = result["weights_b"][::-1, ::-1]
# >>> print(np.allclose(result["weights_a"], moved))
# True
# ```
#
# The same numbers, only rows and columns changed places with the words. For this attention the
# two headlines are one bag of words. With a causal mask that ends:
#
# ```python
# >>> from causal_mask import causal_mask
# >>> from masked_attention import masked_attention
# >>> tables = [masked_attention(X, X, X, causal_mask(3))[1] for X in (X_a, X_b)]
# >>> print(np.allclose(tables[0], tables[1][::-1, ::-1]))
# False
# ```
#
# Telling each word its position ends it, too. A real language model does at least one of the two.
#
# And remember: these matrices were drawn at random. What you see is how attention *works*, not
# what language *means*.
#
# **Key terms.** *Entropy*: how widely a row spreads. *Divergence*: how different two
# distributions are. *Permutation equivariance*: swap the words, and the table is swapped along,
# nothing else.

# %%
if __name__ == "__main__":
    from ascii_heatmap import ascii_heatmap
    from attention_scores import toy_embedding
    from self_attention import SelfAttention

    attention = SelfAttention(8, 4, 3)
    pairs = (
        ("The cat sat on the mat", "The dog sat on the rug"),
        ("我 喜欢 自然 语言 处理 。", "他 喜欢 自然 风景 照片 。"),
        ("dog bites man", "man bites dog"),
        ("狗 咬 人", "人 咬 狗"),
    )
    for sentences in pairs:
        a, b = (sentence.split() for sentence in sentences)
        result = compare_sentences(attention, toy_embedding(a), toy_embedding(b))
        print(ascii_heatmap(result["weights_a"], a, chars="·░▒▓█"))
        print(ascii_heatmap(result["weights_b"], b, chars="·░▒▓█"))
        print(f"same favourite: {result['agreement']:.2f}, distance: {result['distance']:.2f}")
        for token, words in zip(a, np.exp(result["entropy_a"]), strict=True):
            print(f"{token} looks at {words:.1f} words")

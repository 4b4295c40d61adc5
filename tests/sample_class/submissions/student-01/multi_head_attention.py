# %% [markdown]
# # Multi-head attention: several views at once
#
# All parts are on the table. Multi-head attention sets them up in a row:
#
# | step | shape |
# |---|---|
# | X | `(n, d_model)` |
# | project: Q, K, V | `(n, d_model)` each |
# | split | `(n_heads, n, d_head)` each |
# | attend, each head by itself | weights `(n_heads, n, n)`, output `(n_heads, n, d_head)` |
# | put the heads side by side | `(n, d_model)` |
# | mix them with `W_o` | `(n, d_model)` |
#
# All heads are computed at once: the head axis is one more leading axis, and your masked
# attention takes leading axes as they come. One mask `(n, n)` serves all heads.
#
# **More heads cost no more parameters.** The four matrices are `(d_model, d_model)` for 1 head
# and for 8. What grows is the number of tables: one for each head. With n = 6 and 8 heads:
#
# ```python
# >>> X, W = np.ones((6, 16)), np.eye(16)
# >>> for n_heads in (1, 8):
# ...     output, weights = multi_head_attention(X, W, W, W, W, n_heads)
# ...     print(n_heads, "heads:", 4 * W.size, "parameters, weights", weights.shape)
# 1 heads: 1024 parameters, weights (1, 6, 6)
# 8 heads: 1024 parameters, weights (8, 6, 6)
# ```

# %% [markdown]
# ## What is W_o for?
#
# After the heads are put side by side, each column belongs to one head, and the heads have not
# met yet. `W_o` lets them talk: every output number may take from every head. If the heads were
# averaged instead, nobody could tell any more who said what.
#
# ## Pitfalls
#
# - **The square root of what?** Each head works with vectors of d_head numbers. That is *its*
#   d_k.
# - **Softmax over the heads.** A token compares tokens with each other, not its own heads.
# - **Gluing by `reshape` alone.** You know the tape by now: axes back first.
# - **The mask once too often, or never.** It goes to each head, before its softmax.

# %%
import numpy as np

from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


# %%
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, attend in each head, put side by side, project with W_o.

    Parameters
    ----------
    X : array of shape (..., n, d_model)
    W_q, W_k, W_v, W_o : arrays of shape (d_model, d_model)
    n_heads : int; ValueError where it does not divide d_model
    mask : bool array that broadcasts to (..., n_heads, n, n), such as (n, n); True = may look

    Returns
    -------
    output : array of shape (..., n, d_model)
    weights : array of shape (..., n_heads, n, n), each row sums to 1

    Examples
    --------
    >>> output, weights = multi_head_attention(np.ones((5, 4)), *[np.eye(4)] * 4, n_heads=2)
    >>> print(output.shape, weights.shape)
    (5, 4) (2, 5, 5)
    """
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    Q = split_heads(Q, n_heads)
    K = split_heads(K, n_heads)
    V = split_heads(V, n_heads)
    heads, weights = masked_attention(Q, K, V, mask)
    return concat_heads(heads) @ W_o, weights


# %% [markdown]
# ## Use it: torch.nn.MultiheadAttention
#
# In real work you *use* a library's attention: it is tested and tuned, runs on a GPU, and
# computes gradients. Now you know what is inside, and three things to look up each time:
#
# 1. **Its mask is the other way round:** `True` means hidden, so it gets `~mask`.
# 2. **Its matrices stand on their side,** one row an output column, with Q, K and V stacked in
#    one array.
# 3. **Its weights are averaged over the heads** unless you ask for each.
#
# And say `batch_first=True`, or the first axis is the token axis. If torch is installed, this
# runs, and the two agree:
#
# ```python torch
# >>> import torch
# >>> from causal_mask import causal_mask
# >>> rng = np.random.default_rng(0)
# >>> X, mask = rng.normal(size=(2, 5, 12)), causal_mask(5)
# >>> W_q, W_k, W_v, W_o = rng.normal(size=(4, 12, 12))
# >>> theirs = torch.nn.MultiheadAttention(12, 3, bias=False, batch_first=True, dtype=torch.float64)
# >>> with torch.no_grad():
# ...     _ = theirs.in_proj_weight.copy_(torch.tensor(np.hstack([W_q, W_k, W_v]).T))
# ...     _ = theirs.out_proj.weight.copy_(torch.tensor(W_o.T))
# ...     x = torch.tensor(X)
# ...     hidden = torch.tensor(~mask)
# ...     output, weights = theirs(x, x, x, attn_mask=hidden, average_attn_weights=False)
# >>> ours = multi_head_attention(X, W_q, W_k, W_v, W_o, 3, mask)
# >>> print(np.allclose(ours[0], output.numpy()), np.allclose(ours[1], weights.numpy()))
# True True
# ```

# %% [markdown]
# ## Look at it
#
# Four heads, four pictures of one sentence. Then a surprise: many small heads with little
# matrices of their own give the same weights as one big matrix, cut into columns.
#
# **Key terms.** *Multi-head attention*: several attentions side by side, mixed at the end. *W_o*:
# the output projection. *Parallel*: all heads at once, as one array.

# %%
if __name__ == "__main__":
    from ascii_heatmap import ascii_heatmap
    from attention_scores import toy_embedding
    from self_attention import SelfAttention

    tokens = "我 喜欢 自然 语言 处理 。".split()
    X = toy_embedding(tokens, d_model=16)
    small = [SelfAttention(16, 4, 4, seed=seed) for seed in range(4)]
    W_q = np.hstack([head.W_q for head in small])
    W_k = np.hstack([head.W_k for head in small])
    W_v = np.hstack([head.W_v for head in small])
    output, weights = multi_head_attention(X, W_q, W_k, W_v, np.eye(16), n_heads=4)
    for number, head in enumerate(weights):
        print(f"head {number}\n{ascii_heatmap(head, tokens, chars='·░▒▓█')}")
    apart = max(abs(head.forward(X)[1] - w).max() for head, w in zip(small, weights, strict=True))
    print(f"four small attentions, one big one: largest difference {apart:.1f}")

# /// exercise
# title = "Multi-head attention: several views at once"
# title_zh = "多头注意力：同时用几种眼光看"
# minutes = 20
# difficulty = 4
# forbidden = ["torch"]
# ///

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

# %% [markdown] lang="zh"
# # 多头注意力：同时用几种眼光看
#
# 零件都齐了。多头注意力把它们排成一行：
#
# | 步骤 | 形状 |
# |---|---|
# | X | `(n, d_model)` |
# | 投影：Q、K、V | 各 `(n, d_model)` |
# | 拆开 | 各 `(n_heads, n, d_head)` |
# | 各个头自己做注意力 | 权重 `(n_heads, n, n)`，输出 `(n_heads, n, d_head)` |
# | 把头并排拼起来 | `(n, d_model)` |
# | 用 `W_o` 混合 | `(n, d_model)` |
#
# 所有的头一次算完：头这个轴只是多了一个前置轴，而你的带掩码注意力本来就接受前置轴。
# 一个 `(n, n)` 的掩码供所有的头使用。
#
# **头更多，参数并不更多。** 1 个头也好，8 个头也好，四个矩阵都是 `(d_model, d_model)`。
# 变多的是表：每个头一张。n = 6，8 个头：
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

# %% [markdown] lang="zh"
# ## W_o 是做什么的？
#
# 头并排拼好以后，每一列只属于一个头，头与头还没有见过面。`W_o` 让它们交谈：
# 每个输出数都可以从每个头取一些。如果把头平均，就再也分不清是谁说了什么。
#
# ## 常见的坑
#
# - **谁的平方根？** 每个头用的是 d_head 个数的向量。那就是*它的* d_k。
# - **沿着头做 softmax。** 一个词元是拿各个词元互相比较，不是拿自己的几个头互相比较。
# - **只用 `reshape` 来拼。** 你已经认识那条带子：先把轴换回来。
# - **掩码多用一次，或者一次也没用。** 它要进入每个头，在那个头的 softmax 之前。

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
    ### BEGIN SOLUTION
    Q, K, V = (split_heads(view, n_heads) for view in project_qkv(X, W_q, W_k, W_v))
    output, weights = masked_attention(Q, K, V, mask)  # (..., h, n, d_head), (..., h, n, n)
    return concat_heads(output) @ np.asarray(W_o), weights
    ### END SOLUTION


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

# %% [markdown] lang="zh"
# ## 用起来：torch.nn.MultiheadAttention
#
# 真正工作时，*使用*库里的注意力：它经过测试和优化，能在 GPU 上运行，还能算梯度。
# 现在你知道里面是什么了，每次用之前要查三件事：
#
# 1. **它的掩码是反的：** `True` 表示遮住，所以要给它 `~mask`。
# 2. **它的矩阵是横放的，** 一行对应一个输出列，而且 Q、K、V 叠在一个数组里。
# 3. **它的权重默认对各个头取平均，** 除非你要求分开给。
#
# 还要写 `batch_first=True`，不然第一个轴就是词元轴。如果装了 torch，下面的代码可以运行，
# 两者一致：
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

# %% [markdown] lang="zh"
# ## 看一看
#
# 四个头，同一句话的四幅图。然后是一个惊喜：许多带着小矩阵的小头，和一个切成几列的大矩阵，
# 给出同样的权重。
#
# **关键词。** *多头注意力*：几个注意力并排，最后混合。*W_o*：输出投影。*并行*：
# 所有的头作为一个数组一次算完。

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

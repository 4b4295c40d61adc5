# /// exercise
# title = "Queries, keys, values: three views of one token"
# title_zh = "查询、键、值：同一个词的三种视角"
# minutes = 8
# difficulty = 2
# ///

# %% [markdown]
# # Queries, keys, values: three views of one token
#
# So far the same vector had to ask, to be found, and to answer. That is too much for one vector.
# "cat" looks for a verb, wants to be found by "sat", and when it is found it should say: *an
# animal*. Three jobs, three vectors.
#
# They are made from the same token by three matrices. The matrices are the **parameters**: they
# are what training changes. The token is **data**.
#
# | | shape | |
# |---|---|---|
# | `X` | `(n, d_model)` | one row a token |
# | `W_q`, `W_k` | `(d_model, d_k)` | queries meet keys, so both are equally long |
# | `W_v` | `(d_model, d_v)` | values are only mixed: any width will do |

# %% [markdown] lang="zh"
# # 查询、键、值：同一个词的三种视角
#
# 到现在为止，同一个向量既要提问，又要被找到，还要回答。一个向量做不了这么多。“cat”在找动词，
# 希望被“sat”找到，被找到时应该说：*一种动物*。三件事，三个向量。
#
# 它们由三个矩阵从同一个词元变出来。矩阵是**参数**：训练改变的就是它们。词元是**数据**。
#
# | | 形状 | |
# |---|---|---|
# | `X` | `(n, d_model)` | 一个词元一行 |
# | `W_q`、`W_k` | `(d_model, d_k)` | 查询和键要做点积，所以一样长 |
# | `W_v` | `(d_model, d_v)` | 值只用来混合：多宽都可以 |

# %% [markdown]
# ## A matrix as a viewpoint
#
# A token of four numbers, and a matrix that looks at two of them:
#
# ```python
# >>> token = np.array([[5, 0, 7, 1]])
# >>> view = np.array([[1, 0], [0, 0], [0, 1], [0, 0]])
# >>> print(token @ view)
# [[5 7]]
# ```
#
# One token or a hundred: the tokens stay in their rows, so the number of rows never changes.
#
# **Pitfall.** Each token is a *row*, so the matrix stands on the *right*. In some books tokens
# are columns and the matrix stands on the left; taken over as it is, that fits only when n and
# d_model happen to be equal, and then it mixes different tokens. And keep the three apart: with
# one and the same matrix for queries and keys every word tends to like itself best.

# %% [markdown] lang="zh"
# ## 一个矩阵就是一种视角
#
# 一个由四个数组成的词元，和一个只看其中两个数的矩阵：
#
# ```python
# >>> token = np.array([[5, 0, 7, 1]])
# >>> view = np.array([[1, 0], [0, 0], [0, 1], [0, 0]])
# >>> print(token @ view)
# [[5 7]]
# ```
#
# 一个词元也好，一百个也好：词元都待在自己的行里，所以行数从不改变。
#
# **常见的坑。** 每个词元是一*行*，所以矩阵站在*右边*。有些书里词元是列，矩阵在左边；照搬过来，
# 只有 n 和 d_model 碰巧相等时才对得上，而那时混在一起的是不同的词元。还有，三个矩阵要分开：
# 查询和键若用同一个矩阵，每个词往往最喜欢自己。

# %%
import numpy as np


# %%
def project_qkv(X, W_q, W_k, W_v):
    """Give each token its query, its key and its value.

    Parameters
    ----------
    X : array of shape (..., n, d_model), one row a token
    W_q, W_k : arrays of shape (d_model, d_k)
    W_v : array of shape (d_model, d_v)

    Returns
    -------
    Q, K : float arrays of shape (..., n, d_k)
    V : float array of shape (..., n, d_v)

    Raises ValueError where the shapes do not fit. Leading axes (...) are sentences side by side.

    Examples
    --------
    >>> Q, K, V = project_qkv([[1, 2]], [[1], [0]], [[0], [1]], [[1, 2, 3], [1, 1, 1]])
    >>> print(Q, K, V)
    [[1.]] [[2.]] [[3. 4. 5.]]
    """
    ### BEGIN SOLUTION
    X = np.asarray(X, dtype=float)
    return X @ np.asarray(W_q), X @ np.asarray(W_k), X @ np.asarray(W_v)
    ### END SOLUTION


# %% [markdown]
# ## Look at it
#
# One sentence, three tables. The same six words, seen by a searcher, by a signpost and by a
# storyteller.
#
# **Key terms.** *Projection*: multiplying by a matrix, to see a token in another way. *d_model*:
# the width of a token. *Parameters*: numbers that training changes.

# %% [markdown] lang="zh"
# ## 看一看
#
# 一句话，三张表。同样的六个词：分别从寻找者、路标和讲述者的眼光看。
#
# **关键词。** *投影*：乘一个矩阵，换一种方式看词元。*d_model*：一个词元的宽度。*参数*：
# 训练会改变的数。

# %%
if __name__ == "__main__":
    from attention_scores import toy_embedding

    tokens = "The cat sat on the mat".split()
    rng = np.random.default_rng(0)
    views = project_qkv(toy_embedding(tokens), *rng.normal(0, 0.4, size=(3, 8, 3)))
    print(f"{'':5}{'query':^19}{'key':^19}{'value':^19}")
    for i, token in enumerate(tokens):
        print(f"{token:5}" + " │".join("".join(f"{x:6.1f}" for x in view[i]) for view in views))

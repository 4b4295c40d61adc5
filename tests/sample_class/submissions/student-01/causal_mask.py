# %% [markdown]
# # The causal mask: who may look?
#
# A language model guesses the next word. While it learns, it sees whole sentences. If "sat" could
# look at "on", there would be nothing left to guess: the answer stands on the next seat. So each
# word may look at what was said so far, and not at what comes after.
#
# That is a table of yes and no, one row for who looks, one column for who is looked at: a
# **mask**. Here, as on page one, `True` means "may look".
#
# - When word 3 is spoken, which words have been said? Word 3 itself, too?
# - What does the first row look like? A row without any `True` would be a word that may look at
#   nobody, not even at itself.

# %% [markdown]
# ## Pitfalls
#
# - **Upside down.** Then the first word sees everything, and the last only itself.
# - **One step too far.** Then each word sees the very next one: the answer.
# - **One step too short.** Then a word may not look at itself, and the first row is empty.
# - **Numbers in place of a boolean.** 0 and 1 in the right places are nearly right. But `~`,
#   which turns a boolean mask around, does something else with numbers:
#
# ```python
# >>> print(~np.array([True, False]), ~np.array([1, 0]))
# [False  True] [-2 -1]
# ```

# %%
import numpy as np


# %%
def causal_mask(n):
    """Say for n tokens in a row who may look at whom: at itself and what came before.

    Parameters
    ----------
    n : int, the number of tokens

    Returns
    -------
    mask : bool array of shape (n, n); True = row i may look at column j

    Examples
    --------
    >>> print(causal_mask(2))
    [[ True False]
     [ True  True]]
    """
    return np.tril(np.ones((n, n))).astype(bool)


# %% [markdown]
# ## Look at it
#
# Watch the triangle grow, one word at a time. How many places are open for n words?
#
# **Key terms.** *Mask*: who may look at whom. *Causal*: nothing depends on what comes later.
# *Autoregressive*: making a text word by word, each from those before it.

# %%
if __name__ == "__main__":
    tokens = "The cat sat on the mat".split()
    for token, row in zip(tokens, causal_mask(len(tokens)), strict=True):
        print(f"{token:4}", " ".join("█" if may else "·" for may in row))

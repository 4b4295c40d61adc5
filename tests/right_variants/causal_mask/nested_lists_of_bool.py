"""Nested lists of bool."""


def causal_mask(n):
    return [[True] * (i + 1) + [False] * (n - 1 - i) for i in range(n)]

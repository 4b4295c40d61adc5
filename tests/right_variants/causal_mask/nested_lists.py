"""Nested lists of truth values, without NumPy."""


def causal_mask(n):
    return [[column <= row for column in range(n)] for row in range(n)]

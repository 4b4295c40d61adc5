"""The engine of the attention exercise kit: it builds, runs, grades and explains."""

__version__ = "0.1.0"

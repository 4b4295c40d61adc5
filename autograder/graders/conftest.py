"""Makes ``pytest autograder/graders --submission=X`` work by hand."""

from autograder.plugin_words import begin as pytest_addoption

__all__ = ["pytest_addoption"]

"""Makes ``pytest autograder/graders --submission=X`` work by hand."""

from autograder.plugin import (
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_pyfunc_call,
    pytest_runtest_setup,
    pytest_sessionfinish,
    pytest_sessionstart,
    pytest_terminal_summary,
    reference,
    rng,
    student,
)

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_pyfunc_call",
    "pytest_runtest_setup",
    "pytest_sessionfinish",
    "pytest_sessionstart",
    "pytest_terminal_summary",
    "reference",
    "rng",
    "student",
]

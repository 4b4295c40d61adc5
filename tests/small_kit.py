"""A kit of two exercises, for tests of the engine: fast, and no matter what the course teaches."""

from __future__ import annotations

from pathlib import Path

HEADER = """\
# /// exercise
# title = "Twice: a number doubled"
# title_zh = "翻倍"
# minutes = 5
# difficulty = 1
# ///
"""
TWICE = (
    HEADER
    + '''
# %% [markdown]
# # Twice
#
# Doubles `x`.

# %% [markdown] lang="zh"
# # 翻倍

# %%
import numpy as np

# %%
def twice(x):
    """Give 2 x."""
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION
'''
)
QUADRUPLE = (
    HEADER
    + '''
# %%
from twice import twice

# %%
class Quadruple:
    def __init__(self, times=2):
        """Remember how often."""
        ### BEGIN SOLUTION
        self.times = times
        ### END SOLUTION

    def forward(self, x):
        """Double it so often."""
        ### BEGIN SOLUTION
        for _ in range(self.times):
            x = twice(x)
        return x
        ### END SOLUTION
'''
)
GRADER_TWICE = '''\
"""Grader of twice; HIDDEN_MARK is in no student's file."""

import numpy as np

from autograder import expect
from autograder.check import needs, points, visible

SHAPE = (2, 3)
SECRET = "HIDDEN_MARK"


def _probe(rng):
    # both signs
    return rng.normal(size=SHAPE)


@visible
@points(1)
def test_shape_stays(student, rng):
    """The shape stays"""
    expect.numbers(student.twice(_probe(rng)), SHAPE)


@visible
@points(2)
@needs("shape_stays")
def test_values(student, reference, rng):
    """Each number is doubled"""
    x = _probe(rng)
    expect.close(student.twice(x), reference.twice(x))


@points(1)
def test_integers(student, reference):
    """Whole numbers are doubled too"""
    assert SECRET
    expect.close(student.twice(np.arange(3)), reference.twice(np.arange(3)))
'''
GRADER_QUADRUPLE = '''\
"""Grader of quadruple."""

from autograder import expect
from autograder.check import points, visible


def _probe(rng):
    return rng.integers(1, 9, size=4)


@visible
@points(6)
def test_forward(student, reference, rng):
    """Doubling three times is eightfold"""
    x = _probe(rng)
    got = student.Quadruple(3).forward(x)
    expect.close(got, reference.Quadruple(3).forward(x))
'''


def small_kit(root: Path) -> Path:
    """Write the small kit into `root` and give it."""
    graders = root / "autograder" / "graders"
    graders.mkdir(parents=True)
    (root / "solutions").mkdir()
    for name, solution, grader in (
        ("twice", TWICE, GRADER_TWICE),
        ("quadruple", QUADRUPLE, GRADER_QUADRUPLE),
    ):
        (root / "solutions" / f"{name}.py").write_text(solution, "utf-8")
        (graders / f"test_{name}.py").write_text(grader, "utf-8")
    (root / "pyproject.toml").write_text(
        '[tool.autograder]\nexercises = ["twice", "quadruple"]\n', "utf-8"
    )
    return root

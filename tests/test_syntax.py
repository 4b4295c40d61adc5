"""What counts as begun: whatever can do the work does, and what a student started from does not."""

from __future__ import annotations

import json

import pytest
import running

from autograder.stub import stub
from autograder.syntax import read

ASKED = "softmax"
WAITS = "def softmax(x):\n    raise NotImplementedError()\n"
CLASS = "class softmax:\n    def forward(self, x):\n        raise NotImplementedError()\n"
WORKS = "def softmax(x):\n        return x\n"  # in a branch

BEGUN = {
    "a class made from another": "class softmax(Base):\n    pass\n",
    "with a docstring": 'class softmax(Base):\n    """Everything stands in Base."""\n',
    "from an attribute": "class softmax(parts.Base): ...\n",
    "with an empty method": "class softmax(Base):\n    def __init__(self):\n        pass\n",
    "by a metaclass": "class softmax(metaclass=Made):\n    pass\n",
    "a decorated class": "@filled\nclass softmax:\n    pass\n",
    "methods bound by name": "class softmax:\n    forward = _forward\n",
    "a method bound later": CLASS + "    forward = _forward\n",
    "a method beside an empty one": (
        "class softmax:\n    def __init__(self):\n        pass\n    forward = _forward\n"
    ),
    "a method defined twice": CLASS + "    def forward(self, x):\n        return x\n",
    "an async method": "class softmax:\n    async def forward(self, x):\n        return x\n",
    "a decorated function": '@like(_mine)\ndef softmax(x):\n    """Give the rows."""\n',
    "another name for it": "softmax = _mine\n",
    "another name below the stub": WAITS + "softmax = _mine\n",
    "two names at once": WAITS + "softmax, other = _mine, 1\n",
    "a name in a list": "[other, *softmax] = _mine\n",
    "with its type": "softmax: Callable = _mine\n",
    "a lambda": "softmax = lambda x: x\n",
    "by the table of names": WAITS + 'globals()["softmax"] = _mine\n',
    "one of two branches": f"if FAST:\n    {WORKS}else:\n    softmax = 0\n",
    "the other is a stub": f"if FAST:\n    {WORKS}else:\n    def softmax(x):\n        pass\n",
    "where an import fails": f"try:\n    import fast\nexcept ImportError:\n    {WORKS}",
    "where one of several fails": f"try:\n    import fast\nexcept* ImportError:\n    {WORKS}",
    "one of many cases": "match FAST:\n    case _:\n        softmax = _mine\n",
    "filled from outside": CLASS + "softmax.forward = _forward\n",
    "filled by call": CLASS + "setattr(softmax, 'forward', _forward)\n",
    "filled by a decorator": CLASS + "@added_to(softmax)\ndef forward(self, x):\n    return x\n",
}
NOT_BEGUN = {
    "the placeholder": WAITS,
    "a docstring": 'def softmax(x):\n    """Give the rows."""\n',
    "pass": "def softmax(x):\n    pass\n",
    "dots": "def softmax(x): ...\n",
    "a decorated placeholder": "@cached\n" + WAITS,
    "a class": CLASS,
    "a class of object": "class softmax(object):\n    pass\n",
    "an empty class": "class softmax():\n    ...\n",
    "a class made from another, with placeholders": CLASS.replace("softmax:", "softmax(Base):"),
    "a class with a given part": CLASS + "    scale = 1.0\n",
    "a stub below an import": "from _mine import softmax\n" + WAITS,
    "another one filled": CLASS + "other.forward = _forward\nsetattr(other, 'x', softmax)\n",
    "used by a decorated one": CLASS + "@cached\ndef other(x):\n    return softmax()\n",
    "a stub in a branch": "if FAST:\n    def softmax(x):\n        pass\n",
}


@pytest.mark.parametrize("how", BEGUN)
def test_what_can_do_the_work_counts_as_begun(how: str) -> None:
    file = read("softmax.py", BEGUN[how].encode())
    assert [unit.defines[ASKED] for unit in file.units] == ["attempted"]


@pytest.mark.parametrize("how", NOT_BEGUN)
def test_what_holds_no_work_is_a_stub(how: str) -> None:
    file = read("softmax.py", NOT_BEGUN[how].encode())
    assert [unit.defines[ASKED] for unit in file.units] == ["stub"]


def test_what_stands_in_for_a_failed_import_does_not_replace_it() -> None:
    code = f"try:\n    from softmax import softmax\nexcept ImportError:\n    {WORKS}"
    file = read("masked_attention.py", code.encode())
    assert [unit.defines[ASKED] for unit in file.units] == ["bound"]


def test_a_class_filled_in_later_cells_is_begun_there() -> None:
    cells = (CLASS, "@added_to(softmax)\ndef forward(self, x):\n    return x\n", "softmax()")
    made: list[dict[str, object]] = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c}
        for c in cells
    ]
    data = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    file = read("attention.ipynb", data.encode())
    assert [unit.defines.get(ASKED) for unit in file.units] == ["stub", "attempted", None]


def test_another_file_that_fills_a_class_does_not_define_it() -> None:
    file = read("heads.py", b"from softmax import softmax\nsoftmax.forward = 1\n")
    assert file.units[0].defines[ASKED] == "bound"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_every_student_starts_from_is_a_stub(lang: str) -> None:
    for exercise in running.kit().exercises:
        (unit,) = read(f"{exercise.id}.py", stub(exercise, lang).encode()).units
        assert {unit.defines[name] for name in exercise.names} == {"stub"}, exercise.id

"""What an exercise is to be solved without: noticed where it happens, told, and never invented."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import running
from classroom import plan, write
from click.testing import CliRunner
from small_kit import TWICE, small_kit

from autograder import batch, board, overrides
from autograder.answers import shortcuts_of
from autograder.cli import main
from autograder.course import pages
from autograder.desk import check as run_checks
from autograder.desk import open_desk
from autograder.exercise import SourceError, given_sources, parse_exercise, read_kit
from autograder.forbidden import Forbidden
from autograder.grader import Grader
from autograder.picture import Look
from autograder.policy import FINDING, hold
from autograder.results import (
    CheckResult,
    ExerciseResult,
    Results,
    exercise_result,
    from_json,
    graded,
)
from autograder.sandbox import Sandbox
from autograder.submission import Submission, find

LIST = (
    'forbidden = ["numpy.add", "numpy.linalg", "statistics", "torch", "scipy.special.softmax", '
    '"fractions.Fraction"]'
)
RIGHT = "def twice(x):\n    return x * 2\n"


def header(*lines: str) -> str:
    """Give the small kit's first solution with more lines in its header."""
    return TWICE.replace("# ///\n\n", "".join(f"# {line}\n" for line in lines) + "# ///\n\n", 1)


# -- the header ------------------------------------------------------------------------------


def test_a_header_without_a_list_forbids_nothing() -> None:
    assert parse_exercise(Path("twice.py"), TWICE).forbidden == Forbidden()


@pytest.mark.parametrize(
    ("lines", "cost"),
    [
        ((), 0.0),
        (("forbidden_cost = 0",), 0.0),
        (("forbidden_cost = 1.5",), 1.5),
        (('forbidden_cost = "all"',), math.inf),
    ],
)
def test_list_and_cost_are_read_where_they_are_right(lines: tuple[str, ...], cost: float) -> None:
    found = parse_exercise(Path("twice.py"), header('forbidden = ["torch", "math.exp"]', *lines))
    assert found.forbidden == Forbidden(("torch", "math.exp"), cost)


BAD = {
    "no list": ('forbidden = "torch"', 6, "list"),
    "no text": ("forbidden = [1]", 6, "dotted names"),
    "no name": ('forbidden = ["import torch"]', 6, "dotted names"),
    "relative": ('forbidden = [".torch"]', 6, "dotted names"),
    "full-width": ('forbidden = ["ｔorch"]', 6, "dotted names"),
    "too long": (f'forbidden = ["{"x" * 81}"]', 6, "dotted names"),
    "too many": (f"forbidden = {json.dumps([f'x{n}' for n in range(41)])}", 6, "at most 40"),
    "twice": ('forbidden = ["torch", "torch"]', 6, "already"),
    "within": ('forbidden = ["torch.nn", "torch"]', 6, "already, as `torch`"),
    "cost alone": ("forbidden_cost = 2", 6, "needs a list"),
    "cost negative": ('forbidden = ["torch"]\n# forbidden_cost = -1', 7, "number of points"),
    "cost not finite": ('forbidden = ["torch"]\n# forbidden_cost = inf', 7, "number of points"),
    "cost true": ('forbidden = ["torch"]\n# forbidden_cost = true', 7, "number of points"),
    "cost a word": ('forbidden = ["torch"]\n# forbidden_cost = "some"', 7, "number of points"),
    "used itself": ('forbidden = ["numpy"]', 18, "the solution itself uses `numpy`"),
}


@pytest.mark.parametrize("how", BAD)
def test_a_header_is_refused_with_its_line_where_it_does_not_hold(how: str) -> None:
    line, place, says = BAD[how]
    with pytest.raises(SourceError, match=says) as caught:
        parse_exercise(Path("twice.py"), header(line))
    assert (caught.value.path, caught.value.line) == (Path("twice.py"), place)


@pytest.mark.parametrize(
    ("code", "listed"),
    [
        ("import math as m\ny = m.exp(1)\n", "math.exp"),
        ("from math import exp\n", "math.exp"),
        ("import numpy.linalg\n", "numpy.linalg"),
        ("y = np.linalg.inv\n", "numpy.linalg"),
    ],
)
def test_a_solution_that_uses_what_it_forbids_is_refused(code: str, listed: str) -> None:
    text = header(f'forbidden = ["{listed}"]') + f"\n# %%\n{code}"
    with pytest.raises(SourceError, match="itself uses"):
        parse_exercise(Path("twice.py"), text)


# -- what is noticed -------------------------------------------------------------------------


def kit_with(root: Path, *lines: str) -> Path:
    home = small_kit(root)
    (home / "solutions" / "twice.py").write_text(header(*lines), "utf-8")
    return home


@pytest.fixture(scope="module")
def grade(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Grade files with the list above, at a cost of one point; give both exercises."""
    kit = read_kit(kit_with(tmp_path_factory.mktemp("kit"), LIST, "forbidden_cost = 1"))
    grader = Grader(kit, (), "en", b"test")

    def run(files: dict[str, str]) -> list[ExerciseResult]:
        school = tmp_path_factory.mktemp("class")
        write(school / "one", files)
        (found,), _ = find([school], kit.ids)
        result = grader.grade(found.read())
        from_json(Results("0", ("L0",), (result,)).to_json())
        return list(result.exercises)

    yield run
    grader.close()


def notebook(*cells: str) -> str:
    made: list[dict[str, Any]] = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c}
        for c in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


USES = {
    "by its module": ("import numpy as np\ndef twice(x):\n    return np.add(x, x)\n", "numpy.add"),
    "by name": ("from numpy import add as f\ndef twice(x):\n    return f(x, x)\n", "numpy.add"),
    "by star": ("from numpy import *\ndef twice(x):\n    return add(x, x)\n", "numpy.add"),
    "by getattr": (
        "import numpy\ndef twice(x):\n    return getattr(numpy, 'a' + 'dd')(x, x)\n",
        "numpy.add",
    ),
    "by a table of modules": (
        "import sys, numpy\ndef twice(x):\n    return sys.modules['numpy'].add(x, x)\n",
        "numpy.add",
    ),
    "by __import__": ("def twice(x):\n    return __import__('numpy').add(x, x)\n", "numpy.add"),
    "by importlib": (
        "import importlib\ndef twice(x):\n    return importlib.import_module('numpy').add(x, x)\n",
        "numpy.add",
    ),
    "by a table of functions": (
        "import numpy as np\nways = {'a': np.add}\ndef twice(x):\n    return ways['a'](x, x)\n",
        "numpy.add",
    ),
    "by a table of names": (
        "import numpy as np\ndef twice(x):\n    return np.__dict__['add'](x, x)\n",
        "numpy.add",
    ),
    "kept in an object": (
        "import numpy as np\nclass Way:\n    plus = np.add\n"
        "def twice(x):\n    return Way().plus(x, x)\n",
        "numpy.add",
    ),
    "in a comprehension": (
        "import numpy as np\ndef twice(x):\n    return [np.add(y, y) for y in [x]][0]\n",
        "numpy.add",
    ),
    "in a text with places": (
        "import numpy as np\ndef twice(x):\n    f'{np.add(1, 1)}'\n    return x * 2\n",
        "numpy.add",
    ),
    "with one argument set": (
        "import numpy as np, functools\ndef twice(x):\n"
        "    return functools.partial(np.add, x)(x)\n",
        "numpy.add",
    ),
    "handed to map": (
        "import numpy as np\ndef twice(x):\n    return list(map(np.add, [x], [x]))[0]\n",
        "numpy.add",
    ),
    "handed to sorted": (
        "import numpy as np\ndef twice(x):\n"
        "    sorted([[1.0]], key=np.linalg.norm)\n    return x * 2\n",
        "numpy.linalg",
    ),
    "handed to numpy before": (
        "import numpy as np\nplus = np.vectorize(np.add)\ndef twice(x):\n    return plus(x, x)\n",
        "numpy.add",
    ),
    "what twice is itself": (
        "import functools, numpy as np\ntwice = functools.partial(np.multiply, 2)\n"
        "twice = functools.partial(np.add, 0)\n_add = twice\ntwice = lambda x: _add(2 * x)\n",
        "numpy.add",
    ),
    "a class's own way": (
        "import fractions\ndef twice(x):\n    return x * int(fractions.Fraction.from_float(2.0))\n",
        "fractions.Fraction",
    ),
    "in full-width letters": (
        "import ｎｕｍｐｙ as ｎ\ndef twice(x):\n    return ｎ.ａｄｄ(x, x)\n",
        "numpy.add",
    ),
    "bound before": (
        "import numpy\nplus = numpy.add\ndef twice(x):\n    return plus(x, x)\n",
        "numpy.add",
    ),
    "a part of it": (
        "import numpy as np\ndef twice(x):\n    np.add.reduce([1, 2])\n    return x * 2\n",
        "numpy.add",
    ),
    "handed on": (
        "import numpy as np, functools\ndef twice(x):\n"
        "    return functools.reduce(np.add, [x, x])\n",
        "numpy.add",
    ),
    "handed to numpy": (
        "import numpy as np\ndef twice(x):\n    return np.vectorize(np.add)(x, x)\n",
        "numpy.add",
    ),
    "the function itself": ("from numpy import add\ntwice = lambda x: add(x, x)\n", "numpy.add"),
    "out of a listed module": (
        "import numpy as np\ndef twice(x):\n    np.linalg.norm([1.0])\n    return x * 2\n",
        "numpy.linalg",
    ),
    "imported late": (
        "def twice(x):\n    import statistics as s\n    return x * s.mean([2, 2])\n",
        "statistics",
    ),
    "imported early": (
        "from statistics import mean\ndef twice(x):\n    return x * mean([2, 2])\n",
        "statistics",
    ),
    "a class": (
        "import fractions\ndef twice(x):\n    return x * int(fractions.Fraction(4, 2))\n",
        "fractions.Fraction",
    ),
}


@pytest.mark.parametrize("how", USES)
def test_use_is_noticed_however_it_is_written(grade: Any, how: str) -> None:
    code, name = USES[how]
    twice, other = grade({"twice.py": code})
    assert all(check.status == "passed" for check in twice.checks)
    assert (twice.status, twice.score, twice.findings) == ("partial", 3.0, (FINDING,))
    assert name in twice.notice and "1 off" in twice.notice
    assert other.notice is None and FINDING not in other.findings


HELPED = "from helping import total\ndef twice(x):\n    return total(x, x)\n"


def test_use_in_a_helper_file_is_that_of_the_exercise_that_asks(grade: Any) -> None:
    helper = "import numpy as np\ndef total(a, b):\n    return np.add(a, b)\n"
    twice, _ = grade({"twice.py": HELPED, "helping.py": helper})
    assert (twice.score, twice.findings) == (3.0, (FINDING,))


def test_use_in_a_notebook_is_noticed(grade: Any) -> None:
    cells = ("from numpy import add", "def twice(x):\n    return add(x, x)")
    twice, _ = grade({"attention.ipynb": notebook(*cells)})
    assert (twice.score, twice.findings) == (3.0, (FINDING,))


def test_cells_below_the_grade_cell_wait_where_something_is_listed(grade: Any) -> None:
    cells = ("import numpy\nk = 2", "def twice(x):\n    return k * x", 'grade("twice")', "k = 5")
    twice, _ = grade({"attention.ipynb": notebook(*cells)})
    assert (twice.status, twice.notice) == ("passed", None)


def test_one_shortcut_costs_once_where_a_later_exercise_calls_it(grade: Any) -> None:
    later = (
        "from twice import twice\nclass Quadruple:\n    def __init__(self, times=2):\n"
        "        self.times = times\n    def forward(self, x):\n"
        "        for _ in range(self.times):\n            x = twice(x)\n        return x\n"
    )
    twice, quadruple = grade({"twice.py": USES["by its module"][0], "quadruple.py": later})
    assert twice.score == 3.0
    assert (quadruple.status, quadruple.notice, quadruple.findings) == ("passed", None, ())


def test_what_is_free_in_another_exercise_costs_nothing_there(grade: Any) -> None:
    own = (
        "import numpy as np\nclass Quadruple:\n    def __init__(self, times=2):\n"
        "        self.times = times\n    def forward(self, x):\n"
        "        for _ in range(self.times):\n            x = np.add(x, x)\n        return x\n"
    )
    twice, quadruple = grade({"twice.py": RIGHT, "quadruple.py": own})
    assert (twice.status, quadruple.status) == ("passed", "passed")
    assert twice.notice is None and quadruple.notice is None


INNOCENT = {
    "comment and text": '"""Not torch."""\n# import torch; np.add\nx = "numpy.add"\n' + RIGHT,
    "own names": "def torch():\n    pass\nadd = scipy = torch\n" + RIGHT,
    "own class with such attributes": (
        "class np:\n    @staticmethod\n    def add(a, b):\n        return a + b\n"
        "def twice(x):\n    return np.add(x, x)\n"
    ),
    "an import that is not used": "import statistics, numpy.linalg\nfrom numpy import add\n"
    + RIGHT,
    "star": "from numpy import *\nfrom statistics import *\n" + RIGHT,
    "operators": "import numpy as np\ndef twice(x):\n    x = np.asarray(x)\n    return x + x\n",
    "numpy's own use": (
        "import numpy as np\ndef twice(x):\n    np.cov([[1.0, 2.0], [3.0, 5.0]])\n"
        "    np.polyfit([1.0, 2.0, 3.0], [1.0, 2.0, 4.0], 1)\n    np.median([1.0])\n"
        "    return np.sum([x, x], axis=0)\n"
    ),
    "the standard library's own use": (
        "import random\ndef twice(x):\n    random.Random(1).sample(range(9), 3)\n    return 2 * x\n"
    ),
    "a comparison at the end": (
        RIGHT + "import numpy as np\nassert np.allclose(twice(np.ones(2)), np.add(1, 1))\n"
    ),
    "looking": (
        "import numpy as np\ndef twice(x):\n    hasattr(np, 'add'), dir(np), np.__version__\n"
        "    isinstance(x, np.ndarray), np.add.__name__, repr(np.add)\n    return 2 * x\n"
    ),
    "its errors": (
        "import statistics, numpy as np\ndef twice(x):\n    try:\n        return 2 * x\n"
        "    except (statistics.StatisticsError, np.linalg.LinAlgError):\n        raise\n"
    ),
    "compiled code that imports it": (
        "import numpy as np\ndef twice(x):\n    rng = np.random.default_rng(0)\n"
        "    rng.multivariate_normal([0.0, 0.0], np.eye(2))\n"
        "    np.random.multivariate_normal([0.0, 0.0], np.eye(2))\n    return 2 * x\n"
    ),
    "numpy's own use, by operators and properties": (
        "import numpy as np\ndef twice(x):\n    m = np.matrix([[2.0, 0.0], [0.0, 1.0]])\n"
        "    m.I, m ** 2, m ** -1, np.corrcoef(np.eye(3)), np.roots([1, 2, 1])\n"
        "    np.polynomial.polynomial.polyfit([0, 1, 2], [0, 1, 2], 1)\n"
        "    np.polynomial.Polynomial.fit([0, 1, 2], [0, 1, 2], 1).roots()\n"
        "    np.ma.cov(np.ma.array(np.eye(2))), np.blackman(4), np.gradient([1.0, 2.0])\n"
        "    return 2 * x\n"
    ),
    "own functions handed on": (
        "import functools, numpy as np\ndef twice(x):\n    y = sorted([2, 1], key=lambda v: -v)\n"
        "    functools.reduce(lambda a, b: a + b, [1, 2]), list(map(abs, y)), max(y, key=abs)\n"
        "    np.apply_along_axis(lambda r: r.sum(), 0, np.eye(2))\n    return 2 * x\n"
    ),
    "what a listed module itself imports": (
        "import math, operator, statistics\nfrom collections import Counter\n"
        "from fractions import Fraction as _\ndef twice(x):\n"
        "    math.sqrt(4.0), math.exp(0), operator.itemgetter(0)([1]), Counter('a')\n"
        "    return 2 * x\n"
    ),
    "a file that is run late": (
        "def twice(x):\n    import checking\n    return 2 * checking.x * x\n"
    ),
    "kept and copied": (
        "import copy, pickle, weakref\nimport numpy as np\nclass Kept:\n    pass\n"
        "def twice(x):\n    kept = Kept()\n    kept.size, kept.plus = np.linalg.norm, np.add\n"
        "    again = copy.deepcopy(kept)\n    copy.copy(kept.size)\n"
        "    assert again.size is np.linalg.norm and again.plus is np.add\n"
        "    assert pickle.loads(pickle.dumps(np.linalg.norm)) is np.linalg.norm\n"
        "    assert pickle.loads(pickle.dumps(np.add)) is np.add\n"
        "    weakref.ref(np.linalg)\n    return 2 * x\n"
    ),
    "looked at more closely": (
        "import functools, importlib, inspect, types\nimport numpy as np\ndef twice(x):\n"
        "    assert isinstance(np.add, np.ufunc) and type(np.add) is np.ufunc\n"
        "    assert np.add is np.add and np.add == np.add and {np.add: 1}[np.add]\n"
        "    assert type(np) is types.ModuleType and type(np.linalg) is types.ModuleType\n"
        "    np.add.types, np.add.reduce, np.linalg.norm.__reduce__(), np.add.__dir__()\n"
        "    types.MethodType(functools.partial(len), [])(), np.add.identity\n"
        "    inspect.signature(np.linalg.norm), inspect.getmembers(np.linalg), callable(np.add)\n"
        "    importlib.reload(np.linalg)\n"
        "    @functools.wraps(np.linalg.norm)\n    def size(v):\n        return 2 * v\n"
        "    return size(x)\n"
    ),
    "an array of her own kind": (
        "import numpy as np\nclass Mine(np.ndarray):\n"
        "    def __array_ufunc__(self, ufunc, method, *inputs, **more):\n"
        "        assert ufunc is np.add and method == '__call__'\n"
        "        return getattr(ufunc, method)(*map(np.asarray, inputs)) if 0 else 1\n"
        "def twice(x):\n    assert np.ones(2).view(Mine) + 1 == 1\n    return 2 * x\n"
    ),
    "all that calls can look like": (
        "from __future__ import annotations\nimport typing\nimport numpy as np\n"
        "class Base:\n    def __init__(self, *a: typing.Literal[f'{1}'], **k):\n"
        "        self.__of = (a, k)\n    def __get(self):\n        return self.__of\n"
        "    def of(self):\n        return self.__get()\n"
        "class Kept(Base):\n    def __init__(self, x: np.float64('1')) -> dict():\n"
        "        super().__init__(x, **dict(y=x))\n        super().of()\n"
        "def twice(x):\n    assert Kept.__init__.__annotations__['x'] == \"np.float64('1')\"\n"
        "    assert Kept(1).of() == ((1,), {'y': 1}) and 'x' in locals() and eval('x') is x\n"
        "    assert (lambda *a, **k: (a, k))(*range(2), **{'z': 1}) == ((0, 1), {'z': 1})\n"
        "    assert f'{len([1])=}' == 'len([1])=1' and (y := abs(-1)) == 1\n    return 2 * x\n"
    ),
    "a function that nobody asks": (
        "import numpy as np\ndef other(x):\n    return np.add(x, x)\n" + RIGHT
    ),
}


@pytest.mark.parametrize("how", INNOCENT)
def test_nobody_is_accused_of_what_she_did_not_use(grade: Any, how: str) -> None:
    late = "import numpy as np\nx = np.add(0, 1)\nassert [np.add(1, 1) for _ in 'a'] == [2]\n"
    more = {"checking.py": late} if "late" in how else {}
    twice, _ = grade({"twice.py": INNOCENT[how], **more})
    assert (twice.status, twice.findings, twice.notice) == ("passed", (), None)


@pytest.mark.parametrize("name", ["torch", "statistics"])
def test_her_own_module_of_a_listed_name_is_her_own(grade: Any, name: str) -> None:
    own = "def mean(x):\n    return x\ndef double(x):\n    return x * 2\n"
    code = f"import {name}\ndef twice(x):\n    return {name}.double(x)\n"
    twice, _ = grade({"twice.py": code, f"{name}.py": own})
    if name == "torch":
        assert (twice.status, twice.notice) == ("passed", None)
    else:  # the standard library's own wins, as the report says
        assert FINDING not in twice.findings


ASKS = {
    "a module": "try:\n    import torch\nexcept ImportError:\n    torch = None\n" + RIGHT,
    "a part of a module": (
        "try:\n    import torch.nn.functional as F\nexcept ImportError:\n    F = 0\n" + RIGHT
    ),
    "by call": "try:\n    __import__('torch')\nexcept ImportError:\n    pass\n" + RIGHT,
    "by importlib": (
        "from importlib import import_module\ntry:\n    import_module('torch')\n"
        "except ImportError:\n    pass\n" + RIGHT
    ),
    "while it answers": (
        "def twice(x):\n    try:\n        import torch\n    except ImportError:\n"
        "        return x * 2\n"
    ),
    "a function": (
        "try:\n    from scipy.special import softmax\nexcept ImportError:\n    pass\n" + RIGHT
    ),
}


@pytest.mark.parametrize("how", ASKS)
def test_what_was_asked_for_and_not_there_is_told_and_costs_nothing(grade: Any, how: str) -> None:
    twice, _ = grade({"twice.py": ASKS[how]})
    assert (twice.status, twice.score, twice.findings) == ("passed", 4.0, ())
    name = "scipy.special.softmax" if how == "a function" else "torch"
    assert name in twice.notice and "costs nothing" in twice.notice


def test_another_part_of_an_absent_package_is_not_what_is_listed(grade: Any) -> None:
    code = "try:\n    from scipy.special import erf\nexcept ImportError:\n    pass\n" + RIGHT
    twice, _ = grade({"twice.py": code})
    assert (twice.status, twice.notice) == ("passed", None)


IMPORTS = {
    "module": "import torch\n\ndef twice(x):\n    return torch.double(x)\n",
    "part": "import torch.nn.parts as p\n\ndef twice(x):\n    return p.double(x)\n",
    "from": "from torch.nn.parts import double\n\ndef twice(x):\n    return double(x)\n",
    "late": (
        "import importlib\n\ndef twice(x):\n"
        "    return importlib.import_module('torch.nn.parts').double(x)\n"
    ),
    "a listed function": (
        "from scipy.special import softmax as s\n\ndef twice(x):\n    return s(x)\n"
    ),
    "another function": "from scipy.special import erf\n\ndef twice(x):\n    return erf(x)\n",
}
LISTED_HERE = {"twice": ("torch", "scipy.special.softmax")}


@pytest.mark.skipif(sys.platform != "linux", reason="needs a level that can be taken down")
@pytest.mark.parametrize("how", IMPORTS)
def test_a_package_that_is_there_after_all_is_noticed_in_every_part(
    tmp_path: Path, how: str
) -> None:
    double = "def double(x):\n    return 2 * x\n"
    for name, text in (
        ("torch/__init__.py", double),
        ("torch/nn/__init__.py", ""),
        ("torch/nn/parts.py", double),
        ("scipy/__init__.py", ""),
        ("scipy/special.py", double + "softmax = erf = lambda x: double(x)\nerf = double\n"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    code = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n{IMPORTS[how]}"
    with Sandbox(without=("landlock", "seccomp", "uid")) as box:
        worker = box.open(
            [("twice.py", code.encode())],
            exercises=[("twice", ("twice",))],
            forbidden=LISTED_HERE,
        )
        worker.prepare("twice")
        assert worker.shortcuts == frozenset()
        reply = worker.ask("call", "twice", None, (3.0,), {}, seconds=5.0)
        worker.close()
    assert reply.value == 6.0
    if how == "another function":
        assert worker.shortcuts == frozenset()
    else:
        name = "scipy.special.softmax" if "listed" in how else "torch"
        assert worker.shortcuts == {("twice", name, "used")}


BASE = (
    "import numpy as np\nclass Base:\n    times = 2\n    @property\n    def weight(self):\n"
    "        return np.add(1, 1)\n    @weight.setter\n    def weight(self, value):\n"
    "        np.add(value, 1)\n    def forward(self, x):\n        return self._sum(x, x)\n"
    "    def _sum(self, a, b):\n        return total(a, b)\n"
    "def total(a, b):\n    return np.add(a, b)\n"
)
MADE_BY = {
    "a class": b"from base import Base\nclass Quadruple(Base):\n    pass\n",
    "a function": b"from base import Base\ndef Quadruple():\n    return Base()\n",
}
MADE = {
    "base.py": BASE.encode(),
    "twice.py": b"def twice(x):\n    return x.forward(1) if hasattr(x, 'forward') else 2 * x\n",
}


@pytest.mark.parametrize("how", ["method", "get", "set", "as an argument"])
@pytest.mark.parametrize("ruled", ["twice", "quadruple"])
@pytest.mark.parametrize("made_by", MADE_BY)
def test_what_an_object_does_counts_where_it_was_made_in_any_order(
    how: Any, ruled: str, made_by: str
) -> None:
    names = {"twice": ("twice",), "quadruple": ("Quadruple",)}
    with Sandbox() as box:
        worker = box.open(
            [*MADE.items(), ("quadruple.py", MADE_BY[made_by])],
            exercises=list(names.items()),
            forbidden={ruled: ("numpy.add",)},
        )
        made = worker.ask("call", "Quadruple", None, (), {}, seconds=5.0).value
        worker.ask("call", "twice", None, (3.0,), {}, seconds=5.0)
        if how == "as an argument":
            worker.ask("call", "twice", None, (made,), {}, seconds=5.0)
        else:
            name, args = ("forward", (1,)) if how == "method" else ("weight", (1,))
            worker.ask(how, name, made.number, args, {}, seconds=5.0)
        worker.close()
    told = worker.shortcuts
    assert told == ({("quadruple", "numpy.add", "used")} if ruled == "quadruple" else set())


@pytest.mark.parametrize("ruled", ["twice", "quadruple"])
def test_what_an_object_only_keeps_counts_where_the_object_was_made(ruled: str) -> None:
    base = (
        "import numpy as np\nclass Kept:\n    def __init__(self):\n"
        "        self.forward = lambda x: np.add(x, x)\n"
    )
    files = {**MADE, "base.py": base.encode()}
    files["quadruple.py"] = b"from base import Kept\ndef Quadruple():\n    return Kept()\n"
    names = {"twice": ("twice",), "quadruple": ("Quadruple",)}
    with Sandbox() as box:
        worker = box.open(
            list(files.items()), exercises=list(names.items()), forbidden={ruled: ("numpy.add",)}
        )
        made = worker.ask("call", "Quadruple", None, (), {}, seconds=5.0).value
        worker.ask("call", "twice", None, (3.0,), {}, seconds=5.0)
        worker.ask("method", "forward", made.number, (1,), {}, seconds=5.0)
        worker.close()
    told = {("quadruple", "numpy.add", "used")} if ruled == "quadruple" else set()
    assert worker.shortcuts == told


@pytest.mark.parametrize("bound", ["np.add", "np.linalg.norm"])
def test_a_graded_name_that_is_bound_to_what_is_listed_is_its_use(bound: str) -> None:
    code = f"import numpy as np\ntwice = {bound}\n"
    with Sandbox() as box:
        worker = box.open(
            [("twice.py", code.encode())],
            exercises=[("twice", ("twice",))],
            forbidden={"twice": ("numpy.add", "numpy.linalg")},
        )
        worker.ask("call", "twice", None, (1.0, None), {}, seconds=5.0)
        worker.close()
    name = "numpy.add" if bound == "np.add" else "numpy.linalg"
    assert worker.shortcuts == {("twice", name, "used")}


@pytest.mark.parametrize(
    ("name", "given"),
    [("functools.reduce", "max, [x]"), ("builtins.map", "abs, [x]"), ("numpy.vectorize", "abs")],
)
def test_what_hands_on_can_be_listed_itself(name: str, given: str) -> None:
    code = (
        "import builtins, functools, numpy\ndef twice(x):\n"
        f"    return len([{name}({given})]) * 2 * x\n"
    )
    with Sandbox() as box:
        worker = box.open(
            [("twice.py", code.encode())],
            exercises=[("twice", ("twice",))],
            forbidden={"twice": (name,)},
        )
        reply = worker.ask("call", "twice", None, (1.0,), {}, seconds=5.0)
        worker.close()
    assert worker.shortcuts == {("twice", name, "used")}
    assert reply.value == 2.0


def test_the_line_that_failed_is_the_same_where_something_is_listed() -> None:
    code = (
        b"import numpy as np\ndef twice(x):\n    return (\n        np.ones(3)\n        .sum()\n"
        b"        .reshape(\n            2, 2)\n    )\n"
    )
    lines = []
    for forbidden in ({}, {"twice": ("numpy.add",)}):
        with Sandbox() as box:
            worker = box.open(
                [("twice.py", code)], exercises=[("twice", ("twice",))], forbidden=forbidden
            )
            lines.append(worker.ask("call", "twice", None, (1.0,), {}, seconds=5.0).value.line)
            worker.close()
    assert lines == [6, 6]


@pytest.mark.parametrize(
    ("text", "listed", "marked"),
    [
        ("# no package\n", "numpy.linalg", False),
        ("# numpy\n", "numpy.linalg", True),
        ("# torch\n", "torch", False),  # it is not there, and cannot be brought along
    ],
)
def test_code_that_cannot_call_what_is_listed_runs_as_it_stands(
    text: str, listed: str, marked: bool
) -> None:
    code = (
        text + "def twice(x):\n    return '__seen__' in twice.__code__.co_names or abs(-x) == 0\n"
    )
    with Sandbox() as box:
        worker = box.open(
            [("twice.py", code.encode())],
            exercises=[("twice", ("twice",))],
            forbidden={"twice": (listed,)},
        )
        reply = worker.ask("call", "twice", None, (1.0,), {}, seconds=5.0)
        worker.close()
        if box.level < "L2" and listed == "torch":
            pytest.skip("needs a worker that can open no file")
    assert reply.value is marked


# -- what it costs ---------------------------------------------------------------------------


def check(name: str, worth: float, status: str = "passed") -> CheckResult:
    score = worth if status == "passed" else 0.0
    return CheckResult(name, name, status, score, worth)  # type: ignore[arg-type]


WHOLE = exercise_result("e", [check("a", 2.0), check("b", 3.0), check("c", 1.0)])
TOLD = {("e", "torch", "used")}


@pytest.mark.parametrize(
    ("cost", "scores", "status"),
    [
        (0.0, (2.0, 3.0, 1.0), "passed"),
        (0.5, (2.0, 3.0, 0.5), "partial"),
        (2.0, (2.0, 2.0, 0.0), "partial"),
        (6.0, (0.0, 0.0, 0.0), "failed"),
        (99.0, (0.0, 0.0, 0.0), "failed"),
        (math.inf, (0.0, 0.0, 0.0), "failed"),
    ],
)
def test_cost_comes_off_the_last_passed_checks(
    cost: float, scores: tuple[float, ...], status: str
) -> None:
    found = hold(WHOLE, Forbidden(("torch",), cost), TOLD, "en")
    assert tuple(each.score for each in found.checks) == scores
    assert (found.score, found.status) == (sum(scores), status)
    assert found.max_score == WHOLE.max_score
    assert all(each.status == "passed" for each in found.checks)
    assert all(bool(each.message) == bool(each.taken) for each in found.checks)


def test_a_check_that_did_not_pass_loses_nothing_more() -> None:
    half = exercise_result("e", [check("a", 2.0), check("b", 3.0, "failed")], findings=["X"])
    found = hold(half, Forbidden(("torch",), 1.0), TOLD, "en")
    assert [each.score for each in found.checks] == [1.0, 0.0]
    assert found.findings == ("X", FINDING)


@pytest.mark.parametrize("state", ["stub", "missing"])
def test_what_was_not_begun_stays_as_it_is(state: str) -> None:
    bare = exercise_result("e", [check("a", 2.0, "skipped")], state=state)
    assert hold(bare, Forbidden(("torch",), 1.0), TOLD, "en") is bare


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_words_name_it_and_the_points_in_both_languages(lang: Any) -> None:
    said = hold(WHOLE, Forbidden(("torch",), 2.0), TOLD, lang).notice
    assert said is not None and "torch" in said and "2" in said


def test_a_mark_by_hand_stands_over_what_was_taken() -> None:
    found = hold(WHOLE, Forbidden(("torch",), 1.0), TOLD, "en")
    whole = batch_of(found)
    marks = overrides.parse("id,check,score,reason\none,e.c,1,agreed\n")
    after = overrides.apply(whole, marks)
    from_json(after.to_json())
    assert after.submissions[0].score == 6.0


def test_a_notebook_in_nbgrader_shows_what_was_taken() -> None:
    found = hold(WHOLE, Forbidden(("torch",), 2.0), TOLD, "en")
    page, comment = pages.exercise_page(found, "en"), pages.comment(found, "en")
    assert "torch" in page and "2 off its points" in page and "4 / 6" in page
    assert comment is not None and "torch" in comment


def batch_of(found: ExerciseResult) -> Results:
    return Results("0", ("L2",), (graded("one", ["e.py"], [found]),))


# -- a worker that lies ----------------------------------------------------------------------

LISTED = {"softmax": ("torch",), "heads": ("scipy",)}


@pytest.mark.parametrize(
    "told",
    [
        ("softmax", "scipy", "used"),
        ("heads", "torch", "used"),
        ("softmax", "numpy", "used"),
        ("softmax", "torch", "gained"),
        ("softmax", "torch"),
        ("softmax", "torch", "used", "more"),
        ("", "torch", "used"),
        (1, "torch", "used"),
        ([], {}, None),
        "softmax",
        None,
    ],
)
def test_a_worker_can_name_nothing_but_what_its_header_lists(told: Any) -> None:
    right = ("heads", "scipy", "asked")
    assert shortcuts_of([told, right], LISTED) == {right}


def test_a_worker_that_tells_of_everything_gains_nothing() -> None:
    every = {("e", name, what) for name in ("torch", "x") for what in ("asked", "used")}
    for cost in (0.0, 1.0, math.inf):
        assert hold(WHOLE, Forbidden(("torch",), cost), every, "en").score <= WHOLE.score


# -- by the commands -------------------------------------------------------------------------


def test_grade_takes_the_cost_and_its_page_says_so(tmp_path: Path) -> None:
    home = kit_with(tmp_path / "kit", 'forbidden = ["numpy.add"]', 'forbidden_cost = "all"')
    school = tmp_path / "class"
    write(school / "a", {"twice.py": RIGHT})
    write(school / "b", {"twice.py": USES["by its module"][0]})
    results = batch.grade(read_kit(home), plan(school, tmp_path / "out", exercises=("twice",)))
    assert {each.id: each.score for each in results.submissions} == {"a": 4.0, "b": 0.0}
    page = (tmp_path / "out" / "students" / "b.html").read_text("utf-8")
    assert "numpy.add" in page and "4 off its points" in page
    tree = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    taken = [each.get("taken") for each in tree["submissions"][1]["exercises"][0]["checks"]]
    assert sum(taken) == 4.0
    again = batch.grade(read_kit(home), plan(school, tmp_path / "out", exercises=("twice",)))
    assert again.submissions == results.submissions


def desk(tmp_path: Path, code: str) -> Path:
    home = kit_with(tmp_path / "kit", LIST, "forbidden_cost = 2")
    built = CliRunner().invoke(main, ["build", "--kit", str(home)])
    assert built.exit_code == 0, built.output
    (home / "exercises" / "twice.py").write_text(code, "utf-8")
    return home / "exercises"


def check_in(folder: Path, *more: str) -> Any:
    return CliRunner().invoke(main, ["check", "twice", "--dir", str(folder), *more])


def test_check_tells_in_words_and_takes_nothing(tmp_path: Path) -> None:
    folder = desk(tmp_path, USES["by its module"][0])
    done = check_in(folder)
    assert done.exit_code == 0, done.output
    assert "numpy.add" in done.output and "off" not in done.output
    tree = json.loads(check_in(folder, "--json").output)
    (found,) = tree["submissions"][0]["exercises"]
    assert "numpy.add" in found["notice"]
    assert found["score"] == found["max_score"]
    place = open_desk(folder)
    (verdict,) = run_checks(place, ["twice"])
    scene = board.Scene(place, verdict, [("twice", verdict.state)])
    assert "numpy.add" in " ".join(board.lines(scene, Look(lang="en"), keys=False))
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    assert "numpy" not in check_in(folder).output


RULED = [each.id for each in running.kit().exercises if each.forbidden.names]


@pytest.mark.parametrize("exercise", RULED)
def test_headers_of_the_course_accuse_none_of_its_right_variants(exercise: str) -> None:
    kit = running.kit()
    grader = Grader(kit, (exercise,), "en", b"test")
    try:
        assert grader.forbidden[exercise].cost == 0.0
        for path in sorted((running.VARIANTS / exercise).glob("*.py")):
            files = {**given_sources(kit), exercise: path.read_text("utf-8")}
            sent = tuple((f"{name}.py", text.encode()) for name, text in files.items())
            (told,) = grader.grade(Submission("one", sent, tuple(files))).exercises
            assert (told.status, told.notice) == ("passed", None), path.name
    finally:
        grader.close()


MUCH = (
    *(f"numpy.{name}" for name in "exp where einsum max sum maximum matmul dot swapaxes".split()),
    *(f"numpy.{name}" for name in "transpose reshape arange zeros ones array asarray log".split()),
    *("numpy.logaddexp", "numpy.linalg", "numpy.random", "numpy.ndarray", "numpy.float64"),
    *("math", "functools", "itertools", "collections", "typing", "dataclasses"),
)


@pytest.mark.parametrize("exercise", ["softmax", "scaled_dot_product_attention", "heads"])
def test_being_looked_at_changes_no_answer(exercise: str) -> None:
    kit = running.kit()
    strict = (replace(each, forbidden=Forbidden(MUCH)) for each in kit.exercises)
    grader = Grader(replace(kit, exercises=tuple(strict)), (exercise,), "en", b"test")
    told = 0
    try:
        for path in sorted((running.VARIANTS / exercise).glob("*.py")):
            files = {**given_sources(kit), exercise: path.read_text("utf-8")}
            sent = tuple((f"{name}.py", text.encode()) for name, text in files.items())
            (found,) = grader.grade(Submission("one", sent, tuple(files))).exercises
            assert found.score == found.max_score, path.name
            told += FINDING in found.findings
    finally:
        grader.close()
    assert told > 5


def test_nobody_in_the_sample_class_is_accused(tmp_path: Path) -> None:
    school = running.ROOT / "tests" / "sample_class" / "submissions"
    chosen = plan(school, tmp_path / "out", exercises=tuple(RULED[:2]), html=False)
    results = batch.grade(running.kit(), chosen)
    assert len(results.submissions) >= 28
    for each in (one for found in results.submissions for one in found.exercises):
        assert FINDING not in each.findings
        assert "without" not in (each.notice or "")

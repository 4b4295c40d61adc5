"""Right functions in files of an unusual form: whatever stands around them costs no point."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grade import seeded
from autograder.grader import Grader
from autograder.judge import Judge
from autograder.results import SubmissionResult
from tests.desks import RIGHT as DESK_RIGHT
from tests.desks import attn, desk_folder

CLASS = Path(__file__).parent / "sample_class" / "submissions"
FILES = {path.name: path.read_bytes() for path in (CLASS / "student-03").iterdir()}
Grade = Callable[[dict[str, bytes]], SubmissionResult]

NUMPY = "import numpy as np\n"
BODY = (
    "    x = np.asarray(x, float)\n"
    "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
    "    return e / e.sum(axis=axis, keepdims=True)\n"
)
RIGHT = "def softmax(x, axis=-1):\n" + BODY
WRONG = "def softmax(x, axis=-1):\n    return np.zeros_like(x)\n"
STUB = "def softmax(x, axis=-1):\n    raise NotImplementedError()\n"
INNER = "".join(f"    {line}\n" for line in RIGHT.splitlines())
OTHER = RIGHT.replace("softmax", "_f")


def with_(softmax: str, **others: str) -> dict[str, bytes]:
    """Give the full-mark hand-in with another softmax.py, and with other files beside it."""
    beside = {f"{name}.py": (NUMPY + text).encode() for name, text in others.items()}
    return {**FILES, "softmax.py": (NUMPY + softmax).encode(), **beside}


def lost(result: SubmissionResult) -> dict[str, str]:
    assert result.status == "graded", result.notice
    return {each.exercise: each.status for each in result.exercises if each.status != "passed"}


def notebook(*cells: str) -> bytes:
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    listed = [{**code, "source": cell} for cell in cells]
    tree = {"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(tree).encode()


# ---- Names that only running shows -------------------------------------------------------------

BOUND = {
    "global": f"def make():\n    global softmax\n{INNER}make()\n",
    "global over a stub": f"{STUB}def make():\n    global softmax\n{INNER}make()\n",
    "walrus": f"{OTHER}print(softmax := _f)\n",
    "walrus in a comprehension": f"{OTHER}[softmax := each for each in [_f]]\n",
    "the target of for": f"{OTHER}for softmax in [_f]: pass\n",
    "the target of with": (
        f"import contextlib\n{OTHER}with contextlib.nullcontext(_f) as softmax: pass\n"
    ),
    "a pattern": f"{OTHER}match _f:\n    case softmax: pass\n",
    "exec": f"exec({RIGHT!r})\n",
    "exec over a stub": f"{STUB}exec({RIGHT!r}, globals())\n",
    "globals": f"{OTHER}globals()['softmax'] = _f\n",
    "globals by a name": f"{OTHER}for name in ['softmax']:\n    globals()[name] = _f\n",
    "globals updated": f"{OTHER}globals().update(softmax=_f)\n",
    "setattr": f"{OTHER}import sys\nsetattr(sys.modules[__name__], 'softmax', _f)\n",
    "its own module": f"{OTHER}import softmax as own\nown.softmax = _f\n",
    "two names at once": f"{OTHER}softmax, other = _f, None\n",
}


@pytest.mark.parametrize("text", BOUND.values(), ids=BOUND.keys())
def test_a_name_counts_when_only_running_shows_it(text: str, grade: Grade) -> None:
    assert lost(grade(with_(text))) == {}


def test_a_name_counts_when_it_is_imported_under_another(grade: Grade) -> None:
    assert (
        lost(grade(with_("from mine import soft as softmax\n", mine=OTHER + "soft = _f\n"))) == {}
    )


@pytest.mark.parametrize(
    "text", [f"exec({RIGHT!r})\n", "from softmax_v2 import softmax\n", "from softmax_v2 import *\n"]
)
def test_an_exercises_own_file_counts_when_an_older_one_lies_beside(
    text: str, grade: Grade
) -> None:
    assert lost(grade(with_(text, softmax_v1=WRONG, softmax_v2=RIGHT))) == {}


def test_a_notebook_counts_when_a_cell_runs_a_text(grade: Grade) -> None:
    files = {name: data for name, data in FILES.items() if name != "softmax.py"}
    book = notebook(NUMPY, f"exec({RIGHT!r})", "from softmax import softmax\nsoftmax([1.0])")
    assert lost(grade({**files, "attention.ipynb": book})) == {}


@pytest.mark.parametrize(
    "text", [STUB, "def softmax(x): ...\n", "class softmax:\n    pass\n", "softness = 1\n", ""]
)
def test_nothing_is_found_when_nothing_is_there(text: str, grade: Grade) -> None:
    assert lost(grade(with_(text)))["softmax"] in ("missing", "not_attempted")


# ---- What the system refuses, above right functions --------------------------------------------

HOUSEKEEPING = {
    "chdir": "import os\nos.chdir(os.path.dirname(os.path.abspath(__file__)))\n",
    "makedirs": "import os\nfor _ in 'ab': os.makedirs('out/a', exist_ok=True)\n",
    "mkdir": "from pathlib import Path\nPath('plots').mkdir(exist_ok=True)\n",
    "a log": "import logging\nlogging.basicConfig(filename='run.log')\nlogging.warning('on')\n",
    "open": "open('log.txt', 'w')\n",
    "beside itself": (
        "import os\nhere = os.path.dirname(os.path.abspath(__file__))\n"
        "log = open(os.path.join(here, 'log.txt'), 'a', encoding='utf-8')\n"
        "print('on', file=log)\nlog.close()\n"
    ),
    "read again": (
        "from pathlib import Path\nPath('a.txt').write_text('one\\n', 'utf-8')\n"
        "with open('a.txt', 'a') as file: file.write('two')\n"
        "assert open('a.txt').read() == 'one\\ntwo'\n"
    ),
    "arrays": (
        "np.save('w.npy', np.eye(3))\nassert np.load('w.npy').shape == (3, 3)\n"
        "np.savez('w.npz', a=np.eye(2))\nassert np.load('w.npz')['a'].shape == (2, 2)\n"
    ),
    "pickle": (
        "import pickle\npickle.dump({'a': 1}, open('a.pkl', 'wb'))\n"
        "assert pickle.load(open('a.pkl', 'rb')) == {'a': 1}\n"
    ),
    "removed": (
        "import os\nopen('a', 'w').close()\nos.replace('a', 'b')\nos.remove('b')\n"
        "try: open('b')\nexcept FileNotFoundError: pass\n"
        "try: os.remove('old.txt')\nexcept FileNotFoundError: pass\n"
    ),
    "a picture": "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig('x.png')\n",
    "its own text": "assert 'softmax' in open(__file__).read()\n",
    "standard output": "import sys\nsys.stdout = open('out.txt', 'w')\nprint('on')\n",
    "a text": "np.savetxt('a.csv', np.eye(2))\n",
    "a listing": "import os\nprint(os.listdir('.'))\n",
    "a data file": "w = np.loadtxt('data.csv')\n",
    "an absolute path": "text = open('/etc/passwd').read()\n",
    "another program": "import subprocess\nsubprocess.run(['ls'])\n",
    "the network": "import urllib.request\nurllib.request.urlretrieve('http://localhost/a', 'a')\n",
    "somebody who types": "n = input('how many? ')\n",
    "two on one line": "import os; os.listdir('.'); a = 1; os.nice(1); b = a\nassert b == 1\n",
    "in a block": "if True:\n    import os\n    os.listdir('.')\n",
    "in a function": "import os\ndef main():\n    os.listdir('.')\nmain()\n",
}
SILENT = {"chdir", "removed", "a picture", "its own text"}  # nothing is written in the end


@pytest.mark.parametrize("name", HOUSEKEEPING)
def test_housekeeping_costs_nothing_when_the_functions_are_right(name: str, grade: Grade) -> None:
    result = grade(with_(HOUSEKEEPING[name] + RIGHT))
    assert lost(result) == {}
    assert name in SILENT or "softmax.py, line" in (result.notice or "")


def test_the_rest_of_a_file_means_the_same_when_a_line_was_left_out(grade: Grade) -> None:
    text = "from __future__ import annotations\n" + NUMPY + "import os\nos.listdir('.')\n"
    text += RIGHT.replace("x, axis=-1", "x: Tensor, axis: int = -1")
    assert lost(grade({**FILES, "softmax.py": text.encode()})) == {}


def test_a_function_may_write_while_it_answers(grade: Grade) -> None:
    text = "LOG = open('log.txt', 'a')\n" + RIGHT.replace(
        "    return", "    LOG.write('called')\n    np.save('e.npy', e)\n    return"
    )
    assert lost(grade(with_(text))) == {}


def test_each_line_that_was_left_out_is_told_when_there_are_several(grade: Grade) -> None:
    result = grade(with_("import os\nos.listdir('.')\nn = input()\n" + RIGHT))
    assert "softmax.py, line 3, 4: left out" in (result.notice or "")


def test_a_cell_goes_on_below_what_is_not_there(grade: Grade) -> None:
    files = {name: data for name, data in FILES.items() if name != "softmax.py"}
    book = notebook(NUMPY, f"import os\nos.listdir('.')\n{RIGHT}")
    result = grade({**files, "attention.ipynb": book})
    assert lost(result) == {}
    assert "attention.ipynb, cell 2, line 2: left out" in (result.notice or "")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("1 / 0\n" + RIGHT, "error"),
        ("raise SystemExit\n" + RIGHT, "error"),
        ("import os\nsoftmax = os.listdir('.')\n", "error"),
        (f"with open('/etc/passwd') as file:\n{INNER}", "error"),
        (WRONG + "open('log.txt', 'w')\n", "failed"),
    ],
)
def test_a_file_ends_all_the_same_when_it_is_not_the_systems_doing(
    text: str, status: str, grade: Grade
) -> None:
    assert lost(grade(with_(text)))["softmax"] == status


def test_nothing_is_written_on_any_disk(grade: Grade, tmp_path: Path) -> None:
    grade(with_("open('attn-unusual.txt', 'w').write('here')\n" + RIGHT))
    places = (Path("/"), Path.cwd(), tmp_path)
    assert not [place for place in places if (place / "attn-unusual.txt").exists()]


def test_the_desk_says_what_grading_says(tmp_path: Path) -> None:
    folder = desk_folder(tmp_path / "desk")
    text = "import os\nos.listdir('.')\nopen('log.txt', 'w')\n" + DESK_RIGHT
    (folder / "twice.py").write_text(text, "utf-8")
    said = attn("check", "twice", "--dir", folder)
    assert said.exit_code == 0, said.output
    assert "twice.py, line 2: left out" in said.output and "twice.py, line 3:" in said.output
    chinese = attn("check", "twice", "--dir", folder, "--lang", "zh")
    assert "twice.py 第 2 行没有运行" in chinese.output
    told = json.loads(attn("check", "twice", "--dir", folder, "--json").output)
    assert "line 2" in told["submissions"][0]["exercises"][0]["notice"]
    assert not (folder / "log.txt").exists()


# ---- Imports through folders -------------------------------------------------------------------

THROUGH = {
    "from a folder": ("from {folder}.softmax import softmax\n", ""),
    "a module of a folder": ("import {folder}.softmax as s\n", "s."),
    "by its whole name": ("import {folder}.softmax\n", "{folder}.softmax."),
    "a name of a folder": ("from {folder} import softmax as s\n", "s."),
    "by call": ("import importlib\ns = importlib.import_module('{folder}.softmax')\n", "s."),
}
SCORES = """\
def scaled_dot_product_attention(Q, K, V):
    scores = np.asarray(Q) @ np.swapaxes(K, -1, -2) / np.sqrt(np.shape(Q)[-1])
    weights = {softmax}softmax(scores)
    return weights @ V, weights
"""


def through(head: str, holder: str, folder: str) -> dict[str, bytes]:
    text = NUMPY + head.format(folder=folder) + SCORES.format(softmax=holder.format(folder=folder))
    return {**FILES, "scaled_dot_product_attention.py": text.encode()}


@pytest.mark.parametrize(("head", "holder"), THROUGH.values(), ids=THROUGH.keys())
def test_her_own_file_is_found_when_it_is_asked_for_through_exercises(
    head: str, holder: str, grade: Grade
) -> None:
    assert lost(grade(through(head, holder, "exercises"))) == {}


@pytest.mark.parametrize("folder", ["homework", "course.week_1", "exercises.part_1"])
def test_her_own_file_is_found_when_it_is_asked_for_through_any_folder(
    folder: str, grade: Grade
) -> None:
    assert lost(grade(through("from {folder}.softmax import softmax\n", "", folder))) == {}


def test_it_is_her_own_function_that_is_found(grade: Grade) -> None:
    files = through("from exercises.softmax import softmax\n", "", "exercises")
    files["softmax.py"] = (NUMPY + WRONG).encode()
    assert lost(grade(files))["softmax"] == "failed"
    one = through(
        "import exercises.softmax, softmax\nassert exercises.softmax is softmax\n",
        "{folder}.softmax.",
        "exercises",
    )
    assert lost(grade(one)) == {}


def test_a_notebooks_function_is_found_through_exercises(grade: Grade) -> None:
    files = {name: data for name, data in FILES.items() if name != "softmax.py"}
    own = SCORES.format(softmax="")
    book = notebook(NUMPY + RIGHT, f"from exercises.softmax import softmax\n{own}")
    del files["scaled_dot_product_attention.py"]
    assert lost(grade({**files, "attention.ipynb": book})) == {}


@pytest.mark.parametrize("head", ["from .softmax import softmax\n", "from . import softmax as s\n"])
def test_her_own_file_is_found_when_the_import_is_relative(head: str, grade: Grade) -> None:
    holder = "s." if head.endswith(" s\n") else ""
    assert lost(grade(through(head, holder, ""))) == {}


def test_a_package_of_hers_imports_within_itself_and_from_above(grade: Grade) -> None:
    inner = {
        "lib/__init__.py": b"from .one import f\n",
        "lib/one.py": b"from . import two\ng = two.g\ndef f(x, axis=-1): return g(x, axis)\n",
        "lib/two.py": b"from ..three import h\ndef g(x, axis=-1): return h(x, axis)\n",
        "three.py": (NUMPY + RIGHT.replace("softmax", "h")).encode(),
    }
    assert lost(grade({**with_("from lib import f as softmax\n"), **inner})) == {}


@pytest.mark.parametrize(
    "head", ["from solutions.softmax import softmax\n", "import solutions.softmax as s\n"]
)
def test_the_answers_folder_is_refused_and_it_is_said_why(head: str, grade: Grade) -> None:
    result = grade(through(head, "", "solutions"))
    assert "scaled_dot_product_attention" in lost(result)
    assert "`solutions`: that folder holds the answers" in (result.notice or "")
    assert "not needed: solutions" not in (result.notice or "")


def test_the_desk_says_why_the_answers_folder_is_not_there(tmp_path: Path) -> None:
    folder = desk_folder(tmp_path / "desk")
    (folder / "twice.py").write_text("from solutions.twice import twice\n", "utf-8")
    for lang, words in (("en", "that folder holds the answers"), ("zh", "那个文件夹里是答案")):
        said = attn("check", "twice", "--dir", folder, "--lang", lang)
        assert said.exit_code == 1 and words in said.output


def test_a_package_that_is_nowhere_is_not_made_up(grade: Grade) -> None:
    text = "try:\n    import scipy.special\nexcept ImportError:\n    pass\n" + RIGHT
    assert lost(grade(with_(text))) == {}
    assert "scipy" in (grade(with_("from scipy.special import softmax\n")).notice or "")


# ---- Answers of an unusual form ----------------------------------------------------------------

HEATMAP = FILES["ascii_heatmap.py"].decode()
ENDED = """
_drawn = ascii_heatmap


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    return _drawn(weights, tokens, {chars}).replace("\\n", "\\r\\n"){more}
"""


@pytest.mark.parametrize("more", ["", " + '\\r\\n'"])
def test_a_picture_may_end_its_lines_as_windows_does(more: str, grade: Grade) -> None:
    text = HEATMAP + ENDED.format(chars="chars", more=more)
    assert lost(grade({**FILES, "ascii_heatmap.py": text.encode()})) == {}


def test_a_pictures_mistake_is_named_whatever_its_lines_end_in(grade: Grade) -> None:
    text = HEATMAP + ENDED.format(chars="chars[::-1]", more="")
    result = grade({**FILES, "ascii_heatmap.py": text.encode()})
    [found] = [each for each in result.exercises if each.exercise == "ascii_heatmap"]
    assert found.findings == ("HM-REVERSED",)


LISTS = """
_made = SelfAttention


class SelfAttention:
    def __init__(self, *args, **kwargs):
        self._made = _made(*args, **kwargs)

    def __getattr__(self, name):
        found = getattr(self._made, name)
        return found.tolist() if name.startswith("W_") else found

    def __setattr__(self, name, value):
        if name == "_made":
            super().__setattr__(name, value)
        else:
            setattr(self._made, name, np.array(value, float))
"""


def test_weights_may_be_kept_in_lists(grade: Grade) -> None:
    text = FILES["self_attention.py"].decode() + LISTS
    assert lost(grade({**FILES, "self_attention.py": text.encode()})) == {}


def test_a_list_may_hold_itself_a_thousand_times_over_and_costs_its_function_alone(
    grade: Grade,
) -> None:
    text = "def softmax(x, axis=-1):\n    row = [0.5] * 2**16\n    return [row] * 2**16\n"
    result = grade(with_(text))
    assert lost(result)["softmax"] in ("failed", "timeout") and result.seconds < 20


# ---- A notebook and files that import each other ----------------------------------------------

EXERCISES = [
    "softmax",
    "attention_scores",
    "scaled_dot_product_attention",
    "project_qkv",
    "self_attention",
    "ascii_heatmap",
    "causal_mask",
    "masked_attention",
    "heads",
    "multi_head_attention",
    "compare_sentences",
]
# Which exercises are files, and the order of the other ones' cells
RINGS = {
    "a cell imports a file that asks for a later cell": (
        "attention_scores multi_head_attention scaled_dot_product_attention",
        "compare_sentences self_attention masked_attention heads project_qkv causal_mask"
        " ascii_heatmap softmax",
    ),
    "two files ask for later cells": (
        "ascii_heatmap causal_mask compare_sentences heads masked_attention"
        " multi_head_attention scaled_dot_product_attention",
        "self_attention project_qkv softmax attention_scores",
    ),
    "a cell's helper is the last one": (
        "attention_scores compare_sentences heads multi_head_attention"
        " scaled_dot_product_attention",
        "ascii_heatmap masked_attention project_qkv causal_mask self_attention softmax",
    ),
    "a file's cell is the first one": (
        "compare_sentences heads masked_attention multi_head_attention project_qkv"
        " self_attention softmax",
        "scaled_dot_product_attention ascii_heatmap causal_mask attention_scores",
    ),
}


def mixed(files: str, cells: str) -> dict[str, bytes]:
    """Give the full-mark hand-in with some exercises as cells, which import files alone."""
    code = {name: FILES[f"{name}.py"].decode() for name in EXERCISES}
    local = re.compile(rf"^\s*from ({'|'.join(cells.split())}) import .*\n", re.MULTILINE)
    book = notebook(*(local.sub("", code[name]) for name in cells.split()))
    return {
        "attention.ipynb": book,
        **{f"{name}.py": code[name].encode() for name in files.split()},
    }


@pytest.mark.parametrize("ring", RINGS.values(), ids=RINGS.keys())
def test_a_ring_of_imports_costs_nothing_whichever_exercise_is_asked(
    ring: tuple[str, str], grader: Grader, grade: Grade
) -> None:
    files = mixed(*ring)
    assert lost(grade(files)) == {}
    for exercise in EXERCISES:  # alone, as at the desk
        checks = {exercise: grader.graders.checks[exercise]}
        graders = replace(grader.graders, checks=checks)
        rng_for = seeded(b"ring", exercise)
        with Judge(grader.sandbox, graders, grader.names, [*files.items()], rng_for) as judge:
            [alone] = judge.judge()
        assert alone.passed, exercise


# -- packages that are not there ---------------------------------------------------------------

NEEDS_TORCH = "import torch\ndef twice(x):\n    return torch.add(x, x)\n"
PACKAGE = {
    "import": "import torch\n",
    "import of a part": "import torch.nn.functional as F\n",
    "import of two": "import torch, math\n",
    "import of names": "from scipy.special import logsumexp, expit as sigmoid\n",
    "import of all": "from torch import *\n",
    "what is made of it": "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    pass\n",
    "computed with it": "import pandas as pd\ntable = pd.DataFrame({'a': [1]})\n",
    "tried": "try:\n    import torch\nexcept ImportError:\n    torch = None\n",
    "in an own module": "import mine\nfrom mine import twice\n",
}


@pytest.mark.parametrize("before", PACKAGE.values(), ids=PACKAGE.keys())
def test_a_package_that_is_not_there_costs_nobody_who_does_without_it(
    before: str, grade: Grade
) -> None:
    result = grade(with_(before + RIGHT, mine=NEEDS_TORCH))
    assert lost(result) == {}
    assert "torch" in str(result.notice) or "torch" not in before


@pytest.mark.parametrize(
    ("before", "use"),
    [
        ("import torch\n", "torch.softmax(x, -1)"),
        ("import torch as t, math\n", "t.tensor(x)"),
        ("from scipy.special import softmax as there\n", "there(x, axis=-1)"),
        ("import torch\nfrom torch import nn\nnet = nn.Softmax(-1)\n", "nn.Softmax(-1)(x)"),
        ("from mine import twice\n", "twice(x)"),
    ],
)
def test_a_function_that_uses_such_a_package_is_told_that_it_is_not_there(
    before: str, use: str, grade: Grade
) -> None:
    code = f"def softmax(x, axis=-1):\n    return {use}\n"
    result = grade(with_(before + code, mine=NEEDS_TORCH))
    assert lost(result) == {"softmax": "error"}
    told = [c.message or "" for e in result.exercises for c in e.checks if c.status == "error"]
    assert told and all("ModuleNotFoundError" in each for each in told)


def test_a_graded_name_that_is_imported_from_such_a_package_is_none(grade: Grade) -> None:
    result = grade(with_("from scipy.special import softmax\n"))
    assert set(lost(result)) == {"softmax"}


def test_an_own_module_that_was_not_handed_in_is_still_missed(grade: Grade) -> None:
    assert set(lost(grade(with_("from utils import shift\n" + RIGHT)))) == {"softmax"}

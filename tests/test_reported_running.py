"""Reported faults of other kits that show while code runs: one function of a full-mark hand-in
is exchanged, and only what stands beside it may be lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.export.html import Meta, student_page
from autograder.messages import render
from autograder.results import SubmissionResult

CLASS = Path(__file__).parent / "sample_class" / "submissions"
FILES = {path.name: path.read_bytes() for path in (CLASS / "student-03").iterdir()}
Grade = Callable[[dict[str, bytes]], SubmissionResult]


def with_(softmax: str, **others: bytes) -> dict[str, bytes]:
    """Give the full-mark hand-in with another softmax.py."""
    return {**FILES, "softmax.py": softmax.encode(), **others}


def lost(result: SubmissionResult) -> dict[str, str]:
    assert result.status == "graded", result.notice
    return {each.exercise: each.status for each in result.exercises if each.status != "passed"}


def messages_of(result: SubmissionResult, exercise: str = "softmax") -> str:
    [found] = [each for each in result.exercises if each.exercise == exercise]
    return " ".join(check.message or "" for check in found.checks)


RIGHT = FILES["softmax.py"].decode()
BODY = "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    {}\n"
CALM = "x = np.asarray(x, float)\n    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
GIVE = "    return e / e.sum(axis=axis, keepdims=True)"


def body(line: str, top: str = "") -> str:
    """Give a softmax whose body is `line`."""
    return top + BODY.format(line)


def right_after(line: str, top: str = "") -> str:
    """Give a right softmax that does `line` first."""
    return top + BODY.format(f"{line}\n    {CALM}{GIVE}")


# ---- Time, memory, ends ------------------------------------------------------------------------

LOOPS = {
    "B01 loop": "while True: pass",
    "B01 loop in C": "sum(range(10**12))",
    "B93 bare except": "while True:\n        try: 1 / 0\n        except: pass",
    "B93 BaseException": "while True:\n        try: pass\n        except BaseException: pass",
    "B93 signals ignored": "import signal\n"
    "    signal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
    "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    while True: pass",
    "B93 sleeps in finally": "import time\n    try: return 1\n    finally: time.sleep(1000)",
}
# No later exercise builds on it: its limit is waited for once.
HEATMAP = "def ascii_heatmap(weights, tokens, chars=' .'):\n    {}\n"


@pytest.mark.parametrize("line", LOOPS.values(), ids=LOOPS.keys())
def test_only_its_exercise_is_lost_in_time_when(line: str, grade: Grade) -> None:
    result = grade({**FILES, "ascii_heatmap.py": HEATMAP.format(line).encode()})
    assert lost(result) == {"ascii_heatmap": "timeout"}
    assert result.seconds < 10
    said = messages_of(result, "ascii_heatmap")
    assert "longer than 1 s" in said or "`while` loop in line" in said  # B53: the limit is named


ENDS = {
    "B26 sys.exit": body("import sys; sys.exit(0)"),
    "B26 os._exit": body("import os; os._exit(0)"),
    "B26 SystemExit": body("raise SystemExit"),
    "B26 KeyboardInterrupt": body("raise KeyboardInterrupt"),
    "B87 exit 1": body("import os; os._exit(1)"),
    "B87 SIGSEGV": body("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"),
    "B26 equals all": body(
        "return Any()", "class Any:\n    def __eq__(self, other): return True\n"
    ),
    "B26 mock ANY": body("return ANY", "from unittest.mock import ANY\n"),
    "B26 allclose patched": body("np.allclose = lambda *a, **k: True\n    return x"),
    "B66 huge array": body("return np.zeros((10**6, 10**6))"),
    "B53 recursion": body("return softmax(x)"),
}


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS.keys())
def test_no_points_and_nothing_else_lost_when(source: str, grade: Grade) -> None:
    result = grade(with_(source))
    assert list(lost(result)) == ["softmax"]
    [softmax] = [each for each in result.exercises if each.exercise == "softmax"]
    assert softmax.score <= 2.0, "what is right by chance stays below a pass"
    said = messages_of(result)
    assert said and "Traceback" not in said and "autograder" not in said


def test_B27_input_never_blocks_and_is_named(grade: Grade) -> None:
    result = grade(with_(body("name = input('who? ')\n    return x")))
    assert lost(result) == {"softmax": "error"}
    for start in ("input()\n", "import sys\nsys.stdin.read()\n", "breakpoint()\n"):
        assert set(lost(grade(with_(start + RIGHT)))) <= {"softmax"}


# ---- What is printed, warned, shadowed, drawn --------------------------------------------------

FREE = {
    "B05 300,000 lines": right_after("print('x\\n' * 3000)", "print('y\\n' * 300_000)\n"),
    "B05 long line": right_after("pass", "print('z' * 5_000_000)\n"),
    "B05 file descriptor": right_after("os.write(1, b'x' * 10000)", "import os\n"),
    "B34 prints results": right_after('print(\'{"score": 100, "max_score": 100}\')'),
    "B52 warning": right_after("np.divide(1.0, np.zeros(1))"),
    "B52 warnings.warn": right_after("warnings.warn('careful')", "import warnings\n"),
    "B52 stderr": right_after("sys.stderr.write('careful')", "import sys\n"),
    "B52 fd 2": right_after("os.write(2, b'careful')", "import os\n"),
    "B52 logging": right_after("logging.warning('careful')", "import logging\n"),
    "B31 draws": right_after("np.random.rand()"),
    "B31 reseeds": right_after("np.random.seed(0); random.seed(1)", "import random\n"),
    "B31 default_rng": right_after("np.random.default_rng().normal()"),
    "B63 names shadowed": right_after("pass")
    + "\nsum = 0\nlen = 3\nprint = None\nrange = 5\nopen = None\n"
    "isinstance = lambda *a: True\n__name__ = 'x'\n",
    "B64 data elsewhere": RIGHT + "\ntry: open(r'C:\\Users\\me\\data.npz')\nexcept OSError: pass\n",
}


@pytest.mark.parametrize("source", FREE.values(), ids=FREE.keys())
def test_nothing_is_lost_when(source: str, grade: Grade) -> None:
    result = grade(with_(source))
    assert lost(result) == {}
    assert len(json.dumps(result.to_json(), allow_nan=False)) < 200_000


def test_B34_bytes_on_every_descriptor_give_nothing(grade: Grade) -> None:
    writes = "for fd in range(1, 10):\n        try: os.write(fd, b'10 passed')\n"
    source = right_after(writes + "        except OSError: pass", "import os\n")
    assert set(lost(grade(with_(source)))) <= {"softmax"}


def test_B58_an_own_module_is_importable_and_a_wrong_one_costs(grade: Grade) -> None:
    other = {"mine.py": b"def shift(x):\n    return x - x.max()\n"}
    source = "from mine import shift\n" + RIGHT
    assert lost(grade(with_(source, **other))) == {}


def test_B58_a_relative_import_says_what_it_needs(grade: Grade) -> None:
    result = grade(with_("from .utils import x\n" + RIGHT))
    assert set(lost(result)) == {"softmax"} and messages_of(result)


def test_B64_an_absent_data_file_costs_who_needs_it(grade: Grade) -> None:
    result = grade(with_("import numpy as np\nw = np.load('weights.npz')\n" + RIGHT))
    assert lost(result) == {}
    assert result.notice is not None and "softmax.py, line 2" in result.notice
    needed = "import numpy as np\nw = np.load('weights.npz')\n" + body("return x * w")
    assert lost(grade(with_(needed))) == {"softmax": "error"}


def test_B41_an_undefined_name_is_named_after_a_clean_run(grade: Grade) -> None:
    result = grade(with_(body("return x * temperature")))
    assert lost(result) == {"softmax": "error"}
    assert "NameError" in messages_of(result) or "name" in messages_of(result)


def test_B41_a_later_exercise_may_use_a_name_again(grade: Grade) -> None:
    files = {
        **FILES,
        "softmax.py": b"t = 3\n" + FILES["softmax.py"],
        "heads.py": b"t = 4\n" + FILES["heads.py"],
    }
    assert lost(grade(files)) == {}


# ---- Numbers -----------------------------------------------------------------------------------

WHOLE = "x = np.asarray(x, float)\n    e = np.exp(x - x.max(axis, keepdims=True))\n"
SHARE = "    e = e / e.sum(axis, keepdims=True)\n    return {}"


def answered(form: str, top: str = "") -> str:
    """Give a right softmax whose answer comes as `form` of e."""
    return body(WHOLE + SHARE.format(form), top)


def test_B90_float32_passes(grade: Grade) -> None:
    assert lost(grade(with_(answered("e.astype(np.float32)")))) == {}


@pytest.mark.parametrize("form", ["e.astype(complex)", "e.astype(object)", "str(e)"])
def test_B90_a_strange_kind_of_numbers_is_lost_in_words(form: str, grade: Grade) -> None:
    result = grade(with_(answered(form)))
    assert set(lost(result)) == {"softmax"} and messages_of(result)


def test_B90_an_integer_array_divided_in_place_is_named(grade: Grade) -> None:
    source = body("x -= x.max(axis, keepdims=True)\n    e = np.exp(x)\n" + SHARE.format("e"))
    result = grade(with_(source))
    assert set(lost(result)) == {"softmax"}
    assert "C-MUTATE" in {code for each in result.exercises for code in each.findings}


@pytest.mark.parametrize("form", ["np.float64(d)", "np.asarray(d)", "float(d)"])
def test_B79_a_number_is_a_number_in_every_form(form: str, grade: Grade) -> None:
    source = FILES["compare_sentences.py"].decode()
    extra = (
        "\n\ndef frobenius_distance(A, B):\n"
        "    d = np.sqrt(((np.asarray(A, float) - np.asarray(B, float)) ** 2).sum())\n"
        f"    return {form}\n"
    )
    files = {**FILES, "compare_sentences.py": (source + extra).encode()}
    assert lost(grade(files)) == {}


def test_B81_a_name_that_numpy_no_longer_has_is_named(grade: Grade) -> None:
    result = grade(with_(body("return x.astype(np.float)")))
    assert lost(result) == {"softmax": "error"}
    assert "AttributeError" in messages_of(result)


MASKED = """\
import numpy as np
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    {}
    return w @ V, w
"""
MASKS = {
    "-inf": "w = softmax(scores if mask is None else np.where(mask, scores, -np.inf))",
    "-1e9": "w = softmax(scores if mask is None else np.where(mask, scores, -1e9))",
    "inverted": "w = softmax(scores if mask is None else np.where(mask, -1e9, scores))",
    "after": "w = softmax(scores)\n    w = w if mask is None else np.where(mask, w, 0)",
}


def masked(form: str, grade: Grade) -> tuple[SubmissionResult, set[str]]:
    source = MASKED.format(MASKS[form])
    result = grade({**FILES, "masked_attention.py": source.encode()})
    [found] = [each for each in result.exercises if each.exercise == "masked_attention"]
    return result, set(found.findings)


def test_B50_a_large_negative_number_passes_what_minus_infinity_passes(grade: Grade) -> None:
    results = {form: masked(form, grade)[0].score for form in ("-inf", "-1e9")}
    assert min(results.values()) >= 98.0, results


@pytest.mark.parametrize(("form", "code"), [("inverted", "MASK-INVERTED"), ("after", "MASK-AFTER")])
def test_B50_a_mask_that_is_not_right_is_named(form: str, code: str, grade: Grade) -> None:
    assert code in masked(form, grade)[1]


# ---- What students must not read ---------------------------------------------------------------

SPIES = {
    "zeros": body("return np.zeros_like(x, dtype=float)"),
    "raises": body("raise ValueError(x)"),
    "repr raises": body(
        "return Odd()", "class Odd:\n    def __repr__(self): raise RuntimeError('no')\n"
    ),
}


@pytest.mark.parametrize("source", SPIES.values(), ids=SPIES.keys())
def test_B03_B13_a_student_reads_no_hidden_text_or_number(source: str, grade: Grade) -> None:
    result = grade(with_(source))
    page = student_page(result, Meta("0.1.0"))
    for leak in ("test_softmax", "assert", "expect.", "reference.", "Traceback", "rng.", "array("):
        assert leak not in page
    assert "softmax" in page and messages_of(result)


def test_B21_sentences_come_in_the_languages_asked_for() -> None:
    for code in ("C-SHAPE", "C-NONE", "C-TIMEOUT", "C-RAISED", "SM-AXIS0", "UNKNOWN"):
        english, chinese = render(code, {}, "en"), render(code, {}, "zh")
        assert english != chinese and any("\u4e00" <= sign <= "\u9fff" for sign in chinese)

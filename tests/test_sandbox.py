"""Workers from outside: what they answer, how they end, and that nothing of them stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder import sandbox as boxes
from autograder import session
from autograder.sandbox import IsolationTooWeak, Limits, Sandbox, SandboxFault, Worker
from autograder.student import Handle, LocalStudent, Reply, Trouble

NAMES = [
    ("softmax", ("softmax",)),
    ("attention_scores", ("attention_scores",)),
    ("heads", ("split_heads", "concat_heads")),
    ("self_attention", ("SelfAttention",)),
]
X = np.arange(6.0).reshape(2, 3)
FORK = sys.platform not in ("win32", "darwin")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
KINDS = [pytest.param(True, marks=pytest.mark.skipif(not FORK, reason="no safe fork")), False]


@pytest.fixture(scope="module", params=KINDS, ids=["forked", "fresh"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with Sandbox(fork=request.param) as made:
        yield made


@pytest.fixture(scope="module")
def quick() -> Iterator[Sandbox]:
    """A sandbox of the default kind, for what does not depend on it."""
    with Sandbox(limits=Limits(load=1.0)) as made:
        yield made


def opened(sandbox: Sandbox, *codes: str, **more: Any) -> Worker:
    names = ("softmax.py", "attention_scores.py", "mine.py")
    files = [(name, code.encode()) for name, code in zip(names, codes, strict=False)]
    return sandbox.open(files, exercises=NAMES, **more)


def answer(worker: Worker, name: str = "softmax", *args: Any, seconds: float = 2.0) -> Reply:
    return worker.ask("call", name, None, args or (X,), {}, seconds=seconds)


def once(sandbox: Sandbox, code: str, **more: Any) -> Reply:
    worker = opened(sandbox, code, **more)
    try:
        return answer(worker)
    finally:
        worker.close()


def trouble(reply: Reply) -> tuple[str, str]:
    assert isinstance(reply.value, Trouble), reply
    return reply.value.kind, reply.value.detail


def notebook(*cells: str, ids: dict[int, str] | None = None) -> bytes:
    made = []
    for number, text in enumerate(cells, start=1):
        grade_id = (ids or {}).get(number)
        mark = {"nbgrader": {"grade_id": grade_id, "solution": True}} if grade_id else {}
        made.append({"cell_type": "code", "source": text, "metadata": mark, "outputs": []})
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}).encode()


# -- answers ---------------------------------------------------------------------------------


def test_a_call_gives_what_the_function_gives(sandbox: Sandbox) -> None:
    reply = once(sandbox, "def softmax(x): return x * 2")
    assert np.array_equal(reply.value, X * 2)
    assert (reply.changed, reply.printed, reply.touched_rng) == ((), "", False)


def test_an_object_stays_there_and_answers(sandbox: Sandbox) -> None:
    code = (
        "class SelfAttention:\n  def __init__(self, n): self.W_q = n\n"
        "  def forward(self, x): return x @ self.W_q"
    )
    worker = opened(sandbox, code)
    ask = lambda *how: worker.ask(*how, {}, seconds=2.0).value  # noqa: E731
    made = ask("new", "SelfAttention", None, (np.eye(3),))
    assert made == Handle(0)
    assert np.array_equal(ask("method", "forward", 0, (X,)), X)
    assert ask("set", "W_q", 0, (np.eye(3) * 2,)) is None
    assert np.array_equal(ask("get", "W_q", 0, ()), np.eye(3) * 2)
    assert np.array_equal(ask("method", "forward", 0, (X,)), X * 2)
    worker.close()


@pytest.mark.parametrize("base", ["dict", "list", "str", "np.ndarray"])
def test_an_object_is_one_whatever_its_class_is_made_from(quick: Sandbox, base: str) -> None:
    code = (
        f"import numpy as np\nclass SelfAttention({base}):\n"
        "  def __new__(cls, *a):\n"
        "    return super().__new__(cls, *[2] * (np.ndarray in cls.mro()))\n"
        "  def __init__(self, *a):\n    pass\n"
        "  def forward(self, X):\n    return X + self.W_q\n"
    )
    worker = opened(quick, code)
    made = worker.ask("new", "SelfAttention", None, (8, 4, 3), {}, seconds=2.0).value
    assert isinstance(made, Handle)
    worker.ask("set", "W_q", made.number, (X,), {}, seconds=2.0)
    told = worker.ask("method", "forward", made.number, (X,), {}, seconds=2.0).value
    assert (told == 2 * X).all()
    worker.close()


def test_an_object_can_be_an_argument(sandbox: Sandbox) -> None:
    code = "class SelfAttention:\n  v = 7\ndef softmax(x): return x[0].v"
    worker = opened(sandbox, code)
    made = worker.ask("new", "SelfAttention", None, (), {}, seconds=2.0).value
    assert answer(worker, "softmax", [made]).value == 7
    worker.close()


ANSWERS = {
    "None": "None",
    "number": "3",
    "float": "2.5",
    "numpy number": "np.float64(2.5)",
    "text": "'a → b'",
    "truth": "True",
    "list": "[x, (1, None)]",
    "dict": "{'weights': x, 2: 'two'}",
    "matrix": "x.view(np.matrix)",
    "float32": "x.astype('f4')",
    "transposed": "x.T",
    "scalar array": "np.array(1)",
    "empty": "np.zeros((0, 3))",
    "complex": "x * 1j",
    "complex number": "1j",
    "objects": "np.array([None])",
    "strings": "np.array(['a'])",
    "dates": "np.array(['2020-01-01'], 'M8[D]')",
    "masked": "np.ma.masked_all(3)",
    "raised": "1 / 0",
    "own exception": "boom(ArithmeticError)",
    "numpy exception": "np.linalg.inv(np.zeros((2, 2)))",
    "not implemented": "boom(NotImplementedError)",
}
CODE = """
import numpy as np
def boom(kind):
    raise type('Mine', (kind,), {{}})('x')
def softmax(x):
    return {}
"""


@pytest.mark.parametrize("what", ANSWERS)
def test_it_answers_as_a_local_student_does(sandbox: Sandbox, what: str) -> None:
    code = CODE.format(ANSWERS[what])
    space: dict[str, Any] = {"__name__": "softmax"}
    exec(code, space)
    here, there = LocalStudent(space).ask("call", "softmax", None, (X,), {}), once(sandbox, code)
    if isinstance(here.value, Trouble):
        assert trouble(there) == (here.value.kind, here.value.detail)
    else:
        assert repr(here.value) == repr(there.value)
    assert type(here.value) is type(there.value)


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("x[0] = 9", (0,)),
        ("x[0, 0] = -0.0", (0,)),
        ("x.shape = (3, 2)", (0,)),
        ("x.dtype = 'i8'", (0,)),
        ("x = x + 1", ()),
    ],
)
def test_a_change_to_an_argument_is_seen(
    sandbox: Sandbox, body: str, changed: tuple[int, ...]
) -> None:
    code = (
        f"import warnings\nwarnings.simplefilter('ignore')\ndef softmax(x):\n  {body}\n  return 1"
    )
    reply = once(sandbox, code)
    assert (reply.value, reply.changed) == (1, changed)


def test_a_big_endian_array_arrives_in_our_order(sandbox: Sandbox) -> None:
    found = once(sandbox, "def softmax(x): return x.astype('>f8')").value
    assert found.dtype == np.dtype("<f8") and np.array_equal(found, X)


def test_a_change_to_a_list_is_seen_and_ours_stays(sandbox: Sandbox) -> None:
    worker = opened(sandbox, "def softmax(x): x.append('!'); return len(x)")
    tokens = ["the", "cat"]
    reply = answer(worker, "softmax", tokens)
    assert (reply.value, reply.changed, tokens) == (3, (0,), ["the", "cat"])
    worker.close()


def test_the_global_generator_is_watched(sandbox: Sandbox) -> None:
    body = "import numpy as np\ndef softmax(x): return {}"
    assert once(sandbox, body.format("np.random.rand()")).touched_rng
    assert once(sandbox, body.format("np.random.seed(1)")).touched_rng
    assert not once(sandbox, body.format("np.random.default_rng(1).normal()")).touched_rng


def test_prints_are_kept_from_both_streams_and_below_python(sandbox: Sandbox) -> None:
    code = (
        "import os, sys\ndef softmax(x):\n  print('one')\n  print('two', file=sys.stderr)\n"
        "  os.write(1, b'three')\n  return 1"
    )
    printed = once(sandbox, code).printed
    assert all(word in printed for word in ("one", "two", "three"))


STREAMS = [
    "sys.stdout.reconfigure(encoding='utf-8')",
    "sys.stderr.reconfigure(errors='replace')",
    "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')",
    "sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding='utf-8')",
    "assert not sys.stdout.seekable() and not sys.stderr.seekable()",
]


@pytest.mark.parametrize("line", STREAMS)
def test_standard_streams_can_be_given_another_encoding(sandbox: Sandbox, line: str) -> None:
    code = f"import io, sys\n{line}\ndef softmax(x):\n  print('一个')\n  return 1"
    reply = once(sandbox, code)
    assert (reply.value, reply.printed) == (1, "一个\n")


def test_a_flood_is_cut_in_the_middle(sandbox: Sandbox) -> None:
    code = "def softmax(x):\n  print('begin')\n  print('y' * 10**7)\n  print('end')\n  return 1"
    reply = once(sandbox, code)
    assert reply.value == 1
    assert reply.printed.startswith("begin") and "[…]" in reply.printed
    assert len(reply.printed) < 70_000


def test_control_signs_are_not_passed_on(sandbox: Sandbox) -> None:
    printed = once(sandbox, "def softmax(x): print('a\\x1b[31m\\u202e\\x00b\\tc')").printed
    assert printed == "a[31mb\tc\n"


@pytest.mark.parametrize("call", ["input()", "breakpoint()", "__import__('sys').stdin.read(1)[0]"])
def test_nothing_waits_for_a_person(sandbox: Sandbox, call: str) -> None:
    reply = once(sandbox, f"def softmax(x): return {call}")
    assert trouble(reply)[0] == "raised" and reply.seconds < 1.0


# -- troubles --------------------------------------------------------------------------------

LARGE_OWNER = """
import numpy as np
from autograder.boot import Limits
from autograder.sandbox import Sandbox

held = np.ones(64_000_000)
del held
code = b"import ctypes\\ndef softmax(x): ctypes.string_at(0)"
with Sandbox(fork=False, limits=Limits(memory=500 * 2**20)) as sandbox:
    worker = sandbox.open([("softmax.py", code)], exercises=[("softmax", ("softmax",))])
    found = worker.ask("call", "softmax", None, (np.zeros(3),), {}, seconds=5.0).value
    print(found.kind, found.detail)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_memory_that_its_owner_held_is_not_laid_to_a_worker() -> None:
    root = str(Path(__file__).resolve().parent.parent)
    environment = {**os.environ, "PYTHONPATH": root, "OPENBLAS_NUM_THREADS": "1"}
    ended = subprocess.run(
        [sys.executable, "-c", LARGE_OWNER], capture_output=True, text=True, env=environment
    )
    assert (ended.stdout.split(), ended.stderr) == (["died", "signal"], "")


def test_a_trouble_says_where(sandbox: Sandbox) -> None:
    worker = opened(
        sandbox,
        "import mine\ndef softmax(x):\n    return mine.f(x)",
        "",
        "def f(x):\n\n  x/0\n  1/0",
    )
    found = answer(worker).value
    assert (found.kind, found.detail, found.line, found.file) == (
        "raised", "ZeroDivisionError", 4, "mine.py",
    )  # fmt: skip
    worker.close()


@pytest.mark.parametrize(
    ("code", "kind", "detail"),
    [
        ("def softmax(x): raise SystemExit(0)", "raised", "SystemExit"),
        ("def softmax(x): raise KeyboardInterrupt", "raised", "KeyboardInterrupt"),
        ("def softmax(x): return softmax(x)", "raised", "RecursionError"),
        ("def softmax(x):\n  '''Doc.'''\n  raise NotImplementedError()", "stub", ""),
        ("x = 1", "missing", ""),
        ("softmax = None", "raised", "TypeError"),
        ("import os\ndef softmax(x): os._exit(0)", "died", "exit"),
        ("import ctypes\ndef softmax(x): ctypes.string_at(0)", "died", "signal"),
        ("def softmax(x): return 'x' * 10**6", "refused", "too large"),
        ("import numpy as np\ndef softmax(x): return np.zeros(10**7)", "refused", "too large"),
        ("def softmax(x):\n  a = []\n  a.append(a)\n  return a", "refused", "too large"),
        ("def softmax(x): return ' ' * 10**11", "raised", "MemoryError"),
    ],
)
def test_each_trouble_has_its_kind(sandbox: Sandbox, code: str, kind: str, detail: str) -> None:
    assert trouble(once(sandbox, code)) == (kind, detail)


def test_a_loop_ends_at_its_deadline_and_the_worker_stays_dead(sandbox: Sandbox) -> None:
    endless = "def softmax(x):\n  n = 0\n  while True: n += 1\ndef split_heads(x): return 1"
    worker = opened(sandbox, endless)
    worker.prepare("softmax")
    start = time.monotonic()
    assert trouble(answer(worker, seconds=0.5)) == ("timeout", "")
    assert time.monotonic() - start < 3.0
    assert not worker.alive
    assert trouble(answer(worker, "split_heads")) == ("died", "")
    worker.close()


def test_the_worker_goes_on_after_an_exception(sandbox: Sandbox) -> None:
    worker = opened(sandbox, "def softmax(x): 1 / 0\ndef split_heads(x): return 1")
    assert trouble(answer(worker)) == ("raised", "ZeroDivisionError")
    assert answer(worker, "split_heads").value == 1
    worker.close()


def test_an_object_of_a_worker_that_died_is_gone(sandbox: Sandbox) -> None:
    worker = opened(sandbox, "x = 1")
    reply = worker.ask("method", "forward", 3, (X,), {}, seconds=1.0)
    assert trouble(reply) == ("died", "")
    worker.close()


# -- loading ---------------------------------------------------------------------------------


def test_definitions_are_read_before_anything_runs(quick: Sandbox) -> None:
    code = (
        "1 / 0\n"
        "def softmax(x):\n    '''Doc.'''\n    raise NotImplementedError()\n"
        "def split_heads(X, n):\n    return X\n"
        "class SelfAttention:\n    def __init__(self): pass\n    def forward(self, X): pass\n"
    )
    worker = opened(quick, code)
    assert worker.report.definitions == {
        "softmax": "stub",
        "split_heads": "attempted",
        "SelfAttention": "stub",
    }
    worker.close()


def test_an_attempt_beats_a_stub_wherever_it_stands(quick: Sandbox) -> None:
    stub = b"def softmax(x):\n    raise NotImplementedError()\n"
    book = notebook("def softmax(x): return 5")
    worker = quick.open([("softmax.py", stub), ("attention.ipynb", book)], exercises=NAMES)
    assert worker.report.chosen["softmax"] == "attention.ipynb"
    assert answer(worker).value == 5
    worker.close()


def test_of_two_attempts_the_exercise_named_file_counts_with_a_notice(quick: Sandbox) -> None:
    book = notebook("def softmax(x): return 5")
    files = [("attention.ipynb", book), ("softmax.py", b"def softmax(x): return 6")]
    worker = quick.open(files, exercises=NAMES)
    assert answer(worker).value == 6
    assert worker.report.notices[0][0] == "defined-twice"
    worker.close()


def test_a_file_that_fails_at_its_end_keeps_what_it_defined(quick: Sandbox) -> None:
    worker = opened(quick, "def softmax(x): return 4\n1 / 0\ndef split_heads(x): return 5")
    prepared = worker.prepare("softmax")
    assert prepared.ok and prepared.noted[0].detail == "ZeroDivisionError"
    assert answer(worker).value == 4
    assert trouble(answer(worker, "split_heads")) == ("raised", "ZeroDivisionError")
    worker.close()


@pytest.mark.parametrize("end", ["1 / 0", "raise SystemExit", "open('log.txt', 'w')"])
@pytest.mark.parametrize("first", ["softmax", "attention_scores"])
def test_what_a_failing_file_defined_can_be_imported_whoever_is_first(
    quick: Sandbox, first: str, end: str
) -> None:
    mine = "from softmax import softmax\ndef attention_scores(Q): return softmax(Q) + 1"
    worker = opened(quick, f"def softmax(x): return 4\n{end}", mine)
    assert worker.prepare(first).ok
    assert answer(worker, "attention_scores").value == 5
    worker.close()


def test_a_failure_before_anything_was_defined_is_told_to_who_imports_it(quick: Sandbox) -> None:
    mine = "from softmax import softmax\ndef attention_scores(Q): return softmax(Q) + 1"
    worker = opened(quick, "1 / 0\ndef softmax(x): return 4", mine)
    assert trouble(answer(worker, "attention_scores")) == ("raised", "ZeroDivisionError")
    worker.close()


def test_a_file_that_does_not_parse_is_named_with_its_line(quick: Sandbox) -> None:
    worker = opened(quick, "x = 1\ndef softmax(x:\n  return 1", "def attention_scores(Q): return 2")
    assert worker.report.broken("softmax") == ("syntax", "SyntaxError", 2)
    assert trouble(answer(worker)) == ("raised", "SyntaxError")
    assert answer(worker, "attention_scores").value == 2
    worker.close()


def test_a_file_that_is_deadly_to_read_is_left_out(quick: Sandbox) -> None:
    deadly = "x = " + "-" * 400_000 + "1\ndef softmax(x): return 1"
    worker = opened(quick, deadly, "def attention_scores(Q): return 2")
    assert worker.report.files[0].error is not None
    assert answer(worker, "attention_scores").value == 2
    worker.close()


def test_many_files_that_are_deadly_to_read_are_not_tried_one_by_one(
    quick: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = []
    start = quick._start
    monkeypatch.setattr(quick, "_start", lambda: starts.append(1) or start())
    deadly = ("x = " + "-" * 400_000 + "1").encode()
    files = [("softmax.py", b"def softmax(x): return 1")]
    files += [(f"mine{number}.py", deadly) for number in range(40)]
    worker = quick.open(files, exercises=NAMES)
    assert len(starts) < 12
    assert [file.name for file in worker.report.files] == [name for name, _ in files]
    assert answer(worker).value == 1
    worker.close()


def test_files_that_are_slow_to_read_together_cost_their_class_little(
    quick: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, "OPEN_SECONDS", 0.7)
    monkeypatch.setattr(session, "OPEN_SECONDS", 0.7)
    files = [("softmax.py", b"def softmax(x): return 1")]
    slow = b"x = [" + b"(1, 2)," * 100_000 + b"]\n"
    files += [(f"mine{number}.py", slow) for number in range(30)]
    before = time.monotonic()
    worker = quick.open(files, exercises=NAMES)
    assert time.monotonic() - before < 15.0
    assert worker.report.definitions == {"softmax": "attempted"}
    worker.close()


def test_a_failing_cell_does_not_stop_the_later_ones(quick: Sandbox) -> None:
    book = notebook("1 / 0", "def softmax(x): return y", "y = 3", "def split_heads(x: return 1")
    worker = quick.open([("attention.ipynb", book)], exercises=NAMES)
    assert worker.prepare("softmax").ok
    assert answer(worker).value == 3
    found = worker.prepare("heads").trouble
    assert found is not None
    assert (found.detail, found.file) == ("SyntaxError", "attention.ipynb, cell 4")
    worker.close()


def test_an_untouched_copy_of_a_cell_does_not_undo_the_attempt(quick: Sandbox) -> None:
    stub = "def softmax(x):\n    raise NotImplementedError()"
    book = notebook("def softmax(x): return 3", stub, "def split_heads(x): return softmax(x)")
    worker = quick.open([("attention.ipynb", book)], exercises=NAMES)
    assert answer(worker, "split_heads").value == 3
    worker.close()


def test_cells_run_no_further_than_needed(quick: Sandbox) -> None:
    book = notebook(
        "def softmax(x): return helper()",
        "def helper(): return 7",
        "def split_heads(x): return 1\nwhile True: pass",
    )
    worker = quick.open([("attention.ipynb", book)], exercises=NAMES)
    assert worker.prepare("softmax").ok
    assert answer(worker).value == 7
    worker.close()


def test_a_later_exercise_finds_what_earlier_ones_defined_below_it(quick: Sandbox) -> None:
    book = notebook(
        "def attention_scores(Q): return softmax(Q) + 10",
        "def softmax(x): return 100",
        "def split_heads(x): return 1\nwhile True: pass",
    )
    for first in ("attention_scores", "softmax"):
        worker = quick.open([("attention.ipynb", book)], exercises=NAMES)
        assert worker.prepare(first).ok
        assert answer(worker, "attention_scores").value == 110, first
        worker.close()


def test_a_cell_that_hangs_is_named_and_can_be_skipped(quick: Sandbox) -> None:
    book = notebook("while True: pass\ndef softmax(x): return 1", "def split_heads(x): return 2")
    files = [("attention.ipynb", book)]
    first = quick.open(files, exercises=NAMES)
    prepared = first.prepare("softmax")
    assert prepared.unit == "attention.ipynb, cell 1"
    assert prepared.trouble is not None and prepared.trouble.kind == "timeout"
    second = quick.open(files, exercises=NAMES, skip={prepared.unit: prepared.trouble})
    assert trouble(answer(second)) == ("timeout", "loop")
    assert answer(second, "split_heads").value == 2
    second.close()


def test_files_import_each_other_by_name_and_by_dot(quick: Sandbox) -> None:
    files = [
        ("softmax.py", b"def softmax(x): return 1"),
        ("attention_scores.py", b"from .softmax import softmax\nfrom . import mine\n"
         b"from pack.a import b\nimport softmax as again\n"
         b"def attention_scores(Q): return softmax(Q) + mine.v + b + again.softmax(Q)"),
        ("mine.py", b"v = 10"),
        ("pack/a.py", b"from .c import b"),
        ("pack/c.py", b"b = 100"),
    ]  # fmt: skip
    worker = quick.open(files, exercises=NAMES)
    assert answer(worker, "attention_scores").value == 112
    worker.close()


def test_an_exercise_without_a_file_can_be_imported_from_the_notebook(quick: Sandbox) -> None:
    book = notebook("def softmax(x): return 20")
    mine = b"from softmax import softmax\ndef attention_scores(Q): return softmax(Q) + 1"
    files = [("attention_scores.py", mine), ("attention.ipynb", book)]
    worker = quick.open(files, exercises=NAMES)
    assert answer(worker, "attention_scores").value == 21
    worker.close()


@pytest.mark.parametrize("name", ["json.py", "numpy.py", "autograder.py"])
def test_a_file_named_like_a_library_does_not_replace_it(quick: Sandbox, name: str) -> None:
    code = b"import json, numpy, autograder\ndef softmax(x): return numpy.size(x)"
    files = [("softmax.py", code), (name, b"1 / 0")]
    worker = quick.open(files, exercises=NAMES)
    assert worker.report.notices[0][0] == "shadows"
    assert answer(worker).value == 6
    worker.close()


GIVEN = {"softmax": "def softmax(x):\n    return 100"}


@pytest.mark.parametrize(
    "files",
    [
        [("softmax.py", b"def softmax(x): return 1"),
         ("attention_scores.py",
          b"from softmax import softmax\ndef attention_scores(Q): return softmax(Q) + 1")],
        [("attention.py", b"def softmax(x): return 1\n"
          b"def attention_scores(Q): return softmax(Q) + 1")],
        [("attention.ipynb",
          notebook("def softmax(x): return 1", "def attention_scores(Q): return softmax(Q) + 1"))],
        [("attention_scores.py",
          b"import softmax\ndef attention_scores(Q): return softmax.softmax(Q) + 1")],
    ],
    ids=["files", "one file", "notebook", "file missing"],
)  # fmt: skip
def test_a_given_function_wins_over_the_students_own(
    quick: Sandbox, files: list[tuple[str, bytes]]
) -> None:
    worker = quick.open(files, exercises=NAMES, given=GIVEN)
    assert answer(worker, "attention_scores").value == 101
    worker.close()


def test_the_kit_can_be_imported_and_does_nothing(quick: Sandbox) -> None:
    code = (
        "from autograder import grade, check, hint, picture, prompt, quiz\n"
        "assert grade('softmax') is check() is hint(1) is picture() is prompt(x=1) is None\n"
        "assert quiz(2) is None\n"
        "def softmax(x): return 1"
    )
    assert once(quick, code).value == 1


def test_prints_before_the_first_question_are_kept_and_later_ones_dropped(quick: Sandbox) -> None:
    worker = opened(quick, "print('one')\ndef softmax(x): print('two')", "print('three')")
    assert worker.prepare("softmax").stdout == "one\n"
    answer(worker)
    assert worker.prepare("attention_scores").stdout == "one\n"
    worker.close()


def test_the_same_hand_in_draws_the_same_numbers(quick: Sandbox) -> None:
    code = (
        "import numpy as np, random\n"
        "def softmax(x): return np.random.rand(), random.random(), hash('attention')"
    )
    assert repr(once(quick, code).value) == repr(once(quick, code).value)


# -- processes -------------------------------------------------------------------------------


def test_workers_at_the_same_time_do_not_meet(sandbox: Sandbox) -> None:
    found: dict[int, Any] = {}

    def one(number: int) -> None:
        code = f"def softmax(x):\n  import time\n  time.sleep(0.05)\n  return {number}"
        found[number] = [once(sandbox, code).value for _ in range(2)]

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [number, number] for number in range(4)}


@pytest.mark.skipif(not FORK, reason="no safe fork")
def test_a_zygote_that_was_killed_is_replaced() -> None:
    with Sandbox(fork=True) as made:
        worker = opened(made, "def softmax(x): return 1")
        assert made.zygote_pid is not None
        os.kill(made.zygote_pid, signal.SIGKILL)
        with pytest.raises(SandboxFault):
            for _ in range(100):
                answer(worker)
        assert once(made, "def softmax(x): return 2").value == 2


def entries(folder: str) -> int:
    return len(list(Path(folder).iterdir()))


@LINUX
def test_nothing_is_left_after_many_workers() -> None:
    code = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
    code += "def softmax(x): return 1"
    with Sandbox(fork=True) as made:
        once(made, code)
        zygote = made.zygote_pid
        descriptors = {pid: entries(f"/proc/{pid}/fd") for pid in (os.getpid(), zygote)}
        for _ in range(40):
            once(made, code)
        after = {pid: entries(f"/proc/{pid}/fd") for pid in descriptors}
        assert after == descriptors
        children = Path(f"/proc/{zygote}/task/{zygote}/children").read_text("ascii")
        assert children.split() == []
        assert entries(f"/proc/{zygote}/task") == 1
    assert not Path(f"/proc/{zygote}").exists()


@LINUX
def test_the_grading_process_ending_ends_everything(tmp_path: Path) -> None:
    script = (
        "import os, sys\nfrom autograder.sandbox import Sandbox\n"
        "box = Sandbox(fork=True)\n"
        "box.open([('softmax.py', b'while True: pass')], exercises=[('softmax', ('softmax',))])\n"
        "print(box.zygote_pid, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    zygote = int(done.stdout)
    until = time.monotonic() + 5
    while Path(f"/proc/{zygote}").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not Path(f"/proc/{zygote}").exists()


@LINUX
@pytest.mark.parametrize(("fork", "channel"), [(True, (3,)), (False, (3, 4))])
def test_a_worker_starts_with_nothing_of_ours(
    fork: bool, channel: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTN_TEST_SECRET", "swordfish")
    code = (
        "import os, sys\n"
        "def softmax(x): return dict(os.environ), sys.argv, os.getcwd(), "
        "sorted(n for n in sys.modules if n.startswith('autograder') or n == 'pytest'), "
        "[p for p in sys.path if 'site-packages' in p or not p], "
        "[n for n in range(3, 64) if os.path.exists(f'/proc/self/fd/{n}')]"
    )
    with Sandbox(fork=fork) as made:
        found = once(made, code).value
        assert found[:4] == ({}, ("submission",), "/", ("autograder",))
        assert found[4:] == ((), channel)
        if not fork:
            return
        about = Path(f"/proc/{made.zygote_pid}")
        assert b"swordfish" not in (about / "cmdline").read_bytes()
        if os.getuid() == 0:
            assert b"swordfish" not in (about / "environ").read_bytes()


def test_a_worker_takes_less_than_80_megabytes() -> None:
    code = "import numpy as np\ndef softmax(x): return np.linalg.svd(np.ones((200, 200)))[1].sum()"
    with Sandbox(fork=FORK) as made:
        worker = opened(made, code)
        answer(worker)
        worker.close()
        if FORK:
            assert worker.end.peak < 80 * 2**20


# -- isolation -------------------------------------------------------------------------------


def test_a_level_that_is_not_reached_is_refused() -> None:
    with pytest.raises(IsolationTooWeak, match=r"L[01] is below L2"):
        Sandbox(require="L2", without=("seccomp", "landlock"))


@LINUX
@pytest.mark.parametrize(
    ("without", "most"),
    [((), "L3"), (("seccomp",), "L1"), (("landlock", "seccomp"), "L1"), (("process",), "L0")],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else value,
)
def test_the_level_is_what_was_seen(without: tuple[str, ...], most: str) -> None:
    with Sandbox(without=without) as made:
        assert boxes.LEVELS.index(made.level) <= boxes.LEVELS.index(most)
        if not without and "landlock" in made.layers and "seccomp" in made.layers:
            assert made.level in ("L2", "L3")


@LINUX
def test_our_memory_is_hidden_while_a_sandbox_is_open() -> None:
    script = (
        "import ctypes\nfrom autograder.sandbox import Sandbox\n"
        "dumpable = lambda: ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)\n"
        "one, two = Sandbox(), Sandbox()\ntwo.close()\ntwo.close()\nprint(dumpable())\n"
        "one.close()\nprint(dumpable())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["0", "1"], done.stderr


MISSING = """
import ctypes, errno, struct, sys
sys.path.insert(0, {root!r})
from autograder.filters import ALLOW, EQUAL, give, load, when
steps = load(0)
for number in {numbers}:
    steps += when(EQUAL, number, give(0x00050000 | {code}))
steps += give(ALLOW)
text = b"".join(struct.pack("<HBBI", *step) for step in steps)
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]
libc = ctypes.CDLL(None)
libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, ctypes.byref(Program(len(steps), text)), 0, 0) == 0
from autograder.sandbox import IsolationTooWeak, Sandbox
with Sandbox() as made:
    print(made.level, *made.layers, sep="|")
    worker = made.open([("softmax.py", b"import json, statistics\\ndef softmax(x): return 1")],
                       exercises=[("softmax", ("softmax",))])
    print(worker.ask("call", "softmax", None, (1,), {{}}, seconds=2.0).value)
try:
    Sandbox(require="L2").close()
    print("accepted")
except IsolationTooWeak:
    print("refused")
"""


@LINUX
@pytest.mark.parametrize("code", [1, 38, 95], ids=["EPERM", "ENOSYS", "EOPNOTSUPP"])
def test_where_landlock_is_missing_no_file_can_be_opened(code: int) -> None:
    told = _where_missing((444, 445, 446), code)
    level, *layers = told[0].split("|")
    assert "landlock" not in layers
    if "seccomp without files" not in layers:
        pytest.skip("no system-call filter for this machine")
    assert level in ("L2", "L3") and told[1:] == ["1", "accepted"]


def _where_missing(numbers: tuple[int, ...], code: int) -> list[str]:
    root = str(Path(boxes.__file__).parents[1])
    script = MISSING.format(root=root, numbers=numbers, code=code)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_many_files_with_long_names_are_all_read(quick: Sandbox) -> None:
    long = [(f"{'注' * 80}{number}.py", b"import x\ndef softmax(x: y(") for number in range(150)]
    files = [*long, ("softmax.py", b"def softmax(x): return 3")]
    worker = quick.open(files, exercises=NAMES)
    assert len(worker.report.files) == 151
    assert worker.report.chosen["softmax"] == "softmax.py"
    assert answer(worker).value == 3
    worker.close()


def test_a_shortcut_that_is_not_there_is_told_of(quick: Sandbox) -> None:
    code = "import scipy.special\ndef softmax(x): return 1"
    worker = opened(quick, code, "def attention_scores(Q):\n  import torch, secret_of_mine")
    worker.prepare("softmax")
    assert worker.absent == {"scipy"}
    answer(worker, "attention_scores")
    assert worker.absent == {"scipy", "torch"}
    worker.close()

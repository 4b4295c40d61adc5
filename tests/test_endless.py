"""Loops that never end are shown never to end; every loop that ends is let run."""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder import loops, messages, tallies
from autograder.sandbox import Sandbox, Worker
from autograder.student import Reply, Trouble

X = np.arange(6.0).reshape(2, 3)
HEAD = "import numpy as np\nimport math\n"
LIMIT = 8.0  # seconds: who is stopped by it was not shown to be endless


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def opened(sandbox: Sandbox, code: str) -> Worker:
    return sandbox.open([("softmax.py", code.encode())], exercises=[("softmax", ("softmax",))])


def asked(sandbox: Sandbox, body: str, before: str = "") -> Reply:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    worker = opened(sandbox, f"{HEAD}{before}def softmax(x):\n{lines}    return x\n")
    try:
        assert worker.prepare("softmax").ok
        return worker.ask("call", "softmax", None, (X,), {}, seconds=LIMIT)
    finally:
        worker.close()


ENDLESS = {  # the body of a function, and the line of its loop in it
    "nothing in it": ("while True:\n    pass", 1),
    "one line": ("while True: pass", 1),
    "one line with a test": ("while x is not None: continue", 1),
    "forgotten step": ("i = 0\nwhile i < len(x):\n    x[i] = np.exp(x[i]) * 0 + 1", 2),
    "search that stands still": (
        "low, high = 0, 10\nwhile low < high:\n    middle = (low + high) // 2\n"
        "    if middle < 9:\n        low = middle\n    else:\n        high = middle",
        2,
    ),
    "there and back": ("a = 1\nwhile a:\n    a = -a", 2),
    "a cycle of six": ("a = 1\nwhile a:\n    a = a * 3 % 7", 2),
    "a fixed point": (
        "p = np.ones_like(x)\nwhile abs(p.sum() - 1) > 1e-300:\n    p = p / p.sum() + 1e-18",
        2,
    ),
    "the outer of two": (
        "a = 0\nwhile a < 3:\n    b = 0\n    while b < 4:\n        b += 1",
        2,
    ),
    "a for loop in it": ("a = 0\nwhile a < 3:\n    for i in range(5):\n        b = i", 2),
    "in a for loop": ("for row in x:\n    while row.sum() >= 0:\n        pass", 2),
    "a comprehension in it": ("a = 0\nwhile a < 3:\n    b = sum([v for v in range(5)])", 2),
    "its own trouble caught": (
        "while True:\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        pass",
        1,
    ),
    "a list that stays": ("rows = [1, 2]\nwhile rows:\n    rows[0] = max(rows)", 2),
    "what is no number": ("a = float('nan')\nwhile not a < 1:\n    b = a + 1", 2),
    "a test over two lines": (
        "while (x.sum() >= 0 and\n       len(x)):\n    y = x\n    z = y",
        1,
    ),
    "a branch": ("while True:\n    if x is None:\n        break\n", 1),
    "counts for ever": ("n = 0\nwhile True:\n    n += 1", 2),
    "counts down for ever": ("n = 9\nwhile x.sum() > 0:\n    n = n - len(x)", 2),
    "the other index": (
        "i = j = 0\ntotal = 0.0\nwhile i < 3:\n    total += x[0, i]\n    j += 1",
        3,
    ),
    "adds up, forgets the step": (
        "i, total = 0, 0.0\nwhile i < len(x):\n    total = total + np.exp(x[i]).sum()",
        2,
    ),
    "adds rows up, forgets the step": (
        "i, total = 0, np.zeros(3)\nwhile i < len(x):\n    total += x[i]\nprint(total)",
        2,
    ),
    "fills a list, forgets the step": (
        "i, rows = 0, []\nwhile i < len(x):\n    rows.append(x[i] / x[i].max())\nx = rows",
        2,
    ),
    "would return what it adds up": (
        "i, total = 0, 0.0\nwhile True:\n    total += 0.5\n    if i == 3:\n        return total",
        2,
    ),
    "shrinks to nothing": ("p = 1.0\nwhile True:\n    p = p * 0.5", 2),
    "math": ("a = 1.0\nwhile a < math.pi:\n    a = math.cos(a)", 2),
    "adds to a place, forgets the step": (
        "out, j = np.zeros(3), 0\nfor i in range(3):\n    while j < 2:\n        out[i] += x[j, i]",
        3,
    ),
    "adds to a place in rows, forgets the step": (
        "out, k = [[0.0, 0.0], [0.0, 0.0]], 0\nwhile k < 3:\n    out[0][1] += x[0, k] * x[1, k]",
        2,
    ),
    "counts words, forgets the step": (
        "seen, i = {'a': 0, 'b': 0}, 0\nwhile i < 2:\n    seen['ab'[i]] += 1",
        2,
    ),
    "adds a text up, forgets the step": (
        "words, i, line = ['a', 'b'], 0, ''\nwhile i < 2:\n    line = line + words[i] + ' '",
        2,
    ),
    "adds a list up, forgets the step": ("i, rows = 0, []\nwhile i < 2:\n    rows += [x[i]]", 2),
    "counts whole numbers of NumPy's, forgets the step": (
        "i, n = 0, 0\nwhile i < 2:\n    n += (x[i] > 1).sum()",
        2,
    ),
}
PAST = {  # what has gone past all that it is compared with
    "steps over it": ("i = 0\nwhile i != 5:\n    i += 2", 2),
    "steps over the length": ("i = 1\nwhile i != len(x):\n    i = i + 3", 2),
    "steps over the shape": ("i = 0\nwhile not i == x.shape[1]:\n    i = 2 + i", 2),
    "steps over a number of words": (
        "words, n = ['a', 'b', 'c'], 0\nrows = []\nwhile n != len(words):\n"
        "    rows.append(words[0])\n    n += 2",
        3,
    ),
    "never meets a sum of floats": ("t = 0.0\nwhile t != 1.0:\n    t += 0.1", 2),
    "the wrong way": ("i = 3\nwhile i < 10:\n    i -= 1", 2),
    "the wrong way, by less than nothing": ("i = 3\nwhile i <= x.size:\n    i += -1", 2),
    "up and up": ("i, n = 0, len(x)\nwhile i >= 0:\n    i += 1", 2),
    "asks in a branch": ("i = 0\nwhile True:\n    i += 2\n    if i == 5:\n        break", 2),
    "pads a text over its width": ("s = 'ab'\nwhile len(s) != 7:\n    s += '  '", 2),
    "steps over zero": ("n = 5\nwhile n and x is not None:\n    n -= 2", 2),
    "a number of NumPy's steps over it": ("i = x.argmin()\nwhile i != 5:\n    i += 2", 2),
    "a float of NumPy's never meets it": ("t = x.sum()\nwhile t != 0.5:\n    t -= 1", 2),
    "steps over the last": ("i = 0\nwhile i != 2 * len(x) - 1:\n    i += 2", 2),
    "fills a list over its length": (
        "rows = []\nwhile len(rows) != 5:\n    rows.append(0)\n    rows.append(1)",
        2,
    ),
}


@pytest.mark.parametrize("body, line", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_loop_is_named_when_it_comes_back_to_where_it_was(
    body: str, line: int, sandbox: Sandbox
) -> None:
    trouble = asked(sandbox, body).value
    assert isinstance(trouble, Trouble)
    assert (trouble.kind, trouble.detail) == ("timeout", "loop")
    assert (trouble.file, trouble.line) == ("softmax.py", line + 3)


@pytest.mark.parametrize("body, line", PAST.values(), ids=PAST.keys())
def test_a_loop_is_named_when_it_has_gone_past_its_end(
    body: str, line: int, sandbox: Sandbox
) -> None:
    trouble = asked(sandbox, body).value
    assert isinstance(trouble, Trouble)
    assert (trouble.kind, trouble.detail) == ("timeout", "past")
    assert (trouble.file, trouble.line) == ("softmax.py", line + 3)


COUNTER = "n = 0\ndef more():\n    global n\n    n += 1\n    return n < 700_000\n"
MONITOR = (  # of Python 3.12 and later: it raises after so many lines
    "import sys\nOWN, seen = hasattr(sys, 'monitoring'), 0\n"
    "def told(*_):\n    global seen\n    seen += 1\n    if seen > 2_500_000:\n"
    "        sys.monitoring.set_events(3, 0)\n        raise KeyError\n"
    "def watch():\n    if OWN:\n        own = sys.monitoring\n"
    "        own.use_tool_id(3, 'own')\n"
    "        own.register_callback(3, own.events.LINE, told)\n"
    "        own.set_events(3, own.events.LINE)\n"
)
ENDING = {  # what comes to an end by something that is not to be seen in the loop's values
    "counts": ("n = 0\nwhile n < 2_000_000:\n    n += 1", ""),
    "counts one by one, and asks for the other": (
        "n = m = 0\nwhile m < 700_000:\n    n += 1\n    m = n",
        "",
    ),
    "counts, and asks in a branch": (
        "n = 0\nwhile True:\n    n += 1\n    if n > 700_000:\n        break",
        "",
    ),
    "counts until an index is out": (
        "n, r = 0, list(range(400_000))\ntry:\n    while True:\n        r[n]\n        n += 1\n"
        "except IndexError:\n    pass",
        "",
    ),
    "counts down to a division": (
        "n = 700_000\ntry:\n    while True:\n        1 / n\n        n -= 1\n"
        "except ZeroDivisionError:\n    pass",
        "",
    ),
    "grows until a power is too large": (
        "n = 1.0\ntry:\n    while True:\n        n += 1e-3\n        n = n ** 1.0001\n"
        "except OverflowError:\n    pass",
        "",
    ),
    "grows until NumPy tells of it": (
        "n = np.float64(1)\nwith np.errstate(all='raise'):\n    try:\n        while True:\n"
        "            n = n * 1.005\n    except FloatingPointError:\n        pass",
        "",
    ),
    "fills the list that it asks for, by another name": (
        "a = b = []\nwhile len(b) < 400_000:\n    a.append(1)",
        "",
    ),
    "fills an array that it asks for, by another name": (
        "a = np.zeros(1)\nb = a\nwhile b < 300_000:\n    a += 1",
        "",
    ),
    "counts in a name of the file": (
        "global n\nn = 0\nwhile A():\n    n += 1",
        "n = 0\nclass M(type):\n    def __call__(cls):\n        return n < 500_000\n"
        "class A(metaclass=M):\n    pass\n",
    ),
    "counts in a name that an inner function reads": (
        "n = 0\nclass A:\n    def __bool__(self):\n        return n < 500_000\na = A()\n"
        "while a:\n    n += 1",
        "",
    ),
    "counts in a list": ("n = [0]\nwhile n[0] < 900_000:\n    n[0] += 1", ""),
    "counts in an array": ("n = np.zeros(1)\nwhile n[0] < 300_000:\n    n += 1", ""),
    "counts in a view": (
        "n = np.zeros(2)\nv = n[:1]\nwhile n.sum() < 150_000:\n    v += 1",
        "",
    ),
    "another function counts": ("while more():\n    pass", COUNTER),
    "another function counts, named anew": ("f = more\nwhile f():\n    pass", COUNTER),
    "another function counts, of an array": (
        "f = np.frompyfunc(lambda a: more(), 1, 1)\nwhile f(1):\n    pass",
        COUNTER,
    ),
    "another function counts, by map": (
        "while any(map(C(), [1])):\n    pass",
        COUNTER + "class C:\n    def __call__(self, a):\n        return more()\n",
    ),
    "a property counts": (
        "a = A()\nwhile a.go:\n    pass",
        COUNTER + "class A:\n    go = property(lambda self: more())\n",
    ),
    "a comparison counts": (
        "a = A()\nwhile a < 1:\n    pass",
        COUNTER + "class A:\n    def __lt__(self, other):\n        return more()\n",
    ),
    "an array of another kind counts": (
        "a = np.zeros(1).view(A)\nwhile a.sum() < 1:\n    pass",
        COUNTER + "class A(np.ndarray):\n    def sum(self):\n        return 0 if more() else 1\n",
    ),
    "objects in an array count": (
        "a = np.array([A()], dtype=object)\nwhile (a < 1).all():\n    pass",
        COUNTER + "class A:\n    def __lt__(self, other):\n        return more()\n",
    ),
    "a generator ends": (
        "g = iter(range(2_000_000))\nwhile next(g, None) is not None:\n    pass",
        "",
    ),
    "a generator ends that is zipped": (
        "g = iter(range(300_000))\nwhile sum([1 for _ in zip(g, (1,))]):\n    pass",
        "",
    ),
    "a long for loop in it": (
        "a = 0\nwhile a < 1:\n    for _ in [0] * 4_000_000:\n        b = 1\n    a = 1",
        "",
    ),
    "a long comprehension in it": (
        "a = 0\nwhile a < 1:\n    b = [\n        1\n        for _ in [0] * 3_000_000\n    ]\n"
        "    a = 1",
        "",
    ),
    "a clock": ("t = time.time() + 0.3\nwhile time.time() < t:\n    pass", "import time\n"),
    "a clock under another name": (
        "t = c() + 0.3\nwhile c() < t:\n    pass",
        "from time import time as c\n",
    ),
    "chance": ("while np.random.rand() > 1e-6:\n    pass", ""),
    "chance under another name": ("while r.random() > 1e-6:\n    pass", "import random as r\n"),
    "a generator of numbers": (
        "r = np.random.default_rng(0)\nwhile r.random() > 1e-6:\n    pass",
        "",
    ),
    "memory that nobody wrote": (
        "n = 0\nwhile np.empty(1)[0] == np.empty(1)[0] and n < 300_000:\n    n += 1",
        "",
    ),
    "a thread": (
        "done = []\nthreading.Timer(0.3, done.append, (1,)).start()\nwhile not done:\n    pass",
        "import threading\n",
    ),
    "a signal": (
        "done = []\nsignal.signal(signal.SIGALRM, lambda *_: done.append(1))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\nwhile not done:\n    pass",
        "import signal\n",
    ),
    "its own trace": (
        "sys.settrace(lambda *_: None)\nn = 0\nwhile n < 600_000:\n    n += 1\nsys.settrace(None)",
        "import sys\n",
    ),
    "its own monitor": (
        "try:\n    watch()\n    while OWN:\n        n = 1\nexcept KeyError:\n    pass",
        MONITOR,
    ),
    "a closure counts": (
        "n = 0\ndef step():\n    nonlocal n\n    n += 1\n    return n < 700_000\n"
        "while step():\n    pass",
        "",
    ),
    "which object it is": (
        "rows = [float(1) for _ in range(900)]\nlast = rows[-1]\n"
        "while rows[0] is not last:\n    rows = rows[1:] + rows[:1]",
        "",
    ),
    "which object it is, of what equals nothing": (
        "rows = [float('nan') for _ in range(900)]\nlast = rows[-1:]\n"
        "while rows[:1] != last:\n    rows = rows[1:] + rows[:1]",
        "",
    ),
    "a value half made": (
        "n = 0\nwhile n < 300_000:\n    n = max(\n        n + 1,\n        (n := 0),\n"
        "        n - 1,\n    )",
        "",
    ),
    "a value half made, in a loop of one line": (
        "n = [0]\nwhile n.append(n.pop() + 1) or n[0] < 900_000: pass",
        "",
    ),
    "a value half made, written by NumPy": (
        "n = np.zeros(1)\nwhile np.add(n * 1, np.multiply(n, 0, n) + 1, n)[0] < 100_000: pass",
        "",
    ),
    "a statement that ends on the line of its value": (
        "n = 0\nwhile n < 700_000:\n    n = \\\n        n + 1",
        "",
    ),
    "a name that a comprehension binds, too": (
        "i = 0\nwhile i < 900_000:\n    b = [i for i in (1, 2)]\n    i += 1",
        "",
    ),
    "a name that goes by another in a class": (
        "C().count()",
        "class C:\n    def count(self):\n        __n = 0\n        while __n < 2_000_000:\n"
        "            __n += 1\n",
    ),
    "which empty range it is": (
        "r = range(0)\nwhile r.start < 500_000:\n    r = range(r.start + 1, r.start + 1)",
        "",
    ),
    "counts down to an index, in what it would return": (
        "n = 200_000\nwhile True:\n    try:\n        return x + 0 * x[n].sum()\n"
        "    except IndexError:\n        n -= 1",
        "",
    ),
    "counts up to a return that does not fail": (
        "n = 0\nwhile True:\n    n += 1\n    try:\n        return x + 0 // (n > 200_000)\n"
        "    except ZeroDivisionError:\n        pass",
        "",
    ),
    "an alarm interrupts it": (
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\ntry:\n    while True:\n        pass\n"
        "except KeyboardInterrupt:\n    pass",
        "import signal\n",
    ),
    "changes the size of what nobody else may hold": (
        "a, n = np.zeros(9), 0\nwhile n < 2_000_000:\n    n += 1\na.resize(5)",
        "",
    ),
    "is told of its names as they were": (
        "n = 0\nbefore = locals()\nwhile n < 2_000_000:\n    n += 1\nx = x + before['n']",
        "",
    ),
    "is not there yet": ("i = 0\nwhile i != 1_400_000:\n    i += 2", ""),
    "goes down to it": ("t = 1e6\nwhile t > 0:\n    t = t - 1", ""),
    "is not past the other one": (
        "i = 0\nwhile i > -1:\n    if i == 900_000:\n        break\n    i += 1",
        "",
    ),
    "is past what moves, too": (
        "i, n = 1, 0\nwhile i != n:\n    i += 1\n    n += 1\n    if i < 600_000:\n"
        "        continue\n    n += 1",
        "",
    ),
    "is past what a name is bound to anew": (
        "i, n, k = 5, 0, [0]\nwhile i > n:\n    i += 1\n    k[0] += 1\n"
        "    n = 10 ** 9 * (k[0] > 300_000)",
        "",
    ),
    "is past it, and starts anew": (
        "i = c = 0\nwhile i > -1:\n    i += 1\n    if i > 7:\n        i = 0\n        c += 1\n"
        "    if c > 60_000:\n        break",
        "",
    ),
    "there and back again": (
        "i, d = 0, 1\nwhile i < 400_000:\n    i += 2\n    i -= 1",
        "",
    ),
    "is past a list that grows by another name": (
        "a = b = [0]\ni = 5\nwhile i > len(a):\n    i += 1\n    b.append(0)\n    b.append(0)\n"
        "    i += 1\n    if i > 300_000:\n        b.append(0)",
        "",
    ),
    "is past its length, and asks what is in it": (
        "s = 'ab'\nwhile len(s) != 1:\n    s += 'c'\n    if s.count('c') > 3_000:\n        break",
        "",
    ),
    "is an index, and falls out": (
        "i, r = 0, [0] * 700_001\ntry:\n    while i != 5:\n        i += 2\n        r[i]\n"
        "except IndexError:\n    pass",
        "",
    ),
    "another name is this list": (
        "a = b = [0.0]\nwhile b[0] < 900_000:\n    a[0] += 1",
        "",
    ),
    "another name is this row": (
        "a = [[0.0], 1]\nb = a[0]\nwhile b[0] < 700_000:\n    a[0][0] += 1",
        "",
    ),
    "another name is this dict": (
        "a = b = {'k': 0}\nwhile b['k'] < 900_000:\n    a['k'] += 1",
        "",
    ),
    "another array has this one's memory": (
        "a = np.zeros(3)\nb = a[::-1]\nwhile b[2] < 200_000:\n    a[0] += 1",
        "",
    ),
    "the place tells which place": (
        "a = [0] * 900_001\ntry:\n    while True:\n        a[a[0]] += 1\n        a[0] += 1\n"
        "except IndexError:\n    pass",
        "",
    ),
    "adds to a place that has no room": (
        "a = np.zeros(1, np.uint8)\ntry:\n    while True:\n        a[0] += 1\n"
        "        b = bytes([0]) * (256 - int(a[0]))\n        b[0]\n        if a[0] == 255:\n"
        "            raise IndexError\nexcept IndexError:\n    pass",
        "",
    ),
    "steps down to zero": ("n = 1_400_000\nwhile n:\n    n -= 2", ""),
    "asks whether it is zero, and for another number": (
        "n = 5\nwhile True:\n    n -= 2\n    if not n or n < -900_000:\n        break",
        "",
    ),
    "a number of NumPy's comes round": (
        "i = np.int64(1)\nwhile i > 0:\n    i += 10_000_000_000_000",
        "",
    ),
    "is past one less than what moves": (
        "i, n = 5, 2\nwhile i > n - 1:\n    i += 1\n    n += 1\n    if i > 400_000:\n"
        "        n += 1_000",
        "",
    ),
    "adds a list up that has another name": (
        "a = b = []\nwhile len(b) < 900_000:\n    a += [1]",
        "",
    ),
    "adds a text up, and asks for it": (
        "s = ''\nwhile s.count('b') < 1:\n    s += 'a' if len(s) < 20_000 else 'b'",
        "",
    ),
    "asks in what it would return, and is an index": (
        "i, r = 3, b'a' * 300_000\ntry:\n    while i != 2:\n        i += 1\n"
        "        b = r[i] + x.sum()\n"
        "        if x is None:\n            return i == 2\nexcept IndexError:\n    pass",
        "",
    ),
    "is past a list that grows and shrinks by a name bound meanwhile": (
        "a, i = [1, 2, 3], 5\nwhile True:\n    b = a\n    b += [0] * 10_000\n"
        "    if i == len(a):\n        break\n    b *= 0\n    b += [1, 2, 3]\n    b = 0\n    i += 1",
        "",
    ),
    "a clock of NumPy's": (
        "t = str(np.datetime64('now') + 2)\nwhile str(np.datetime64('now')) < t:\n    pass",
        "",
    ),
    "a clock of NumPy's, by the name of a text": (
        "t, s = int(np.datetime64('now').astype(int)) + 2, ['Now']\n"
        "while np.array(s, dtype='M8[s]').astype(int)[0] < t:\n    pass",
        "",
    ),
    "garbage has an end": (
        "gc.collect()\na = A()\na.a = a\ngc.collect()\na = 0\nrows = []\nwhile not done:\n"
        "    rows.append([1])\n    x.sum()\n    x.sum()",
        "import gc\ndone = []\nbig = [[i] for i in range(200_000)]\n"
        "class A:\n    def __del__(self):\n        done.append(1)\n",
    ),
    "is told that garbage is looked for": (
        "rows = []\nwhile not done:\n    rows.append([1])\n    x.sum()",
        "import gc\ngc.set_threshold(1_000)\ndone, looked = [], []\n"
        "def look(*_):\n    looked.append(1)\n    if len(looked) > 600:\n"
        "        done.append(1)\ngc.callbacks.append(look)\n",
    ),
    "NumPy calls what no file holds": (
        "z = np.zeros(2)\ntry:\n    with np.errstate(divide='call', call=f):\n"
        "        while True:\n            b = 1 / z\nexcept IndexError:\n    pass",
        "stack = [0] * 100_000\nexec('def f(*_): stack.pop()')\n",
    ),
    "NumPy writes with what no file holds": (
        "z = np.arange(2)\ntry:\n    while len(str(z)):\n        b = 1\n"
        "except IndexError:\n    pass",
        "stack = ['1'] * 10_000\nexec('def f(_): return stack.pop()')\n"
        "np.set_printoptions(formatter={'int_kind': f})\n",
    ),
    "a key is compared by what no file holds": (
        "seen = {K(): 0, 'a': 0}\ntry:\n    while True:\n        seen['a'] += 1\n"
        "except IndexError:\n    pass",
        "stack = [0] * 2_000_000\nexec('class K:\\n  def __hash__(self): return hash(\"a\")\\n'\n"
        "     '  def __eq__(self, o): return stack.pop()')\n",
    ),
    "one value behind the other": (
        "a, n = 0, 0\nwhile n < 900_000:\n    n, a = n + 1, 0\n",
        "",
    ),
}


@pytest.mark.parametrize("body, before", ENDING.values(), ids=ENDING.keys())
def test_a_loop_is_let_run_when_it_ends(body: str, before: str, sandbox: Sandbox) -> None:
    value = asked(sandbox, body, before).value
    assert isinstance(value, np.ndarray), value
    assert value.tolist() == X.tolist()


AT_HOME = {  # what would end at home, where NumPy is not told to be silent while it is called
    "NumPy's own rules": "np.seterr(over='raise')\n",
    "rules for warnings": "import warnings\nwarnings.simplefilter('error')\n",
}


@pytest.mark.parametrize("before", AT_HOME.values(), ids=AT_HOME.keys())
def test_nothing_is_said_of_a_loop_when_numpy_would_raise_in_it_at_home(
    before: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "LIMIT", 0.5)
    trouble = asked(sandbox, "p = np.ones(3)\nwhile True:\n    p *= 1.5", before).value
    assert isinstance(trouble, Trouble)
    assert (trouble.kind, trouble.detail, trouble.line) == ("timeout", "", None)


def test_a_file_is_named_when_a_loop_in_it_never_ends(sandbox: Sandbox) -> None:
    worker = opened(sandbox, "n = 1\nwhile n:\n    pass\n")
    found = worker.prepare("softmax")
    worker.close()
    assert found.trouble is not None and found.unit == "softmax.py"
    assert (found.trouble.kind, found.trouble.detail, found.trouble.line) == ("timeout", "loop", 2)


def test_a_cell_is_named_when_a_loop_in_it_never_ends(sandbox: Sandbox) -> None:
    cells = ["x = 1", "# nothing\nwhile x == 1:\n    y = x\n"]
    made: dict[str, Any] = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    made["cells"] = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], "source": text}
        | {"execution_count": None}
        for n, text in enumerate([*cells, "def softmax(x):\n    return x\n"])
    ]
    import json

    worker = sandbox.open(
        [("a.ipynb", json.dumps(made).encode())], exercises=[("softmax", ("softmax",))]
    )
    trouble = worker.prepare("softmax").trouble
    worker.close()
    assert trouble is not None
    assert (trouble.file, trouble.line, trouble.detail) == ("a.ipynb, cell 2", 2, "loop")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_loop_is_named_in_words(lang: Any) -> None:
    slots = {"name": "softmax", "error": "loop", "got": "loop", "line": 7, "file": "softmax.py"}
    for graded in (True, False):
        said = messages.render("C-TIMEOUT", slots, lang, graded=graded)
        assert "7" in said and "softmax.py" in said and "while" in said


@pytest.mark.parametrize(
    ("test", "clear"),
    [
        *[("a is None", True), ("a is not False", True), ("a is 1.0", False), ("a is 0", False)],
        # Where it is not so, memory is left that nobody wrote.
        *[("np.divide(a, b, where=c)", False), ("np.sum(a, **b)", False)],
        # A set has what is no number where it lies; a dict that loses keys may be moved.
        *[("len({b for b in a})", False), ("[a.pop(b) for b in a]", False), ("a.pop()", True)],
    ],
)
def test_a_loop_is_unclear_when_it_can_tell_apart_what_is_the_same(test: str, clear: bool) -> None:
    node = ast.parse(f"while {test}:\n  b = 1").body[0]
    assert isinstance(node, ast.While)
    assert loops.Loop(node).clear is clear


def test_only_loops_of_the_same_function_are_around_a_line() -> None:
    tree = ast.parse("while 1:\n    def f():\n        while 2:\n            x = 1\n        y = 2\n")
    assert [loop.line for loop in loops.loops_at(tree, 4)] == [3]
    assert loops.loops_at(tree, 5) == []


def test_a_state_tells_apart_what_a_loop_could_tell_apart() -> None:
    one = [1]
    base = np.zeros(4)
    nan = np.float64("nan")
    pairs: list[tuple[Any, Any]] = [
        (0.0, -0.0),
        (1, True),
        (1, 1.0),
        ([one, one], [one, [1]]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (base[:2], base[2:]),
        (np.float64(1), 1.0),
        (range(1, 1), range(2, 2)),
        (float("nan"), -float("nan")),
        ([nan, nan], [nan, np.float64("nan")]),
    ]
    for left, right in pairs:
        assert loops.State().of(left) == loops.State().of(left)
        assert loops.State().of(left) != loops.State().of(right), (left, right)


def test_a_state_is_unclear_when_the_end_of_an_array_is_waited_for() -> None:
    array = np.zeros(1)
    loops.State().of([array])
    told = weakref.ref(array, lambda _: None)
    assert told() is array
    with pytest.raises(loops.Unclear):
        loops.State().of([array])


@pytest.mark.parametrize(
    "large", [np.ones(200), [0] * 200, "a" * 2000, np.ones(2000)[:3], [[[0] * 90], (1,) * 90]]
)
def test_a_list_is_no_tally_when_it_soon_fills_the_memory(large: Any) -> None:
    assert tallies.form([np.ones(3)], frozenset({tallies.APPEND})) == (list,)
    assert tallies.form([large, 0], frozenset({tallies.APPEND})) is None


ANCHORS = {  # the code of a loop, and the lines on which its state may be taken
    "while True: pass": {1},
    "while a:\n  b = 1\n  c = 2; d = 3\n  if b:\n    c = 1\n  else:\n    c = 2\n": {1, 2, 4, 5, 7},
    "while a:\n  for i in b:\n    c = i\n  while d:\n    e = 1\n  f = 2\n": {1, 6},
    "while a:\n  try:\n    b = 1\n  except E:\n    c = 1\n  else:\n    d = 1\n": {1, 3, 7},
    "while f(\n  a):\n  b = [\n    1]\n  c = \\\n    1\n  d = 1\n": {7},
    "while a:\n  b = [i for i in c]\n  d = 1\n": {1, 3},
    "while a: b = 1\n": set(),
}


@pytest.mark.parametrize("code, lines", ANCHORS.items())
def test_no_state_is_taken_where_a_value_is_half_made(code: str, lines: set[int]) -> None:
    node = ast.parse(code).body[0]
    assert isinstance(node, ast.While)
    assert loops.Loop(node).anchors == lines

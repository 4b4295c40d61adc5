"""What cells show in the isolated worker, beside what they show under ipykernel."""

from __future__ import annotations

import ast
import json
import linecache
import re
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nbclient", reason="the course extra is not installed")
pytest.importorskip("matplotlib", reason="the course extra is not installed")

import nbformat
from nbclient import NotebookClient

from autograder import shell
from autograder.course.screen import CELL_SECONDS, Screen

pytestmark = pytest.mark.xdist_group("screen")

# Cells that show the same in both, word for word once addresses and times are taken out.
SAME = [
    "1 + 1", "'text'", "None", "x = 3", "x", "print('a')\nprint('b')", "print('a', end='')",
    "import sys; print('e', file=sys.stderr)",
    "import numpy as np\nnp.arange(6).reshape(2, 3)", "np.float64(1.5)", "np.array([])",
    "[1, 2, 3]", "{'a': 1, 'b': {2, 3}}", "list(range(300))", "'x' * 500", "b'bytes'",
    "1 / 0", "undefined", "def f(n):\n    return g(n)\ndef g(n):\n    return 1 / n\nf(0)",
    "raise ValueError('注意力 ≤')", "assert 1 == 2, 'no'", "def f(:\n    pass", "  x = 1\n y = 2",
    "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError('k') from e",
    "class C:\n    def __repr__(self):\n        return 'C!'\nC()",
    "class D:\n    _repr_html_ = lambda self: '<b>d</b>'\n    __repr__ = lambda self: 'd'\nD()",
    "class E:\n    def __repr__(self):\n        raise ValueError('no')\nE()",
    "from IPython.display import display, HTML, Markdown, Latex, Math, JSON, clear_output",
    "display(1); display('two')", "HTML('<i>i</i>')", "Markdown('*m*')", "Latex('$x$')",
    "Math('x^2')",
    "display(HTML('<b>1</b>')); 2", "print('gone'); clear_output(); print('stays')",
    "clear_output(wait=True); print('w')", "_", "__", "Out[1]", "In[1]", "len(In) > 3",
    "%precision 2\n3.14159", "%precision\n0.5", "%who_ls int", "%%capture c\nprint('x')",
    "c.stdout",
    "x = 5; x;", "x", "y = 2 if x > 3 else 1; y", "[i for i in range(3)]", "lambda q: q",
    "import asyncio\nawait asyncio.sleep(0.01)\n'done'", "%pinfo2 undefined_name",
    "if True:\n    7", "for i in range(3):\n    i", "'multi\\nline'", "print('注意力 🙂')",
    "import warnings\nwarnings.simplefilter('ignore'); np.array([1.0]) / 0",
    "%reset_selective -f ^y$", "y = 1", "y * 2",
    "y", "raise SystemExit", "raise KeyboardInterrupt",
    "if 1:\n    a = 2\n  b = 3", "if (1 and\n  1):\n     a = 2\n  b = 3", ">>> 1 + 1",
    "In [1]: 2 + 2", "'a\\d'\nlen(_)", "7 % 4\\\n% 2", "'''\n%time\n?\n'''",
    "'a question?'\nprint(_)", "x = 1\n%precision 3\nx / 3",
    "\n\n    x\n    x + 1", "x is 1", "x is 1\nreturn 5",
    "# 注释？\nx?  # no help\n", "f'{x!r}' if x != 2 else 0",
    "async def h():\n    return 3\nawait h()", "await asyncio.to_thread(sum, [1, 2])",
    "import matplotlib.pyplot as plt",
    "plt.imshow(np.eye(3))\nplt.colorbar()\nplt.title('x₀ ≤ $x^2$')\nplt.show()",
    "fig, ax = plt.subplots(1, 2)\nax[0].plot([1, 4], label='a')\nax[0].legend();", "fig",
    "plt.rcParams['font.size'] = 14\nplt.bar(['a', 'b'], [1, 2])\nplt.xticks(rotation=30);",
    "plt.title(r'$\\frac$')\nplt.show()", "plt.rcdefaults()",
    "plt.imshow(np.eye(3))\nplt.xticks(range(3), ['注', '意', '力'])\nplt.show()",
    "plt.imshow(np.eye(3))\nplt.xticks(range(3), ['注', '意', '好'])\nplt.show()",
    "plt.title('a', fontname='No Such Font')\nplt.show()",
    "plt.plot([1, 2])\nplt.gca().xaxis.set_major_formatter(lambda x, _: ['a'][int(x)])",
    "plt.plot([1, 2]);\nplt.title('信');", "plt.plot([1, 2])\nplt.figure()\nplt.title('息');",
    "plt.xlabel(r'$\\frac$');", "plt.plot([1, 2], label='a')\nplt.legend();",
    "fig, ax = plt.subplots(layout='constrained')\nax.set_xlabel('keys')\nplt.show()",
]  # fmt: skip
# Accepted differences: what differs, and why.
DIFFERENT = {
    "import sys\nprint('a'); print('e', file=sys.stderr); print('b')": "streams keep their order",
    "!": "no shell command is run",
    "input('name?')": "nobody can be asked; ipykernel names its frontend",
    "!echo shell": "no shell command is run",
    "import os; os.system('echo child')": "no process can be started",
    "open('/etc/hostname').read()": "no file can be read",
    "import socket; socket.socket()": "no connection can be made",
    "import sys; sys.argv": "the worker's own",
    "get_ipython().kernel": "there is no kernel",
    "%%writefile x.txt\nhello": "nothing can be written",
}


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    """One screen for all tests here."""
    with Screen() as opened:
        yield opened


def _normal(outputs: Any) -> list[Any]:
    found: list[Any] = []
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            text = _plain(output["text"])
            if found and found[-1][:2] == (kind, output["name"]):
                text = found.pop()[2] + text
            found.append((kind, output["name"], text))
        elif kind == "error":
            last = _plain(output["traceback"][-1]).strip() if output["traceback"] else ""
            found.append((kind, output["ename"], _plain(output["evalue"]), last.split("\n")[-1]))
        else:
            data = {mime: _plain(str(value)) for mime, value in output["data"].items()}
            found.append((kind, tuple(sorted(data.items()))))
    return found


def _plain(text: str) -> str:
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"<ipython-input-[^>]*>|\S*/ipykernel_\d+/\d+\.py|\b\d+\.py", "<cell>", text)
    text = re.sub(r"\S*site-packages", "site-packages", text)
    return re.sub(r"<function <lambda> at 0x>", "<lambda>", text)


@pytest.fixture(scope="module")
def pairs(screen: Screen) -> dict[str, tuple[list[Any], list[Any]]]:
    """Each cell's outputs under ipykernel, and here."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in SAME])
    NotebookClient(book, kernel_name="python3", allow_errors=True, timeout=60).execute()
    here = screen.run(SAME)
    return {
        f"{number}: {cell}": (_normal(theirs.outputs), _normal(ours.outputs))
        for number, (cell, theirs, ours) in enumerate(zip(SAME, book.cells, here, strict=True))
    }


def test_sixty_cells_show_what_they_show_under_ipykernel(
    pairs: dict[str, tuple[list[Any], list[Any]]],
) -> None:
    assert len(pairs) >= 60
    differing = {cell: both for cell, both in pairs.items() if both[0] != both[1]}
    assert differing == {}


@pytest.mark.parametrize("cell", DIFFERENT)
def test_an_accepted_difference_ends_in_words_and_stops_nothing(screen: Screen, cell: str) -> None:
    one, two = screen.run([cell, "'next'"])
    assert one.outputs, DIFFERENT[cell]
    assert two.outputs[0]["data"]["text/plain"] == "'next'"


def test_a_plot_is_shown_as_a_picture_and_a_title_in_any_script(screen: Screen) -> None:
    [shown] = screen.run(
        ["import matplotlib.pyplot as plt\nplt.plot([1, 2]);\nplt.title('x₀ ≤ 1');"]
    )
    [output] = shown.outputs
    assert output["output_type"] == "display_data"
    assert str(output["data"]["image/png"]).startswith("iVBOR")


def test_the_clock_has_no_cell_parsed_that_it_does_not_ask_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parse, parsed = ast.parse, []
    watched = SimpleNamespace(
        parse=lambda text: (parsed.append(text), parse(text))[1], Module=ast.Module
    )
    monkeypatch.setattr(shell, "ast", watched)
    monkeypatch.setitem(linecache.cache, "<a>", (1, None, ["x = 1\n"], "<a>"))
    trees = shell._Trees(SimpleNamespace(_filename_map={"<a>": 1, "<b>": 2}))
    assert ("<a>" in trees, "<b>" in trees, list(trees), len(trees)) == (True, False, ["<a>"], 1)
    assert parsed == []
    assert trees["<a>"] is trees["<a>"]
    assert parsed == ["x = 1\n"]
    with pytest.raises(KeyError):
        trees["<b>"]


DRAWN = """
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
drawn, draw = [], Figure.draw
Figure.draw = lambda figure, renderer: (drawn.append(1), draw(figure, renderer))[1]
"""


@pytest.mark.parametrize(
    ("cell", "times"),
    [
        ("plt.plot([1, 2]);", 1),
        ("plt.plot([1, 2])\nplt.show()", 1),
        ("%matplotlib inline\nplt.imshow([[1, 2]]);", 1),
        ("fig = plt.figure()\nplt.plot([1, 2])\nplt.close()\nfig", 1),
        ("plt.plot([1, 2])\nplt.figure()\nplt.plot([2, 1]);", 4),  # two, drawn to nothing as well
        ("plt.subplots(layout='constrained');", 3),
    ],
)
def test_a_figure_of_usual_parts_is_drawn_once_however_it_is_shown(
    screen: Screen, cell: str, times: int
) -> None:
    shown = screen.run([DRAWN, cell, "len(drawn)"])
    assert any("image/png" in output["data"] for output in shown[1].outputs)
    assert shown[2].outputs[0]["data"]["text/plain"] == str(times)


def test_a_fault_in_a_picture_is_told_without_the_graders_own_lines(screen: Screen) -> None:
    [shown] = screen.run(["import matplotlib.pyplot as plt\nplt.title(r'$\\frac$')\nplt.show()"])
    [fault] = [each for each in shown.outputs if each["output_type"] == "error"]
    lines = "\n".join(fault["traceback"])
    assert "mathtext" in lines
    assert "plots" not in lines.replace("subplots", "")


def test_B05_a_flood_is_cut_at_its_middle(screen: Screen) -> None:
    [shown] = screen.run(["print('a' + 'x' * 5_000_000 + 'b', end='')"])
    text = shown.outputs[0]["text"]
    assert len(text) < 70_000
    assert (text[0], text[-1]) == ("a", "b")
    assert "[…]" in text


def test_B26_cells_go_on_after_one_that_ended_the_process(screen: Screen) -> None:
    shown = screen.run(["x = 1", "import os; os._exit(0)", "x"])
    assert shown[1].outputs[0]["ename"] == "DeadKernelError"
    assert shown[2].outputs[0]["data"] == {"text/plain": "1"}


def test_B27_a_question_is_never_waited_for(screen: Screen) -> None:
    [shown] = screen.run(["import getpass, sys\nprint(repr(sys.stdin.read()))\ninput()"])
    assert shown.outputs[-1]["ename"] == "StdinNotImplementedError"


def test_no_script_and_no_widget_reaches_a_page(screen: Screen) -> None:
    [shown] = screen.run(["from IPython.display import Javascript\nJavascript('alert(1)')"])
    assert all("application/javascript" not in each.get("data", {}) for each in shown.outputs)


def test_no_path_of_this_machine_stands_in_a_traceback(screen: Screen) -> None:
    import numpy

    [shown] = screen.run(["import numpy as np\nnp.linalg.inv(np.zeros((2, 2)))"])
    text = "\n".join(shown.outputs[-1]["traceback"])
    assert "LinAlgError" in text
    assert str(numpy.__file__).rsplit("/numpy/", 1)[0] not in text


def test_the_kit_is_not_there_for_a_cell_to_read(screen: Screen) -> None:
    [shown] = screen.run(["import sys\n[n for n in sys.modules if n.startswith('autograder.')]"])
    assert shown.outputs[0]["data"]["text/plain"] == "[]"


FORGE = """
import json, os, struct
def listed(*these): return {"l": list(these)}
def named(**these): return {"d": [[name, these[name]] for name in these]}
numbers, text = {"a": ["<f8", [2]]}, {"a": ["|u1", [1]]}
def show(output, raw, count=1):
    tree = json.dumps(named(outputs=listed(output), count=count)).encode()
    os.write(3, struct.pack("<4sBxxxIIQ", b"ATN1", 16, 1, len(tree), len(raw)) + tree + raw)
"""


@pytest.mark.parametrize(
    "forged",
    [
        "show(named(output_type=numbers), bytes(16))",
        "show(named(output_type='stream', name=numbers, text=text), bytes(16) + b'x')",
        "show(named(output_type='error', ename=numbers, lines=text, evalue=text), bytes(18))",
        "show(named(output_type='display_data', data={'d': [['text/plain', text]]}, metadata="
        "{'d': [['text/plain', named(a=numbers, width={'h': 3})]]}), b'x' + bytes(16))",
        "show(named(output_type='execute_result', data={'d': [['text/plain', text]]}, count=-5),"
        " b'x', 10**30)",
        "show(numbers, bytes(16))",
    ],
)
def test_whatever_a_cell_says_it_showed_a_notebook_can_hold_it(screen: Screen, forged: str) -> None:
    shown = screen.run([FORGE + forged])
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": ""}
    cell |= {"outputs": list(shown[0].outputs), "execution_count": shown[0].count}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    nbformat.validate(nbformat.from_dict(book))
    json.dumps(book)


def test_a_cell_whose_loop_never_ends_is_named_by_its_line_and_the_others_are_run() -> None:
    cells = ["n = 1", "# nothing changes\nwhile n < 3:\n    m = n\n", "n + 1"]
    started = time.monotonic()
    with Screen() as screen:
        shown = screen.run(cells)
    (stopped,) = shown[1].outputs
    assert stopped["ename"] == "CellTimeoutError"
    assert "line 2 of this cell" in stopped["evalue"]
    assert shown[2].outputs[0]["data"]["text/plain"] == "2"
    assert time.monotonic() - started < CELL_SECONDS

"""What is read from one submitted file, whatever its bytes."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import magics
from autograder.cells import MAX_CELLS, Unit
from autograder.source import Parsed, parse

GOOD = "def softmax(x):\n    return x\n"
STUB = 'def softmax(x):\n    """Say."""\n    # YOUR CODE HERE\n    raise NotImplementedError()\n'
Cell = tuple[str, dict[str, Any]]


def solution(name: str) -> dict[str, Any]:
    mark = {"grade_id": name, "solution": True, "grade": False, "cell_type": "code"}
    return {"nbgrader": mark}


def book(*cells: Cell | str, **top: Any) -> bytes:
    made = [
        {"cell_type": "code", "metadata": meta, "source": code, "outputs": []}
        for code, meta in ((c, {}) if isinstance(c, str) else c for c in cells)
    ]
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made, **top}
    return json.dumps(whole).encode()


def codes(parsed: Parsed) -> list[str]:
    return [code for code, _ in parsed.notices]


def texts(parsed: Parsed) -> list[str]:
    assert parsed.error is None
    return [unit.code for unit in parsed.units]


# -- Python files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
    ],
    ids=["plain", "bom", "crlf", "cr", "bom and crlf"],
)
def test_B65_B82_python_reads_the_same_with_any_line_ends_and_mark(data: bytes) -> None:
    assert parse("softmax.py", data) == Parsed([Unit("softmax.py", GOOD)])


@pytest.mark.parametrize("head", ["# -*- coding: gbk -*-\n", "#!/usr/bin/python\n# coding=gbk\n"])
def test_B82_declared_coding_is_honoured(head: str) -> None:
    code = head + "x = '注意力'\n"
    assert texts(parse("a.py", code.encode("gbk"))) == [code]


def test_coding_in_the_third_line_declares_nothing() -> None:
    code = "\n\n# coding: gbk\nx = '注意力'\n"
    assert texts(parse("a.py", code.encode())) == [code]


def test_B15_python_keeps_every_sign() -> None:
    code = "print('注意力 x₀ → ≤ 🧠')\n"
    assert texts(parse("a.py", code.encode())) == [code]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ("x = 1\n".encode("utf-16"), ("utf-16", "UTF-16", None)),
        ("x = 1\n".encode("utf-16-le"), ("utf-16", "UTF-16", None)),
        ("x = 1\n".encode("utf-32"), ("utf-16", "UTF-32", None)),
        ("x = 1\n# 注意\n".encode("gbk"), ("encoding", "utf-8", 2)),
        ("# coding: ascii\n# é\n".encode(), ("encoding", "ascii", 2)),
        (b"# coding: rot13\n", ("coding-unknown", "rot13", 1)),
        (b"# coding: martian\n", ("coding-unknown", "martian", 1)),
        (b"\x7fELF\0\0\1\2\3\4\5\6", ("binary", "", None)),
        (b"x" * 2_000_000, ("too-much-code", "", None)),
        (b"#" * 40_000_000, ("too-big", "", None)),
    ],
    ids="utf-16,utf-16 bare,utf-32,gbk,ascii,rot13,unknown,binary,long,huge".split(","),
)
def test_B82_python_is_refused_with_a_reason(
    data: bytes, error: tuple[str, str, int | None]
) -> None:
    assert parse("a.py", data).error == error


def test_empty_python_file_is_one_empty_unit() -> None:
    assert parse("a.py", b"") == Parsed([Unit("a.py", "")])


def test_notebook_named_py_is_read_as_notebook() -> None:
    parsed = parse("attention.py", book(GOOD))
    assert texts(parsed) == [GOOD]
    assert codes(parsed) == ["notebook-named-py"]


# -- notebooks -------------------------------------------------------------------------------


@pytest.mark.parametrize("minor", range(6))
def test_B61_notebook_reads_in_every_minor_without_ids(minor: int) -> None:
    assert texts(parse("a.ipynb", book(GOOD, nbformat_minor=minor))) == [GOOD]


@pytest.mark.parametrize("ids", [["a", "a"], ["x" * 80, "?"], [1, None]], ids=repr)
def test_B61_ids_do_not_matter(ids: list[object]) -> None:
    whole = json.loads(book(GOOD, "y = 1"))
    for cell, each in zip(whole["cells"], ids, strict=True):
        cell["id"] = each
    assert texts(parse("a.ipynb", json.dumps(whole).encode())) == [GOOD, "y = 1"]


@pytest.mark.parametrize(
    "source",
    [GOOD, GOOD.splitlines(keepends=True), GOOD.splitlines(), GOOD.replace("\n", "\r\n")],
    ids=["text", "lines", "lines without ends", "crlf"],
)
def test_cell_source_reads_as_text_or_lines(source: Any) -> None:
    assert texts(parse("a.ipynb", book((source, {}))))[0].rstrip() == GOOD.rstrip()


def test_B82_notebook_with_a_byte_order_mark_is_read() -> None:
    assert texts(parse("a.ipynb", b"\xef\xbb\xbf" + book(GOOD))) == [GOOD]


@pytest.mark.parametrize("metadata", [{}, None, [], {"kernelspec": None, "language_info": 3}])
def test_notebook_without_kernelspec_is_read(metadata: Any) -> None:
    assert texts(parse("a.ipynb", book(GOOD, metadata=metadata))) == [GOOD]


@pytest.mark.parametrize("name", ["python388jvsc74a57bd0", "conda-env-x-py", "Python [root]"])
def test_B14_foreign_python_kernel_is_read_with_a_notice(name: str) -> None:
    parsed = parse("a.ipynb", book(GOOD, metadata={"kernelspec": {"name": name}}))
    assert texts(parsed) == [GOOD]
    assert parsed.notices == [("kernel", {"kernel": name})]


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "ir", "language": "python"}},
        {"kernelspec": {"name": "x", "language": "julia"}},
        {"language_info": {"name": "R"}},
    ],
    ids=["ir", "julia", "R"],
)
def test_B14_notebook_of_another_language_is_refused(metadata: dict[str, Any]) -> None:
    error = parse("a.ipynb", book(GOOD, metadata=metadata)).error
    assert error is not None
    assert error[0] == "language"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty-file"),
        (b"  \n", "empty-file"),
        (b"def softmax(x): ...", "json"),
        (b'{"cells": [', "json"),
        (b"[]", "not-notebook"),
        (b"{}", "not-notebook"),
        (b'{"cells": {}}', "not-notebook"),
        (b'{"cells": [1]}', "not-notebook"),
        (b'{"cells": [], "cells": []}', "not-notebook"),
        (book(({"a": 1}, {})), "not-notebook"),  # type: ignore[arg-type]
        (b'{"nbformat": 3, "worksheets": [{"cells": []}]}', "nbformat-3"),
        (book(GOOD, nbformat=5), "nbformat-newer"),
        ("{}".encode("utf-16"), "utf-16"),
        (b'{"cells": "\xff"}', "encoding"),
        (b"[" * 1_000_000, "too-deep"),
        (b'{"a":' * 200_000, "too-deep"),
        (book(*["x"] * (MAX_CELLS + 1)), "too-many-cells"),
        (book("x" * 2_000_000), "too-much-code"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_notebook_is_refused_with_a_reason(data: bytes, kind: str) -> None:
    parsed = parse("a.ipynb", data)
    assert parsed.units == []
    assert parsed.error is not None
    assert parsed.error[0] == kind


def test_broken_json_is_refused_with_its_line() -> None:
    assert parse("a.ipynb", b'{\n "cells": [\n  nonsense\n]}').error == ("json", "", 3)


def test_hostile_notebooks_take_bounded_time() -> None:
    data = [
        b'{"cells": [], "x": ' + b"9" * 2_000_000 + b"}",
        book(*["x"] * 400_000),
        book("\n" * 900_000 + "?"),
        book("a" + " " * 900_000 + "= !"),
        book("'\\" * 400_000 + "\n%x"),
        book("x" + ".a" * 300_000, "-" * 90_000 + "1\n%x", (".a" * 9_000, solution("f"))),
        book(("(" * 500, solution("f")), ("(" * 500, solution("f"))),
    ]
    start = time.process_time()
    for each in data:
        parse("a.ipynb", each)
    assert time.process_time() - start < 20


def test_lone_surrogate_and_nul_in_a_cell_are_replaced() -> None:
    assert texts(parse("a.ipynb", book("x\ud800\0"))) == ["x\ufffd\ufffd"]


def test_text_cells_are_counted_and_left_out() -> None:
    whole = json.loads(book(GOOD))
    whole["cells"].insert(0, {"cell_type": "markdown", "source": "# Title", "metadata": {}})
    assert parse("a.ipynb", json.dumps(whole).encode()).units == [Unit("cell 2", GOOD)]


def test_grade_cells_are_left_out_when_they_only_ask_for_a_grade() -> None:
    mark = {"nbgrader": {"grade": True, "solution": False, "grade_id": "grade_softmax"}}
    parsed = parse("a.ipynb", book(GOOD, ('# points\ngrade("softmax")', mark), (GOOD, mark)))
    assert texts(parsed) == [GOOD, GOOD]


def test_solution_cell_turned_into_text_counts_as_code() -> None:
    whole = json.loads(book((GOOD, solution("softmax"))))
    whole["cells"][0]["cell_type"] = "markdown"
    parsed = parse("a.ipynb", json.dumps(whole).encode())
    assert parsed.units == [Unit("cell 1", GOOD, "softmax")]
    assert codes(parsed) == ["cell-as-text"]


@pytest.mark.parametrize(
    ("cells", "counts"),
    [
        ((GOOD, "def softmax(x):\n    return 0\n"), 2),
        ((GOOD, STUB), 1),
        ((STUB, GOOD), 2),
        ((STUB, STUB), 2),
        ((GOOD, ""), 1),
    ],
    ids=["last", "stub after", "stub before", "two stubs", "emptied"],
)
def test_B04_last_attempted_copy_of_a_cell_counts(cells: tuple[str, ...], counts: int) -> None:
    parsed = parse("a.ipynb", book(*((code, solution("softmax")) for code in cells)))
    held = [unit.label for unit in parsed.units if unit.grade_id == "softmax"]
    assert held == [f"cell {counts}"]
    slots = {"name": "softmax", "cells": "cell 1, cell 2", "counts": f"cell {counts}"}
    assert parsed.notices == [("cell-copied", slots)]


@pytest.mark.parametrize("second", [solution("softmax"), {}], ids=["same id", "no id"])
def test_B85_halves_of_a_split_cell_are_joined(second: dict[str, Any]) -> None:
    halves = ("def softmax(x):\n    x = x + 1", solution("softmax")), ("    return x", second)
    parsed = parse("a.ipynb", book(*halves))
    code = "def softmax(x):\n    x = x + 1\n    return x"
    assert parsed.units == [Unit("cell 1", code, "softmax")]
    assert codes(parsed) == ["cell-split"]


def test_B85_cell_split_between_functions_reads_as_both() -> None:
    one, two = "def split_heads(X):\n    return X", "def concat_heads(H):\n    return H"
    parsed = parse("a.ipynb", book((one, solution("heads")), (two, solution("heads"))))
    assert texts(parsed) == [one, two]


def test_cell_indented_as_a_whole_is_shifted_as_jupyter_does() -> None:
    assert texts(parse("a.ipynb", book("\n  x = 1\n  if x:\n    y = 2"))) == [
        "\nx = 1\nif x:\n  y = 2"
    ]


def test_B44_notebook_without_cells_is_read() -> None:
    assert parse("a.ipynb", book()) == Parsed()


# -- magics ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("%pip install x\ny = 1", "\ny = 1"),
        ("!rm -f 'marker\ny = 1", "\ny = 1"),
        ("?softmax\nsoftmax?\nnp.exp??\ny = 1", "\n\n\ny = 1"),
        ("x = !ls\ny = %time 1", "x = []\ny = []"),
        ("if y:\n    %time f()", "if y:\n    pass"),
        ("!ls \\\n  -l \\\n  -a\ny = 1", "\n\n\ny = 1"),
        ("%%time\ndef f(): ...", "\ndef f(): ..."),
        ("# note\n%%timeit -n 3\nf()", "# note\n\nf()"),
        ("%%bash\nrm 'x", "\n"),
        ("%%writefile attention.py\ndef f(): ...", "\n"),
        ("%%unheard\nx = 1", "\nx = 1"),
        ("%%unheard\nno python here", "\n"),
        ("%%\nx = 1", "\nx = 1"),
        ("get_ipython().run_line_magic('matplotlib', 'inline')\ny = 1", "\ny = 1"),
        ('"""%doc\n!text\n"""\n%x', '"""%doc\n!text\n"""\n'),
    ],
)
def test_B24_magic_is_dropped_and_lines_keep_their_numbers(code: str, left: str) -> None:
    assert texts(parse("a.ipynb", book(code))) == [left]
    assert codes(parse("a.ipynb", book(code))) == ["magic"]


@pytest.mark.parametrize(
    "code",
    [
        "x = (7\n% 3)",
        "x = 7 \\\n% 3",
        "s = '''\n%time\n!ls\nwhat?\n'''",
        "s = 'a\\\n%b'",
        "s = f(  # why?\n    b)",
        "t = 'x = !ls'  # really?",
        "x = '%d' % 3\ny = x != 3",
        'd = {\n    "a": """\n)\n""",\n    "b": 7\n    % 3,\n}',
    ],
)
def test_B24_line_that_only_looks_like_a_magic_stays(code: str) -> None:
    parsed = parse("a.ipynb", book(code))
    assert texts(parsed) == [code]
    assert parsed.notices == []


def test_notice_of_magics_names_the_first_and_counts_all() -> None:
    parsed = parse("a.ipynb", book("x = 1", "y = 2\n%matplotlib inline\n!ls"))
    slots = {"count": 2, "where": "cell 2", "line": 2, "text": "%matplotlib inline"}
    assert parsed.notices == [("magic", slots)]


def test_python_of_this_package_holds_no_magics() -> None:
    for path in Path(magics.__file__).parent.glob("*.py"):
        code = path.read_text(encoding="utf-8")
        assert magics.removed(code) == (code, [])


# -- anything at all -------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
CELL = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown"]) | JSON,
        "source": st.text() | st.lists(st.text()) | JSON,
        "metadata": st.just(solution("softmax")) | JSON,
    },
)


@settings(max_examples=150, deadline=None)
@given(st.binary() | st.text().map(str.encode), st.sampled_from(["a.py", "a.ipynb", "\n"]))
def test_any_bytes_give_an_answer(data: bytes, name: str) -> None:
    assert isinstance(parse(name, data), Parsed)


@settings(max_examples=150, deadline=None)
@given(st.fixed_dictionaries({"cells": st.lists(CELL, max_size=4)}, optional={"metadata": JSON}))
def test_any_json_gives_an_answer(whole: dict[str, Any]) -> None:
    parsed = parse("a.ipynb", json.dumps(whole).encode())
    for unit in parsed.units:
        unit.code.encode()
    assert parsed.error is None or parsed.units == []


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["%x", "!y", "'", '"""', "(", ")", "\\", "\n", "a = 1", "#"])))
def test_any_text_keeps_its_number_of_lines(parts: list[str]) -> None:
    code = "".join(parts)
    left, _ = magics.removed(code)
    assert left.count("\n") == code.count("\n")

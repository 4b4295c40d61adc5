"""Take Jupyter's magics and shell lines out of Python text, each line keeping its number.

Text in, text out, standard library only: this runs inside the worker, next to `source`. A line
that begins with ``%``, ``!`` or ``?`` is a magic only where a statement could begin; behind an
open bracket, a backslash or a quote it belongs to what came before.
"""

from __future__ import annotations

import ast
import re
import warnings

KEPT_MAGICS = frozenset(
    {"time", "timeit", "capture", "prun", "memit", "debug", "snakeviz", "scalene"}
)
DROPPED_MAGICS = re.compile(
    r"(bash|sh|script|system|sx|cmd|perl|ruby|python[23]?|pypy3?|writefile|file|html|svg|latex|"
    r"markdown|javascript|js|r|sql|cython|ai|!)$"
)
_MAYBE = re.compile(r"^[ \t]*[%!?]|\?[ \t]*$|=[ \t]*[!%]|get_ipython", re.MULTILINE)
_ESCAPE = re.compile(r"\s*(?:[%!]|\?|get_ipython\(\)\.)")
_HELP = re.compile(r"\s*[\w.*]+\s*\?{1,2}[ \t]*$")
_ASSIGN = re.compile(r"(\s*)([A-Za-z_][\w.,\s\[\]*]*?)\s*=\s*(?:!|%[A-Za-z]|get_ipython\(\)\.)")
_TOKEN = re.compile(r"#.*|'''|\"\"\"|['\"]|[(\[{]|[)\]}]|\\$")
_ENDS = {
    quote: re.compile(r"(?:\\.|[^\\])*?" + quote, re.DOTALL) for quote in ("'''", '"""', "'", '"')
}


class _Lines:
    """Follows Python text line by line: does the next line begin a statement?"""

    def __init__(self) -> None:
        self.quote, self.depth, self.continued = "", 0, False

    def fresh(self) -> bool:
        return not (self.quote or self.depth or self.continued)

    def feed(self, line: str) -> None:
        at, self.continued = 0, False
        while at <= len(line):
            if self.quote:
                end = _ENDS[self.quote].match(line, at)
                if end is None:
                    # A one-line string goes on only behind a backslash.
                    odd = (len(line) - len(line.rstrip("\\"))) % 2
                    if len(self.quote) == 1 and not odd:
                        self.quote = ""
                    return
                at, self.quote = end.end(), ""
                continue
            token = _TOKEN.search(line, at)
            if token is None:
                return
            at, sign = token.end(), token[0]
            if sign[0] in "'\"":
                self.quote = sign
            elif sign in "([{":
                self.depth += 1
            elif sign in ")]}":
                self.depth = max(0, self.depth - 1)
            elif sign == "\\":
                self.continued = True


def _tree(code: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def plain(code: str) -> ast.Module | None:
    """Give the text as syntax where it is Python as it stands, so that no line is a magic."""
    return None if "get_ipython" in code else _tree(code)


def suspected(code: str) -> bool:
    """Whether it is worth looking at the text line by line."""
    return _MAYBE.search(code) is not None


def removed(code: str) -> tuple[str, list[tuple[int, str]]]:
    """Give the text without magics, and the line number and text of each.

    A magic's line becomes empty, or ``pass`` where it is indented; ``x = !ls`` becomes
    ``x = []``. ``%%time`` and its like keep the text below them, ``%%bash`` and its like drop it,
    and any other cell magic keeps it where it is Python.
    """
    lines = code.split("\n")
    places: list[tuple[int, str]] = []
    top = next((n for n, line in enumerate(lines) if re.match(r"\s*[^\s#]", line)), 0)
    if lines[top].startswith("%%"):
        places.append((top + 1, lines[top]))
        magic = lines[top][2:].split(maxsplit=1)[0].lower() if lines[top][2:].strip() else ""
        body = "\n".join([*lines[:top], "", *lines[top + 1 :]])
        if DROPPED_MAGICS.match(magic) or (magic not in KEPT_MAGICS and _tree(body) is None):
            return "\n" * (len(lines) - 1), places
        lines[top] = ""
    state, swallow = _Lines(), False
    for number, line in enumerate(lines):
        if swallow:  # a magic that goes on behind a backslash
            lines[number], swallow = "", line.endswith("\\")
            continue
        if state.fresh() and len(line) < 2000:  # no student's magic is longer; `_ASSIGN` is slow
            assigned = _ASSIGN.match(line)
            if assigned or _ESCAPE.match(line) or _HELP.match(line):
                places.append((number + 1, line.strip()))
                swallow = line.endswith("\\")
                indent = line[: len(line) - len(line.lstrip())]
                lines[number] = f"{indent}pass" if indent else ""
                if assigned and assigned[2].isidentifier():
                    lines[number] = f"{assigned[1]}{assigned[2]} = []"
                continue
        state.feed(line)
    return "\n".join(lines), places

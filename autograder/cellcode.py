"""Lets IPython read a cell of plain Python once where it would read it three times.

A cell's text is looked through for IPython's own syntax with a tokenizer written in Python, then
compiled to see whether it awaits something: together most of a small cell's time. Here it is
compiled once, with the same remarks and the same faults. What a cell shows is not known here.

This runs inside the worker and its zygote: standard library only.
"""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

# A sign of a magic, a shell command, a question or an automatic call; of a line's end that is none
# for every reader; of an escape or a number that a reader warns of.
SPECIAL = re.compile(
    r"(?m)\?\s*$|^[\s\\]*[%!?,;/]|=[\s\\]*[%!]|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]"
    r"|\\[^\\\n'\"abfnrtvxuUN0-3]|\d(?:and|else|for|if|in|is|not|or)"
)


def read_once(shell: Any) -> None:
    """Let the shell's cells that are plain Python, with no sign of IPython's own syntax, go as
    they are, and be asked once whether they await something."""
    manager = shell.input_transformer_manager
    usual, search = list(manager.token_transformers), manager.do_token_transforms
    ask = shell.should_run_async
    awaits: dict[str, bool] = {}  # of the text that was read last

    def do_token_transforms(lines: list[str]) -> list[str]:
        awaits.clear()
        if manager.token_transformers == usual and _is_plain("".join(lines), awaits):
            return lines
        found: list[str] = search(lines)
        return found

    def should_run_async(raw_cell: str, **told: Any) -> bool:
        known = awaits.pop(told.get("transformed_cell") or "", None)
        if known is None or not shell.autoawait or told.get("preprocessing_exc_tuple") is not None:
            return bool(ask(raw_cell, **told))
        return known

    manager.do_token_transforms, shell.should_run_async = do_token_transforms, should_run_async


def _is_plain(text: str, awaits: dict[str, bool]) -> bool:
    """Say whether the text is plain Python; keep whether it awaits, as IPython looks for it."""
    if SPECIAL.search(text):
        return False
    try:  # what is no Python has its fault told by whoever looks next
        code = compile(text, "<>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError):
        awaits[text] = False
        return False
    except RecursionError:
        return False
    awaits[text] = bool(code.co_flags & inspect.CO_COROUTINE)
    return True

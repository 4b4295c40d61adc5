"""Proves that a finished release gives nothing away: every member, those of the wheel too.

What must not be in it: a statement of a solution, the source of a hidden check, the code of a
known mistake, a secret, and any file that has no business there. The proof reads the finished
bytes and believes nothing of how they were made.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from autograder import quizbook
from autograder.exercise import Kit
from autograder.grade import load_checks
from autograder.leak import fingerprints, leaks, solution_statements
from autograder.visible import module
from autograder.wheel import unpacked

SECRETS = (".attn-secret", ".attn_secret")
_ENGINE = re.compile(
    r"autograder/((?!graders/|mistakes/)[a-z_]+/)?[A-Za-z_.]+\.(py|json)|autograder/py\.typed"
    r"|autograder/locale/[a-z]+\.toml|autograder/prompts/([\w./-]+)\.(md|json)"
    r"|attention_kit-[\w.]+\.dist-info/[\w./-]+"
)
_CODE = 14  # nodes of syntax from which a statement of a check or a mistake is told by itself
_SHORTEST_SECRET = 8
_HASH = re.compile(r"[0-9a-f]{16}")
_ITEM = {each.name for each in fields(quizbook.Item)}


def faults(
    members: Mapping[str, bytes],
    kit: Kit,
    expected: Sequence[str],
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> list[str]:
    """Give a sentence for each member that must not leave the house, by its name.

    Parameters
    ----------
    members : mapping of str to bytes
        A finished zip's files by name.
    kit : Kit
        The kit whose secrets they are.
    expected : sequence of str
        The names that belong into the zip.
    progress : callable
        Told of each file before it is looked through: its name, how many were, of how many.
    """
    found = [f"{name}: no such file belongs into a release" for name in sorted(members)]
    found = [each for each in found if each.partition(":")[0] not in expected]
    solutions = solution_statements(kit.root)
    shown = fingerprints(_visible(kit), _CODE)
    checks = _marks(kit.graders) - shown
    mistakes = _marks(kit.mistakes) - shown
    kinds = {
        "a statement of a solution": solutions,
        "code of a hidden check": checks,
        "code of a known mistake": mistakes,
    }
    every = solutions | checks | mistakes
    secrets = set(_secrets(kit.root))
    files = list(_every(members))
    for number, (name, data) in enumerate(files):
        progress(name, number, len(files))
        if name.startswith("!"):
            found.append(f"{name[1:]}: no such file belongs into the wheel")
            continue
        if any(secret in data for secret in secrets):
            found.append(f"{name}: holds the secret of a course")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            found.append(f"{name}: is not text, so it cannot be looked through")
            continue
        if Path(name).name == quizbook.DATA:
            found += [f"{name}: {each}" for each in _told_answers(text)]
        for piece in (text, _prose(text)) if name.endswith(".py") else (text,):
            for what, statements in kinds.items():
                found += [
                    f"{name}, line {leak.line}: holds {what}: {leak.code[:80]}"
                    for leak in (leaks(piece, statements)[:3] if leaks(piece, every) else ())
                ]
    progress("", len(files), len(files))
    return found


def _told_answers(quiz: str) -> list[str]:
    """Name the questions of which quiz.json holds more than hashes of the answers."""
    try:
        return [
            f"tells an answer to the question {item['id']}"
            for item in json.loads(quiz)["items"]
            if set(item) != _ITEM or not all(map(_HASH.fullmatch, (item["right"], *item["codes"])))
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ["is no quiz, so it cannot be looked through"]


def _every(members: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Give each file with its name, those inside a wheel as ``x.whl/autograder/desk.py``."""
    for name, data in sorted(members.items()):
        if not name.endswith(".whl"):
            yield name, data
            continue
        for inner, content in sorted(unpacked(data).items()):
            known = _ENGINE.fullmatch(inner) is not None
            yield f"{'' if known else '!'}{name}/{inner}", content


def _visible(kit: Kit) -> str:
    """Give the source of the checks that are handed out, whatever the zip holds."""
    checks = load_checks(kit.graders, kit.ids)
    return module({each: (kit.graders / f"test_{each}.py", checks[each]) for each in kit.ids})


def _prose(code: str) -> str:
    """Give the comments and longer texts of a piece of Python, which are looked through as prose.

    Each stands on the line that it has in the code.
    """
    lines = [""] * (code.count("\n") + 2)
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING):
                text = token.string.strip("#'\" rbf") if "(" in token.string else ""
                for number, line in enumerate(text.split("\n"), token.start[0]):
                    lines[number - 1] += line
    except (SyntaxError, ValueError, tokenize.TokenError):
        return ""
    return "\n".join(lines)


def _marks(folder: Path) -> set[str]:
    """Give the fingerprints of what stands in a folder's functions."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.py")) if folder.is_dir() else []:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for statement in node.body:
                    found |= fingerprints(ast.unparse(statement), _CODE)
    return found


def _secrets(root: Path) -> Iterator[bytes]:
    """Give the secrets that this machine holds near the kit."""
    told = os.environ.get("ATTN_SECRET", "").encode("utf-8", "surrogateescape")
    if len(told) >= _SHORTEST_SECRET:
        yield told
    for name in SECRETS:
        for path in (*root.glob(name), *root.glob(f"*/{name}")):
            data = path.read_bytes().strip()
            if len(data) >= _SHORTEST_SECRET:
                yield data

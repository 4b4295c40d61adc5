"""HTML as text: elements, escaping, and what makes a student's text harmless on a page.

Knows nothing of results. Whatever a student wrote (an id, a file name, a print) comes out as
text that can neither close an element nor turn the line around; in Markdown, none that makes one.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")  # no file names on Windows
_CODE = re.compile(r"`([^`]*)`")
# What Markdown, or HTML in it, or a formula would obey; a "_" inside a name is none of it.
_OBEYED = re.compile(
    r"[<>&\\`$]|~(?=~)|(?<=~)~|\*(?=\S)|(?<=\S)\*|(?<![^\W_])_|_(?![^\W_])|\](?=\s*[(\[:])"
)
_NO_MERE_CODE = re.compile(r"[<>&\\$]")
_VOID = frozenset({"meta", "link", "br", "hr"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str | None) -> Markup:
    """Give an element; children that are not `Markup` are escaped.

    Parameters
    ----------
    attributes
        ``class_`` for class, ``aria_label`` for aria-label; None leaves an attribute out, and
        "" gives it without a value.
    """
    said = ""
    for name, value in attributes.items():
        if value is not None:
            said += f" {name.rstrip('_').replace('_', '-')}"
            said += f'="{html.escape(value)}"' if value else ""
    if tag in _VOID:
        return Markup(f"<{tag}{said}>")
    return Markup(f"<{tag}{said}>{join(*children)}</{tag}>")


def join(*children: str) -> Markup:
    """Put elements and text one after another; text is escaped."""
    return Markup(
        "".join(each if isinstance(each, Markup) else html.escape(each) for each in children)
    )


def prose(sentence: str) -> Markup:
    """Give a sentence of the locale files: what stands between backticks becomes code."""
    escaped = html.escape(visible(sentence))
    return Markup(_CODE.sub(r"<code>\1</code>", escaped))


def in_markdown(sentence: str) -> str:
    """Give a sentence of the locale files as one line of Markdown that shows it and obeys nothing.

    What stands between backticks stays code where it is code for every reader of Markdown. All
    other signs become entities: a backslash before them would make a formula's sign of some.
    """
    parts = _CODE.split(visible(" ".join(sentence.split())))
    for number, part in enumerate(parts):
        code = number % 2 == 1
        if code and part and not _NO_MERE_CODE.search(part):
            parts[number] = f"`{part}`"
        else:
            text = f"`{part}`" if code else part
            parts[number] = _OBEYED.sub(_entity, text.replace("\\href", "\\ href"))
    return "".join(parts)


def _entity(sign: re.Match[str]) -> str:
    return html.escape(sign[0]) if sign[0] in "<>&" else f"&#{ord(sign[0])};"


def visible(text: str, *, lines: bool = False) -> str:
    """Give a student's text with every sign that is not seen, or that moves others, made visible.

    Parameters
    ----------
    lines : bool
        Keep line ends and tabs; else they are signs like others. Terminal colours are taken out.
    """
    if text.isprintable():
        return text
    kept = "\n\t" if lines else ""
    plain = _ANSI.sub("", text).replace("\r\n", "\n") if lines else text
    return "".join(sign if sign in kept else _shown(sign) for sign in plain)


def _shown(sign: str) -> str:
    if sign == "\x7f":
        return "\u2421"
    if sign < " ":
        return chr(0x2400 + ord(sign))  # the pictures of control signs
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return f"⟨U+{ord(sign):04X}⟩"
    return sign


def cut(text: str, longest: int, between: str) -> str:
    """Give a text's head and tail, with `between` where the middle was."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n{between}\n{text[-half:]}"


def page_name(id: str) -> str:
    """Give the file name of a submission's page: safe on every system, and no two ids share one.

    A plain lower-case id keeps its name. Any other gets its plain signs, ``~`` (which no plain
    id has) and a digest of the whole id.
    """
    if _PLAIN_NAME.fullmatch(id) and not _RESERVED.fullmatch(id):
        return f"{id}.html"
    digest = hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    slug = re.sub(r"[^a-z0-9_]+", "-", id.lower()).strip("-")[:40]
    return f"{slug}~{digest}.html"

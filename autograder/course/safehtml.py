"""Take out of a student's notebook what would run as a program in a reader's browser.

Feedback is read by students, and formgrader by instructors who are logged in: a page must never
act in their name. What Markdown means is not guessed here: where a text could do more than be
read, nbconvert's own parser makes it HTML, a sanitiser cleans that, and it stands in the cell as
one block of HTML, which every reader of Markdown passes on as it is. Formulas, tables, code and
formatted text stay; scripts, forms, frames, and pictures from elsewhere do not.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from html import escape, unescape
from typing import Any

from bleach.css_sanitizer import CSSSanitizer
from bleach.sanitizer import Cleaner
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.token import STANDARD_TYPES

TAGS = frozenset(
    "a abbr b big blockquote br caption code col colgroup dd del details div dl dt em figcaption "
    "figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub "
    "summary sup table tbody td tfoot th thead tr tt u ul var".split()
)
ATTRIBUTES = frozenset("title align lang dir colspan rowspan border start".split())
CLASSES = frozenset({"dataframe", "highlight", *filter(None, STANDARD_TYPES.values())})
FORMATS = frozenset("text/plain text/html text/markdown text/latex "
                    "image/png image/jpeg image/gif image/webp".split())  # fmt: skip
VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
LONGEST_MARKDOWN, LONGEST_HTML = 2**16, 2**20  # characters
DEEPEST = 400  # elements in one another

_WITH_CONTENT = re.compile(r"(?is)<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)")
_LANGUAGE = re.compile(r"language-[\w+#.-]+")
_LINK = re.compile(r"(?i)(?:https?://|mailto:|#)[^\s\x00-\x20]*")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# Without any of these a text can be read and nothing else, whoever reads it as Markdown.
_MORE = re.compile(r"<[A-Za-z/!?]|&|\]\s*[(\[:]|mermaid|\\href")
_ANY_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]{0,20})")
_BLANK_LINE = re.compile(r"\n(?=[^\S\n]*\n)")
_PIECE = re.compile(r"(?s)(<pre\b.*?</pre>|<code\b.*?</code>|<[^>]*>)")


def html(text: str) -> str:
    """Give HTML without anything that acts; its source, where reading it would take too long."""
    return _as_text(text) if _endless(text, LONGEST_HTML) else _clean(text)


def _clean(text: str) -> str:
    cleaned: str = _cleaner.clean(_WITH_CONTENT.sub("", text))
    pieces = _PIECE.split(cleaned)
    pieces[::2] = map(_without_links_in_formulas, pieces[::2])
    return "".join(pieces)


def markdown(text: str) -> str:
    """Give Markdown that shows the same and does not act."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not _MORE.search(text):
        return text
    made = _as_text(text)
    if not _endless(text, LONGEST_MARKDOWN):
        with contextlib.suppress(RecursionError, ValueError):  # the parser's own limits
            rendered = MarkdownWithMath(renderer=_Renderer()).render(text)
            made = made if _endless(rendered, LONGEST_HTML) else _clean(rendered)
    return f"<div>{_BLANK_LINE.sub('&#10;', made.strip())}</div>"


def raw(text: str) -> str:
    """Give a raw cell's text, which a page takes for HTML, as what it is."""
    return escape(text, quote=False)


def output(shown: dict[str, Any]) -> dict[str, Any]:
    """Give a cell's output whose every format is safe to show."""
    data = shown.get("data")
    if not data:
        return shown
    kept = {mime: value for mime, value in data.items() if mime in FORMATS}
    for mime, clean in (("text/html", html), ("text/markdown", markdown), ("text/latex", _latex)):
        if mime in kept:
            kept[mime] = clean(kept[mime])
    return {**shown, "data": kept or {"text/plain": ""}}


def _as_text(text: str) -> str:
    return f"<pre>{escape(text, quote=False)}</pre>"


def _endless(text: str, longest: int) -> bool:
    """Say whether a text is longer, or its tags stand deeper, than a sanitiser gets through soon.

    Its time grows with the square of the depth.
    """
    if len(text) > longest:
        return True
    unclosed: Counter[str] = Counter()
    depth = 0
    for closing, tag in _ANY_TAG.findall(text):
        name = tag.lower()
        if not closing and name not in VOID:
            unclosed[name] += 1
            depth += 1
            if depth > DEEPEST:
                return True
        elif closing and unclosed[name]:
            unclosed[name] -= 1
            depth -= 1
    return False


def _latex(text: str) -> str:
    return _TAG.sub("< ", text).replace("\\href", "\\text")


def _without_links_in_formulas(text: str) -> str:
    """Let MathJax, which reads what a browser has decoded, find no ``\\href`` in it."""
    if "href" not in (plain := unescape(text)) or "\\href" not in plain:
        return text
    return escape(plain.replace("\\href", "\\text"), quote=False)


def _allowed(tag: str, name: str, value: str) -> bool:
    """Say whether an element may have this attribute."""
    if name == "class":
        return all(each in CLASSES or _LANGUAGE.fullmatch(each) for each in value.split())
    if name == "style":
        return tag in ("td", "th")  # how Markdown aligns a column
    if name == "href":
        return tag == "a" and _LINK.fullmatch(value) is not None
    if name in ("src", "alt"):
        return tag == "img" and (name == "alt" or _PICTURE.fullmatch(value) is not None)
    return name in ATTRIBUTES


_cleaner = Cleaner(
    tags=TAGS,
    attributes=_allowed,
    protocols=("http", "https", "mailto", "data"),
    strip=True,
    css_sanitizer=CSSSanitizer(allowed_css_properties=("text-align",)),
)


class _Renderer(IPythonRenderer):  # type: ignore[misc,unused-ignore]
    """nbconvert's own, without what the sanitiser would take out with nothing in its place."""

    def __init__(self) -> None:
        super().__init__(escape=False, exclude_anchor_links=True)

    def block_mermaidjs(self, code: str) -> str:
        """Show a diagram's text: drawing it is a program."""
        return f"<pre><code>{escape(code, quote=False)}</code></pre>\n"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Show a picture that the text holds; of any other, its name and where it is."""
        if _PICTURE.fullmatch(url):
            return f'<img src="{escape(url)}" alt="{escape(text)}">'
        made: str = self.link(text or escape(url), url, title)
        return made

    def task_list_item(self, text: str, checked: bool = False) -> str:
        """Show a box, where a form's would stand."""
        return f"<li>{'☑' if checked else '☐'} {text}</li>\n"

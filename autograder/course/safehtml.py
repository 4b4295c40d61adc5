"""Take out of a student's notebook what would run as a program in a reader's browser.

Feedback is read by students, and formgrader by instructors who are logged in: a page must never
act in their name. Tables, pictures and formatted text stay; scripts, forms and frames do not.
"""

from __future__ import annotations

import re
from typing import Any

import bleach

TAGS = frozenset(
    "a abbr b big blockquote br caption code col colgroup dd del details div dl dt em figcaption "
    "figure h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub summary "
    "sup table tbody td tfoot th thead tr tt u ul var".split()
)
ATTRIBUTES = {"*": ["class", "title", "align", "lang", "dir", "colspan", "rowspan", "border"],
              "a": ["href"]}  # fmt: skip
_WITH_CONTENT = re.compile(r"(?is)<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)")
_CODE = re.compile(
    r"(?ms)^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*\s*$|\Z)|(`+)(?!`).+?(?<!`)\2(?!`)"
)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def html(text: str) -> str:
    """Give HTML without anything that acts."""
    cleaned = bleach.clean(
        _WITH_CONTENT.sub("", text), tags=TAGS, attributes=ATTRIBUTES, strip=True
    )
    return str(cleaned)


def markdown(text: str) -> str:
    """Give Markdown whose tags are shown and not obeyed; code stays as it is."""
    made, at = [], 0
    for code in _CODE.finditer(text):
        made += [_TAG.sub("&lt;", text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*made, _TAG.sub("&lt;", text[at:])])


def output(shown: dict[str, Any]) -> dict[str, Any]:
    """Give a cell's output whose every format is safe to show."""
    data = shown.get("data")
    if not data:
        return shown
    kept = {mime: value for mime, value in data.items() if mime != "image/svg+xml"}
    for mime, clean in (("text/html", html), ("text/markdown", markdown)):
        if mime in kept:
            kept[mime] = clean(kept[mime])
    if "text/latex" in kept:
        kept["text/latex"] = _TAG.sub("&lt;", kept["text/latex"])
    return {**shown, "data": kept or {"text/plain": ""}}

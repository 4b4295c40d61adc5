"""Texts that would run as programs where they are shown, and a judge of pages that finds them."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from urllib.parse import unquote

E = "<img src=x onerror=alert(1)>"
S = "<script>alert(1)</script>"
J = "javascript:alert(1)"

# Each is live where nbconvert's Markdown is shown without care.
LIVE = {
    "plain": E,
    "script": f"a {S} b",
    "lone backticks": f"a ` b\n\n{E}\n\nc ` d\n",
    "escaped backtick": f"\\` {E} `\n",
    "fence with backtick in its info": f"``` a`b\n\n{E}\n",
    "fence closed by another sign": f"```\ncode\n~~~\n```\n{E}\n",
    "closing fence with a word": f"~~~\nx\n~~~\n{E}\n~~~\n",
    "fence that a list ends": f"- ```\n  x\n\n{E}\n\n```\n",
    "fence in a quotation": f"> ```\n> x\n\n{E}\n\n```\n",
    "backticks in a table": f"|a|b|\n|-|-|\n|`|{E}|\n|`|x|\n",
    "backtick across headings": f"# `\n{E}`",
    "mermaid": f"```mermaid\n{E}\n```\n",
    "mermaid with tildes": f"~~~mermaid x\n{E}\n~~~\n",
    "link": f"[x]({J})",
    "link in capitals": "[x](JavaScript:alert(1))",
    "link with entity": "[x](javascript&colon;alert(1))",
    "link with numbers": "[x](&#106;avascript:alert(1))",
    "link in pointed brackets": f"[x](<{J}>)",
    "link with title": f'[x]({J} "y")',
    "link by reference": f"[x][r]\n\n[r]: {J}\n",
    "link by its own name": f"[r]\n\n[r]: {J}\n",
    "link that nbconvert shortens": f"[x](files/{J})",
    "link that nbconvert shortens, with a slash": f"[x](/files/{J})",
    "data link": "[x](data:text/html,<script>alert(1)</script>)",
    "data link in base64": "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "vbscript link": "[x](vbscript:msgbox(1))",
    "autolink": f"<{J}>",
    "picture of a program": f"![x]({J})",
    "picture that is a page": "![x](data:text/html,a)",
    "picture that is a drawing": "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "anchor": f'<a href="{J}">x</a>',
    "anchor with a tab": '<a href="java\tscript:alert(1)">x</a>',
    "anchor with a line end": '<a href="java&#10;script:alert(1)">x</a>',
    "svg": "<svg onload=alert(1)></svg>",
    "svg link": f'<svg><a xlink:href="{J}"><text>x</text></a></svg>',
    "math": f'<math><mtext href="{J}">x</mtext></math>',
    "style and picture": f"<style><img title='</style>{E}'>",
    "noscript and picture": f'<noscript><p title="</noscript>{E}">',
    "template": f"<template>{E}</template>",
    "frame": '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "object": '<object data="data:text/html,a"></object>',
    "embed": f'<embed src="{J}">',
    "form": f'<form action="{J}"><button>x</button></form>',
    "button": f'<button formaction="{J}">x</button>',
    "base": '<base href="https://elsewhere.example/">',
    "refresh": f'<meta http-equiv="refresh" content="0;{J}">',
    "details": "<details open ontoggle=alert(1)>x</details>",
    "handler in a table": "<table><tr><td onmouseover=alert(1)>x</td></tr></table>",
    "tag within a tag": "<<img src=x onerror=alert(1)>",
    "instruction": f"<?x >{E}?>",
    "block of HTML and a blank line": f"<div>\n\n{E}\n\n</div>",
}

# Each may be, in one browser or another; Python's reader of HTML sees nothing in them.
ODD = {
    "handler after a slash": "<img/src=x/onerror=alert(1)>",
    "unfinished tag": f"<div title='{E}",
    "comment that ends": f"<!-- --!>{E}-->",
    "section that ends": f"<![CDATA[>{E}]]>",
}

_ACTING = frozenset(
    "script iframe frame object embed form input button textarea select svg math style link meta "
    "base template noscript video audio source portal".split()
)
_PICTURES = ("data:image/png;", "data:image/jpeg;", "data:image/gif;", "data:image/webp;")


class _Judge(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _ACTING:
            self.found[f"<{tag}>"] += 1
        if "mermaid" in dict(attrs).get("class", "").split():  # type: ignore[union-attr]
            self.found["mermaid"] += 1
        for name, value in attrs:
            if name.startswith("on") or name in ("srcdoc", "formaction", "action"):
                self.found[name] += 1
            if name.endswith(("href", "src")) and not _harmless(tag, value or ""):
                self.found[f"{name}={value}"] += 1


def _harmless(tag: str, url: str) -> bool:
    plain = "".join(unquote(url).split()).lower()
    if tag == "img" and plain.startswith(_PICTURES):
        return True
    return plain.startswith(("https://", "http://", "mailto:", "#"))


def acting(page: str) -> Counter[str]:
    """Count what a page holds that is more than to be read."""
    judge = _Judge()
    judge.feed(page)
    judge.close()
    return judge.found

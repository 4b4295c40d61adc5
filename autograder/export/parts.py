"""Parts that the pages of a student and of the class are made of: frame, tables, chips, notes."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.export.markup import Markup, join
from autograder.export.markup import element as e
from autograder.export.style import STYLE, TONES
from autograder.messages import Lang, ui


def page(
    title: str,
    body: Sequence[Markup],
    kit: str,
    lang: Lang,
    *,
    wide: bool = False,
    style: str = "",
) -> str:
    """Give a whole page around its body; `title` is text, `kit` the version in the footer.

    `style` is what the page needs beside the common style sheet.
    """
    head = e(
        "head",
        e("meta", charset="utf-8"),
        e("meta", name="viewport", content="width=device-width, initial-scale=1"),
        e(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; style-src 'unsafe-inline'",
        ),
        e("title", title),
        e("style", Markup(STYLE + style)),
    )
    foot = e("footer", ui("page.foot", lang, kit=kit))
    main = e("main", *body, foot, class_="wide" if wide else None)
    whole = e("html", head, "\n", e("body", main), lang="zh-Hans" if lang == "zh" else "en")
    return f"<!DOCTYPE html>\n{whole}\n"


def table(
    caption: str, heads: Sequence[str], rows: Sequence[Markup], class_: str | None = None
) -> Markup:
    """Give a table with its caption; the last column holds numbers unless it comes as markup."""
    last = len(heads) - 1
    columns = [
        head if isinstance(head, Markup) else column(head, "n" if place == last else None)
        for place, head in enumerate(heads)
    ]
    return e(
        "table",
        e("caption", caption),
        e("thead", e("tr", *columns)),
        e("tbody", join(*(Markup(f"\n{row}") for row in rows))),
        class_=class_,
    )


def column(head: str, class_: str | None = None) -> Markup:
    """Give the header of a column."""
    return e("th", head, scope="col", class_=class_)


def scroll(wide: Markup, label: str) -> Markup:
    """Let a wide table scroll by itself, by keyboard too."""
    return e("div", wide, class_="card scroll", role="region", aria_label=label, tabindex="0")


def chip(kind: str, status: str, lang: Lang) -> Markup:
    """Give a verdict as a word; `kind` is ``submission``, ``exercise`` or ``check``."""
    return e("span", ui(f"{kind}.{status}", lang), class_=f"chip {TONES[status]}")


def bar(part: float, whole: float) -> Markup:
    """Draw a share; the number beside it says the same."""
    share = 100 * part / whole if whole else 0.0
    return e("span", e("i", style=f"width:{share:.0f}%"), class_="bar", aria_hidden="true")


def note(head: str, body: Markup) -> Markup:
    """Give a sentence that stands out, under a small heading."""
    return e("div", e("strong", head), e("p", body), class_="note")

"""The instructor's report: what a class knows, what it does not, what to show in the lecture.

One page that stands by itself. It names students by id, or by number where so wished, and quotes
codes, sentences and counts; a student's own page stands elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder import messages
from autograder.analysis import Analysis, Item, Misconception, Unknown
from autograder.export import contrast, drawing
from autograder.export.markup import Markup, join, prose, visible
from autograder.export.markup import element as e
from autograder.export.parts import bar, chip, column, note, page, scroll, table
from autograder.messages import Lang, ui
from autograder.rehearse import Contrast
from autograder.summary import points, stopped

Picture = Callable[[str, str], Contrast | None]
PICTURES = 12  # a lecture has no time for more
STYLE = (
    drawing.STYLE
    + """
.facts{display:flex;flex-wrap:wrap;gap:.6rem 2.2rem;margin:.4rem 0}
.facts div{display:flex;flex-direction:column-reverse}
.facts dt{color:var(--soft);font-size:.86rem}
.facts dd{margin:0;font-size:1.5rem;font-variant-numeric:tabular-nums}
.rows>details{border-top:1px solid var(--line);padding:.25rem 0}
.rows>details:first-child{border-top:0}
.rows summary .count{font-variant-numeric:tabular-nums;font-weight:600}
.ids{columns:8rem;column-gap:1.2rem;padding-left:1.2rem;margin:.4rem 0}
.ids li{overflow-wrap:anywhere}
.low{color:var(--todo-text)}
.bar{min-width:6rem}
.rows summary .points{white-space:normal}
@media (max-width:40rem){.bar{min-width:3rem}
 .hides th:first-child{min-width:6rem;overflow-wrap:normal}}
@media print{.card{break-inside:auto}tr,.picture,.facts,figure{break-inside:avoid}
 .rows p{break-after:avoid}.ids{columns:6.5rem;font-size:.9em}.alike{display:none}}
"""
)


def speaker(lang: Lang) -> Callable[..., str]:
    """Give what says the words of this report."""

    def say(key: str, **slots: object) -> str:
        return ui(f"class.{key}", lang, **slots)

    return say


def report_page(found: Analysis, kit: str, lang: str = "en", picture: Picture | None = None) -> str:
    """Give the page.

    Parameters
    ----------
    found : Analysis
    kit : str
        The version that graded.
    lang : str
    picture : callable, optional
        A code and its exercise to the two tables that show it; without it there are no pictures.
    """
    spoken = messages.language(lang)
    say = speaker(spoken)
    body = [e("h1", say("title")), e("p", _totals(found, spoken)), _facts(found, spoken)]
    if found.mean is not None:
        body += [e("h2", say("scores")), _scores(found, spoken)]
    if found.items:
        body += [
            e("h2", say("exercises")),
            scroll(_items(found.items, spoken), say("exercises")),
            e("p", say("discrimination_note"), class_="soft"),
        ]
    if found.misconceptions:
        shown = [
            _misconception(each, place, spoken, picture)
            for place, each in enumerate(found.misconceptions)
        ]
        body += [
            e("h2", say("misconceptions")),
            e("p", say("misconceptions_note"), class_="soft"),
            e("div", *shown, class_="card rows"),
        ]
    body += [e("h2", say("unexplained")), *_unexplained(found, spoken)]
    if found.quiz:
        questions = quiz_table(found, spoken)
        body += [e("h2", say("quiz")), e("p", say("quiz_note"), class_="soft")]
        body.append(scroll(questions, say("quiz")))
    body += _looks(found, spoken)
    return page(say("title"), body, kit, spoken, wide=True, style=STYLE)


def _question(item: str, lang: Lang) -> str:
    """Give a question's words; its name, where the quiz has it no more."""
    return messages.entry(f"quiz.{item}", lang).get("question", item)


def _totals(found: Analysis, lang: Lang) -> str:
    return " ".join([ui("report.totals", lang, **found.counts), *stopped(found.waiting, lang)])


def _facts(found: Analysis, lang: Lang) -> Markup:
    if found.mean is None or found.median is None or found.deviation is None:
        return e("p", ui("report.mean_none", lang))
    facts = (
        ("mean", f"{found.mean:.1f}"),
        ("median", f"{found.median:.1f}"),
        ("deviation", f"{found.deviation:.1f}"),
        ("of", points(found.max_score)),
        ("unexplained_share", f"{100 * found.unexplained:.0f} %"),
    )
    return e(
        "dl",
        *(e("div", e("dt", ui(f"class.{key}", lang)), e("dd", value)) for key, value in facts),
        class_="facts card",
    )


def _scores(found: Analysis, lang: Lang) -> Markup:
    labels = [str(each.low) if each.low == each.high else f"{each.low}–" for each in found.bins]
    drawn = drawing.histogram(found.bins, ui("class.scores_caption", lang), labels)
    rows = [
        e(
            "tr",
            e("th", _range(each.low, each.high, lang), scope="row"),
            e("td", str(each.count), class_="n"),
        )
        for each in found.bins
    ]
    heads = [ui("class.percent_head", lang), ui("class.count_head", lang)]
    numbers = table(ui("class.scores_caption", lang), heads, rows, "hides")
    return e(
        "div",
        drawn,
        e("details", e("summary", ui("class.as_table", lang)), e("div", numbers), class_="alike"),
        class_="card",
    )


def _range(low: int, high: int, lang: Lang) -> str:
    if low == high:
        return ui("class.full", lang)
    return ui("class.range", lang, low=low, high=high)


def _items(items: Sequence[Item], lang: Lang) -> Markup:
    rows = [
        e(
            "tr",
            e("th", _broken(each.exercise), scope="row"),
            e("td", bar(each.passed, each.count), _share(each.passed, each.count)),
            e("td", f"{each.mean:.1f} / {points(each.max_score)}", class_="n"),
            e("td", str(each.count - each.begun), class_="n"),
            e("td", *_discrimination(each.discrimination, lang), class_="n"),
        )
        for each in items
    ]
    heads = [
        *(column(ui(f"class.{key}_head", lang)) for key in ("exercise", "passed")),
        *(column(ui(f"class.{key}_head", lang), "n") for key in ("mean", "idle", "discrimination")),
    ]
    return table(ui("class.exercises_caption", lang), heads, rows, "hides")


def _broken(name: str) -> Markup:
    """Let a long name break where its words end."""
    return Markup(visible(name).replace("_", "_<wbr>")) if name.isidentifier() else join(name)


def _share(part: int, whole: int) -> str:
    return f"{part} / {whole} · {100 * part / whole:.0f}\u00a0%" if whole else "-"


def _discrimination(value: float | None, lang: Lang) -> Sequence[str]:
    if value is None:
        return (e("small", ui("class.not_told", lang)),)
    if value < 0.2:
        return (f"{value:.2f}", e("small", ui("class.low", lang), class_="low"))
    return (f"{value:.2f}",)


def _misconception(found: Misconception, place: int, lang: Lang, picture: Picture | None) -> Markup:
    name = messages.name(found.code, lang)
    parts = [e("p", prose(messages.render(found.code, {}, lang, graded=True)))]
    hint = messages.entry("hint_for", lang).get(found.code)
    if hint:
        parts.append(note(ui("class.ask", lang), prose(hint)))
    drawn = picture(found.code, found.exercises[0]) if picture and place < PICTURES else None
    if drawn is not None:
        parts.append(contrast.html(drawn, lang))
    parts.append(_ids(found.students, lang))
    head = e(
        "summary",
        _count(found.students, lang),
        f" · {name} ",
        e("code", found.code),
        e("span", f" {', '.join(found.exercises)}", class_="points"),
    )
    return e("details", head, e("div", *parts))


def _count(students: Sequence[str], lang: Lang) -> Markup:
    key = "class.one_student" if len(students) == 1 else "class.students"
    return e("span", ui(key, lang, count=len(students)), class_="count")


def _ids(students: Sequence[str], lang: Lang) -> Markup:
    items = (e("li", visible(each)) for each in students)
    return e("ul", *items, class_="ids", aria_label=ui("class.students_head", lang))


def _unexplained(found: Analysis, lang: Lang) -> list[Markup]:
    said = e(
        "p",
        ui(
            "class.unexplained_note",
            lang,
            tried=found.failed,
            named=found.named,
            run=found.of_the_run,
            left=found.failed - found.named - found.of_the_run,
            share=f"{100 * found.unexplained:.0f}",
        ),
    )
    if not found.unknown:
        return [said]
    shown = [_unknown(each, lang) for each in found.unknown]
    return [
        said,
        e("p", ui("class.candidates_note", lang), class_="soft"),
        e("div", *shown, class_="card rows"),
    ]


def _unknown(found: Unknown, lang: Lang) -> Markup:
    head = e(
        "summary",
        _count(found.students, lang),
        f" · {found.exercise}",
    )
    lost = e("ul", *(e("li", prose(messages.title(each, lang))) for each in found.checks))
    words = e("p", ui("class.fail_alike", lang), class_="soft")
    return e("details", head, e("div", words, lost, _ids(found.students, lang)))


def quiz_table(found: Analysis, lang: Lang) -> Markup:
    """Give the quiz's questions with what the class answered at the first try."""
    rows = [
        e(
            "tr",
            e("th", prose(_question(each.item, lang)), scope="row"),
            e("td", bar(each.right, each.answered), _share(each.right, each.answered)),
            e("td", ", ".join(f"{messages.name(code, lang)} ({n})" for code, n in each.codes)),
        )
        for each in found.quiz
    ]
    heads = [column(ui(f"class.{key}_head", lang)) for key in ("question", "right", "points_at")]
    return table(ui("class.quiz", lang), heads, rows, "hides")


def _looks(found: Analysis, lang: Lang) -> list[Markup]:
    parts: list[Markup] = []
    for key, ids in (
        ("absent", found.absent),
        ("strangers", found.strangers),
        ("late", found.late),
    ):
        if ids:
            head = e(
                "summary",
                e("span", str(len(ids)), class_="count"),
                f" · {ui(f'class.{key}', lang)}",
            )
            parts.append(e("details", head, e("div", _ids(ids, lang))))
    body = [e("h2", ui("class.troubles", lang))]
    if parts:
        body.append(e("div", *parts, class_="card rows"))
    if found.troubles:
        rows = [
            e(
                "tr",
                e("th", visible(id), scope="row"),
                e("td", chip(look.kind, look.status, lang)),
                e("td", prose(look.said)),
            )
            for id, look in found.troubles
        ]
        heads = [
            column(ui(key, lang)) for key in ("index.id_head", "index.status_head", "page.notice")
        ]
        words = ui("class.troubles", lang)
        body.append(scroll(table(words, heads, rows, "hides"), words))
    if len(body) == 1:
        body.append(e("p", ui("class.no_troubles", lang)))
    return body

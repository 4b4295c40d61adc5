"""How pages look: one style sheet, in light, in dark, on a phone and on paper.

Colours stand in `PALETTE` by role, so that a test can measure the contrast of every pair in
`PAIRS`. Colour never says anything that a word beside it does not say.
"""

from __future__ import annotations

PALETTE = {
    "light": {
        "page": "#f6f7f9",
        "card": "#ffffff",
        "text": "#1b2230",
        "soft": "#536074",
        "line": "#dde2ea",
        "shade": "#8a94a6",
        "link": "#1d4fb8",
        "code": "#eef1f6",
        "good-text": "#0d5c37",
        "good": "#def4e7",
        "part-text": "#744a00",
        "part": "#fdf0d0",
        "todo-text": "#9a2323",
        "todo": "#fde6e4",
        "rest-text": "#4c586b",
        "rest": "#eaedf2",
        "bar": "#2c7a52",
        "accent": "#3b5bdb",
    },
    "dark": {
        "page": "#12161d",
        "card": "#1b212b",
        "text": "#e7ebf2",
        "soft": "#a7b2c3",
        "line": "#323b49",
        "shade": "#05070a",
        "link": "#93b8ff",
        "code": "#28303d",
        "good-text": "#9be7bd",
        "good": "#153a28",
        "part-text": "#f8d386",
        "part": "#40300d",
        "todo-text": "#ffb8b0",
        "todo": "#47201f",
        "rest-text": "#bdc7d6",
        "rest": "#2b3340",
        "bar": "#58b887",
        "accent": "#8ea6ff",
    },
}

# (text, ground): all that stand on each other somewhere.
PAIRS = (
    ("text", "page"),
    ("text", "card"),
    ("soft", "page"),
    ("soft", "card"),
    ("link", "page"),
    ("link", "card"),
    ("text", "code"),
    ("good-text", "good"),
    ("part-text", "part"),
    ("todo-text", "todo"),
    ("rest-text", "rest"),
    ("soft", "todo"),
    ("text", "rest"),
    ("soft", "rest"),
    ("link", "rest"),
)

TONES = {
    "passed": "good",
    "partial": "part",
    "failed": "todo",
    "error": "todo",
    "timeout": "todo",
    "missing": "rest",
    "not_attempted": "rest",
    "skipped": "rest",
    "graded": "good",
    "unreadable": "todo",
    "empty": "rest",
}


def _colors(theme: str) -> str:
    return "".join(f"--{role}:{color};" for role, color in PALETTE[theme].items())


_RULES = """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);overflow-wrap:break-word;
 font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC",
 "Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 3rem}
main.wide{max-width:84rem}
h1{font-size:1.7rem;line-height:1.25;margin:.1rem 0 .4rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.2rem 0 .8rem}
h3{font-size:1.05rem;margin:0;display:inline;overflow-wrap:anywhere}
p{margin:.4rem 0}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--accent);
 outline-offset:2px;border-radius:.3rem}
code{background:var(--code);padding:.05em .35em;border-radius:.3em;
 font:.92em/1.4 ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere}
.kicker,.soft,footer{color:var(--soft)}
.kicker{margin:0;font-size:.95rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.8rem;
 padding:1rem 1.2rem;margin:.8rem 0}
.total{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem .8rem}
.total strong{font-size:2rem;line-height:1.1;font-variant-numeric:tabular-nums}
.bar{display:block;height:.5rem;border-radius:.25rem;background:var(--rest);overflow:hidden;
 margin:.6rem 0 .2rem}
.bar i{display:block;height:100%;background:var(--bar)}
.chip{display:inline-block;padding:.05rem .55rem;border-radius:1rem;font-size:.86rem;
 font-weight:600;white-space:nowrap}
.good{background:var(--good);color:var(--good-text)}
.part{background:var(--part);color:var(--part-text)}
.todo{background:var(--todo);color:var(--todo-text)}
.rest{background:var(--rest);color:var(--rest-text)}
.note{border-left:.3rem solid var(--accent);padding:.15rem 0 .15rem .9rem;margin:.8rem 0}
.note b,.note strong{display:block;font-size:.86rem;color:var(--soft);font-weight:600}
.hides th:first-child{min-width:8.5rem}
.scroll{position:relative;overflow-x:auto;background:
 linear-gradient(90deg,var(--card) 40%,transparent) 0 0/3rem 100% no-repeat local,
 linear-gradient(270deg,var(--card) 40%,transparent) 100% 0/3rem 100% no-repeat local,
 linear-gradient(90deg,var(--shade),transparent) 0 0/.7rem 100% no-repeat scroll,
 linear-gradient(270deg,var(--shade),transparent) 100% 0/.7rem 100% no-repeat scroll,var(--card)}
table{border-collapse:collapse;width:100%;font-size:.95rem}
caption{text-align:left;color:var(--soft);font-size:.9rem;padding:.2rem 0 .5rem}
th,td{text-align:left;vertical-align:top;padding:.45rem .6rem;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--soft);font-weight:600;font-size:.86rem;white-space:nowrap}
tbody th{font-weight:500;overflow-wrap:anywhere}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td small{display:block;color:var(--soft);font-size:.8rem}
.said{font-size:.9rem;color:var(--soft);margin:.15rem 0 0}
summary{cursor:pointer;list-style-position:inside;line-height:1.9}
summary .chip,summary .points{margin-left:.5rem}
.points{color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
details>div{margin-top:.7rem}
pre{background:var(--code);border-radius:.5rem;padding:.8rem;margin:.4rem 0;white-space:pre-wrap;
 overflow-wrap:anywhere;max-height:24rem;overflow-y:auto;unicode-bidi:isolate;direction:ltr;
 font:.88rem/1.45 ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace}
.marks thead th{vertical-align:bottom}
.marks th.up{text-align:center;min-width:2.9rem}
.up span{writing-mode:vertical-rl;transform:rotate(180deg);font-weight:500}
.marks td,.marks th{white-space:nowrap}
.marks tbody th{max-width:16rem;overflow:hidden;text-overflow:ellipsis}
.marks .codes{white-space:normal;min-width:9rem}
.codes span{white-space:nowrap}
.marks .m{text-align:center}
.marks tbody tr:hover{background:var(--rest)}
.hides caption,.vh{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;
 clip-path:inset(50%);white-space:nowrap}
footer{margin-top:2.5rem;font-size:.86rem}
@media screen and (max-width:76rem){.marks th,.marks td{padding:.4rem .25rem}
 .marks th.up{min-width:1.9rem}.codes span{white-space:normal}}
@media (max-width:40rem){main{padding:1.2rem .8rem 2rem}h1{font-size:1.4rem}
 .card{padding:.8rem .8rem}th,td{padding:.4rem .35rem}}
@media print{body{background:#fff;font-size:10.5pt}main{max-width:none;padding:0}
 .card{break-inside:avoid;border-color:#bbb}pre{max-height:none}.scroll{overflow:visible;background:none}
 a{color:inherit;text-decoration:none}h2,summary{break-after:avoid}
 details::details-content{content-visibility:visible}.chip{border:1px solid currentColor}}
"""

STYLE = (
    f":root{{color-scheme:light dark;{_colors('light')}}}\n"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_colors('dark')}}}}}"
    f"{_RULES}"
)

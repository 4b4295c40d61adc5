"""What tests of the prompts share: the files, their examples, and Markdown taken apart."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

from autograder.prompt import SLOT, Rendered, render
from autograder.prompt_file import Prompt, read

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "prompts"
FILES = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
NAMES = sorted({path.name.split(".")[0] for path in FILES})
SKILLS = sorted(FOLDER.glob("skills/*/SKILL.md"))
TEXTS = [*FILES, *SKILLS, FOLDER / "README.md"]

HEADS = ("row sum", "行和")


def title(path: Path) -> str:
    """Name a file in a test's id."""
    return path.relative_to(FOLDER).as_posix()


def example_of(prompt: Prompt) -> Rendered:
    """Fill a prompt with the examples of its own front matter."""
    return render(prompt, {each.name: each.example for each in prompt.inputs})


def examples() -> list[Rendered]:
    """Fill every prompt with its examples."""
    return [example_of(read(path)) for path in FILES]


def front(text: str) -> tuple[str, str]:
    """Cut a file into front matter and body."""
    _, head, body = text.split("---\n", 2)
    return head, body


def tables(text: str) -> list[list[list[str]]]:
    """Give the Markdown tables of a text as rows of cells, the header first."""
    found: list[list[list[str]]] = []
    last = False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith("|") and bare.endswith("|"):
            cells = [cell.strip() for cell in bare.strip("|").split("|")]
            if not last:
                found.append([])
            if not set("".join(cells)) <= set("-:"):
                found[-1].append(cells)
            last = True
        else:
            last = False
    return found


def row_sums(text: str) -> list[Decimal]:
    """Give the sum of the printed cells of every row of every table of weights."""
    return [
        sum((Decimal(cell) for cell in row[1:-1]), Decimal(0))
        for table in tables(text)
        if table[0][-1] in HEADS
        for row in table[1:]
    ]


def skeleton(body: str) -> list[str]:
    """Give what both languages must share: headings, list items, fences, tables, slots, tags."""
    marks: list[str] = []
    for line in body.split("\n"):
        bare = line.strip()
        depth = "." * ((len(line) - len(line.lstrip())) // 3)
        if match := re.match(r"(#+) |(\d+\.) |(- )|(```\w*)|(</?learner_data>)|(\|)", bare):
            item = match[0].strip()
            marks.append(depth + (f"|{bare.count('|')}" if item == "|" else item))
        marks += SLOT.findall(bare)
    return marks


def sentences(text: str) -> list[str]:
    """Cut a text into sentences; a line is never part of two."""
    return [each for each in re.split(r"(?<=[.!?])\s+|[。！？\n]", text) if each.strip()]

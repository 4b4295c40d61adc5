"""The same hand-ins by three ways: `attn grade`, the kit's Execute, stock nbgrader's.

Hand-ins that are ``.py`` files become notebooks first: each function goes into its own cell. What
each way says is read from what it wrote: results.json, and the grade cells' feedback.
"""

from __future__ import annotations

import ast
import copy
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from course_class import KIT, Book, attn, cell, changed, hand_in, points, right, run

from autograder.exercise import Kit, read_kit
from autograder.submission import find

CLASS = KIT / "tests" / "sample_class" / "submissions"
CONFIG_END = "# Students' code runs isolated"
# What stock nbgrader does not take, so that nothing of ours runs: a kernelspec without its
# display_name, copied cells, an empty folder, a file that is no JSON.
REFUSED = ("student-11", "student-26", "student-28", "student-29")
Check = tuple[str, str, str]
Verdict = tuple[Check, ...]


@dataclass(frozen=True)
class Said:
    """What one way says of one hand-in.

    Attributes
    ----------
    score : float or None
    checks : tuple
        Exercise and number of the check; its points; its finding.
    why : str
        Status and reason, where there is no score.
    """

    score: float | None
    checks: Verdict = ()
    why: str = ""


@dataclass(frozen=True)
class ThreeWays:
    """What the three ways say, by hand-in.

    Attributes
    ----------
    as_files : dict
        What `attn grade` says of those that came as ``.py`` files, as they came.
    refused : dict
        What nbgrader wrote of those that it does not take.
    """

    grade: Mapping[str, Said]
    ours: Mapping[str, Said]
    stock: Mapping[str, Said]
    as_files: Mapping[str, Said]
    refused: Mapping[str, str]


def three_ways(base: Path, students: Iterable[str] = ()) -> ThreeWays:
    """Grade some hand-ins of the sample class (all, unless told) by three ways, in `base`."""
    ours, stock = base / "ours", base / "stock"
    done(attn("course", "init", ours))
    done(run("nbgrader", "generate_assignment", "attention", cwd=ours))
    shutil.copytree(ours, stock)  # the same two commands would write the same course
    config = stock / "nbgrader_config.py"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.split(CONFIG_END)[0], encoding="utf-8")
    kit, wanted = read_kit(KIT), set(students)
    found, _ = find([CLASS], kit.ids)
    files: set[str] = set()
    for each in found:
        if wanted and each.id not in wanted:
            continue
        handed = dict(each.read().files)
        book = as_notebook(handed, right(ours), kit)
        if not any(name.endswith(".ipynb") for name in handed) and handed:
            files.add(each.id)
            for name, data in handed.items():
                place = base / "files" / each.id / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
        content = {} if book is None else {"attention.ipynb": book}
        hand_in(ours, each.id, content)
        hand_in(stock if each.id not in REFUSED else base / "refused", each.id, content)
        target = base / "class" / each.id
        target.mkdir(parents=True)
        for name, data in content.items():
            (target / name).write_bytes(data)
    for form in ("class", "files"):
        if (base / form).is_dir():
            told = attn("grade", base / form, "--out", base / f"{form}-out", "--no-html")
            assert told.returncode in (0, 1), told.stdout + told.stderr
    for course in (ours, stock):
        done(run("nbgrader", "autograde", "attention", cwd=course, ATTN_KIT=str(KIT)))
    graded = _from_results(base / "class-out" / "results.json")
    refused = {}
    for student in sorted(set(REFUSED) & set(graded)):
        (base / "refused/submitted" / student).rename(stock / "submitted" / student)
        words = ("autograde", "attention", "--student", student)
        told = run("nbgrader", *words, cwd=stock, ATTN_KIT=str(KIT))
        refused[student] = told.stdout + told.stderr
    files_graded = _from_results(base / "files-out" / "results.json") if files else {}
    return ThreeWays(
        graded, _from_course(ours, graded), _from_course(stock, graded), files_graded, refused
    )


def done(told: Any) -> None:
    """Stop where a step failed."""
    assert told.returncode == 0, told.stdout + told.stderr


def table(found: ThreeWays) -> str:
    """Give a line a hand-in: its score by each way, and whether every check agrees."""
    lines = [
        "| hand-in | `attn grade` | our Execute | stock nbgrader | as files | checks equal |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for student, said in found.grade.items():
        ways = [found.ours[student], found.stock[student], found.as_files.get(student)]
        told = [_score(said), _score(ways[0]), _score(ways[1]), _score(ways[2])]
        if student in found.refused:
            told[2] = "not taken"
        compared = [each for each in ways if each is not None and each.checks]
        equal = all(each.checks == said.checks for each in compared)
        said_of = f"{len(said.checks)}, {len(compared) + 1} ways" if said.checks else "no score"
        lines.append(f"| {student} | {' | '.join(told)} | {said_of if equal else 'NO'} |")
    return "\n".join(lines) + "\n"


def _score(said: Said | None) -> str:
    return "" if said is None else "none" if said.score is None else f"{said.score:g}"


# -- from files to a notebook -----------------------------------------------------------------


def as_notebook(files: Mapping[str, bytes], source: Book, kit: Kit) -> bytes | None:
    """Give a hand-in as a notebook: its own, or the released one with its functions in it."""
    books = [data for name, data in files.items() if name.endswith(".ipynb")]
    if books or not files:
        return books[0] if books else None
    stubs = json.loads((kit.bundle / "attention.ipynb").read_text(encoding="utf-8"))

    every = tuple(name for exercise in kit.exercises for name in exercise.names)
    named = {exercise.id: exercise.names for exercise in kit.exercises}
    texts: dict[str, str] = {}
    for name, data in files.items():
        own = named.get(Path(name).stem, every)  # one file may hold all exercises
        texts |= _by_name(data.decode("utf-8-sig"), own, kit)

    def fill(book: Book) -> None:
        for name in every:
            cell(book, name)["source"] = texts.get(name, "".join(cell(stubs, name)["source"]))

    return changed(copy.deepcopy(source), fill)


def _by_name(text: str, names: tuple[str, ...], kit: Kit) -> dict[str, str]:
    """Split a file's text so that each graded name has its cell; what is between goes below."""
    text = text.replace("\r\n", "\n")
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return {names[0]: text}
    lines = text.split("\n")
    texts: dict[str, list[str]] = {}
    waiting: list[str] = []
    at = 0
    last = None
    for node in body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        piece = lines[at : first - 1] + lines[first - 1 : node.end_lineno]
        at = node.end_lineno or at
        if _left_out(node, kit):
            continue
        waiting += piece
        defined = {getattr(node, "name", None)} | {
            target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name)
        }
        if defined & set(names):
            last = next(name for name in names if name in defined)
            texts.setdefault(last, []).extend(waiting)
            waiting = []
    if waiting:
        texts.setdefault(last or names[0], []).extend(waiting)
    return {name: "\n".join(each).strip("\n") for name, each in texts.items()}


def _left_out(node: ast.stmt, kit: Kit) -> bool:
    """Say whether a statement has no place in a notebook: imports of files, and a file's demo."""
    if isinstance(node, ast.ImportFrom):
        return node.module in kit.ids
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


# -- what each way says -----------------------------------------------------------------------


def _from_results(path: Path) -> dict[str, Said]:
    told = json.loads(path.read_text(encoding="utf-8"))["submissions"]
    return {
        each["id"]: Said(
            each["score"],
            tuple(
                (f"{exercise['exercise']} {number}", f"{check['score']:g}", check["finding"] or "")
                for exercise in each["exercises"]
                for number, check in enumerate(exercise["checks"])
            ),
            _why(each),
        )
        for each in told
    }


def _why(result: Book) -> str:
    return "" if result["score"] is not None else f"{result['status']}: {result['notice']}"


def _from_course(course: Path, students: Iterable[str]) -> dict[str, Said]:
    totals = points(course)
    found = {}
    for student in students:
        path = course / "autograded" / student / "attention" / "attention.ipynb"
        scores = totals.get(student)
        if scores is None or not path.is_file():
            found[student] = Said(None)
            continue
        checks = tuple(_checks(json.loads(path.read_text(encoding="utf-8"))))
        score = sum(each or 0.0 for each in scores.values())
        record = course / ".attn" / "attention" / f"{student}.json"
        told = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else None
        why = "" if told is None else _why(told["result"])
        found[student] = Said(score if checks else None, checks, why)
    return found


def _checks(book: Book) -> Iterator[Check]:
    for each in book["cells"]:
        mark = each["metadata"].get("nbgrader", {})
        if not mark.get("grade"):
            continue
        for output in each["outputs"]:
            page = "".join(output.get("data", {}).get("text/html", ""))
            rows = _Rows()
            rows.feed(page)
            exercise = mark["grade_id"].removeprefix("grade_")
            for number, (finding, cells) in enumerate(rows.found):
                yield f"{exercise} {number}", cells[2].split(" / ")[0], finding


class _Rows(HTMLParser):
    """The rows of a grade cell's table, each with its finding."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[str]]] = []
        self._body = self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._body = self._body or tag == "tbody"
        if self._body and tag == "tr":
            self.found.append((dict(attrs).get("data-finding") or "", []))
        if self._body and tag == "td":
            self._inside = True
            self.found[-1][1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1][1][-1] += data

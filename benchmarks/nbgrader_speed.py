"""nbgrader's own speed beside the kit's, on the same notebooks in turn.

    python benchmarks/nbgrader_speed.py [--students 40] [--rounds 2]

Four ways take the same hand-ins: stock `nbgrader autograde`; stock with grade cells that cost
nothing (what its kernels and its gradebook take at least); `nbgrader autograde` with the course's
configuration; `attn course grade`. Each round runs all four, one after the other, so that a busy
machine slows all of them. Printed are seconds, ratios, and whether the scores are equal. Processor
seconds stand beside wall seconds: a busy machine stretches them less, and several processes at once
do not shorten them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.course import setup
from autograder.course.place import Course
from autograder.course.running import environment
from autograder.exercise import find_kit

KIT = Path(__file__).resolve().parent.parent
HAND_INS = KIT / "tests" / "sample_class" / "submissions"
SCORES = """
SELECT submitted_assignment.student_id, SUM(COALESCE(grade.auto_score, 0)) FROM grade
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
GROUP BY submitted_assignment.student_id
"""


def run(folder: Path, *words: str) -> tuple[float, float]:
    """Run one command in a course; give its seconds, and those of all its processes."""
    start, before = time.perf_counter(), _spent()
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**environment(), "PYTHONPATH": str(KIT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr[-2000:]}")
    return time.perf_counter() - start, _spent() - before


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def course(folder: Path, students: int, *, stock: bool, free: bool = False) -> None:
    """Make a released course with hand-ins of `students` students."""
    made: Course = setup.init(folder, find_kit(KIT), (), (), "en")
    if stock:
        config = folder / "nbgrader_config.py"
        text = config.read_text(encoding="utf-8").split("# Students' code runs isolated")[0]
        config.write_text(text, encoding="utf-8")
    run(folder, "nbgrader", "generate_assignment", "attention")
    books = [path for path in sorted(HAND_INS.glob("**/attention.ipynb")) if _readable(path)]
    solved = made.source.read_text(encoding="utf-8")
    texts = [solved, *(path.read_text(encoding="utf-8") for path in books)]
    if free:  # the source cell's text is what nbgrader puts back, so it is changed there
        database = sqlite3.connect(folder / "gradebook.db")
        with database:
            database.execute("UPDATE source_cell SET locked = 0 WHERE name LIKE 'grade_%'")
        database.close()
        texts = [_free(text) for text in texts]
    for number in range(students):
        place = folder / "submitted" / f"student-{number:03}" / "attention"
        place.mkdir(parents=True)
        (place / "attention.ipynb").write_text(texts[number % len(texts)], encoding="utf-8")


def _readable(path: Path) -> bool:
    try:  # stock nbgrader ends with an error where one is not
        json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return True


def _free(text: str) -> str:
    book = json.loads(text)
    for cell in book["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = ["0.5"]
    return json.dumps(book)


def scores(folder: Path) -> dict[str, float]:
    """Read every student's sum of points."""
    database = sqlite3.connect(folder / "gradebook.db")
    try:
        return {student: round(float(total), 6) for student, total in database.execute(SCORES)}
    finally:
        database.close()


WAYS = {
    "stock nbgrader autograde": ("nbgrader", "autograde", "attention"),
    "stock, grade cells for nothing": ("nbgrader", "autograde", "attention"),
    "ours: nbgrader autograde": ("nbgrader", "autograde", "attention"),
    "ours: attn course grade": ("autograder", "course", "grade"),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    os.environ["ATTN_SECRET"] = "the same numbers for every way"
    took: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as place:
        for round_ in range(asked.rounds):
            for number, (way, words) in enumerate(WAYS.items()):
                folder = Path(place) / f"{round_}-{number}"
                course(folder, asked.students, stock=number < 2, free=number == 1)
                took[way].append(run(folder, *words))
                found[way] = scores(folder)
                wall, cpu = took[way][-1]
                print(f"round {round_ + 1}: {way}: {wall:.1f} s, CPU {cpu:.1f} s", flush=True)
                shutil.rmtree(folder)
    walls, cpus = (
        [statistics.median(each[place] for each in rounds) for rounds in took.values()]
        for place in (0, 1)
    )
    print(f"\n{asked.students} notebooks, {os.cpu_count()} cores, {asked.rounds} rounds (median)\n")
    print(
        "| way | s | s a notebook | times stock | CPU s | times stock |\n|---|---|---|---|---|---|"
    )
    for way, wall, cpu in zip(WAYS, walls, cpus, strict=True):
        each, times = wall / asked.students, walls[0] / wall
        print(
            f"| {way} | {wall:.1f} | {each:.2f} | {times:.1f} | {cpu:.1f} | {cpus[0] / cpu:.1f} |"
        )
    names = list(WAYS)
    equal = found[names[0]] == found[names[2]] == found[names[3]]
    print(f"\nscores equal in the three that grade: {equal}")


if __name__ == "__main__":
    main()

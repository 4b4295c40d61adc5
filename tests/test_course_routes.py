"""From an empty folder to feedback and grades, by the kit's route and by stock nbgrader's.

Words are planted in a copy of the kit, where only graders may hold them; no page, notebook, log
or file that students could get may hold one.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from course_class import KIT, attn, changed, points, right, run
from test_course_class import WRONG, before, source

pytest.importorskip("nbgrader", reason="the course extra is not installed")
pytest.importorskip("matplotlib", reason="the course extra is not installed")

pytestmark = pytest.mark.xdist_group("course_routes")

TOKENS = ("ZQX_LEAK_1", "ZQX_LEAK_2", "0.73192846")
GRADER = '''

@points(2)
def test_zqx_leak_3_is_hidden(student, reference, rng):
    """Nothing is told"""
    x = rng.normal(size=(3, 5)) + 0.73192846  # ZQX_LEAK_1
    expect.close(student.softmax(x), reference.softmax(x) if x is not None else "ZQX_LEAK_2")
'''
RAISES = "def softmax(x, axis=-1):\n    raise ValueError(str(x))\n"
ODD_REPR = (
    "class Odd:\n    def __repr__(self):\n        raise ValueError('no')\n"
    "def softmax(x, axis=-1):\n    return Odd()\n"
)
HAND_INS = {
    "s1": lambda book: None,
    "s2": source("softmax", WRONG),
    "s3": source("softmax", RAISES),
    "s4": source("softmax", ODD_REPR),
    "s5": before("import warnings; warnings.warn('careful'); print('hello')"),
    "s6": source("causal_mask", "def causal_mask(n):\n    return None\n"),
    "s7": source("masked_attention", "def masked_attention(*a, **k):\n    return 1, 2\n"),
    "s8": lambda book: None,
}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """Two courses with the same eight hand-ins, graded by either route, with feedback."""
    base = tmp_path_factory.mktemp("routes")
    kit = base / "kit"
    for part in ("solutions", "exercises", "autograder/graders", "autograder/mistakes"):
        shutil.copytree(KIT / part, kit / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(KIT / "pyproject.toml", kit / "pyproject.toml")
    with (kit / "autograder" / "graders" / "test_softmax.py").open("a", encoding="utf-8") as file:
        file.write(GRADER)
    roster = base / "roster.csv"
    roster.write_text("id,first_name,last_name\n" + "".join(f"{s},A,{s}\n" for s in HAND_INS))
    ours, stock = base / "ours", base / "stock"
    _do(attn("course", "init", ours, "--kit", kit, "--students", roster))
    _do(attn("course", "release", "--course", ours))
    book = right(ours)
    for student, change in HAND_INS.items():
        name = base / "class" / student / "attention.ipynb"
        name.parent.mkdir(parents=True)
        name.write_bytes(changed(book, change))

    said = [_do(attn("course", "collect", base / "class", "--course", ours))]
    shutil.copytree(ours, stock)
    config = stock / "nbgrader_config.py"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.split("# Students' code runs isolated")[0], encoding="utf-8")
    said.append(_do(run("nbgrader", "autograde", "attention", cwd=ours)))
    said.append(_do(attn("course", "report", "--course", ours)))
    for words in (("autograde", "attention"), ("generate_feedback", "attention"), ("export",)):
        said.append(_do(run("nbgrader", *words, cwd=stock, ATTN_KIT=str(kit))))
    yield SimpleNamespace(base=base, ours=ours, stock=stock, said=said)


def _do(done: object) -> str:
    assert done.returncode == 0, done.stdout + done.stderr  # type: ignore[attr-defined]
    return str(done.stdout + done.stderr)  # type: ignore[attr-defined]


def test_both_routes_give_everybody_the_same_points(both: SimpleNamespace) -> None:
    ours, stock = points(both.ours), points(both.stock)
    assert set(ours) == set(HAND_INS)
    assert ours == stock
    totals = {student: sum(score or 0 for score in each.values()) for student, each in ours.items()}
    assert totals["s1"] == totals["s5"] == totals["s8"] == 102.0
    assert max(totals[each] for each in ("s2", "s3", "s4", "s6", "s7")) < 102.0


def test_B03_B13_no_planted_word_is_in_anything_that_a_student_gets(both: SimpleNamespace) -> None:
    looked = 0
    for course in (both.ours, both.stock):
        for step in ("release", "autograded", "feedback"):
            for path in (course / step).rglob("*"):
                if path.is_file():
                    _nothing_in(path.read_text(encoding="utf-8", errors="replace"), path)
                    looked += 1
    assert looked > 4 * len(HAND_INS)
    for text in both.said:
        _nothing_in(text, "a log")


def _nothing_in(text: str, where: object) -> None:
    for token in (*TOKENS, "zqx_leak_3"):
        assert token not in text, (token, where)


def test_feedback_tells_title_outcome_points_and_sentence(both: SimpleNamespace) -> None:
    for course in (both.ours, both.stock):
        page = (course / "feedback" / "s2" / "attention" / "attention.html").read_text("utf-8")
        assert "Nothing is told" in page  # the hidden check's title
        assert "not yet" in page
        assert "0 / 2" in page
    # The kit's own route writes the sentence at the answer, too.
    page = (both.ours / "feedback" / "s3" / "attention" / "attention.html").read_text("utf-8")
    assert "raised ValueError" in page


def test_the_release_has_the_cells_of_the_students_notebook(both: SimpleNamespace) -> None:
    released = json.loads((both.ours / "release/attention/attention.ipynb").read_text("utf-8"))
    handed = json.loads((KIT / "exercises" / "attention.ipynb").read_text("utf-8"))
    for cell in (*released["cells"], *handed["cells"]):
        cell["metadata"].get("nbgrader", {}).pop("checksum", None)
        cell["source"] = "".join(cell["source"])
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "grade_softmax":
            cell["metadata"]["nbgrader"]["points"] = 8.0  # the planted check has points
    assert released["cells"] == handed["cells"]


def test_the_release_brings_the_kit_and_the_report_says_what_to_return(
    both: SimpleNamespace,
) -> None:
    folder = both.ours / "release" / "attention"
    [wheel] = folder.glob("attention_kit-*.whl")
    assert wheel.name in (folder / "README.md").read_text("utf-8")
    assert (folder / "quiz.json").read_bytes() == (KIT / "exercises" / "quiz.json").read_bytes()
    assert "submission_secret.txt" in both.said[2]


def test_B45_release_refuses_when_a_solution_or_an_output_is_left(
    both: SimpleNamespace, tmp_path: Path
) -> None:
    course = tmp_path / "course"
    shutil.copytree(both.ours, course)
    source_book = course / "source" / "attention" / "attention.ipynb"
    book = json.loads(source_book.read_text("utf-8"))
    for each in book["cells"]:
        if each["metadata"].get("nbgrader", {}).get("grade_id") == "softmax":
            lines = [line for line in each["source"] if "### " not in line]
    book["cells"].append({
        "cell_type": "code", "metadata": {"hidden": True}, "outputs": [], "id": "left",
        "execution_count": None, "source": lines,
    })  # fmt: skip
    source_book.write_text(json.dumps(book), encoding="utf-8")
    done = attn("course", "release", "--course", course)
    assert done.returncode == 1
    assert "a statement of a solution" in done.stderr
    assert "metadata hidden" in done.stderr


def test_marks_by_hand_and_comments_survive_a_regrade(both: SimpleNamespace) -> None:
    script = (
        "import sys\nfrom nbgrader.api import Gradebook\n"
        "with Gradebook('sqlite:///gradebook.db') as gb:\n"
        "    grade = gb.find_grade('grade_softmax', 'attention', 'attention', 's2')\n"
        "    comment = gb.find_comment('softmax', 'attention', 'attention', 's2')\n"
        "    if sys.argv[1:]:\n"
        "        grade.manual_score = 5.5; comment.manual_comment = 'Well tried.'; gb.db.commit()\n"
        "    print(grade.score, comment.comment)\n"
    )
    path = both.ours / "manual.py"
    path.write_text(script, encoding="utf-8")
    _do(run("manual", "set", cwd=both.ours))
    _do(attn("course", "grade", "--force", "--student", "s2", "--course", both.ours))
    assert "5.5 Well tried." in _do(run("manual", cwd=both.ours))
    _do(attn("course", "report", "--no-feedback", "--course", both.ours))
    with (both.ours / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        [row] = [row for row in csv.DictReader(file) if row["id"] == "s2"]
    assert (row["softmax"], row["by_hand"], row["status"]) == ("5.5", "softmax", "graded")


def test_marks_of_a_table_are_set_when_graded_again(both: SimpleNamespace) -> None:
    table = both.ours / "overrides.csv"
    check = "causal_mask.shape"
    table.write_text(f"id,check,score,reason\ns6,{check},1,shown in class\n", encoding="utf-8")
    before = points(both.ours)["s6"]["causal_mask"] or 0.0
    _do(attn("course", "grade", "--force", "--student", "s6", "--course", both.ours))
    assert points(both.ours)["s6"]["causal_mask"] == before + 1.0
    results = json.loads((both.ours / "results.json").read_text("utf-8"))["submissions"]
    [own] = [each for each in results if each["id"] == "s6"]
    [mask] = [each for each in own["exercises"] if each["exercise"] == "causal_mask"]
    assert [c["override"] for c in mask["checks"] if c["check"] == "shape"] == ["shown in class"]


def test_a_course_refuses_a_folder_that_holds_something(both: SimpleNamespace) -> None:
    done = attn("course", "init", both.ours)
    assert done.returncode == 2
    assert "is not empty" in done.stderr


def test_a_second_init_with_few_exercises_gives_the_earlier_functions(tmp_path: Path) -> None:
    from autograder.course.place import Course
    from autograder.course.setup import source_notebook
    from autograder.exercise import read_kit

    kit = read_kit(KIT)
    book = json.loads(source_notebook(kit, Course(tmp_path, KIT, ("masked_attention",))))
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in book["cells"]]
    assert "given_softmax" in ids
    assert [each for each in ids if each and each.startswith("grade_")] == [
        "grade_masked_attention"
    ]
    space: dict[str, object] = {"__name__": "notebook"}
    for cell in book["cells"]:
        if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader", {}).get("grade"):
            text = "".join(cell["source"])
            if not text.startswith("from autograder"):
                exec(text, space)
    assert callable(space["masked_attention"])

"""Twenty hostile hand-ins among eighty: the eighty get what they get without them."""

from __future__ import annotations

from pathlib import Path

import pytest
from classroom import COLUMNS, plan
from hostile import EXERCISES, READ, filled, hand_in

from autograder import batch
from autograder.exercise import Kit, given_sources
from autograder.results import SubmissionResult
from autograder.sandbox import LEVELS, Sandbox

pytestmark = pytest.mark.xdist_group("attacks-class")
HOSTILE = (
    "fork_bomb",
    "memory",
    "flood",
    "half_frame",
    "closes_everything",
    "kills_itself",
    "stops_the_parent",
    "fills_the_disk",
    "huge_answer",
    "segmentation_fault",
    "inputs_kept",
    "message_left",
    "numpy_random_replaced",
    "patched_builtins",
    "patched_comparisons",
    "forged_frames_in_call",
    "reference_on_disk",
    "parent_memory_patched",
    "exit_at_exit",
    "hidden_tests_overwritten",
)


@pytest.fixture
def honest(kit: Kit) -> list[dict[str, str]]:
    """Give eighty hand-ins: right ones, wrong ones, half ones and bare ones."""
    right = {f"{name}.py": text for name, text in given_sources(kit).items() if name in EXERCISES}
    kinds = [
        right,
        {**right, "softmax.py": COLUMNS},
        {"softmax.py": right["softmax.py"]},
        {**right, "attention_scores.py": "def attention_scores(Q, K):\n    return Q @ K.T\n"},
        {**right, "softmax.py": "def softmax(x, axis=-1):\n    return undefined\n"},
        {"softmax.py": "def softmax(x, axis=-1):\n    raise NotImplementedError()\n"},
        {**right, "softmax.py": "def softmax(x, axis=-1)\n"},
        {"readme.py": "x = 1\n"},
    ]
    return [kinds[number % len(kinds)] for number in range(80)]


def told(result: SubmissionResult) -> object:
    """Give all that a student is told, save for how long it took."""
    return (result.status, result.score, result.notice, result.printed, result.exercises)


@pytest.mark.parametrize("jobs", [1, 2])
def test_eighty_get_the_same_with_twenty_hostile_ones_among_them(
    kit: Kit, honest: list[dict[str, str]], tmp_path: Path, jobs: int
) -> None:
    with Sandbox() as box:
        if LEVELS.index(box.level) < LEVELS.index("L2"):
            pytest.skip(f"needs L2: on {box.level} a hand-in can do what its user can")
    peace, war = tmp_path / "peace", tmp_path / "war"
    for school in (peace, war):
        school.mkdir()
        for number, files in enumerate(honest):
            hand_in(school / f"student-{number:02}", files)
    right = given_sources(kit)["attention_scores"]
    for number, name in enumerate(HOSTILE):
        text = filled(READ[name].text, kit.root, war, tmp_path / "out-war", tmp_path, 9)
        files = {"softmax.py": text, "attention_scores.py": right}
        hand_in(war / f"student-{4 * number:02}-x", files)
    alone, among = (
        batch.grade(kit, plan(school, tmp_path / out, exercises=EXERCISES, html=False, jobs=jobs))
        for school, out in ((peace, "out"), (war, "out-war"))
    )
    assert (len(alone.submissions), len(among.submissions)) == (80, 100)
    found = {each.id: told(each) for each in among.submissions}
    for each in alone.submissions:
        assert found[each.id] == told(each), each.id
    assert len({each.score for each in alone.submissions}) >= 4

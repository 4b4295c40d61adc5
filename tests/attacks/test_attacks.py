"""Hostile and clumsy hand-ins, each between two that are right, graded as one class.

Each case under ``cases/`` stands as ``softmax.py`` beside a right ``attention_scores.py``. Its
header says what it tries and what must come of it. A case prints BROKE, while it is loaded, for
each thing that worked and must not; whatever it saw of hidden inputs it marks INPUT-SEEN, and
that must be in no file that was written. Where a machine lacks the protection that a case is
about, the case is skipped with that reason.

    pytest tests/attacks                                     as whoever runs it
    ATTN_TEST_WITHOUT=landlock pytest tests/attacks          as on a machine without Landlock
    setpriv --reuid 1234 --regid 1234 --clear-groups pytest tests/attacks      as an ordinary user
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile import (
    READ,
    SEEN,
    TOKEN,
    World,
    comes_to,
    fingerprint,
    graded_world,
    hand_in,
    level_reached,
)

from autograder import confine
from autograder.exercise import Kit
from autograder.sandbox import LEVELS, Sandbox

# One process grades the class once; without pytest-xdist the mark says nothing.
pytestmark = pytest.mark.xdist_group("attacks")


@pytest.fixture(scope="module")
def world(kit: Kit, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    yield graded_world(kit, tmp_path_factory.mktemp("attacks"))


@pytest.mark.parametrize("name", READ)
def test_a_case_comes_to_what_its_header_says(world: World, name: str) -> None:
    comes_to(world, name)


@pytest.mark.parametrize("name", ["scipy", "torch"])
def test_a_package_that_does_the_work_is_named(world: World, name: str) -> None:
    found = world.submission(f"{world.names.index(name):03}-try-{name}")
    assert found.notice is not None and name in found.notice


def test_there_are_enough_cases() -> None:
    assert len(READ) >= 60


def test_what_was_written_holds_no_hidden_input_and_no_secret(world: World) -> None:
    pages = [path for path in world.out.rglob("*") if path.is_file()]
    assert any(path.suffix == ".html" for path in pages)
    for path in pages:
        text = path.read_bytes()
        for mark in (*SEEN, "".join(TOKEN).encode(), b"BEGIN SOLUTION"):
            assert mark not in text, path.name


def test_nothing_written_can_steer_a_terminal_or_a_page(world: World) -> None:
    for path in world.out.rglob("*"):
        if path.suffix not in (".html", ".json"):
            continue
        text = path.read_text("utf-8")
        assert not set(text) & set("\x1b\x07\x08\x9b\u202e\u202c"), path.name
        if path.suffix == ".html":
            assert "<script>alert" not in text and "<h1>Score: 100" not in text
        else:
            assert "\\u001b" not in json.dumps(json.loads(text))


def test_nothing_of_others_has_changed(world: World) -> None:
    if level_reached(world) < LEVELS.index("L2"):
        pytest.skip("needs L2: without a file barrier a hand-in can write what its user can")
    after = fingerprint(
        world.kit / "solutions", world.kit / "autograder" / "graders", world.home, world.school
    )
    assert after == world.before


def test_nothing_is_left_on_the_machine(world: World) -> None:
    if level_reached(world) < LEVELS.index("L2"):
        pytest.skip("needs L2: without a file barrier a hand-in can write what its user can")
    left = [
        str(path)
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run")
        if Path(folder).is_dir()
        for name in ("attn-x", "attn-fill", "attn-note", "attn-inputs")
        for path in Path(folder).glob(name)
    ]
    assert left == []


@pytest.mark.skipif(not confine.LINUX, reason="needs Linux")
def test_no_process_and_no_file_is_left(world: World) -> None:
    assert world.left == []


def test_nothing_was_sent_out(world: World) -> None:
    if level_reached(world) < LEVELS.index("L2"):
        pytest.skip("needs L2: without a filter of system calls the network is open")
    assert world.heard == []


HARMLESS = (
    "lists_folders",
    "reference_on_disk",
    "tcp_udp_unix",
    "memfd_and_shm",
    "environment_of_ancestors",
    "fork_bomb",
    "metadata",
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("name", HARMLESS)
def test_a_case_does_break_out_where_nothing_holds_it(tmp_path: Path, name: str) -> None:
    """Else it would prove nothing where it does not."""
    kit, place = Path(__file__).parents[2], tmp_path / "a-right"
    hand_in(place, {"softmax.py": "", "attention_scores.py": ""})
    text = READ[name].text.replace("{ROOT}", str(kit)).replace("{CLASS}", str(tmp_path))
    text = text.replace("{OUT}", str(tmp_path)).replace("{PORT}", "9")
    with Sandbox(without=("landlock", "seccomp", "uid")) as sandbox:
        files = [("softmax.py", text.encode())]
        worker = sandbox.open(files, exercises=[("softmax", ("softmax",))])
        printed = worker.prepare("softmax").stdout
        worker.close()
    for left in ("/tmp/attn-x", "/dev/shm/attn-x"):
        Path(left).unlink(missing_ok=True)
    assert "BROKE" in printed

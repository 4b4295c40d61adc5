"""Hostile and clumsy hand-ins where each worker is a whole process, as on macOS and Windows.

A slice of the cases; all of them with ``ATTN_FORK=0 pytest tests/attacks/test_attacks.py``.
"""

from __future__ import annotations

import pytest
from hostile import World, comes_to, fingerprint, graded_world, level_reached

from autograder import confine
from autograder.exercise import Kit
from autograder.sandbox import LEVELS

pytestmark = pytest.mark.xdist_group("attacks-fresh")
SLICE = (
    "honest_breadth",
    "leaks_memory",
    "recursion",
    "fork_bomb",
    "kills_itself",
    "loop",
    "memory",
    "trouble_of_loading_is_an_array",
    "escapes",
    "given_looked_for",
    "own_descriptors",
    "reference_on_disk",
    "environment_of_ancestors",
    "tcp_udp_unix",
    "message_left",
    "message_taken",
    "exit_zero_at_import",
    "forged_frames_in_call",
    "passed_on_every_descriptor",
    "home",
    "torch",
)


@pytest.fixture(scope="module")
def world(kit: Kit, tmp_path_factory: pytest.TempPathFactory) -> World:
    return graded_world(kit, tmp_path_factory.mktemp("fresh"), SLICE, fork=False)


@pytest.mark.parametrize("name", SLICE)
def test_a_case_comes_to_what_its_header_says_in_a_process_of_its_own(
    world: World, name: str
) -> None:
    comes_to(world, name)


def test_nothing_of_others_has_changed_where_each_has_a_process_of_its_own(world: World) -> None:
    if level_reached(world) < LEVELS.index("L2"):
        pytest.skip("needs L2: without a file barrier a hand-in can write what its user can")
    after = fingerprint(
        world.kit / "solutions", world.kit / "autograder" / "graders", world.home, world.school
    )
    assert after == world.before


@pytest.mark.skipif(not confine.LINUX, reason="needs Linux")
def test_no_process_and_no_file_is_left_where_each_has_a_process_of_its_own(world: World) -> None:
    assert world.left == []

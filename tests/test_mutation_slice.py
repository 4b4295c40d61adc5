"""A slice of the mutation proof for every run; `make mutants` is the whole of it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from autograder.exercise import Kit

pytest.importorskip("cosmic_ray", reason="cosmic-ray, which makes the mutants, is not installed")


@pytest.fixture(scope="module")
def proof() -> ModuleType:
    path = Path(__file__).parent / "mutation" / "run.py"
    spec = importlib.util.spec_from_file_location("mutation_run", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutation_run"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("exercise", ["softmax", "masked_attention"])
def test_every_mutant_is_killed_or_listed_with_a_reason(proof, kit: Kit, exercise):
    known = proof.declared_equivalent()
    count, alive = proof.survivors(kit, exercise)
    assert count >= 25
    assert [mutant for mutant in alive if mutant.key not in known] == []
    assert all(known[mutant.key] for mutant in alive)


def test_a_grader_that_looks_away_lets_mutants_live(proof, kit: Kit, monkeypatch):
    def blind(folder, exercises):
        found = original(folder, exercises)
        return {name: checks[:1] for name, checks in found.items()}

    original = proof.load_checks
    monkeypatch.setattr(proof, "load_checks", blind)
    _, alive = proof.survivors(kit, "softmax")
    assert alive


def test_listed_mutants_name_lines_that_solutions_hold(proof, kit: Kit):
    for exercise, before, after in proof.declared_equivalent():
        assert before != after
        assert before in kit.exercise(exercise).source

"""The mutation proof: every small change of a solution is caught by its grader, or is equivalent.

cosmic-ray's operators make the mutants; each is graded as a submission, against the untouched
reference. A survivor must stand in ``equivalent.toml`` with the reason why no output shows it.

    python tests/mutation/run.py [EXERCISE …]
"""

from __future__ import annotations

import ast
import difflib
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from autograder.exercise import Kit, find_kit, given_sources, reference
from autograder.grade import load_checks, prove, seeded
from autograder.judge import Judge
from autograder.sandbox import Sandbox

EQUIVALENT = Path(__file__).with_name("equivalent.toml")
_NEEDS_NAMES = ("core/VariableReplacer", "core/VariableInserter")  # random changes, not mutations


@dataclass(frozen=True)
class Mutant:
    """One change: the line before and after, and the whole mutated source."""

    exercise: str
    operator: str
    before: str
    after: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it in ``equivalent.toml``."""
        return self.exercise, self.before, self.after


def mutants(exercise: str, source: str, names: Sequence[str]) -> Iterator[Mutant]:
    """Make every mutant of one solution's graded functions, each once.

    What stands outside them (the lesson's demonstrations) is no part of an answer.
    """
    seen = {source}
    graded = _lines_of(source, names)
    for name in sorted(operator_names()):
        if name in _NEEDS_NAMES:
            continue
        operator, occurrence = get_operator(name)(), 0
        while (mutated := mutate_code(source, operator, occurrence)) is not None:
            occurrence += 1
            if mutated in seen:
                continue
            seen.add(mutated)
            if _first_change(source, mutated) not in graded:
                continue
            before, after = _changed_lines(source, mutated)
            yield Mutant(exercise, name.removeprefix("core/"), before, after, mutated)


def _lines_of(source: str, names: Sequence[str]) -> set[int]:
    """Give the numbers of the lines on which the graded functions stand."""
    return {
        line
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def _first_change(source: str, mutated: str) -> int:
    """Give the number of the first line that differs."""
    pairs = zip(source.splitlines(), mutated.splitlines(), strict=False)
    return next((at for at, (old, new) in enumerate(pairs, 1) if old != new), 0)


def _changed_lines(source: str, mutated: str) -> tuple[str, str]:
    lines = list(difflib.unified_diff(source.splitlines(), mutated.splitlines(), n=0, lineterm=""))
    before = " / ".join(line[1:].strip() for line in lines[3:] if line.startswith("-"))
    after = " / ".join(line[1:].strip() for line in lines[3:] if line.startswith("+"))
    return before, after


def declared_equivalent() -> dict[tuple[str, str, str], str]:
    """Read the committed list: mutant to the reason why it is equivalent."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {
        (exercise, entry["before"], entry["after"]): entry["why"]
        for exercise, entries in table.items()
        for entry in entries
    }


def survivors(kit: Kit, exercise: str) -> tuple[int, list[Mutant]]:
    """Grade every mutant of `exercise`; give how many there were and those with full marks."""
    sources = given_sources(kit)
    names = [(each.id, each.names) for each in kit.exercises]
    checks = load_checks(kit.graders, kit.ids)
    graders = prove({exercise: checks[exercise]}, reference(kit))
    count, alive = 0, []
    with Sandbox() as sandbox:
        for mutant in mutants(exercise, sources[exercise], kit.exercise(exercise).names):
            count += 1
            files = [
                (f"{name}.py", (mutant.source if name == exercise else source).encode())
                for name, source in sources.items()
            ]
            rng_for = seeded(b"mutation", f"{exercise}-{count}")
            with Judge(sandbox, graders, names, files, rng_for) as judge:
                if all(judged.passed for judged in judge.judge()):
                    alive.append(mutant)
    return count, alive


def main() -> int:
    """Run the proof and print one line an exercise; 1 where a survivor is not explained."""
    kit = find_kit()
    wanted = sys.argv[1:] or list(kit.ids)
    known, used, total, open_cases = declared_equivalent(), set(), 0, 0
    for exercise in wanted:
        count, alive = survivors(kit, exercise)
        total += count
        unexplained = [mutant for mutant in alive if mutant.key not in known]
        used |= {mutant.key for mutant in alive}
        open_cases += len(unexplained)
        print(
            f"{exercise}: {count} mutants, {count - len(alive)} killed, "
            f"{len(alive) - len(unexplained)} equivalent, {len(unexplained)} survive"
        )
        for mutant in unexplained:
            print(f"    [{mutant.operator}] {mutant.before}  ->  {mutant.after}")
    stale = [key for key in known if key[0] in wanted and key not in used]
    for exercise, before, after in stale:
        print(f"listed as equivalent, but killed or gone: {exercise}: {before}  ->  {after}")
    print(f"{total} mutants, {open_cases} unexplained")
    return 1 if open_cases or stale else 0


if __name__ == "__main__":
    sys.exit(main())

"""Which of a submission's files counts for a name, and how far a notebook is run for it.

By syntax alone, before anything runs. This runs inside the worker: standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.syntax import RANK, File, grades


def of(name: str, exercise: str, files: Sequence[File]) -> tuple[File, str, list[File]] | None:
    """Choose the file for a name.

    Returns
    -------
    (File, str, list of File) or None
        The file, what it binds the name to, and the other files in which it is attempted.
    """
    candidates = []
    for order, file in enumerate(files):
        named = file.module == exercise
        found = [unit.defines[name] for unit in file.units if name in unit.defines]
        if not named:
            found = [kind for kind in found if kind not in ("bound", "module")]
        if not found and named and file.error is not None:
            found = ["broken"]
        if found:
            best = min(found, key=RANK.__getitem__)
            candidates.append((RANK[best] + (best == "attempted" and not named), order, best))
    if not candidates:
        return None
    candidates.sort()
    _, order, best = candidates[0]
    return files[order], best, [files[o] for _, o, kind in candidates[1:] if kind == "attempted"]


def last_cell(file: File, name: str, owner: Mapping[str, str]) -> int:
    """Give how many of a notebook's cells are run for a name, of those that `owner` knows."""
    kinds = [unit.defines.get(name, "") for unit in file.units]
    best = min(filter(None, kinds), key=RANK.__getitem__)
    last = 1 + max(n for n, kind in enumerate(kinds) if kind == best)
    below = range(last, len(file.units))
    graded = [n for n in below if grades(file.units[n], owner[name])]
    if graded:
        # As in a kernel: what stands below the grade cell has not run yet.
        return graded[0] + 1
    # Else helper cells below it, up to the next cell that defines something graded.
    while last < len(file.units) and not owner.keys() & file.units[last].defines:
        last += 1
    return last


__all__ = ["last_cell", "of"]

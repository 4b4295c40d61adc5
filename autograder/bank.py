"""The known mistakes of an exercise: its chains, read from files or from texts.

A `Bank` gathers what the chains of one exercise declare. Mistakes are modules that import each
other and are loaded as a package of their own, so that two kits never meet. How a wrong body is
written stands in `chain`; what a diagnosis does with a bank is not known here.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.chain import Chain, Variant


@dataclass(frozen=True)
class Bank:
    """All known mistakes of one exercise: one chain for each function that it asks for."""

    exercise: str
    chains: Mapping[str, Chain]

    def variants(self, *, doubles: bool = True) -> list[tuple[Chain, Variant]]:
        """Give every single, then every double, with the chain that it belongs to."""
        chains = self.chains.values()
        found = [(chain, variant) for chain in chains for variant in chain.singles]
        if doubles:
            found += [(chain, variant) for chain in chains for variant in chain.doubles]
        return found

    def namespace(
        self, chain: Chain, variant: Variant, right: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Give a submission's names where one function is wrong and all others are `right`."""
        return {**right, chain.name: chain.public(variant)}

    @cached_property
    def codes(self) -> frozenset[str]:
        """Every code of the exercise."""
        return frozenset[str]().union(*(chain.codes for chain in self.chains.values()))

    @cached_property
    def equal(self) -> tuple[tuple[frozenset[str], str], ...]:
        """Groups of codes that no output tells apart, each with its common sentence's code."""
        return tuple(dict.fromkeys(g for chain in self.chains.values() for g in chain.equal))

    def in_order(self, codes: Iterable[str]) -> tuple[str, ...]:
        """Sort codes by the last stage they touch: none is told before one that belies it."""
        return tuple(sorted(codes, key=lambda code: (self._places.get(code, (0, 0)), code)))

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        places: dict[str, tuple[int, int]] = {}
        for number, chain in enumerate(self.chains.values()):
            stages = list(chain.stages)
            for mistake in chain.mistakes:
                at = (number, max(map(stages.index, mistake.places), default=0))
                places[mistake.code] = min(places.get(mistake.code, at), at)
        return places

    def common(self, codes: Iterable[str]) -> str | None:
        """Give the sentence that all of these codes have in common, where one is declared."""
        wanted = set(codes)
        return next((common for group, common in self.equal if wanted <= group), None)


PACKAGE = "attn_mistakes"


class _FromText(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Serves the modules of one package of mistakes from memory."""

    def __init__(self, package: str, texts: Mapping[str, str]) -> None:
        self._texts = {f"{package}.{name}": text for name, text in texts.items()}

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        found = fullname in self._texts
        return importlib.machinery.ModuleSpec(fullname, self) if found else None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        exec(compile(self._texts[name], f"<{name}>", "exec"), vars(module))


def bank_from_text(texts: Mapping[str, str], exercise: str) -> Bank:
    """Read a bank as `load_bank` does, from texts by exercise and without a disk."""
    if exercise not in texts:
        return Bank(exercise, {})
    package = f"{PACKAGE}_{hash(tuple(sorted(texts.items()))) & 0xFFFF_FFFF_FFFF:x}"
    if package not in sys.modules:
        module = types.ModuleType(package)
        module.__path__ = []
        sys.modules[package] = module
        sys.meta_path.append(_FromText(package, texts))
    return _bank(package, exercise)


def load_bank(folder: Path, exercise: str) -> Bank:
    """Read ``folder/<exercise>.py``; an exercise without a file has an empty bank.

    Mistakes may import each other relatively: ``from .attention_scores import scores``.
    """
    path = folder / f"{exercise}.py"
    if not path.is_file():
        return Bank(exercise, {})
    state = [(each.name, each.stat().st_mtime_ns) for each in sorted(folder.glob("*.py"))]
    package = f"{PACKAGE}_{hash((folder.resolve(), *state)) & 0xFFFF_FFFF_FFFF:x}"
    if package not in sys.modules:
        module = types.ModuleType(package)
        module.__path__ = [str(folder)]
        sys.modules[package] = module
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        return _bank(package, exercise)
    finally:
        sys.dont_write_bytecode = writes


def _bank(package: str, exercise: str) -> Bank:
    loaded = importlib.import_module(f"{package}.{exercise}")
    own = [each for each in vars(loaded).values() if isinstance(each, Chain)]
    return Bank(exercise, {chain.name: chain for chain in own})

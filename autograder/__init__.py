"""The engine of the attention exercise kit: it builds, runs, grades and explains.

In a notebook: ``from autograder import grade, check, hint, picture, prompt, quiz``.
"""

import sys  # and nothing else: `python -m autograder` has yet to drop the working directory

__version__ = "0.1.0"

DOORS = ("grade", "check", "hint", "picture", "prompt", "quiz")


class _Package(type(sys)):  # type: ignore[misc]
    """A package whose doors stay functions, although modules are called grade and check too.

    Importing the module ``autograder.check`` would put the module where the notebook's ``check``
    was; a property cannot be covered like that. The doors are loaded at their first use.
    """

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *DOORS})


def _door(name: str) -> property:
    def get(package: object) -> object:
        from autograder import doors

        return getattr(doors, name)

    def keep(package: object, module: object) -> None:
        """Leave the door as it is when a module of its name is imported."""

    return property(get, keep)


for _name in DOORS:
    setattr(_Package, _name, _door(_name))

sys.modules[__name__].__class__ = _Package

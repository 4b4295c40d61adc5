"""What a course's nbgrader_config.py asks for: isolated execution and a batch that never stops."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from autograder.course.running import with_interpreter


def configure(c: Any, config_file: str) -> None:
    """Set nbgrader to run students' code isolated and the kit's graders apart from it.

    Parameters
    ----------
    c : traitlets.config.Config
        The configuration, as nbgrader_config.py has it.
    config_file : str
        That file's own path: the course is where it lies.
    """
    from nbgrader import converters
    from nbgrader.apps import api, autogradeapp

    from autograder.course.convert import Autograde
    from autograder.course.gradebook import prepare

    os.environ["PATH"] = with_interpreter(os.environ.get("PATH", ""))
    prepare()
    c.CourseDirectory.root = str(Path(config_file).resolve().parent)
    # nbgrader names its converter in its code and asks no configuration, so it is named anew.
    converters.Autograde = autogradeapp.Autograde = api.Autograde = Autograde

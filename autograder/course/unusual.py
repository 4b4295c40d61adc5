"""Which of an existing course's own settings the kit's commands could not follow.

The kit reads and writes nbgrader's folders and its gradebook by the names that nbgrader gives
them. A course that has renamed them is told so before anything is added to it.
"""

from __future__ import annotations

from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

FOLDERS = ("source", "release", "submitted", "autograded", "feedback")


def renamed(root: str) -> list[str]:
    """Name the settings of a course's nbgrader_config.py that differ from nbgrader's own."""
    try:
        config = PyFileConfigLoader("nbgrader_config.py", path=root).load_config()
    except ConfigFileNotFound:
        return []
    course = CourseDirectory(config=config)
    plain = CourseDirectory(config=Config({"CourseDirectory": {"root": root}}))
    names = ["directory_structure", *(f"{each}_directory" for each in FOLDERS)]
    found = [name for name in names if getattr(course, name) != getattr(plain, name)]
    told = config.get("CourseDirectory", {})
    if "root" in told and Path(str(told["root"])).resolve() != Path(root).resolve():
        found.append("root")
    if "db_url" in told and course.db_url != plain.db_url:
        found.append("db_url")
    return [f"c.CourseDirectory.{name}" for name in found]

"""`attn watch`: after every save, the verdict on what was saved; between saves, on the rest.

One sandbox stays warm for the whole sitting, so that a check costs a fork. Nothing that a student
saves may end the watch: a file may be gone, half written, or run for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder import exhibit, handout, messages, progress, startover
from autograder.board import Scene, beside, lines, listing, progress_bar
from autograder.desk import Desk, DeskNotFound, check, open_desk
from autograder.messages import ui
from autograder.picture import Look, compare, sheet_lines
from autograder.sandbox import Sandbox, SandboxFault
from autograder.verdict import Verdict
from autograder.watching import SAVED, STOP, Events

Files = Sequence[tuple[str, bytes]]
Show = Callable[[list[str]], None]


@dataclass
class Watch:
    """One sitting at the desk.

    Attributes
    ----------
    desk : Desk
    look : Look
    keyboard : bool
        Whether there are keys to press.
    show : callable
        Gets a screen's lines.
    """

    desk: Desk
    look: Look
    keyboard: bool
    show: Show
    sandbox: Sandbox
    _texts: dict[str, str] = field(default_factory=dict)
    _whole: int = 0
    _found: dict[str, Verdict] = field(default_factory=dict)
    _stale: list[str] = field(default_factory=list)
    _now: str = ""
    _asked: str = ""  # the exercise that a reset waits to be agreed for

    def run(self, events: Events) -> None:
        """Look, show, and look again, until `q`, or the end of the keyboard or of the folder."""
        self.start()
        while True:
            event = events.next(0.0 if self._stale and not events.waiting else 1.0)
            if event in ("q", STOP):
                return None
            if event in (SAVED, None) and not self.desk.folder.is_dir():
                gone = ui("watch.gone", self.look.lang, folder=str(self.desk.folder))
                return self.show([f" {gone}"])
            if event == SAVED:
                self.saved()
            elif event is not None:
                self.pressed(event)
            elif self._stale:
                self.catch_up()

    def start(self) -> None:
        """Check everything once, and show the first exercise that does not pass."""
        files = self._files()
        self._texts, self._whole = progress.texts(self.desk, files), hash(tuple(files))
        for found in self._check(tuple(self.desk.checks), files):
            self._found[found.exercise] = found
        open_ones = [name for name, each in self._found.items() if not each.passed]
        self._now = (open_ones or list(self.desk.checks))[0]
        progress.note(self.desk, self._found.values(), files)
        self._show()
        self.sandbox.ahead()

    def saved(self) -> None:
        """Check what was saved, show it, and leave the others for when nothing happens."""
        files = self._files()
        texts, whole = progress.texts(self.desk, files), hash(tuple(files))
        if whole == self._whole:
            return
        changed = [name for name in self.desk.checks if texts[name] != self._texts.get(name)]
        self._texts, self._whole = texts, whole
        if changed and self._now not in changed:  # else it was a file of her own, or a demo cell
            self._now = changed[0]
        for found in self._check([self._now], files):
            self._found[found.exercise] = found
            self._asked = ""
            self._show()
            progress.note(self.desk, [found], files)
        self._stale = [name for name in self.desk.checks if name != self._now]

    def catch_up(self) -> None:
        """Check one of the others, whose verdict an earlier function may have changed."""
        name, before = self._stale.pop(0), self._done
        files = self._files()
        for found in self._check([name], files):
            self._found[name] = found
            if not self._stale:
                progress.note(self.desk, self._found.values(), files)
        if self._done != before:
            if self.keyboard:
                self._show()
            else:
                self.show([f" {progress_bar(self._done, len(self._found), self.look.lang)}"])
        if not self._stale:  # the next save finds a process that waits for it
            self.sandbox.ahead()

    def pressed(self, key: str) -> None:
        """Answer a key."""
        if self._asked:
            exercise, self._asked = self._asked, ""
            return self._reset(exercise) if key == "y" else self._show()
        if key == "h":
            self._show(self._hint())
        elif key == "p":
            self._show(self._picture())
        elif key == "l":
            self._show(listing(self.desk, list(self._found.values()), self.look))
        elif key == "x":
            self._asked = self._now
            self._show([f" {ui('watch.sure', self.look.lang, exercise=self._now)}"])
        elif key in ("\n", "\r", " "):
            self._show()
        return None

    @property
    def _done(self) -> int:
        return sum(each.state == "correct" for each in self._found.values())

    def _show(self, below: Sequence[str] = ()) -> None:
        states = [(name, self._found[name].state) for name in self.desk.checks]
        hints = progress.load(self.desk.folder).of(self._now).hints
        scene = Scene(self.desk, self._found[self._now], states, hints)
        shown = lines(scene, self.look, self.keyboard)
        self.show([*shown, *(["", *below] if below else [])])
        if not below and (drawn := self._own_drawing()):  # after the verdict, which is awaited
            self.show([*(shown if self.keyboard else []), "", *drawn])

    def _hint(self) -> list[str]:
        found, lang = self._found[self._now], self.look.lang
        code = found.told.codes[0] if found.told.codes else None
        level = progress.next_level(progress.load(self.desk.folder).of(self._now), code)
        said = messages.hint(self._now, level, lang, code)
        if not said:
            return [f" {ui('desk.no_hint_yet', lang, exercise=self._now)}"]
        progress.note_hint(self.desk.folder, self._now, level, code)
        lines_of_it = (f"   {line}" for line in said.split("\n"))
        return [f" {ui('watch.hint', lang, level=level)}", *lines_of_it]

    def _picture(self) -> list[str]:
        try:
            sheet = exhibit.picture(
                self.desk,
                self._now,
                self.sandbox,
                self.look.lang,
                self._files() or None,
                ascii=self.look.ascii,
            )
        except (DeskNotFound, SandboxFault) as error:
            return [f" {error}"]
        return [f" {line}".rstrip() for line in sheet_lines(sheet, self.look)]

    def _own_drawing(self) -> list[str]:
        """Let the student's own heatmap, once it passes, draw what her function gave."""
        heatmap = self._found.get(exhibit.HEATMAP)
        tables = beside(self.desk, self._found[self._now])
        after = exhibit.draws_after(self.desk, self._now)
        if tables is None or heatmap is None or not (heatmap.passed and after):
            return []
        sheet = compare(*tables, None, self.look.lang)
        try:
            drawn = exhibit.drawn_by_her(self.desk, sheet, self.sandbox, self._files(), self.look)
        except SandboxFault:  # the next check starts a new sandbox
            return []
        return [f" {line}".rstrip() for line in drawn]

    def _reset(self, exercise: str) -> None:
        lang, out = self.look.lang, handout.read(self.desk.folder)
        if not out.originals:
            return self._show([f" {ui('folder.no_originals', lang, file=handout.NAME)}"])
        names = [each for each in self.desk.names if each[0] == exercise]
        done = startover.reset(self.desk.folder, names, out)
        told = [
            ui("folder.reset", lang, file=each.name, backup=_below(self.desk.folder, each.backup))
            for each in done
        ]
        self.saved()
        return self._show([f" {each}" for each in told or [ui("folder.as_new", lang)]])

    def _files(self) -> list[tuple[str, bytes]]:
        """Read the files; none where they cannot be read just now."""
        try:
            return list(self.desk.files())
        except (DeskNotFound, OSError) as error:
            self.show([f" {ui('watch.no_file', self.look.lang, reason=str(error))}"])
            return []

    def _check(self, exercises: Sequence[str], files: Files) -> list[Verdict]:
        """Check, with a new sandbox where the old one has ended."""
        try:
            return check(self.desk, exercises, self.sandbox, files)
        except SandboxFault:
            self.sandbox.close()
            self.sandbox = Sandbox()
            return check(self.desk, exercises, self.sandbox, files)


def _below(folder: Path, path: Path | None) -> str:
    return path.relative_to(folder).as_posix() if path is not None else ""


def opened(folder: Path, look: Look, keyboard: bool, show: Show, sandbox: Sandbox) -> Watch:
    """Open a folder for watching."""
    narrow = replace(look, columns=min(look.columns, 100))
    return Watch(open_desk(folder), narrow, keyboard, show, sandbox)

"""One question of the quiz at a student's desk: its words, her answer, and the code that shows.

Lines and parts out; whether they are printed or shown in a cell is told elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder import quizbook
from autograder.desk import Desk
from autograder.exhibit import Files, answered, drawn_by, ready
from autograder.messages import Lang, entry, ui
from autograder.picture.parts import Part, Sheet, Words
from autograder.quiz_demos import DEMOS
from autograder.quizbook import Answer, Item, Quiz, Record
from autograder.sandbox import Sandbox
from autograder.scenes import Found


@dataclass
class Round:
    """A student's way through the quiz of her folder.

    Attributes
    ----------
    desk : Desk
    quiz : Quiz
    record : Record
        Changed by each answer.
    lang : {"en", "zh"}
    """

    desk: Desk
    quiz: Quiz
    record: Record
    lang: Lang

    def next(self) -> int:
        """Give the number of the first question that is not answered, from 1; 1 after the last."""
        waiting = (
            number
            for number, item in enumerate(self.quiz.items, 1)
            if item.id not in self.record.answers
        )
        return next(waiting, 1)

    def question(self, number: int) -> list[str]:
        """Give a question's lines: head, question, options in this student's order."""
        item = self.quiz.items[number - 1]
        words = entry(f"quiz.{item.id}", self.lang)
        count = len(self.quiz.items)
        head = ui("quiz.head", self.lang, number=number, count=count, exercise=item.exercise)
        shown = quizbook.order(item, self.record.student) if item.decimals is None else []
        options = [
            f"  {letter}) {words[key]}"
            for letter, key in zip(quizbook.LETTERS, shown, strict=False)
        ]
        return [head, "", words["question"], *options]

    def ask(self, number: int) -> str:
        """Give what asks for the answer."""
        decimals = self.quiz.items[number - 1].decimals
        if decimals is None:
            return ui("quiz.ask", self.lang)
        if decimals == 0:
            return ui("quiz.ask_whole", self.lang)
        return ui("quiz.ask_number", self.lang, decimals=decimals)

    def again(self, number: int) -> str:
        """Say which answers there are."""
        if self.quiz.items[number - 1].decimals is None:
            return ui("quiz.again", self.lang, letters=", ".join(quizbook.LETTERS))
        return ui("quiz.again_number", self.lang)

    def how(self, number: int) -> str:
        """Say how a cell answers."""
        if self.quiz.items[number - 1].decimals is None:
            return ui("quiz.how", self.lang, number=number, letters=", ".join(quizbook.LETTERS))
        return ui("quiz.how_number", self.lang, number=number)

    def answer(self, number: int, typed: str) -> Answer | None:
        """Judge what was typed and keep it; None where it is no answer."""
        item = self.quiz.items[number - 1]
        read = quizbook.read_answer(item, typed)
        if read is None:
            return None
        if item.decimals is None:  # a letter on the screen to the option behind it
            read = quizbook.order(item, self.record.student)[quizbook.LETTERS.index(read)]
        right, code = self.quiz.judge(item, read)
        given = Answer(read, right, code)
        self.record = quizbook.keep(self.desk.folder, self.record, item, given)
        return given

    def shown(
        self, number: int, given: Answer, sandbox: Sandbox, files: Files | None = None
    ) -> Sheet:
        """Run the code, and give what it shows, with the explanation."""
        item = self.quiz.items[number - 1]
        demo = DEMOS[item.id]
        found, source = self._run(item, sandbox, files)
        verdict = ui("quiz.as_predicted" if given.right else "quiz.otherwise", self.lang)
        runs = ui("quiz.runs", self.lang)
        runs += "" if runs.endswith("：") else " "
        parts: list[Part] = [
            Words(f"{runs}{demo.code}"),
            *demo.show(found, self.lang),
            Words(entry(f"quiz.{item.id}", self.lang)["why"]),
        ]
        return Sheet(verdict, tuple(parts), source, self.lang)

    def _run(self, item: Item, sandbox: Sandbox, files: Files | None) -> tuple[Found, str]:
        frozen = quizbook.numbers_of(item, self.lang)
        scene = DEMOS[item.id].scene
        if not scene.needs:
            return frozen, ""
        with ready(self.desk, set(scene.needs), sandbox, files) as (student, passed):
            own = answered(scene, student, self.lang, Found(), frozen, passed)
        yours, theirs = (scene.needs, ()) if own else ((), _lacking(scene.needs, passed))
        return own or frozen, drawn_by(yours, theirs, self.lang)

    def summary(self, number: int, typed: Callable[[int], str] | None = None) -> list[str]:
        """Say how far she is, and what she types for the next one."""
        command = typed or (lambda each: f"attn quiz {each}")
        count, given = len(self.quiz.items), self.record.answers.values()
        right = sum(each.right for each in given)
        done = ui("quiz.done", self.lang, done=len(given), count=count, right=right)
        if number < count:
            return [done, ui("quiz.next", self.lang, command=command(number + 1))]
        first, last = command(1), command(count)
        return [done, ui("quiz.over", self.lang, first=first, last=last)]


def _lacking(needs: Sequence[str], passed: set[str]) -> Sequence[str]:
    return [need for need in needs if need not in passed] or needs


def needs(round: Round, number: int) -> Sequence[str]:
    """Give the exercises whose functions a question's code runs."""
    return DEMOS[round.quiz.items[number - 1].id].scene.needs


def open_round(desk: Desk, lang: Lang) -> Round:
    """Begin, or go on, with the quiz of a student's folder."""
    return Round(desk, quizbook.load(desk.folder), quizbook.read_record(desk.folder), lang)

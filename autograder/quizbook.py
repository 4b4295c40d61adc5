"""The quiz: its items, right answers as salted hashes, and the answers kept in a folder.

An item's words stand in the locale files, its right answer in the instructor's quiz.toml, which
no release holds. What a student answered is one plain file in her folder. The hashes keep answers
out of sight, no more: the quiz gives no points.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import stat
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.messages import entry
from autograder.playback import decode, encode
from autograder.quiz_demos import DEMOS
from autograder.quizslip import LARGEST, RECORD
from autograder.scenes import LANGS, Found, cut
from autograder.student import LocalStudent

SOURCE = "quiz.toml"  # beside the graders
DATA = "quiz.json"  # in a release
SCHEMA = 1
LETTERS = "abcd"
LONGEST = 40  # characters of an answer that are kept
_DEADLY = (RecursionError, OverflowError)  # nested too deeply; tried infinitely often


@dataclass(frozen=True)
class Item:
    """One question, as a student's folder holds it.

    Attributes
    ----------
    id, exercise : str
    decimals : int or None
        Of the number that is asked for; None where one of four options is.
    right : str
        The salted hash of the right answer.
    codes : dict
        Salted hash of another answer to the finding that it points at.
    numbers : dict
        What the demonstration shows, frozen.
    """

    id: str
    exercise: str
    decimals: int | None
    right: str
    codes: Mapping[str, str]
    numbers: Mapping[str, Any]


@dataclass(frozen=True)
class Quiz:
    """The items of a release, and the salt of their hashes."""

    salt: str
    items: tuple[Item, ...]

    def judge(self, item: Item, answer: str) -> tuple[bool, str | None]:
        """Say whether an answer is right, and else which finding it points at, if any."""
        mark = hashed(self.salt, item.id, answer)
        return mark == item.right, item.codes.get(mark)


@dataclass(frozen=True)
class Answer:
    """What a student answered to one question: first, and how often."""

    answer: str
    right: bool
    code: str | None = None
    tries: int = 1


def hashed(salt: str, item: str, answer: str) -> str:
    """Give the salted hash of an answer."""
    return hashlib.sha256(f"{salt}\0{item}\0{answer}".encode()).hexdigest()[:16]


def read_answer(item: Item, typed: str) -> str | None:
    """Give an answer in its one form, ``b`` or ``0.33``; None where it is none."""
    text = typed.strip().lower().rstrip(".)")
    if item.decimals is None:
        return text if len(text) == 1 and text in LETTERS else None
    top, _, bottom = text.replace(",", ".").partition("/")
    try:
        number = float(top) / float(bottom or 1)
    except (ValueError, ZeroDivisionError):
        return None
    return f"{number + 0.0:.{item.decimals}f}" if abs(number) < 1e9 else None


def order(item: Item, student: str) -> list[str]:
    """Give the options in this student's order, so that no letter is the right one for all."""
    return sorted(LETTERS, key=lambda letter: hashed(student, item.id, letter))


# What a release holds


def source(graders: Path) -> dict[str, dict[str, Any]]:
    """Read the instructor's items; none where the kit has no quiz."""
    path = graders / SOURCE
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def release_data(
    graders: Path,
    exercises: Sequence[str],
    namespace: Mapping[str, Any],
    salt: str | None = None,
) -> str:
    """Give the text of a release's quiz.json: salted hashes and frozen numbers.

    Parameters
    ----------
    graders : Path
        The folder that holds quiz.toml.
    exercises : sequence of str
        Those of the release; items of others are left out.
    namespace : mapping
        The reference, for the numbers.
    salt : str, optional
        Else one that is made from the items, so that equal sources give equal releases.

    Returns
    -------
    str
        "" where there is no item.
    """
    found = source(graders)
    if salt is None:
        salt = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16]
    items = [
        {
            "id": name,
            "exercise": item["exercise"],
            "decimals": item.get("decimals"),
            "right": hashed(salt, name, item["right"]),
            "codes": {hashed(salt, name, key): code for key, code in item["codes"].items()},
            "numbers": _numbers(name, namespace),
        }
        for name, item in found.items()
        if {item["exercise"], *DEMOS[name].scene.needs} <= set(exercises)
    ]
    if not items:
        return ""
    head = {"schema": SCHEMA, "salt": salt}
    lines = ",\n  ".join(json.dumps(each, sort_keys=True, ensure_ascii=False) for each in items)
    return f'{json.dumps(head)[:-1]},\n "items": [\n  {lines}\n ]}}\n'


def _numbers(name: str, namespace: Mapping[str, Any]) -> dict[str, Any]:
    frozen: dict[str, Any] = {}
    for lang in LANGS:
        answers = DEMOS[name].scene.ask(LocalStudent(namespace), lang, Found())
        numbers = encode({key: cut(value) for key, value in answers.items()})
        if lang == "en" or numbers != frozen["en"]:
            frozen[lang] = numbers
    return frozen


def load(folder: Path) -> Quiz:
    """Read a folder's quiz; one without items where there is none, or it is damaged."""
    try:
        tree = json.loads((folder / DATA).read_text("utf-8"))
        items = tuple(Item(**each) for each in tree["items"])
        whole = all(each.id in DEMOS and entry(f"quiz.{each.id}") for each in items)
        return Quiz(str(tree["salt"]), items if whole else ())
    except (OSError, ValueError, KeyError, TypeError):
        return Quiz("", ())


def numbers_of(item: Item, lang: str) -> Found:
    """Give the frozen numbers of an item's demonstration."""
    found: Found = decode(item.numbers.get(lang, item.numbers["en"]))
    return found


# What a student answered


@dataclass(frozen=True)
class Record:
    """A student's answers, and what her order of options is made from."""

    student: str
    answers: Mapping[str, Answer]


def read_record(folder: Path) -> Record:
    """Read the answers kept in a folder; a fresh record where there are none."""
    try:
        path = folder / RECORD
        if not stat.S_ISREG(path.lstat().st_mode):  # a pipe would keep the class waiting
            raise OSError
        with path.open("rb") as file:
            tree = json.loads(file.read(LARGEST))
        found = {str(name): _answer(each) for name, each in tree["answers"].items()}
        return Record(str(tree["student"])[:LONGEST], found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, *_DEADLY):
        return Record(secrets.token_hex(4), {})


def _answer(tree: Mapping[str, Any]) -> Answer:
    code = tree["code"]
    return Answer(
        str(tree["answer"])[:LONGEST],
        tree["right"] is True,
        None if code is None else str(code)[:LONGEST],
        int(tree["tries"]),
    )


def keep(folder: Path, record: Record, item: Item, answer: Answer) -> Record:
    """Keep an answer: the first one counts, of later ones only that they were given."""
    first = record.answers.get(item.id)
    kept = answer if first is None else Answer(**{**asdict(first), "tries": first.tries + 1})
    record = Record(record.student, {**record.answers, item.id: kept})
    tree = {
        "schema": SCHEMA,
        "student": record.student,
        "answers": {name: asdict(each) for name, each in record.answers.items()},
    }
    with suppress(OSError):  # a folder that cannot be written to keeps no answers
        text = json.dumps(tree, indent=1, ensure_ascii=False) + "\n"
        (folder / RECORD).write_text(text, encoding="utf-8", newline="\n")
    return record


def answers(folder: Path) -> dict[str, dict[str, Any]]:
    """Give what a hand-in should carry of the quiz: the first answers of this folder, as JSON.

    Returns
    -------
    dict
        Question to ``{"answer", "right", "code", "tries"}``; empty where none was answered.
    """
    return {name: asdict(each) for name, each in read_record(folder).answers.items()}


def first_answers(folder: Path) -> dict[str, str]:
    """Give the first answers of a folder alone, for the slip of a hand-in."""
    return {name: each.answer for name, each in read_record(folder).answers.items()}


# What an instructor counts


def judged(items: Mapping[str, Mapping[str, Any]], given: Mapping[str, str]) -> dict[str, str]:
    """Judge a hand-in's first answers anew: a student's own verdict is not believed.

    Parameters
    ----------
    items : mapping
        The instructor's, from `source`.
    given : mapping of str to str
        Question to answer; a question that is not known is passed over.

    Returns
    -------
    dict
        Question to ``right``, the finding that the answer points at, or ``other``.
    """
    return {
        name: "right" if given[name] == item["right"] else item["codes"].get(given[name], "other")
        for name, item in items.items()
        if name in given
    }


@dataclass(frozen=True)
class Counted:
    """One question in a class.

    Attributes
    ----------
    item, exercise : str
    answered, right : int
        At the first try.
    codes : tuple of (str, int)
        Findings that other answers point at, the most frequent first.
    """

    item: str
    exercise: str
    answered: int
    right: int
    codes: tuple[tuple[str, int], ...]


def count(graders: Path, handed_in: Iterable[Mapping[str, Any]]) -> list[Counted]:
    """Count a class's first answers, judged anew: a student's own verdict is not believed.

    Parameters
    ----------
    handed_in : iterable of mapping
        What `answers` gave for each hand-in; anything odd in it counts as not answered.
    """
    everybody = [each for each in handed_in if isinstance(each, Mapping)]
    counted = []
    for name, item in source(graders).items():
        given = [
            str(each[name]["answer"])
            for each in everybody
            if isinstance(each.get(name), Mapping) and "answer" in each[name]
        ]
        codes = Counter(item["codes"][each] for each in given if each in item["codes"])
        ranked = sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))
        right = given.count(item["right"])
        counted.append(Counted(name, item["exercise"], len(given), right, tuple(ranked)))
    return counted


def tally(came: Iterable[Mapping[str, Any]]) -> list[Counted]:
    """Count what `judged` gave for each hand-in of a class, as results keep it; in quiz order."""
    places = {name: place for place, name in enumerate(DEMOS)}
    given: dict[str, Counter[str]] = {}
    for each in came:
        for name, verdict in each.items():
            given.setdefault(name, Counter())[str(verdict)] += 1
    return [
        Counted(name, "", counts.total(), counts["right"], tuple(_ranked(counts)))
        for name, counts in sorted(given.items(), key=lambda each: places.get(each[0], len(places)))
    ]


def _ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    codes = ((code, many) for code, many in counts.items() if code not in ("right", "other"))
    return sorted(codes, key=lambda pair: (-pair[1], pair[0]))

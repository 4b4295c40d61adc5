"""`attn release`: what the students' zip holds, and what stops it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograder import release as releasing
from autograder import wheel as wheels
from autograder.build import build
from autograder.cli import main
from autograder.exercise import Kit, read_kit
from autograder.leakproof import faults
from autograder.wheel import packed, unpacked
from tests.small_kit import small_kit

ROOT = Path(__file__).resolve().parent.parent
WHEEL = "attention_kit-0.0-py3-none-any.whl"
RENAMED = "def f(q):\n    return {}\n"
MISTAKES = """\
from autograder.chain import Chain

twice = Chain("twice", "x")


@twice.stage
def doubled(x):
    return x + x


@doubled.wrong("C-VALUES")
def squared_and_more(x):
    return (x * x + x.sum(axis=0) * 3 - x.mean()) / (x.std() + 7)
"""


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """A small kit whose bundle is fresh, and a wheel that costs nothing."""
    monkeypatch.setattr(releasing, "wheel", lambda _: (WHEEL, packed({"autograder/x.py": b"1\n"})))
    root = small_kit(tmp_path / "kit")
    solution = root / "solutions" / "twice.py"
    text = solution.read_text("utf-8").replace("return x + x", "return np.add(x, x * 1.0 - 0.0)")
    solution.write_text(text, "utf-8")
    (root / "exercises").mkdir()
    (root / "exercises" / "README.md").write_text("# Start\n\n---\n\n# 开始\n", "utf-8")
    kit = read_kit(root)
    build(kit)
    (root / "autograder" / "mistakes").mkdir()
    (root / "autograder" / "mistakes" / "twice.py").write_text(MISTAKES, "utf-8")
    return kit


def _attn(kit: Kit, *arguments: object) -> Result:
    given = ["release", "--kit", str(kit.root), *map(str, arguments)]
    return CliRunner().invoke(main, given)


def test_the_zip_is_the_students_folder(kit: Kit, tmp_path: Path) -> None:
    out = tmp_path / "out" / "attention.zip"
    ran = _attn(kit, "--out", out)
    assert ran.exit_code == 0, ran.output
    assert sorted(unpacked(out.read_bytes())) == [
        "README.md",
        "attention.ipynb",
        WHEEL,
        "checks.json",
        "quadruple.py",
        "release.json",
        "test_exercises.py",
        "twice.py",
    ]
    assert "2 exercises" in ran.output


def test_the_zip_is_the_same_to_the_byte(kit: Kit) -> None:
    one, two = releasing.release(kit), releasing.release(kit)
    assert one.data == two.data
    assert len(one.version) == 12


def test_what_a_chosen_exercise_imports_comes_with_it(kit: Kit) -> None:
    made = releasing.release(kit, ["quadruple"])
    assert (made.exercises, made.added) == (("twice", "quadruple"), ("twice",))
    alone = releasing.release(kit, ["twice"])
    assert (alone.exercises, alone.added) == (("twice",), ())
    assert "quadruple.py" not in unpacked(alone.data)


def test_exit_is_2_when_an_exercise_is_not_there(kit: Kit, tmp_path: Path) -> None:
    ran = _attn(kit, "--out", tmp_path / "a.zip", "-e", "thrice")
    assert (ran.exit_code, "there are: twice, quadruple" in ran.output) == (2, True)


def test_the_readme_starts_in_the_chosen_language(kit: Kit) -> None:
    english, chinese = (unpacked(releasing.release(kit, (), lang).data) for lang in ("en", "zh"))
    assert english["README.md"].startswith(b"# Start")
    assert chinese["README.md"].decode().startswith("# 开始")
    assert chinese["README.md"].decode().endswith("# Start\n")
    notebook = json.loads(chinese["attention.ipynb"])
    assert "翻倍" in json.dumps(notebook, ensure_ascii=False)


@pytest.mark.parametrize("self_study", [False, True])
def test_solutions_are_handed_out_only_for_self_study(kit: Kit, self_study: bool) -> None:
    members = unpacked(releasing.release(kit, self_study=self_study).data)
    handed_out = json.loads(members["release.json"]).get("solutions", {})
    assert ("np.add" in json.dumps(handed_out)) == self_study
    assert not any(b"np.add" in data for name, data in members.items() if name != "release.json")


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("README.md", RENAMED.format("np.add(q, q * 1.0 - 0.0)"), "statement of a solution"),
        ("README.md", "Try `np.add(z, z * 1.0 - 0.0)`.", "statement of a solution"),
        ("twice.py", 'def twice(x):\n    """Hm: np.add(x, x * 1.0 - 0.0)"""\n', "solution"),
        ("attention.ipynb", '{"source": ["np.add(t, t * 1.0 - 0.0)"]}', "solution"),
        (
            "test_exercises.py",
            "def g(s, r):\n    expect.close(s.twice(np.arange(3)), r.twice(np.arange(3)))\n",
            "hidden check",
        ),
        (
            "prompts/x.md",
            "```\ny = 1\nreturn (v * v + v.sum(axis=0) * 3 - v.mean()) / (v.std() + 7)\n```",
            "known mistake",
        ),
        ("checks.json", '"made with sesame-open-sesame"', "secret"),
        ("notes.txt", "remember the milk", "no such file"),
        ("attention.ipynb", "\udcff", "not text"),
    ],
)
def test_B45_a_release_is_refused_when_a_member_gives_something_away(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, name: str, text: str, what: str
) -> None:
    monkeypatch.setenv("ATTN_SECRET", "sesame-open-sesame")
    clean = {"README.md": b"# Start\n", "prompts/x.md": b"", "attention.ipynb": b"{}"}
    expected = [*clean, "twice.py", "checks.json", "test_exercises.py"]
    assert faults(clean, kit, expected) == []
    data = text.encode("utf-8", "surrogateescape")
    found = faults({**clean, name: data}, kit, expected)
    assert [each for each in found if each.startswith(name) and what in each], found


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("autograder/graders/test_twice.py", ""),
        ("autograder/mistakes/twice.py", ""),
        ("solutions/twice.py", ""),
        ("autograder/desk.py", RENAMED.format("np.add(q, q * 1.0 - 0.0)")),
    ],
)
def test_a_release_is_refused_when_the_wheel_gives_something_away(
    kit: Kit, inner: str, text: str
) -> None:
    wheel = packed({"autograder/cli.py": b"", inner: text.encode()})
    [found] = faults({WHEEL: wheel}, kit, [WHEEL])
    assert found.startswith(f"{WHEEL}/{inner}")


def test_no_zip_is_left_when_the_release_is_refused(kit: Kit, tmp_path: Path) -> None:
    (kit.bundle / "README.md").write_text("Hint: `np.add(b, b * 1.0 - 0.0)`\n", "utf-8")
    out = tmp_path / "attention.zip"
    out.write_bytes(b"an older one")
    ran = _attn(kit, "--out", out)
    assert ran.exit_code == 1
    assert "attn: README.md, line 1: holds a statement of a solution" in ran.output
    assert not out.exists()


def test_the_wheel_holds_the_engine_and_no_answers() -> None:
    name, data = wheels.wheel(ROOT)
    members = unpacked(data)
    assert name.startswith("attention_kit-")
    assert {"autograder/cli.py", "autograder/locale/zh.toml"} <= set(members)
    assert not [each for each in members if {"graders", "mistakes"} & set(each.split("/"))]
    assert packed(unpacked(data)) == data
    assert faults({name: data}, read_kit(ROOT), [name]) == []


@pytest.mark.parametrize("found", [None, "66.1.1"])
def test_the_wheel_needs_setuptools_in_words(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str | None
) -> None:
    def version(name: str) -> str:
        if found is None:
            raise wheels.metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(wheels.metadata, "version", version)
    monkeypatch.setattr(releasing, "wheel", wheels.wheel)
    ran = _attn(kit, "--out", tmp_path / "a.zip")
    assert ran.exit_code == 1
    assert "setuptools 77 or newer is needed" in ran.output
    assert 'pip install "setuptools>=77"' in ran.output

"""What counts as a submission, which of its files count, and what is refused."""

from __future__ import annotations

import io
import os
import re
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import messages
from autograder.archive import Member
from autograder.folder import InZip
from autograder.naming import handed, named
from autograder.submission import Found, Submission, SubmissionError, digest, discover, find

EXERCISES = ("softmax", "heads", "masked_attention")
CODE = b"def softmax(x): ...\n"


def put(root: Path, *names: str, data: bytes = CODE) -> Path:
    for name in names:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return root


def zipped(*names: str | zipfile.ZipInfo, data: bytes = CODE) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, data)
    return made.getvalue()


def read(*paths: Path) -> dict[str, Submission]:
    found, _ = discover(paths, EXERCISES)
    made = {each.id: each for each in found}
    assert len(made) == len(found)
    return made


def names(submission: Submission) -> list[str]:
    return [name for name, _ in submission.files]


def codes(submission: Submission) -> list[str]:
    return [code for code, _ in submission.notices]


def one_zip(tmp_path: Path, data: bytes) -> Submission:
    """Read a zip as one student's, between two others."""
    put(tmp_path, "s0/softmax.py", "s2/softmax.py")
    (tmp_path / "s1.zip").write_bytes(data)
    found = read(tmp_path)
    assert found["s0"].status == found["s2"].status == "ok"
    return found["s1"]


# -- what is one submission ------------------------------------------------------------------


def test_folder_is_one_when_it_holds_an_exercise_file(tmp_path: Path) -> None:
    put(tmp_path / "lee", "softmax.py", "mine.py", "heads.py")
    found = read(tmp_path / "lee")
    assert names(found["lee"]) == ["softmax.py", "heads.py", "mine.py"]
    assert found["lee"].shown == ("lee/softmax.py", "lee/heads.py", "lee/mine.py")


def test_folder_is_one_when_it_holds_one_attention_notebook(tmp_path: Path) -> None:
    put(tmp_path / "lee", "attention_lee.ipynb", "notes.ipynb")
    assert names(read(tmp_path / "lee")["lee"]) == ["attention_lee.ipynb", "notes.ipynb"]


def test_children_are_submissions_when_the_folder_holds_no_exercise(tmp_path: Path) -> None:
    put(tmp_path, "a/softmax.py", "b.py", "c.ipynb", "d.ipynb.txt", "e/")
    (tmp_path / "f.zip").write_bytes(zipped("softmax.py"))
    found = read(tmp_path)
    assert list(found) == ["a", "b", "c", "d", "e", "f"]
    assert names(found["d"]) == ["d.ipynb"]
    assert names(found["f"]) == ["softmax.py"]
    assert found["e"].status == "empty"


def test_single_file_is_one_when_named(tmp_path: Path) -> None:
    put(tmp_path, "masked_attention.py", "hw (1).ipynb")
    found = read(tmp_path / "masked_attention.py", tmp_path / "hw (1).ipynb")
    assert list(found) == ["masked_attention", "hw (1)"]


def test_wrapping_folder_is_unwrapped_when_it_holds_the_class(tmp_path: Path) -> None:
    put(tmp_path, "all/hw/a/softmax.py", "all/hw/b/softmax.py")
    found, notices = find([tmp_path], EXERCISES)
    assert [each.id for each in found] == ["a", "b"]
    assert ("unwrapped", {"file": "all/hw"}) in notices


def test_B38_folder_beside_a_list_of_names_is_unwrapped(tmp_path: Path) -> None:
    put(tmp_path, "status.xlsx", "Submissions/Lee_Ann_ann_1/softmax.py", "Submissions/Kim_2/x.zip")
    found, _ = find([tmp_path], EXERCISES)
    assert [each.id for each in found] == ["Kim_2", "Lee_Ann_ann_1"]


def test_single_child_is_the_student_when_it_holds_one_submission(tmp_path: Path) -> None:
    put(tmp_path, "lee/work/deep/softmax.py")
    assert names(read(tmp_path)["lee"]) == ["softmax.py"]


def test_class_zip_is_unwrapped_when_given_as_path(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(zipped("hw/a/softmax.py", "hw/b/x.ipynb", "hw/c/"))
    found = read(tmp_path / "class.zip")
    assert list(found) == ["a", "b", "c"]
    assert found["c"].status == "empty"


def test_zip_of_one_student_keeps_its_name_when_given_as_path(tmp_path: Path) -> None:
    (tmp_path / "lee.zip").write_bytes(zipped("attention/softmax.py"))
    assert names(read(tmp_path / "lee.zip")["lee"]) == ["softmax.py"]


def test_output_folder_is_no_submission_when_left_in_the_class(tmp_path: Path) -> None:
    put(tmp_path, "a/softmax.py", "b/softmax.py", "graded/results.json")
    found, notices = find([tmp_path], EXERCISES)
    assert [each.id for each in found] == ["a", "b"]
    assert ("not-a-submission", {"file": "graded"}) in notices


def test_pages_are_no_submission_when_results_went_into_the_class(tmp_path: Path) -> None:
    put(tmp_path, "a/softmax.py", "b/softmax.py", "results.json", "students/a.html")
    assert [each.id for each in find([tmp_path], EXERCISES)[0]] == ["a", "b"]


@pytest.mark.parametrize("content", ["", "notes.pdf", ".DS_Store"])
def test_folder_with_nothing_is_refused_with_what_was_looked_for(
    tmp_path: Path, content: str
) -> None:
    if content:
        put(tmp_path, content)
    with pytest.raises(SubmissionError, match=r"No submission in .*softmax\.py"):
        find([tmp_path], EXERCISES)


def test_missing_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=r"nothing at .*absent"):
        find([tmp_path / "absent"], EXERCISES)


def test_other_file_is_refused_when_given_as_path(tmp_path: Path) -> None:
    put(tmp_path, "essay.docx")
    with pytest.raises(SubmissionError, match=r"essay\.docx is no submission"):
        find([tmp_path / "essay.docx"], EXERCISES)


def test_files_stay_unread_until_asked(tmp_path: Path) -> None:
    put(tmp_path, "a/softmax.py", "b/softmax.py")
    found, _ = find([tmp_path], EXERCISES)
    put(tmp_path, "a/softmax.py", data=b"later")
    assert found[0].read().files == (("softmax.py", b"later"),)


# -- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("softmax (1).py", "softmax-1.py", "Softmax.PY", "softmax.py.txt", "softmax copy.py"),
        *("softmax - Copy (2).py", "softmax_copy.py", "softmax(3).py", "softmax 副本.py"),
    ],
)
def test_B08_exercise_file_counts_when_renamed(tmp_path: Path, name: str) -> None:
    put(tmp_path / "lee", name)
    found = read(tmp_path / "lee")["lee"]
    assert names(found) == ["softmax.py"]
    assert ("file-renamed", {"file": f"lee/{name}", "name": "softmax.py"}) in found.notices


@pytest.mark.parametrize("name", ["softmax_v2.py", "softmax2.py", "my softmax.py", "softmax-a.py"])
def test_name_stays_when_it_only_resembles_an_exercise(name: str) -> None:
    found = named(name, EXERCISES)
    assert found is not None
    assert (found.name, found.known) == (name, False)


@pytest.mark.parametrize("name", ["hw (1).ipynb", "HW.ipynb", "hw copy.ipynb", "hw.ipynb.txt"])
def test_B08_notebook_counts_under_any_name(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"lee/sub/{name}", "ref/softmax.py")
    assert names(read(tmp_path)["lee"]) == [name.removesuffix(".txt")]


def test_B84_several_notebooks_are_named_and_ordered(tmp_path: Path) -> None:
    put(
        tmp_path, *(f"lee/{name}" for name in ("hw.ipynb", "attention.ipynb", "a.py", "hw-f.ipynb"))
    )
    put(tmp_path, "lee/lecture/demo.ipynb", "ref/softmax.py")
    found = read(tmp_path)["lee"]
    assert names(found) == ["attention.ipynb", "hw-f.ipynb", "hw.ipynb", "a.py"]
    assert "several-notebooks" in codes(found)
    assert ("notebook-deeper", {"files": "lee/lecture/demo.ipynb"}) in found.notices


def test_B84_one_of_two_folders_with_the_same_file_counts_whole(tmp_path: Path) -> None:
    put(tmp_path, "lee/new/softmax.py", "lee/old/softmax.py", "lee/old/heads.py", "ref/softmax.py")
    found = read(tmp_path)["lee"]
    assert found.shown == ("lee/new/softmax.py",)
    assert ("folder-left-out", {"file": "old", "counts": "new"}) in found.notices


def test_B56_folder_of_a_whole_class_is_no_submission(tmp_path: Path) -> None:
    put(tmp_path, *(f"attention/{each}/attention.ipynb" for each in "abc"), "other/a/x.ipynb")
    found = read(tmp_path)["attention"]
    assert found.reason == ("several-folders", {"name": "attention.ipynb", "files": "a, b, c"})


def test_parts_in_folders_of_their_own_are_put_together(tmp_path: Path) -> None:
    put(tmp_path, "lee/one/softmax.py", "lee/two/heads.py", "ref/softmax.py")
    assert names(read(tmp_path)["lee"]) == ["softmax.py", "heads.py"]


def test_file_nearer_the_top_counts_when_it_stands_twice(tmp_path: Path) -> None:
    put(tmp_path / "lee", "aaa/softmax.py", "softmax.py")
    assert read(tmp_path / "lee")["lee"].shown == ("lee/softmax.py",)


def test_highest_number_counts_when_a_platform_numbered_copies(tmp_path: Path) -> None:
    put(tmp_path / "lee", "softmax.py", "softmax-2.py", "softmax-10.py", "softmax (1).py")
    found = read(tmp_path / "lee")["lee"]
    assert found.shown == ("lee/softmax-10.py",)
    assert codes(found).count("file-twice") == 3


@pytest.mark.parametrize("name", ["numpy.py", "json.py", "code.py"])
def test_file_named_like_a_module_stays_for_the_worker_to_judge(tmp_path: Path, name: str) -> None:
    put(tmp_path / "lee", "softmax.py", name)
    assert names(read(tmp_path / "lee")["lee"]) == ["softmax.py", name]


def test_bundle_files_are_left_out_quietly(tmp_path: Path) -> None:
    put(tmp_path / "lee", "softmax.py", "test_exercises.py", "README.md", "timestamp.txt", "k.whl")
    put(tmp_path / "lee", "prompts/attention-tutor.md", "prompts/attention-tutor.zh.md")
    found = read(tmp_path / "lee")["lee"]
    assert names(found) == ["softmax.py"]
    assert found.notices == ()


def test_other_files_are_named_when_python_is_there(tmp_path: Path) -> None:
    put(tmp_path / "lee", "softmax.py", "report.docx")
    found = read(tmp_path / "lee")["lee"]
    assert found.notices == (("not-python", {"files": "lee/report.docx"}),)


# -- ids -------------------------------------------------------------------------------------


def test_B36_every_id_is_graded_once(tmp_path: Path) -> None:
    ids = [
        "dom\\u1",
        "a b",
        "x@uni.edu",
        "学生-李",
        "con",
        "O'Neil",
        "x" * 200,
        "🧑‍🎓",
        "-rf",
        "a.b",
    ]
    put(tmp_path, *(f"{each}/softmax.py" for each in ids))
    assert set(read(tmp_path)) == set(ids)


@pytest.mark.parametrize("pair", [("A1", "a1"), ("e\u0301", "\u00e9")])
def test_B36_ids_that_collide_are_both_graded_and_reported(
    tmp_path: Path, pair: tuple[str, str]
) -> None:
    put(tmp_path, *(f"{each}/softmax.py" for each in pair))
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system cannot hold both names")
    found, notices = discover([tmp_path], EXERCISES)
    assert len({each.id for each in found}) == 2
    assert {each.id.removesuffix("~2") for each in found} == set(pair)
    assert all("id-collision" in codes(each) for each in found)
    assert [code for code, _ in notices] == ["id-collision"]


def test_ids_are_told_apart_when_a_file_and_a_folder_share_one(tmp_path: Path) -> None:
    put(tmp_path, "s1/softmax.py", "s1.py", "s1.ipynb")
    assert list(read(tmp_path)) == ["s1", "s1~2", "s1~3"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_B78_control_signs_in_names_are_shown_escaped(tmp_path: Path) -> None:
    put(tmp_path, "a\nb/softmax.py", "c\x1b[31m/softmax.py", "$(touch MARK).ipynb", "--help.py")
    found = read(tmp_path)
    assert set(found) == {"a\\nb", "c\\x1b[31m", "$(touch MARK)", "--help"}
    assert found["a\\nb"].shown == ("a\\nb/softmax.py",)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows one encoding of names")
def test_B15_ids_do_not_depend_on_the_locale(tmp_path: Path) -> None:
    put(tmp_path, "学生-李/softmax.py", "é/softmax.py")
    code = (
        "from pathlib import Path; from autograder.submission import find;"
        f"print([each.id.encode() for each in find([Path({str(tmp_path)!r})], ['softmax'])[0]])"
    )
    told = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    told["PYTHONPATH"] = str(Path(messages.__file__).parent.parent)
    made = subprocess.run(
        [sys.executable, "-c", code], env=told, capture_output=True, text=True, check=True
    )
    assert made.stdout.strip() == str([each.encode() for each in sorted(["学生-李", "é"])])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_that_are_no_utf8_are_shown_escaped(tmp_path: Path) -> None:
    try:
        put(tmp_path, os.fsdecode(b"caf\xe9") + "/softmax.py", "b/softmax.py")
    except OSError:
        pytest.skip("this file system refuses such names")
    assert set(read(tmp_path)) == {"caf\\udce9", "b"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_of_files_cross_as_plain_text(tmp_path: Path) -> None:
    try:
        put(tmp_path / "lee", "softmax.py", "a\nb.py", os.fsdecode(b"caf\xe9.py"))
    except OSError:
        pytest.skip("this file system refuses such names")
    assert names(read(tmp_path / "lee")["lee"]) == ["softmax.py", "a\\nb.py", "caf\\udce9.py"]


# -- learning platforms ----------------------------------------------------------------------


def test_B02_canvas_resubmission_counts_once_with_the_highest_number(tmp_path: Path) -> None:
    (tmp_path / "c.zip").write_bytes(
        zipped(
            "lee_123_456_attention-1.py",
            "lee_123_457_attention-2.py",
            "kim_LATE_9_8_hw.v1-1.ipynb",
            "park.py",
        )
    )
    found = read(tmp_path / "c.zip")
    assert set(found) == {"lee_123", "kim_9", "park"}
    assert names(found["lee_123"]) == ["attention.py"]
    assert found["lee_123"].shown == ("lee_123_457_attention-2.py",)
    assert names(found["kim_9"]) == ["hw.v1.ipynb"]
    assert "file-renamed" in codes(found["lee_123"])
    assert "file-renamed" in codes(found["kim_9"])


def test_canvas_files_of_one_student_are_grouped_and_parts_kept(tmp_path: Path) -> None:
    put(tmp_path, "lee_1_10_softmax.py", "lee_1_11_part-1.py", "lee_1_12_part-2.py")
    put(tmp_path, "lee_2_13_softmax.py")
    found = read(tmp_path)
    assert set(found) == {"lee_1", "lee_2"}
    assert names(found["lee_1"]) == ["softmax.py", "part-1.py", "part-2.py"]
    assert "grouped" in codes(found["lee_1"])


def test_B38_files_of_several_students_stay_apart_when_they_only_look_like_canvas(
    tmp_path: Path,
) -> None:
    put(tmp_path, "hw_2026_11_lee.py", "hw_2026_12_kim.py")
    assert set(read(tmp_path)) == {"hw_2026_11_lee", "hw_2026_12_kim"}


def test_B38_moodle_folders_and_files_keep_namesakes_apart(tmp_path: Path) -> None:
    put(
        tmp_path,
        "Ann Lee_1234567_assignsubmission_file_/softmax.py",
        "Ann Lee_7654321_assignsubmission_file_/softmax.py",
        "Jo_Ann O'Neil_5_assignsubmission_file_hw.ipynb",
        "李_6_assignsubmission_file/softmax.py",
        "李_6_assignsubmission_onlinetext/onlinetext.html",
    )
    found = read(tmp_path)
    ids = {"Ann Lee_1234567", "Ann Lee_7654321", "Jo_Ann O'Neil_5", "李_6"}
    assert set(found) == ids
    assert all(each.status == "ok" for each in found.values())


def test_B28_blackboard_keeps_the_newest_attempt_whole(tmp_path: Path) -> None:
    first, second = "2026-01-02-03-04-05", "2026-01-03-03-04-05"
    put(
        tmp_path,
        f"HW1_leeann_attempt_{first}.txt",
        f"HW1_leeann_attempt_{first}_softmax.py",
        f"HW1_leeann_attempt_{first}_heads.py",
        f"HW1_leeann_attempt_{second}.txt",
        f"HW1_leeann_attempt_{second}_softmax.py",
        f"HW1_kim_attempt_{first}.txt",
    )
    found = read(tmp_path)
    assert set(found) == {"leeann", "kim"}
    assert names(found["leeann"]) == ["softmax.py"]
    assert found["leeann"].shown == (f"HW1_leeann_attempt_{second}_softmax.py",)
    assert "attempt-older" in codes(found["leeann"])
    assert found["kim"].status == "empty"


def test_B38_blackboard_users_are_told_apart_when_their_names_end_alike(tmp_path: Path) -> None:
    time = "attempt_2026-01-02-03-04-05"
    put(tmp_path, f"HW_ann_lee_{time}_softmax.py", f"HW_bob_lee_{time}_softmax.py")
    assert set(read(tmp_path)) == {"HW_ann_lee", "HW_bob_lee"}


@pytest.mark.parametrize(
    "name", ["softmax.py", "ann_lee.py", "hw_1.py", "s01_v2_3.ipynb", "a_b_c.zip"]
)
def test_ordinary_names_are_no_platforms(name: str) -> None:
    assert handed(name) is None


def test_zip_in_a_platforms_folder_is_unpacked(tmp_path: Path) -> None:
    inner = zipped("work/softmax.py", "work/report.pdf")
    made = zipped("Ann_1_assignsubmission_file_/work.zip", data=inner)
    (tmp_path / "m.zip").write_bytes(made)
    found = read(tmp_path / "m.zip")
    assert names(found["Ann_1"]) == ["softmax.py"]


# -- what is ignored and what is refused -----------------------------------------------------


def test_B19_junk_is_ignored_and_listed(tmp_path: Path) -> None:
    junk = ["__MACOSX/._softmax.py", ".DS_Store", "desktop.ini", "Thumbs.db", ".git/config"]
    junk += [".ipynb_checkpoints/hw-checkpoint.ipynb", "__pycache__/softmax.cpython-311.pyc"]
    found = one_zip(tmp_path, zipped("hw/w/softmax.py", *(f"hw/w/{each}" for each in junk)))
    assert names(found) == ["softmax.py"]
    assert codes(found) == ["junk"]
    assert ".DS_Store" in str(found.notices[0][1]["files"])


def test_B56_folder_with_only_a_timestamp_is_empty(tmp_path: Path) -> None:
    put(tmp_path, "a/timestamp.txt", "b/softmax.py", "c/.DS_Store")
    found = read(tmp_path)
    assert (found["a"].status, found["c"].status) == ("empty", "empty")
    assert found["a"].reason == ("empty", {})


def test_other_documents_are_named_when_there_is_no_python(tmp_path: Path) -> None:
    put(tmp_path, "a/essay.docx", "b/softmax.py", "c/all.rar")
    found = read(tmp_path)
    assert found["a"].reason == ("no-python", {"files": "a/essay.docx"})
    assert found["c"].reason == ("other-archive", {"files": "c/all.rar"})


def test_large_file_is_refused_when_over_the_limit(tmp_path: Path) -> None:
    put(tmp_path, "a/softmax.py", "b/softmax.py")
    with (tmp_path / "a/softmax.py").open("wb") as file:
        file.truncate(100 * 2**20)
    found = read(tmp_path)
    assert found["a"].reason == ("too-big", {"file": "softmax.py"})
    assert found["b"].status == "ok"


def test_many_files_are_refused(tmp_path: Path) -> None:
    put(tmp_path, *(f"a/f{n}.py" for n in range(201)), "b/softmax.py")
    assert read(tmp_path)["a"].reason == ("too-many-files", {"count": 200})


@pytest.mark.skipif(os.name == "nt", reason="needs a privilege on Windows")
def test_links_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    secret = put(tmp_path / "secret", "softmax.py", data=b"token") / "softmax.py"
    home = put(tmp_path / "class", "a/heads.py", "b/softmax.py")
    (home / "a" / "softmax.py").symlink_to(secret)
    (home / "c").symlink_to(secret.parent)
    (home / "d.py").symlink_to(secret)
    found = read(home)
    for each in "acd":
        assert found[each].reason is not None
        assert found[each].reason[0] == "link"
        assert b"token" not in repr(found[each]).encode()
    assert found["b"].status == "ok"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_special_files_are_refused_without_waiting(tmp_path: Path) -> None:
    put(tmp_path, "a/heads.py", "b/softmax.py")
    os.mkfifo(tmp_path / "a" / "softmax.py")
    assert read(tmp_path)["a"].reason == ("special", {"file": "a/softmax.py"})


def entry(name: str, mode: int = 0o100644, **fields: int) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.create_system, made.external_attr = 3, mode << 16
    made.compress_type = zipfile.ZIP_DEFLATED
    for field, value in fields.items():
        setattr(made, field, value)
    return made


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("zip-path", "../softmax.py"),
        ("zip-path", "a/../../softmax.py"),
        ("zip-path", "/etc/softmax.py"),
        ("zip-path", "..\\softmax.py"),
        ("zip-path", "C:softmax.py"),
        ("zip-path", "../.hidden"),
        ("too-deep-folders", "a/" * 500 + "softmax.py"),
        ("zip-name", "x" * 300 + ".py"),
        ("zip-name", "a\nsoftmax.py"),
        ("zip-name", "\x1b[2Jsoftmax.py"),
        ("zip-name", "x\u202eyp.softmax.py"),
        ("zip-link", entry("softmax.py", 0o120777)),
        ("zip-link", entry("softmax.py", 0o010644)),
        ("zip-method", entry("x.py", compress_type=zipfile.ZIP_LZMA)),
    ],
    ids=repr,
)
def test_B78_member_is_refused_by_name(
    tmp_path: Path, code: str, name: str | zipfile.ZipInfo
) -> None:
    found = one_zip(tmp_path, zipped("heads.py", name))
    assert found.status == "unreadable"
    assert found.reason is not None
    assert found.reason[0] == code
    assert all(c.isprintable() for c in str(found.reason[1]["file"]))
    assert not (tmp_path.parent / "softmax.py").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", ["softmax.py", "Softmax.py"])
def test_B78_names_that_collide_in_a_zip_are_refused(tmp_path: Path, name: str) -> None:
    found = one_zip(tmp_path, zipped("softmax.py", name))
    assert found.reason is not None
    assert found.reason[0] == "zip-duplicate"


def test_B78_bomb_by_ratio_is_refused_unread(tmp_path: Path) -> None:
    found = one_zip(tmp_path, zipped("softmax.py", data=b"#" * 15_000_000))
    assert found.reason is not None
    assert found.reason[0] == "zip-bomb"


def test_B78_bomb_by_overlap_is_refused_unread(tmp_path: Path) -> None:
    data = bytearray(zipped("heads.py", "softmax.py"))
    second = data.index(b"PK\1\2", data.index(b"PK\1\2") + 1)
    data[second + 42 : second + 46] = bytes(4)  # both entries point at the first file
    found = one_zip(tmp_path, bytes(data))
    assert found.reason is not None
    assert found.reason[0] == "zip-bomb"


def test_B78_encrypted_member_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped("softmax.py"))
    data[data.index(b"PK\1\2") + 8] |= 1
    found = one_zip(tmp_path, bytes(data))
    assert found.reason is not None
    assert found.reason[0] == "zip-encrypted"


@pytest.mark.parametrize("declared", [10, 10_000])
def test_lying_size_is_refused(tmp_path: Path, declared: int) -> None:
    data = bytearray(zipped("softmax.py", data=b"x = 1\n" * 100))
    struct.pack_into("<L", data, data.index(b"PK\1\2") + 24, declared)
    found = one_zip(tmp_path, bytes(data))
    assert found.reason is not None
    assert found.reason[0] == "zip-damaged"


@pytest.mark.parametrize("data", [b"", b"PK\3\4 not a zip", b"PK\5\6" + bytes(10)])
def test_damaged_zip_is_refused(tmp_path: Path, data: bytes) -> None:
    found = one_zip(tmp_path, data)
    assert found.reason is not None
    assert found.reason[0] == "zip-damaged"


def test_zip_cut_in_the_middle_is_refused(tmp_path: Path) -> None:
    found = one_zip(tmp_path, zipped("softmax.py", data=os.urandom(5000))[:3000])
    assert found.reason is not None
    assert found.reason[0] == "zip-damaged"


@pytest.mark.parametrize(("count", "code"), [(300, "too-many-files"), (20_000, "zip-many")])
def test_zip_with_many_files_is_refused(tmp_path: Path, count: int, code: str) -> None:
    found = one_zip(tmp_path, zipped(*(f"{n}.py" for n in range(count)), data=b""))
    assert found.reason is not None
    assert found.reason[0] == code


def test_zip_with_a_finder_icon_is_read(tmp_path: Path) -> None:
    found = one_zip(tmp_path, zipped("hw/softmax.py", "hw/Icon\r", "__MACOSX/hw/._Icon\r"))
    assert names(found) == ["softmax.py"]


def test_zip_with_endless_folders_takes_little_memory(tmp_path: Path) -> None:
    made = zipped(*(f"{n}/" + "a/" * 400 + "x.py" for n in range(1_000)), data=b"")
    tracemalloc.start()
    try:
        found = one_zip(tmp_path, made)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.status == "unreadable"
    assert peak < 64 * 2**20


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_change_of_a_zip_gives_an_answer(data: st.DataObject) -> None:
    made = bytearray(zipped("softmax.py", "a/heads.py", "b/.x"))
    for _ in range(data.draw(st.integers(1, 4))):
        made[data.draw(st.integers(0, len(made) - 1))] = data.draw(st.integers(0, 255))
    node = InZip(None, "s.zip", Member("s.zip", 0, None, 0))  # type: ignore[arg-type]
    node.read = lambda limit: bytes(made)  # type: ignore[method-assign]
    found = Found("s", EXERCISES, [("s.zip", node, "s.zip")]).read()
    assert found.status in ("ok", "unreadable", "empty")
    assert (found.status == "ok") == (found.reason is None)


def test_zip_with_nothing_in_it_is_empty(tmp_path: Path) -> None:
    assert one_zip(tmp_path, zipped()).status == "empty"


def test_class_zip_is_unwrapped_when_a_member_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "c.zip").write_bytes(zipped("hw/a/softmax.py", "hw/b/softmax.py", "../x.py"))
    found = read(tmp_path / "c.zip")
    assert {name: each.status for name, each in found.items()} == {
        "a": "ok",
        "b": "ok",
        "../x": "unreadable",
    }


def test_class_zip_refuses_only_the_student_whose_member_is_hostile(tmp_path: Path) -> None:
    bad = entry("b/softmax.py", 0o120777)
    (tmp_path / "c.zip").write_bytes(zipped("a/softmax.py", bad, "c/softmax.py"))
    found = read(tmp_path / "c.zip")
    assert [each.status for each in found.values()] == ["ok", "unreadable", "ok"]


# -- digest ----------------------------------------------------------------------------------


def test_digest_changes_with_names_and_bytes_only() -> None:
    first = Submission("a", (("softmax.py", b"1"),))
    assert digest(first) == digest(Submission("b", first.files, ("x",)))
    for files in [(("softmax.py", b"2"),), (("heads.py", b"1"),), (("softmax.py1", b""),), ()]:
        assert digest(first) != digest(Submission("a", files))


# -- sentences -------------------------------------------------------------------------------

READERS = ("archive", "folder", "handin", "submission", "source", "cells", "program")
UNREADABLE = re.compile(r'(?:Unreadable|ArchiveError)\(\s*"([\w-]+)"|"(zip-(?!beside)\w+)"')
NOTICE = re.compile(r'(?:notices\.append\(|notice = )\(\s*\(?"([\w-]+)"')


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_reason_and_notice_has_a_sentence(lang: messages.Lang) -> None:
    at_run_time = ("empty", "link", "special", "too-deep", "no-python", "other-archive")
    found = {f"unreadable.{code}" for code in at_run_time}
    for name in READERS:
        text = (Path(messages.__file__).parent / f"{name}.py").read_text(encoding="utf-8")
        found |= {f"unreadable.{a or b}" for a, b in UNREADABLE.findall(text)}
        found |= {f"notice.{code}" for code in NOTICE.findall(text)}
    found |= {"notice.module-absent", "unreadable.deadly", "unreadable.set-aside"}  # not readers'
    found |= {"notice.line-left-out", "notice.line-kept", "notice.solutions"}  # `aside`'s
    text = (Path(messages.__file__).parent / "policy.py").read_text(encoding="utf-8")
    found |= set(re.findall(r"notice\.forbidden[\w-]*", text))
    table = messages.table(lang)
    known = {f"{part}.{code}" for part in ("unreadable", "notice") for code in table[part]}
    assert found == known

"""Grading over Dask's TLS: with certificates it runs; without, the error names the way out."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from classroom import plan, write
from click.testing import CliRunner, Result

from autograder import batch, cluster
from autograder.cli import main
from autograder.exercise import read_kit

distributed = pytest.importorskip("distributed", reason="needs attention-kit[cluster]")
dask = pytest.importorskip("dask")
pytestmark = [
    pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl"),
    pytest.mark.filterwarnings("ignore"),  # Dask's own
    pytest.mark.xdist_group("cluster"),
]

RIGHT = "def twice(x):\n    return x * 2\n"
WRONG = "def twice(x):\n    return x\n"
PARTS = ("scheduler", "worker", "client")


def _openssl(folder: Path, line: str) -> None:
    subprocess.run(["openssl", *line.split()], cwd=folder, check=True, capture_output=True)


def certificates(folder: Path) -> Path:
    """Make an authority and one certificate for every node, as docs/instructor.md says."""
    folder.mkdir()
    new = "-newkey rsa:2048 -nodes"
    _openssl(folder, f"req -x509 {new} -days 2 -subj /CN=class -keyout ca-key.pem -out ca.pem")
    _openssl(folder, f"req {new} -subj /CN=node -keyout node-key.pem -out node.csr")
    _openssl(
        folder,
        "x509 -req -in node.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -out node.pem",
    )
    return folder


def settings(folder: Path) -> dict[str, Any]:
    """Give what the variables of docs/instructor.md set in Dask's configuration."""
    tls = "distributed.comm.tls"
    found: dict[str, Any] = {
        "distributed.comm.require-encryption": True,
        f"{tls}.ca-file": str(folder / "ca.pem"),
    }
    for part in PARTS:
        found[f"{tls}.{part}.cert"] = str(folder / "node.pem")
        found[f"{tls}.{part}.key"] = str(folder / "node-key.pem")
    return found


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificates(tmp_path_factory.mktemp("tls") / "ours")


@pytest.fixture(scope="module")
def address(ours: Path) -> Iterator[str]:
    with dask.config.set(settings(ours)):
        found = distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=50,
            protocol="tls://",
            security=distributed.Security(),
        )
    with found:
        yield found.scheduler_address


@pytest.fixture
def school(tmp_path: Path) -> Path:
    for number, code in enumerate((RIGHT, WRONG, RIGHT)):
        write(tmp_path / "class" / f"s{number}", {"twice.py": code})
    return tmp_path / "class"


def _refused(home: Path, school: Path, out: Path, address: str) -> Result:
    """Ask for a grading that must not come about."""
    words = ["grade", school, "--kit", home, "--out", out, "--cluster", address]
    with pytest.MonkeyPatch.context() as patch:  # it would keep the process for another minute
        patch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("a client was made"))
        done = CliRunner().invoke(main, list(map(str, words)))
    assert done.exit_code == 2, done.output
    assert not (out / "results.json").exists()
    return done


def test_a_cluster_under_tls_gives_what_this_machine_gives(
    home: Path, school: Path, tmp_path: Path, ours: Path, address: str
) -> None:
    assert address.startswith("tls://")
    kit = read_kit(home)
    here = batch.grade(kit, plan(school, tmp_path / "here", html=False))
    with dask.config.set(settings(ours)):
        there = batch.grade(kit, plan(school, tmp_path / "there", html=False, cluster=address))
    scores = [each.score for each in here.submissions]
    assert [each.score for each in there.submissions] == scores
    assert len(set(scores)) == 2
    assert there.isolation == here.isolation


def test_plain_tcp_is_refused_and_the_error_names_tls(
    home: Path, school: Path, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 3)
    done = _refused(home, school, tmp_path / "out", address.replace("tls://", "tcp://"))
    assert "write tls://" in done.output and "docs/instructor.md" in done.output


def test_tls_without_certificates_says_that_none_are_named(
    home: Path, school: Path, tmp_path: Path, address: str
) -> None:
    done = _refused(home, school, tmp_path / "out", address)
    assert "needs certificates" in done.output and "docs/instructor.md" in done.output


def test_certificates_of_another_authority_are_refused(
    home: Path, school: Path, tmp_path: Path, address: str
) -> None:
    theirs = certificates(tmp_path / "theirs")
    with dask.config.set(settings(theirs)):
        done = _refused(home, school, tmp_path / "out", address)
    assert "certificate" in done.output


def test_plain_tcp_is_not_used_where_the_configuration_wants_encryption(
    home: Path, school: Path, tmp_path: Path, ours: Path
) -> None:
    with dask.config.set(settings(ours)):
        done = _refused(home, school, tmp_path / "out", "tcp://127.0.0.1:9")
    assert "wants encryption" in done.output


def test_a_certificate_that_is_not_there_is_no_crash(
    home: Path, school: Path, tmp_path: Path, address: str
) -> None:
    with dask.config.set(settings(tmp_path / "nowhere")):
        done = _refused(home, school, tmp_path / "out", address)
    assert "No such file" in done.output

"""Kill a run at random moments, let it go on each time, and compare with a run left in peace.

python benchmarks/kill_and_resume.py [--kills 20] [--submissions 60]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from class_cost import make_class

from autograder.exercise import find_kit

ENVIRONMENT = {**os.environ, "ATTN_SECRET": "kill and resume"}


def command(folder: Path, out: Path, kit: Path) -> list[str]:
    """Give the command that grades `folder` into `out`."""
    words = ["grade", folder, "--out", out, "--kit", kit, "--no-html", "--jobs", 2]
    return [sys.executable, "-m", "autograder", *map(str, words)]


def told(out: Path) -> list[dict[str, Any]]:
    """Give the results, seconds aside."""
    tree = json.loads((out / "results.json").read_text("utf-8"))
    return [{**each, "seconds": 0} for each in tree["submissions"]]


def written(out: Path) -> int:
    """Give how many results the journal holds."""
    path = out / "results.jsonl"
    return path.read_bytes().count(b"}\n") if path.exists() else 0


def main() -> None:
    """Kill, resume, compare; exit 1 where they differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--submissions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=8)
    options = parser.parse_args()
    kit, chance = find_kit(), random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder, calm, rough = (Path(scratch, each) for each in ("class", "calm", "rough"))
        make_class(kit, folder, options.submissions)
        wrong = "import numpy as np\ndef softmax(x, axis=-1):\n    return x / np.sum(x)\n"
        for number in range(0, options.submissions, 7):
            (folder / f"student-{number:04d}" / "softmax.py").write_text(wrong, encoding="utf-8")
        subprocess.run(command(folder, calm, kit.root), env=ENVIRONMENT, check=True)
        killed = 0
        while killed < options.kills:
            before = written(rough)
            start = time.perf_counter()
            running = subprocess.Popen(command(folder, rough, kit.root), env=ENVIRONMENT)
            # Some at their start, most a few results on, each at any moment of one.
            enough = before + chance.choice((0, 1, 1, 2))
            while written(rough) < enough and running.poll() is None:
                time.sleep(0.001)
            time.sleep(chance.uniform(0.0, 0.2))
            if running.poll() is not None:
                sys.exit(f"ended by itself with {running.returncode}: take more --submissions")
            running.kill()
            running.wait()
            killed += 1
            after = time.perf_counter() - start
            print(f"kill {killed:2}: after {after:5.2f} s, {written(rough):3} kept", flush=True)
        subprocess.run(command(folder, rough, kit.root), env=ENVIRONMENT, check=True)
        same = told(calm) == told(rough)
    print("the same results, seconds aside" if same else "DIFFERENT RESULTS")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()

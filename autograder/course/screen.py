"""What a notebook shows when its cells are run: ordinary outputs, made in an isolated process.

The student's cells run in a worker with IPython's own semantics. What comes back is copied,
bounded and rebuilt here, format by format; paths of this machine are taken out of tracebacks.
No score is made of any of it.
"""

from __future__ import annotations

import base64
import importlib.util
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from autograder import boot, launch, wire
from autograder.boot import Limits, Loaded
from autograder.cage import Cage
from autograder.leftovers import Scratch
from autograder.sandbox import Lost, SandboxFault, Worker
from autograder.student import Trouble

Output = dict[str, Any]

CELL_SECONDS = 10.0
NOTEBOOK_SECONDS = 60.0
RESTARTS = 3  # of one notebook, after a cell that hung or ended its process
MAX_ANSWER = 2**23
MAX_NOTEBOOK = 2**23  # bytes of everything that one notebook shows
LIMITS = Limits(load=10.0, total=120.0, cpu=60, memory=768 * 2**20, address=2 * 2**30)
MIME = re.compile(r"(?:text|image|application)/[a-z0-9][a-z0-9.+-]{0,60}")
KEPT_SIGNS = re.compile(r"[\n\t\r\x1b]+")
SCRIPTS = ("application/javascript", "application/vnd.jupyter.widget-view+json")
BASE64 = ("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf")
# What IPython and Matplotlib are made of; what is not installed is passed over.
PACKAGES = (
    "IPython", "traitlets", "matplotlib_inline", "pygments", "prompt_toolkit", "wcwidth",
    "decorator", "jedi", "parso", "stack_data", "executing", "asttokens", "pure_eval", "pexpect",
    "ptyprocess", "ipython_pygments_lexers", "typing_extensions", "psutil",
    "matplotlib", "mpl_toolkits", "PIL", "kiwisolver", "contourpy", "cycler", "pyparsing",
    "dateutil", "six", "packaging", "fontTools",
)  # fmt: skip
PRELOAD = (
    "typing_extensions", "six", "decorator", "pygments.lexers.python", "pygments.formatters",
    "IPython.core.interactiveshell", "IPython.core.formatters", "IPython.core.pylabtools",
    "IPython.core.magics", "IPython.display", "IPython.lib.pretty", "stack_data", "executing",
    "pygments.styles.default", "pygments.formatters.terminal256",
    "PIL.PngImagePlugin", "PIL.JpegImagePlugin", "dateutil.parser", "dateutil.rrule",
    "matplotlib", "matplotlib.pyplot", "matplotlib.mathtext", "matplotlib.patches",
    "matplotlib.backends.backend_agg", "matplotlib_inline.backend_inline",
    "matplotlib_inline.config", "mpl_toolkits.axes_grid1", "mpl_toolkits.mplot3d", "tempfile",
    "asyncio", "unittest.mock", "timeit", "bdb", "pdb", "cProfile", "pstats", "pprint",
)  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """What one cell showed.

    Attributes
    ----------
    outputs : tuple of dict
        As a notebook stores them.
    count : int or None
        Its number in the order of execution.
    """

    outputs: tuple[Output, ...] = ()
    count: int | None = None


class Screen:
    """Runs notebooks' cells, each notebook in a process of its own.

    Parameters
    ----------
    cage : Cage, optional
        What is put around each process, where it is a whole one; none, unless told.

    Raises
    ------
    SandboxFault
        Where no process can be started, or IPython is not installed.
    """

    def __init__(self, cage: Cage | None = None) -> None:
        if importlib.util.find_spec("IPython") is None:
            raise SandboxFault("IPython is not installed: pip install 'attention-kit[course]'")
        self._cage = cage
        self._scratch: Scratch | None = None
        self._barrier = boot.barrier(())
        self._loaded = Loaded(
            serve="shell",
            modules=("cellcode", "shown", "drawonce", "plots", "shell"),
            preload=PRELOAD,
            packages=tuple(_folders()),
            environment={"MPLCONFIGDIR": _plots_cache() or self._own_cache()},
        )
        self._zygote: launch.Zygote | None = None
        self._lock = threading.Lock()
        self._made_by = os.getpid()
        self._warmed = False

    def warm(self) -> None:
        """Start the process that the others come from, while this one does something else."""
        if self._warmed:
            return
        self._warmed = True
        threading.Thread(target=self._ready, daemon=True).start()

    def _ready(self) -> launch.Zygote | None:
        if not launch.forks():
            return None
        with self._lock:
            if self._zygote is None or not self._zygote.alive:
                self._zygote = launch.Zygote(LIMITS, self._barrier, self._loaded)
            return self._zygote

    def close(self) -> None:
        """End the process that the others come from."""
        with self._lock:
            if self._zygote is not None:
                self._zygote.close()
                self._zygote = None
        if self._scratch is not None and self._made_by == os.getpid():
            self._scratch.close()  # else a process that was forked from the one that made it

    @property
    def zygote_pid(self) -> int | None:
        """The process that the others come from, if there is one now."""
        return self._zygote.pid if self._zygote is not None else None

    def _own_cache(self) -> str:
        self._scratch = Scratch("plots")
        return str(self._scratch.path)

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Worker:
        zygote = self._ready()
        process: launch.Process = (
            launch.Fresh(LIMITS, self._barrier, self._loaded, self._cage)
            if zygote is None
            else zygote.start()
        )
        return Worker(process, LIMITS, (), frozenset(), {})

    def run(self, cells: Sequence[str]) -> list[Shown]:
        """Run the cells from top to bottom; a cell that fails does not stop the later ones.

        Parameters
        ----------
        cells : sequence of str
            The code cells' text.
        """
        shown: list[Shown] = []
        ended: dict[int, Shown] = {}
        until = time.monotonic() + NOTEBOOK_SECONDS
        for _ in range(RESTARTS + 1):
            shown = []
            worker = self._open()
            try:
                if self._through(worker, cells, until, ended, shown):
                    break
            finally:
                worker.close()
        left = Shown((_error("NotRun", "The cells above took too long, or ended the notebook."),))
        shown += [ended.get(n, left) for n in range(len(shown), len(cells))]
        return _bounded(shown)

    def _through(
        self,
        worker: Worker,
        cells: Sequence[str],
        until: float,
        ended: dict[int, Shown],
        shown: list[Shown],
    ) -> bool:
        """Run the cells in one process; False where one of them hung or ended it."""
        for number, code in enumerate(cells):
            if number in ended:
                shown.append(ended[number])
                continue
            seconds = min(CELL_SECONDS, until - time.monotonic())
            if seconds <= 0:
                return True
            try:
                _, told, _ = worker.request(wire.ASK, wire.writable(code), seconds, MAX_ANSWER)
                worker._drain()
                printed = worker._process.channel.printed.take()
                shown.append(_rebuilt(told, printed))
            except Lost as lost:
                ended[number] = Shown((_lost(lost.trouble),))
                return False
            except wire.ProtocolError:
                ended[number] = Shown((_lost(Trouble("died")),))
                return False
        return True


def _folders() -> list[str]:
    """Give the folders and files of the packages that a notebook may use."""
    found: list[str] = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None:
            continue
        places = spec.submodule_search_locations
        found += list(places) if places else [spec.origin] if spec.origin else []
        if name == "PIL" and places:
            found.append(str(Path(next(iter(places))).with_name("pillow.libs")))
    return [*(path for path in found if Path(path).exists()), "/usr/share/fonts"]


def _plots_cache() -> str:
    """Give where Matplotlib keeps its list of fonts: making one takes seconds. "" for nowhere."""
    told = os.environ.get("MPLCONFIGDIR")
    if told:
        return told
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    place = Path(base) / "matplotlib"
    return str(place) if place.is_dir() else ""


# -- rebuilding ------------------------------------------------------------------------------


def _rebuilt(told: Any, printed: str) -> Shown:
    """Give a cell's outputs out of what its worker said; whatever was said, they are ordinary."""
    if type(told) is not dict or type(told.get("outputs")) is not list:
        raise wire.ProtocolError("no outputs")
    outputs = [made for each in told["outputs"][:120] if (made := _output(each)) is not None]
    if printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed})
    return Shown(tuple(outputs), _count(told.get("count")))


def _output(told: Any) -> Output | None:
    if type(told) is not dict or type(told.get("output_type")) is not str:
        raise wire.ProtocolError("no output")
    kind, named = told["output_type"], told.get("name")
    if kind == "stream":
        name = "stderr" if type(named) is str and named == "stderr" else "stdout"
        text = _clean(_without_paths(_text(told.get("text"))))
        return {"output_type": "stream", "name": name, "text": text}
    if kind == "error":
        lines = _clean(_without_paths(_text(told.get("lines")))).rstrip("\n").split("\n")
        name = re.sub(r"\W", "", str(told.get("ename")))[:80] or "Error"
        value = _clean(_without_paths(_text(told.get("evalue"))))
        return {"output_type": "error", "ename": name, "evalue": value, "traceback": lines}
    if kind not in ("display_data", "execute_result"):
        raise wire.ProtocolError("no output")
    bundle = _bundle(told.get("data"))
    if not bundle:
        return None
    made: Output = {
        "output_type": kind,
        "data": bundle,
        "metadata": _sizes(told.get("metadata"), bundle),
    }
    if kind == "execute_result":
        made["execution_count"] = _count(told.get("count"))
    return made


def _count(told: Any) -> int | None:
    return told if type(told) is int and 0 < told < 2**31 else None


def _sizes(told: Any, bundle: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Keep of a display's metadata how wide and high it is."""
    kept: dict[str, dict[str, int]] = {}
    for mime in bundle if type(told) is dict else ():
        about = told.get(mime)
        if type(about) is dict:
            sizes = {side: about.get(side) for side in ("width", "height")}
            kept[mime] = {s: n for s, n in sizes.items() if type(n) is int and 0 < n < 2**16}
    return {mime: sizes for mime, sizes in kept.items() if sizes}


def _bundle(data: Any) -> dict[str, Any]:
    if type(data) is not dict:
        raise wire.ProtocolError("no data")
    bundle: dict[str, Any] = {}
    for mime, value in data.items():
        if not MIME.fullmatch(mime) or mime in SCRIPTS or not isinstance(value, np.ndarray):
            continue
        raw = value.tobytes()
        if mime in BASE64:
            bundle[mime] = _base64(raw)
        elif mime.endswith("json"):
            continue
        else:
            bundle[mime] = _clean(_without_paths(raw.decode("utf-8", "replace")))
    return bundle


def _base64(raw: bytes) -> str:
    """Give a picture as notebooks store it; IPython gives bytes, or has written it so already."""
    try:
        text = raw.decode("ascii")
        base64.b64decode(text, validate=False)
        if re.fullmatch(r"[A-Za-z0-9+/=\s]*", text):
            return text
    except ValueError:
        pass
    return base64.b64encode(raw).decode("ascii") + "\n"


def _text(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        raise wire.ProtocolError("no text")
    return value.tobytes().decode("utf-8", "replace")


def _clean(text: str) -> str:
    """Take away control signs, those of colour apart."""
    if KEPT_SIGNS.sub("", text).isprintable():  # a hundred times as fast as looking at each
        return text
    return "".join(c for c in text if c.isprintable() or c in "\n\t\r\x1b")


def _without_paths(text: str) -> str:
    for folder, name in _places().items():
        text = text.replace(folder, name)
    return text


@cache
def _places() -> Mapping[str, str]:
    packages = str(Path(np.__file__).parents[1])
    home = str(Path.home())
    return {
        packages: "site-packages",
        str(Path(os.__file__).parent): "python",
        **({home: "~"} if len(home) > 3 else {}),
    }


def _error(name: str, sentence: str) -> Output:
    return {
        "output_type": "error",
        "ename": name,
        "evalue": sentence,
        "traceback": [f"{name}: {sentence}"],
    }


def _lost(trouble: Trouble) -> Output:
    if trouble.detail in ("loop", "past"):
        said = f"The while loop in line {trouble.line} of this cell never ends."
        return _error("CellTimeoutError", said)
    if trouble.kind == "timeout":
        return _error("CellTimeoutError", f"This cell ran longer than {CELL_SECONDS:g} seconds.")
    if trouble.detail == "memory":
        return _error("MemoryError", "This cell needed more memory than a notebook may use.")
    return _error("DeadKernelError", "This cell ended the process that ran the notebook.")


def _bounded(shown: list[Shown]) -> list[Shown]:
    """Leave out what a notebook shows beyond its bound."""
    room = MAX_NOTEBOOK
    kept = []
    for each in shown:
        size = sum(len(str(output)) for output in each.outputs)
        room -= size
        note = {"output_type": "stream", "name": "stdout", "text": "[…]\n"}
        kept.append(each if room >= 0 or not each.outputs else Shown((note,), each.count))
    return kept

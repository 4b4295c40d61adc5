"""A notebook in JupyterLab, in a headless Chromium: cells are written, run and read as a learner
sees them. Another notebook, driven without a browser, stands in where there is none.

What is written into the cells, and what they should say, is not known here.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

SECONDS = 60.0  # for a browser on a busy machine
# Each gets `done` as its last argument; `book` is the notebook that is open.
BOOK = """
const done = arguments[arguments.length - 1];
const app = window.jupyterapp;
const panel = app.shell.currentWidget;
const book = panel.content;
const idOf = (cell) => (cell.model.getMetadata('nbgrader') || {}).grade_id;
const run = () => app.commands.execute('notebook:run-cell');
const said = (cell) => done(JSON.stringify(cell.model.outputs.toJSON()));
(async () => {
  await panel.sessionContext.ready;
"""
PUT = (
    BOOK
    + """
  book.activeCellIndex = book.widgets.findIndex((cell) => idOf(cell) === arguments[0]);
  book.activeCell.model.sharedModel.setSource(arguments[1]);
  await run();
  said(book.activeCell);
})();"""
)
ASK = (
    BOOK
    + """
  await app.commands.execute('notebook:insert-cell-below');
  book.activeCell.model.sharedModel.setSource(arguments[0]);
  await run();
  said(book.activeCell);
})();"""
)
ALL = (
    BOOK
    + """
  await app.commands.execute('notebook:run-all-cells');
  const code = book.widgets.filter((cell) => cell.model.type === 'code');
  done(JSON.stringify(code.map((cell) =>
    [idOf(cell) || '', cell.model.outputs.toJSON()])));
})();"""
)
Outputs = list[dict[str, Any]]


class Cells(Protocol):
    """A notebook that is open and has a kernel."""

    def put(self, grade_id: str, source: str) -> Outputs:
        """Write into the cell of this id, run it, and give what it says."""
        ...

    def ask(self, source: str) -> Outputs:
        """Write into a new cell below the one before, run it, and give what it says."""
        ...

    def all(self) -> list[tuple[str, Outputs]]:
        """Run everything from the top; give each code cell's id, and what it says."""
        ...

    def shot(self, name: str) -> None:
        """Keep a picture of what a learner sees now."""
        ...


class Lab:
    """A notebook in JupyterLab, seen by a browser."""

    def __init__(self, driver: Any, url: str, shots: Path | None) -> None:
        self._driver, self._shots = driver, shots
        driver.set_script_timeout(SECONDS)
        driver.get(f"{url}/lab/tree/attention.ipynb?reset")
        until = time.monotonic() + SECONDS
        ready = (
            "const at = window.jupyterapp && window.jupyterapp.shell.currentWidget;"
            "return !!(at && at.content && at.content.widgets && at.content.widgets.length > 20"
            " && at.sessionContext && at.sessionContext.session)"
        )
        while not driver.execute_script(ready):
            assert time.monotonic() < until, "JupyterLab did not open the notebook"
            time.sleep(0.2)

    def put(self, grade_id: str, source: str) -> Outputs:
        return self._did(PUT, grade_id, source)

    def ask(self, source: str) -> Outputs:
        return self._did(ASK, source)

    def all(self) -> list[tuple[str, Outputs]]:
        return [(name, outputs) for name, outputs in self._did(ALL)]

    def typed(self, source: str, until: str) -> None:
        """Type into a new cell with the keyboard, press Shift-Enter, and wait for the page."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        self._driver.execute_async_script(
            BOOK + "await app.commands.execute('notebook:insert-cell-below');"
            "await app.commands.execute('notebook:enter-edit-mode'); done();})();"
        )
        keys = ActionChains(self._driver).send_keys(source)
        keys.key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).perform()
        late = time.monotonic() + SECONDS
        while until not in self._driver.execute_script("return document.body.innerText"):
            assert time.monotonic() < late, f"the page does not say: {until}"
            time.sleep(0.2)

    def shot(self, name: str) -> None:
        if self._shots is None:
            return
        self._driver.execute_async_script(
            BOOK + "book.activeCell.node.scrollIntoView({block: 'center'});"
            "setTimeout(done, 400);})();"
        )
        self._driver.save_screenshot(str(self._shots / f"{name}.png"))

    def _did(self, script: str, *words: str) -> Any:
        return json.loads(self._driver.execute_async_script(script, *words))


class Kernel:
    """The same notebook without a browser: its cells go to a kernel one by one."""

    def __init__(self, client: Any, path: Path) -> None:
        self._client = client
        self._cells = [
            (cell["metadata"].get("nbgrader", {}).get("grade_id", ""), "".join(cell["source"]))
            for cell in json.loads(path.read_text("utf-8"))["cells"]
            if cell["cell_type"] == "code"
        ]

    def put(self, grade_id: str, source: str) -> Outputs:
        place = [name for name, _ in self._cells].index(grade_id)
        self._cells[place] = (grade_id, source)
        return self.ask(source)

    def ask(self, source: str) -> Outputs:
        found: Outputs = []

        def keep(message: dict[str, Any]) -> None:
            kind = message["header"]["msg_type"]
            if kind in ("display_data", "execute_result", "stream", "error"):
                found.append({"output_type": kind, **message["content"]})

        self._client.execute_interactive(source, timeout=SECONDS, output_hook=keep)
        return found

    def all(self) -> list[tuple[str, Outputs]]:
        return [(name, self.ask(source)) for name, source in self._cells]

    def shot(self, name: str) -> None:
        """There is nothing to see."""


@contextlib.contextmanager
def kernel(folder: Path, python: Path) -> Iterator[Kernel]:
    """Open the folder's notebook in a kernel of this Python."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager(kernel_name="python3")
    manager.kernel_spec.argv[0] = str(python)
    manager.start_kernel(cwd=str(folder), env=dict(os.environ))
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=SECONDS)
        yield Kernel(client, folder / "attention.ipynb")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@contextlib.contextmanager
def lab(folder: Path, python: Path, browser: str, shots: Path | None) -> Iterator[Lab]:
    """Open the folder's notebook in JupyterLab, and that in a headless browser."""
    from selenium import webdriver

    with _server(folder, python) as url:
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"):
            options.add_argument(each)
        own = shutil.which("chromedriver")  # else selenium looks for one by itself
        service = webdriver.ChromeService(executable_path=own) if own else None
        driver = webdriver.Chrome(options=options, service=service)
        try:
            yield Lab(driver, url, shots)
        finally:
            driver.quit()


@contextlib.contextmanager
def _server(folder: Path, python: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = folder.parent / "home"
    home.mkdir()
    command = [
        *(str(python), "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"),
        *("--ServerApp.ip=127.0.0.1", "--ServerApp.port_retries=0", "--IdentityProvider.token="),
        *(f"--ServerApp.root_dir={folder}", "--LabApp.expose_app_in_browser=True"),
        *("--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"),
    ]
    environment = {**os.environ, "HOME": str(home), "JUPYTER_NO_CONFIG": "1"}
    log = (home / "lab.log").open("wb")
    server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + SECONDS
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}/api", timeout=5).close()
                break
            assert server.poll() is None and time.monotonic() < until, "JupyterLab did not start"
            time.sleep(0.3)
        yield url
    finally:
        server.terminate()
        server.wait()
        log.close()
        shutil.rmtree(home, ignore_errors=True)

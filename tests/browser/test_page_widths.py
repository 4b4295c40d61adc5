"""The kit's own pages in a browser, as wide as a phone and as a desk: nothing is cut or shrunk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.analysis import analyse
from autograder.export.html import write_pages
from autograder.export.lecture_page import report_page
from autograder.results import CheckResult, Results, exercise_result, graded, not_graded

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
DRIVER = shutil.which("chromedriver")
WIDTHS = (390, 1280)
pytestmark = [
    pytest.mark.skipif(BROWSER is None or DRIVER is None, reason="there is no Chromium here"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module", params=WIDTHS, ids=lambda each: f"{each}px")
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A browser with a screen of that width; a narrow one is a phone's."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium drives a browser")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(each)
    screen = {"width": request.param, "height": 800, "pixelRatio": 1}
    options.add_experimental_option("mobileEmulation", {"deviceMetrics": screen})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService(executable_path=DRIVER)
    )
    driver.asked_width = request.param
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def pages(kit: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a class with all exercises, a name of one long word, and odd files."""
    folder = tmp_path_factory.mktemp("pages")

    right = CheckResult("shape", "One row a token", "passed", 1.0, 1.0)
    wrong = CheckResult("values", "Each weight is right", "failed", 0.0, 2.0, "So.", "UNKNOWN")
    told = ["UNKNOWN", "SM-AXIS0"]

    def hand_in(id: str) -> Any:
        parts = [exercise_result(each, [right, wrong], findings=told) for each in kit.ids]
        return graded(id, [f"{id}/softmax.py"], parts, notice=f"{id} was renamed.")

    hand_ins = [hand_in("s1"), hand_in("x" * 200), not_graded("y" * 150, [], "empty", 33.0)]
    results = Results("0.1.0", ("L2", "landlock"), tuple(hand_ins))
    write_pages(results, folder)
    (folder / "report.html").write_text(report_page(analyse(results), "0.1.0"), "utf-8")
    return folder


@pytest.mark.parametrize("name", ["index", "report", "students/s1", "students/xxx*"])
def test_a_page_is_as_wide_as_the_screen(browser: Any, pages: Path, name: str) -> None:
    [path] = pages.glob(f"{name}.html")
    browser.get(path.as_uri())
    script = "document.querySelectorAll('details').forEach(each => each.open = true)"
    browser.execute_script(script)
    wide = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide == [browser.asked_width] * 2

"""What a student's notebook shows must not act in a reader's browser."""

from __future__ import annotations

import pytest

pytest.importorskip("bleach", reason="the course extra is not installed")

from autograder.course import safehtml


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>ok",
        "<SCRIPT src=x></SCRIPT >ok",
        "<img src=x onerror=alert(1)>ok",
        '<a href="javascript:alert(1)">ok</a>',
        "<svg onload=alert(1)>ok</svg>",
        "<iframe src=x></iframe>ok",
        "<form action=x><input></form>ok",
        "<div onclick=alert(1) style='x'>ok</div>",
        "<scr<script>ipt>alert(1)</script>ok",
        "<style>@import 'x'</style>ok",
    ],
)
def test_nothing_that_acts_is_left_in_html(text: str) -> None:
    made = safehtml.html(text).lower()
    assert "ok" in made
    for word in (
        "<script",
        "onerror",
        "javascript:",
        "<svg",
        "<iframe",
        "<form",
        "onclick",
        "@imp",
    ):
        assert word not in made


def test_a_table_stays_a_table() -> None:
    text = '<table border="1" class="dataframe"><thead><tr><th>a</th></tr></thead></table>'
    assert safehtml.html(text) == text


def test_an_output_keeps_a_format_when_only_a_drawing_is_left() -> None:
    shown = {"output_type": "display_data", "data": {"image/svg+xml": "<svg/>"}, "metadata": {}}
    assert safehtml.output(shown)["data"] == {"text/plain": ""}

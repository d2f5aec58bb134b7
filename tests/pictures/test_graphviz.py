"""Tests of drawing by the dot program and by pygraphviz."""

from __future__ import annotations

import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from csp import Variable, record, replay
from csp.base.errors import DrawingError
from csp.picture.layout.layout import layout
from csp.picture.scene import scene
from csp.render.dot import drawing
from csp.render.dot.drawing import draw
from csp.render.dot.graphs import write_graph
from csp.render.painter import Painter
from dsl.cli import main

from ..conftest import ROOT
from .test_render import example, shidoku_frames

needs_program = pytest.mark.skipif(not shutil.which("dot"), reason="the dot program is not on the PATH")


@pytest.fixture(params=[pytest.param("program", marks=needs_program), "wheel"])
def graphviz(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Allow one way to draw and make the other way fail."""

    def raise_error(*_: object) -> None:
        raise DrawingError("the other way")

    if request.param == "wheel":
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(drawing, "by_program", raise_error)
    else:
        monkeypatch.setattr(drawing, "by_wheel", raise_error)
    return str(request.param)


def test_both_ways_draw_every_frame(graphviz: str) -> None:
    painter = Painter(example("shidoku"))
    dots = [painter.dot(frame) for frame in shidoku_frames()]
    pictures = draw(dots)
    assert len(pictures) == len(dots) == len(set(pictures))
    nodes = re.compile(b'class="node(?! (?:part|caption))')
    assert {(len(nodes.findall(p)), p.count(b'class="edge"')) for p in pictures} == {(16, 56)}
    assert draw(dots) == pictures


def test_both_ways_keep_the_distances_between_cells(graphviz: str) -> None:
    model = example("shidoku")
    [picture] = draw([Painter(model).dot(scene(next(replay(record(model)))))])
    texts = dict(re.findall(r">([A-P])</text>.*?<text[^>]* y=\"(-?[\d.]+)\"[^>]*>1</text>", picture.decode(), re.S))
    places = layout(model).points
    for upper, lower in pairwise("AEIM"):
        distance = places[Variable(lower)][1] - places[Variable(upper)][1]
        assert float(texts[lower]) - float(texts[upper]) == pytest.approx(distance, abs=0.2)


def test_both_ways_draw_png_and_trees(graphviz: str) -> None:
    pictures = draw(["graph { a -- b }", "digraph { c -> d }"], "png")
    assert [picture[:4] for picture in pictures] == [b"\x89PNG", b"\x89PNG"]


def test_both_ways_refuse_malformed_graphs(graphviz: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DrawingError, match="has failed"):
        draw(["graph {"])


@pytest.fixture
def folder_without_graphviz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a working folder and hide Graphviz from the program."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", [["draw", "--out", "x"], ["tree", "--out", "x.svg"]])
def test_graph_commands_report_a_missing_graphviz(arguments: list[str], folder_without_graphviz: Path) -> None:
    result = CliRunner().invoke(main, [arguments[0], str(ROOT / "examples" / "shidoku.csp"), *arguments[1:]])
    assert result.exit_code == 2 and result.stderr.startswith("csp: Graphviz is missing")
    assert "install the package pygraphviz" in result.stderr
    assert not [path for path in folder_without_graphviz.rglob("*") if path.is_file()]


@pytest.mark.parametrize("arguments", [["levels", "--out", "x.svg"], ["play", "-o", "x.html"]])
def test_pages_and_levels_need_no_graphviz(arguments: list[str], folder_without_graphviz: Path) -> None:
    result = CliRunner().invoke(main, [arguments[0], str(ROOT / "examples" / "shidoku.csp"), *arguments[1:]])
    assert result.exit_code == 0 and [path.suffix for path in folder_without_graphviz.iterdir()] == [
        Path(arguments[-1]).suffix
    ]


def test_a_broken_program_is_replaced_by_the_wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "dot"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert b"</svg>" in draw(["graph { a }"])[0]


def test_other_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="svg or png or pdf, not as bmp"):
        draw(["graph { a }"], "bmp")
    with pytest.raises(ValueError, match="not as bmp"):
        write_graph(example("shidoku"), "bmp")

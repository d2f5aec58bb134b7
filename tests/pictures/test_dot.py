"""Test the DOT text of pictures, and what Graphviz draws from it."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest

import dsl
from csp import record, replay
from csp.board.widths import text_width
from csp.picture.frames import frames as frames_of
from csp.picture.legend import WHY, legend_caption
from csp.picture.scene import Scene, scene
from csp.picture.shapes import BEHIND, Shape, bounding_box, box, disc
from csp.picture.style import IDLE, combine_styles
from csp.render.dot.dot import MARGIN, common_room, dot
from csp.render.dot.drawing import draw
from csp.render.painter import Painter

from ..plans import plan
from .test_render import example

pytestmark = pytest.mark.sampled(5)


def test_an_asterisk_does_not_move_the_name_of_its_vertex() -> None:
    trace = record(example("shidoku"))
    scenes = [scene(moment) for moment in replay(trace)]
    marked, unmarked = next(candidate for candidate in scenes if "A" in candidate.marked), scenes[0]
    assert "A" not in unmarked.marked
    bold = re.compile(r'<text [^>]* x="([^"]*)" y="([^"]*)"[^>]*font-weight="bold"[^>]*>[A-P]</text>')
    painter = Painter(trace.model)
    room = common_room((drawn.shapes, drawn.caption) for drawn in map(painter.parts, (marked, unmarked)))
    pictures = draw([painter.dot(shown_scene, room) for shown_scene in (marked, unmarked)])
    names = [bold.findall(picture.decode()) for picture in pictures]
    assert len(names[0]) == 16
    for first, second in zip(*names, strict=True):
        assert first == second


def test_dot_has_the_texts_of_the_plan() -> None:
    for name in ("kakuro", "killer", "skyscrapers"):
        trace = record(example(name), nodes=0)
        dot_text = Painter(trace.model, origins=trace.origins).dot(scene(next(replay(trace))))
        texts = [
            unescape(re.sub("<[^>]*>", "", html)) for html in re.findall(r'"mark \d+" \[.*label=<(.*)>, pos', dot_text)
        ]
        assert Counter(texts) == Counter(shape.text for shape in plan(name).shapes if shape.kind == "text")


@pytest.mark.parametrize(
    "shape",
    [disc("ring", (0, 0), 40), disc("bead", (0, 0), 20), box("slot", (0, 0), (60, 60)), box("quad", (0, 0), (9, 9))],
)
def test_an_outline_has_a_pen_in_dot(shape: Shape) -> None:
    look, dot_text = combine_styles(shape.look), dot([shape], "one")
    if shape.layer < BEHIND:
        pen = f"setlinewidth({look['width']:g})"
        outline = "e" if shape.kind == "disc" else "p"
        assert f"c 7 -{look['line']} S {len(pen)} -{pen} S 5 -solid {outline}" in dot_text
        return
    [node] = [line for line in dot_text.splitlines() if '"mark 0"' in line]
    has_default_pen = (look["line"], look["width"]) == (IDLE, 1)
    assert has_default_pen or f'color="{look["line"]}", penwidth={look["width"]:g}' in node
    assert ('style="filled"' in node) == (look["fill"] != "none")


def test_graphviz_reads_a_picture_with_a_long_background() -> None:
    """Draw samurai, whose boxes take more characters than Graphviz reads of one string."""
    model = example("samurai")
    dot_text = Painter(model).dot(Scene(title="", domains=model.domains))
    assert (
        max(map(len, re.findall(r'"[^"]*"', dot_text)))
        <= 16_384
        < len(dot_text.split("_background=")[1].split(",\n")[0])
    )
    assert draw([dot_text])[0].startswith(b"<?xml")


def test_lines_of_a_spec_lie_under_values_in_dot() -> None:
    """Check the order of painting: path, cells, border, values."""
    board = "cell(R, C) in 1..3 :- R in 1..2, C in 1..2.\n"
    lines = "draw line(1, C, C) = green : C in 1..2.\ndraw border(R, C, R) : R in 1..2, C in 1..2."
    model = dsl.loads(board + lines)
    dot_text = Painter(model).dot(Scene(title="", domains=model.domains))
    assert dot_text.count("_background=") == 1 and "outputorder=breadthfirst" in dot_text
    assert dot_text.count('"ink" -- "ink"') == 2, "the borders"
    svg = draw([dot_text])[0].decode()
    path, values = svg.index('stroke="#b2dda8"'), svg.index(">1</text>")
    assert path < svg.index('fill="#ffffff"', path) < svg.index("<title>ink&#45;&#45;ink</title>") < values


def test_texts_lie_over_all_lines_in_dot() -> None:
    """Check a failure: values are over cages and edges, and the badge is over all cells."""
    trace = record(example("kenken"), "arc", nodes=3)
    failed = next(frame for frame in frames_of(trace) if frame.name == "failure")
    svg = draw([Painter(trace.model, origins=trace.origins).dot(failed)])[0].decode()
    lines = [match.start() for match in re.finditer("<title>(ink&#45;&#45;ink|cell[^<]*&#45;&#45;[^<]*)</title>", svg)]
    assert len(lines) > 10 and lines[-1] < svg.index("<text")
    assert svg.rindex("<title>cell(6,6)") < svg.index(">no 3</text>")


def test_the_text_of_a_legend_leaves_room_for_its_sign() -> None:
    sign, words = legend_caption("", [WHY], 300)[-2:]
    (left, _), (right, _) = bounding_box([sign])
    assert right + 1 < bounding_box([words])[0][0] and right - left == 22
    [picture] = draw([dot([box("room", (0, 0), (300, 9))], "", legend_caption("", [WHY], 300))])
    [start] = re.findall(r'text-anchor="start" x="([^"]*)"[^>]*>cause<', picture.decode())
    assert float(start) == pytest.approx(bounding_box([words])[0][0] + MARGIN, abs=1)


@pytest.mark.parametrize("name", ["sudoku", "kenken", "queens", "australia", "zebra"])
def test_graphviz_and_svg_write_the_same_texts_in_the_same_sizes_at_the_same_places(name: str) -> None:
    """Check a round with removals: sizes are equal, and places as good as equal, up to the width of the font."""
    trace = record(example(name), "arc", nodes=5)
    frame = next(frame for frame in frames_of(trace) if frame.name == "round-1")
    painter = Painter(trace.model)
    [by_graphviz] = draw([painter.dot(frame)])
    ours, theirs = texts_of_svg(painter.svg(frame)), texts_of_graphviz(by_graphviz.decode())
    assert len(ours) > 20 and [text[:2] for text in ours] == [text[:2] for text in theirs]
    (_, _, x, y), (_, _, p, q) = ours[0], theirs[0]
    for (words, size, x1, y1), (_, _, x2, y2) in zip(ours, theirs, strict=True):
        assert abs(x1 - x - x2 + p) < 0.02 * size * len(words) + 3 and abs(y1 - y - y2 + q) < 2, words


def texts_of_svg(picture: str) -> list[tuple[str, float, float, float]]:
    """Return the texts of a picture by ``svg.py``, each with its size, its start and its baseline."""
    texts = []
    for attributes, group in re.findall(r"<g([^>]*)>((?:<text.*?</text>)+)</g>", picture):
        size = float(re.search('font-size="([^"]*)"', attributes)[1])  # type: ignore[index]
        for xs, y, content in re.findall(r'<text x="([^"]*)" y="([^"]*)">([^<]*)<', group):
            places, words = xs.split(), unescape(content)
            for x, word in zip(places, words if len(places) > 1 else [words], strict=True):
                width = 0 if 'text-anchor="start"' in attributes else text_width(word, size)
                texts.append((word, size, float(x) - width / 2, float(y)))
    return sorted(texts)


def texts_of_graphviz(picture: str) -> list[tuple[str, float, float, float]]:
    """Return the texts of a picture by Graphviz, each with its size, its start and its baseline."""
    pattern = r'<text [^>]*text-anchor="(\w+)" x="([^"]*)" y="([^"]*)"[^>]*font-size="([^"]*)"[^>]*>([^<]*)<'
    texts = []
    for anchor, x, y, size, content in re.findall(pattern, picture):
        words = unescape(content).replace("\u00a0", " ")
        width = text_width(words, float(size)) if anchor == "middle" else 0
        texts.append((words, float(size), float(x) - width / 2, float(y)))
    return sorted(texts)

"""Both painters of a plan, graphviz and the page, draw the same."""

from __future__ import annotations

import os
import re
from collections import Counter
from html import unescape
from pathlib import Path

from csp import record, replay
from csp.render.dot import Painter
from csp.render.drawing import draw
from csp.render.player import player
from csp.render.scene import scene

from .browser import chromium, opened
from .plans import plan
from .test_render import example

SHOWN = ("kakuro", "killer", "zebra", "queens", "futoshiki", "australia", "skyscrapers", "suguru", "star", "shidoku")
FRAMES = int(os.environ.get("FRAMES", "4"))
"""How many frames are compared; 30 are all."""
CLOSE = 7.0
TEXTS = """(all) => all.map((text) => {
  const box = text.getBBox(), svg = text.ownerSVGElement, at = svg.createSVGPoint();
  [at.x, at.y] = [box.x + box.width / 2, box.y + box.height / 2];
  const { x, y } = at.matrixTransform(svg.getScreenCTM().inverse().multiply(text.getScreenCTM()));
  return [text.textContent, x, y];
})"""
Text = tuple[str, float, float]


def kept(texts: list[Text]) -> list[Text]:
    """Those that are seen; one painter crosses small squares with a letter."""
    return sorted((words.strip(), x, y) for words, x, y in texts if words.strip() not in ("", "×"))


def test_both_painters_draw_the_same(tmp_path: Path) -> None:
    frames = [(name, part) for part in (0.5, 1, 0.15) for name in SHOWN][:FRAMES]
    with chromium() as browser:
        for name in dict.fromkeys(name for name, _ in frames):
            trace = record(example(name), nodes=4)
            moments = list(replay(trace))
            chosen = [round(part * (len(moments) - 1)) for own, part in frames if own == name]
            painter = Painter(trace.model, origins=trace.origins)
            pictures = draw([painter.dot(scene(moments[i])) for i in chosen])
            path = tmp_path / f"{name}.html"
            path.write_text(player(trace), encoding="utf-8")
            for i, picture in zip(chosen, pictures, strict=True):
                drawn = tmp_path / f"{name}-{i}.svg"
                drawn.write_bytes(picture)
                with opened(browser, drawn) as page:
                    static = page.eval_on_selector_all("g.node text", TEXTS)
                with opened(browser, path, f"#event={i}&grain=event") as page:
                    page.wait_for_timeout(50)
                    live = page.eval_on_selector_all("#picture text", TEXTS)
                compare(live, static, f"{name}, moment {i}")


def compare(live: list[Text], static: list[Text], where: str) -> None:
    """The same texts; and, if the middle of all is laid on that of the others, each lies on one of its own."""
    one, other = kept(live), kept(static)
    assert Counter(words for words, _, _ in one) == Counter(words for words, _, _ in other), where
    fixed = [[text for text in texts if text[0] != "*"] for texts in (one, other)]
    dx, dy = (sum(text[i] for text in fixed[0]) - sum(text[i] for text in fixed[1]) for i in (1, 2))
    dx, dy = dx / len(fixed[0]), dy / len(fixed[0])
    for words, x, y in one:
        near = min(max(abs(x - p - dx), abs(y - q - dy)) for also, p, q in other if also == words)
        assert near < CLOSE, f"{where}: {words} is {near:.1f} away"


def test_names_stay_where_they_are_when_the_asterisk_comes() -> None:
    trace = record(example("shidoku"))
    shown = [scene(moment) for moment in replay(trace)]
    marked, other = next(one for one in shown if "A" in one.marked), shown[0]
    assert "A" not in other.marked
    names = []
    for picture in draw([Painter(trace.model).dot(one) for one in (marked, other)]):
        names.append(
            re.findall(r'<text [^>]* x="[^"]*" y="[^"]*"[^>]*font-weight="bold"[^>]*>[A-P]</text>', picture.decode())
        )
    assert len(names[0]) == 16 and names[0] == names[1]


def test_texts_are_those_of_the_plan() -> None:
    for name in ("kakuro", "killer", "skyscrapers"):
        trace = record(example(name), nodes=0)
        text = Painter(trace.model, origins=trace.origins).dot(scene(next(replay(trace))))
        written = [
            unescape(re.sub("<[^>]*>", "", found)) for found in re.findall(r'"mark \d+" \[.*label=<(.*)>, pos', text)
        ]
        assert Counter(written) == Counter(mark.text for mark in plan(name).marks if mark.shape == "text")

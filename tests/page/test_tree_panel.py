"""Test the panel of the search tree on the page: its size, its signs, and how much it draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from csp import record
from csp.render import player
from csp.render.page.film import film

from ..browser import opened
from ..commands import EXAMPLES
from ..trace.test_tree import mycielski
from .test_player import example

pytestmark = pytest.mark.sampled(5)

NODES = "#tree .node"
RECORDED, ALL = 400, 20_000
"""Number of decisions that are recorded, and of all."""


@pytest.fixture(scope="module")
def large_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page of a search with 20,000 decisions."""
    path = tmp_path_factory.mktemp("tree") / "large.html"
    trace = record(mycielski(6), "arc", nodes=RECORDED, counted=ALL - RECORDED)
    path.write_text(player(trace, "", "large", ""), encoding="utf-8")
    return path


def test_the_data_of_a_search_of_20000_nodes_are_bounded(large_page: Path) -> None:
    data = film(record(mycielski(6), "arc", nodes=20, counted=ALL - 20))
    assert f"counted, not recorded: {ALL - 20:,} further nodes" in data["records"][-1]["text"]
    assert len(data["trees"][0]["nodes"]) < 150 and len(data["trees"][1]["nodes"]) < 60
    assert large_page.stat().st_size < 600_000


def test_a_search_of_20000_nodes_is_drawn_in_its_panel(browser: Any, large_page: Path) -> None:
    with opened(browser, large_page) as page:
        assert page.get_attribute("#collapse", "aria-pressed") == "true", "failed subtrees are collapsed"
        # The whole tree is in its panel, and its legend has the signs that it uses.
        tree, panel = (page.locator(place).bounding_box() for place in ("#tree svg", "#tree"))
        assert panel["x"] <= tree["x"] and tree["x"] + tree["width"] <= panel["x"] + panel["width"] + 1
        assert tree["height"] <= panel["height"] + 1 and page.is_hidden("#map")
        assert 8 < page.locator(NODES).count() == page.evaluate("player.tree.nodes.length") < 60
        kinds = page.evaluate("new Set(player.tree.nodes.map(({kind}) => kind)).size")
        assert page.locator("#tree-legend li").count() == kinds > 3
        # The nodes of a small tree have no numbers, and neither have the samples.
        page.evaluate("player.tree.svg.classList.add('small')")
        assert page.locator("#tree-legend text:visible").count() == page.locator(f"{NODES} text:visible").count() == 0
        page.evaluate("player.tree.svg.classList.remove('small')")
        assert page.locator("#tree-legend text:visible").count() > 0 < page.locator(f"{NODES} text:visible").count()
        # The counted nodes lead to the record that counts them.
        page.evaluate("player.tree.open(player.tree.nodes.findLastIndex(({kind}) => kind !== 'untried'))")
        assert "further nodes" in page.inner_text("#caption")


def test_many_nodes_in_view_are_dots_that_answer_a_click(browser: Any, large_page: Path) -> None:
    with opened(browser, large_page) as page:
        page.hover("#tree-panel")
        page.click("#collapse")
        nodes = page.evaluate("player.tree.nodes.length")
        assert nodes > RECORDED and page.locator(NODES).count() == 1, "only the focused node has a shape"
        for i in (nodes // 3, nodes // 2):
            x, y, first = page.evaluate(
                f"""(({{x, y, first}}, {{left, top}}, {{box, scale}}) => (
                [left + (x - box[0]) * scale, top + (y - box[1]) * scale, first]))(
                player.tree.nodes[{i}], player.tree.svg.getBoundingClientRect(), player.tree)"""
            )
            page.mouse.click(x, y)
            present = page.evaluate("player.tree.nodes[player.tree.present]")
            assert abs(present["x"] - page.evaluate(f"player.tree.nodes[{i}].x")) < 500 and first
        # A larger tree has shapes for the nodes in view only.
        page.click("#tree-large")
        for _ in range(12):
            page.click("#tree-larger")
        assert 2 < page.locator(NODES).count() <= 301 and page.is_visible("#map")
        page.click("#tree-fit")
        assert page.locator(NODES).count() == 1 and page.is_hidden("#map")


def test_a_far_click_applies_few_records(browser: Any, large_page: Path) -> None:
    script = """() => {
      const { film } = player, { data: { records }, end } = film, state = () => JSON.stringify(film.copyState());
      // Record the states on a way of small steps, which needs no snapshot.
      const states = records.map((_, i) => { film.seek(i + 1); return state(); });
      let applied = 0;
      film.data.records = new Proxy(records, { get: (all, i) => { applied += /^\\d+$/.test(i); return all[i]; } });
      const { width } = film, differs = (v, old, name) => old[name][v] !== film[name][v];
      const hasChanged = (v, old) => differs(v, old, "marked") || differs(v, old, "pencil")
        || film.data.vertices[v].domain.some((value) => differs(v * width + value, old, "alive"));
      return [[0.99, 0.01, 0.6, 0.3, 1, 0.2, 0.9].map((share) => {
        const before = applied, to = Math.floor(share * end), old = film.copyState(), touched = film.seek(to);
        const isExact = film.data.vertices.every((_, v) => touched.has(v) === hasChanged(v, old));
        return [applied - before, isExact && state() === states[to - 1]];
      }), end];
    }"""
    with opened(browser, large_page) as page:
        seeks, end = page.evaluate(script)
        assert end > 3 * 2048, "the film has several snapshots"
        assert all(is_right for _, is_right in seeks)
        assert max(applied for applied, _ in seeks) <= 1024 < end / 4


def test_the_large_view_covers_the_picture_and_keeps_the_buttons(browser: Any, large_page: Path) -> None:
    def settled_width(page: Any) -> float:
        """Return the width of the tree after the next frames."""
        two_frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        page.evaluate(two_frames)
        return float(page.evaluate("player.tree.svg.getBoundingClientRect().width"))

    with opened(browser, large_page) as page:
        page.hover("#tree-panel")
        small = settled_width(page)
        page.click("#tree-large")
        assert settled_width(page) > 1.5 * small
        panel, deck = (page.locator(place).bounding_box() for place in ("#tree-panel", ".deck .buttons"))
        assert panel["width"] > 1200 and panel["y"] + panel["height"] <= deck["y"]
        page.click("#tree-large")
        assert settled_width(page) < 1.1 * small


IS_WHOLE = """[...document.querySelectorAll("#tree .node .shape")].map((shape) => {
  const panel = document.querySelector("#tree").getBoundingClientRect(), node = shape.getBoundingClientRect();
  return panel.left <= node.left && node.right <= panel.right && panel.top <= node.top && node.bottom <= panel.bottom;
})"""


@pytest.mark.parametrize("name", ["star_battle", "heyawake"])
def test_the_whole_tree_is_in_its_panel_at_first(browser: Any, tmp_path: Path, name: str) -> None:
    path, spec = tmp_path / "tree.html", (EXAMPLES / f"{name}.csp").read_text(encoding="utf-8")
    path.write_text(player(record(example(name), nodes=100), spec), encoding="utf-8")
    with opened(browser, path) as page:
        assert page.evaluate("player.tree.scale") < 0.45, "the shapes are enlarged"
        shapes = page.evaluate(IS_WHOLE)
        assert all(shapes) and len(shapes) > 8


def test_a_node_is_drawn_as_a_branching_before_its_end(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "queens.html"
    trace = record(example("queens"), "arc", nodes=None)
    path.write_text(player(trace), encoding="utf-8")
    tree = film(trace)["trees"][0]["nodes"]
    number, failure = next((i, node) for i, node in enumerate(tree) if node["kind"] == "failure")
    with opened(browser, path) as page:
        kinds = [node["kind"] for node in tree]
        assert page.locator(f"{NODES}.failure").count() == kinds.count("failure"), "later nodes show their outcomes"
        for position, kind in ((failure["last"], "branching"), (failure["last"] + 1, "failure")):
            page.evaluate(f"player.seek({position})")
            shape = page.locator(f"{NODES}[data-i='{number}']")
            assert kind in shape.get_attribute("class") and "now" in shape.get_attribute("class")
            assert shape.locator(".shape").evaluate("(shape) => shape.tagName") == (
                "rect" if kind == "failure" else "circle"
            )
        page.evaluate("player.seek(player.film.end)")
        assert page.locator(f"{NODES}.failure").count() == kinds.count("failure") > 1
        assert page.locator(f"{NODES}.solution").count() == kinds.count("solution") == 1

"""Pictures, checked as text: what is drawn where, and that the same trace gives the same bytes."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import networkx as nx
import pytest

import csp
import dsl
from csp import AllDifferent, Model, Variable
from csp.moments import replay
from csp.network import network, primal
from csp.recorder import record
from csp.records import Removal
from csp.render import drawing
from csp.render.dot import ACTIVE, MARKED, REMOVED, Painter, dot, scene
from csp.render.drawing import DrawingError, draw
from csp.render.frames import Frame, frames, write_frames
from csp.render.graphs import write_graph
from csp.render.grid import grid_gaps, grid_places
from csp.render.layout import FEW, layout, positions

from .conftest import ROOT

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
VERTEX = re.compile(r'^  ("[^"]*") \[(.*)\];$', re.MULTILINE)
EDGE = re.compile(r'^  ("[^"]*") -- ("[^"]*") \[(.*)\];$', re.MULTILINE)
PLACE = re.compile(r'pos="([^"]*)"')

no_program = pytest.mark.skipif(not shutil.which("dot"), reason="the dot program is not on the PATH")


@pytest.fixture(params=[pytest.param("program", marks=no_program), "wheel"])
def graphviz(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Either way to draw, and no way to take the other."""

    def wrong(*_: object) -> None:
        raise DrawingError("the other way")

    if request.param == "wheel":
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(drawing, "_by_program", wrong)
    else:
        monkeypatch.setattr(drawing, "_by_wheel", wrong)
    return str(request.param)


def example(name: str, **options: object) -> Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", **options)  # type: ignore[arg-type]


def shidoku_frames() -> list[Frame]:
    return list(frames(record(example("shidoku"), nodes=None)))


def vertices(text: str) -> dict[str, str]:
    """Name and attributes of every vertex that is a variable."""
    found = {name[1:-1]: attributes for name, attributes in VERTEX.findall(text)}
    return {name: attributes for name, attributes in found.items() if not name.startswith("index ")}


def test_the_article_is_a_grid() -> None:
    places = positions(example("shidoku"))
    xs, ys = sorted({x for x, _ in places.values()}), sorted({y for _, y in places.values()})
    assert len(xs) == len(ys) == 4
    for i, name in enumerate("ABCDEFGHIJKLMNOP"):
        assert places[Variable(name)] == (xs[i % 4], ys[i // 4])
    assert xs[2] - xs[1] > xs[1] - xs[0] == xs[3] - xs[2], "a gap between the boxes"


def test_positions_never_move() -> None:
    painter = Painter(example("shidoku"))
    texts = [painter.dot(frame) for frame in shidoku_frames()]
    assert len({tuple(PLACE.findall(text)) for text in texts}) == 1 < len(set(texts))


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "queens", "money", "australia", "states", "latin"])
def test_nothing_lies_on_top_of_anything(name: str) -> None:
    picture = layout(example(name))
    assert set(picture.points) == set(example(name).domains)
    for (one, (x, y)), (other, (p, q)) in combinations(picture.points.items(), 2):
        wide, high = ((a + b) / 2 for a, b in zip(picture.size(one), picture.size(other), strict=True))
        assert abs(x - p) >= wide - 1 or abs(y - q) >= high - 1, (one, other)


def test_one_variable_and_none() -> None:
    assert positions(Model({})) == {}
    assert positions(Model({"A": (1,)})) == {"A": (0.0, 0.0)}
    for model in (Model({}), Model({"A": (1,)})):
        assert len(draw([dot(model, next(replay(record(model))))])) == 1


@pytest.mark.parametrize(
    ("name", "params", "gaps"),
    [
        ("shidoku", {}, ({1}, {1})),
        ("sudoku", {}, ({2, 5}, {2, 5})),
        ("sudoku", {"rows": 2, "cols": 3}, ({1, 3}, {2})),
        ("latin", {}, (set(), set())),
    ],
)
def test_box_gaps(name: str, params: dict[str, int], gaps: tuple[set[int], set[int]]) -> None:
    model = example(name, params=params, grids={"clue": ""} if params else {})
    assert grid_gaps(model, model.domains) == gaps


def test_families_stand_side_by_side_and_rows_alone_make_no_grid() -> None:
    places = positions(Model({Variable(f, r, c): (1, 2) for f in "ab" for r in range(5) for c in range(5)}))
    reach = {f: [x for v, (x, _) in places.items() if v.family == f] for f in "ab"}
    assert max(reach["a"]) < min(reach["b"])
    model = Model({v: range(3) for v in "ABCDEFGHI"}, map(AllDifferent.of, ["ABC", "DEF", "GHI"]))
    assert grid_places(model, model.domains) == {}


def test_a_box_across_a_border_closes_the_gap() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(4) for c in range(4)}
    corners = [(0, 0), (0, 2), (2, 0), (2, 2)]

    def gaps(corners: list[tuple[int, int]]) -> tuple[frozenset[int], frozenset[int]]:
        boxes = [[cell[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r, c in corners]
        model = Model({v: range(4) for v in cell.values()}, map(AllDifferent.of, boxes))
        return grid_gaps(model, model.domains)

    assert gaps(corners) == ({1}, {1})
    assert gaps([*corners, (1, 0)]) == (set(), {1})


def test_the_article_has_sixteen_vertices_and_fifty_six_edges() -> None:
    model = example("shidoku")
    texts = [dot(model, moment) for moment in replay(record(model))]
    assert {(len(vertices(text)), len(EDGE.findall(text))) for text in texts} == {(16, 56)}


def test_edges_do_not_run_through_vertices() -> None:
    model = example("shidoku")
    picture = layout(model)
    text = dot(model, next(replay(record(model))))
    for one, other, rest in EDGE.findall(text):
        points = [tuple(map(float, point.split(","))) for point in PLACE.search(rest)[1].split()]  # type: ignore[index]
        for step in range(101):
            t = step / 100
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(w * p[i] for w, p in zip(weights, points, strict=True)) for i in (0, 1))
            for variable, (p, q) in picture.points.items():
                if variable not in (one[1:-1], other[1:-1]):
                    wide, high = picture.size(variable)
                    assert abs(x - p) > wide / 2 or abs(y + q) > high / 2, (one, other, variable)


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "money"])
def test_marks_are_asterisks_and_removed_values_are_struck_out(name: str) -> None:
    model = example(name)
    painter = Painter(model)
    seen = 0
    for moment in replay(record(model, nodes=None)):
        shown = scene(moment)
        removed = Counter(variable for variable, _ in shown.removed)
        for variable, rest in vertices(painter.dot(shown)).items():
            assert ("<B>*</B>" in rest) == (variable in moment.marked), variable
            assert rest.count("<S>") == removed[variable], variable
            assert (REMOVED in rest) == (variable in removed), variable
            assert (ACTIVE in rest) == (variable in shown.active), variable
            seen += variable in moment.marked
    assert seen


def test_states_have_their_colours() -> None:
    model = example("shidoku")
    moments = list(replay(record(model)))
    fixed = next(m for m in moments if isinstance(m.record, Removal) and m.record.kind == "fixed")
    drawn = vertices(dot(model, fixed))
    assert ACTIVE in drawn["A"] and "penwidth=4" not in drawn["A"]
    assert ACTIVE in drawn["C"] and "penwidth=4" in drawn["C"], "C = 4 is the cause"
    assert ACTIVE not in drawn["F"] and f'color="{MARKED}", penwidth' in drawn["F"]
    assert "penwidth" not in drawn["P"]
    black = [edge for edge in EDGE.findall(dot(model, fixed)) if "#000000" in edge[2]]
    assert len(black) == 6, "the edges of the active group"


def test_a_fixed_vertex_shows_its_value_and_the_others_keep_their_holes() -> None:
    model = example("shidoku")
    *_, fixpoint = frames(record(model))
    drawn = vertices(Painter(model).dot(fixpoint))
    for variable, (value,) in fixpoint.domains.items():
        assert f"<B>{value}</B>" in drawn[variable]
        assert drawn[variable].count("<TD") == 2
    holes = vertices(Painter(model).dot(shidoku_frames()[3]))["H"]
    cells = re.findall(r'HEIGHT="21"[^>]*>(.*?)</TD>', holes)
    assert [re.sub("<[^>]*>", "", cell) for cell in cells] == ["1", "", "3", ""]


def test_a_big_grid_has_cells_and_no_edges() -> None:
    model = example("sudoku")
    assert len(model.domains) > FEW
    text = Painter(model).dot(list(frames(record(model)))[2])
    assert len(vertices(text)) == 81
    assert not EDGE.findall(text)
    bigger = example("sudoku", params={"box": 4}, grids={"clue": ""})
    text = dot(bigger, next(replay(record(bigger))))
    assert all("·16·" in rest for rest in vertices(text).values())


def test_odd_labels_survive() -> None:
    odd = 'a "b" <c> & \\ d'
    model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label=odd)])
    trace = record(model)
    texts = [dot(model, moment) for moment in replay(trace)]
    assert any("&lt;c&gt; &amp;" in text for text in texts)
    assert len(draw(texts)) == len(texts)
    assert all(draw([write_graph(model, "dot", primal)])[0] for primal in (False, True))


def test_frames_of_the_article() -> None:
    trace = record(example("shidoku"))
    own = list(frames(trace))
    assert [frame.name for frame in own] == ["network", "givens", "round-1", "round-2", "fixpoint"]
    assert [frame.number for frame in own] == [0, 1, 2, 3, 4]
    assert set(own[1].marked) == set("CFKN") == {variable for variable, _ in own[1].removed}
    assert set(own[2].causes) == set("CFKN")
    everything = [candidate for record in trace.records if isinstance(record, Removal) for candidate in record.removed]
    assert [candidate for frame in own for candidate in frame.removed] == everything


def test_frames_agree_with_the_engine() -> None:
    model = example("sudoku", grids={"clue": HARD})
    own = list(frames(record(model, nodes=None)))
    root = next(frame for frame in own if frame.name == "fixpoint")
    assert dict(root.domains) == dict(csp.propagate(model).domains)
    assert own[-1].name == "solution"
    assert {v: domain[0] for v, domain in own[-1].domains.items()} == next(iter(csp.Solver(model).solutions()))
    names = {frame.name.rstrip("0123456789") for frame in own}
    assert names == {"network", "givens", "round-", "fixpoint", "decision-", "failure", "solution"}


def test_every_decision_ends_and_every_failure_is_seen() -> None:
    own = list(frames(record(example("queens"), nodes=None)))
    for decision, end in zip(own[2::2], own[3::2], strict=True):
        assert decision.name.startswith("decision-") and decision.active
        assert end.name in ("fixpoint", "failure", "solution")
        assert (end.name == "failure") == bool(end.active)


def test_independent_parts_end_in_one_solution() -> None:
    model = dsl.loads("A, B, C, D in 1..2.  A != B.  C != D.")
    own = list(frames(record(model, nodes=None)))
    assert [frame.name for frame in own].count("solution") == 1
    assert all(len(domain) == 1 for domain in own[-1].domains.values())


def test_files_are_numbered_and_whole(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "er"
    written = write_frames(record(example("shidoku")), folder, ("svg", "png"))
    assert [path.name for path in written[2:4]] == ["000-network.png", "001-givens.dot"]
    assert sorted(folder.iterdir()) == sorted(written), "nothing else is left behind"
    assert written.omitted == 0
    for path in written:
        content = path.read_bytes()
        match path.suffix:
            case ".svg":
                assert content.startswith(b"<?xml") and content.rstrip().endswith(b"</svg>")
                assert content.count(b'class="node"') == 16
            case ".png":
                assert content.startswith(b"\x89PNG") and content.endswith(b"IEND\xaeB`\x82")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = record(example("shidoku"))
    first = write_frames(trace, tmp_path, ())[0]
    first.write_text("old")

    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_frames(trace, tmp_path, ())
    assert first.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 5


def test_the_limit_is_told(tmp_path: Path) -> None:
    written = write_frames(record(example("shidoku")), tmp_path, (), limit=2)
    assert [path.name for path in written] == ["000-network.dot", "001-givens.dot"]
    assert written.omitted == 3


def test_hash_seeds_change_no_byte(tmp_path: Path) -> None:
    code = (
        "import sys, dsl; from pathlib import Path; from csp import record\n"
        "from csp.render.frames import write_frames; from csp.render.graphs import write_graph\n"
        "for name in ('shidoku', 'states', 'money', 'australia'):\n"
        "    model = dsl.load(f'examples/{name}.csp')\n"
        "    write_frames(record(model, nodes=3), Path(sys.argv[1]) / name, ('svg',), 8)\n"
        "    for form in ('dot', 'graphml', 'json'):\n"
        "        (Path(sys.argv[1]) / name / f'graph.{form}').write_text(write_graph(model, form, form == 'json'))\n"
    )
    told = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", code, folder], check=True, cwd=ROOT, env=environment)
        told.append({str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()})
    assert len(told[0]) > 30
    assert told[0] == told[1]


def test_both_ways_draw_every_frame_in_time(graphviz: str) -> None:
    painter = Painter(example("shidoku"))
    dots = [painter.dot(frame) for frame in shidoku_frames()]
    begin = time.perf_counter()
    pictures = draw(dots)
    assert time.perf_counter() - begin < 2
    assert len(pictures) == len(dots) == len(set(pictures))
    assert {(p.count(b'class="node"'), p.count(b'class="edge"')) for p in pictures} == {(16, 56)}
    assert draw(dots) == pictures


def test_both_ways_keep_the_places(graphviz: str) -> None:
    model = example("shidoku")
    [picture] = draw([dot(model, next(replay(record(model))))])
    texts = dict(re.findall(r">([A-P])</text>.*?<text[^>]* y=\"(-?[\d.]+)\"[^>]*>1</text>", picture.decode(), re.S))
    places = positions(model)
    for one, other in pairwise("AEIM"):
        apart = places[Variable(other)][1] - places[Variable(one)][1]
        assert float(texts[other]) - float(texts[one]) == pytest.approx(apart, abs=0.2)


def test_both_ways_draw_png_and_trees(graphviz: str) -> None:
    pictures = draw(["graph { a -- b }", "digraph { c -> d }"], "png")
    assert [picture[:4] for picture in pictures] == [b"\x89PNG", b"\x89PNG"]


def test_both_ways_refuse_nonsense(graphviz: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DrawingError, match="has failed"):
        draw(["graph {"])


def test_no_graphviz_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(DrawingError, match="install the package pygraphviz"):
        draw(["graph { a }"])


def test_a_broken_program_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "dot"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert b"</svg>" in draw(["graph { a }"])[0]


@pytest.mark.parametrize("only_variables", [False, True])
@pytest.mark.parametrize("name", ["shidoku", "money", "states"])
def test_graphs_read_back(name: str, only_variables: bool) -> None:
    model = example(name)
    whole = primal(network(model)) if only_variables else network(model)
    pygraphviz = pytest.importorskip("pygraphviz")
    read = {
        "graphml": nx.read_graphml(io.BytesIO(write_graph(model, "graphml", only_variables).encode())),
        "json": nx.node_link_graph(json.loads(write_graph(model, "json", only_variables)), edges="edges"),
        "dot": nx.nx_agraph.from_agraph(pygraphviz.AGraph(string=write_graph(model, "dot", only_variables))),
    }
    for graph in read.values():
        assert len(graph) == len(whole)
        assert graph.number_of_edges() == whole.number_of_edges()
        for variable, domain in model.domains.items():
            assert graph.nodes[variable]["kind"] == "variable"
            assert graph.nodes[variable]["domain"].split() == list(map(str, domain))
        if not only_variables:
            for number, constraint in enumerate(model.constraints):
                data = graph.nodes[f"constraint {number}"]
                assert (data["kind"], data["spec"]) == (type(constraint).__name__, str(constraint))
                assert (data["label"], int(data["line"])) == (constraint.name, constraint.line)
    assert {frozenset(edge) for edge in read["json"].edges} == {frozenset(edge) for edge in read["dot"].edges}


def test_edges_of_the_primal_graph_name_their_constraints() -> None:
    graph = json.loads(write_graph(example("shidoku"), "json", primal=True))
    first = next(edge for edge in graph["edges"] if {edge["source"], edge["target"]} == {"A", "B"})
    assert first["constraints"] == "row 1; box 1"


def test_other_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="svg or png, not as bmp"):
        draw(["graph { a }"], "bmp")
    with pytest.raises(ValueError, match="not as gexf"):
        write_graph(example("shidoku"), "gexf")

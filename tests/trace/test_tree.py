"""Test the search tree: its records, its shape and its drawing."""

from __future__ import annotations

import random
import re
from itertools import combinations, pairwise
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner, Result

import csp
import dsl
from csp import AllDifferent, Model, Trace, Variable, record, replay
from csp.board.widths import text_width
from csp.picture.shapes import Shape, bounding_box
from csp.picture.style import WIDER
from csp.picture.tree import SHAPES, SHOWN, node_shapes, tree_picture
from csp.render.dot.dot import quote, tree_dot
from csp.render.page.film import film
from csp.trace import (
    Counted,
    Decision,
    Failure,
    Node,
    Part,
    Rest,
    Restart,
    SearchTree,
    Solved,
    fold_chains,
    headline,
    search_tree,
    was_cut,
    with_solution,
)
from dsl.cli import main

from ..commands import HARD
from ..conftest import ROOT
from ..pictures.test_render import example

PARTS = "A, B, C, D in 1..2.  E, F, G in 1..3.  A != B.  C != D.  E != F.  F != G."


def mycielski(n: int) -> Model:
    """Return the colouring of a triangle-free graph with one colour too few.

    Only a search proves that there is no solution.
    """
    graph = nx.mycielski_graph(n)
    return Model({f"v{i}": range(n - 1) for i in graph}, [AllDifferent.of((f"v{i}", f"v{j}")) for i, j in graph.edges])


HARD_MODEL = example("sudoku", grids={"clue": HARD})
TRACES = {
    "queens": lambda: record(example("queens"), nodes=None),
    "hard": lambda: record(example("sudoku", grids={"clue": HARD}), nodes=None),
    "reached": lambda: with_solution(record(HARD_MODEL, nodes=5), HARD_MODEL),
    "no solution": lambda: record(mycielski(4), "arc", nodes=None),
    "restarts": lambda: record(mycielski(5), "arc", nodes=600),
    "cut": lambda: record(example("sudoku", params={"box": 3}, grids={"clue": ""}), nodes=5),
    "propagated": lambda: record(example("shidoku")),
    "parts": lambda: record(dsl.loads(PARTS), nodes=None),
    "a part fails": lambda: record(dsl.loads("A, B, C, D, E in 1..2.  A != B.  C != D. D != E. C != E."), nodes=None),
    "nothing": lambda: Trace(Model({}), ()),
}


COUNTED = {
    "solution": (lambda: HARD_MODEL, 5, None),
    "parts": (lambda: dsl.loads(PARTS), 1, None),
    "no solution": (lambda: mycielski(4), 3, None),
    "limit": (lambda: mycielski(6), 50, 300),
    "restarts": (lambda: mycielski(5), 50, 600),
}
"""Models, with the number of decisions that are recorded, and the number of all that are counted."""


@pytest.fixture(scope="module", params=TRACES)
def trace(request: pytest.FixtureRequest) -> Trace:
    return TRACES[request.param]()


def test_every_record_has_its_node(trace: Trace) -> None:
    tree = search_tree(trace)
    for node in tree.nodes:
        for i in range(node.first, node.last + 1):
            event = trace.records[i]
            assert getattr(event, "node", node.number) == node.number
            assert tree.at(i) == node.index
    spans = [(node.first, node.last) for node in tree.nodes]
    assert spans[0][0] == 0 and spans[-1][1] == len(trace.records) - 1
    assert all(last + 1 == first for (_, last), (first, _) in pairwise(spans))


def test_the_tree_agrees_with_the_records(trace: Trace) -> None:
    tree = search_tree(trace)
    counts = {kind: sum(node.kind == kind for node in tree.nodes) for kind in ("restart", "part", "failure")}
    for kind, record_kind in (("restart", Restart), ("part", Part), ("failure", Failure)):
        assert counts[kind] == sum(isinstance(event, record_kind) for event in trace.records)
    decisions = [event for event in trace.records if isinstance(event, Decision)]
    branches = [node for node in tree.nodes if node.branch]
    assert [(event.node, event.candidate) for event in decisions] == [(node.number, node.branch) for node in branches]
    for node, event in zip(branches, decisions, strict=True):
        assert node.parent is not None and tree.nodes[node.parent].number == event.parent
        assert node.edge == "{} = {}".format(*event.candidate)
    for node in tree.nodes:
        outcomes = [
            event for event in trace.records[node.first : node.last + 1] if isinstance(event, Failure | Solved | Rest)
        ]
        if outcomes:
            assert node.outcome == headline(outcomes[-1])
        if node.kind == "failure":
            assert not tree.children[node.index]


def test_a_child_begins_with_the_domains_of_its_parent(trace: Trace) -> None:
    tree = search_tree(trace)
    moments = list(replay(trace))
    for node in tree.nodes[1:]:
        assert node.parent is not None
        if node.kind == "reached":  # it begins with the solution
            continue
        first = moments[node.first + 1]
        last = moments[tree.nodes[node.parent].last + 1]
        assert first.domains == last.domains


def test_the_path_ends_in_the_solution() -> None:
    for name in ("queens", "hard", "parts"):
        tree = search_tree(TRACES[name]())
        assert tree.nodes[tree.path[-1]].kind == "solution" and tree.path[0] == 0
        assert tree.nodes[tree.path[-1]].outcome == "solved"
    for name in ("no solution", "a part fails"):
        assert search_tree(TRACES[name]()).nodes[-1].kind == "failure"
    assert search_tree(TRACES["propagated"]()).nodes[0].kind == "solution"
    assert search_tree(TRACES["cut"]()).nodes[-1].kind == "open"


def test_a_cut_off_trace_ends_with_the_solution_found_later() -> None:
    trace = TRACES["reached"]()
    *_, last = replay(trace)
    assert {variable: value for variable, (value,) in last.domains.items()} == csp.solve(HARD_MODEL)
    tree = search_tree(trace)
    assert (tree.nodes[-1].kind, tree.path) == ("reached", (0, len(tree.nodes) - 1))
    collapsed = [node.outcome for node in tree.collapse().nodes if node.kind == "collapsed"]
    assert collapsed == ["not recorded to its end · 0 failures in 5 nodes"]


def test_restarts_hang_below_the_root_with_their_runs() -> None:
    tree = search_tree(TRACES["restarts"]())
    restarts = [node for node in tree.nodes if node.kind == "restart"]
    assert len(restarts) >= 2 and {node.parent for node in restarts} == {0}
    assert all(tree.children[node.index] for node in restarts)
    collapsed = tree.collapse()
    for node, following in pairwise(collapsed.nodes):
        if node.kind == "collapsed":
            assert node.outcome.startswith("left at a restart") == (following.first in (r.first for r in restarts))


def test_each_part_hangs_below_the_last_part() -> None:
    tree = search_tree(TRACES["parts"]())
    parts = [node for node in tree.nodes if node.kind == "part"]
    assert len(parts) == 2
    for node in parts:
        assert node.parent == node.index - 1 and tree.nodes[node.parent].kind == "solution"
    assert [node.outcome[:6] for node in parts] == ["part 2", "part 3"]
    assert len({node.index for node in tree.nodes if node.kind == "solution"}) == 3


def test_collapsing_loses_no_node_and_no_failure(trace: Trace) -> None:
    tree = search_tree(trace)
    collapsed = tree.collapse()
    for count in ("nodes", "failures"):
        assert sum(getattr(node, count) for node in collapsed.nodes) == sum(getattr(node, count) for node in tree.nodes)
    assert collapsed.nodes[-1].last == len(trace.records) - 1
    assert all(node.index == i for i, node in enumerate(collapsed.nodes))
    assert [collapsed.nodes[i].number for i in collapsed.path] == [tree.nodes[i].number for i in tree.path]
    on_path = set(collapsed.path)
    for node in collapsed.nodes:
        assert (node.kind == "collapsed") == (node.nodes > 1)
        assert not (collapsed.children[node.index] and node.index not in on_path)
        if node.kind == "collapsed":
            inside = trace.records[node.first : node.last + 1]
            assert not any(isinstance(event, Solved) for event in inside)
            assert node.failures == sum(isinstance(event, Failure) for event in inside)
            assert node.failures or node.outcome.startswith("not recorded to its end")
            assert str(node.failures) in node.outcome


@pytest.mark.parametrize("name", COUNTED)
def test_a_counted_search_has_the_counts_and_the_path_of_a_recorded_one(name: str) -> None:
    make_model, full, limit = COUNTED[name]
    model = make_model()
    counted = record(model, "arc", nodes=full, counted=10_000 if limit is None else limit - full)
    whole = record(model, "arc", nodes=limit)
    small_tree, whole_tree = (search_tree(trace).collapse() for trace in (counted, whole))
    [rest] = [event for event in counted.records if isinstance(event, Counted)]
    # The costs and the path are the same; counted runs have no node for their restart.
    restarts = sum(isinstance(event, Restart) for event in whole.records)
    nodes, failures = whole_tree.costs()[0]
    assert small_tree.costs()[0] == (nodes - restarts, failures) and (restarts > 1) == (name == "restarts")
    assert rest.nodes == nodes - restarts - sum(isinstance(event, Decision | Part) for event in counted.records) - 1
    assert rest.is_over == (limit is None) and was_cut(counted, full) == (limit is not None)
    if name != "no solution":
        path, whole_path = ([tree.nodes[i].branch for i in tree.path] for tree in (small_tree, whole_tree))
        assert [decision for decision in whole_path if decision] == [decision for decision in path if decision]
    if name in ("solution", "parts"):
        assert [*replay(counted)][-1].domains == [*replay(whole)][-1].domains
    assert len(small_tree.nodes) < 60, "a counted tree has a path and the subtrees beside it"


def test_the_picture_of_a_counted_search_is_that_of_a_recorded_one() -> None:
    counted, whole = record(HARD_MODEL, nodes=5, counted=1000), record(HARD_MODEL, nodes=None)
    titles = [tree_picture(trace)[0] for trace in (counted, whole)]
    assert titles[0] == titles[1] == "the search until the first solution · 22 nodes · 9 failures"
    caption = [*counted.captions()][-2]
    assert caption == "counted, not recorded: 16 further nodes, 9 failures, 8 decisions deep"


def check_places(tree: SearchTree) -> None:
    """Check that parents are centred and nodes of a row are apart."""
    places = tree.places()
    assert min(x for x, _ in places) == 0
    rows: dict[int, list[float]] = {}
    for (x, y), node, below in zip(places, tree.nodes, tree.children, strict=True):
        assert y == (0 if node.parent is None else places[node.parent][1] + 1)
        rows.setdefault(y, []).append(x)
        if below:
            assert [places[i][0] for i in below] == sorted(places[i][0] for i in below)
            assert x == pytest.approx((places[below[0]][0] + places[below[-1]][0]) / 2)
    for row in rows.values():
        assert all(b - a >= 1 - 1e-9 for a, b in combinations(sorted(row), 2))


def test_places_of_recorded_trees_are_ordered_and_do_not_overlap(trace: Trace) -> None:
    tree = search_tree(trace)
    check_places(tree)
    check_places(tree.collapse())


def test_places_of_random_trees_are_ordered_and_do_not_overlap() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        stack, nodes = [0], [Node(0, None, 0, "branching", 0, 0, None, "", 1, 0)]
        while len(nodes) < rng.choice((2, 8, 40)):  # depth first, as a search goes
            del stack[rng.randint(1, len(stack)) :]
            nodes.append(Node(len(nodes), stack[-1], 0, "branching", 0, 0, (Variable("x"), 1), "", 1, 0))
            stack.append(len(nodes) - 1)
        check_places(SearchTree(tuple(nodes)))


def test_a_deep_tree_has_places() -> None:
    nodes = [Node(0, None, 0, "branching", 0, 0, None, "", 1, 0)]
    for i in range(1, 20_001):  # a path with a failure at every node
        parent = max(0, i - 2 + i % 2)
        nodes.append(Node(i, parent, i, "failure", i, i, (Variable("x"), 1), "", 1, 1))
    places = SearchTree(tuple(nodes)).places()
    assert len(places) == 20_001 and places[-1][1] == 10_000


def read_vertices(text: str) -> dict[str, str]:
    """Return the attributes of every vertex of a DOT text."""
    return {name: attributes for name, attributes in re.findall(r'^  "([^"]*)" \[(.*)\];$', text, re.MULTILINE)}


def shown_tree(trace: Trace) -> SearchTree:
    """Return the tree as it is drawn: collapsed if large, chains folded."""
    tree = search_tree(trace)
    return fold_chains(tree.collapse() if tree.costs()[0][0] > SHOWN else tree).with_untried()


def test_the_picture_has_a_shape_for_every_kind(trace: Trace) -> None:
    tree, (_, shapes) = shown_tree(trace), tree_picture(trace)
    shapes_of: dict[tuple[str, ...], list[Shape]] = {}
    for shape in shapes:
        shapes_of.setdefault(shape.of, []).append(shape)
    middles = []
    for node in tree.nodes:
        body, *texts = shapes_of[(f"node {node.index}",)]
        assert (body.kind, body.look) == SHAPES[node.kind][:2]
        assert shapes_of[(f"legend {node.kind}",)][0].look == body.look
        assert node.outcome in body.text, "the tooltip shows the outcome"
        words = [shape.text for shape in texts]
        if node.branch:
            assert node.edge in words
        if node.kind == "collapsed":
            assert str(node.failures) in words
        if node.kind == "untried":
            assert str(node.nodes) in words
        elif node.nodes < tree.costs()[node.index][0]:
            assert f"with its subtree: {tree.costs()[node.index][0]} node" in body.text
        assert any(shape.look == "why" for shape in texts) >= (node.kind == "failure")
        (left, top), (right, bottom) = bounding_box([body])
        middles.append(((left + right) / 2, (top + bottom) / 2))
    assert len({*middles}) == len(middles)
    for node in tree.nodes[1:]:
        [branch] = shapes_of[(f"node {node.parent}", f"node {node.index}")]
        assert (branch.points[0], branch.points[-1]) == (middles[node.parent or 0], middles[node.index])


def test_dot_has_the_nodes_and_branches(trace: Trace) -> None:
    text, tree = tree_dot(trace), shown_tree(trace)
    edges = re.findall(r'^  "node (\d+)" -- "node (\d+)" \[pos="', text, re.MULTILINE)
    assert [(int(above), int(below)) for above, below in edges] == [(n.parent, n.index) for n in tree.nodes[1:]]
    shapes = {"solution": "diamond", "collapsed": "triangle", "failure": None, "branching": "circle"}
    for node in tree.nodes:
        attributes = read_vertices(text)[f"node {node.index}"]
        match = re.search(r"shape=(\w+)", attributes)
        assert node.kind not in shapes or (match and match[1]) == shapes[node.kind]
        assert quote(node.outcome)[1:-1] in attributes


def test_the_page_has_the_shapes_of_the_picture() -> None:
    trace = TRACES["queens"]()
    data, shapes = film(trace), tree_picture(trace)[1]
    tree, points = data["trees"][0], [shape for shape in shapes if len(shape.of) == 2]
    assert len(tree["nodes"]) == len(shown_tree(trace).nodes)
    for node, branch in zip(tree["nodes"][1:], points, strict=True):
        assert node["branch"].startswith("M{:g} {:g}".format(*branch.points[0]))
        assert (node["x"], node["y"]) == branch.points[-1]
    for i, node in enumerate(tree["nodes"]):
        texts = [shape.text for shape in shapes if shape.of == (f"node {i}",) and shape.kind == "text"]
        assert (
            texts[: len(node["shapes"])]
            == [mark[4] for mark in node["shapes"] if mark[1] != "cost start"][: len(texts)]
        )
    costs = [mark[4] for mark in tree["nodes"][0]["shapes"] if mark[1] == "cost start"]
    assert costs == ["{} / {} ■".format(*search_tree(trace).costs()[0])]


def test_tried_and_untried_values_are_all_choices(trace: Trace) -> None:
    domains = [moment.domains for moment in replay(trace)]
    tree = search_tree(trace)
    untried = {node.parent: node for node in tree.with_untried().nodes[len(tree.nodes) :]}
    for node, below in zip(tree.nodes, tree.children, strict=True):
        tried = [tree.nodes[child].branch for child in below if tree.nodes[child].branch]
        domains_after = domains[node.last + 1]
        choices = tree.nodes[below[-1]].choices if tried else ()
        assert all(value in domains_after[variable] for variable, value in choices)
        if len({variable for variable, _ in choices}) == 1:
            assert tuple(value for _, value in choices) == domains_after[choices[0][0]], "the whole domain"
        if node.kind == "branching" and choices:
            number = untried[node.index].nodes if node.index in untried else 0
            assert set(tried) <= set(choices) and len(choices) == len(set(tried)) + number
    for node, (nodes, failures) in zip(tree.nodes, tree.costs(), strict=True):
        descendants = [below_node for below_node in tree.nodes if is_below(tree, below_node.index, node.index)]
        assert (nodes, failures) == (len(descendants), sum(below_node.kind == "failure" for below_node in descendants))


def is_below(tree: SearchTree, index: int | None, top: int) -> bool:
    while index is not None and index != top:
        index = tree.nodes[index].parent
    return index == top


def boxes(shapes: list[Shape]) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of shapes; texts without spare width."""
    edges = []
    for shape in shapes:
        (left, top), (right, bottom) = bounding_box([shape])
        margin = (right - left) * (1 - 1 / WIDER) / 2 if shape.kind == "text" else 0
        edges.append((left + margin, top, right - margin, bottom))
    return edges


def test_texts_of_a_tree_do_not_touch() -> None:
    names = [f"a_very_long_name_of_a_variable_{side}" for side in ("left", "right", "middle")]
    long_names = record(Model(dict.fromkeys(names, (1, 2)), [AllDifferent.of(names[:2])]), nodes=None)
    for trace in (
        *(TRACES[kind]() for kind in ("queens", "hard", "restarts")),
        long_names,
        record(example("hitori"), nodes=None),
    ):
        shapes = [shape for shape in tree_picture(trace)[1] if len(shape.of) == 1 and shape.of[0][:4] == "node"]
        solid = [shape for shape in shapes if shape.look in ("backed", "why") or shape.kind != "text"]
        for (left, top, right, bottom), (x, y, p, q) in combinations(boxes(solid), 2):
            assert min(right, p) - max(left, x) <= 1 or min(bottom, q) - max(top, y) <= 1


def test_no_edge_runs_through_the_text_of_a_failure() -> None:
    for trace in (record(example("suguru"), nodes=40), TRACES["queens"](), TRACES["restarts"]()):
        shapes = tree_picture(trace)[1]
        reasons = boxes([shape for shape in shapes if shape.look == "why"])
        assert reasons
        for branch in (shape for shape in shapes if len(shape.of) == 2):
            for (ax, ay), (bx, by) in pairwise(branch.points):
                for x, y in ((ax + (bx - ax) * i / 100, ay + (by - ay) * i / 100) for i in range(101)):
                    assert not any(left < x < right and top < y < bottom for left, top, right, bottom in reasons)


def test_the_legend_explains_the_thick_path_if_the_tree_has_a_solution() -> None:
    for kind, is_solved in (("queens", True), ("cut", False)):
        texts = [shape.text for shape in tree_picture(TRACES[kind]())[1]]
        assert ("path to the solution" in texts) == is_solved


def test_chains_without_a_failure_are_one_node() -> None:
    ring = [AllDifferent.of((f"V{i}", f"V{i + 1}")) for i in range(20)]
    tree = search_tree(record(Model({f"V{i}": (1, 2, 3) for i in range(21)}, ring), nodes=None))
    folded = fold_chains(tree)
    [chain] = [node for node in folded.nodes if node.kind == "chain"]
    assert chain.nodes == len(tree.nodes) - len(folded.nodes) + 1 > 10 and chain.outcome.startswith(f"{chain.nodes} ")
    assert sum(node.nodes for node in folded.nodes) == len(tree.nodes) and folded.nodes[-1].kind == "solution"
    assert fold_chains(folded) == folded
    assert fold_chains(search_tree(TRACES["queens"]())) == search_tree(TRACES["queens"]()), "failures are not folded"


def test_a_tooltip_shows_a_node_before_and_after() -> None:
    tip = read_vertices(tree_dot(TRACES["queens"]()))["node 3"]
    assert r"node 3 · queen(3) = 5\n" in tip
    assert "before: queen(1) 1 · queen(2) 3 · queen(3) 5 · queen(4) 2 6 7 8 " in tip
    assert "after: queen(1) 1 · queen(2) 3 · queen(3) 5 · queen(4) 8 " in tip


def run_tree(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tree", *arguments])


def test_the_command_writes_dot_and_pictures(tmp_path: Path) -> None:
    queens = str(ROOT / "examples" / "queens.csp")
    result = run_tree(queens)
    assert result.exit_code == 0 and result.stdout == tree_dot(TRACES["queens"]())
    for name, start in (("t.svg", b"<?xml"), ("t.png", b"\x89PNG"), ("t.txt", b"// the search")):
        assert run_tree(queens, "--out", str(tmp_path / name)).stdout == f"{tmp_path / name}\n"
        assert (tmp_path / name).read_bytes().startswith(start)
    assert run_tree(queens, "--format", "svg").stdout.startswith("<?xml")


def test_the_command_reports_its_limit() -> None:
    queens = str(ROOT / "examples" / "queens.csp")
    cut = run_tree(queens, "--nodes", "7")
    assert "the first 7 nodes" in cut.stderr and "the search · 8 nodes" in cut.stdout
    assert run_tree(queens, "--nodes", "27").stderr == ""
    assert run_tree("nowhere.csp").exit_code == 2


def test_long_numbers_fit_into_their_nodes() -> None:
    for number in (7, 16703, 1234567):
        body, inside = list(node_shapes(Node(0, None, number, "branching", 0, 0, None, "", 1, 0), 96))
        (left, _), (right, _) = bounding_box([body])
        assert text_width(inside.text, inside.size) <= right - left - 4 and inside.text == str(number)
        assert (inside.size == 12) == (number < 1000)


def test_commands_say_what_they_count_only(tmp_path: Path) -> None:
    spec = tmp_path / "mycielski.csp"
    spec.write_text(dsl.dumps(mycielski(5)), encoding="utf-8")
    result = run_tree(str(spec), "--level", "arc", "--nodes", "3000")
    assert "csp: counted, not recorded: 2,000 further nodes, " in result.stderr
    assert "csp: the tree has the first 3000 nodes" in result.stderr and "nodes · " in result.stdout
    page = tmp_path / "page.html"
    arguments = ["play", str(spec), "--level", "arc", "--nodes", "20", "-o", str(page)]
    note = CliRunner().invoke(main, arguments).stderr
    assert note.startswith("csp: The search is recorded up to decision 20; counted, not recorded: 200 further nodes, ")


def test_a_search_that_ends_between_its_parts_is_not_solved(tmp_path: Path) -> None:
    path = tmp_path / "parts.csp"
    path.write_text("A, B, C, D in 1..2. A != B. C != D.")
    cut, complete = (CliRunner().invoke(main, ["tree", str(path), "--nodes", nodes]) for nodes in ("1", "20"))
    assert "raise --nodes for more" in cut.stderr and "until the first solution" not in cut.stdout
    assert complete.stderr == "" and "until the first solution" in complete.stdout


def test_a_root_that_fails_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "never.csp"
    path.write_text("A, B in 1..1. A != B.")
    result = CliRunner().invoke(main, ["play", str(path), "--nodes", "0"])
    assert "failure" in result.stdout and result.stderr == ""

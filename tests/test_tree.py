"""The search tree: what it says agrees with the records, and its drawing with the rules of the picture."""

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
from csp.picture.shapes import Shape, bounding_box
from csp.picture.style import WIDER
from csp.picture.tree import SHAPES, SHOWN, tree_picture
from csp.render.dot.quoting import quote
from csp.render.dot.tree import tree_dot
from csp.render.page.film import film
from csp.trace import (
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
    with_solution,
)
from dsl.cli import main

from .commands import HARD
from .conftest import ROOT
from .test_render import example

PARTS = "A, B, C, D in 1..2.  E, F, G in 1..3.  A != B.  C != D.  E != F.  F != G."


def mycielski(n: int) -> Model:
    """A graph without triangles that needs n colours, and one colour less: only a search finds that out."""
    graph = nx.mycielski_graph(n)
    return Model({f"v{i}": range(n - 1) for i in graph}, [AllDifferent.of((f"v{i}", f"v{j}")) for i, j in graph.edges])


HARD_ONE = example("sudoku", grids={"clue": HARD})
TRACES = {
    "queens": lambda: record(example("queens"), nodes=None),
    "hard": lambda: record(example("sudoku", grids={"clue": HARD}), nodes=None),
    "reached": lambda: with_solution(record(HARD_ONE, nodes=5), HARD_ONE),
    "no solution": lambda: record(mycielski(4), "arc", nodes=None),
    "restarts": lambda: record(mycielski(5), "arc", nodes=600),
    "cut": lambda: record(example("sudoku", params={"box": 3}, grids={"clue": ""}), nodes=5),
    "propagated": lambda: record(example("shidoku")),
    "parts": lambda: record(dsl.loads(PARTS), nodes=None),
    "a part fails": lambda: record(dsl.loads("A, B, C, D, E in 1..2.  A != B.  C != D. D != E. C != E."), nodes=None),
    "nothing": lambda: Trace(Model({}), ()),
}


@pytest.fixture(scope="module", params=TRACES)
def trace(request: pytest.FixtureRequest) -> Trace:
    return TRACES[request.param]()


def test_every_record_has_its_node(trace: Trace) -> None:
    tree = search_tree(trace)
    for node in tree.nodes:
        for i in range(node.first, node.last + 1):
            one = trace.records[i]
            assert getattr(one, "node", node.number) == node.number
            assert tree.at(i) == node.index
    spans = [(node.first, node.last) for node in tree.nodes]
    assert spans[0][0] == 0 and spans[-1][1] == len(trace.records) - 1
    assert all(last + 1 == first for (_, last), (first, _) in pairwise(spans))


def test_the_tree_is_what_the_records_say(trace: Trace) -> None:
    tree = search_tree(trace)
    counts = {kind: sum(node.kind == kind for node in tree.nodes) for kind in ("restart", "part", "failure")}
    for kind, record_kind in (("restart", Restart), ("part", Part), ("failure", Failure)):
        assert counts[kind] == sum(isinstance(one, record_kind) for one in trace.records)
    decisions = [one for one in trace.records if isinstance(one, Decision)]
    decided = [node for node in tree.nodes if node.branch]
    assert [(one.node, one.candidate) for one in decisions] == [(node.number, node.branch) for node in decided]
    for node, one in zip(decided, decisions, strict=True):
        assert node.parent is not None and tree.nodes[node.parent].number == one.parent
        assert node.edge == "{} = {}".format(*one.candidate)
    for node in tree.nodes:
        told = [one for one in trace.records[node.first : node.last + 1] if isinstance(one, Failure | Solved | Rest)]
        if told:
            assert node.outcome == headline(told[-1])
        if node.kind == "failure":
            assert not tree.children[node.index]


def test_a_child_begins_where_its_parent_rested(trace: Trace) -> None:
    tree = search_tree(trace)
    moments = list(replay(trace))
    for node in tree.nodes[1:]:
        assert node.parent is not None
        if node.kind == "reached":  # it begins with the solution
            continue
        begins = moments[node.first + 1]
        rested = moments[tree.nodes[node.parent].last + 1]
        assert begins.domains == rested.domains


def test_the_path_ends_in_the_solution() -> None:
    for name in ("queens", "hard", "parts"):
        tree = search_tree(TRACES[name]())
        assert tree.nodes[tree.path[-1]].kind == "solution" and tree.path[0] == 0
        assert tree.nodes[tree.path[-1]].outcome == "solved"
    for name in ("no solution", "a part fails"):
        assert search_tree(TRACES[name]()).nodes[-1].kind == "failure"
    assert search_tree(TRACES["propagated"]()).nodes[0].kind == "solution"
    assert search_tree(TRACES["cut"]()).nodes[-1].kind == "open"


def test_what_is_reached_after_the_records_ends_a_trace_that_was_cut_off() -> None:
    trace = TRACES["reached"]()
    *_, last = replay(trace)
    assert {variable: value for variable, (value,) in last.domains.items()} == csp.solve(HARD_ONE)
    tree = search_tree(trace)
    assert (tree.nodes[-1].kind, tree.path) == ("reached", (0, len(tree.nodes) - 1))
    collapsed = [node.outcome for node in tree.collapse().nodes if node.kind == "collapsed"]
    assert collapsed == ["not recorded to its end · 0 failures in 5 nodes"]


def test_restarts_hang_below_the_root_with_their_runs() -> None:
    tree = search_tree(TRACES["restarts"]())
    restarts = [node for node in tree.nodes if node.kind == "restart"]
    assert len(restarts) >= 2 and {node.parent for node in restarts} == {0}
    assert all(tree.children[node.index] for node in restarts)
    small = tree.collapse()
    for node, following in pairwise(small.nodes):
        if node.kind == "collapsed":
            assert node.outcome.startswith("left at a restart") == (following.first in (r.first for r in restarts))


def test_parts_hang_below_the_part_before() -> None:
    tree = search_tree(TRACES["parts"]())
    parts = [node for node in tree.nodes if node.kind == "part"]
    assert len(parts) == 2
    for node in parts:
        assert node.parent == node.index - 1 and tree.nodes[node.parent].kind == "solution"
    assert len({node.index for node in tree.nodes if node.kind == "solution"}) == 3


def test_collapsing_loses_no_node_and_no_failure(trace: Trace) -> None:
    tree = search_tree(trace)
    small = tree.collapse()
    for count in ("nodes", "failures"):
        assert sum(getattr(node, count) for node in small.nodes) == sum(getattr(node, count) for node in tree.nodes)
    assert small.nodes[-1].last == len(trace.records) - 1
    assert all(node.index == i for i, node in enumerate(small.nodes))
    assert [small.nodes[i].number for i in small.path] == [tree.nodes[i].number for i in tree.path]
    on_path = set(small.path)
    for node in small.nodes:
        assert (node.kind == "collapsed") == (node.nodes > 1)
        assert not (small.children[node.index] and node.index not in on_path)
        if node.kind == "collapsed":
            inside = trace.records[node.first : node.last + 1]
            assert not any(isinstance(one, Solved) for one in inside)
            assert node.failures == sum(isinstance(one, Failure) for one in inside)
            assert node.failures or node.outcome.startswith("not recorded to its end")
            assert str(node.failures) in node.outcome


def places_are_tidy(tree: SearchTree) -> None:
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


def test_places(trace: Trace) -> None:
    tree = search_tree(trace)
    places_are_tidy(tree)
    places_are_tidy(tree.collapse())


def test_places_of_random_trees() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        stack, nodes = [0], [Node(0, None, 0, "branching", 0, 0, None, "", 1, 0)]
        while len(nodes) < chance.choice((2, 8, 40)):  # depth first, as a search goes
            del stack[chance.randint(1, len(stack)) :]
            nodes.append(Node(len(nodes), stack[-1], 0, "branching", 0, 0, (Variable("x"), 1), "", 1, 0))
            stack.append(len(nodes) - 1)
        places_are_tidy(SearchTree(tuple(nodes)))


def test_a_deep_tree_is_no_problem() -> None:
    nodes = [Node(0, None, 0, "branching", 0, 0, None, "", 1, 0)]
    for i in range(1, 20_001):  # a path with a failure at every node
        parent = max(0, i - 2 + i % 2)
        nodes.append(Node(i, parent, i, "failure", i, i, (Variable("x"), 1), "", 1, 1))
    places = SearchTree(tuple(nodes)).places()
    assert len(places) == 20_001 and places[-1][1] == 10_000


def drawn(text: str) -> dict[str, str]:
    """Attributes of every vertex of a DOT text."""
    return {name: rest for name, rest in re.findall(r'^  "([^"]*)" \[(.*)\];$', text, re.MULTILINE)}


def shown(trace: Trace) -> SearchTree:
    whole = search_tree(trace)
    return fold_chains(whole.collapse() if len(whole.nodes) > SHOWN else whole).with_untried()


def test_the_picture_has_a_shape_for_every_kind(trace: Trace) -> None:
    tree, (_, marks) = shown(trace), tree_picture(trace)
    own: dict[tuple[str, ...], list[Shape]] = {}
    for mark in marks:
        own.setdefault(mark.of, []).append(mark)
    middles = []
    for node in tree.nodes:
        shape, *texts = own[(f"node {node.index}",)]
        assert (shape.kind, shape.look) == SHAPES[node.kind][:2]
        assert own[(f"legend {node.kind}",)][0].look == shape.look
        assert node.outcome in shape.text, "the tooltip says how it ended"
        words = [mark.text for mark in texts]
        if node.branch:
            assert node.edge in words
        if node.kind == "collapsed":
            assert str(node.failures) in words
        if node.kind == "untried":
            assert str(node.nodes) in words
        elif node.nodes < tree.costs()[node.index][0]:
            assert f"with what is below: {tree.costs()[node.index][0]} node" in shape.text
        assert any(mark.look == "why" for mark in texts) >= (node.kind == "failure")
        (left, top), (right, bottom) = bounding_box([shape])
        middles.append(((left + right) / 2, (top + bottom) / 2))
    assert len({*middles}) == len(middles)
    for node in tree.nodes[1:]:
        [branch] = own[(f"node {node.parent}", f"node {node.index}")]
        assert (branch.points[0], branch.points[-1]) == (middles[node.parent or 0], middles[node.index])


def test_dot_has_the_nodes_and_branches(trace: Trace) -> None:
    text, tree = tree_dot(trace), shown(trace)
    edges = re.findall(r'^  "node (\d+)" -- "node (\d+)" \[pos="', text, re.MULTILINE)
    assert [(int(above), int(below)) for above, below in edges] == [(n.parent, n.index) for n in tree.nodes[1:]]
    shapes = {"solution": "diamond", "collapsed": "triangle", "failure": None, "branching": "circle"}
    for node in tree.nodes:
        rest = drawn(text)[f"node {node.index}"]
        found = re.search(r"shape=(\w+)", rest)
        assert node.kind not in shapes or (found and found[1]) == shapes[node.kind]
        assert quote(node.outcome)[1:-1] in rest


def test_the_page_has_the_same_marks() -> None:
    trace = TRACES["queens"]()
    data, marks = film(trace), tree_picture(trace)[1]
    tree, points = data["trees"][0], [mark for mark in marks if len(mark.of) == 2]
    assert len(tree["nodes"]) == len(shown(trace).nodes)
    for node, branch in zip(tree["nodes"][1:], points, strict=True):
        assert node["branch"].startswith("M{:g} {:g}".format(*branch.points[0]))
        assert (node["x"], node["y"]) == branch.points[-1]
    for i, node in enumerate(tree["nodes"]):
        own = [mark.text for mark in marks if mark.of == (f"node {i}",) and mark.kind == "text"]
        assert own[: len(node["marks"])] == [one[4] for one in node["marks"] if one[1] != "cost start"][: len(own)]
    costs = [one[4] for one in tree["nodes"][0]["marks"] if one[1] == "cost start"]
    assert costs == ["{} / {} ■".format(*search_tree(trace).costs()[0])]


def test_what_was_tried_and_what_was_not_is_all_that_could_be(trace: Trace) -> None:
    domains = [moment.domains for moment in replay(trace)]
    tree = search_tree(trace)
    untried = {node.parent: node for node in tree.with_untried().nodes[len(tree.nodes) :]}
    for node, below in zip(tree.nodes, tree.children, strict=True):
        tried = [tree.nodes[child].branch for child in below if tree.nodes[child].branch]
        left = domains[node.last + 1]
        choices = tree.nodes[below[-1]].choices if tried else ()
        assert all(value in left[variable] for variable, value in choices)
        if len({variable for variable, _ in choices}) == 1:
            assert tuple(value for _, value in choices) == left[choices[0][0]], "the whole domain"
        if node.kind == "branching" and choices:
            number = untried[node.index].nodes if node.index in untried else 0
            assert set(tried) <= set(choices) and len(choices) == len(set(tried)) + number
    for node, (nodes, failures) in zip(tree.nodes, tree.costs(), strict=True):
        own = [other for other in tree.nodes if is_below(tree, other.index, node.index)]
        assert (nodes, failures) == (len(own), sum(other.kind == "failure" for other in own))


def is_below(tree: SearchTree, index: int | None, top: int) -> bool:
    while index is not None and index != top:
        index = tree.nodes[index].parent
    return index == top


def boxes(marks: list[Shape]) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom; of texts in the font that was asked for."""
    found = []
    for mark in marks:
        (left, top), (right, bottom) = bounding_box([mark])
        spare = (right - left) * (1 - 1 / WIDER) / 2 if mark.kind == "text" else 0
        found.append((left + spare, top, right - spare, bottom))
    return found


def test_texts_of_a_tree_do_not_touch() -> None:
    for kind in ("queens", "hard", "restarts"):
        marks = [mark for mark in tree_picture(TRACES[kind]())[1] if len(mark.of) == 1 and mark.of[0][:4] == "node"]
        own = [mark for mark in marks if mark.look in ("backed", "why") or mark.kind != "text"]
        for (left, top, right, bottom), (x, y, p, q) in combinations(boxes(own), 2):
            assert min(right, p) - max(left, x) <= 1 or min(bottom, q) - max(top, y) <= 1


def test_no_edge_runs_through_the_text_of_a_failure() -> None:
    for trace in (record(example("suguru"), nodes=40), TRACES["queens"](), TRACES["restarts"]()):
        marks = tree_picture(trace)[1]
        reasons = boxes([mark for mark in marks if mark.look == "why"])
        assert reasons
        for branch in (mark for mark in marks if len(mark.of) == 2):
            for (ax, ay), (bx, by) in pairwise(branch.points):
                for x, y in ((ax + (bx - ax) * i / 100, ay + (by - ay) * i / 100) for i in range(101)):
                    assert not any(left < x < right and top < y < bottom for left, top, right, bottom in reasons)


def test_a_thick_line_has_a_legend_where_there_is_one() -> None:
    for kind, is_solved in (("queens", True), ("cut", False)):
        texts = [mark.text for mark in tree_picture(TRACES[kind]())[1]]
        assert ("the way to the solution" in texts) == is_solved


def test_chains_without_a_failure_are_one_node() -> None:
    ring = [AllDifferent.of((f"V{i}", f"V{i + 1}")) for i in range(20)]
    whole = search_tree(record(Model({f"V{i}": (1, 2, 3) for i in range(21)}, ring), nodes=None))
    small = fold_chains(whole)
    [chain] = [node for node in small.nodes if node.kind == "chain"]
    assert chain.nodes == len(whole.nodes) - len(small.nodes) + 1 > 10 and chain.outcome.startswith(f"{chain.nodes} ")
    assert sum(node.nodes for node in small.nodes) == len(whole.nodes) and small.nodes[-1].kind == "solution"
    assert fold_chains(small) == small
    assert fold_chains(search_tree(TRACES["queens"]())) == search_tree(TRACES["queens"]()), (
        "failures are not folded away"
    )


def test_a_tooltip_shows_a_node_before_and_after() -> None:
    tip = drawn(tree_dot(TRACES["queens"]()))["node 3"]
    assert r"node 3 · queen(3) = 5\n" in tip
    assert "before: queen(1) 1 · queen(2) 3 · queen(3) 5 · queen(4) 2 6 7 8 " in tip
    assert "after: queen(1) 1 · queen(2) 3 · queen(3) 5 · queen(4) 8 " in tip


def csp_tree(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tree", *arguments])


def test_the_command_writes_dot_and_pictures(tmp_path: Path) -> None:
    queens = str(ROOT / "examples" / "queens.csp")
    result = csp_tree(queens)
    assert result.exit_code == 0 and result.stdout == tree_dot(TRACES["queens"]())
    for name, start in (("t.svg", b"<?xml"), ("t.png", b"\x89PNG"), ("t.txt", b"// the search")):
        assert csp_tree(queens, "--out", str(tmp_path / name)).stdout == f"{tmp_path / name}\n"
        assert (tmp_path / name).read_bytes().startswith(start)
    assert csp_tree(queens, "--format", "svg").stdout.startswith("<?xml")


def test_the_command_tells_of_its_limit() -> None:
    queens = str(ROOT / "examples" / "queens.csp")
    cut = csp_tree(queens, "--nodes", "7")
    assert "the first 7 nodes" in cut.stderr and "the search · 8 nodes" in cut.stdout
    assert csp_tree(queens, "--nodes", "27").stderr == ""
    assert csp_tree("nowhere.csp").exit_code == 2


def test_a_search_that_ends_between_its_parts_is_not_solved(tmp_path: Path) -> None:
    path = tmp_path / "parts.csp"
    path.write_text("A, B, C, D in 1..2. A != B. C != D.")
    cut, whole = (CliRunner().invoke(main, ["tree", str(path), "--nodes", nodes]) for nodes in ("1", "20"))
    assert "--nodes takes more" in cut.stderr and "until the first solution" not in cut.stdout
    assert whole.stderr == "" and "until the first solution" in whole.stdout


def test_a_root_that_fails_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "never.csp"
    path.write_text("A, B in 1..1. A != B.")
    result = CliRunner().invoke(main, ["play", str(path), "--nodes", "0"])
    assert "failure" in result.stdout and result.stderr == ""

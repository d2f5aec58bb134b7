"""The search tree as marks, after the convention of Gecode's Gist: a shape for each kind of node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..board.widths import text_width, wrap_text
from ..model import Domain, Variable
from ..trace import Node, Removal, SearchTree, Trace, folded, replay, search_tree
from ..trace.tree import NodeKind
from .layout.layout import FEW
from .legend import LegendEntry, starting
from .shapes import JOINS, Point, Shape, box, disc, line, text
from .style import plain_counted

SHOWN = 40
"""A tree of more nodes has its failed subtrees collapsed."""
SMALL, SMALLER = 12, 10  # sizes of fonts
HIGH = 104.0  # from a node to its children
EDGE = 37.0  # from a node up to the text at its edge
LINE = 12.5
LOW = 3.0  # from the middle of a triangle to where it is wide

SHAPES: Mapping[NodeKind, Shape] = {
    "branching": disc("shape", (0, 0), 30),
    "solution": line("shape solution", (0, -21), (21, 0), (0, 21), (-21, 0), (0, -21)),
    "reached": line("shape solution open", (0, -21), (21, 0), (0, 21), (-21, 0), (0, -21)),
    "failure": box("shape failure", (0, 0), (27, 27)),
    "collapsed": line("shape collapsed", (0, -21), (26, 21), (-26, 21), (0, -21)),
    "open": disc("shape open", (0, 0), 30),
    "untried": disc("shape untried", (0, 0), 22),
    "restart": box("shape", (0, 0), (54, 22), corner=5),
    "part": box("shape", (0, 0), (54, 22), corner=5),
    "chain": box("shape", (0, 0), (34, 34), corner=12),
}
COUNTED = ("collapsed", "untried", "chain")
MEANINGS: Mapping[NodeKind, str] = {
    "branching": "branching",
    "solution": "solution",
    "reached": "solution, reached after what is recorded",
    "failure": "failure",
    "collapsed": "subtree without a solution, and its failures",
    "open": "not searched further",
    "untried": "not tried, and how many",
    "restart": "the search began again",
    "part": "next independent part",
    "chain": "decisions without a failure, and how many",
}


def tree_picture(trace: Trace) -> tuple[str, list[Shape]]:
    """The search tree of a trace: its title, and all its marks with a legend below.

    The way to the solution is drawn thick; resting the pointer on a node shows what it has removed and, of a puzzle of
    at most 20 variables, its domains before and after. A tree of more than 40 nodes has its failed subtrees collapsed.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> ring = ("AB", "BC", "CD", "DE", "EA")
    >>> model = Model({v: range(2) for v in "ABCDE"}, [AllDifferent.of(pair) for pair in ring])
    >>> title, shapes = tree_picture(record(model, nodes=None))
    >>> title, sum("failure" in shape.look for shape in shapes)
    ('the search · 3 nodes · 2 failures', 3)
    """
    whole = search_tree(trace)
    drawn = folded(whole.collapsed() if len(whole.nodes) > SHOWN else whole)
    tree, solved = drawn.with_untried(), whole.nodes[-1].kind == "solution"
    points = node_points(tree)
    path = set(drawn.path) if solved else set()
    found = [branch(node, points, node.index in path) for node in tree.nodes[1:]]
    for node, tip in zip(tree.nodes, tooltips(trace, tree), strict=True):
        shape, *texts = node_shapes(node, room(tree))
        if node.kind == "solution" and node.index == len(drawn.nodes) - 1:
            texts.append(text(node.outcome, "why", (0, 32), SMALL))
        found += (one.moved(points[node.index], (f"node {node.index}",)) for one in (shape._replace(text=tip), *texts))
    end = "the search until the first solution" if solved else "the search"
    failures = sum(node.failures for node in whole.nodes)
    title = f"{end} · {plain_counted(len(whole.nodes), 'node')} · {plain_counted(failures, 'failure')}"
    found += _legend(tree, max(y for _, y in points) + 1.25 * HIGH, max(x for x, _ in points), len(path) > 1)
    return title, [*found, starting(title, "", (-20, -44), 15)]


def node_points(tree: SearchTree) -> list[Point]:
    """The middles of the nodes; below a failure, and what is untried, stays room, as if it had a child."""
    ends = (node for node in tree.nodes if node.kind in ("failure", "untried"))
    texts = (replace(node, index=index, parent=node.index) for index, node in enumerate(ends, len(tree.nodes)))
    places, wide = SearchTree((*tree.nodes, *texts)).places(), room(tree)
    return [(x * wide, y * HIGH) for x, y in places[: len(tree.nodes)]]


def node_shapes(node: Node, wide: float) -> Iterator[Shape]:
    """A node around its middle: its shape, and what is written in it, at its edge and below, in lines so ``wide``."""
    yield SHAPES[node.kind]
    look = "tally" if node.kind in COUNTED else ""
    yield text(_inside(node), look, (0, LOW if node.kind == "collapsed" else 0), SMALL)
    if edge := edge_text(node):
        yield text(edge, "backed", (0, -EDGE), SMALL)
    if node.kind == "failure":
        for row, words in enumerate(wrap_text(node.outcome.removeprefix("failure · "), SMALLER, wide - 6, 6)):
            yield text(words, "why", (0, 17 + LINE * (row + 0.5)), SMALLER)


def _inside(node: Node) -> object:
    """A number, or a word: of many nodes how many failures they have, or how many they are."""
    if node.kind in ("restart", "part"):
        return node.kind
    if node.kind == "reached":
        return "…"
    return node.failures if node.kind == "collapsed" else node.nodes if node.kind in COUNTED else node.number


def cost_shape(costs: tuple[int, int]) -> Shape:
    """Beside a node, how many nodes and failures its subtree has."""
    return starting("{} / {} ■".format(*costs), "cost", (18, 0), SMALLER)


def edge_text(node: Node) -> str:
    """What the edge above a node decides."""
    return "restart" if node.kind == "collapsed" and node.branch is None else node.edge


def branch(node: Node, points: Sequence[Point], is_path: bool = False) -> Shape:
    """From the parent of a node to a point above the text at its edge, and from there straight down through it."""
    assert node.parent is not None
    above, (x, y) = points[node.parent], points[node.index]
    ends = f"node {node.parent}", f"node {node.index}"
    return line("branch path" if is_path else "branch", above, (x, y - EDGE - 12), (x, y))._replace(
        layer=JOINS, of=ends
    )


def kinds(tree: SearchTree) -> Iterator[tuple[NodeKind, LegendEntry]]:
    """The shapes that occur, with their meanings."""
    for kind, words in MEANINGS.items():
        if any(node.kind == kind for node in tree.nodes):
            inside = "3" if kind in COUNTED else kind if kind in ("restart", "part") else ""
            label = text(inside, "tally", (0, LOW if kind == "collapsed" else 0), SMALL)
            yield kind, LegendEntry(words, (SHAPES[kind], *([label] if inside else [])))


def room(tree: SearchTree) -> float:
    """How far apart two nodes stand: their texts have room."""
    edges = max((text_width(edge_text(node), SMALL) for node in tree.nodes), default=0)
    failing = any(node.kind == "failure" for node in tree.nodes)
    return max(64.0, 96.0 if failing else 0.0, min(180.0, edges + 12))


def _legend(tree: SearchTree, y: float, right: float, has_path: bool) -> Iterator[Shape]:
    """The shapes that occur, in rows below the tree, and what a thick line is."""
    x = 0.0
    way = LegendEntry("the way to the solution", (line("branch path", (-16, 0), (16, 0)),))
    for kind, entry in [*kinds(tree), *([("", way)] if has_path else [])]:
        wide = 50 + text_width(entry.words, SMALL)
        if x > 0 and x + wide > max(right, 500):
            x, y = 0.0, y + 50
        yield from (shape.moved((x, y), (f"legend {kind}",) if kind else ()) for shape in entry.shapes)
        yield starting(entry.words, "", (x + 32, y), SMALL)
        x += wide + 30


def tooltips(trace: Trace, tree: SearchTree) -> list[str]:
    """What is shown where a pointer rests on a node."""
    small = len(trace.model.domains) <= FEW
    searched = [node for node in tree.nodes if node.kind != "untried"]
    wanted = {index for node in searched for index in _snapshots(trace, node)} if small else set()
    domains = {i: moment.domains for i, moment in enumerate(replay(trace)) if i in wanted} if small else {}
    tips = []
    for node, (nodes, failures) in zip(tree.nodes, tree.costs(), strict=True):
        if node.kind == "untried":
            tips.append(node.outcome)
            continue
        removals = [r for r in trace.records[node.first : node.last + 1] if isinstance(r, Removal)]
        steps = len({removal.step for removal in removals})
        lines = [f"node {node.number}" + (f" · {node.edge}" if node.branch else "")]
        removed = sum(len(removal.removed) for removal in removals)
        lines.append(f"{plain_counted(removed, 'value')} removed in {plain_counted(steps, 'step')}")
        if small and node.nodes == 1:
            before, after = _snapshots(trace, node)
            lines += [f"before: {_listed(domains[before])}", f"after: {_listed(domains[after])}"]
        if nodes > node.nodes:
            lines.append(f"with what is below: {plain_counted(nodes, 'node')}, {plain_counted(failures, 'failure')}")
        tips.append("\n".join([*lines, node.outcome]))
    return tips


def _snapshots(trace: Trace, node: Node) -> tuple[int, int]:
    """Which moments are a node before its propagation, with its decision made, and after it."""
    before = node.first + 1 if node.parent is not None else 0
    second = trace.records[node.first + 1 : node.first + 2]
    decided = any(isinstance(one, Removal) and one.kind == "decided" for one in second)
    return before + decided, node.last + 1


def _listed(domains: Mapping[Variable, Domain]) -> str:
    return " · ".join(f"{variable} {' '.join(map(str, domain)) or 'none'}" for variable, domain in domains.items())

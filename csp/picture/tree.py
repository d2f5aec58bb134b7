"""Draw search trees with the symbols of Gecode's Gist.

The page, ``csp tree`` and ``csp why`` draw the same nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..board.widths import text_width, wrap_text
from ..board.wording import find_wording
from ..model import Domain, Variable
from ..trace import Counted, Node, Removal, SearchTree, Trace, fold_chains, replay, search_tree
from ..trace.tree import NodeKind
from .layout.layout import FEW
from .legend import LegendEntry, text_from_left
from .shapes import JOINS, Point, Shape, bounding_box, box, disc, line, text
from .style import WIDER, plain_counted

SHOWN = 40
"""Maximum number of nodes that are drawn one by one; in a larger tree, failed subtrees are collapsed."""
SMALL, SMALLER = 12, 10  # sizes of fonts
HIGH = 104.0  # from a node to its children
EDGE = 37.0  # from a node up to the text at its edge
BETWEEN = 12.0  # minimum gap between the texts at the edges of two nodes
LINE = 12.5  # the height of a line of text
LOW = 3.0  # from the middle of a triangle down to the middle of its text

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
"""The body of each kind of node, around its middle."""
COUNTED = ("collapsed", "untried", "chain")
"""The kinds of nodes that represent several nodes and show a number."""
MEANINGS: Mapping[NodeKind, str] = {
    "branching": "branching",
    "solution": "solution",
    "reached": "solution, found after the recording",
    "failure": "failure",
    "collapsed": "subtree without a solution: number of failures",
    "open": "not searched further",
    "untried": "untried branches",
    "restart": "restart of the search",
    "part": "next independent part",
    "chain": "number of decisions without a failure",
}
"""The meaning of each kind of node, in the legend."""


def tree_picture(trace: Trace) -> tuple[str, list[Shape]]:
    """Return the title and the shapes of a trace's search tree, with a legend.

    The path to the solution is drawn thick. The tooltip of a node lists its removals and, for a puzzle of at most 20
    variables, its domains before and after. A tree of more than 40 nodes has its failed subtrees collapsed.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> ring = ("AB", "BC", "CD", "DE", "EA")
    >>> model = Model({v: range(2) for v in "ABCDE"}, [AllDifferent.of(pair) for pair in ring])
    >>> title, shapes = tree_picture(record(model, nodes=None))
    >>> title, sum("failure" in shape.look for shape in shapes)
    ('the search · 3 nodes · 2 failures', 3)
    """
    full_tree = search_tree(trace)
    collapsed_tree = drawn_tree(full_tree)
    tree, solved = collapsed_tree.with_untried(), full_tree.nodes[-1].kind == "solution"
    wording = find_wording(trace.model)
    points, wide = node_points(tree, wording.replace_in), node_distance(tree, wording.replace_in)
    path = set(collapsed_tree.path) if solved else set()
    # Draw the branches, then the nodes with their tooltips.
    shapes = [branch(node, points, node.index in path) for node in tree.nodes[1:]]
    for node, tooltip in zip(tree.nodes, tooltips(trace, tree), strict=True):
        body, *texts = node_shapes(node, wide, wording.replace_in)
        if node.kind == "solution" and node.index == len(collapsed_tree.nodes) - 1:
            texts.append(text(node.outcome, "why", (0, 32), SMALL))
        shapes += (
            part.moved(points[node.index], (f"node {node.index}",)) for part in (body._replace(text=tooltip), *texts)
        )
    # Count all nodes in the title, also collapsed ones.
    searched = "the search until the first solution" if solved else "the search"
    nodes, failures = full_tree.costs()[0]
    title = f"{searched} · {plain_counted(nodes, 'node')} · {plain_counted(failures, 'failure')}"
    shapes += _legend(tree, max(y for _, y in points) + 1.25 * HIGH, max(x for x, _ in points), len(path) > 1)
    return title, [*shapes, text_from_left(title, "", (-20, -44), 15)]


def drawn_tree(tree: SearchTree) -> SearchTree:
    """Return the tree with folded chains; if it is large, failed subtrees are collapsed."""
    return fold_chains(tree.collapse() if tree.costs()[0][0] > SHOWN else tree)


def node_points(tree: SearchTree, say: Callable[[str], str]) -> list[Point]:
    """Return the middle of each node of a search tree, in the order of the nodes.

    A failure, and an untried node, have room for a text below, as if they had a child.
    """
    ends = (node for node in tree.nodes if node.kind in ("failure", "untried"))
    placeholders = (replace(node, index=index, parent=node.index) for index, node in enumerate(ends, len(tree.nodes)))
    places, width = SearchTree((*tree.nodes, *placeholders)).places(), node_distance(tree, say)
    return [(x * width, y * HIGH) for x, y in places[: len(tree.nodes)]]


def node_shapes(node: Node, width: float, say: Callable[[str], str] = str) -> Iterator[Shape]:
    """Yield the shapes of a search node, relative to its middle.

    They are its body, the text inside, the text at its edge in the words of ``say``, and the reason of a failure in
    lines. The last two are narrower than ``width``.
    """
    body = SHAPES[node.kind]
    yield body
    look, words = "tally" if node.kind in COUNTED else "", str(_text_inside(node))
    # The text inside fits into the body.
    (left, _), (right, _) = bounding_box([body])
    size = min(SMALL, SMALL * (right - left - 4) / (text_width(words, SMALL) * WIDER))
    yield text(words, look, (0, LOW if node.kind == "collapsed" else 0), size)
    if label := say(edge_text(node)):
        size = min(SMALL, SMALL * (width - BETWEEN) / text_width(label, SMALL))
        yield text(label, "backed", (0, -EDGE), size)
    if node.kind == "failure":
        for row, words in enumerate(wrap_text(node.outcome.removeprefix("failure · "), SMALLER, width - 6, 6)):
            yield text(words, "why", (0, 17 + LINE * (row + 0.5)), SMALLER)


def _text_inside(node: Node) -> object:
    """Return the text inside a search node: its number, a count, its kind or ``…``."""
    if node.kind in ("restart", "part"):
        return node.kind
    if node.kind == "reached":
        return "…"
    return node.failures if node.kind == "collapsed" else node.nodes if node.kind in COUNTED else node.number


def cost_shape(costs: tuple[int, int]) -> Shape:
    """Return the text beside a node: the numbers of nodes and failures of its subtree."""
    return text_from_left("{} / {} ■".format(*costs), "cost", (18, 0), SMALLER)


def edge_text(node: Node) -> str:
    """Return the text of the decision that leads to a search node, or ``restart``."""
    return "restart" if node.kind == "collapsed" and node.branch is None else node.edge


def branch(node: Node, points: Sequence[Point], is_path: bool = False) -> Shape:
    """Return the line that joins a search node to its parent.

    It ends above the text at the edge, and continues straight down behind this text.
    """
    assert node.parent is not None
    parent, (x, y) = points[node.parent], points[node.index]
    joined = f"node {node.parent}", f"node {node.index}"
    return line("branch path" if is_path else "branch", parent, (x, y - EDGE - 12), (x, y))._replace(
        layer=JOINS, of=joined
    )


def shape_entries(tree: SearchTree) -> Iterator[tuple[NodeKind, LegendEntry]]:
    """Yield the kinds of nodes that a search tree contains, with their legend entries."""
    for kind, meaning in MEANINGS.items():
        if any(node.kind == kind for node in tree.nodes):
            words = "3" if kind in COUNTED else kind if kind in ("restart", "part") else ""
            label = text(words, "tally", (0, LOW if kind == "collapsed" else 0), SMALL)
            yield kind, LegendEntry(meaning, (SHAPES[kind], *([label] if words else [])))


def node_distance(tree: SearchTree, say: Callable[[str], str]) -> float:
    """Return the horizontal distance of nodes in a search tree, by their longest text."""
    widest = max((text_width(say(edge_text(node)), SMALL) for node in tree.nodes), default=0)
    has_failures = any(node.kind == "failure" for node in tree.nodes)
    return max(64.0, 96.0 if has_failures else 0.0, min(180.0, widest + BETWEEN))


def _legend(tree: SearchTree, y: float, right: float, has_path: bool) -> Iterator[Shape]:
    """Yield the shapes of a search tree's legend, row by row below ``y``."""
    x = 0.0
    path_entry = LegendEntry("path to the solution", (line("branch path", (-16, 0), (16, 0)),))
    # Continue in the next row if an entry does not fit.
    for kind, entry in [*shape_entries(tree), *([("", path_entry)] if has_path else [])]:
        width = 50 + text_width(entry.words, SMALL)
        if x > 0 and x + width > max(right, 500):
            x, y = 0.0, y + 50
        yield from (shape.moved((x, y), (f"legend {kind}",) if kind else ()) for shape in entry.shapes)
        yield text_from_left(entry.words, "", (x + 32, y), SMALL)
        x += width + 30


def tooltips(trace: Trace, tree: SearchTree) -> list[str]:
    """Return, for each search node, the text shown under the mouse pointer."""
    is_small = len(trace.model.domains) <= FEW
    # The domains of a small puzzle are replayed for the moments before and after each node.
    searched = [node for node in tree.nodes if node.kind != "untried"]
    needed = {index for node in searched for index in _moments_of(trace, node)} if is_small else set()
    domains = {i: moment.domains for i, moment in enumerate(replay(trace)) if i in needed} if is_small else {}
    tooltip_texts = []
    # Write the removals, the domains, the cost of the subtree and the outcome.
    for node, (nodes, failures) in zip(tree.nodes, tree.costs(), strict=True):
        if node.kind == "untried":
            tooltip_texts.append(node.outcome)
            continue
        removals = [r for r in trace.records[node.first : node.last + 1] if isinstance(r, Removal)]
        steps = len({removal.step for removal in removals})
        lines = [f"node {node.number}" + (f" · {node.edge}" if node.branch else "")]
        removed = sum(len(removal.removed) for removal in removals)
        is_recorded = not any(isinstance(record, Counted) for record in trace.records[node.first : node.first + 1])
        if is_recorded:
            lines.append(f"{plain_counted(removed, 'value')} removed in {plain_counted(steps, 'step')}")
        if is_small and node.nodes == 1 and is_recorded:
            before, after = _moments_of(trace, node)
            lines += [f"before: {_domains_text(domains[before])}", f"after: {_domains_text(domains[after])}"]
        if nodes > node.nodes:
            lines.append(f"with its subtree: {plain_counted(nodes, 'node')}, {plain_counted(failures, 'failure')}")
        tooltip_texts.append("\n".join([*lines, node.outcome]))
    return tooltip_texts


def _moments_of(trace: Trace, node: Node) -> tuple[int, int]:
    """Return the indices of the moments after a node's decision and after its propagation.

    The root has no decision: its first moment is the start of the trace.
    """
    before = node.first + 1 if node.parent is not None else 0
    next_records = trace.records[node.first + 1 : node.first + 2]
    is_decided = any(isinstance(record, Removal) and record.kind == "decided" for record in next_records)
    return before + is_decided, node.last + 1


def _domains_text(domains: Mapping[Variable, Domain]) -> str:
    """Return domains as one line of text, such as ``A 1 2 · B 3``."""
    return " · ".join(f"{variable} {' '.join(map(str, domain)) or 'none'}" for variable, domain in domains.items())

"""The search tree as DOT text, after the convention of Gecode's Gist: a shape for each kind of node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...board.widths import text_width, wrapped
from ...model import Domain, Variable
from ...picture.layout.layout import FEW, Point
from ...picture.style import FONT, QUIET, REMOVED, counted
from ...story import Node, Removal, SearchTree, Trace, replay, search_tree
from ...story.tree import Kind
from .quoting import escape, pos, quote

SHOWN = 40
"""A tree of more nodes has its failed subtrees collapsed."""

SOLUTION = "#009E73"
PLAIN = 'shape=circle, width=0.42, color="#000000"'
LOOKS: Mapping[Kind, str] = {
    "branching": PLAIN,
    "solution": f'shape=diamond, width=0.58, height=0.58, color="{SOLUTION}", fillcolor="#CFEDE4", penwidth=2.5',
    "failure": f'shape=box, width=0.38, height=0.38, color="{REMOVED}", fillcolor="#FBE6DA", penwidth=2',
    "collapsed": f'shape=triangle, width=0.72, height=0.58, color="{REMOVED}", fillcolor="#FBE6DA", penwidth=2',
    "open": f'{PLAIN}, style="filled,dashed"',
    "untried": f'shape=circle, width=0.3, color="{QUIET}", style="filled,dashed"',
    "restart": 'shape=box, width=0.75, height=0.3, style="filled,rounded", color="#000000"',
    "part": 'shape=box, width=0.75, height=0.3, style="filled,rounded", color="#000000"',
}
MEANINGS: Mapping[Kind, str] = {
    "branching": "branching",
    "solution": "solution",
    "failure": "failure",
    "collapsed": "subtree without a solution, and its failures",
    "open": "not searched further",
    "untried": "not tried, and how many",
    "restart": "the search began again",
    "part": "next independent part",
}
SMALL, SMALLER = 12, 10  # sizes of fonts
HIGH = 104.0  # from a node to its children
TEXT = 37.0  # from a node up to the text at its edge
LINE = 12.5
LOW = 3.0  # from the middle of a triangle to where it is wide


def tree_dot(trace: Trace) -> str:
    """The search tree of a trace as DOT text, every node in its place.

    A circle branches, a diamond is a solution, a square a failure, and a triangle stands for a subtree without a
    solution; the way to the solution is drawn thick. At an edge stands what it decides, below a failure why it
    failed. A tooltip tells what a node has removed and, of a puzzle of at most 20 variables, its domains before and
    after. A tree of more than 40 nodes has its failed subtrees collapsed.

    Parameters
    ----------
    trace : csp.Trace

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> ring = ("AB", "BC", "CD", "DE", "EA")
    >>> model = Model({v: range(2) for v in "ABCDE"}, [AllDifferent.of(pair) for pair in ring])
    >>> text = tree_dot(record(model, nodes=None))
    >>> text.count("shape=box"), "A = 0" in text
    (3, True)
    """
    whole = search_tree(trace)
    drawn = whole.collapsed() if len(whole.nodes) > SHOWN else whole
    tree = drawn.with_untried()
    wide = _width(tree)
    points = [(x * wide, y * HIGH) for x, y in places(tree)]
    tips = _tips(trace, tree)
    path = set(drawn.path) if _is_solved(whole) else set()
    lines = [f"  {_node(node, point, tips[node.index])}" for node, point in zip(tree.nodes, points, strict=True)]
    for node, point in zip(tree.nodes, points, strict=True):
        if node.parent is not None:
            lines.append(_edge(node, points[node.parent], point, node.index in path))
            lines += _words(f"edge {node.index}", [_edge_text(node)], (point[0], point[1] - TEXT), SMALL, "white")
        if node.kind == "collapsed":
            lines += _words(f"count {node.index}", [str(node.failures)], (point[0], point[1] + LOW), SMALL, "")
        if node.kind == "failure":
            why = wrapped(node.outcome.removeprefix("failure · "), SMALLER, wide - 6, 6)
            lines += _words(f"why {node.index}", why, (point[0], point[1] + 17), SMALLER, "", down=True)
        if node.kind == "untried":
            lines += _words(f"count {node.index}", [str(node.nodes)], point, SMALL, "")
        if node.kind == "solution" and node.index == len(drawn.nodes) - 1:
            lines += _words(f"why {node.index}", [node.outcome], (point[0], point[1] + 24), SMALL, "", down=True)
    right = max(x for x, _ in points)
    lines += _legend(tree, max(y for _, y in points) + 1.25 * HIGH, right)
    title = _title(whole)
    return "\n".join([
        f"// {title}",
        f"graph {quote(title)} {{",
        f'  graph [layout=nop2, outputorder=edgesfirst, bgcolor=white, pad=0.2, fontname="{FONT}"];',
        f'  node [style=filled, fixedsize=true, fontname="{FONT}", fontsize={SMALL}, fillcolor=white];',
        "  edge [color=black];",
        *lines,
        *_words("title", [title], (-20, -44), 15, "", left=True),
        "}",
        "",
    ])  # fmt: skip


def _title(tree: SearchTree) -> str:
    failures = sum(node.failures for node in tree.nodes)
    end = "the search until the first solution" if _is_solved(tree) else "the search"
    return f"{end} · {counted(len(tree.nodes), 'node')} · {counted(failures, 'failure')}"


def places(tree: SearchTree) -> Sequence[tuple[float, int]]:
    """Where the nodes stand; below a failure, and what is untried, stays room, as if it had a child."""
    ends = (node for node in tree.nodes if node.kind in ("failure", "untried"))
    texts = (replace(node, index=index, parent=node.index) for index, node in enumerate(ends, len(tree.nodes)))
    return SearchTree((*tree.nodes, *texts)).places()[: len(tree.nodes)]


def _is_solved(tree: SearchTree) -> bool:
    return tree.nodes[-1].kind == "solution"


def _width(tree: SearchTree) -> float:
    """How far apart two nodes stand: their texts have room."""
    edges = max((text_width(_edge_text(node), SMALL) for node in tree.nodes), default=0)
    failing = any(node.kind == "failure" for node in tree.nodes)
    return max(64.0, 96.0 if failing else 0.0, min(180.0, edges + 12))


def _node(node: Node, point: Point, tip: str) -> str:
    text = {"collapsed": "", "untried": "", "restart": "restart", "part": "part"}.get(node.kind, str(node.number))
    return f"{quote(f'node {node.index}')} [{LOOKS[node.kind]}, pos=\"{pos(point)}\", " \
        f'label="{text}", tooltip={quote(tip)}];'  # fmt: skip


def _edge_text(node: Node) -> str:
    return "restart" if node.kind == "collapsed" and node.branch is None else node.edge


def _edge(node: Node, above: Point, below: Point, thick: bool) -> str:
    """To a point above the text at the node, and from there straight down through it."""
    bend = below[0], below[1] - TEXT - 12
    way = " ".join(map(pos, (above, above, bend, bend, bend, below, below)))
    style = ", penwidth=3" if thick else f', color="{QUIET}"'
    return f'  "node {node.parent}" -- "node {node.index}" [pos="{way}"{style}];'


def _words(
    name: str, texts: Sequence[str], point: Point, size: int, behind: str, down: bool = False, left: bool = False
) -> Iterator[str]:
    """A text of some lines: around a point, or down from it, or to the right of it."""
    if not any(texts):
        return
    wide, high = max(text_width(text, size) for text in texts) + 4, len(texts) * LINE * size / SMALLER
    x, y = point[0] + (wide / 2 if left else 0), point[1] + (high / 2 if down else 0)
    fill = f'color="{behind}", fillcolor="{behind}"' if behind else 'style=""'
    yield (
        f"  {quote(name)} [shape=plaintext, {fill}, fontsize={size}, width={wide / 72:.3g}, height={high / 72:.3g}, "
        f'pos="{pos((x, y))}", label=<{"<BR/>".join(map(escape, texts))}>];'
    )


def _legend(tree: SearchTree, y: float, right: float) -> Iterator[str]:
    """The shapes that occur, in rows below the tree."""
    x = 0.0
    for kind, text in MEANINGS.items():
        if any(node.kind == kind for node in tree.nodes):
            wide = 50 + text_width(text, SMALL)
            if x > 0 and x + wide > max(right, 500):
                x, y = 0.0, y + 50
            inside = kind if kind in ("restart", "part") else ""
            yield f'  "legend {kind}" [{LOOKS[kind]}, pos="{pos((x, y))}", label="{inside}"];'
            if kind in ("collapsed", "untried"):
                yield from _words(
                    f"legend {kind} count", ["3"], (x, y + (LOW if kind == "collapsed" else 0)), SMALL, ""
                )
            yield from _words(f"meaning {kind}", [text], (x + 32, y), SMALL, "", left=True)
            x += wide + 30


def _tips(trace: Trace, tree: SearchTree) -> list[str]:
    """What a pointer that rests on a node is told."""
    small = len(trace.model.domains) <= FEW
    told = [node for node in tree.nodes if node.kind != "untried"]
    wanted = {index for node in told for index in _snapshots(trace, node)} if small else set()
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
        lines.append(f"{counted(removed, 'value')} removed in {counted(steps, 'step')}")
        if small and node.nodes == 1:
            before, after = _snapshots(trace, node)
            lines += [f"before: {_told(domains[before])}", f"after: {_told(domains[after])}"]
        if nodes > node.nodes:
            lines.append(f"with what is below: {counted(nodes, 'node')}, {counted(failures, 'failure')}")
        tips.append("\n".join([*lines, node.outcome]))
    return tips


def _snapshots(trace: Trace, node: Node) -> tuple[int, int]:
    """Which moments are a node before its propagation, with its decision made, and after it."""
    before = node.first + 1 if node.parent is not None else 0
    second = trace.records[node.first + 1 : node.first + 2]
    decided = any(isinstance(one, Removal) and one.kind == "decided" for one in second)
    return before + decided, node.last + 1


def _told(domains: Mapping[Variable, Domain]) -> str:
    return " · ".join(f"{variable} {' '.join(map(str, domain)) or 'none'}" for variable, domain in domains.items())

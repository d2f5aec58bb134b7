"""DIMACS graphs, to be coloured."""

from __future__ import annotations

from pathlib import PurePath

from ...text.errors import Mistake, Source
from ...text.syntax import Place
from .gallery import fill
from .puzzles import ForeignPuzzle

Edges = list[tuple[int, int]]

MOST = 100_000
"""The most nodes of a graph."""


def read_graph(source: Source) -> list[ForeignPuzzle]:
    """The one graph of a file: lines ``p edge NODES EDGES`` and ``e A B``, and comments ``c``."""
    return [ForeignPuzzle("graph", Place(1, 1), lambda: _spec(source))]


def _spec(source: Source) -> str:
    nodes, edges = _graph(source)
    params = {"nodes": nodes, "k": colors_enough(nodes, edges)}
    return fill("coloring", PurePath(source.name).name, params, facts={"edge": edges})


def _graph(source: Source) -> tuple[int, Edges]:
    nodes = 0
    edges: dict[tuple[int, int], None] = {}
    for number, line in enumerate(source.text.split("\n"), 1):
        at = Place(number, 1, max(1, len(line)))
        match line.split():
            case [] | ["c" | "n", *_]:
                pass
            case ["p", "edge" | "edges" | "col", count, _] if not nodes and _is_node(count):
                nodes = int(count)
            case ["e", a, b] if a != b and _is_node(a) and _is_node(b):
                low, high = sorted((int(a), int(b)))
                if high > nodes:
                    raise Mistake(f"the graph has {nodes} nodes", at, "the line p edge NODES EDGES comes first")
                edges[low, high] = None
            case _:
                raise Mistake("this is no line of a DIMACS graph", at, "p edge NODES EDGES, e A B, or c and a comment")
    if not edges:
        raise Mistake("the graph has no edges")
    return nodes, list(edges)


def _is_node(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 10 and 1 <= int(word) <= MOST


def colors_enough(nodes: int, edges: Edges) -> int:
    """How many colors suffice, when the node with the most colors around it is always next (DSATUR).

    Examples
    --------
    >>> colors_enough(5, [(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)])
    3
    """
    neighbours: dict[int, set[int]] = {node: set() for node in range(1, nodes + 1)}
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    around: dict[int, set[int]] = {node: set() for node in neighbours}
    used = 0
    while around:
        node = max(around, key=lambda node: (len(around[node]), len(neighbours[node]), -node))
        taken = around.pop(node)
        color = next(color for color in range(used + 1) if color not in taken)
        used = max(used, color + 1)
        for other in neighbours[node] & around.keys():
            around[other].add(color)
    return used

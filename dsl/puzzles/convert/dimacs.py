"""Converts graphs in DIMACS format to graph colouring puzzles."""

from __future__ import annotations

from pathlib import PurePath

from ...syntax.errors import Diagnostic, Source
from ...syntax.nodes import Place
from .gallery import fill
from .puzzles import ForeignPuzzle

Edges = list[tuple[int, int]]

MAX_NODES = 100_000
"""Maximum number of nodes of a graph; a line that exceeds it is an error."""


def read_graph(source: Source) -> list[ForeignPuzzle]:
    """Return a list with the one puzzle of a DIMACS file: to colour its graph.

    The file has lines ``p edge NODES EDGES`` and ``e A B``, and comments ``c``.
    """
    return [ForeignPuzzle("graph", Place(1, 1), lambda: _spec(source))]


def _spec(source: Source) -> str:
    nodes, edges = _graph(source)
    params = {"nodes": nodes, "k": colors_enough(nodes, edges)}
    return fill("coloring", PurePath(source.name).name, params, facts={"edge": edges})


def _graph(source: Source) -> tuple[int, Edges]:
    """Parse the number of nodes and the edges of a DIMACS graph.

    Each edge occurs once, with the smaller node first.
    """
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
                    raise Diagnostic(
                        "bad-puzzle", f"the graph has {nodes} nodes", at, "the line p edge NODES EDGES comes first"
                    )
                edges[low, high] = None
            case _:
                raise Diagnostic(
                    "bad-puzzle",
                    "this is not a line of a DIMACS graph",
                    at,
                    "p edge NODES EDGES, e A B, or c and a comment",
                )
    if not edges:
        raise Diagnostic("bad-puzzle", "the graph has no edges")
    return nodes, list(edges)


def _is_node(token: str) -> bool:
    return token.isascii() and token.isdecimal() and len(token) < 10 and 1 <= int(token) <= MAX_NODES


def colors_enough(nodes: int, edges: Edges) -> int:
    """Return a number of colors that suffices for a graph, by the DSATUR heuristic.

    The next node to color is the one whose neighbours have the largest number of different colors.

    Examples
    --------
    >>> colors_enough(5, [(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)])
    3
    """
    neighbours: dict[int, set[int]] = {node: set() for node in range(1, nodes + 1)}
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    neighbour_colors: dict[int, set[int]] = {node: set() for node in neighbours}
    color_count = 0
    while neighbour_colors:
        # Ties: the node with more neighbours, then the smaller number.
        node = max(neighbour_colors, key=lambda node: (len(neighbour_colors[node]), len(neighbours[node]), -node))
        used_colors = neighbour_colors.pop(node)
        # Give it the smallest color that no neighbour has.
        color = next(color for color in range(color_count + 1) if color not in used_colors)
        color_count = max(color_count, color + 1)
        for neighbour in neighbours[node] & neighbour_colors.keys():
            neighbour_colors[neighbour].add(color)
    return color_count

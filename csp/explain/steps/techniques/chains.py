"""Techniques with chains and nice loops of strong and weak links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from ....engine.compiled.propagators.base import bits
from ....model import Value
from ..board import Board, Deduction, Link, View
from ..cover_sets import BoardGroup
from ..inference import InferenceGraph, StrongLink, conjugate_pairs, grouped_links
from .locked import count_crossings
from .turbot import box_links


def _graph(view: View, name: str, links: Callable[[View], Iterable[StrongLink]]) -> InferenceGraph:
    """Return the inference graph of a view with these links; compute it once per ``name``."""
    return view.compute_once(f"graph of {name}", lambda: InferenceGraph(view, links(view)))


def _plain_graph(view: View) -> InferenceGraph:
    return _graph(view, "conjugate pairs", conjugate_pairs)


def _grouped_graph(view: View) -> InferenceGraph:
    return _graph(view, "grouped links", lambda view: [*conjugate_pairs(view), *grouped_links(view)])


def _bivalue_graph(view: View) -> InferenceGraph:
    return _graph(view, "bivalue cells", lambda view: conjugate_pairs(view, places=False))


def x_chain(view: View) -> Iterator[Deduction]:
    """Find a chain of one value, linked by groups with two places left for it.

    Removes the value where both ends see it.
    """
    for graph in _graphs_of_values(view):
        for chain, removed in graph.chains(3):
            yield graph.deduction(chain, removed)


def x_chain_of_three(view: View, extras: int) -> Iterator[Deduction]:
    """Find an ``x_chain`` with three strong links.

    ``extras`` counts two properties: a link lies in a box, and two links lie in lines that cross.
    """
    for deduction in view.compute_once("X-chains", lambda: list(x_chain(view))):
        numbers = [link.number for link in deduction.links if link.strong]
        if len(numbers) == 3:
            groups = [group for group in view.board.groups if group.number in numbers]
            boxes = [group for group in groups if _is_box(view.board, group)]
            lines = [{*group.variables} for group in groups if group not in boxes]
            has_crossing = any(first & second for first, second in combinations(lines, 2))
            if bool(boxes) + has_crossing == extras:
                yield deduction


def grouped_x_chain(view: View) -> Iterator[Deduction]:
    """Find a chain of one value with three strong links and an empty rectangle.

    An empty rectangle is a box whose places of the value lie in two lines. Removes the value where both ends see it.
    """
    board = view.board
    for value, pairs in _conjugate_pairs_of_values(view).items():
        boxes = [
            link for link in box_links(view) if link.cover is not None and board.covers[link.cover].subject == value
        ]
        within = board.compute_once("candidates of values", _by_value)[value]
        graph = InferenceGraph(view, [*pairs, *boxes], within=within)
        for chain, removed in graph.chains(3):
            if len(chain.nodes) == 6 and any(node & (node - 1) for node in chain.nodes):
                yield graph.deduction(chain, removed)


def _is_box(board: Board, group: BoardGroup) -> bool:
    """Return whether a group shares several variables with more groups than one of these does."""
    crossings = board.compute_once("crossings", count_crossings)
    variables = {*group.variables}
    counts = [
        count
        for other, count in zip(board.groups, crossings, strict=True)
        if other is not group and len(variables.intersection(other.variables)) > 1
    ]
    return bool(counts) and crossings[board.groups.index(group)] > min(counts)


def x_loop(view: View) -> Iterator[Deduction]:
    """Find a continuous nice loop of one value.

    Removes the candidates that both nodes of a weak link exclude.
    """
    for graph in _graphs_of_values(view):
        for chain, removed in graph.loops():
            yield graph.deduction(chain, removed, is_loop=True)


def _graphs_of_values(view: View) -> list[InferenceGraph]:
    """Return an inference graph for each value that has two conjugate pairs or more."""
    within = view.board.compute_once("candidates of values", _by_value)
    return view.compute_once(
        "graphs of values",
        lambda: [
            InferenceGraph(view, pairs, within=within[value])
            for value, pairs in _conjugate_pairs_of_values(view).items()
            if len(pairs) > 1
        ],
    )


def _conjugate_pairs_of_values(view: View) -> dict[Value, list[StrongLink]]:
    """Return the conjugate pairs of each value in groups."""
    pairs_of: dict[Value, list[StrongLink]] = {}
    for link in conjugate_pairs(view, variables=False):
        assert link.cover is not None
        pairs_of.setdefault(view.board.covers[link.cover].subject, []).append(link)
    return pairs_of


def _by_value(board: Board) -> dict[Value, int]:
    """Map each value to the mask of its candidates in all groups."""
    candidates_of: dict[Value, int] = {}
    for cover in board.covers:
        if cover.group is not None:
            candidates_of[cover.subject] = candidates_of.get(cover.subject, 0) | cover.mask
    return candidates_of


def xy_chain(view: View) -> Iterator[Deduction]:
    """Find a chain of two-valued variables that forces a value at one of its ends.

    Removes this value where both ends see it.
    """
    graph = _bivalue_graph(view)
    for chain, removed in graph.chains(3):
        values = [view.board.candidates[node.bit_length() - 1][1] for node in (chain.nodes[0], chain.nodes[-1])]
        if values[0] == values[1]:
            yield graph.deduction(chain, removed)


def xy_loop(view: View) -> Iterator[Deduction]:
    """Find a continuous nice loop through bivalue cells.

    Removes the candidates that both nodes of a weak link exclude.
    """
    graph = _bivalue_graph(view)
    for chain, removed in graph.loops():
        yield graph.deduction(chain, removed, is_loop=True)


def inference_chain(view: View) -> Iterator[Deduction]:
    """Find a chain of alternating strong and weak links between single candidates.

    Removes the candidates that both ends exclude.
    """
    graph = _plain_graph(view)
    for chain, removed in graph.chains():
        yield graph.deduction(chain, removed)


def grouped_inference_chain(view: View) -> Iterator[Deduction]:
    """Find a chain of alternating links whose nodes may be groups of candidates.

    A grouped node is several places of a value that lie in two groups at once. Removes the candidates that both ends
    exclude.
    """
    graph = _grouped_graph(view)
    for chain, removed in graph.chains():
        yield graph.deduction(chain, removed)


def continuous_loop(view: View) -> Iterator[Deduction]:
    """Find a closed chain of alternating strong and weak links (continuous nice loop).

    Strong and weak links alternate all the way round, so that exactly one node of each link holds. Removes the
    candidates that both nodes of a weak link exclude.
    """
    graph = _plain_graph(view)
    for chain, removed in graph.loops():
        yield graph.deduction(chain, removed, is_loop=True)


def grouped_continuous_loop(view: View) -> Iterator[Deduction]:
    """Find a closed chain of alternating links whose nodes may be groups of candidates.

    Removes the candidates that both nodes of a weak link exclude.
    """
    graph = _grouped_graph(view)
    for chain, removed in graph.loops():
        yield graph.deduction(chain, removed, is_loop=True)


def discontinuous_loop(view: View) -> Iterator[Deduction]:
    """Find a chain of alternating links that returns to its first candidate (discontinuous loop).

    At one candidate, the discontinuity, both links of the loop are strong or both are weak. If they are strong, the
    candidate holds: removes the other values of its variable. If they are weak, removes the candidate.
    """
    yield from discontinuous_loops(_plain_graph(view))


def grouped_discontinuous_loop(view: View) -> Iterator[Deduction]:
    """Find a chain back to its first candidate whose nodes may be groups of candidates.

    Removes the same candidates as ``discontinuous_loop``.
    """
    yield from discontinuous_loops(_grouped_graph(view))


def discontinuous_loops(graph: InferenceGraph) -> Iterator[Deduction]:
    """Yield the deductions of all discontinuous loops (chains back to one candidate) in ``graph``."""
    view = graph.view
    # Two strong links at the discontinuity: the candidate holds, so the other values of its variable are removed.
    for chain, node in graph.returning_chains():
        if not node & (node - 1):
            removed_values = view.cells[view.board.owner[node.bit_length() - 1]] & ~node
            if removed_values:
                yield graph.deduction(chain, removed_values)
    # Two weak links at the discontinuity: the candidate sees both ends of a chain, so it is removed.
    done = set()
    for chain, removed in graph.chains():
        for bit in bits(removed):
            if bit not in done:
                done.add(bit)
                yield graph.deduction(chain, 1 << bit)


def remote_pairs(view: View) -> Iterator[Deduction]:
    """Find a chain of linked cells that all have the same two values.

    Along the links, cells of two sides alternate. All cells of one side have one of the values, and all cells of the
    other side have the other value. Removes the values where cells of both sides see them.
    """
    board = view.board
    by_values: dict[tuple[object, object], list[int]] = {}
    for cell in view.cells:
        if cell & board.shown and cell.bit_count() == 2:
            low, high = bits(cell)
            by_values.setdefault((board.candidates[low][1], board.candidates[high][1]), []).append(cell)
    for cells in by_values.values():
        for side_of in _components(view, cells):
            sides = [0, 0]
            for cell, side in side_of.items():
                sides[side] |= cell
            if len(side_of) < 4:
                continue
            # A candidate is removed if it sees its own value on both sides.
            removed = 0
            pattern = sides[0] | sides[1]
            for bit in bits(view.live & ~pattern):
                if board.sees[bit] & sides[0] and board.sees[bit] & sides[1]:
                    value = board.candidates[bit][1]
                    if all(
                        any(board.candidates[b][1] == value for b in bits(board.peers[bit] & side)) for side in sides
                    ):
                        removed |= 1 << bit
            if removed:
                first_names, second_names = board.cells(sides[0]), board.cells(sides[1])
                text = f"{first_names} have one of {board.values(pattern)}, and {second_names} the other one"
                links = [Link(cell & -cell, cell & (cell - 1), True, None) for cell in side_of]
                nodes = {cell & -cell: not side for cell, side in side_of.items()}
                nodes |= {cell & (cell - 1): bool(side) for cell, side in side_of.items()}
                yield Deduction(text, removed=removed, pattern=pattern, nodes=nodes, links=tuple(links))


def _components(view: View, cells: list[int]) -> Iterator[dict[int, int]]:
    """Yield the connected components of cells that have the same two values.

    A component maps each of its cells to a side, 0 or 1. Two cells are linked if they see each other in both values.
    Linked cells are on different sides.
    """
    # Depth-first search from any unvisited cell.
    unvisited = dict.fromkeys(cells)
    while unvisited:
        root = next(iter(unvisited))
        sides = {root: 0}
        todo = [root]
        while todo:
            cell = todo.pop()
            seen = view.board.peers[(cell & -cell).bit_length() - 1], view.board.peers[cell.bit_length() - 1]
            for neighbour in unvisited:
                if (
                    neighbour not in sides
                    and neighbour & -neighbour & seen[0]
                    and seen[1] >> (neighbour.bit_length() - 1) & 1
                ):
                    sides[neighbour] = 1 - sides[cell]
                    todo.append(neighbour)
        for cell in sides:
            del unvisited[cell]
        yield sides

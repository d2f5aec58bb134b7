"""Convert the pattern of a step into plain data for pictures and JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...engine.compiled.propagators.base import bits
from ...model import Candidate, Constraint, Variable
from .board import Board
from .view import Deduction


class PatternNode(NamedTuple):
    """A node of a pattern: one candidate, or a group of candidates.

    A node holds if one of its candidates does. ``is_on`` is whether it holds when the pattern is read in its order.
    """

    candidates: tuple[Candidate, ...]
    is_on: bool


class PatternLink(NamedTuple):
    """A strong or weak link between two nodes of a pattern.

    Of the two nodes at least one holds if the link is strong, and at most one if it is weak. ``start`` and ``end`` are
    indices of nodes. ``by`` is the constraint that the link follows from; None if the link follows from a variable
    having one value.
    """

    start: int
    end: int
    is_strong: bool
    by: Constraint | None


class PatternSet(NamedTuple):
    """A set of variables in a pattern, with its role, such as base set.

    ``line`` is the name of the cover set or constraint that the variables belong to, or empty.
    """

    role: str
    cells: tuple[Variable, ...]
    line: str


def pattern_pictures(
    board: Board, deduction: Deduction
) -> tuple[tuple[PatternNode, ...], tuple[PatternLink, ...], tuple[PatternSet, ...]]:
    """Return the nodes, links and sets of a deduction's pattern.

    If the technique gives no nodes or sets, they come from the pattern, the conclusion and the constraints.
    """
    # Without nodes, the candidates of the pattern are on; without a pattern, the removed ones are off.
    nodes = deduction.nodes or {1 << bit: True for bit in bits(deduction.pattern)}
    nodes = nodes or {1 << bit: False for bit in bits(deduction.removed)}
    index = {node: i for i, node in enumerate(nodes)}
    outlines = deduction.sets
    # Without outlines, the sets are the scopes of the constraints, or else the variables of the deduction.
    if not outlines:
        scopes = {board.constraints[number]: board.constraints[number].scope for number in deduction.constraints}
        mask = deduction.pattern | deduction.placed | deduction.removed
        variables = {board.candidates[bit][0] for bit in bits(mask)}
        lines = [
            PatternSet("line", tuple([v for v in scope if v in variables]), constraint.place)
            for constraint, scope in scopes.items()
        ]
        sets = tuple(lines) or (PatternSet("cell", tuple(dict.fromkeys([v for v, _ in board.listed(mask)])), ""),)
    else:
        sets = tuple([PatternSet(outline.role, board.variables_at(outline.mask), outline.line) for outline in outlines])
    links = [
        PatternLink(
            index[link.start],
            index[link.end],
            link.strong,
            None if link.number is None else board.constraints[link.number],
        )
        for link in deduction.links
    ]
    return tuple([PatternNode(board.listed(node), is_on) for node, is_on in nodes.items()]), tuple(links), sets


def origin_of(constraint: Constraint) -> dict[str, Any]:
    """Return the name and spec line of a constraint as JSON data."""
    return {"name": constraint.name, **constraint.origin}

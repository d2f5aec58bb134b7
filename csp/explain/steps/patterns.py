"""The pattern of a step as plain data: nodes that are on or off, links between them, and what is outlined."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...engine.compiled.filters.base import bits
from ...model import Candidate, Constraint, Variable
from .board import Board
from .view import Deduction


class PatternNode(NamedTuple):
    """Candidates of which one holds (on) or none does (off), if the pattern is read in its order."""

    candidates: tuple[Candidate, ...]
    is_on: bool


class Joint(NamedTuple):
    """A link between two nodes: of strongly linked ones at least one holds, of weakly linked ones at most one.

    ``by`` is the constraint that says so; None where it is that a variable has one value.
    """

    start: int
    end: int
    is_strong: bool
    by: Constraint | None


class Marked(NamedTuple):
    """Variables that are something in a pattern, such as a base or a fin; the line is what they are of, in words."""

    role: str
    cells: tuple[Variable, ...]
    line: str


def pattern_pictures(
    board: Board, deduction: Deduction
) -> tuple[tuple[PatternNode, ...], tuple[Joint, ...], tuple[Marked, ...]]:
    """The nodes, links and sets of a deduction; what it does not tell itself, its pattern and its constraints say."""
    sides = deduction.nodes or {1 << bit: True for bit in bits(deduction.pattern)}
    sides = sides or {1 << bit: False for bit in bits(deduction.removed)}
    index = {node: i for i, node in enumerate(sides)}
    outlines = deduction.sets
    if not outlines:
        scopes = {board.constraints[number]: board.constraints[number].scope for number in deduction.constraints}
        whole = deduction.pattern | deduction.placed | deduction.removed
        own = {board.candidates[bit][0] for bit in bits(whole)}
        told = [Marked("line", tuple([v for v in scope if v in own]), one.place) for one, scope in scopes.items()]
        marked = tuple(told) or (Marked("cell", tuple(dict.fromkeys([v for v, _ in board.listed(whole)])), ""),)
    else:
        marked = tuple([Marked(one.role, board.variables_at(one.mask), one.line) for one in outlines])
    joints = [
        Joint(
            index[one.start], index[one.end], one.strong, None if one.number is None else board.constraints[one.number]
        )
        for one in deduction.links
    ]
    return tuple([PatternNode(board.listed(node), is_on) for node, is_on in sides.items()]), tuple(joints), marked


def origin_of(constraint: Constraint) -> dict[str, Any]:
    return {"name": constraint.name, **constraint.origin}

"""Find the clues of a spec that its pictures do not print.

Rules that hold for the whole grid, such as rows, need no sign; a constraint on a few of its cells does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..model import AllDifferent, Constraint, Increasing, Model
from .drawn.unseen import unseen_drawings
from .puzzle import PrintedGrid

MAX_SHARE = 0.75
"""Maximum share of a grid's cells under one clause whose signs would be clues; a clause on more of them is a rule."""


def omissions(model: Model, puzzles: Sequence[PrintedGrid], printed: Collection[int]) -> list[str]:
    """Return a message for each clause without a sign, and each drawing without effect.

    ``printed`` are the numbers of the constraints that have a sign.

    Examples
    --------
    >>> from csp import Affine, Linear, Variable
    >>> row = [Variable("x", 1, c) for c in range(1, 7)]
    >>> far = Linear(Affine.variable(row[0]), "<", Affine.variable(row[3]), label="far", line=3)
    >>> omissions(Model(dict.fromkeys(row, (1, 2)), [far]), [PrintedGrid({v: (0, i) for i, v in enumerate(row)})], ())
    ['far (line 3); write draw line(R, C, P) or another sign']
    """
    clauses: dict[tuple[str, int], list[Constraint]] = {}
    for number, constraint in enumerate(model.constraints):
        if constraint.line and len(constraint.scope) > 1:
            clause = clauses.setdefault((constraint.file, constraint.line), [])
            if number not in printed:
                clause.append(constraint)
    lines = [_line(clause) for puzzle in puzzles for clause in clauses.values() if _needs_sign(clause, puzzle)]
    unseen = unseen_drawings(model).items()
    return [*lines, *(f"{drawing}, which {reason}" for drawing, reason in unseen if drawing.condition is None)]


def _needs_sign(clause: Sequence[Constraint], puzzle: PrintedGrid) -> bool:
    """Return whether a clause limits few cells, beside which nothing is drawn."""
    grid = puzzle.grid
    cells = {v for constraint in clause for v in constraint.scope}
    if not clause or not cells <= grid.keys() or len(cells) > MAX_SHARE * len(grid):
        return False
    # Nobody draws a row, a column or a box.
    groups = [[v for v in grid if grid[v][axis] == grid[clause[0].scope[0]][axis]] for axis in (0, 1)]
    groups += [list(area.cells) for area in (*puzzle.areas.boxes, *puzzle.areas.regions)]
    if isinstance(clause[0], AllDifferent) and any(cells == {*group} for group in groups):
        return False
    # The spec's own signs, and texts beside the cells, state their clues.
    drawing = puzzle.drawing
    if any(drawing.covers([grid[v] for v in constraint.scope]) for constraint in clause):
        return False
    texts = [place for spot in drawing.spots for place in spot.places] + [grid[v] for v in puzzle.facts]
    return not any(max(abs(grid[v][0] - r), abs(grid[v][1] - c)) < 2 for v in cells for r, c in texts)


def _line(clause: Sequence[Constraint]) -> str:
    """Return a message: the clause without a sign, its line, and a drawing for it."""
    first = clause[0]
    others = f" and {len(clause) - 1} more" if len(clause) > 1 else ""
    place = f"{first.file} line" if first.file else "line"
    word = "thermometer(R, C, P)" if isinstance(first, Increasing) else "line(R, C, P) or another sign"
    return f"{first.label or first}{others} ({place} {first.line}); write draw {word}"

"""A solution as text."""

from __future__ import annotations

from ..engine.answers import Solution
from ..model import Model, Variable
from ..notation import visible
from .plan.grid import by_family, grid_gaps, grid_places, is_indexed


def answer_text(model: Model, solution: Solution) -> str:
    """Families with two integer indices as grids, boxes set off where groups make them; all else ``name = value``.

    Parameters
    ----------
    model : Model
    solution : Solution

    Returns
    -------
    str
        Without a final line end. A grid is one that the language reads.
    """
    families = by_family(model.shown)
    grids = {name: own for name, own in families.items() if all(map(is_indexed, own))}
    plain = [
        f"{variable} = {visible(str(solution[variable]))}" for variable in model.shown if variable.family not in grids
    ]
    blocks = ["\n".join(plain)] if plain else []
    for family, variables in grids.items():
        title = f"{family}:\n" if len(families) > 1 else ""
        blocks.append(title + _grid(model, variables, solution))
    return "\n\n".join(blocks)


def _grid(model: Model, variables: list[Variable], solution: Solution) -> str:
    value_at = {place: visible(str(solution[variable])) for variable, place in grid_places(model, variables).items()}
    row_gaps, column_gaps = grid_gaps(model, variables)
    width = max(map(len, value_at.values()))
    lines = []
    for row in range(max(row for row, _ in value_at) + 1):
        cells = [
            value_at.get((row, column), ".").rjust(width) + (" |" if column in column_gaps else "")
            for column in range(max(column for _, column in value_at) + 1)
        ]
        lines.append(" ".join(cells))
        if row in row_gaps:
            lines.append("".join("+" if letter == "|" else "-" for letter in lines[-1]))
    return "\n".join(lines)

"""A solution, or the values that variables may have, as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..engine.answers import Solution
from ..model import Model, Variable
from ..notation import Domain, show_domain, visible
from .grid import by_family, grid_gaps, grid_places, is_indexed


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
    return _painted(model, lambda v: visible(str(solution[v])), lambda v: f"{v} = {visible(str(solution[v]))}")


def domains_text(model: Model, domains: Mapping[Variable, Domain]) -> str:
    """The same with all values that variables may have, as a person writes them into the cells with a pencil.

    Parameters
    ----------
    model : Model
    domains : mapping from Variable to tuple

    Returns
    -------
    str

    Examples
    --------
    >>> print(domains_text(Model({Variable("x", 1, c): (1, 2) for c in (1, 2)}), {"x(1,1)": (1, 2), "x(1,2)": (2,)}))
    12  2
    """
    return _painted(model, lambda v: _joined(domains[v]), lambda v: f"{v} in {visible(show_domain(domains[v]))}")


def _joined(domain: Domain) -> str:
    texts = [visible(str(value)) for value in domain]
    return (" " if max(map(len, texts), default=0) > 1 else "").join(texts)


def _painted(model: Model, inside: Callable[[Variable], str], alone: Callable[[Variable], str]) -> str:
    """What stands in the cells of grids, and on lines of their own for all other variables."""
    families = by_family(model.shown)
    grids = {name: own for name, own in families.items() if all(map(is_indexed, own))}
    plain = [alone(variable) for variable in model.shown if variable.family not in grids]
    blocks = ["\n".join(plain)] if plain else []
    for family, variables in grids.items():
        title = f"{family}:\n" if len(families) > 1 else ""
        blocks.append(title + _grid(model, variables, inside))
    return "\n\n".join(blocks)


def _grid(model: Model, variables: list[Variable], inside: Callable[[Variable], str]) -> str:
    value_at = {place: inside(variable) for variable, place in grid_places(model, variables).items()}
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

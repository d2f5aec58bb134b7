"""How deeply constraints and expressions are nested."""

from __future__ import annotations

from collections.abc import Iterable

from csp import Affine, Constraint

from ...text import syntax
from ...text.errors import Mistake
from ..expressions.names import Names

TOO_DEEP = "this is nested too deeply"
SPLIT = "split it into smaller clauses"


def check_nesting(parts: Iterable[object], names: Names, at: syntax.Place) -> None:
    """Refuse parts with more conditions and operations inside each other than the engine can follow."""
    level = [part for part in parts if isinstance(part, Affine | Constraint)]
    for _ in range(names.limits.nesting):
        inside = [atom for part in level if isinstance(part, Affine) and not part.is_linear for atom in part.atoms]
        wholes = [*inside, *[part for part in level if isinstance(part, Constraint)]]
        level = [part for whole in wholes for part in whole.parts() if not _is_flat(part)]
        if not level:
            return
    raise Mistake(TOO_DEEP, at, SPLIT)


def _is_flat(part: object) -> bool:
    return isinstance(part, Affine) and part.is_linear

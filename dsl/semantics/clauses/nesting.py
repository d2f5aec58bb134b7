"""How deeply constraints and expressions are nested."""

from __future__ import annotations

from collections.abc import Iterable

from csp import Affine, Atom, Constraint

from ...syntax import nodes
from ...syntax.errors import nested_too_deeply
from ..expressions.names import Names


def check_nesting(parts: Iterable[object], names: Names, at: nodes.Place) -> None:
    """Refuse parts with more conditions and operations inside each other than the engine can follow."""
    level = [part for part in parts if isinstance(part, Affine | Constraint)]
    for _ in range(names.limits.nesting):
        wholes: list[Atom | Constraint] = []
        for part in level:
            wholes += [part] if isinstance(part, Constraint) else part.atoms
        inside = [part for whole in wholes for part in whole.parts() if isinstance(part, Affine | Constraint)]
        level = [part for part in inside if not (isinstance(part, Affine) and part.is_linear)]
        if not level:
            return
    raise nested_too_deeply(at)

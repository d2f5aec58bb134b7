"""Checks that constraints and expressions are not nested too deeply for the engine."""

from __future__ import annotations

from collections.abc import Iterable

from csp import Affine, Atom, Constraint

from ...syntax import nodes
from ...syntax.errors import nested_too_deeply
from ..expressions.names import Names


def check_nesting(parts: Iterable[object], names: Names, at: nodes.Place) -> None:
    """Refuse constraints and expressions that are nested too deeply for the engine."""
    level = [part for part in parts if isinstance(part, Affine | Constraint)]
    # Descend one level per round; linear expressions have no level below.
    for _ in range(names.limits.nesting):
        composites: list[Atom | Constraint] = []
        for part in level:
            composites += [part] if isinstance(part, Constraint) else part.atoms
        inside = [
            part for composite in composites for part in composite.parts() if isinstance(part, Affine | Constraint)
        ]
        level = [part for part in inside if not (isinstance(part, Affine) and part.is_linear)]
        if not level:
            return
    raise nested_too_deeply(at)

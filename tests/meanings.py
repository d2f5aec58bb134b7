"""What small specs mean: their domains, constraints, solutions and relations."""

from __future__ import annotations

import csp
import dsl
from csp import Value


def posted(text: str, **options: object) -> list[str]:
    """The constraints of a spec, as they print."""
    return [str(constraint) for constraint in dsl.loads(text, **options).constraints]  # type: ignore[arg-type]


def domains(text: str, **options: object) -> dict[str, tuple[Value, ...]]:
    """The domains of a spec."""
    return dict(dsl.loads(text, **options).domains)  # type: ignore[arg-type]


def solutions(text: str) -> list[str]:
    """The values of every solution, in a line each, sorted."""
    found = csp.Solver(dsl.loads(text)).solutions()
    return sorted(" ".join(map(str, solution.values())) for solution in found)


def rows(text: str, relation: str, arity: int = 1) -> list[str]:
    """The tuples of a relation, as the indices of variables that are declared for them."""
    words = ", ".join("XYZ"[:arity])
    names = dsl.loads(f"{text} found__({words}) in 1..1 :- {relation}({words}).").domains
    return [str(name)[8:-1] for name in names if name.family == "found__"]

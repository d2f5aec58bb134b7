"""Functions that return the domains, constraints, solutions and relations of a spec."""

from __future__ import annotations

import csp
import dsl
from csp import Value


def posted(text: str, **options: object) -> list[str]:
    """Return the constraints of a spec as texts."""
    return [str(constraint) for constraint in dsl.loads(text, **options).constraints]  # type: ignore[arg-type]


def domains(text: str, **options: object) -> dict[str, tuple[Value, ...]]:
    """Return the domains of a spec."""
    return dict(dsl.loads(text, **options).domains)  # type: ignore[arg-type]


def solutions(text: str) -> list[str]:
    """Return the values of every solution, each as a line, sorted."""
    answers = csp.Solver(dsl.loads(text)).solutions()
    return sorted(" ".join(map(str, solution.values())) for solution in answers)


def rows(text: str, relation: str, arity: int = 1) -> list[str]:
    """Return the tuples of a relation as texts.

    The function declares a variable for each tuple and reads its indices.
    """
    words = ", ".join("XYZ"[:arity])
    names = dsl.loads(f"{text} found__({words}) in 1..1 :- {relation}({words}).").domains
    return [str(name)[8:-1] for name in names if name.family == "found__"]

"""The propagators, and the table from constraint kind to propagator."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ....model import (
    All,
    AllDifferent,
    AllDifferentExcept,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    DifferentTuples,
    Either,
    Equality,
    Iff,
    Increasing,
    Inverse,
    Lexicographic,
    Linear,
    Member,
    Not,
    Runs,
    Table,
)
from .base import Borrowed, Consistency, Context, Explanation, Maker, Masks, Propagator

MAKERS: dict[type[Constraint], str] = {
    All: "logic.Conjunction",
    AllDifferent: "all_different.make_apart",
    AllDifferentExcept: "permutations.DifferentExcept",
    Circuit: "permutations.RoundTrip",
    Comparison: "sums.make_comparison",
    Connected: "connected.Reachable",
    DifferentTuples: "different_tuples.Pairwise",
    Either: "disjunction.make_either",
    Equality: "equality.make_equality",
    Iff: "logic.make_equivalence",
    Increasing: "increasing.Ascending",
    Inverse: "permutations.Inverses",
    Lexicographic: "lexicographic.Ordered",
    Linear: "sums.make_linear",
    Member: "tabulated.make_member",
    Not: "logic.Probing",
    Runs: "runs.make_runs",
    Table: "table.Tuples",
}
"""The maker of the propagator of each kind, as ``file.name``; the file is imported when it is first needed."""


@cache
def maker(name: str) -> Maker:
    """Import and return the function or class that a string such as ``sums.make_linear`` names."""
    file, _, function = name.partition(".")
    make: Maker = getattr(import_module(f".{file}", __name__), function)
    return make


def make_propagator(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of a constraint, or None if it needs none.

    Parameters
    ----------
    constraint : Constraint
        Of any kind. A kind that is not in ``MAKERS`` gets a table of the assignments that satisfy it.
    context : Context
        The interface to its program.

    Returns
    -------
    Propagator or None
        None if exactly-one sets and exclusions already do its work.
    """
    if not constraint.scope:
        return maker("unary.Constant")(constraint, context)
    if len(constraint.scope) == 1:
        return maker("unary.Unary")(constraint, context)
    if not constraint.is_plain:
        # Only expressions of top-level constraints get variables of their own; elsewhere a table is needed.
        return maker("tabulated.Tabulated")(constraint, context)
    return maker(MAKERS.get(type(constraint), "tabulated.Tabulated"))(constraint, context)


__all__ = [
    "MAKERS",
    "Borrowed",
    "Consistency",
    "Context",
    "Explanation",
    "Masks",
    "Propagator",
    "make_propagator",
    "maker",
]

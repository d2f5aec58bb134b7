"""The filters: a file for each algorithm and its kin, and a table of who makes the filter of a kind of constraint."""

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
    AllDifferentExcept: "permutations.Spread",
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
    Not: "logic.Truth",
    Runs: "runs.make_runs",
    Table: "table.Tuples",
}
"""Where the maker of each is; its file is read when it is first needed."""


@cache
def maker(name: str) -> Maker:
    """A maker of this room."""
    room, _, function = name.partition(".")
    found: Maker = getattr(import_module(f".{room}", __name__), function)
    return found


def make_filter(constraint: Constraint, context: Context) -> Propagator | None:
    """The filter of a constraint; None if lines and exclusions do all that it can.

    Parameters
    ----------
    constraint : Constraint
        Of any kind: one that is not in the table is tabulated.
    context : Context
        Its program.
    """
    if not constraint.scope:
        return maker("unary.Constant")(constraint, context)
    if len(constraint.scope) == 1:
        return maker("unary.Unary")(constraint, context)
    if not constraint.is_plain:
        return maker("tabulated.Tabulated")(
            constraint, context
        )  # inside another one: what it wants no variable stands for
    return maker(MAKERS.get(type(constraint), "tabulated.Tabulated"))(constraint, context)


__all__ = ["MAKERS", "Borrowed", "Consistency", "Context", "Explanation", "Masks", "Propagator", "make_filter", "maker"]

"""Checks the text of clauses for repetitions and clauses without effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..semantics.clauses.definitions import is_relation
from ..semantics.expressions.names import Names
from ..syntax import nodes
from ..syntax.errors import Diagnostic
from .codes import warning
from .words import clause_syntax, fingerprint


def check_clauses(clauses: Sequence[nodes.Clause], names: Names) -> Iterator[Diagnostic]:
    """Yield warnings about single clauses and about clauses that repeat others."""
    first: dict[tuple[Any, ...], nodes.Rule] = {}
    for clause in clauses:
        # A clause that shows all variables.
        if isinstance(clause, nodes.Show) and names.families == _whole_families(clause):
            message, at = "this shows every variable, as an answer does anyhow", clause.at._replace(width=len("show"))
            yield warning("needless-show", message, at, "take it away, or name only those that matter")
        if isinstance(clause, nodes.Rule):
            # A repeated clause.
            earlier_clause = first.setdefault(fingerprint((clause.head, clause.body)), clause)
            if earlier_clause is not clause:
                yield _warn_repeated(clause, earlier_clause, names)
            # A comparison of an expression with itself.
            for node in self_comparisons(clause):
                holds = "always" if node.relation in ("=", "<=", ">=") else "never"
                message = f"both sides of this comparison are the same, so it {holds} holds"
                yield warning("self-comparison", message, node.at, "compare two different things")
            # A sum, minimum or maximum of one variable.
            for call in lone_elements(clause, names):
                (term,) = call.arguments
                message, hint = (
                    f"this is the {call.name} of one element",
                    f"{call.name}(... : I in 1..3) goes over many",
                )
                yield warning("lone-element", message, term.at, hint)


def _whole_families(clause: nodes.Show) -> set[str]:
    """Return the families whose variables a ``show`` clause shows completely.

    Empty if it shows anything else.
    """
    plain = all(isinstance(item.term, nodes.Name) and item.value is None for item in clause.items)
    return {item.term.name for item in clause.items} if plain else set()


def self_comparisons(rule: nodes.Rule) -> list[nodes.Comparison]:
    """Return the comparisons whose two sides are the same expression."""
    comparisons = [part for part in nodes.walk(clause_syntax(rule)) if isinstance(part, nodes.Comparison)]
    return [node for node in comparisons if fingerprint(node.left) == fingerprint(node.right)]


def lone_elements(rule: nodes.Rule, names: Names) -> list[nodes.Call]:
    """Return sums, minima and maxima that have one variable and no generators."""
    return [
        node
        for node in nodes.walk(clause_syntax(rule))
        if isinstance(node, nodes.Call) and node.name in ("sum", "min", "max") and node.body is None
        for term in node.arguments
        if len(node.arguments) == 1 and isinstance(term, nodes.Call | nodes.Name) and term.name in names.families
    ]


def _warn_repeated(rule: nodes.Rule, earlier_rule: nodes.Rule, names: Names) -> Diagnostic:
    """Return the warning about a clause that repeats another."""
    same = (earlier_rule.at.file, earlier_rule.at.line) == (rule.at.file, rule.at.line)
    where = f"column {earlier_rule.at.column} of this line" if same else earlier_rule.at.line_from(rule.at)
    if not rule.body and is_relation(rule, names):
        return warning("duplicate-fact", f"{where} states this fact already", rule.at, "take one of them away")
    return warning("duplicate-clause", f"{where} says the same already", rule.at, "take one of them away")

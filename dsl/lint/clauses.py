"""Clauses that say something twice, or nothing."""

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
    """Warnings for which the text of the clauses is enough."""
    first: dict[tuple[Any, ...], nodes.Rule] = {}
    for clause in clauses:
        if isinstance(clause, nodes.Show) and names.families == _whole_families(clause):
            message, at = "this shows every variable, as an answer does anyhow", clause.at._replace(width=len("show"))
            yield warning("needless-show", message, at, "take it away, or name only those that matter")
        if isinstance(clause, nodes.Rule):
            known = first.setdefault(fingerprint((clause.head, clause.body)), clause)
            if known is not clause:
                yield _repeated(clause, known, names)
            for node in self_comparisons(clause):
                holds = "always" if node.relation in ("=", "<=", ">=") else "never"
                message = f"both sides of this comparison are the same, so it {holds} holds"
                yield warning("self-comparison", message, node.at, "compare two different things")
            for call in lone_elements(clause, names):
                (term,) = call.arguments
                message, hint = (
                    f"this is the {call.name} of one element",
                    f"{call.name}(... : I in 1..3) goes over many",
                )
                yield warning("lone-element", message, term.at, hint)


def _whole_families(clause: nodes.Show) -> set[str]:
    """The families that a clause shows, where it shows nothing else."""
    plain = all(isinstance(one.term, nodes.Name) and one.value is None for one in clause.items)
    return {one.term.name for one in clause.items} if plain else set()


def self_comparisons(rule: nodes.Rule) -> list[nodes.Comparison]:
    """The comparisons of something with itself."""
    found = [part for part in nodes.walk(clause_syntax(rule)) if isinstance(part, nodes.Comparison)]
    return [node for node in found if fingerprint(node.left) == fingerprint(node.right)]


def lone_elements(rule: nodes.Rule, names: Names) -> list[nodes.Call]:
    """Sums and extremes of a single variable, where nothing goes over others; what has parameters may be a list."""
    return [
        node
        for node in nodes.walk(clause_syntax(rule))
        if isinstance(node, nodes.Call) and node.name in ("sum", "min", "max") and node.body is None
        for term in node.arguments
        if len(node.arguments) == 1 and isinstance(term, nodes.Call | nodes.Name) and term.name in names.families
    ]


def _repeated(rule: nodes.Rule, known: nodes.Rule, names: Names) -> Diagnostic:
    same = (known.at.file, known.at.line) == (rule.at.file, rule.at.line)
    where = f"column {known.at.column} of this line" if same else known.at.line_from(rule.at)
    if not rule.body and is_relation(rule, names):
        return warning("duplicate-fact", f"{where} states this fact already", rule.at, "take one of them away")
    return warning("duplicate-clause", f"{where} says the same already", rule.at, "take one of them away")

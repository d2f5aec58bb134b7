"""Declarations to variables and their domains."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from csp import Affine, Domain, Variable, ordered

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics
from ...syntax.printing.write import quoted_in_spec, write
from ..expressions.binding import free_names
from ..expressions.compiler import Compiler
from ..expressions.constraints import brief
from ..expressions.names import INDEX, Env, Evaluate, Names, Row
from .definitions import is_constraint
from .observer import ClauseObserver


def declare(rules: Iterable[nodes.Rule], names: Names, diagnostics: Diagnostics, observer: ClauseObserver) -> None:
    """Declare the variables of all clauses."""
    variables = _Variables(names, observer)
    for rule in rules:
        if isinstance(rule.head, nodes.Declaration) and not is_constraint(rule, names):
            if diagnostics.is_full:
                return
            with diagnostics.collecting(rule.at):
                variables.declare(rule, rule.head)


FEW = 5
"""How many values a hint names."""


def _compared(head: nodes.Declaration) -> str:
    """The constraint that a variable takes one of a few values, as comparisons; empty if it is not one of them."""
    values = [part for part in head.domain.parts if isinstance(part, nodes.Constant)]
    if len(head.terms) != 1 or len(values) != len(head.domain.parts) or not 0 < len(values) <= FEW:
        return ""
    text = " ; ".join([f"{write(head.terms[0])} = {write(value)}" for value in values])
    return f"({text})" if len(values) > 1 else text


class _Variables:
    """The variables declared so far, and how many values they have."""

    def __init__(self, names: Names, observer: ClauseObserver) -> None:
        self._names, self._progress = names, observer
        self._candidates = 0

    def declare(self, rule: nodes.Rule, head: nodes.Declaration) -> None:
        """Declare the variables of a clause, or narrow them."""
        if rule.label:
            hint = f"a comparison is a constraint, such as {_compared(head) or 'slot(L) != wed'}"
            raise Diagnostic("only a constraint has a label", rule.label.at, hint)
        bound, found = Compiler(self._names).instances(rule.body, head)
        domain_of = self._domain(head.domain, bound)
        terms = [(term, self._key(term, bound)) for term in head.terms]
        for env in found:
            domain = domain_of(env)
            for term, key in terms:
                variable = self._narrow(tuple([part(env) for part in key]), domain, term)
                self._progress.declared(rule, term, variable, domain, self._names.domains[variable])

    def _key(self, term: nodes.Expr, bound: set[str]) -> list[Evaluate]:
        """What gives the family and the indices of a declared variable."""
        assert isinstance(term, nodes.Call | nodes.Name | nodes.Logical)
        family = term.name
        if family in bound:
            raise Diagnostic(f"{family} is bound by the body and cannot be declared", term.at)
        indices = [Compiler(self._names).value(argument, bound, INDEX) for argument in nodes.arguments(term)]
        return [lambda env: family, *indices]

    def _domain(self, node: nodes.Union, bound: set[str]) -> Callable[[Env], Domain]:
        """As ``Compiler.domain``, but evaluated once for all bindings that give the same domain."""
        values = Compiler(self._names).domain(node, bound, self._names.limits.domain)
        words = sorted(free_names(node, bound) & bound)
        known: dict[Row, Domain] = {}

        def domain(env: Env) -> Domain:
            key = tuple([env[word] for word in words])
            if key not in known:
                known[key] = ordered(values(env))
                self._names.spend(len(known[key]) if words else 0, node.at)
            if not known[key]:
                is_range = any(isinstance(part, nodes.Range) for part in node.parts)
                hint = "a range goes from the least to the greatest" if is_range else "nothing satisfies its generators"
                raise Diagnostic("the domain is empty", node.at, hint)
            return known[key]

        return domain

    def _narrow(self, key: Row, domain: Domain, term: nodes.Expr) -> Variable:
        self._candidates += len(domain)
        if self._candidates > self._names.limits.candidates:
            raise Diagnostic(f"the variables have more than {self._names.limits.candidates:,} values in all", term.at)
        if key not in self._names.variables:
            taken = self._names.families
            indices = [i if isinstance(i, int) else quoted_in_spec(i, taken, argument=True) for i in key[1:]]
            variable = Variable(str(key[0]), *indices)
            self._names.variables[key] = Affine.variable(variable)
            self._names.domains[variable] = domain
            return variable
        (variable,) = self._names.variables[key].variables
        known = self._names.domains[variable]
        if known is not domain:
            also = set(domain)
            self._names.domains[variable] = both = tuple(value for value in known if value in also)
            if not both:
                message = f"{variable} has no value left: {brief(known)} and {brief(domain)} have nothing in common"
                raise Diagnostic(message, term.at)
        return variable

"""Creates the puzzle variables and their domains from the declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from csp import Affine, Domain, Variable, ordered

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Edit, Suggestion
from ...syntax.write import quoted_in_spec, write
from ..expressions.binding import free_names
from ..expressions.compiler import Compiler
from ..expressions.constraints import brief
from ..expressions.names import INDEX, Env, Evaluate, Names, Row
from .definitions import is_constraint
from .observing import ClauseObserver
from .unbound import explaining_unbound

FEW = 5
"""Maximum number of values that a hint writes as comparisons."""


def declare(rules: Iterable[nodes.Rule], names: Names, diagnostics: Diagnostics, observer: ClauseObserver) -> None:
    """Create the puzzle variables of all declarations, and record them in ``names``."""
    variables = _Variables(names, observer)
    for rule in rules:
        if isinstance(rule.head, nodes.Declaration) and not is_constraint(rule, names):
            if diagnostics.is_full:
                return
            with diagnostics.collecting(rule.at):
                variables.declare(rule, rule.head)


def _write_as_comparisons(head: nodes.Declaration) -> str:
    """Return a declaration like ``A in {1, 2}`` as comparisons, for a hint.

    The text is empty unless the declaration has one term and at most ``FEW`` values and ranges.
    """
    parts = head.domain.parts
    if len(head.terms) != 1 or len(parts) > FEW or any(isinstance(part, nodes.Comprehension) for part in parts):
        return ""
    term = write(head.terms[0])
    texts = [
        f"({term} >= {write(part.low)}, {term} <= {write(part.high)})"
        if isinstance(part, nodes.Range)
        else f"{term} = {write(part)}"
        for part in parts
    ]
    return f"({' ; '.join(texts)})" if len(texts) > 1 else texts[0]


class _Variables:
    """A creator of puzzle variables, which bounds the total size of their domains."""

    def __init__(self, names: Names, observer: ClauseObserver) -> None:
        self._names, self._observer = names, observer
        self._candidates = 0

    def declare(self, rule: nodes.Rule, head: nodes.Declaration) -> None:
        """Declare the variables of a clause, or narrow the domains of earlier ones.

        A label is refused.
        """
        if rule.label:
            message = 'a clause "VARIABLE in DOMAIN" declares a domain and cannot have a label'
            comparisons = _write_as_comparisons(head)
            hint = f"remove the label, or write {comparisons}" if comparisons else "remove the label"
            edits = [Edit(head.at, comparisons)] if comparisons else []
            raise Diagnostic("misplaced-label", message, rule.label.at, Suggestion(hint, *edits))
        bound, environments = Compiler(self._names).instances(rule.body, head)
        # Compile the domain and the terms once for all environments.
        with explaining_unbound(rule, self._names):
            domain_of = self._compile_domain(head.domain, bound)
            terms = [(term, self._compile_key(term, bound)) for term in head.terms]
        for env in environments:
            domain = domain_of(env)
            for term, key in terms:
                variable = self._narrow(tuple([part(env) for part in key]), domain, term)
                self._observer.on_declared(rule, term, variable, domain, self._names.domains[variable])

    def _compile_key(self, term: nodes.Expr, bound: set[str]) -> list[Evaluate]:
        """Return functions from an environment to a term's family and to each of its indices.

        A family that the body binds as a logical variable is refused.
        """
        assert isinstance(term, nodes.Call | nodes.Name | nodes.Logical)
        family = term.name
        if family in bound:
            raise Diagnostic("binds-variable", f"the body binds {family}, so it cannot be declared", term.at)
        indices = [Compiler(self._names).value(argument, bound, INDEX) for argument in nodes.arguments(term)]
        return [lambda env: family, *indices]

    def _compile_domain(self, node: nodes.Union, bound: set[str]) -> Callable[[Env], Domain]:
        """Compile a domain to a function from an environment to its sorted values.

        The values are cached by the logical variables that the domain uses. The function refuses an empty domain.
        """
        values = Compiler(self._names).domain(node, bound, self._names.limits.domain)
        names_in_domain = sorted(free_names(node, bound) & bound)
        domains: dict[Row, Domain] = {}

        def domain(env: Env) -> Domain:
            # Evaluate the domain at its first use.
            key = tuple([env[word] for word in names_in_domain])
            if key not in domains:
                domains[key] = ordered(values(env))
                self._names.spend(len(domains[key]) if names_in_domain else 0, node.at)
            if not domains[key]:
                is_range = any(isinstance(part, nodes.Range) for part in node.parts)
                hint = "write the smaller end of a range first" if is_range else "nothing satisfies its generators"
                raise Diagnostic("empty-domain", "the domain is empty", node.at, hint)
            return domains[key]

        return domain

    def _narrow(self, key: Row, domain: Domain, term: nodes.Expr) -> Variable:
        """Create and return a variable; if it exists, intersect its domain with the new one.

        An empty intersection is an error, and so are too many values of all variables.
        """
        self._candidates += len(domain)
        if self._candidates > self._names.limits.candidates:
            raise Diagnostic(
                "too-large", f"the variables have more than {self._names.limits.candidates:,} values in all", term.at
            )
        # The first declaration creates the variable.
        if key not in self._names.variables:
            families = self._names.families
            indices = [i if isinstance(i, int) else quoted_in_spec(i, families, argument=True) for i in key[1:]]
            variable = Variable(str(key[0]), *indices)
            self._names.variables[key] = Affine.variable(variable)
            self._names.domains[variable] = domain
            return variable
        # A later one narrows its domain.
        (variable,) = self._names.variables[key].variables
        earlier = self._names.domains[variable]
        if earlier is not domain:
            allowed = set(domain)
            self._names.domains[variable] = common = tuple(value for value in earlier if value in allowed)
            if not common:
                message = f"{variable} has no value: {brief(earlier)} and {brief(domain)} have no common value"
                raise Diagnostic("empty-domain", message, term.at)
        return variable

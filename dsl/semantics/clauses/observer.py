"""The observer of clauses; the linter derives its own from it."""

from __future__ import annotations

from csp import Constraint, Domain, Variable

from ...syntax import nodes
from ...syntax.errors import Undefined
from ..expressions.names import Env


class ClauseObserver:
    """An observer that ignores the variables and constraints that clauses make."""

    def on_declared(
        self, rule: nodes.Rule, term: nodes.Expr, variable: Variable, domain: Domain, narrowed: Domain
    ) -> None:
        """Handle the declaration of a variable.

        ``domain`` is the declared domain; ``narrowed`` is the variable's domain after all declarations so far.
        """

    def on_posted(self, rule: nodes.Rule, env: Env, constraint: Constraint | bool) -> None:
        """Handle an instance of a constraint; True means one that always holds."""

    def on_undrawn(self, diagnostic: Undefined) -> None:
        """Handle a ``draw`` clause that draws nothing; the diagnostic says why."""

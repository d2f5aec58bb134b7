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
        """Handle a declaration of a variable with ``domain``; ``narrowed`` is its domain now."""

    def on_posted(self, rule: nodes.Rule, env: Env, constraint: Constraint | bool) -> None:
        """Handle an instance of a constraint; True stands for one that always holds."""

    def on_undrawn(self, diagnostic: Undefined) -> None:
        """Handle a ``draw`` clause that draws nothing; the diagnostic says why."""

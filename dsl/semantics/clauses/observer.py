"""The base class of observers, which are notified while clauses are evaluated."""

from __future__ import annotations

from csp import Constraint, Domain, Variable

from ...syntax import nodes
from ...syntax.errors import Undefined
from ..expressions.names import Env


class ClauseObserver:
    """An observer of clause evaluation that ignores all events; subclasses record them."""

    def on_declared(
        self, rule: nodes.Rule, term: nodes.Expr, variable: Variable, domain: Domain, narrowed: Domain
    ) -> None:
        """Receive the event that a clause has declared a variable.

        ``domain`` is the declared domain; ``narrowed`` is the variable's domain after all declarations so far.
        """

    def on_posted(self, rule: nodes.Rule, env: Env, constraint: Constraint | bool) -> None:
        """Receive a constraint that a clause has posted; True means that it always holds."""

    def on_undrawn(self, diagnostic: Undefined) -> None:
        """Receive the diagnostic that explains why a ``draw`` clause draws nothing."""

"""The observer that is told what clauses make."""

from __future__ import annotations

from csp import Constraint, Domain, Variable

from ...syntax import nodes
from ...syntax.errors import Undefined
from ..expressions.names import Env


class ClauseObserver:
    """Observer of what every clause makes; this one ignores it."""

    def declared(self, rule: nodes.Rule, term: nodes.Expr, variable: Variable, domain: Domain, left: Domain) -> None:
        """A clause has declared a variable with this domain, of which that is left."""

    def posted(self, rule: nodes.Rule, env: Env, constraint: Constraint | bool) -> None:
        """A clause has made an instance of its constraint, or True for what holds anyhow."""

    def undrawn(self, diagnostic: Undefined) -> None:
        """A ``draw`` clause has drawn nothing, because this has no value."""

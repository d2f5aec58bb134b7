"""A build that remembers which clause has made what."""

from __future__ import annotations

from collections.abc import Mapping

from csp import Constraint, Value, Variable
from csp.model import Domain

from .. import syntax
from ..build import Build, Program
from ..errors import Mistake, Source
from ..expressions import Env
from ..known import is_constraint
from .words import Alike, words

Instance = tuple[Env, Constraint | bool]


class WatchedBuild(Build):
    """A build that remembers which clause has made what.

    Attributes
    ----------
    instances : list of (syntax.Rule, list of (bindings, constraint))
        For every clause that posts constraints, in the order written; True is a constraint that holds anyhow.
    conditions : dict of str to list of syntax.Call
        Of every relation, the terms of it in bodies.
    cells : dict of str to dict of cell to place
        The facts of every grid, and where they stand.
    pictures : set of str
        The grids, and the relations that follow from them.
    idle : list of syntax.Rule
        The clauses whose bodies nothing satisfies.
    origins : dict of Variable to term
        Where every variable is first declared.
    values : dict of str to dict of values
        All values that the variables of a family may have.
    narrowed : dict of Variable to term
        Declarations that left a variable one value of several, though they give several themselves.
    """

    def __init__(self, program: Program, params: Mapping[str, Value], grids: Mapping[str, Source]) -> None:
        rules = [clause for clause in program.clauses if isinstance(clause, syntax.Rule)]
        self._of: dict[int, list[Instance]] = {id(rule): [] for rule in rules}
        self._known: dict[Variable, Domain] = {}
        self.origins: dict[Variable, syntax.Expr] = {}
        self.narrowed: dict[Variable, syntax.Expr] = {}
        self._declaring: set[int] = set()
        self._symbols: dict[tuple[str, int], Alike] = {}
        super().__init__(program, params, grids)
        families = self.names.families
        self.instances = [(rule, self._of[id(rule)]) for rule in rules if is_constraint(rule, families)]
        self.values: dict[str, dict[Value, None]] = {}
        for variable, domain in self.names.domains.items():
            self.values.setdefault(variable.family, {}).update(dict.fromkeys(domain))
        self.conditions: dict[str, list[syntax.Call]] = {}
        for part in syntax.walk(tuple([rule.body for rule in rules])):
            if isinstance(part, syntax.Call):
                self.conditions.setdefault(part.name, []).append(part)
        self.cells = self._cells
        self.pictures = self._pictures(rules)
        self.idle = [rule for rule in rules if rule.body and self._does_nothing(rule)]

    def declared(self, rule: syntax.Rule, term: syntax.Expr, variable: Variable, domain: Domain) -> None:
        self._declaring.add(id(rule))
        self.origins.setdefault(variable, term)
        before, after = self._known.get(variable, domain), self.names.domains[variable]
        if len(after) == 1 < min(len(before), len(domain)):
            self.narrowed.setdefault(variable, term)
        self._known[variable] = after

    def posted(self, rule: syntax.Rule, env: Env, constraint: Constraint | bool) -> None:
        self._of[id(rule)].append((env, constraint))

    def place(self, rule: syntax.Rule, env: Env) -> tuple[str, syntax.Place]:
        """The grid, if any, and the place in it from which an instance comes; otherwise the clause."""
        return self._cell(rule, env) or ("", rule.at)

    def text_of(self, grid: str) -> str:
        """Which text a grid stands in: its own, or the spec, whose name is empty."""
        return grid if grid in self._sources else ""

    def where(self, grid: str, at: syntax.Place) -> str:
        """A place for a message."""
        of = f" of {self._sources[grid].name}" if grid else ""
        return f"line {at.line}, column {at.column}{of}"

    def _does_nothing(self, rule: syntax.Rule) -> bool:
        if self._of[id(rule)] or id(rule) in self._declaring:
            return False
        if isinstance(rule.head, syntax.Fact) and not is_constraint(rule, self.names.families):
            return self.is_empty(rule.body)
        return True

    def _pictures(self, rules: list[syntax.Rule]) -> set[str]:
        users: dict[str, list[str]] = {}
        for rule in rules:
            if isinstance(rule.head, syntax.Fact) and not is_constraint(rule, self.names.families):
                for word in words((syntax.arguments(rule.head.term), rule.body)):
                    users.setdefault(word.name, []).append(rule.head.term.name)  # type: ignore[union-attr]
        found, waiting = set(self._cells), list(self._cells)
        while waiting:
            new = set(users.get(waiting.pop(), ())) - found
            found |= new
            waiting += new
        return found

    def symbols(self, relation: str, column: int) -> Alike:
        """The symbols in a column of a relation."""
        if (relation, column) not in self._symbols:
            values = [row[column] for row in self.names.relations[relation].rows]
            self._symbols[relation, column] = Alike(value for value in values if isinstance(value, str))
        return self._symbols[relation, column]

    def is_empty(self, body: tuple[syntax.Literal, ...]) -> bool:
        """Whether a body has no bindings; False, too, if that would take too long to find out."""
        try:
            return not self.names.instances(body, ())[1]
        except (Mistake, RecursionError):
            return False


def called(made: Constraint | bool) -> str:
    """What a message calls a constraint."""
    name = made.name if isinstance(made, Constraint) else "this"
    return name if len(name) <= 60 else "this"

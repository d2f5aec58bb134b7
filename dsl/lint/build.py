"""Records which clause makes which variables and constraints.

The linter evaluates a spec with this observer, and asks the record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from csp import Constraint, Domain, Stopped, Value, Variable, deciding

from ..semantics.clauses.build import Build
from ..semantics.clauses.definitions import defines_named, is_constraint, is_relation
from ..semantics.clauses.observing import ClauseObserver
from ..semantics.expressions.compiler import Compiler
from ..semantics.expressions.names import Env
from ..syntax import nodes
from ..syntax.errors import Diagnostic, Undefined
from .words import Alike, words

LOOKS = 400_000
"""Maximum number of steps to find constraints that always or never hold."""

Instance = tuple[Env, Constraint | bool]
"""An environment of a clause's body, with the constraint that it makes; True if it always holds."""


class Provenance(ClauseObserver):
    """An observer that records the variables and constraints that each clause makes.

    Attributes
    ----------
    made : dict of int to list of (bindings, constraint)
        The instances of each clause, by the identity of the clause.
    declaring : set of int
        The identities of the clauses that declare or narrow a variable.
    declarations : dict of Variable to term
        The term that first declares each variable.
    narrowed : dict of Variable to term
        The term that narrows a variable to one value; each declaration alone leaves several.
    drawing_nothing : list of Undefined
        The first undefined expression of each ``draw`` clause that draws nothing.
    """

    def __init__(self) -> None:
        self.drawing_nothing: list[Undefined] = []
        self.made: dict[int, list[Instance]] = {}
        self.declaring: set[int] = set()
        self.declarations: dict[Variable, nodes.Expr] = {}
        self.narrowed: dict[Variable, nodes.Expr] = {}
        self._narrowed_domains: dict[Variable, Domain] = {}

    def on_declared(
        self, rule: nodes.Rule, term: nodes.Expr, variable: Variable, domain: Domain, narrowed: Domain
    ) -> None:
        self.declaring.add(id(rule))
        self.declarations.setdefault(variable, term)
        if len(narrowed) == 1 < min(len(self._narrowed_domains.get(variable, domain)), len(domain)):
            self.narrowed.setdefault(variable, term)
        self._narrowed_domains[variable] = narrowed

    def on_posted(self, rule: nodes.Rule, env: Env, constraint: Constraint | bool) -> None:
        self.made.setdefault(id(rule), []).append((env, constraint))

    def on_undrawn(self, diagnostic: Undefined) -> None:
        self.drawing_nothing.append(diagnostic)


class WatchedBuild:
    """An evaluated spec with indexes for checks: which clause made which constraints.

    Attributes
    ----------
    model : csp.Model
    names : Names
    instances : list of (nodes.Rule, list of (bindings, constraint))
        The instances of each clause that posts constraints, in the order written.
    conditions : dict of str to list of nodes.Call
        The terms of each relation in bodies.
    cells : mapping of str to mapping of cell to place
        The cells of every grid, and their places.
    pictures : set of str
        The grids, and the relations that depend on them.
    idle : list of nodes.Rule
        The clauses whose bodies nothing satisfies.
    values : dict of str to dict of values
        All values in the domains of each family.
    record : Provenance
        The variables and constraints that each clause has made.
    left_out : int
        Number of constraints that were not checked for always or never holding.
    """

    def __init__(self, clauses: Iterable[nodes.Clause], build: Build, record: Provenance) -> None:
        rules = [clause for clause in clauses if isinstance(clause, nodes.Rule)]
        self.model, self.names, self._origins = build.model, build.names, build.origins
        self.cells, self.record = build.origins.cells, record
        # Assign the instances to their clauses.
        self.instances = [(rule, record.made.get(id(rule), [])) for rule in rules if is_constraint(rule, self.names)]
        # Index values, terms and relations.
        self.values: dict[str, dict[Value, None]] = {}
        for variable, domain in self.names.domains.items():
            self.values.setdefault(variable.family, {}).update(dict.fromkeys(domain))
        self.conditions: dict[str, list[nodes.Call]] = {}
        for part in nodes.walk(tuple([rule.body for rule in rules])):
            if isinstance(part, nodes.Call):
                self.conditions.setdefault(part.name, []).append(part)
        self.pictures = self._pictures(rules)
        related = [rule for rule in rules if is_relation(rule, self.names)]
        self._heads = Counter(rule.head.term.name for rule in related)  # type: ignore[union-attr]
        # A clause is idle if it has a body and made nothing.
        active = record.declaring | record.made.keys()
        self.idle = [rule for rule in rules if rule.body and id(rule) not in active and self._does_nothing(rule)]
        # Index the facts by their rows, to find the place of a fact.
        self._facts: dict[tuple[str, tuple[Value | None, ...]], list[nodes.Place]] = {}
        for rule in related:
            match rule:
                case nodes.Rule(at, head=nodes.Fact(_, nodes.Call(_, name, arguments)), body=()):
                    self._facts.setdefault((name, tuple(map(constant_value, arguments))), []).append(at)
        self._decide = deciding(self.names.domains, LOOKS)
        self.left_out = 0
        self._symbols: dict[tuple[str, int], Alike] = {}

    def decide(self, constraint: Constraint) -> bool | None:
        """Return True if a constraint always holds, False if never, None if neither.

        None, too, once the limit of work is reached; such constraints are counted in ``left_out``.
        """
        try:
            return self._decide(constraint)
        except Stopped:
            self.left_out += 1
            return None

    def place(self, rule: nodes.Rule, env: Env) -> tuple[str, nodes.Place]:
        """Return the grid and the place of the clue from which a clause's constraint comes.

        ``env`` has the values of the clause's logical variables. Without such a clue, return an empty name and the
        place of the clause.
        """
        return self._origins.find(rule, env) or ("", rule.at)

    def fact(self, rule: nodes.Rule, env: Env) -> nodes.Place | None:
        """Return the place of the only fact that satisfies a condition of a body.

        ``env`` has the values of the clause's logical variables. The first condition with exactly one such fact counts;
        None without one.
        """
        for literal in rule.body:
            match literal:
                case nodes.Fact(_, nodes.Call(_, name, arguments)):
                    row = [
                        env.get(arg.name) if isinstance(arg, nodes.Logical) else constant_value(arg)
                        for arg in arguments
                    ]
                    places = self._facts.get((name, tuple(row)), [])
                    if len(places) == 1:
                        return places[0]
        return None

    @property
    def places(self) -> dict[Constraint, tuple[str, nodes.Place]]:
        """The grid and place of the first clue or clause that makes each constraint."""
        places: dict[Constraint, tuple[str, nodes.Place]] = {}
        for rule, instances in self.instances:
            for env, constraint in instances:
                if isinstance(constraint, Constraint) and constraint not in places:
                    places[constraint] = self.place(rule, env)
        return places

    def text_of(self, grid: str) -> str:
        """Return ``grid`` if its picture is a separate text; empty if the spec contains it."""
        return self._origins.text_of(grid)

    def where(self, grid: str, at: nodes.Place, other: nodes.Place) -> str:
        """Return a place's line and column as text, for a message about ``other``.

        The place is in the picture of ``grid``, whose file is then named, or in the spec if ``grid`` is empty.
        """
        file_name = f" of {self._origins.sources[grid].name}" if grid else ""
        return at.line_from(at if grid else other, column=True) + file_name

    def _does_nothing(self, rule: nodes.Rule) -> bool:
        """Return whether a clause without constraints and variables also defines and derives nothing."""
        if defines_named(rule, self.names):
            return False
        if is_relation(rule, self.names):
            return not self._has_row(rule) and self.is_empty(rule.body)
        return True

    def _has_row(self, rule: nodes.Rule) -> bool:
        """Return whether a rule's relation has no other rule, no grid, and some facts."""
        name = rule.head.term.name  # type: ignore[union-attr]
        return self._heads[name] == 1 and name not in self.cells and bool(self.names.relations[name].rows)

    def _pictures(self, rules: list[nodes.Rule]) -> set[str]:
        """Return the names of grids and of all relations that depend on them."""
        # Record which relations use which.
        users: dict[str, list[str]] = {}
        for rule in rules:
            if is_relation(rule, self.names):
                for word in words((nodes.arguments(rule.head.term), rule.body)):  # type: ignore[union-attr]
                    users.setdefault(word.name, []).append(rule.head.term.name)  # type: ignore[union-attr]
        # Follow the uses from the grids.
        dependent, waiting = set(self.cells), list(self.cells)
        while waiting:
            new_names = set(users.get(waiting.pop(), ())) - dependent
            dependent |= new_names
            waiting += new_names
        return dependent

    def symbols(self, relation: str, column: int) -> Alike:
        """Return an index of the symbols in a relation's column, to find similar ones."""
        if (relation, column) not in self._symbols:
            values = [row[column] for row in self.names.relations[relation].rows]
            self._symbols[relation, column] = Alike(value for value in values if isinstance(value, str))
        return self._symbols[relation, column]

    def is_empty(self, body: tuple[nodes.Condition, ...]) -> bool:
        """Return whether no values of logical variables satisfy a body; False if evaluation fails."""
        try:
            return not Compiler(self.names).instances(body, ())[1]
        except (Diagnostic, RecursionError):
            return False


def display_name(constraint: Constraint | bool) -> str:
    """Return the name by which messages mention a constraint; ``this`` for a long name."""
    name = constraint.name if isinstance(constraint, Constraint) else "this"
    return name if len(name) <= 60 else "this"


def constant_value(part: nodes.Argument) -> Value | None:
    """Return the value of a constant or lowercase name; else None."""
    match part:
        case nodes.Constant(_, value):
            return value
        case nodes.Name(_, name):
            return name
    return None

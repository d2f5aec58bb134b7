"""Observes the evaluation of a spec: which clause has made which variables and constraints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from csp import Constraint, Domain, Stopped, Value, Variable, deciding

from ..semantics.clauses.build import Build
from ..semantics.clauses.definitions import defines_named, is_constraint, is_relation
from ..semantics.clauses.observer import ClauseObserver
from ..semantics.expressions.compiler import Compiler
from ..semantics.expressions.names import Env
from ..syntax import nodes
from ..syntax.errors import Diagnostic, Undefined
from .words import Alike, words

LOOKS = 400_000
"""How many steps it may take to find constraints that always hold or never."""

Instance = tuple[Env, Constraint | bool]


class Provenance(ClauseObserver):
    """Remembers what every clause has made.

    Attributes
    ----------
    made : dict of int to list of (bindings, constraint)
        For every clause, by its identity; True is a constraint that holds anyhow.
    declaring : set of int
        The clauses that have declared or narrowed a variable.
    origins : dict of Variable to term
        Where every variable is first declared.
    narrowed : dict of Variable to term
        Declarations that left a variable one value of several, though they give several themselves.
    drawing_nothing : list of Undefined
        For every ``draw`` clause that draws nothing what has no value in it.
    """

    def __init__(self) -> None:
        self.drawing_nothing: list[Undefined] = []
        self.made: dict[int, list[Instance]] = {}
        self.declaring: set[int] = set()
        self.origins: dict[Variable, nodes.Expr] = {}
        self.narrowed: dict[Variable, nodes.Expr] = {}
        self._left: dict[Variable, Domain] = {}

    def on_declared(self, rule: nodes.Rule, term: nodes.Expr, variable: Variable, domain: Domain, left: Domain) -> None:
        self.declaring.add(id(rule))
        self.origins.setdefault(variable, term)
        if len(left) == 1 < min(len(self._left.get(variable, domain)), len(domain)):
            self.narrowed.setdefault(variable, term)
        self._left[variable] = left

    def on_posted(self, rule: nodes.Rule, env: Env, constraint: Constraint | bool) -> None:
        self.made.setdefault(id(rule), []).append((env, constraint))

    def on_undrawn(self, diagnostic: Undefined) -> None:
        self.drawing_nothing.append(diagnostic)


class WatchedBuild:
    """A build, and which clause has made what.

    Attributes
    ----------
    model : csp.Model
    names : Names
    instances : list of (nodes.Rule, list of (bindings, constraint))
        For every clause that posts constraints, in the order written; True is a constraint that holds anyhow.
    conditions : dict of str to list of nodes.Call
        Of every relation, the terms of it in bodies.
    cells : mapping of str to mapping of cell to place
        The facts of every grid, and where they stand.
    pictures : set of str
        The grids, and the relations that follow from them.
    idle : list of nodes.Rule
        The clauses whose bodies nothing satisfies.
    origins : dict of Variable to term
        Where every variable is first declared.
    values : dict of str to dict of values
        All values that the variables of a family may have.
    narrowed : dict of Variable to term
        Declarations that left a variable one value of several, though they give several themselves.
    drawing_nothing : list of Undefined
        For every ``draw`` clause that draws nothing what has no value in it.
    left_out : int
        How many constraints have not been looked at, whether they always hold or never.
    """

    def __init__(self, clauses: Iterable[nodes.Clause], build: Build, record: Provenance) -> None:
        rules = [clause for clause in clauses if isinstance(clause, nodes.Rule)]
        self.model, self.names, self._texts = build.model, build.names, build.origins
        self.cells = build.origins.cells
        self.origins, self.narrowed = record.origins, record.narrowed
        self.drawing_nothing = record.drawing_nothing
        self.instances = [(rule, record.made.get(id(rule), [])) for rule in rules if is_constraint(rule, self.names)]
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
        active = record.declaring | record.made.keys()
        self.idle = [rule for rule in rules if rule.body and id(rule) not in active and self._does_nothing(rule)]
        self._facts: dict[tuple[str, tuple[Value | None, ...]], list[nodes.Place]] = {}
        for rule in related:
            match rule:
                case nodes.Rule(at, head=nodes.Fact(_, nodes.Call(_, name, arguments)), body=()):
                    self._facts.setdefault((name, tuple(map(constant, arguments))), []).append(at)
        self._decided = deciding(self.names.domains, LOOKS)
        self.left_out = 0
        self._symbols: dict[tuple[str, int], Alike] = {}

    def decided(self, constraint: Constraint) -> bool | None:
        """Whether the domains alone tell that a constraint holds, or cannot; None, too, where that takes too long."""
        try:
            return self._decided(constraint)
        except Stopped:
            self.left_out += 1
            return None

    def place(self, rule: nodes.Rule, env: Env) -> tuple[str, nodes.Place]:
        """The grid, if any, and the place in it from which an instance comes; otherwise the clause."""
        return self._texts.find(rule, env) or ("", rule.at)

    def fact(self, rule: nodes.Rule, env: Env) -> nodes.Place | None:
        """Where the one fact is written that gives words of a clause their values."""
        for literal in rule.body:
            match literal:
                case nodes.Fact(_, nodes.Call(_, name, arguments)):
                    row = [env.get(one.name) if isinstance(one, nodes.Logical) else constant(one) for one in arguments]
                    places = self._facts.get((name, tuple(row)), [])
                    if len(places) == 1:
                        return places[0]
        return None

    @property
    def places(self) -> dict[Constraint, tuple[str, nodes.Place]]:
        """The place of every constraint, where it is made first."""
        found: dict[Constraint, tuple[str, nodes.Place]] = {}
        for rule, made in self.instances:
            for env, constraint in made:
                if isinstance(constraint, Constraint) and constraint not in found:
                    found[constraint] = self.place(rule, env)
        return found

    def text_of(self, grid: str) -> str:
        """Which text a grid stands in: its own, or the spec, whose name is empty."""
        return self._texts.text_of(grid)

    def where(self, grid: str, at: nodes.Place, other: nodes.Place) -> str:
        """A place for a message about another place."""
        of = f" of {self._texts.sources[grid].name}" if grid else ""
        return at.line_from(at if grid else other, column=True) + of

    def _does_nothing(self, rule: nodes.Rule) -> bool:
        if defines_named(rule, self.names):
            return False
        if is_relation(rule, self.names):
            return not self._has_row(rule) and self.is_empty(rule.body)
        return True

    def _has_row(self, rule: nodes.Rule) -> bool:
        """Whether the tuples of a relation can only come from this rule, and there are some."""
        name = rule.head.term.name  # type: ignore[union-attr]
        return self._heads[name] == 1 and name not in self.cells and bool(self.names.relations[name].rows)

    def _pictures(self, rules: list[nodes.Rule]) -> set[str]:
        users: dict[str, list[str]] = {}
        for rule in rules:
            if is_relation(rule, self.names):
                for word in words((nodes.arguments(rule.head.term), rule.body)):  # type: ignore[union-attr]
                    users.setdefault(word.name, []).append(rule.head.term.name)  # type: ignore[union-attr]
        found, waiting = set(self.cells), list(self.cells)
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

    def is_empty(self, body: tuple[nodes.Condition, ...]) -> bool:
        """Whether a body has no bindings; False, too, if that would take too long to find out."""
        try:
            return not Compiler(self.names).instances(body, ())[1]
        except (Diagnostic, RecursionError):
            return False


def called(made: Constraint | bool) -> str:
    """What a message calls a constraint."""
    name = made.name if isinstance(made, Constraint) else "this"
    return name if len(name) <= 60 else "this"


def constant(part: nodes.Argument) -> Value | None:
    """The number or the symbol that is written; None where it is something else."""
    match part:
        case nodes.Constant(_, value):
            return value
        case nodes.Name(_, name):
            return name
    return None

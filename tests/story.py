"""A trace told forward and backward, every reason of which is checked anew.

The checks share nothing with the engine: a removal is right if no assignment satisfies its constraint and those it says
that it relied on, and uses a removed value, where nothing is known of the domains but what the reason names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path

import csp
from csp import AllDifferent, Candidate, Constraint, Level, Linear, Model, Trace, Value, Variable
from csp.encoding.export.asp import write_asp
from csp.engine.compiled.kernel import Snapshot
from csp.engine.events import Decided, Event, Failed, PropagatorRan
from csp.trace import Decision, Dequeued, Failure, Part, Record, Removal, Rest, Restart, Round, Solved

from . import foreign

TRIED = 700
"""The most assignments that are tried where there is another way to check a reason."""


class Story:
    """A trace told forward and then backward, as candidates that go and come; reasons are checked on the way."""

    def __init__(self, trace: Trace) -> None:
        self.model = trace.model
        self.domains = trace.model.domains
        self.start = {(variable, value) for variable, domain in self.domains.items() for value in domain}
        self.now = set(self.start)
        self.at_rest: dict[int, set[Candidate]] = {}
        self.patches: list[tuple[set[Candidate], set[Candidate]]] = []
        self.checked: Counter[str] = Counter()
        self.marked: tuple[Variable, ...] = ()
        self.queue = trace.queue
        self.step = 0

    def left(self, variable: Variable) -> list[Value]:
        return [value for value in self.domains[variable] if (variable, value) in self.now]

    def change(self, gone: set[Candidate], came: set[Candidate]) -> None:
        assert gone <= self.now and not came & self.now
        self.now = self.now - gone | came
        self.patches.append((gone, came))

    def tell(self, record: Record) -> None:
        match record:
            case Removal():
                assert record.removed and len(set(record.removed)) == len(record.removed)
                self.check(record)
                self.change(set(record.removed), set())
            case Rest(node) | Part(node):
                assert not self.marked, "at rest, and still something is marked"
                assert not self.queue, "at rest, and still something waits"
                self.at_rest[node] = self.now
            case Decision(_, node) | Restart(node):
                self.change(self.now - self.at_rest[node], self.at_rest[node] - self.now)
            case Failure(_, None, what):
                assert isinstance(what, Variable) and not self.left(what)
            case Failure(_, AllDifferent() as group, what) if what is not None:
                places = [(e, value) for e in group.elements for value in self.left(*e.variables)]
                assert what not in [element.image(value) for element, value in places]
            case Failure(_, Constraint() as constraint, None):
                self.checked["failures"] += 1
                assert not self.can_hold(constraint, record.relies, self.known(record.cause), None), record
        self.head(record)
        self.marks(record)

    def head(self, record: Record) -> None:
        """Who acts, or is taken, was the head of the queue."""
        match record:
            case Removal(step, _, "fixed" | "placed", cause=((variable, value),)) if step != self.step:
                head = self.queue[0]
                assert head.variable == variable or (head.number is not None and head.name.startswith(f"{value} in "))
                assert head.number is None or variable in self.model.constraints[head.number].scope
            case Removal(step, _, "filtered", constraint) if step != self.step and len(constraint.scope) > 1:
                assert (self.queue[0].number, self.queue[0].name) == (record.number, constraint.name)
            case Dequeued(_, None, taken):
                assert tuple(one.variable for one in self.queue[: len(taken)]) == taken
            case Dequeued(number=number):
                assert self.queue[0].number == number
            case Failure() if record.cause:
                assert self.queue[0].number == record.number
        self.step = getattr(record, "step", self.step)
        self.queue = getattr(record, "queue", ())

    def marks(self, record: Record) -> None:
        """The queue: what changes is marked, and only what was taken is marked no more."""
        match record:
            case Removal():
                changed = {variable for variable, _ in record.removed}
                assert changed <= set(record.marked)
                told = {variable for variable, _ in record.cause} if record.kind in ("fixed", "placed") else set()
                if record.kind in ("given", "decided"):
                    assert set(record.marked) == set(self.marked) | changed
                elif record.kind == "filtered":
                    assert set(record.marked) - set(self.marked) <= changed
                else:
                    assert set(self.marked) - set(record.marked) <= told
                self.marked = record.marked
            case Round():
                assert record.marked == self.marked
            case Dequeued():
                assert set(self.marked) - set(record.taken) <= set(record.marked) <= set(self.marked)
                self.marked = record.marked
            case Failure() | Decision() | Restart() | Part():
                self.marked = ()

    def check(self, removal: Removal) -> None:
        """Whether the constraint and those it relied on rule the removed values out, for what the reason names."""
        constraint = removal.constraint
        for variable, value in removal.cause:
            assert value in self.left(variable)
        if constraint is None:
            assert removal.kind == "decided" and {v for v, _ in removal.removed} == {removal.cause[0][0]}
            return
        assert constraint == self.model.constraints[removal.number]
        assert {variable for variable, _ in removal.removed + removal.cause} <= set(constraint.scope)
        known = self.elsewhere(constraint, removal.cause[0]) if removal.kind == "placed" else self.known(removal.cause)
        for candidate in removal.removed:
            assert not self.can_hold(constraint, removal.relies, known, candidate), removal

    def known(self, cause: Sequence[Candidate]) -> dict[Variable, list[Value]]:
        """What a cause says of domains."""
        return {
            variable: [value for own, value in cause if own == variable]
            for variable in dict.fromkeys(variable for variable, _ in cause)
        }

    def elsewhere(self, constraint: Constraint, candidate: Candidate) -> dict[Variable, list[Value]]:
        """The domains of a group without a value that has one place left, which is a candidate."""
        images = {e.variables[0]: e for e in constraint.apart()}
        value = images[candidate[0]].image(candidate[1])
        left = {v: [own for own in self.domains[v] if images[v].image(own) != value] for v in images}
        del left[candidate[0]]
        assert not any((v, own) in self.now for v in left for own in set(self.domains[v]).difference(left[v]))
        return left

    def can_hold(
        self,
        constraint: Constraint,
        relies: Sequence[Constraint],
        known: Mapping[Variable, Sequence[Value]],
        candidate: Candidate | None,
    ) -> bool:
        """Whether a constraint and others can hold with a candidate, where so much is known of the domains."""
        scope: dict[Variable, Sequence[Value]] = {variable: self.domains[variable] for variable in constraint.scope}
        scope.update(known)
        if candidate is not None:
            scope[candidate[0]] = [candidate[1]]
        groups = [[v for v in group if v in scope] for one in relies for group in one.differing()]
        has_other_way = isinstance(constraint, AllDifferent | Linear)
        if prod(map(len, scope.values())) <= (TRIED if has_other_way else 10 * TRIED):
            self.checked["tried"] += 1
            rows = (dict(zip(scope, row, strict=True)) for row in product(*scope.values()))
            return any(holds(constraint, groups, values) for values in rows)
        if isinstance(constraint, AllDifferent):
            self.checked["matched"] += 1
            return can_differ([[e.image(v) for own in e.variables for v in scope[own]] for e in constraint.elements])
        if isinstance(constraint, Linear):
            self.checked["summed"] += 1
            return can_sum(constraint, groups, scope)
        self.checked["asked of clingo"] += 1
        kept = {v for group in groups for v in group}
        apart = [AllDifferent.of(group) for group in groups if len(group) > 1]
        assert kept <= set(scope)
        part = Model(scope, [constraint, *apart])
        (found,) = foreign.asp([(part, write_asp(part))], Path(), 1)
        return bool(found)

    def back(self) -> None:
        for gone, came in reversed(self.patches):
            assert came <= self.now and not gone & self.now
            self.now = self.now - came | gone


def holds(constraint: Constraint, groups: Sequence[Sequence[Variable]], values: Mapping[str, Value]) -> bool:
    """Whether a constraint holds, and groups differ."""
    return constraint.check(values) and all(len({values[v] for v in group}) == len(group) for group in groups)


def can_differ(images: Sequence[Sequence[Value]]) -> bool:
    """Whether a value can be chosen for each so that all differ, by paths that exchange values (Kuhn)."""
    owner: dict[Value, int] = {}

    def place(i: int, tried: set[Value]) -> bool:
        for value in images[i]:
            if value not in tried:
                tried.add(value)
                if value not in owner or place(owner[value], tried):
                    owner[value] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(images)))


def can_sum(rule: Linear, groups: Sequence[Sequence[Variable]], scope: Mapping[Variable, Sequence[Value]]) -> bool:
    """Whether a sum can hold, by trying the variables that weigh most first, within what the rest can still make."""
    difference = rule.difference
    terms = sorted(difference.terms, key=lambda term: -abs(term[0]))
    failing: dict[str, Callable[[int, int], bool]] = {
        "=": lambda low, high: low > 0 or high < 0,
        "<=": lambda low, high: low > 0,
        "<": lambda low, high: low >= 0,
        ">=": lambda low, high: high < 0,
        ">": lambda low, high: high <= 0,
        "!=": lambda low, high: low == high == 0,
    }
    least, most = [0], [0]
    for c, variable in reversed(terms):
        least.append(least[-1] + min(c * int(v) for v in scope[variable]))
        most.append(most[-1] + max(c * int(v) for v in scope[variable]))

    def hold(i: int, total: int, values: dict[str, Value]) -> bool:
        if failing[rule.relation](total + least[len(terms) - i], total + most[len(terms) - i]):
            return False
        if i == len(terms):
            return True
        c, variable = terms[i]
        taken = {values[v] for group in groups if variable in group for v in group if v in values}
        return any(
            hold(i + 1, total + c * int(value), {**values, variable: value})
            for value in scope[variable]
            if value not in taken
        )

    return hold(0, difference.constant, {})


def tell(model: Model, level: Level, nodes: int) -> Counter[str]:
    """Tell a trace forward and backward, comparing with the engine; how many reasons were checked how."""
    trace = csp.record(model, level, nodes=nodes)
    story = Story(trace)
    fixpoint = csp.propagate(model, level)
    resting = None
    for record in trace.records:
        story.tell(record)
        if resting is None and isinstance(record, Rest | Failure):
            resting = {variable: tuple(story.left(variable)) for variable in model.domains}
            assert not fixpoint.holds or resting == fixpoint.domains
            assert isinstance(record, Rest) or not fixpoint.holds
        if isinstance(record, Solved):
            assert {v: story.left(v) for v in model.domains} == {v: [x] for v, x in csp.solve(model, level).items()}
    *_, last = csp.replay(trace)
    assert {v: list(domain) for v, domain in last.domains.items()} == {v: story.left(v) for v in trace.model.domains}
    story.back()
    assert story.now == story.start
    turns = Turns(csp.Solver(model, level))
    next(turns.solver.solutions(settings=csp.Settings(level=level, nodes=nodes + 1), log=turns), None)
    story.checked["turns"] += turns.seen
    return story.checked


class Turns:
    """A trail that looks at the filters' turns: after the first, something in the scope must have changed."""

    def __init__(self, solver: csp.Solver) -> None:
        self.solver = solver
        self.seen = 0
        self._program = solver.program
        self._last: dict[int, tuple[int, ...]] = {}

    def append(self, event: Event) -> None:
        match event:
            case PropagatorRan(number, before, _) if number in self._program.propagators:
                self.turn(number, before)
                self._last[number] = self.domains(number, before)
            case Failed(state, _, int() as number):
                self.turn(number, state)
            case Decided():  # from a state at which all filters were at rest
                self._last = {number: self.domains(number, event.before) for number in self._last}

    def turn(self, number: int, state: Snapshot) -> None:
        self.seen += 1
        assert self._last.get(number) != self.domains(number, state), "a filter was called, and nothing was marked"

    def domains(self, number: int, state: Snapshot) -> tuple[int, ...]:
        return tuple([self._program.layout.values(state, variable) for variable in self._program.scopes[number]])

"""A checker that replays a trace forwards and backwards and verifies every reason.

The checks share no code with the engine. A removal is right if no assignment satisfies its constraint and the
constraints that it also uses, with a removed value. Domains are restricted only by the reason itself.
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
"""Maximum number of assignments to try if a reason can also be checked in another way."""


class Story:
    """A replay of a trace over the remaining candidates, which checks reasons."""

    def __init__(self, trace: Trace) -> None:
        self.model = trace.model
        self.domains = trace.model.domains
        self.start = {(variable, value) for variable, domain in self.domains.items() for value in domain}
        self.remaining = set(self.start)
        self.at_fixpoint: dict[int, set[Candidate]] = {}
        self.patches: list[tuple[set[Candidate], set[Candidate]]] = []
        self.checked: Counter[str] = Counter()
        self.marked: tuple[Variable, ...] = ()
        self.queue = trace.queue
        self.step = 0

    def values_of(self, variable: Variable) -> list[Value]:
        """Return the remaining values of a variable."""
        return [value for value in self.domains[variable] if (variable, value) in self.remaining]

    def change(self, removed: set[Candidate], restored: set[Candidate]) -> None:
        """Remove some candidates and restore others."""
        assert removed <= self.remaining and not restored & self.remaining
        self.remaining = self.remaining - removed | restored
        self.patches.append((removed, restored))

    def replay(self, record: Record) -> None:
        """Apply a record, and check its reason and the queue."""
        match record:
            case Removal():
                assert record.removed and len(set(record.removed)) == len(record.removed)
                self.check(record)
                self.change(set(record.removed), set())
            case Rest(node) | Part(node, _):
                assert not self.marked, "at the fixpoint, a variable is still marked"
                assert not self.queue, "at the fixpoint, the queue is not empty"
                self.at_fixpoint[node] = self.remaining
            case Decision(_, node) | Restart(node):
                self.change(self.remaining - self.at_fixpoint[node], self.at_fixpoint[node] - self.remaining)
            case Failure(_, None, subject):
                assert isinstance(subject, Variable) and not self.values_of(subject)
            case Failure(_, AllDifferent() as group, subject) if subject is not None:
                places = [(e, value) for e in group.elements for value in self.values_of(*e.variables)]
                assert subject not in [element.image(value) for element, value in places]
            case Failure(_, Constraint() as constraint, None):
                self.checked["failures"] += 1
                assert not self.can_hold(constraint, record.also_uses, self.domains_in_cause(record.cause), None), (
                    record
                )
        self.check_head(record)
        self.check_marks(record)

    def check_head(self, record: Record) -> None:
        """Check that a record belongs to the head of the queue."""
        match record:
            case Removal(step, _, "fixed" | "placed", cause=((variable, value),)) if step != self.step:
                head = self.queue[0]
                assert head.variable == variable or (head.number is not None and head.name.startswith(f"{value} in "))
                assert head.number is None or variable in self.model.constraints[head.number].scope
            case Removal(step, _, "filtered", constraint) if step != self.step and len(constraint.scope) > 1:
                assert (self.queue[0].number, self.queue[0].name) == (record.number, constraint.name)
            case Dequeued(_, None, dequeued):
                assert tuple(entry.variable for entry in self.queue[: len(dequeued)]) == dequeued
            case Dequeued(number=number):
                assert self.queue[0].number == number
            case Failure() if record.cause:
                assert self.queue[0].number == record.number
        self.step = getattr(record, "step", self.step)
        self.queue = getattr(record, "queue", ())

    def check_marks(self, record: Record) -> None:
        """Check that changes mark variables and only dequeuing removes marks."""
        match record:
            case Removal():
                changed = {variable for variable, _ in record.removed}
                assert changed <= set(record.marked)
                may_be_unmarked = (
                    {variable for variable, _ in record.cause} if record.kind in ("fixed", "placed") else set()
                )
                if record.kind in ("given", "decided"):
                    assert set(record.marked) == set(self.marked) | changed
                elif record.kind == "filtered":
                    assert set(record.marked) - set(self.marked) <= changed
                else:
                    assert set(self.marked) - set(record.marked) <= may_be_unmarked
                self.marked = record.marked
            case Round():
                assert record.marked == self.marked
            case Dequeued():
                assert set(self.marked) - set(record.variables) <= set(record.marked) <= set(self.marked)
                self.marked = record.marked
            case Failure() | Decision() | Restart() | Part():
                self.marked = ()

    def check(self, removal: Removal) -> None:
        """Check that the constraints of a reason rule out the removed values."""
        constraint = removal.constraint
        for variable, value in removal.cause:
            assert value in self.values_of(variable)
        if constraint is None:
            assert removal.kind == "decided" and {v for v, _ in removal.removed} == {removal.cause[0][0]}
            return
        assert constraint == self.model.constraints[removal.number]
        assert {variable for variable, _ in removal.removed + removal.cause} <= set(constraint.scope)
        known = (
            self.domains_without_value(constraint, removal.cause[0])
            if removal.kind == "placed"
            else self.domains_in_cause(removal.cause)
        )
        for candidate in removal.removed:
            assert not self.can_hold(constraint, removal.also_uses, known, candidate), removal

    def domains_in_cause(self, cause: Sequence[Candidate]) -> dict[Variable, list[Value]]:
        """Return the domains that a cause states."""
        return {
            variable: [value for other_variable, value in cause if other_variable == variable]
            for variable in dict.fromkeys(variable for variable, _ in cause)
        }

    def domains_without_value(self, constraint: Constraint, candidate: Candidate) -> dict[Variable, list[Value]]:
        """Return the domains of a group without the value of a candidate.

        The variable of the candidate is left out. All other variables must have lost the value before.
        """
        images = {e.variables[0]: e for e in constraint.apart()}
        value = images[candidate[0]].image(candidate[1])
        domains = {v: [other for other in self.domains[v] if images[v].image(other) != value] for v in images}
        del domains[candidate[0]]
        assert not any(
            (v, other) in self.remaining for v in domains for other in set(self.domains[v]).difference(domains[v])
        )
        return domains

    def can_hold(
        self,
        constraint: Constraint,
        also_uses: Sequence[Constraint],
        known: Mapping[Variable, Sequence[Value]],
        candidate: Candidate | None,
    ) -> bool:
        """Return whether constraints can hold with a candidate, within known domains."""
        scope: dict[Variable, Sequence[Value]] = {variable: self.domains[variable] for variable in constraint.scope}
        scope.update(known)
        if candidate is not None:
            scope[candidate[0]] = [candidate[1]]
        groups = [[v for v in group if v in scope] for relied in also_uses for group in relied.differing()]
        has_other_way = isinstance(constraint, AllDifferent | Linear)
        if prod(map(len, scope.values())) <= (TRIED if has_other_way else 10 * TRIED):
            self.checked["tried"] += 1
            rows = (dict(zip(scope, row, strict=True)) for row in product(*scope.values()))
            return any(holds(constraint, groups, values) for values in rows)
        if isinstance(constraint, AllDifferent):
            self.checked["matched"] += 1
            return can_differ(
                [[e.image(v) for variable in e.variables for v in scope[variable]] for e in constraint.elements]
            )
        if isinstance(constraint, Linear):
            self.checked["summed"] += 1
            return can_sum(constraint, groups, scope)
        self.checked["asked of clingo"] += 1
        variables = {v for group in groups for v in group}
        all_different = [AllDifferent.of(group) for group in groups if len(group) > 1]
        assert variables <= set(scope)
        part = Model(scope, [constraint, *all_different])
        (solutions,) = foreign.asp([(part, write_asp(part))], Path(), 1)
        return bool(solutions)

    def undo(self) -> None:
        """Undo all changes, the last first."""
        for removed, restored in reversed(self.patches):
            assert restored <= self.remaining and not removed & self.remaining
            self.remaining = self.remaining - restored | removed


def holds(constraint: Constraint, groups: Sequence[Sequence[Variable]], values: Mapping[str, Value]) -> bool:
    """Return whether a constraint holds and the values of each group differ."""
    return constraint.check(values) and all(len({values[v] for v in group}) == len(group) for group in groups)


def can_differ(images: Sequence[Sequence[Value]]) -> bool:
    """Return whether distinct values can be chosen, by Kuhn's augmenting paths."""
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
    """Return whether a sum can hold.

    The search tries the variables with the largest coefficients first, within the bounds of the rest.
    """
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
    # minima[i] and maxima[i] are the bounds of the sum of the last i terms
    minima, maxima = [0], [0]
    for c, variable in reversed(terms):
        minima.append(minima[-1] + min(c * int(v) for v in scope[variable]))
        maxima.append(maxima[-1] + max(c * int(v) for v in scope[variable]))

    def hold(i: int, total: int, values: dict[str, Value]) -> bool:
        if failing[rule.relation](total + minima[len(terms) - i], total + maxima[len(terms) - i]):
            return False
        if i == len(terms):
            return True
        c, variable = terms[i]
        used_values = {values[v] for group in groups if variable in group for v in group if v in values}
        return any(
            hold(i + 1, total + c * int(value), {**values, variable: value})
            for value in scope[variable]
            if value not in used_values
        )

    return hold(0, difference.constant, {})


def check_trace(model: Model, level: Level, nodes: int) -> Counter[str]:
    """Replay a trace forwards and backwards and compare it with the engine.

    Returns the number of reasons by the way in which they were checked.
    """
    trace = csp.record(model, level, nodes=nodes)
    story = Story(trace)
    fixpoint = csp.propagate(model, level)
    first_fixpoint = None
    for record in trace.records:
        story.replay(record)
        if first_fixpoint is None and isinstance(record, Rest | Failure):
            first_fixpoint = {variable: tuple(story.values_of(variable)) for variable in model.domains}
            assert not fixpoint.holds or first_fixpoint == fixpoint.domains
            assert isinstance(record, Rest) or not fixpoint.holds
        if isinstance(record, Solved):
            assert {v: story.values_of(v) for v in model.domains} == {
                v: [x] for v, x in csp.solve(model, level).items()
            }
    *_, last = csp.replay(trace)
    assert {v: list(domain) for v, domain in last.domains.items()} == {
        v: story.values_of(v) for v in trace.model.domains
    }
    story.undo()
    assert story.remaining == story.start
    turns = Turns(csp.Solver(model, level))
    next(turns.solver.solutions(settings=csp.Settings(level=level, nodes=nodes + 1), log=turns), None)
    story.checked["turns"] += turns.seen
    return story.checked


class Turns:
    """An event log that checks the calls of propagators.

    Between two calls of a propagator, a domain of its scope must have changed.
    """

    def __init__(self, solver: csp.Solver) -> None:
        self.solver = solver
        self.seen = 0
        self._program = solver.program
        self._last: dict[int, tuple[int, ...]] = {}

    def append(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case PropagatorRan(number, before, _) if number in self._program.propagators:
                self.check_call(number, before)
                self._last[number] = self.domains(number, before)
            case Failed(snapshot, _, int() as number):
                self.check_call(number, snapshot)
            case Decided():  # a decision follows a fixpoint of all propagators
                self._last = {number: self.domains(number, event.before) for number in self._last}

    def check_call(self, number: int, snapshot: Snapshot) -> None:
        """Check that a domain has changed since the last call."""
        self.seen += 1
        assert self._last.get(number) != self.domains(number, snapshot), (
            "a propagator was called, and nothing was marked"
        )

    def domains(self, number: int, snapshot: Snapshot) -> tuple[int, ...]:
        """Return the domains of a constraint's scope in a snapshot."""
        return tuple(
            [self._program.layout.values(snapshot, variable) for variable in self._program.incidence.scopes[number]]
        )

"""Recording: event logs translated into records, and traces with an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..base.notation import quoted
from ..engine import events as events
from ..engine.compiled.kernel import Snapshot, next_bit, set_bits
from ..engine.compiled.program import CompiledModel
from ..model import Candidate, Constraint, Value, Variable
from .history import Marks, QueueEntry, named_constraints
from .records import (
    Decision,
    Dequeued,
    Failure,
    Part,
    Record,
    Removal,
    Remover,
    Removing,
    Rest,
    Restart,
    Round,
    Solved,
    Waiting,
)


class Recorder:
    """An event log that translates each appended event into records with names.

    It follows one query up to its first solution.

    Parameters
    ----------
    program : CompiledModel
        The compiled model of the query.
    on_record : function, optional
        Called with every new record; without it, the records are kept in ``records``.
    queue : bool
        Whether records have the marked variables and the queue, which take most of the time of recording.

    Attributes
    ----------
    records : list of Record
        The records so far, without ``on_record``.
    """

    def __init__(
        self, program: CompiledModel, on_record: Callable[[Record], None] | None = None, queue: bool = True
    ) -> None:
        self.records: list[Record] = []
        self._add_record = on_record or self.records.append
        self._with_queue = queue
        self._program = program
        self._constraints = named_constraints(program)
        self._layout = program.layout
        self._marks = Marks(program)
        self._seen_variables: tuple[int, ...] = ()  # changed variables that the popped propagator reads
        self._step = self._round = self._node = 0
        self._nodes = self._parts = 0
        self._path = {0: 0}  # the node at each depth
        self._removed_by: dict[Candidate, Removal] = {}  # the removal of each candidate
        self._removed_by_at: dict[int, dict[Candidate, Removal]] = {}  # the same at the fixpoint of each depth
        self._depth = 0
        self._entries: dict[QueueEntry, Waiting] = {}  # a cache
        self._narrowed: dict[int, Sequence[int]] = {}  # a cache: what each constraint leaves of the initial domains
        self._is_over = False

    @property
    def nodes(self) -> int:
        """The number of the search node that began last; 0 is the root."""
        return self._nodes

    def path(self, depth: int) -> list[int]:
        """Return the numbers of the current path's nodes, from the root to ``depth``."""
        return [self._path[above] for above in range(depth + 1)]

    def append(self, event: events.Event) -> None:
        """Translate an event into records; ignore events after the first solution."""
        if self._is_over:
            return
        match event:
            case events.PropagatorRan(number, before, after):
                self._on_propagator_ran(number, before, after)
            case events.Popped(number, pending, batch):
                self._seen_variables = self._marks.pop(number, pending, batch)
            case events.Deferred(number):
                self._add_dequeued(self._constraints[number], self._seen_variables, number, is_asked=False)
            case events.Given(before, after):
                self._on_given(None, before, after)
            case events.Swept(singles):
                self._on_swept(singles)
            case events.Fixed(guard, bit, before, after):
                self._on_fixed(guard, bit, before, after)
            case events.Failed():
                self._on_failed(event)
            case events.FixpointReached(fixpoint):
                self._removed_by_at[self._depth] = self._removed_by
                self._add_record(Rest(self._node, len(list(set_bits(fixpoint & self._layout.variable_guards)))))
            case events.Decided():
                self._on_decided(event)
            case events.Completed():
                self._is_over = True
                self._add_record(Solved(self._node))
            case events.PartStarted():
                self._on_part_started()
            case events.Restarted():
                self._node, self._depth, self._removed_by = self._path[0], 0, dict(self._removed_by_at[0])
                self._add_record(Restart(self._node))

    def _on_propagator_ran(self, number: int, before: Snapshot, after: Snapshot) -> None:
        """Record a propagator's removals, one record per step of its explanation, or no change."""
        program = self._program
        # A constraint on one variable has no propagator: it is a given, or implied.
        if number not in program.propagators:
            if number < len(program.model.constraints):
                self._on_given(number, before, after)
            elif removed := self._removed_candidates(before, after):
                self._step += 1
                self._add_removal("filtered", number, (), removed)
            return
        if before == after:
            self._add_dequeued(self._constraints[number], self._seen_variables, number)
            return
        self._step += 1
        propagator, scope = program.propagators[number], program.incidence.scopes[number]
        masks = [self._layout.values(before, variable) for variable in scope]
        lost_bits = [mask & ~self._layout.values(after, v) for mask, v in zip(masks, scope, strict=True)]
        also_uses = tuple([self._constraints[borrowed] for _, borrowed in propagator.borrowed])
        for positions, lost_in_step in self._split_steps(number, masks, lost_bits):
            cause = self._candidates_at(positions, scope, masks)
            removed = tuple(
                (self._layout.variables[variable], value)
                for position, variable in enumerate(scope)
                for value in propagator.values(position, lost_in_step[position])
            )
            self._add_removal("filtered", number, cause, removed, also_uses)
            masks = [mask & ~lost_values for mask, lost_values in zip(masks, lost_in_step, strict=True)]

    def _split_steps(
        self, number: int, masks: Sequence[int], lost_bits: Sequence[int]
    ) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """Yield removed values after the positions of their causes.

        The values that the constraint removes from the initial domains come first, without a cause, unless an initial
        domain is itself a cause.
        """
        propagator = self._program.propagators[number]
        initial = [(1 << len(domain)) - 1 for domain in propagator.domains]
        for reason, lost_in_step in propagator.steps(masks, lost_bits):
            explained = lost_in_step
            if reason.positions and all(masks[i] != initial[i] for i in reason.positions):
                if number not in self._narrowed:
                    self._narrowed[number] = propagator.prune(initial) or [0] * len(initial)
                narrowed = self._narrowed[number]
                alone = [mask & ~remaining for mask, remaining in zip(lost_in_step, narrowed, strict=True)]
                explained = [mask & remaining for mask, remaining in zip(lost_in_step, narrowed, strict=True)]
                if any(alone):
                    yield (), alone
            if any(explained):
                yield reason.positions, explained

    def _candidates_at(
        self, positions: Sequence[int], scope: tuple[int, ...], masks: list[int]
    ) -> tuple[Candidate, ...]:
        """Return the remaining candidates of the variables at these positions of a scope."""
        layout = self._layout
        return tuple(
            layout.candidate(layout.first[scope[position]] + index)
            for position in positions
            for index in range(masks[position].bit_length())
            if masks[position] >> index & 1
        )

    def _on_given(self, number: int | None, before: Snapshot, after: Snapshot) -> None:
        if removed := self._removed_candidates(before, after):
            self._step += 1
            self._add_removal("given", number, (), removed)

    def _on_swept(self, singles: Snapshot) -> None:
        """Record the start of a round; changed variables without a single value leave the queue."""
        marked = self._marked_names()
        popped = self._marks.sweep(singles)
        if singles:
            self._round += 1
            self._add_record(Round(self._round, self._node, marked, self._queue(popped)))
        if popped:
            self._add_dequeued(None, popped)

    def _add_dequeued(
        self,
        constraint: Constraint | None,
        variables: tuple[int, ...],
        number: int | None = None,
        last_place: Candidate | None = None,
        is_asked: bool = True,
    ) -> None:
        """Record that variables or a propagator left the queue without a removal."""
        dequeued, marked, queue = self._names(variables), self._marked_names(), self._queue()
        self._add_record(Dequeued(self._node, constraint, dequeued, marked, number, queue, last_place, is_asked))

    def _on_fixed(self, guard: int, bit: int, before: Snapshot, after: Snapshot) -> None:
        """Record the removals that follow because an exactly-one set had a single candidate."""
        candidate, number = self._layout.at(bit), self._layout.exactly_one_at[guard].constraint
        self._marks.fix(after)
        if candidate is not None:
            self._add_removals_of("placed", number, candidate, before, after)
        elif number is not None:  # the exactly-one set has lost its last candidate since the sweep
            self._add_dequeued(self._constraints[number], (), number)
        else:
            self._marks.remove_single(self._layout.owner(guard))
            self._add_dequeued(None, (self._layout.owner(guard),))

    def _on_decided(self, event: events.Decided) -> None:
        """Record a decision, which starts a node, and the candidates that it removes."""
        candidate = self._layout.at(event.bit)
        assert candidate is not None
        self._nodes += 1
        self._node = self._path[event.depth + 1] = self._nodes
        self._removed_by, self._depth = dict(self._removed_by_at[event.depth]), event.depth + 1
        decided, parent = self.candidate_of(event), self._path[event.depth]
        self._add_record(Decision(self._node, parent, decided, self.choices(event)))
        self._add_removals_of("decided", None, candidate, event.before, event.after)

    def candidate_of(self, event: events.Decided) -> Candidate:
        """Return the candidate that a decision fixes."""
        candidate = self._layout.at(event.bit)
        assert candidate is not None
        return self._layout.candidate(candidate)

    def choices(self, event: events.Decided) -> tuple[Candidate, ...]:
        """Return the remaining candidates of the exactly-one set on which a decision branches."""
        layout = self._layout
        guard = next_bit(layout.guards, event.bit)
        assert guard is not None
        begin, candidates = layout.begin[guard], layout.exactly_one_at[guard].candidates
        remaining = (event.before >> begin) & ((1 << (guard - begin)) - 1)
        return tuple([layout.candidate(candidates[bit]) for bit in set_bits(remaining)])

    def _on_failed(self, event: events.Failed) -> None:
        """Record a failure: an empty exactly-one set, or a constraint that cannot hold."""
        program = self._program
        self._marks.clear()
        if event.propagator is None:
            first = next_bit(event.guards)
            assert first is not None
            empty = self._layout.exactly_one_at[first]
            constraint = None if empty.constraint is None else self._constraints[empty.constraint]
            removed_by = self._removers(empty.candidates)
            self._add_record(Failure(self._node, constraint, empty.subject, (), (), empty.constraint, removed_by))
            return
        propagator, scope = program.propagators[event.propagator], program.incidence.scopes[event.propagator]
        masks = [self._layout.values(event.snapshot, variable) for variable in scope]
        cause = self._candidates_at(propagator.conflict(masks), scope, masks)
        also_uses = tuple([self._constraints[borrowed] for _, borrowed in propagator.borrowed])
        self._add_record(
            Failure(self._node, self._constraints[event.propagator], None, cause, also_uses, event.propagator)
        )

    def _removers(self, candidates: Sequence[int]) -> tuple[Remover, ...]:
        """Return what removed candidates."""
        candidates_by: dict[tuple[str, int | None], list[Candidate]] = {}
        for candidate in map(self._layout.candidate, candidates):
            if removal := self._removed_by.get(candidate):
                candidates_by.setdefault((removal.place, removal.number), []).append(candidate)
        return tuple([Remover(place, tuple(removed), number) for (place, number), removed in candidates_by.items()])

    def _on_part_started(self) -> None:
        """Record the start of an independent part of the model, except the first one."""
        self._marks.enter_search()
        if self._parts:
            self._nodes += 1
            self._node = self._path[0] = self._nodes
            self._removed_by_at[0], self._depth = self._removed_by, 0
            self._add_record(Part(self._node, self._parts + 1))
        self._parts += 1

    def _add_removals_of(
        self, kind: Removing, number: int | None, candidate: int, before: Snapshot, after: Snapshot
    ) -> None:
        """Record the removals by a fixed candidate, one record per constraint, or no change.

        Removals from the candidate's variable come first, then removals by each constraint.
        """
        variable = self._layout.owner(candidate)
        self._marks.remove_single(variable)
        cause = (self._layout.candidate(candidate),)
        lost_bits = before & ~after
        variable_bits = self._layout.variable_mask(variable)
        if not self._removed_candidates(before, after):
            if number is None:
                self._add_dequeued(None, (variable,))
            else:
                self._add_dequeued(self._constraints[number], (), number, cause[0])
            return
        self._step += 1
        if of_variable := self._program.candidates(lost_bits & variable_bits):
            self._add_removal(kind, number, cause, of_variable)
        lost_bits = lost_bits & ~variable_bits
        for excluder, excluded in self._program.exclusions.by_constraint(candidate):
            if removed := self._program.candidates(lost_bits & excluded):
                self._add_removal("fixed", excluder, cause, removed)
                lost_bits = lost_bits & ~excluded
        assert not self._program.candidates(lost_bits), "every exclusion has a constraint"

    def _add_removal(
        self,
        kind: Removing,
        number: int | None,
        cause: tuple[Candidate, ...],
        removed: tuple[Candidate, ...],
        also_uses: tuple[Constraint, ...] = (),
    ) -> None:
        """Mark the variables that lose candidates, and add a record of the removal."""
        self._marks.mark_changed([self._layout.number[variable] for variable, _ in removed])
        constraint = None if number is None else self._constraints[number]
        marked, queue = self._marked_names(), self._queue()
        removal = Removal(self._step, self._node, kind, constraint, cause, removed, marked, also_uses, number, queue)
        self._removed_by.update(dict.fromkeys(removed, removal))
        self._add_record(removal)

    def _removed_candidates(self, before: Snapshot, after: Snapshot) -> tuple[Candidate, ...]:
        """Return the candidates of the snapshot ``before`` that ``after`` does not have."""
        return self._program.candidates(before & ~after)

    def _queue(self, first: tuple[int, ...] = ()) -> tuple[Waiting, ...]:
        """Return the entries of the queue with names, after the variables in ``first``."""
        if not self._with_queue:
            return ()
        keys = [*((variable, None, None) for variable in first), *self._marks.entries()]
        return tuple([self._entries.get(key) or self._entries.setdefault(key, self._name_entry(*key)) for key in keys])

    def _name_entry(self, variable: int | None, number: int | None, value: Value | None) -> Waiting:
        """Return an entry of the queue as a ``Waiting`` record with a name."""
        if variable is not None:
            return Waiting(self._layout.variables[variable], None, self._layout.variables[variable])
        assert number is not None
        name = self._constraints[number].name
        return Waiting(None, number, name if value is None else f"{quoted(value)} in {name}")

    def _marked_names(self) -> tuple[Variable, ...]:
        return self._names(self._marks.marked_variables()) if self._with_queue else ()

    def _names(self, variables: tuple[int, ...]) -> tuple[Variable, ...]:
        return tuple([self._layout.variables[variable] for variable in variables])

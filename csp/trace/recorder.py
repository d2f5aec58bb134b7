"""Records as a function of a program and its trail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.notation import quoted
from ..engine import events as events
from ..engine.compiled.kernel import Snapshot, next_bit, set_bits
from ..engine.compiled.program import CompiledModel
from ..model import Candidate, Constraint, Value, Variable
from .history import named_constraints
from .marks import Marks, Waiter
from .records import Decision, Dequeued, Failure, Part, Record, Removal, Removing, Rest, Restart, Round, Solved, Waiting


class Recorder:
    """A trail that turns every event into records as it is appended.

    It follows one question up to its first solution.

    Parameters
    ----------
    program : CompiledModel
        What the trail is of.
    tell : function, optional
        Called with every record, as it happens; without it they are kept.
    queue : bool
        Whether records say what is marked and what waits, which most of their time goes into.

    Attributes
    ----------
    records : list of Record
        Those that were kept.
    """

    def __init__(
        self, program: CompiledModel, tell: Callable[[Record], None] | None = None, queue: bool = True
    ) -> None:
        self.records: list[Record] = []
        self._tell = tell or self.records.append
        self._with_queue = queue
        self._program = program
        self._constraints = named_constraints(program)
        self._layout = program.layout
        self._marks = Marks(program)
        self._step = self._round = self._node = 0
        self._nodes = self._turns = 0
        self._path = {0: 0}
        self._taker: dict[Candidate, str] = {}
        self._at_rest: dict[int, dict[Candidate, str]] = {}  # by depth
        self._depth = 0
        self._waiting: dict[Waiter, Waiting] = {}
        self._is_over = False

    def append(self, event: events.Event) -> None:
        """Tell of an event."""
        if self._is_over:
            return
        match event:
            case events.Narrowed(number, before, after):
                self._narrowed(number, before, after)
            case events.Queued(propagators, turns):
                self._marks.queue(propagators, turns)
            case events.Deferred(number):
                self._take(self._constraints[number], self._marks.revise(number), number, is_asked=False)
            case events.Given(before, after):
                self._given(None, before, after)
            case events.Swept(singles):
                self._swept(singles)
            case events.Fixed(guard, bit, before, after):
                self._fixed(guard, bit, before, after)
            case events.Failed():
                self._failed(event)
            case events.FixpointReached(state):
                self._at_rest[self._depth] = self._taker
                self._tell(Rest(self._node, len(list(set_bits(state & self._layout.variable_guards)))))
            case events.Decided():
                self._decided(event)
            case events.Completed():
                self._is_over = True
                self._tell(Solved(self._node))
            case events.PartStarted():
                self._turned()
            case events.Restarted():
                self._node, self._depth, self._taker = self._path[0], 0, dict(self._at_rest[0])
                self._tell(Restart(self._node))

    def _narrowed(self, number: int, before: Snapshot, after: Snapshot) -> None:
        program = self._program
        if number not in program.propagators:
            if number < len(program.model.constraints):
                self._given(number, before, after)
            elif removed := self._removed(before, after):
                self._step += 1
                self._remove("filtered", number, (), removed)
            return
        seen = self._marks.revise(number)
        if before == after:
            self._take(self._constraints[number], seen, number)
            return
        self._step += 1
        propagator, scope = program.propagators[number], program.scopes[number]
        masks = [self._layout.values(before, variable) for variable in scope]
        gone = [mask & ~self._layout.values(after, v) for mask, v in zip(masks, scope, strict=True)]
        relies = tuple([self._constraints[one] for _, one in propagator.borrowed])
        for reason, part in propagator.steps(masks, gone):
            cause = self._left(reason.positions, scope, masks)
            removed = tuple(
                (self._layout.variables[variable], value)
                for position, variable in enumerate(scope)
                for value in propagator.values(position, part[position])
            )
            self._remove("filtered", number, cause, removed, relies)
            masks = [mask & ~lost for mask, lost in zip(masks, part, strict=True)]

    def _left(self, positions: Sequence[int], scope: tuple[int, ...], masks: list[int]) -> tuple[Candidate, ...]:
        """What variables had that are a reason."""
        layout = self._layout
        return tuple(
            layout.candidate(layout.first[scope[position]] + index)
            for position in positions
            for index in range(masks[position].bit_length())
            if masks[position] >> index & 1
        )

    def _given(self, number: int | None, before: Snapshot, after: Snapshot) -> None:
        if removed := self._removed(before, after):
            self._step += 1
            self._remove("given", number, (), removed)

    def _swept(self, singles: Snapshot) -> None:
        marked = self._marked()
        taken = self._marks.sweep(singles)
        if singles:
            self._round += 1
            self._tell(Round(self._round, self._node, marked, self._queue(taken)))
        if taken:
            self._take(None, taken)

    def _take(
        self,
        constraint: Constraint | None,
        taken: tuple[int, ...],
        number: int | None = None,
        only: Candidate | None = None,
        is_asked: bool = True,
    ) -> None:
        """What was taken off the queue, and had nothing to tell."""
        marked = self._marked()
        self._tell(Dequeued(self._node, constraint, self._names(taken), marked, number, self._queue(), only, is_asked))

    def _fixed(self, guard: int, bit: int, before: Snapshot, after: Snapshot) -> None:
        candidate, number = self._layout.at(bit), self._layout.line_at[guard].constraint
        self._marks.fix(after)
        if candidate is not None:
            self._fix("placed", number, candidate, before, after)
        elif number is not None:  # the line has lost its last candidate meanwhile
            self._take(self._constraints[number], (), number)
        else:
            self._marks.tell(self._layout.owner(guard))
            self._take(None, (self._layout.owner(guard),))

    def _decided(self, event: events.Decided) -> None:
        candidate = self._layout.at(event.bit)
        assert candidate is not None
        self._nodes += 1
        self._node = self._path[event.depth + 1] = self._nodes
        self._taker, self._depth = dict(self._at_rest[event.depth]), event.depth + 1
        chosen, parent = self._layout.candidate(candidate), self._path[event.depth]
        self._tell(Decision(self._node, parent, chosen, self._choices(event)))
        self._fix("decided", None, candidate, event.before, event.after)

    def _choices(self, event: events.Decided) -> tuple[Candidate, ...]:
        """What was left in the line in which the search branches."""
        layout = self._layout
        guard = next_bit(layout.guards, event.bit)
        assert guard is not None
        begin, candidates = layout.begin[guard], layout.line_at[guard].candidates
        left = (event.before >> begin) & ((1 << (guard - begin)) - 1)
        return tuple([layout.candidate(candidates[bit]) for bit in set_bits(left)])

    def _failed(self, event: events.Failed) -> None:
        program = self._program
        self._marks.clear()
        if event.propagator is None:
            first = next_bit(event.guards)
            assert first is not None
            line = self._layout.line_at[first]
            constraint = None if line.constraint is None else self._constraints[line.constraint]
            takers = self._takers(line.candidates)
            self._tell(Failure(self._node, constraint, line.what, (), (), line.constraint, takers))
            return
        propagator, scope = program.propagators[event.propagator], program.scopes[event.propagator]
        masks = [self._layout.values(event.snapshot, variable) for variable in scope]
        cause = self._left(propagator.conflict(masks), scope, masks)
        relies = tuple([self._constraints[one] for _, one in propagator.borrowed])
        self._tell(Failure(self._node, self._constraints[event.propagator], None, cause, relies, event.propagator))

    def _takers(self, candidates: Sequence[int]) -> tuple[tuple[str, tuple[Candidate, ...]], ...]:
        """Who took which of the candidates of a line."""
        gone: dict[str, list[Candidate]] = {}
        for candidate in map(self._layout.candidate, candidates):
            if candidate in self._taker:
                gone.setdefault(self._taker[candidate], []).append(candidate)
        return tuple([(name, tuple(taken)) for name, taken in gone.items()])

    def _turned(self) -> None:
        self._marks.search()
        if self._turns:
            self._nodes += 1
            self._node = self._path[0] = self._nodes
            self._at_rest[0], self._depth = self._taker, 0
            self._tell(Part(self._node))
        self._turns += 1

    def _fix(self, kind: Removing, number: int | None, candidate: int, before: Snapshot, after: Snapshot) -> None:
        """The removals of a fixed candidate: from its own variable first, then constraint by constraint."""
        variable = self._layout.owner(candidate)
        self._marks.tell(variable)
        cause = (self._layout.candidate(candidate),)
        gone = before & ~after
        whole = self._layout.variable_mask(variable)
        if not self._removed(before, after):
            if number is None:
                self._take(None, (variable,))
            else:
                self._take(self._constraints[number], (), number, cause[0])
            return
        self._step += 1
        if own := self._program.candidates(gone & whole):
            self._remove(kind, number, cause, own)
        gone = gone & ~whole
        for excluder, excluded in self._program.exclusions.by_constraint(candidate):
            if removed := self._program.candidates(gone & excluded):
                self._remove("fixed", excluder, cause, removed)
                gone = gone & ~excluded
        assert not self._program.candidates(gone), "every exclusion has a constraint"

    def _remove(
        self,
        kind: Removing,
        number: int | None,
        cause: tuple[Candidate, ...],
        removed: tuple[Candidate, ...],
        relies: tuple[Constraint, ...] = (),
    ) -> None:
        self._marks.change([self._layout.number[variable] for variable, _ in removed])
        constraint = None if number is None else self._constraints[number]
        taker = constraint.name if constraint is not None else "the decision" if kind == "decided" else "what is given"
        self._taker.update(dict.fromkeys(removed, taker))
        marked, queue = self._marked(), self._queue()
        self._tell(Removal(self._step, self._node, kind, constraint, cause, removed, marked, relies, number, queue))

    def _removed(self, before: Snapshot, after: Snapshot) -> tuple[Candidate, ...]:
        return self._program.candidates(before & ~after)

    def _queue(self, looked_at: tuple[int, ...] = ()) -> tuple[Waiting, ...]:
        """Who waits, as words; what is only looked at comes before."""
        if not self._with_queue:
            return ()
        keys = [*((variable, None, None) for variable in looked_at), *self._marks.waiting()]
        return tuple([self._waiting.get(key) or self._waiting.setdefault(key, self._named(*key)) for key in keys])

    def _named(self, variable: int | None, number: int | None, value: Value | None) -> Waiting:
        if variable is not None:
            return Waiting(self._layout.variables[variable], None, self._layout.variables[variable])
        assert number is not None
        name = self._constraints[number].name
        return Waiting(None, number, name if value is None else f"{quoted(value)} in {name}")

    def _marked(self) -> tuple[Variable, ...]:
        return self._names(self._marks.now()) if self._with_queue else ()

    def _names(self, variables: tuple[int, ...]) -> tuple[Variable, ...]:
        return tuple([self._layout.variables[variable] for variable in variables])

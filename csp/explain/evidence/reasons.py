"""Why a variable has a value, or has not: the recorded reasons, back to what is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ...engine.ask.answers import Answers
from ...engine.ask.engine import Engine
from ...engine.compiled.program import CompiledModel
from ...engine.effort import Budget, Effort, Watch
from ...engine.strategy import Level, Strategy
from ...ground.errors import ModelError, Stopped
from ...ground.notation import quoted
from ...model import Candidate, Domain, Model, Value, Variable
from ...story import Record, Recorder, Removal, show_reason, traced
from ..steps.board import Board
from .claims import Claim, Reason, Why
from .shrinking import shrunk

LEVELS: tuple[Level, ...] = ("singles", "bounds", "domain")
"""Where reasons are looked for, before search is."""


def why(
    model: Model,
    claim: Claim,
    minimal: bool = False,
    strategy: Strategy | None = None,
    watch: Watch | None = None,
) -> Why:
    """Why a variable has a value in every solution, or in none.

    Parameters
    ----------
    model : Model
    claim : Claim
    minimal : bool
        Drop constraints as long as the claim still follows without search; of what is left every one is needed. Where
        only search shows it, drop them as long as the refutation has no more nodes.
    strategy : Strategy, optional
        Its limits hold for the search, where it takes one.
    watch : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends it.

    Returns
    -------
    Why

    Raises
    ------
    ModelError
        If there is no such variable, or no such value in its domain.
    Stopped
        If a limit comes first.

    Notes
    -----
    Propagation is recorded once, and the records are followed back: O(records). ``minimal`` compiles and propagates
    O(k log n) times for k of n constraints that are needed, by halves. What is left depends on the order in which they
    are dropped: the last of the model first and the first of it first are both tried, and the shorter is told.

    References
    ----------
    .. [1] U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", 2004.

    Examples
    --------
    >>> from csp import AllDifferent, Equality, Variable
    >>> rules = [AllDifferent.of("ABC", label="row"), Equality(Variable("A"), 1), Equality(Variable("B"), 2)]
    >>> print(*why(Model({v: range(1, 4) for v in "ABC"}, rules), Claim(Variable("C"), 3)).lines(), sep="\\n")
    1. C = 3
      2. row: A = 1 removes 1 from C
        3. A = 1
      4. row: B = 2 removes 2 from C
        5. B = 2
    """
    if not isinstance(claim, Claim):
        raise ModelError(f"{claim!r} is no claim, such as csp.explain.Claim('x', 1)")
    domain = model.domains.get(claim.variable)
    if domain is None:
        raise ModelError(f"there is no variable {claim.variable}")
    if claim.value not in domain:
        raise ModelError(
            f"{claim.variable} has no value {quoted(claim.value)}; it has {', '.join(map(quoted, domain))}"
        )
    strategy = strategy or Strategy()
    for level in LEVELS:
        program = CompiledModel(model, replace(strategy, level=level))
        recorder, domains = _propagated(program, watch)
        if domains is None:
            return Why(claim, "no solution")
        if claim.follows(domains):
            if minimal:
                smaller = [_without(program, claim, first, watch) for first in (False, True)]
                found = [_followed(one, _propagated(one, watch)[0].records, claim) for one in smaller]
                return Why(claim, "reasons", min(found, key=len))
            return Why(claim, "reasons", _followed(program, recorder.records, claim))
    return _refuted(model, claim, minimal, strategy, watch)


def _propagated(program: CompiledModel, watch: Watch | None) -> tuple[Recorder, dict[Variable, Domain] | None]:
    """What propagation tells, and what it leaves; None where nothing can hold."""
    engine, recorder = Engine(program), Recorder(program, queue=False)
    root = engine.root(None, trail=recorder)
    budget = Budget(program.strategy, Effort(), watch)
    fixpoint = engine.fixpoint(root, engine.rest(root, None, budget, recorder), budget)
    return recorder, dict(fixpoint.domains) if fixpoint.holds else None


def _without(program: CompiledModel, claim: Claim, first: bool, watch: Watch | None) -> CompiledModel:
    """The program without constraints of its model, as long as propagation still sees the claim."""

    def enough(numbers: Sequence[int]) -> bool:
        domains = _propagated(program.relaxed(numbers), watch)[1]
        return domains is not None and claim.follows(domains)

    numbers: Sequence[int] = range(len(program.model.constraints))
    before = len(numbers) + 1
    while len(numbers) < before:  # what is dropped may make more of the rest superfluous
        before, numbers = len(numbers), shrunk(numbers, enough, first)
    return program.relaxed(numbers)


def _refuted(model: Model, claim: Claim, minimal: bool, strategy: Strategy, watch: Watch | None) -> Why:
    """The search that finds no solution in which it is otherwise."""
    program = CompiledModel(model, replace(strategy, level="singles", search="tree"))
    answers, recorder = _otherwise(program, claim, strategy, watch)
    found = list(islice(answers, 1))
    if answers.stopped:
        raise Stopped(answers.stopped)
    if found:
        example = {variable: found[0][variable] for variable in model.domains}
        return Why(claim, "open", example=example)
    every = Engine(program).answers(Engine(program).root(None), Budget(strategy, Effort(), watch))
    if next(every, None) is None:
        if every.stopped:
            raise Stopped(every.stopped)
        return Why(claim, "no solution")
    if minimal:
        shorter = [_shortened(program, claim, answers.effort.nodes, first, watch) for first in (False, True)]
        program = min(shorter, key=lambda found: (found[0], -len(found[1].without)))[1]
        answers, recorder = _otherwise(program, claim, strategy, watch)
        list(answers)
    return Why(claim, "search", trace=traced(program, recorder.records))


def _otherwise(
    program: CompiledModel, claim: Claim, strategy: Strategy, watch: Watch | None
) -> tuple[Answers, Recorder]:
    """Counterexamples to a claim, and the recorder of the search for them."""
    engine, recorder = Engine(program), Recorder(program)
    givens = {} if claim.holds else {str(claim.variable): claim.value}
    root = engine.root(givens, [(claim.variable, claim.value)] if claim.holds else (), recorder)
    return engine.answers(root, Budget(strategy, Effort(), watch), recorder), recorder


def _shortened(
    program: CompiledModel, claim: Claim, nodes: int, first: bool, watch: Watch | None
) -> tuple[int, CompiledModel]:
    """How many nodes a refutation takes, and the program without constraints that do not make it shorter."""

    def enough(numbers: Sequence[int]) -> bool:
        nonlocal nodes
        limits = replace(program.strategy, nodes=nodes)
        answers, _ = _otherwise(program.relaxed(numbers), claim, limits, watch)
        if next(answers, None) is not None or answers.stopped:
            if watch is not None:
                watch(answers.effort)
            return False
        nodes = answers.effort.nodes
        return True

    numbers = shrunk(range(len(program.model.constraints)), enough, first)
    return nodes, program.relaxed(numbers)


Effect = Candidate | int
"""A value that holds, or the index of a removal."""


def _followed(program: CompiledModel, records: Sequence[Record], claim: Claim) -> tuple[Reason, ...]:
    """The records behind a claim."""
    board = Board(program)
    removals = [record for record in records if isinstance(record, Removal)]
    taker = {candidate: i for i, removal in enumerate(removals) for candidate in removal.removed}
    domains = program.domains
    needed: dict[int, dict[Candidate, None]] = {}

    def gone(candidates: Iterator[Candidate]) -> list[Effect]:
        """The removals of candidates that are gone."""
        keys: dict[Effect, None] = {}
        for candidate in candidates:
            index = taker[candidate]
            needed.setdefault(index, {})[candidate] = None
            keys[index] = None
        return list(keys)

    def others(candidate: Candidate) -> list[Candidate]:
        variable, value = candidate
        return [(variable, other) for other in domains[variable] if other != value]

    def recorder(candidate: Candidate) -> int | None:
        """The removal that says by itself that a value holds: it is placed, or given."""
        indices = dict.fromkeys([taker[other] for other in others(candidate)])
        for index in indices:
            is_placed = removals[index].kind == "placed" and removals[index].cause == (candidate,)
            if is_placed or (removals[index].kind == "given" and len(indices) == 1):
                return index
        return None

    def behind(index: int) -> list[Effect]:
        removal = removals[index]
        match removal.kind:
            case "fixed":
                return [removal.cause[0]]
            case "placed":
                return gone(iter(_rivals(board, removal, taker, index)))
            case "filtered":
                left: dict[Variable, list[Value]] = {}
                for variable, value in removal.cause:
                    left.setdefault(variable, []).append(value)
                keys: dict[Effect, None] = {}
                for variable, values in left.items():
                    if len(values) == 1:
                        keys[variable, values[0]] = None
                    else:
                        keys |= dict.fromkeys(gone((variable, v) for v in domains[variable] if v not in values))
                return list(keys)
        return []

    candidate = (claim.variable, claim.value)
    start: Effect = candidate if claim.holds else gone(iter([candidate]))[0]
    places: dict[Effect, int] = {}
    premises: list[list[Effect]] = []
    sole: dict[Effect, int] = {}  # for a value, the only removal that it takes
    todo = [start]
    while todo:
        key = todo.pop()
        if key in places:
            continue
        places[key] = len(places)
        if isinstance(key, int):
            premises.append(behind(key))
        elif (only := recorder(key)) is None:
            premises.append(gone(iter(others(key))))
        else:
            sole[key] = only
            premises.append(behind(only))
        todo += reversed(premises[-1])
    found = []
    for key, own in zip(places, premises, strict=True):
        index = sole.get(key) if isinstance(key, tuple) else key
        constraint = None if index is None else removals[index].constraint
        told: tuple[Candidate, ...]
        if isinstance(key, tuple):
            text, told = _value(key, None if index is None else removals[index]), (key,)
        else:
            told = tuple([one for one in removals[key].removed if one in needed[key]])
            text = show_reason(replace(removals[key], removed=told))
        numbers = tuple([places[premise] for premise in own])
        found.append(Reason(text, constraint, numbers, told, isinstance(key, tuple)))
    return tuple(found)


def _value(candidate: Candidate, removal: Removal | None) -> str:
    """A value that holds, and the only removal that it takes, if it is one."""
    text = f"{candidate[0]} = {quoted(candidate[1])}"
    if removal is None:
        return text
    place = "given" if removal.constraint is None else removal.constraint.place
    if removal.kind == "placed":
        return f"{text}: {place} has no other place for {quoted(candidate[1])}"
    return place if place.startswith(text) else f"{text}: {place}"


def _rivals(board: Board, removal: Removal, taker: Mapping[Candidate, int], index: int) -> list[Candidate]:
    """The other places of a value that had one place left."""
    bit = board.bit_of[removal.cause[0]]
    for group in board.groups:
        if group.number == removal.number:
            for place in group.places:
                rivals = list(board.listed(place.mask & ~(1 << bit)))
                if place.mask >> bit & 1 and all(taker.get(one, index) < index for one in rivals):
                    return rivals
    raise AssertionError("a value that is placed had other places")

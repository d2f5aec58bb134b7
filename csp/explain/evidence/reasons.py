"""Explain why a variable must or cannot have a value, back to the givens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal

from ...base.errors import ModelError, Stopped
from ...base.frozen import Frozen
from ...base.notation import quoted
from ...base.shrinking import shrink_to_minimal
from ...engine.compiled.program import CompiledModel
from ...engine.effort import Budget, Effort, Progress
from ...engine.settings import Level, Settings
from ...engine.solver.answers import Answers
from ...engine.solver.engine import Engine
from ...model import Candidate, Constraint, Domain, Model, Value, Variable
from ...model.operand import variable_of
from ...trace import Record, Recorder, Removal, Trace, make_trace, show_reason
from ..steps.board import Board

CLAIM_LEVELS: tuple[Level, ...] = ("singles", "bounds", "domain")
"""The consistency levels at which propagation is tried for a proof, before search."""

Effect = Candidate | int
"""A value that holds, or the index of a removal."""


class Claim(Frozen):
    """The claim that a variable has, or does not have, a value."""

    variable: Variable
    value: Value
    holds: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "variable", variable_of(self.variable))

    def __str__(self) -> str:
        return f"{self.variable} {'=' if self.holds else '!='} {quoted(self.value)}"

    def follows(self, domains: Mapping[Variable, Domain]) -> bool:
        """Return whether ``domains`` prove the claim: its variable has only, or lacks, the value."""
        domain = domains[self.variable]
        return domain == (self.value,) if self.holds else self.value not in domain


class Reason(Frozen):
    """A step of an explanation: a value that holds, or values that are removed.

    Attributes
    ----------
    text : str
        The sentence for the reader.
    constraint : Constraint or None
        The constraint that removes the values. None for a value that holds because several constraints removed the
        others.
    premises : tuple of int
        The reasons that this one follows from, as indices of ``Why.reasons``.
    candidates : tuple of Candidate
        The value that holds, or the removed values.
    holds : bool
        True for a value that holds, False for removed values.
    """

    text: str
    constraint: Constraint | None
    premises: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    holds: bool


class Why(Frozen):
    """The explanation of a claim, or a counterexample to it.

    Attributes
    ----------
    claim : Claim
    kind : {"reasons", "search", "open", "no solution"}
        "reasons": propagation proves the claim; "search": only a search proves it; "open": some solution contradicts
        the claim; "no solution": the puzzle has no solution, so that every claim follows.
    reasons : tuple of Reason
        The reason of the claim comes first.
    trace : Trace or None
        For "search": the search that refutes the opposite of the claim.
    example : mapping from Variable to value, or None
        For "open": the solution that contradicts the claim.
    """

    claim: Claim
    kind: Literal["reasons", "search", "open", "no solution"]
    reasons: tuple[Reason, ...] = ()
    trace: Trace | None = None
    example: Mapping[Variable, Value] | None = None

    def lines(self) -> Iterator[str]:
        """Yield the explanation as indented lines of text, each reason once."""
        match self.kind:
            case "reasons":
                yield from self._reason_lines()
            case "search":
                yield f"{self.claim}: only search shows it"
                yield f"suppose {replace(self.claim, holds=not self.claim.holds)}"
                yield from self._refutation_lines()
            case "open":
                assert self.example is not None
                counterexample = f"{self.claim.variable} = {quoted(self.example[self.claim.variable])}"
                yield f"{self.claim} does not follow: there is a solution with {counterexample}"
            case "no solution":
                yield f"{self.claim}: the puzzle has no solution, so everything follows"

    def _reason_lines(self) -> Iterator[str]:
        # Depth first; a reason that was numbered before becomes a reference.
        numbers: dict[int, int] = {}
        todo = [(0, 0)]
        while todo:
            index, depth = todo.pop()
            reason, lead = self.reasons[index], "  " * depth
            if index in numbers:
                yield f"{lead}see {numbers[index]}: {reason.text}"
                continue
            numbers[index] = len(numbers) + 1
            yield f"{lead}{numbers[index]}. {reason.text}"
            todo += [(premise, depth + 1) for premise in reversed(reason.premises)]

    def _refutation_lines(self) -> Iterator[str]:
        for depth, branch, outcome in self.branches():
            line = f"{branch}: {outcome}" if branch else outcome
            yield "  " * (depth + 1) + line

    def branches(self) -> Iterator[tuple[int, str, str]]:
        """Yield depth, decision and outcome of each node in the search tree of ``trace``."""
        # Imported late, because propagation alone proves most claims.
        from ...trace import Failure, caption, search_tree

        assert self.trace is not None
        depths: list[int] = []
        for node in search_tree(self.trace).nodes:
            depths.append(0 if node.parent is None else depths[node.parent] + 1)
            # A failed node says why it failed; any other node has a plain outcome.
            records = reversed(self.trace.records[node.first : node.last + 1])
            failure = next((record for record in records if isinstance(record, Failure)), None)
            outcome = caption(failure) if failure and node.kind == "failure" else node.outcome
            yield depths[-1], node.edge, outcome.removeprefix("failure · ")


def why(
    model: Model,
    claim: Claim,
    minimal: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Why:
    """Explain why a claim holds in every solution, or find a solution that contradicts it.

    Parameters
    ----------
    model : Model
    claim : Claim
    minimal : bool
        Drop constraints while propagation still proves the claim; then each remaining constraint is needed. If only a
        search proves the claim, drop constraints while the refutation has no more nodes.
    settings : Settings, optional
        Its limits hold for the search.
    progress : function, optional
        Progress callback: called often with the effort so far; an exception it raises ends the call.

    Returns
    -------
    Why

    Raises
    ------
    ModelError
        If the variable is unknown, or the value is not in its domain.
    Stopped
        If a limit comes first.

    Notes
    -----
    Propagation is recorded once, and the records are followed back from the claim: O(records). ``minimal`` compiles and
    propagates O(k log n) times if k of n constraints are needed, by bisection. The remaining constraints depend on the
    order of dropping. Both orders of the model are tried, and the explanation with fewer reasons is returned.

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
        raise ModelError(f"{claim!r} is not a claim, such as csp.explain.Claim('x', 1)")
    domain = model.domains.get(claim.variable)
    if domain is None:
        raise ModelError(f"unknown variable: {claim.variable}")
    if claim.value not in domain:
        raise ModelError(
            f"{claim.variable} has no value {quoted(claim.value)}; it has {', '.join(map(quoted, domain))}"
        )
    settings = settings or Settings()
    # Look for a proof by propagation, at the weakest level that has one.
    for level in CLAIM_LEVELS:
        program = CompiledModel(model, replace(settings, level=level))
        recorder, domains = _propagate(program, progress)
        if domains is None:
            return Why(claim, "no solution")
        if claim.follows(domains):
            if minimal:
                # Drop superfluous constraints from either end of the model.
                relaxed_programs = [
                    _drop_constraints(program, claim, first_to_last, progress) for first_to_last in (False, True)
                ]
                explanations = [
                    _follow_back(relaxed, _propagate(relaxed, progress)[0].records, claim)
                    for relaxed in relaxed_programs
                ]
                return Why(claim, "reasons", min(explanations, key=len))
            return Why(claim, "reasons", _follow_back(program, recorder.records, claim))
    return _explain_by_search(model, claim, minimal, settings, progress)


def _propagate(program: CompiledModel, progress: Progress | None) -> tuple[Recorder, dict[Variable, Domain] | None]:
    """Propagate a compiled model; return the recorder, and the domains or None after a failure."""
    engine, recorder = Engine(program), Recorder(program, queue=False)
    root = engine.root(None, log=recorder)
    budget = Budget(program.settings, Effort(), progress)
    fixpoint = engine.fixpoint(root, engine.reach_fixpoint(root, None, budget, recorder), budget)
    return recorder, dict(fixpoint.domains) if fixpoint.holds else None


def _drop_constraints(
    program: CompiledModel, claim: Claim, first_to_last: bool, progress: Progress | None
) -> CompiledModel:
    """Return the program without constraints that propagation does not need to prove the claim.

    ``first_to_last``: drop the first constraints of the model first, and not the last.
    """

    def is_enough(numbers: Sequence[int]) -> bool:
        domains = _propagate(program.keeping(numbers), progress)[1]
        return domains is not None and claim.follows(domains)

    numbers: Sequence[int] = range(len(program.model.constraints))
    count_before = len(numbers) + 1
    # Repeat: a constraint may become superfluous after others are dropped.
    while len(numbers) < count_before:
        count_before, numbers = len(numbers), shrink_to_minimal(numbers, is_enough, first_to_last)
    return program.keeping(numbers)


def _explain_by_search(model: Model, claim: Claim, minimal: bool, settings: Settings, progress: Progress | None) -> Why:
    """Search for a counterexample to the claim; return an explanation of the outcome."""
    program = CompiledModel(model, replace(settings, level="singles", search="tree"))
    answers, recorder = _search_counterexample(program, claim, settings, progress)
    counterexamples = list(islice(answers, 1))
    if answers.stopped:
        raise Stopped(answers.stopped)
    # A counterexample: the claim does not follow.
    if counterexamples:
        example = {variable: counterexamples[0][variable] for variable in model.domains}
        return Why(claim, "open", example=example)
    # No counterexample: either the claim holds, or the model has no solution at all.
    all_answers = Engine(program).answers(Engine(program).root(None), Budget(settings, Effort(), progress))
    if next(all_answers, None) is None:
        if all_answers.stopped:
            raise Stopped(all_answers.stopped)
        return Why(claim, "no solution")
    if minimal:
        # Drop constraints from either end; keep the refutation with the fewest nodes, then constraints.
        shorter = [
            _shorten_refutation(program, claim, answers.effort.nodes, first_to_last, progress)
            for first_to_last in (False, True)
        ]
        program = min(shorter, key=lambda attempt: (attempt[0], -len(attempt[1].ignored)))[1]
        answers, recorder = _search_counterexample(program, claim, settings, progress)
        list(answers)
    return Why(claim, "search", trace=make_trace(program, recorder.records))


def _search_counterexample(
    program: CompiledModel, claim: Claim, settings: Settings, progress: Progress | None
) -> tuple[Answers, Recorder]:
    """Return the iterator of solutions that contradict a claim, and the recorder of their search."""
    engine, recorder = Engine(program), Recorder(program)
    # The opposite of the claim: exclude the value, or set it.
    givens = {} if claim.holds else {str(claim.variable): claim.value}
    root = engine.root(givens, [(claim.variable, claim.value)] if claim.holds else (), recorder)
    return engine.answers(root, Budget(settings, Effort(), progress), recorder), recorder


def _shorten_refutation(
    program: CompiledModel, claim: Claim, nodes: int, first_to_last: bool, progress: Progress | None
) -> tuple[int, CompiledModel]:
    """Drop constraints while the search refutes the claim's opposite with no more nodes.

    Returns the number of nodes, and the program with the remaining constraints. ``nodes``: the nodes of the refutation
    with all constraints; ``first_to_last``: drop the first constraints first.
    """

    def is_enough(numbers: Sequence[int]) -> bool:
        nonlocal nodes
        # The refutation must succeed with at most as many nodes as the best one so far.
        limits = replace(program.settings, nodes=nodes)
        answers, _ = _search_counterexample(program.keeping(numbers), claim, limits, progress)
        if next(answers, None) is not None or answers.stopped:
            if progress is not None:
                progress(answers.effort)
            return False
        nodes = answers.effort.nodes
        return True

    numbers = shrink_to_minimal(range(len(program.model.constraints)), is_enough, first_to_last)
    return nodes, program.keeping(numbers)


def _follow_back(program: CompiledModel, records: Sequence[Record], claim: Claim) -> tuple[Reason, ...]:
    """Return the reasons that lead to a claim, by following recorded removals backwards.

    The reason of the claim comes first. The premises of a reason are indices of the result.
    """
    board = Board(program)
    removals = [record for record in records if isinstance(record, Removal)]
    removed_in = {candidate: i for i, removal in enumerate(removals) for candidate in removal.removed}
    domains = program.domains
    needed_candidates: dict[int, dict[Candidate, None]] = {}

    def earlier_removals(candidates: Iterator[Candidate]) -> list[Effect]:
        """Return the indices of the removals of candidates, and mark the candidates as needed."""
        keys: dict[Effect, None] = {}
        for candidate in candidates:
            index = removed_in[candidate]
            needed_candidates.setdefault(index, {})[candidate] = None
            keys[index] = None
        return list(keys)

    def other_candidates(candidate: Candidate) -> list[Candidate]:
        variable, value = candidate
        return [(variable, v) for v in domains[variable] if v != value]

    def sole_removal(candidate: Candidate) -> int | None:
        """Return the index of the removal that alone explains why ``candidate`` holds, or None.

        The removal is that of a given, or of a value with a single place.
        """
        indices = dict.fromkeys([removed_in[rival] for rival in other_candidates(candidate)])
        for index in indices:
            is_placed = removals[index].kind == "placed" and removals[index].cause == (candidate,)
            if is_placed or (removals[index].kind == "given" and len(indices) == 1):
                return index
        return None

    def premises_of(index: int) -> list[Effect]:
        removal = removals[index]
        match removal.kind:
            # Another variable has the value, the value has one place in a group, or a propagator removed it.
            case "fixed":
                return [removal.cause[0]]
            case "placed":
                return earlier_removals(iter(_other_places(board, removal, removed_in, index)))
            case "filtered":
                values_in_cause: dict[Variable, list[Value]] = {}
                for variable, value in removal.cause:
                    values_in_cause.setdefault(variable, []).append(value)
                effects: dict[Effect, None] = {}
                for variable, remaining in values_in_cause.items():
                    # The value of a fixed variable is a premise; for an unfixed one, the removals from it are.
                    if len(remaining) == 1:
                        effects[variable, remaining[0]] = None
                    else:
                        effects |= dict.fromkeys(
                            earlier_removals((variable, value) for value in domains[variable] if value not in remaining)
                        )
                return list(effects)
        return []

    candidate = (claim.variable, claim.value)
    start: Effect = candidate if claim.holds else earlier_removals(iter([candidate]))[0]
    # Depth first from the claim: each effect gets a position and the effects that it follows from.
    positions: dict[Effect, int] = {}
    premises: list[list[Effect]] = []
    # For a value that one removal alone explains: the index of the removal.
    sole_removals: dict[Effect, int] = {}
    todo = [start]
    while todo:
        effect = todo.pop()
        if effect in positions:
            continue
        positions[effect] = len(positions)
        if isinstance(effect, int):
            premises.append(premises_of(effect))
        # A value holds because it is placed or given, or because all other values are removed.
        elif (removal_index := sole_removal(effect)) is None:
            premises.append(earlier_removals(iter(other_candidates(effect))))
        else:
            sole_removals[effect] = removal_index
            premises.append(premises_of(removal_index))
        todo += reversed(premises[-1])
    # Write the reasons; of each removal, show only the candidates that a reason needs.
    reasons = []
    for effect, own_premises in zip(positions, premises, strict=True):
        index = sole_removals.get(effect) if isinstance(effect, tuple) else effect
        constraint = None if index is None else removals[index].constraint
        shown_candidates: tuple[Candidate, ...]
        if isinstance(effect, tuple):
            text, shown_candidates = _value_text(effect, None if index is None else removals[index]), (effect,)
        else:
            shown_candidates = tuple(
                [removed for removed in removals[effect].removed if removed in needed_candidates[effect]]
            )
            text = show_reason(replace(removals[effect], removed=shown_candidates))
        numbers = tuple([positions[premise] for premise in own_premises])
        reasons.append(Reason(text, constraint, numbers, shown_candidates, isinstance(effect, tuple)))
    return tuple(reasons)


def _value_text(candidate: Candidate, removal: Removal | None) -> str:
    """Return ``variable = value`` as text, with the reason if ``removal`` is not None."""
    text = f"{candidate[0]} = {quoted(candidate[1])}"
    if removal is None:
        return text
    place = "given" if removal.constraint is None else removal.constraint.place
    if removal.kind == "placed":
        return f"{text}: {place} has no other place for {quoted(candidate[1])}"
    return place if place.startswith(text) else f"{text}: {place}"


def _other_places(board: Board, removal: Removal, removed_in: Mapping[Candidate, int], index: int) -> list[Candidate]:
    """Return the group's other candidates of the placed value, all removed before ``removal``."""
    bit = board.bit_of[removal.cause[0]]
    for group in board.groups:
        if group.number == removal.number:
            for place in group.places:
                rivals = list(board.listed(place.mask & ~(1 << bit)))
                if place.mask >> bit & 1 and all(removed_in.get(rival, index) < index for rival in rivals):
                    return rivals
    raise AssertionError("a placed value had other places")

"""Techniques that apply a single constraint, such as sums and comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations as choices

from ....engine.compiled.propagators import Propagator
from ....engine.compiled.propagators.base import bits
from ....model import Candidate, Connected, Constraint, Linear
from ....trace import show_cause, show_conflict
from ..board import Board, Clash, Deduction, View
from .counting import all_counts

MAX_COMBINATIONS, MAX_CHOICES = 6, 2000
"""Maximum number of combinations of a sum that a sentence lists, and of sets of values that are tried to find them.

Beyond these limits the sentence names the domains of the variables instead.
"""

Combination = tuple[int, ...]
"""Values that add up to the total of a sum."""


def combinations(view: View) -> Iterator[Deduction]:
    """Find candidates that occur in no combination of values of a sum.

    Removes these candidates. Only sums of the model itself are used.
    """
    yield from _apply_constraints(view, "combinations")


def innies_and_outies(view: View) -> Iterator[Deduction]:
    """Find candidates that sums implied by several constraints exclude (innies and outies).

    Innies are the variables of a group that no sum inside the group contains, outies the variables outside the group of
    sums that overlap it. Their total follows from the total of the group. Removes the candidates.
    """
    board = view.board
    for number, mask in board.derived_domains:
        if removed := view.live & ~mask:
            text = f"{board.constraints[number].place} leaves {board.cells(removed)} no other value"
            yield Deduction(text, removed=removed, constraints=(number,))
    yield from _apply_constraints(view, "innies and outies")


def neighbours(view: View) -> Iterator[Deduction]:
    """Find candidates that a binary constraint does not support.

    Removes these candidates.
    """
    yield from _apply_constraints(view, "neighbours")


def parity(view: View) -> Iterator[Deduction]:
    """Find a sum that has only one variable of unknown parity.

    The other variables decide it. Removes the candidates of the variable with the wrong parity.
    """
    board, program = view.board, view.board.program
    for number in program.propagators:
        constraint = program.constraints[number]
        if not isinstance(constraint, Linear) or constraint.relation != "=" or len(constraint.scope) < 3:
            continue
        # Add the known parities of all terms with odd factors; collect the variables that may be odd or even.
        total, undecided, decided = constraint.difference.constant, [], 0
        for factor, variable in constraint.difference.terms:
            domain = view.cells[program.layout.number[variable]]  # type: ignore[index]
            odd = sum([1 << bit for bit in bits(domain) if int(board.candidates[bit][1]) % 2])
            if factor % 2 and odd and odd != domain:
                undecided.append((domain, odd))
            elif factor % 2:
                total += bool(odd)
                decided |= domain
        if len(undecided) == 1:
            ((domain, odd),) = undecided
            removed = domain & ~odd if total % 2 else odd
            text = f"by {board.constraints[number].place}, {board.cells(domain)} is {'odd' if total % 2 else 'even'}"
            yield Deduction(text, removed=removed, pattern=domain | decided, constraints=(number,))


def single_constraint(view: View) -> Iterator[Deduction]:
    """Find candidates without support in a constraint that no other technique applies.

    Removes these candidates.
    """
    yield from _apply_constraints(view, "single constraint")


def _apply_constraints(view: View, technique: str) -> Iterator[Deduction]:
    """Yield the deductions of a technique's constraints; stop at one that cannot hold.

    A constraint that cannot hold becomes the clash of the view.
    """
    board = view.board
    for number in board.compute_once("constraints of techniques", _constraints_of_techniques).get(technique, ()):
        for result in apply_constraint(view, number, board.shown):
            if isinstance(result, Clash):
                view.clash = result
                return
            yield result


def _constraints_of_techniques(board: Board) -> dict[str, list[int]]:
    """Map each technique to its propagated constraints; those on hidden variables only are omitted."""
    numbers_of: dict[str, list[int]] = {}
    for number in board.program.propagators:
        if any(board.domain_masks[variable] & board.shown for variable in board.program.incidence.scopes[number]):
            numbers_of.setdefault(technique_of(board, number), []).append(number)
    return numbers_of


def find_violated(view: View) -> Clash | None:
    """Return a ``Clash`` for a constraint that the view cannot satisfy, or None."""
    for number, mask in view.board.derived_domains:
        if view.placed & ~mask:
            return Clash(f"{view.board.constraints[number].place} cannot hold", 0, number)
    for number in view.board.program.propagators:
        for result in apply_constraint(view, number):
            if isinstance(result, Clash):
                return result
    return None


def technique_of(board: Board, number: int) -> str:
    """Return the name of the technique that applies the constraint ``number``.

    Sums of the model belong to "combinations" if they have three or more terms, or two terms that add up.
    """
    program, constraint = board.program, board.program.constraints[number]
    if number in all_counts(board):
        return "count"
    if len(constraint.scope) == 2 and all(variable in program.model.domains for variable in constraint.scope):
        terms = constraint.difference.terms if isinstance(constraint, Linear) and constraint.relation == "=" else ()
        return "combinations" if terms and len({factor > 0 for factor, _ in terms}) == 1 else "neighbours"
    if not isinstance(constraint, Linear) or constraint.relation != "=":
        return "single constraint"
    if any(variable not in program.model.domains for variable in constraint.scope):
        return "single constraint"  # it defines the variable of an expression
    if len(program.origins[number]) > 1:
        return "innies and outies"
    return "combinations"


def find_removed(view: View, number: int) -> int | None:
    """Return the candidates that a propagator removes; None if its constraint cannot hold.

    Returns 0 if a variable of the constraint has no candidates.
    """
    board = view.board
    scope = board.program.incidence.scopes[number]
    domains = [view.cells[variable] >> board.first[variable] for variable in scope]
    if not all(domains) or board.fixpoint_domains.get((number, True)) == domains:
        return 0
    narrowed = board.program.propagators[number].prune(domains)
    if narrowed is None:
        return None
    return sum(
        [
            (domain & ~remaining) << board.first[variable]
            for variable, domain, remaining in zip(scope, domains, narrowed, strict=True)
        ]
    )


def apply_constraint(view: View, number: int, within: int | None = None) -> Iterator[Deduction | Clash]:
    """Yield the deductions of a constraint's propagator in ``view``, or else a ``Clash``.

    Yields either one clash, or a deduction for each part of the removed candidates that has a reason of its own.
    ``within``: the candidates that may be removed, by default all.
    """
    board = view.board
    within = board.all if within is None else within
    program = board.program
    propagator, scope = program.propagators[number], program.incidence.scopes[number]
    domains = [view.cells[variable] >> board.first[variable] for variable in scope]
    # Skip a propagator that had nothing to remove from the same domains.
    fixpoint = number, within == board.all
    if not all(domains) or board.fixpoint_domains.get(fixpoint) == domains:
        return
    narrowed = propagator.prune(domains)
    if narrowed is None:
        variables = [scope[i] for i in propagator.explain(domains, domains).positions]
        named = [scope[i] for i in propagator.conflict(domains)]
        cause = _separation_text(board, view, number, named, 0)
        cause = cause or show_conflict(board.constraints[number], _candidates_of(board, view, named))
        text = f"{board.constraints[number].place} cannot hold" + (f", as {cause}" if cause else "")
        yield Clash(text, _removed_candidates(view, variables), number)
        return
    removed_values = [
        domain & ~remaining & (within >> board.first[variable])
        for variable, domain, remaining in zip(scope, domains, narrowed, strict=True)
    ]
    if not any(removed_values):
        board.fixpoint_domains[fixpoint] = domains
        return
    # Each part has its reason; the next part builds on the domains after this one.
    for reason, part in propagator.steps(domains, removed_values):
        variables = [scope[i] for i in reason.positions]
        removed = sum([values << board.first[variable] for variable, values in zip(scope, part, strict=True)])
        if not removed & view.live:
            continue
        numbers = (number, *[borrowed.constraint for borrowed in propagator.borrowed])
        sums = _find_sums(board, view, number, propagator)
        text = _reason_text(board, view, number, sums, variables, removed)
        pattern = sum([view.cells[variable] for variable in variables])
        yield Deduction(
            text,
            removed=removed,
            pattern=pattern,
            constraints=numbers,
            absent=_removed_candidates(view, variables),
            live=view.live & ~removed,
            sums=sums,
        )
        domains = [domain & ~values for domain, values in zip(domains, part, strict=True)]
        view = view.with_live(view.live & ~removed)


def _removed_candidates(view: View, variables: Sequence[int]) -> int:
    return sum([view.board.domain_masks[variable] & ~view.live for variable in variables])


def _candidates_of(board: Board, view: View, variables: Sequence[int]) -> Sequence[Candidate]:
    """Return the live candidates of these variables, as pairs of variable and value."""
    return board.listed(sum([view.cells[variable] for variable in variables]))


def _reason_text(
    board: Board, view: View, number: int, sums: Sequence[Combination], reason_variables: Sequence[int], removed: int
) -> str:
    """Return a text that states why a constraint removes candidates.

    The text lists the combinations ``sums`` of a sum, or what separates the places of a connected graph, and else the
    domains of the variables.
    """
    place = board.constraints[number].place
    if sums:
        unplaced = sum([view.cells[variable] for variable in _unplaced_variables(board, view, number)])
        sets = " or ".join(["+".join(map(str, values)) for values in sums])
        return f"{place} leaves {board.cells(unplaced)} only {sets}"
    if separation := _separation_text(board, view, number, reason_variables, removed):
        return f"by {place}, {separation}"
    cause = _cause_text(board.program.constraints[number], _candidates_of(board, view, reason_variables))
    return f"by {place}, as {cause}" if cause else f"by {place}"


def _cause_text(constraint: Constraint, cause: Sequence[Candidate]) -> str:
    """Return the candidates of a cause as text.

    For a comparison such as ``A < B`` the text has only the bounds that it uses.
    """
    if not isinstance(constraint, Linear) or constraint.relation[0] not in "<>":
        return show_cause(cause, constraint)
    values_of: dict[object, list[int]] = {}
    for variable, value in cause:
        values_of.setdefault(variable, []).append(int(value))
    bounds = []
    for factor, atom in constraint.difference.terms:
        values = values_of.get(atom, [])
        if len(values) > 1:
            is_least = uses_least(constraint, factor)
            bounds.append(f"{atom} is at least {min(values)}" if is_least else f"{atom} is at most {max(values)}")
    fixed = show_cause([candidate for candidate in cause if len(values_of[candidate[0]]) == 1])
    return ", ".join([text for text in (fixed, *bounds) if text])


def uses_least(comparison: Linear, factor: int) -> bool:
    """Return whether an order argues from a variable's least value.

    Otherwise it argues from the greatest one. ``factor``: the variable's factor in the difference of the two sides.
    """
    return (factor > 0) == comparison.relation.startswith("<")


def _separation_text(board: Board, view: View, number: int, reason_variables: Sequence[int], removed: int) -> str:
    """Return a text about two places of a connected graph and their separator.

    The text is empty for other constraints, or if the reason does not name both places. ``removed`` is 0 for a failure.
    """
    constraint = board.program.constraints[number]
    if not isinstance(constraint, Connected):
        return ""

    def selects(candidates: int) -> bool:
        return all(constraint.selects(*candidate) for candidate in board.listed(candidates))

    cells = [view.cells[variable] for variable in reason_variables]
    ends = [board.cells(cell) for cell in cells if selects(cell)]
    is_excluded = bool(removed) and selects(removed)
    if len(ends) != (1 if is_excluded else 2):
        return ""
    between = [cell for cell in cells if not selects(cell)]
    separator = show_cause(board.listed(sum(between)))
    text = f"nothing joins {ends[0]} with {board.cells(removed) if is_excluded else ends[-1]}"
    if removed and not is_excluded:
        text = f"only {board.cells(removed)} joins {ends[0]} with {ends[1]}"
    if not separator:
        return text
    if removed:
        return f"{text}, as {separator}"
    return f"{separator} {'separates' if len(between) == 1 else 'separate'} {ends[0]} from {ends[1]}"


def _unplaced_variables(board: Board, view: View, number: int) -> list[int]:
    """Return the variables of a constraint without a placed value."""
    return [variable for variable in board.program.incidence.scopes[number] if view.cells[variable] & ~view.placed]


def _find_sums(board: Board, view: View, number: int, propagator: Propagator) -> tuple[Combination, ...]:
    """Return the value combinations of a sum's unplaced variables, if few.

    The result is empty for other constraints, if two of the variables may be equal, and beyond the limits.
    """
    # Only plain sums, such as a + b + c = 12, whose unplaced variables all differ.
    constraint = propagator.constraint
    if not isinstance(constraint, Linear) or constraint.relation != "=":
        return ()
    terms = constraint.difference.terms
    if {abs(factor) for factor, _ in terms} != {1} or len({factor for factor, _ in terms}) != 1:
        return ()
    variables = _unplaced_variables(board, view, number)
    names = {board.program.layout.variables[variable] for variable in variables}
    if len(variables) < 2 or not any(names <= set(group) for group, _ in propagator.borrowed):
        return ()
    # The unplaced variables must add up to what the placed ones leave of the total.
    sign = terms[0][0]
    total = -sign * constraint.difference.constant
    for variable in board.program.incidence.scopes[number]:
        if variable not in variables:
            total -= int(board.candidates[next(bits(view.cells[variable]))][1])
    values = sorted({int(board.candidates[b][1]) for variable in variables for b in bits(view.cells[variable])})
    sets = []
    for count, choice in enumerate(choices(values, len(variables))):
        if count == MAX_CHOICES:
            return ()
        if sum(choice) == total and _can_assign(choice, [view.cells[variable] for variable in variables], board):
            sets.append(choice)
    if not 0 < len(sets) <= MAX_COMBINATIONS:
        return ()
    return tuple(sets)


def _can_assign(values: tuple[int, ...], cells: list[int], board: Board) -> bool:
    """Return whether each cell can take a different item of ``values``."""
    if not cells:
        return True
    domain = {board.candidates[bit][1] for bit in bits(cells[0])}
    return any(
        value in domain and _can_assign(values[:i] + values[i + 1 :], cells[1:], board)
        for i, value in enumerate(values)
    )

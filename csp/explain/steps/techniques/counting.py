"""Techniques with counts: constraints on how many of some candidates hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ....base.frozen import Frozen
from ....base.notation import counted
from ....engine.compiled.propagators.base import bits
from ....model import Candidate, Constraint, Either, Equality, Variable
from ....model.algebra import Comparison
from ....model.operation import Operation
from ..board import Board, Deduction, Outline, View, join_words

MAX_BASES, MAX_REQUIRED, MAX_TRIED = 4, 6, 2_000
"""Maximum number of base counts that are combined, of candidates that they may require together, and of combinations.

Larger combinations are not searched.
"""

MAX_NAMED = 4
"""Maximum number of cells that the sentence of a full count names."""


class Cardinality(Frozen):
    """A constraint on how many of some candidates hold.

    The candidates have different variables.

    Attributes
    ----------
    number : int
        The number of the constraint.
    mask : int
        The candidates.
    least, most : int
        The minimum and the maximum number of these candidates that hold.
    """

    number: int
    mask: int
    least: int
    most: int

    def still_required(self, view: View) -> int:
        """Return how many more of the counted candidates must hold."""
        return self.least - (self.mask & view.placed).bit_count()

    def still_allowed(self, view: View) -> int:
        """Return how many more of the counted candidates may hold."""
        return self.most - (self.mask & view.placed).bit_count()


def single_count(view: View) -> Iterator[Deduction]:
    """Find a counting constraint that is full, or that needs all its remaining candidates.

    Removes the remaining candidates of a full count. Places all remaining candidates that a count needs.
    """
    board = view.board
    for count in list_counts(board):
        unplaced = count.mask & view.unplaced
        if not unplaced:
            continue
        place, values = board.constraints[count.number].place, board.values(count.mask)
        removed_before, placed = count.mask & ~view.live, count.mask & view.placed
        if count.still_allowed(view) == 0:
            text = (
                f"{place} has its {counted(count.most, 'cell')} with {values}" if placed else f"{place} has no {values}"
            )
            text += f", {board.cells(placed)}" if 0 < count.most <= MAX_NAMED else ""
            yield Deduction(text, removed=unplaced, pattern=placed or unplaced, constraints=(count.number,))
        elif count.still_required(view) == unplaced.bit_count():
            missing = unplaced.bit_count()
            cells = f"only {board.cells(unplaced)} {'is' if missing == 1 else 'are'} left"
            text = f"{place} needs {counted(missing, 'more cell')} with {values}, and {cells}"
            yield Deduction(text, placed=unplaced, pattern=unplaced, constraints=(count.number,), absent=removed_before)


def all_counts(board: Board) -> dict[int, tuple[Cardinality, ...]]:
    """Return the counting constraints of a board, by constraint number."""
    return board.compute_once("counts", _find_counts)


def list_counts(board: Board) -> list[Cardinality]:
    """Return the counts of all counting constraints."""
    return [count for counts in all_counts(board).values() for count in counts]


def _find_counts(board: Board) -> dict[int, tuple[Cardinality, ...]]:
    counts = {}
    for number in board.program.propagators:
        constraint = board.program.constraints[number]
        if cardinalities := _as_count(board, number, constraint) or _count_unequal(board, number, constraint):
            counts[number] = cardinalities
    return counts


def _as_count(board: Board, number: int, constraint: Constraint) -> tuple[Cardinality, ...]:
    """Convert a constraint to a ``Cardinality``, in a tuple.

    The tuple is empty if the constraint does not count candidates.

    Counts compare a number with a sum of variables that are 0 or 1, or with ``count`` of values of variables.
    """
    if not isinstance(constraint, Comparison) or constraint.relation == "!=":
        return ()
    difference = constraint.difference
    if len({factor for factor, _ in difference.terms}) != 1:
        return ()
    # Collect the candidates that are counted.
    chosen: list[Candidate] = []
    for _, atom in difference.terms:
        if isinstance(atom, Variable):
            if not {0, 1}.issuperset(board.program.domains[atom]):
                return ()
            chosen += [(atom, 1)] if 1 in board.program.domains[atom] else []
        elif isinstance(atom, Operation) and atom.operator == "count" and len(difference.terms) == 1:
            for part in atom.operands:
                if not (isinstance(part, Equality) and part.equal and not isinstance(part.right, Variable)):
                    return ()
                if (part.left, part.right) not in board.bit_of:
                    return ()
                chosen.append((part.left, part.right))
        else:
            return ()
    if len({variable for variable, _ in chosen}) < len(chosen) or len(chosen) < 2:
        return ()
    if any(variable not in board.program.model.domains for variable, _ in chosen):
        return ()
    # The numbers that satisfy the comparison give the minimum and the maximum.
    factor, constant = difference.terms[0][0], difference.constant
    allowed = [k for k in range(len(chosen) + 1) if _is_satisfied(factor * k + constant, constraint.relation)]
    if not allowed:
        return ()
    mask = sum([1 << board.bit_of[candidate] for candidate in chosen])
    return (Cardinality(number, mask, allowed[0], allowed[-1]),)


def _count_unequal(board: Board, number: int, constraint: Constraint) -> tuple[Cardinality, ...]:
    """Convert a constraint that variables of two values are not all equal.

    Each of the values has at least one place less than there are variables.

    In the language: ``not all_equal``. Return an empty tuple for other constraints.
    """
    if not isinstance(constraint, Either) or len(constraint.scope) < 3:
        return ()
    pairs = [part.scope for part in constraint.parts() if isinstance(part, Equality) and not part.equal]
    if len(pairs) < len(constraint.parts()) or any(len(pair) != 2 for pair in pairs):
        return ()
    # Each pair continues the pair before it, so that all variables are equal if no pair differs.
    if not all({*pair} & {*before} for before, pair in pairwise(pairs)):
        return ()
    domains = [board.program.model.domains.get(variable, ()) for variable in constraint.scope]
    if len(domains[0]) != 2 or any(domain != domains[0] for domain in domains):
        return ()
    masks = [sum([1 << board.bit_of[variable, value] for variable in constraint.scope]) for value in domains[0]]
    return tuple([Cardinality(number, mask, 0, len(constraint.scope) - 1) for mask in masks])


def _opposite(board: Board, count: Cardinality) -> Cardinality | None:
    """Return the count of the other values, or None unless all variables have two values."""
    cells = [board.domain_masks[variable] for variable in board.variables_of(count.mask)]
    if any(cell.bit_count() != 2 for cell in cells):
        return None
    return Cardinality(count.number, sum(cells) & ~count.mask, len(cells) - count.most, len(cells) - count.least)


def _counts_of_both_values(board: Board) -> list[Cardinality]:
    """Return all counts, and the counts of the other values of variables with two values."""
    counts = list_counts(board)
    opposites = [opposite for count in counts if (opposite := _opposite(board, count)) is not None]
    return list(dict.fromkeys([*counts, *opposites]))


def _is_satisfied(difference: int, relation: str) -> bool:
    match relation:
        case "=":
            return difference == 0
        case "<":
            return difference < 0
        case "<=":
            return difference <= 0
        case ">":
            return difference > 0
    return difference >= 0


def shared_counts(view: View) -> Iterator[Deduction]:
    """Find counting constraints that require as many candidates as other counts permit together.

    Removes the candidates of the covers outside the bases.

    This is a fish with any numbers instead of one: if two rows need all the stars that two regions may have, the
    regions have no stars outside the two rows.
    """
    board = view.board
    key = ("shared counts", view.unplaced)
    if key in board.failed_searches:
        return
    is_found = False
    # Counts inside one other count are the easiest to see.
    for chosen, cover, required in _packed_counts(view):
        is_found = True
        union = sum([count.mask & view.unplaced for count in chosen])
        yield _shared_deduction(view, chosen, (cover,), union, required, cover.mask & view.unplaced & ~union)
    # Counts with unplaced candidates, the possible bases among them, and the counts of every candidate.
    unplaced_counts = [count for count in list_counts(board) if count.mask & view.unplaced]
    bases = [count for count in unplaced_counts if 0 < count.still_required(view) <= MAX_REQUIRED]
    by_candidate: dict[int, list[Cardinality]] = {}
    for count in unplaced_counts:
        for bit in bits(count.mask & view.unplaced):
            by_candidate.setdefault(bit, []).append(count)
    largest = max([(count.mask & view.unplaced).bit_count() for count in unplaced_counts], default=0)
    for size in range(1, MAX_BASES + 1):
        for tried, (chosen, required) in enumerate(_choose_bases(view, bases, size)):
            if tried == MAX_TRIED:
                view.limits.append(f"{MAX_TRIED:,} combinations of {size} counts")
                break
            union = sum([count.mask & view.unplaced for count in chosen])
            for covers in _find_covers(view, by_candidate, union, required, chosen, largest):
                removed = 0
                for count in covers:
                    removed |= count.mask & view.unplaced & ~union
                if removed:
                    is_found = True
                    yield _shared_deduction(view, chosen, covers, union, required, removed)
    if not is_found:
        board.failed_searches.add(key)


def _packed_counts(view: View) -> Iterator[tuple[tuple[Cardinality, ...], Cardinality, int]]:
    """Yield disjoint counts that need all that a count around them may still have.

    Each item has these counts, fewest first, the count around them, and the required number. The counts of both values
    of a variable are used: "not 0" is 1.
    """
    counts = view.board.compute_once("counts of both values", _counts_of_both_values)
    counts = [count for count in counts if count.mask & view.unplaced]
    bases = [count for count in counts if count.still_required(view) > 0]
    covers = [count for count in counts if 0 < count.still_allowed(view) <= MAX_REQUIRED]
    for size in range(1, MAX_BASES + 1):
        for cover in covers:
            around, allowed = cover.mask & view.unplaced, cover.still_allowed(view)
            inside = [b for b in bases if not b.mask & view.unplaced & ~around and b.number != cover.number]
            for tried, (chosen, required) in enumerate(_choose_bases(view, inside, size)):
                if tried == MAX_TRIED:
                    view.limits.append(f"{MAX_TRIED:,} combinations of {size} counts")
                    break
                if required == allowed and sum([count.mask & view.unplaced for count in chosen]) != around:
                    yield chosen, cover, required


def _choose_bases(view: View, bases: list[Cardinality], size: int) -> Iterator[tuple[tuple[Cardinality, ...], int]]:
    """Yield choices of ``size`` disjoint counts, each with the number of candidates they require.

    More than two counts must come from one clause of the spec.
    """
    required_by = [count.still_required(view) for count in bases]
    masks = [count.mask & view.unplaced for count in bases]
    clauses = [_clause(view.board, count) for count in bases]

    def extend(chosen: tuple[int, ...], union: int, required: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == size:
            yield chosen, required
            return
        for i in range(chosen[-1] + 1 if chosen else 0, len(bases)):
            is_disjoint = not masks[i] & union and required + required_by[i] <= MAX_REQUIRED
            if is_disjoint and (size < 3 or not chosen or clauses[i] == clauses[chosen[0]]):
                yield from extend((*chosen, i), union | masks[i], required + required_by[i])

    for numbers, required in extend((), 0, 0):
        yield tuple([bases[i] for i in numbers]), required


def _clause(board: Board, count: Cardinality) -> tuple[str, int | None]:
    """Return the file and line of the clause that states a count."""
    constraint = board.constraints[count.number]
    return constraint.file or "", constraint.line


def _find_covers(
    view: View,
    by_candidate: dict[int, list[Cardinality]],
    union: int,
    required: int,
    chosen_bases: tuple[Cardinality, ...],
    largest: int,
) -> Iterator[tuple[Cardinality, ...]]:
    """Yield sets of other counts that cover the candidates ``union``.

    Together they may have exactly ``required`` more of their candidates. Each candidate is covered by one of its
    counts; ``largest`` is the number of candidates of the largest count.
    """

    def extend(chosen: tuple[Cardinality, ...], uncovered: int, capacity: int) -> Iterator[tuple[Cardinality, ...]]:
        if not uncovered:
            if not capacity:
                yield chosen
            return
        # Cover the lowest candidate by each of its counts in turn.
        low = (uncovered & -uncovered).bit_length() - 1
        for count in by_candidate[low]:
            if count not in chosen_bases and 0 < (used := count.still_allowed(view)) <= capacity:
                rest = uncovered & ~count.mask
                # A bound: each further cover uses 1 or more of the capacity and has at most ``largest`` candidates.
                if rest.bit_count() <= largest * (capacity - used):
                    yield from extend((*chosen, count), rest, capacity - used)

    return extend((), union, required)


def _shared_deduction(
    view: View,
    chosen_bases: tuple[Cardinality, ...],
    covers: tuple[Cardinality, ...],
    union: int,
    required: int,
    removed: int,
) -> Deduction:
    board = view.board
    base_names = join_words([board.constraints[base.number].place for base in chosen_bases])
    cover_names = join_words([board.constraints[cover.number].place for cover in covers])
    verb = "need" if len(chosen_bases) > 1 else "needs"
    text = f"{base_names} {verb} {required} more of {board.values(union)} inside {cover_names}, which can have no more"
    numbers = tuple(dict.fromkeys([count.number for count in (*chosen_bases, *covers)]))
    sets = [Outline("base", base.mask & view.unplaced, board.constraints[base.number].place) for base in chosen_bases]
    sets += [Outline("cover", cover.mask & view.unplaced, board.constraints[cover.number].place) for cover in covers]
    return Deduction(text, removed=removed, pattern=union, constraints=numbers, sets=tuple(sets))

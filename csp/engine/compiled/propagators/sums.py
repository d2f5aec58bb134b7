"""Propagators for sums, products and other comparisons."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from ....model import COMPARE, Comparison, Constraint, Linear, Operation, Variable
from ....model.bounds import compared
from .all_different import make_apart
from .base import Borrowed, Consistency, Context, Masks, Propagator, bits, group_positions, numbers_of
from .cages import Cage
from .counting import Counting, has_count_shape
from .elements import Lookup, is_lookup
from .tabulated import BoundsShaving, make_shaving
from .totals import Totals, has_shape, shape_of


def make_linear(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of a comparison of linear sums.

    The result is None for ``!=`` between two terms at the top level: exclusions enforce it.
    """
    assert isinstance(constraint, Linear)
    if constraint.apart() and len(constraint.scope) == 2:
        return make_apart(constraint, context)
    difference = constraint.difference
    relation, variables = constraint.relation, difference.variables
    # Borrowed groups are useful for equations, and for inequalities of more than two variables.
    uses_groups = relation == "=" or (relation != "!=" and len(variables) > 2)
    # Equal values never have this difference, so that groups add nothing.
    if len(variables) == 2 and difference.constant and not sum(coefficient for coefficient, _ in difference.terms):
        uses_groups = False
    return Sum(constraint, context, context.borrowed(variables) if uses_groups else ())


def make_comparison(constraint: Constraint, context: Context) -> Propagator:
    """Return the propagator of a comparison of any two expressions."""
    assert isinstance(constraint, Comparison)
    if is_lookup(constraint):
        return Lookup(constraint, context)
    borrowed = context.borrowed(constraint.scope)
    if not borrowed and has_count_shape(constraint, context):
        return Counting(constraint, context)
    factors = _factors(constraint)
    firsts = [context.domain(variable)[0] for variable in constraint.scope]
    if factors and all([isinstance(first, int) and first > 0 for first in firsts]):
        return Product(constraint, context, borrowed, factors)
    return make_shaving(constraint, context, borrowed)


class Sum(Propagator):
    """A propagator for linear sums of variables, by bounds and tables of partial sums.

    It uses a table of partial sums together with the borrowed groups (`Totals` or `Cage`) while that is small, and then
    it is domain-consistent, as for at most two variables. Else it propagates bounds (Harvey and Schimpf). ``!=`` waits
    until one variable is unfixed.

    Attributes
    ----------
    factors : list of int
        The coefficients of the sum.
    positions : list of int
        The position of each term's variable.
    bound : int
        The number that the sum is compared with.
    cage : Cage, Totals or None
        The table of partial sums.

    References
    ----------
    .. [1] W. Harvey, J. Schimpf, "Bounds consistency techniques for long linear constraints", 2002.
    """

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        assert isinstance(constraint, Linear)
        super().__init__(constraint, context, borrowed)
        difference = constraint.difference
        variables = difference.variables
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        self.factors = [coefficient for coefficient, _ in difference.terms]
        self.positions = [position_of[variable] for variable in variables]
        self.relation, self.bound = constraint.relation, -difference.constant
        self.has_whole_scope = len(self.positions) == len(self.scope)
        self.cage = _cage(self, variables, context)
        if len(self.positions) > 2 or borrowed:
            self.claim = "check" if self.relation == "!=" else "bounds"

    @cached_property
    def numbers(self) -> list[list[int]]:
        """The values of each variable of the scope, as integers."""
        return [numbers_of(domain, self._context) for domain in self.domains]

    def prune(self, masks: Masks) -> Masks | None:
        self.memory.steps += len(self.positions)
        term_masks = tuple(masks) if self.has_whole_scope else tuple([masks[position] for position in self.positions])
        # A table of partial sums is exact; without an answer of the table use the rules for bounds.
        if self.cage is not None and (supports := self.cage.find_supports(term_masks)) is not None:
            narrowed: Masks | None = supports or None
        elif not term_masks:
            return masks if COMPARE[self.relation](0, self.bound) else None
        elif len(term_masks) == 2 and self.relation == "=":
            narrowed = self._pairs(*term_masks)
        elif self.relation == "!=":
            narrowed = self._last(term_masks)
        else:
            narrowed = self._narrow_bounds(list(term_masks))
        if narrowed is None or self.has_whole_scope:
            return narrowed
        result = list(masks)
        for position, mask in zip(self.positions, narrowed, strict=True):
            result[position] = mask
        return result

    def conflict(self, masks: Masks) -> Sequence[int]:
        """Return the positions of the variables that a caption names after a failure.

        These are all positions if all variables are fixed: each value is needed to check the sum.
        """
        is_fixed = all(masks[position] & (masks[position] - 1) == 0 for position in self.positions)
        return self.positions if is_fixed else super().conflict(masks)

    def consistency_of(self, masks: Masks) -> Consistency:
        if (
            self.cage is not None
            and self.cage.find_supports(tuple([masks[position] for position in self.positions])) is not None
        ):
            return "domain"
        return self.claim

    def entailment(self, masks: Masks) -> bool | None:
        low = high = -self.bound
        for factor, position in zip(self.factors, self.positions, strict=True):
            least, greatest = self._span(position, masks[position], factor)
            low, high = low + least, high + greatest
        entailment = compared(self.relation, (low, high))
        return super().entailment(masks) if entailment and self.borrowed else entailment

    def _span(self, position: int, mask: int, factor: int) -> tuple[int, int]:
        """Return the least and the greatest value of a coefficient times a variable."""
        numbers = self.numbers[position]
        first = factor * numbers[(mask & -mask).bit_length() - 1]
        last = factor * numbers[mask.bit_length() - 1]
        return (first, last) if factor > 0 else (last, first)

    def _pairs(self, left: int, right: int) -> Masks | None:
        """Remove values of two variables that have no partner in the other domain."""
        (a, b), (i, j) = self.factors, self.positions
        right_bits = {b * self.numbers[j][index]: 1 << index for index in bits(right)}
        supported = partners = 0
        for index in bits(left):
            partner = right_bits.get(self.bound - a * self.numbers[i][index])
            if partner:
                supported |= 1 << index
                partners |= partner
        return (supported, partners) if supported else None

    def _last(self, masks: Masks) -> Masks | None:
        """Remove the value that an inequality excludes for its only unfixed variable."""
        unfixed = [i for i, mask in enumerate(masks) if mask & (mask - 1)]
        if len(unfixed) > 1:
            return masks
        last = unfixed[0] if unfixed else 0
        # The multiple of the last variable that would make both sides equal.
        excluded = self.bound
        for i, (factor, position) in enumerate(zip(self.factors, self.positions, strict=True)):
            if i != last:
                excluded -= factor * self.numbers[position][masks[i].bit_length() - 1]
        factor, numbers = self.factors[last], self.numbers[self.positions[last]]
        remaining = sum([1 << index for index in bits(masks[last]) if factor * numbers[index] != excluded])
        narrowed = list(masks)
        narrowed[last] = remaining
        return narrowed if remaining else None

    def _narrow_bounds(self, masks: list[int]) -> Masks | None:
        """Remove values beyond the bounds that the other variables imply, to a fixpoint."""
        relation = self.relation
        upper = self.bound - (relation == "<") if relation in ("=", "<", "<=") else None
        lower = self.bound + (relation == ">") if relation in ("=", ">", ">=") else None
        # Least and greatest sums of all terms are kept up to date, so that each step is O(1).
        spans = [self._span(p, mask, f) for p, mask, f in zip(self.positions, masks, self.factors, strict=True)]
        low, high = sum([least for least, _ in spans]), sum([greatest for _, greatest in spans])
        changed = True
        while changed:
            changed = False
            for i, (factor, position) in enumerate(zip(self.factors, self.positions, strict=True)):
                least, greatest = spans[i]
                # The bounds of this term, after the extreme sums of all others.
                term_upper = None if upper is None else upper - (low - least)
                term_lower = None if lower is None else lower - (high - greatest)
                if (term_upper is None or greatest <= term_upper) and (term_lower is None or least >= term_lower):
                    continue
                mask = masks[i] & _between(self.numbers[position], factor, term_lower, term_upper)
                if not mask:
                    return None
                if mask != masks[i]:
                    changed, masks[i] = True, mask
                    spans[i] = self._span(position, mask, factor)
                    low, high = low - least + spans[i][0], high - greatest + spans[i][1]
        return masks


class Product(BoundsShaving):
    """A propagator for positive variables whose product equals a number.

    It uses a table of partial products together with the borrowed groups (`Cage`) while that is small, and then it is
    domain-consistent. Else it works as `BoundsShaving`.
    """

    def __init__(
        self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...], factors: tuple[int, ...]
    ) -> None:
        super().__init__(constraint, context, borrowed)
        (bound,) = factors
        groups = group_positions(self.scope, [group for group, _ in borrowed])
        self.cage = _shared_table((), bound, False, groups, tuple(self.domains), context)

    def consistency_of(self, masks: Masks) -> Consistency:
        return super().consistency_of(masks) if self.cage.find_supports(tuple(masks)) is None else "domain"

    def prune(self, masks: Masks) -> Masks | None:
        supports = self.cage.find_supports(tuple(masks))
        return super().prune(masks) if supports is None else supports or None


def _factors(constraint: Comparison) -> tuple[int, ...]:
    """Return the number that a product must equal as a tuple, else ()."""
    difference = constraint.difference
    if constraint.relation != "=" or len(difference.terms) != 1:
        return ()
    ((coefficient, atom),) = difference.terms
    if not isinstance(atom, Operation) or atom.operator != "*" or not coefficient:
        return ()
    bound, remainder = divmod(-difference.constant, coefficient)
    is_plain = [str(operand) for operand in atom.operands] == [*map(str, constraint.scope)]
    return () if remainder or bound <= 0 or not is_plain else (bound,)


def _cage(propagator: Sum, variables: Sequence[Variable], context: Context) -> Cage | Totals | None:
    """Return the table of partial sums, or None if bounds are equally strong."""
    relation, groups = propagator.relation, [group for group, _ in propagator.borrowed]
    if relation == "!=" or (not groups and (relation != "=" or len(propagator.positions) < 3)):
        return None
    # Turn the relation into ``=`` or ``<=``.
    sign = -1 if relation in (">", ">=") else 1
    bound = sign * propagator.bound - (relation in ("<", ">"))
    domains = tuple([propagator.domains[position] for position in propagator.positions])
    coefficients = tuple([sign * factor for factor in propagator.factors])
    return _shared_table(coefficients, bound, relation != "=", group_positions(variables, groups), domains, context)


def _shared_table(
    coefficients: tuple[int, ...],
    bound: int,
    at_most: bool,
    groups: tuple[tuple[int, ...], ...],
    domains: tuple[tuple[int | str, ...], ...],
    context: Context,
) -> Cage | Totals:
    """Return the table of partial sums or products that constraints with these arguments share."""
    steps, memory = context.settings.max_steps, context.memory
    first_domain = domains[0]
    # Sums over one narrow domain use families of sets; everything else enumerates states.
    if (
        coefficients
        and all([domain is first_domain or domain == first_domain for domain in domains])
        and has_shape(coefficients, first_domain)
    ):
        shape = shape_of(coefficients, groups, first_domain)
        return context.shared((shape, bound, at_most), lambda: Totals(shape, bound, at_most, steps, memory))
    key = coefficients, bound, at_most, groups, domains
    return context.shared(key, lambda: Cage(coefficients, bound, at_most, groups, domains, steps, memory))


def _between(numbers: list[int], factor: int, lower: int | None, upper: int | None) -> int:
    """Return as bits the numbers whose multiples lie between two bounds."""
    # A negative factor exchanges the bounds.
    low, high = (lower, upper) if factor > 0 else (upper, lower)
    start = 0 if low is None else bisect_left(numbers, -(-low // factor))
    end = len(numbers) if high is None else bisect_right(numbers, high // factor)
    return (1 << end) - (1 << start) if start < end else 0

"""Sums compared with a number, and products that equal one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from ....model import COMPARE, Comparison, Constraint, Linear, Operation, Variable
from ....model.constraints.comparison import compared
from .all_different import make_apart
from .base import Borrowed, Consistency, Context, Masks, Propagator, bits, group_positions, numbers_of
from .cages import Cage
from .counting import Counting, has_count_shape
from .elements import Lookup, is_lookup
from .tabulated import BoundsShaving, make_shaving
from .totals import Totals, has_shape, shape_of


def make_linear(constraint: Constraint, context: Context) -> Propagator | None:
    """The filter of a sum; one that says that two multiples of variables differ has none but within others."""
    assert isinstance(constraint, Linear)
    if constraint.apart() and len(constraint.scope) == 2:
        return make_apart(constraint, context)
    difference = constraint.difference
    relation, variables = constraint.relation, difference.variables
    useful = relation == "=" or (relation != "!=" and len(variables) > 2)
    if len(variables) == 2 and difference.constant and not sum(coefficient for coefficient, _ in difference.terms):
        useful = False  # equal values never have this difference
    return Sum(constraint, context, context.borrowed(variables) if useful else ())


def make_comparison(constraint: Constraint, context: Context) -> Propagator:
    """The filter of a comparison of any expressions: an element, a count, a product, or a table and intervals."""
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
    """A sum of variables compared with a number.

    Leaves what stands in a solution where a table of partial sums is small, together with the differences between
    its variables, and where there are at most two; else what bounds allow. ``!=`` waits until one variable is open.

    References
    ----------
    .. [1] W. Harvey, J. Schimpf, "Bounds consistency techniques for long linear constraints", 2002.
    """

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        assert isinstance(constraint, Linear)
        super().__init__(constraint, context, borrowed)
        difference = constraint.difference
        variables = difference.variables
        place = {variable: i for i, variable in enumerate(self.scope)}
        self.factors = [coefficient for coefficient, _ in difference.terms]
        self.at = [place[variable] for variable in variables]
        self.relation, self.bound = constraint.relation, -difference.constant
        self.all = len(self.at) == len(self.scope)
        self.cage = _cage(self, variables, context)
        if len(self.at) > 2 or borrowed:
            self.claim = "check" if self.relation == "!=" else "bounds"

    @cached_property
    def numbers(self) -> list[list[int]]:
        """For each variable of the scope its values."""
        return [numbers_of(domain, self._context) for domain in self.domains]

    def prune(self, masks: Masks) -> Masks | None:
        self.memory.steps += len(self.at)
        own = tuple(masks) if self.all else tuple([masks[position] for position in self.at])
        if self.cage is not None and (found := self.cage.find_supports(own)) is not None:
            left: Masks | None = found or None
        elif not own:
            return masks if COMPARE[self.relation](0, self.bound) else None
        elif len(own) == 2 and self.relation == "=":
            left = self._pairs(*own)
        elif self.relation == "!=":
            left = self._last(own)
        else:
            left = self._bounded(list(own))
        if left is None or self.all:
            return left
        whole = list(masks)
        for position, mask in zip(self.at, left, strict=True):
            whole[position] = mask
        return whole

    def conflict(self, masks: Masks) -> Sequence[int]:
        """Return all positions of a sum whose variables are fixed: without one of them it cannot be checked."""
        is_fixed = all(masks[position] & (masks[position] - 1) == 0 for position in self.at)
        return self.at if is_fixed else super().conflict(masks)

    def consistency_of(self, masks: Masks) -> Consistency:
        if (
            self.cage is not None
            and self.cage.find_supports(tuple([masks[position] for position in self.at])) is not None
        ):
            return "domain"
        return self.claim

    def entailment(self, masks: Masks) -> bool | None:
        low = high = -self.bound
        for factor, position in zip(self.factors, self.at, strict=True):
            least, most = self._span(position, masks[position], factor)
            low, high = low + least, high + most
        known = compared(self.relation, (low, high))
        return super().entailment(masks) if known and self.borrowed else known

    def _span(self, position: int, mask: int, factor: int) -> tuple[int, int]:
        numbers = self.numbers[position]
        one = factor * numbers[(mask & -mask).bit_length() - 1]
        other = factor * numbers[mask.bit_length() - 1]
        return (one, other) if factor > 0 else (other, one)

    def _pairs(self, one: int, other: int) -> Masks | None:
        """Two variables whose multiples add up to the bound."""
        (a, b), (i, j) = self.factors, self.at
        there = {b * self.numbers[j][index]: 1 << index for index in bits(other)}
        kept = partners = 0
        for index in bits(one):
            partner = there.get(self.bound - a * self.numbers[i][index])
            if partner:
                kept |= 1 << index
                partners |= partner
        return (kept, partners) if kept else None

    def _last(self, masks: Masks) -> Masks | None:
        """The last open variable of an inequality."""
        free = [i for i, mask in enumerate(masks) if mask & (mask - 1)]
        if len(free) > 1:
            return masks
        last = free[0] if free else 0
        rest = self.bound
        for i, (factor, position) in enumerate(zip(self.factors, self.at, strict=True)):
            if i != last:
                rest -= factor * self.numbers[position][masks[i].bit_length() - 1]
        factor, numbers = self.factors[last], self.numbers[self.at[last]]
        kept = sum([1 << index for index in bits(masks[last]) if factor * numbers[index] != rest])
        left = list(masks)
        left[last] = kept
        return left if kept else None

    def _bounded(self, left: list[int]) -> Masks | None:
        """Narrow every variable by the least and the greatest sum of the others, until nothing changes."""
        relation = self.relation
        upper = self.bound - (relation == "<") if relation in ("=", "<", "<=") else None
        lower = self.bound + (relation == ">") if relation in ("=", ">", ">=") else None
        spans = [self._span(p, mask, f) for p, mask, f in zip(self.at, left, self.factors, strict=True)]
        low, high = sum([least for least, _ in spans]), sum([most for _, most in spans])
        changed = True
        while changed:
            changed = False
            for i, (factor, position) in enumerate(zip(self.factors, self.at, strict=True)):
                least, most = spans[i]
                above = None if upper is None else upper - (low - least)
                below = None if lower is None else lower - (high - most)
                if (above is None or most <= above) and (below is None or least >= below):
                    continue
                mask = left[i] & _between(self.numbers[position], factor, below, above)
                if not mask:
                    return None
                if mask != left[i]:
                    changed, left[i] = True, mask
                    spans[i] = self._span(position, mask, factor)
                    low, high = low - least + spans[i][0], high - most + spans[i][1]
        return left


class Product(BoundsShaving):
    """A product of positive variables that equals a number.

    Leaves what stands in a solution, together with the differences between its variables, where a table of partial
    products is small; else as ``Shaved``.
    """

    def __init__(
        self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...], factors: tuple[int, ...]
    ) -> None:
        super().__init__(constraint, context, borrowed)
        (bound,) = factors
        groups = group_positions(self.scope, [group for group, _ in borrowed])
        self.cage = _shared((), bound, False, groups, tuple(self.domains), context)

    def consistency_of(self, masks: Masks) -> Consistency:
        return super().consistency_of(masks) if self.cage.find_supports(tuple(masks)) is None else "domain"

    def prune(self, masks: Masks) -> Masks | None:
        found = self.cage.find_supports(tuple(masks))
        return super().prune(masks) if found is None else found or None


def _factors(constraint: Comparison) -> tuple[int, ...]:
    """What a product of different variables equals, where the constraint says just that."""
    difference = constraint.difference
    if constraint.relation != "=" or len(difference.terms) != 1:
        return ()
    ((coefficient, atom),) = difference.terms
    if not isinstance(atom, Operation) or atom.operator != "*" or not coefficient:
        return ()
    bound, rest = divmod(-difference.constant, coefficient)
    plain = [str(operand) for operand in atom.operands] == [*map(str, constraint.scope)]
    return () if rest or bound <= 0 or not plain else (bound,)


def _cage(own: Sum, variables: Sequence[Variable], context: Context) -> Cage | Totals | None:
    """What finds more than bounds do; where it is small."""
    relation, groups = own.relation, [group for group, _ in own.borrowed]
    if relation == "!=" or (not groups and (relation != "=" or len(own.at) < 3)):
        return None
    sign = -1 if relation in (">", ">=") else 1
    bound = sign * own.bound - (relation in ("<", ">"))
    domains = tuple([own.domains[position] for position in own.at])
    coefficients = tuple([sign * factor for factor in own.factors])
    return _shared(coefficients, bound, relation != "=", group_positions(variables, groups), domains, context)


def _shared(
    coefficients: tuple[int, ...],
    bound: int,
    at_most: bool,
    groups: tuple[tuple[int, ...], ...],
    domains: tuple[tuple[int | str, ...], ...],
    context: Context,
) -> Cage | Totals:
    """The same cage for the same arguments, so that constraints of one shape share what is known."""
    steps, memory = context.settings.max_steps, context.memory
    whole = domains[0]
    if coefficients and all([own is whole or own == whole for own in domains]) and has_shape(coefficients, whole):
        shape = shape_of(coefficients, groups, whole)
        return context.shared((shape, bound, at_most), lambda: Totals(shape, bound, at_most, steps, memory))
    key = coefficients, bound, at_most, groups, domains
    return context.shared(key, lambda: Cage(coefficients, bound, at_most, groups, domains, steps, memory))


def _between(numbers: list[int], factor: int, below: int | None, above: int | None) -> int:
    """The numbers whose multiple lies between bounds, as bits."""
    low, high = (below, above) if factor > 0 else (above, below)  # what the least and the greatest number must obey
    start = 0 if low is None else bisect_left(numbers, -(-low // factor))
    end = len(numbers) if high is None else bisect_right(numbers, high // factor)
    return (1 << end) - (1 << start) if start < end else 0

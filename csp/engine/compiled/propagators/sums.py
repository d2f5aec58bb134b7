"""Propagators for sums, products and other comparisons."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from math import comb, prod
from operator import mul
from typing import Any

from ....model import COMPARE, Comparison, Constraint, Domain, Linear, Operation, Variable
from ....model.bounds import compared
from ...effort import Meter
from ...memory import Memory
from .all_different import make_apart
from .base import Borrowed, Consistency, Context, Masks, Propagator, bits, group_positions, numbers_of
from .elements import Lookup, is_lookup
from .logic import Counting, has_count_shape
from .tabulated import BoundsShaving, make_shaving
from .totals import ANSWER_BYTES, Supports, Totals, has_shape, shape_of


def make_linear(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of a linear comparison; None if exclusions enforce it already.

    Exclusions enforce ``!=`` between two terms at the top level.
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
        self.meter.steps += len(self.positions)
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
        """Return the positions of the variables to name in the text about a failure.

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
        """Return the values of two variables with a partner that completes the sum, or None.

        A partner is a value of the other variable that makes the sum equal to the bound.
        """
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
        """Return the domains without the value that ``!=`` excludes; None if none remains.

        Nothing is removed while two variables are unfixed.
        """
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
    """Return the number that the product of all variables must equal, or ().

    The number is in a tuple. The factors are the variables of the scope.
    """
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
    steps, memory, meter = context.settings.max_steps, context.memory, context.meter
    first_domain = domains[0]
    # Sums over one narrow domain use families of sets; everything else enumerates states.
    if (
        coefficients
        and all([domain is first_domain or domain == first_domain for domain in domains])
        and has_shape(coefficients, first_domain)
    ):
        shape = shape_of(coefficients, groups, first_domain)
        return context.shared((shape, bound, at_most), lambda: Totals(shape, bound, at_most, steps, memory, meter))
    key = coefficients, bound, at_most, groups, domains
    return context.shared(key, lambda: Cage(coefficients, bound, at_most, groups, domains, steps, memory, meter))


def _between(numbers: list[int], factor: int, lower: int | None, upper: int | None) -> int:
    """Return as bits the numbers whose products with a factor lie between two bounds."""
    # A negative factor exchanges the bounds.
    low, high = (lower, upper) if factor > 0 else (upper, lower)
    start = 0 if low is None else bisect_left(numbers, -(-low // factor))
    end = len(numbers) if high is None else bisect_right(numbers, high // factor)
    return (1 << end) - (1 << start) if start < end else 0


UNLIMITED = 1 << 256
"""An upper bound that no partial sum reaches, for ``<=``."""

PositionGroups = tuple[tuple[int, ...], ...]
ValueTuple = tuple[int, ...]
Fold = Callable[[int, int], int | None]


class Cage(Supports):
    """A solver of one sum or product over groups of different variables, by dynamic programming.

    The constraint is ``c1*x1 + c2*x2 + ... = bound``, or ``x1*x2*... = bound`` without coefficients.

    Parameters
    ----------
    coefficients : tuple of int
        One for each variable. Empty for a product of positive variables.
    bound : int
    at_most : bool
        Whether the relation is ``<=`` instead of ``=``. Only for sums.
    groups : tuple of tuples of int
        Groups of positions whose variables differ.
    domains : tuple of tuples
        The values of each variable, ascending.
    steps : int
        Estimated number of steps beyond which the answer is None.
    memory : Memory
    meter : Meter, optional

    Notes
    -----
    Dynamic programming over states (rest of the bound, values in use): a forward pass finds the reachable states, a
    backward pass the states that reach the end. O(states * values). Answers are cached.

    References
    ----------
    .. [1] M. A. Trick, "A dynamic programming approach for consistency and propagation for knapsack constraints", 2003.
    .. [2] H. Simonis, "Kakuro as a constraint problem", 2008.

    Examples
    --------
    >>> digits, memory = tuple(range(1, 5)), Memory(1000)
    >>> [bin(mask) for mask in Cage((1, 1), 4, False, ((0, 1),), (digits,) * 2, 1500, memory).find_supports((15, 15))]
    ['0b101', '0b101']
    >>> [bin(mask) for mask in Cage((), 12, False, (), (digits,) * 2, 1500, memory).find_supports((15, 15))]
    ['0b1100', '0b1100']
    """

    def __init__(
        self,
        coefficients: ValueTuple,
        bound: int,
        at_most: bool,
        groups: PositionGroups,
        domains: tuple[Domain, ...],
        steps: int,
        memory: Memory,
        meter: Meter | None = None,
    ) -> None:
        super().__init__(steps, memory, meter)
        self.bound = bound
        self.at_most = at_most
        self.is_sum = bool(coefficients)
        factors = coefficients or (1,) * len(domains)
        # The variables with the largest coefficients come first.
        self._order = sorted(range(len(domains)), key=lambda i: -abs(factors[i]))
        rank = {position: i for i, position in enumerate(self._order)}
        self._back = [rank[position] for position in range(len(domains))]
        self._factors = [factors[i] for i in self._order]
        self._domains: list[Any] = [domains[i] for i in self._order]
        self._groups = tuple(tuple(sorted(rank[position] for position in group)) for group in groups)
        # For each variable, the variables that differ from it.
        self._mates: list[set[int]] = [set() for _ in domains]
        for group in self._groups:
            for i in group:
                self._mates[i].update(set(group) - {i})
        # With one group and one coefficient, the values in use determine the sum.
        is_one_group = any(len(group) == len(domains) for group in groups)
        self._is_counted = is_one_group and len({*factors}) == 1 and self.is_sum
        self._step: Fold = _take if self.is_sum else _divide
        caches: dict[Domain, dict[int, list[int]]] = {domain: memory.cache() for domain in domains}
        self._decoded = [caches[domain] for domain in domains]
        self._all: tuple[Any, ...] = domains
        self._bit = [{value: 1 << i for i, value in enumerate(domain)} for domain in domains]

    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        domains = [self._values(i, masks[i]) for i in self._order]
        if self._steps(domains) > self._limit:
            return None
        self._meter.steps += min(self._limit, prod(map(len, domains)) // 2)
        values = self._solve(domains)
        if not values:
            return None if values is None else ()
        supports = [0] * len(masks)
        for i, remaining_values in zip(self._order, values, strict=True):
            bit = self._bit[i]
            supports[i] = sum([bit[value] for value in remaining_values])
        return supports

    def _values(self, position: int, mask: int) -> list[int]:
        """Return the numbers of a domain that is given as a mask."""
        cache = self._decoded[position]
        values = cache.get(mask)
        if values is None:
            domain = self._all[position]
            values = [domain[index] for index in bits(mask)]
            self._memory.take(ANSWER_BYTES)
            cache[mask] = values
        return values

    def _steps(self, domains: list[list[int]]) -> int:
        """Return an upper estimate of the steps of ``_solve``; 0 if there are few assignments."""
        if prod(map(len, domains)) <= self._limit:
            return 0
        sums = 1
        if self.is_sum and not self._is_counted:
            sums += sum(abs(c) * (d[-1] - d[0]) for c, d in zip(self._factors, domains, strict=True))
        largest = max(map(len, domains))
        total, assignments = 0, 1
        # States before variable i: partial sums times the sets of values in use, or all assignments if fewer.
        for i, domain in enumerate(domains):
            used = [sum(member < i for member in group) for group in self._groups if group[-1] >= i]
            states = sums * prod([comb(largest, min(count, largest // 2)) for count in used])
            total += min(assignments, states) * len(domain)
            assignments *= len(domain)
        return total

    def _solve(self, domains: list[list[int]]) -> list[list[int]] | tuple[()] | None:
        """Return the supported values of each variable, in the internal order of the variables.

        Returns None beyond the limit of steps.
        """
        unfixed = [i for i, domain in enumerate(domains) if len(domain) > 1]
        if len(unfixed) <= (2 if self.at_most else 3):
            return self._solve_few(domains, unfixed)
        images = [[c * value for value in domain] for c, domain in zip(self._factors, domains, strict=True)]
        low, high = self._remaining(images)
        used_bits, relevant_bits = _marks(domains, self._groups)
        step = self._step
        # Forward pass: all moves from reachable states that leave a possible rest.
        states, total = {(self.bound, 0)}, 0
        layers = []
        for i, variable_images in enumerate(images):
            least, most, mask = low[i], high[i], relevant_bits[i]
            moves = []
            for state in states:
                rest, used = state
                for index, (image, bit) in enumerate(zip(variable_images, used_bits[i], strict=True)):
                    if used & bit:
                        continue
                    next_rest = step(rest, image)
                    if next_rest is not None and least <= next_rest <= most:
                        moves.append((state, index, (next_rest, (used | bit) & mask)))
            layers.append(moves)
            total += len(moves)
            if total > self._limit:
                return None
            states = {after for _, _, after in moves}
        if not states:
            return ()
        # Backward pass: a value is supported if one of its moves leads to a state that reaches the end.
        supports = []
        for domain, moves in zip(reversed(domains), reversed(layers), strict=True):
            supported = [(before, index) for before, index, after in moves if after in states]
            states = {before for before, _ in supported}
            supports.append([domain[index] for index in {index for _, index in supported}])
        return supports[::-1]

    def _solve_few(self, domains: list[list[int]], unfixed: list[int]) -> list[list[int]] | tuple[()]:
        """Return the supported values by enumeration, for at most three unfixed variables."""
        # Apply the fixed variables to the bound, and check their differences.
        fixed = {i: domain[0] for i, domain in enumerate(domains) if i not in unfixed}
        rest = self.bound
        for i, value in fixed.items():
            next_rest = self._step(rest, self._factors[i] * value)
            if next_rest is None or any(fixed.get(mate) == value for mate in self._mates[i]):
                return ()
            rest = next_rest
        # Remove the values of fixed mates, and enumerate the rest.
        used_by_mates = [{fixed[mate] for mate in self._mates[i] if mate in fixed} for i in unfixed]
        values = [[v for v in domains[i] if v not in used] for i, used in zip(unfixed, used_by_mates, strict=True)]
        different = [(a, b) for (a, i), (b, j) in combinations(enumerate(unfixed), 2) if j in self._mates[i]]
        rows = [
            row
            for row in self._rows(rest, [self._factors[i] for i in unfixed], values)
            if not any(row[a] == row[b] for a, b in different)
        ]
        if not rows:
            return ()
        supports = list(domains)
        for i, column in zip(unfixed, zip(*rows, strict=True), strict=True):
            supports[i] = list({*column})
        return supports

    def _rows(self, bound: int, factors: list[int], values: list[list[int]]) -> Iterator[tuple[int, ...]]:
        """Yield the values of a few variables whose sum or product satisfies the bound."""
        if self.at_most:
            yield from (row for row in product(*values) if sum(map(mul, factors, row)) <= bound)
            return
        if not values:
            yield from [()] if bound == (0 if self.is_sum else 1) else []
            return
        # The last variable is determined by the others.
        last = {factors[-1] * value: value for value in values[-1]}
        for row in product(*values[:-1]):
            if self.is_sum:
                missing: int | None = bound - sum(map(mul, factors, row))
            else:
                missing = _divide(bound, prod(row))
            if missing in last:
                yield *row, last[missing]

    def _remaining(self, images: list[list[int]]) -> tuple[list[int], list[int]]:
        """Return the least and greatest sum or product of the variables after each variable."""
        is_sum = self.is_sum
        low, high = [0 if is_sum else 1], [0 if is_sum else 1]
        for variable_images in reversed(images[1:]):
            low.append(low[-1] + min(variable_images) if is_sum else low[-1] * min(variable_images))
            high.append(high[-1] + max(variable_images) if is_sum else high[-1] * max(variable_images))
        return low[::-1], [UNLIMITED] * len(high) if self.at_most else high[::-1]


def _take(rest: int, image: int) -> int:
    """Return what remains of a sum after subtracting one term."""
    return rest - image


def _divide(product: int, factor: int) -> int | None:
    """Return a product divided by a factor; None if there is a remainder."""
    quotient, remainder = divmod(product, factor)
    return None if remainder else quotient


def _marks(domains: list[list[int]], groups: PositionGroups) -> tuple[list[list[int]], list[int]]:
    """Return bits that mark values as used, and masks of the bits needed later.

    The first result has, for each variable and value, a bit in every group of the variable. The second one has, for
    each variable, a mask of the bits that the variables after it still test.
    """
    index = {value: i for i, value in enumerate(sorted({value for domain in domains for value in domain}))}
    # Each group has a field of one bit per value; a variable uses its value's bit in all fields of its groups.
    width = len(index)
    fields = [sum(1 << width * n for n, group in enumerate(groups) if i in group) for i in range(len(domains))]
    marks = [[field << index[v] for v in domain] for field, domain in zip(fields, domains, strict=True)]
    # After the last variable of a group, its field is cleared, so that states coincide.
    full = (1 << width) - 1
    keep = [sum(full << width * n for n, group in enumerate(groups) if group[-1] > i) for i in range(len(domains))]
    return marks, keep

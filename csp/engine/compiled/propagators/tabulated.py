"""Constraints on expressions: a table of what satisfies them once there are few assignments, until then intervals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from itertools import combinations
from math import perm, prod
from typing import Self

from ....encoding.shape import shape
from ....model import Affine, Atom, Comparison, Constraint, Domain, Member, Variable
from ....model.constraints.comparison import compared
from ....model.expression import Condition
from .assignments import Assignments, NoBulkEvaluation
from .base import Borrowed, Consistency, Context, Masks, Propagator, bits, group_positions
from .intervals import IntervalOf, span_of
from .table import LiveRows, supports_of

ASSIGNMENT_COST = 4
"""What an assignment that is tried takes besides looking at all parts of the constraint, in steps."""

BULK_FACTOR = 2
"""How many times as many assignments may be looked at together as one by one."""

MAX_TABLES = 16
"""How many tables a constraint keeps."""


class Tabulated(Propagator):
    """Leaves what stands in a solution once few assignments are left; until then it only checks.

    The filter of any kind that has none of its own.
    """

    claim: Consistency = "check"

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        super().__init__(constraint, context, borrowed)
        self._most = context.settings.max_rows
        self._groups = group_positions(self.scope, [group for group, _ in borrowed])
        self._whole = any(len(group) == len(self.scope) for group in self._groups)
        self._tables: dict[tuple[int, ...], LiveRows] = context.memory.cache()

    def copy_for(self, constraint: Constraint) -> Self:
        twin = super().copy_for(constraint)
        twin._tables = self.memory.cache()
        return twin

    def prune(self, masks: Masks) -> Masks | None:
        if self._assignments(masks) <= self._most:
            return self._table(masks).prune(masks)
        return masks

    def consistency_of(self, masks: Masks) -> Consistency:
        return "domain" if self._assignments(masks) <= self._most else self.claim

    def _assignments(self, masks: Masks) -> int:
        """How many assignments there are at most, those known to differ counted once."""
        whole = prod([mask.bit_count() for mask in masks])
        if whole > self._most and self._whole:
            values = {value for position, mask in enumerate(masks) for value in self.values(position, mask)}
            return min(whole, perm(len(values), len(masks)))
        return whole

    def _table(self, masks: Masks) -> LiveRows:
        """The assignments that satisfy the constraint, of these domains or wider ones."""
        for known, table in self._tables.items():
            if not any(mask & ~wider for mask, wider in zip(masks, known, strict=True)):
                return table
        while len(self._tables) >= MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        shared: dict[Hashable, LiveRows] = self._context.shared("tables", self.memory.cache)
        key = self._shape, tuple(masks)
        if key not in shared:
            made = self._made(masks)
            shared[key] = made
        self._tables[tuple(masks)] = own = shared[key]
        return own

    @cached_property
    def _size(self) -> int:
        """How many parts a look at the constraint meets."""
        return size_of(self.constraint)

    @cached_property
    def _shape(self) -> Hashable:
        """What constraints of which one has the same tables as the other have in common."""
        return shape(self.constraint), self._groups, tuple(self.domains)

    def _made(self, masks: Masks) -> LiveRows:
        try:
            return self._made_at_once(masks)
        except NoBulkEvaluation:
            pass
        found = list(self._rows(masks))
        by_bit = supports_of(found, len(masks))
        supports = [
            [own.get(index, 0) for index in range(len(domain))]
            for own, domain in zip(by_bit, self.domains, strict=True)
        ]
        self.memory.take(sum(len(own) for own in supports) * (len(found) // 8 + 60))
        return LiveRows(supports, (1 << len(found)) - 1, self.memory)

    def _made_at_once(self, masks: Masks) -> LiveRows:
        """As ``_made``, where all assignments are looked at together; rows are then numbered by these."""
        many = prod([mask.bit_count() for mask in masks])
        if many > BULK_FACTOR * self._most:
            raise NoBulkEvaluation
        domains = [self.values(position, mask) for position, mask in enumerate(masks)]
        every = Assignments(self.scope, domains, many * (ASSIGNMENT_COST + self._size))
        rows = every.satisfying(self.constraint)
        for one, other in {pair for group in self._groups for pair in combinations(group, 2)}:
            rows &= ~every.same(self.scope[one], self.scope[other])
        self.memory.steps += every.pairs + sum(map(len, domains))
        supports = [[0] * len(domain) for domain in self.domains]
        for own, mask, columns in zip(supports, masks, every.columns, strict=True):
            for index, column in zip(bits(mask), columns, strict=True):
                own[index] = column & rows
        self.memory.take(sum([len(own) for own in supports]) * (many // 8 + 60))
        return LiveRows(supports, rows, self.memory)

    def _rows(self, masks: Masks) -> Iterator[tuple[int, ...]]:
        """What satisfies the constraint, each value as its bit."""
        mates = [sorted({i for group in self._groups if n in group for i in group if i < n}) for n in range(len(masks))]
        row: list[int] = []
        values: dict[str, int | str] = {}
        check, cost = self.constraint.check, ASSIGNMENT_COST + self._size

        def extend() -> Iterator[tuple[int, ...]]:
            number = len(row)
            if number == len(masks):
                self.memory.steps += cost
                if check(values):
                    yield tuple(row)
                return
            variable, domain = self.scope[number], self.domains[number]
            taken = {values[self.scope[i]] for i in mates[number]}
            for index in bits(masks[number]):
                if domain[index] not in taken:
                    row.append(index)
                    values[variable] = domain[index]
                    yield from extend()
                    row.pop()

        yield from extend()


class BoundsShaving(Tabulated):
    """As ``Tabulated``; until then takes values from both ends of every domain that intervals rule out.

    References
    ----------
    .. [1] F. Benhamou et al., "Revising hull and box consistency", 1999 (bounds are tried one by one).
    """

    claim = "bounds"

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        super().__init__(constraint, context, borrowed)
        self._partial = any(part.partial for part in constraint.parts() if not isinstance(part, Constraint))

    @cached_property
    def _span(self) -> IntervalOf:
        """Made when it is first needed: small constraints are tables from the start."""
        place = {variable: i for i, variable in enumerate(self.scope)}
        constraint = self.constraint
        if isinstance(constraint, Comparison):
            return span_of(constraint.difference, place, self._context)
        assert isinstance(constraint, Member)
        return span_of(constraint.expression, place, self._context)

    def prune(self, masks: Masks) -> Masks | None:
        if self._assignments(masks) <= self._most:
            return self._table(masks).prune(masks)
        left = list(masks)
        for position, mask in enumerate(masks):
            while mask and not self._can_be(left, position, low := mask & -mask):
                mask ^= low
            while mask and not self._can_be(left, position, high := 1 << mask.bit_length() - 1):
                mask ^= high
            if not mask:
                return None
            left[position] = mask
        return left

    def entailment(self, masks: Masks) -> bool | None:
        known = self._possible(masks)
        return super().entailment(masks) if known and (self.borrowed or self._partial) else known

    def _can_be(self, masks: list[int], position: int, bit: int) -> bool:
        before, masks[position] = masks[position], bit
        try:
            return self._possible(masks) is not False
        finally:
            masks[position] = before

    def _possible(self, masks: Masks) -> bool | None:
        """As ``decided``, by interval arithmetic alone."""
        constraint = self.constraint
        self.memory.steps += 2 + self._size * 3 // 2
        try:
            span = self._span(masks)
        except ZeroDivisionError:
            return False
        if isinstance(constraint, Comparison):
            return compared(constraint.relation, span)
        assert isinstance(constraint, Member)
        return _inside(constraint.values, *span)


def make_member(constraint: Constraint, context: Context) -> Propagator:
    """The filter of a membership, which learns what differs in its scope."""
    return make_shaving(constraint, context, context.borrowed(constraint.scope))


def make_shaving(constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...]) -> Propagator:
    """``Shaved``, but symbols have no intervals."""
    has_symbols = any(isinstance(context.domain(variable)[-1], str) for variable in constraint.scope)
    return (Tabulated if has_symbols else BoundsShaving)(constraint, context, borrowed)


def size_of(part: Affine | Condition | Atom) -> int:
    """How many variables, atoms and conditions a part has, those inside others too.

    Examples
    --------
    >>> from csp import Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> size_of(Linear(x + y, "<", y))
    3
    """
    if isinstance(part, Affine):
        return sum([1 if isinstance(atom, Variable) else 1 + size_of(atom) for _, atom in part.terms])
    return max(1, sum([size_of(one) for one in part.parts()])) if isinstance(part, Atom | Constraint) else 1


def _inside(values: Domain, low: int, high: int) -> bool | None:
    """Whether all (True) or none (False) of the numbers between bounds are among some values."""
    inside = [value for value in values if isinstance(value, int) and low <= value <= high]
    return True if len(inside) == high - low + 1 else None if inside else False

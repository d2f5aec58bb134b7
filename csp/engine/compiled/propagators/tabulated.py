"""Propagators for arbitrary constraints, by tables of solutions and interval arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from copy import copy
from functools import cached_property
from itertools import combinations
from math import perm, prod

from ....encoding.shape import shape
from ....model import Affine, Atom, Comparison, Constraint, Domain, Member, Variable
from ....model.bounds import compared
from ....model.expression import Condition
from ....model.variable import Interval, integer
from .assignments import Assignments, NoBulkEvaluation
from .base import Borrowed, Consistency, Context, Masks, Propagator, bits, group_positions
from .table import LiveRows, supports_of

ASSIGNMENT_COST = 4
"""Steps of testing one assignment, in addition to one step for each part of the constraint."""

BULK_FACTOR = 2
"""How many times more assignments may be evaluated at once than one by one."""

MAX_TABLES = 16
"""Maximum number of tables of one constraint; beyond, the oldest ones are dropped."""


class Tabulated(Propagator):
    """A propagator for arbitrary constraints, by a table of solutions once few assignments remain.

    With the table the propagator is domain-consistent; before, it removes nothing. It serves all kinds of constraints
    that have no propagator of their own.
    """

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        super().__init__(constraint, context, borrowed)
        self.claim = "check"
        self._limit = context.settings.max_rows
        self._groups = group_positions(self.scope, [group for group, _ in borrowed])
        self._is_one_group = any(len(group) == len(self.scope) for group in self._groups)
        self._tables: dict[tuple[int, ...], LiveRows] = context.memory.cache()

    def twin(self) -> Propagator:
        # The last tables are those of one constraint; everything else is shared.
        twin = copy(self)
        twin._tables = self.memory.cache()
        return twin

    def prune(self, masks: Masks) -> Masks | None:
        if self._assignments(masks) <= self._limit:
            return self._table(masks).prune(masks)
        return masks

    def consistency_of(self, masks: Masks) -> Consistency:
        return "domain" if self._assignments(masks) <= self._limit else self.claim

    def _assignments(self, masks: Masks) -> int:
        """Return an upper bound of the number of assignments within these domains."""
        count = prod([mask.bit_count() for mask in masks])
        if count > self._limit and self._is_one_group:
            # If all variables differ, count arrangements of their common values.
            values = {value for position, mask in enumerate(masks) for value in self.values(position, mask)}
            return min(count, perm(len(values), len(masks)))
        return count

    def _table(self, masks: Masks) -> LiveRows:
        """Return a table of the solutions within these domains or wider ones."""
        # A table of wider domains serves as well.
        for table_masks, table in self._tables.items():
            if not any(mask & ~table_mask for mask, table_mask in zip(masks, table_masks, strict=True)):
                return table
        # Drop the oldest tables, and share tables between constraints of one shape.
        while len(self._tables) >= MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        shared: dict[Hashable, LiveRows] = self._context.shared("tables", self.memory.cache)
        key = self._shape, tuple(masks)
        if key not in shared:
            new_table = self._make_table(masks)
            shared[key] = new_table
        self._tables[tuple(masks)] = shared_table = shared[key]
        return shared_table

    @cached_property
    def _size(self) -> int:
        """The number of variables, atoms and conditions that one test of the constraint evaluates."""
        return size_of(self.constraint)

    @cached_property
    def _shape(self) -> Hashable:
        """The key under which constraints of equal form share their tables."""
        return shape(self.constraint), self._groups, tuple(self.domains)

    def _make_table(self, masks: Masks) -> LiveRows:
        """Make the table of the solutions within these domains."""
        # Evaluate all assignments at once, else test one after the other.
        try:
            return self._make_table_at_once(masks)
        except NoBulkEvaluation:
            pass
        rows = list(self._rows(masks))
        by_bit = supports_of(rows, len(masks))
        supports = [
            [supports_of_value.get(index, 0) for index in range(len(domain))]
            for supports_of_value, domain in zip(by_bit, self.domains, strict=True)
        ]
        self.memory.take(sum(len(supports_of_value) for supports_of_value in supports) * (len(rows) // 8 + 60))
        return LiveRows(supports, (1 << len(rows)) - 1, self.memory, self.meter)

    def _make_table_at_once(self, masks: Masks) -> LiveRows:
        """Make the table by one evaluation of all assignments; each row is one assignment."""
        count = prod([mask.bit_count() for mask in masks])
        if count > BULK_FACTOR * self._limit:
            raise NoBulkEvaluation
        domains = [self.values(position, mask) for position, mask in enumerate(masks)]
        assignments = Assignments(self.scope, domains, count * (ASSIGNMENT_COST + self._size))
        rows = assignments.satisfying(self.constraint)
        # Remove the assignments in which variables of a borrowed group are equal.
        for first, second in {pair for group in self._groups for pair in combinations(group, 2)}:
            rows &= ~assignments.same(self.scope[first], self.scope[second])
        self.meter.steps += assignments.pairs + sum(map(len, domains))
        supports = [[0] * len(domain) for domain in self.domains]
        for value_rows, mask, columns in zip(supports, masks, assignments.columns, strict=True):
            for index, column in zip(bits(mask), columns, strict=True):
                value_rows[index] = column & rows
        self.memory.take(sum([len(value_rows) for value_rows in supports]) * (count // 8 + 60))
        return LiveRows(supports, rows, self.memory, self.meter)

    def _rows(self, masks: Masks) -> Iterator[tuple[int, ...]]:
        """Yield the assignments that satisfy the constraint, as positions of values in the domains."""
        mates = [sorted({i for group in self._groups if n in group for i in group if i < n}) for n in range(len(masks))]
        row: list[int] = []
        values: dict[str, int | str] = {}
        check, cost = self.constraint.check, ASSIGNMENT_COST + self._size

        def extend() -> Iterator[tuple[int, ...]]:
            """Yield the solutions that begin with the values of the current row."""
            position = len(row)
            if position == len(masks):
                self.meter.steps += cost
                if check(values):
                    yield tuple(row)
                return
            variable, domain = self.scope[position], self.domains[position]
            used = {values[self.scope[i]] for i in mates[position]}
            for index in bits(masks[position]):
                if domain[index] not in used:
                    row.append(index)
                    values[variable] = domain[index]
                    yield from extend()
                    row.pop()

        yield from extend()


class BoundsShaving(Tabulated):
    """A propagator that removes bounds of domains which interval arithmetic excludes.

    Until few assignments remain, it removes values from both ends of each domain while interval arithmetic excludes
    them. Bounds-consistent before the table.

    References
    ----------
    .. [1] F. Benhamou et al., "Revising hull and box consistency", 1999 (bounds are tried one by one).
    """

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        super().__init__(constraint, context, borrowed)
        self.claim = "bounds"
        self._partial = any(part.partial for part in constraint.parts() if not isinstance(part, Constraint))

    @cached_property
    def _span(self) -> IntervalOf:
        """The function that computes the bounds of the compared expression.

        It is made when it is first needed: small constraints use tables from the start.
        """
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        constraint = self.constraint
        if isinstance(constraint, Comparison):
            return span_of(constraint.difference, position_of, self._context)
        assert isinstance(constraint, Member)
        return span_of(constraint.expression, position_of, self._context)

    def prune(self, masks: Masks) -> Masks | None:
        if self._assignments(masks) <= self._limit:
            return self._table(masks).prune(masks)
        narrowed = list(masks)
        for position, mask in enumerate(masks):
            # Shave the lower end, then the upper end.
            while mask and not self._can_be(narrowed, position, low := mask & -mask):
                mask ^= low
            while mask and not self._can_be(narrowed, position, high := 1 << mask.bit_length() - 1):
                mask ^= high
            if not mask:
                return None
            narrowed[position] = mask
        return narrowed

    def entailment(self, masks: Masks) -> bool | None:
        entailment = self._possible(masks)
        return super().entailment(masks) if entailment and (self.borrowed or self._partial) else entailment

    def _can_be(self, masks: list[int], position: int, bit: int) -> bool:
        """Return whether interval arithmetic allows the constraint if a variable has the value ``bit``."""
        saved, masks[position] = masks[position], bit
        try:
            return self._possible(masks) is not False
        finally:
            masks[position] = saved

    def _possible(self, masks: Masks) -> bool | None:
        """Return the entailment of the constraint as far as interval arithmetic decides it."""
        constraint = self.constraint
        self.meter.steps += 2 + self._size * 3 // 2
        try:
            span = self._span(masks)
        except ZeroDivisionError:
            return False
        if isinstance(constraint, Comparison):
            return compared(constraint.relation, span)
        assert isinstance(constraint, Member)
        return _inside(constraint.values, *span)


def make_member(constraint: Constraint, context: Context) -> Propagator:
    """Return the propagator of ``expression in values``, aware of variables that must differ."""
    return make_shaving(constraint, context, context.borrowed(constraint.scope))


def make_shaving(constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...]) -> Propagator:
    """Return a `BoundsShaving` propagator; for symbols, which have no intervals, a `Tabulated` one."""
    has_symbols = any(isinstance(context.domain(variable)[-1], str) for variable in constraint.scope)
    return (Tabulated if has_symbols else BoundsShaving)(constraint, context, borrowed)


def size_of(part: Affine | Condition | Atom) -> int:
    """Count the variables, atoms and conditions inside a part of a constraint.

    Examples
    --------
    >>> from csp import Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> size_of(Linear(x + y, "<", y))
    3
    """
    if isinstance(part, Affine):
        return sum([1 if isinstance(atom, Variable) else 1 + size_of(atom) for _, atom in part.terms])
    return max(1, sum([size_of(operand) for operand in part.parts()])) if isinstance(part, Atom | Constraint) else 1


def _inside(values: Domain, low: int, high: int) -> bool | None:
    """Return whether all (True), no (False) or some (None) integers of an interval are values."""
    inside = [value for value in values if isinstance(value, int) and low <= value <= high]
    return True if len(inside) == high - low + 1 else None if inside else False


IntervalOf = Callable[[Masks], Interval]
"""From the domains of a scope to a least and a greatest value; raises ``ZeroDivisionError`` if no value is defined."""


def span_of(part: Affine | Condition, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to an expression's bounds.

    ``part``: a condition is 0 if it is false, and 1 if it is true. ``position_of``: the position of each variable in
    the scope.
    """
    if not isinstance(part, Affine):
        assert isinstance(part, Constraint)
        return _condition(part, position_of, context)
    if part.is_variable:
        return _variable(part.variables[0], position_of, context)
    constant = part.constant
    terms = [
        (c, _variable(atom, position_of, context) if isinstance(atom, Variable) else _atom(atom, position_of, context))
        for c, atom in part.terms
    ]

    def span(masks: Masks) -> Interval:
        """Return the bounds of the expression: the sum of the bounds of its terms."""
        low = high = constant
        for coefficient, term in terms:
            least, greatest = term(masks)
            if coefficient < 0:
                least, greatest = greatest, least
            low += coefficient * least
            high += coefficient * greatest
        return low, high

    return span


def _variable(variable: Variable, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to a variable's bounds."""
    position, domain = position_of[variable], context.domain(variable)
    cache: dict[int, Interval] = context.shared(("spans", domain), context.memory.cache)
    memory = context.memory

    def span(masks: Masks) -> Interval:
        mask = masks[position]
        interval = cache.get(mask)
        if interval is None:
            interval = integer(domain[(mask & -mask).bit_length() - 1]), integer(domain[mask.bit_length() - 1])
            memory.take(200)
            cache[mask] = interval
        return interval

    return span


def _atom(atom: Atom, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to an operation's bounds."""
    parts = [span_of(part, position_of, context) for part in atom.parts()]
    combine = atom.span
    if atom.optional:
        return lambda masks: combine([_span_or_none(part, masks) for part in parts])
    return lambda masks: combine([part(masks) for part in parts])


def _span_or_none(span: IntervalOf, masks: Masks) -> Interval | None:
    """Return the bounds of an operand; None if the operand is undefined."""
    try:
        return span(masks)
    except ZeroDivisionError:
        return None


def _condition(condition: Constraint, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to a condition's bounds."""
    part = context.part(condition)
    positions = [position_of[variable] for variable in condition.scope]
    spans = {True: (1, 1), False: (0, 0), None: (0, 1)}
    meter = context.meter

    def span(masks: Masks) -> Interval:
        meter.steps += 1
        return spans[part.entailment([masks[position] for position in positions])]

    return span

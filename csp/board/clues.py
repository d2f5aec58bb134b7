"""Write the clue of a constraint as a printed puzzle shows it.

Clues are totals, counts, sandwiches, even or odd cells, and signs between neighbouring cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.frozen import Frozen
from ..model import Affine, Comparison, Constraint, Either, Equality, Linear, Model, Operation, Variable
from .grid import Grid

SYMBOLS = {"<=": "≤", ">=": "≥", "!=": "≠"}
"""The printed sign of relations that have one of their own."""

MIRRORED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤", "≠": "≠", "=": "=", "<=": ">=", ">=": "<="}
"""Each relation with its sides exchanged."""

TextSeenFrom = tuple[str, Variable | None]
"""The text of a clue, and the cell from which it counts visible cells, if it does."""


def total_text(constraint: Constraint) -> str:
    """Return the clue of a sum, product, difference or quotient, such as ``9`` or ``6×``.

    Other constraints have an empty text. Examples of texts are ``9``, ``≤ 9``, ``6×``, ``2−``, ``2÷``, and ``6?`` for
    any of several operations. A difference is the largest number minus all others; a quotient is that of two numbers.
    Both may be one comparison with ``max``, or an alternative for each order.

    Examples
    --------
    >>> from csp import Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> total_text(Linear(x + y, "<=", Affine((), 9)))
    '≤ 9'
    >>> total_text(Either((Linear(x, "=", 2 * y), Linear(y, "=", 2 * x))))
    '2÷'
    """
    match constraint:
        case Either(alternatives=parts):
            if sign := _either_way(parts):
                return sign
            totals = {total_text(part).rstrip("×−÷") for part in parts}
            return f"{totals.pop()}?" if len(totals) == 1 and all(map(total_text, parts)) else ""
        case Comparison(relation=relation):
            for total_side, number_side in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
                if not number_side.terms and (total := _total(total_side)):
                    printed_relation = relation if total_side is constraint.left else MIRRORED.get(relation, relation)
                    sign = "" if printed_relation == "=" else f"{SYMBOLS.get(printed_relation, printed_relation)} "
                    return f"{sign}{number_side}{total.strip()}"
            if relation == "=":
                return _extreme(constraint.difference) or _extreme(constraint.right - constraint.left)
    return ""


def _total(terms: Affine) -> str:
    """Return the sign of the operation in an expression, or an empty text.

    It is a space for a sum, ``×`` for a product and ``−`` for the distance of two variables. For other expressions, and
    for those with factors or a constant, the text is empty.
    """
    if terms.constant or any(coefficient != 1 for coefficient, _ in terms.terms):
        return ""
    match terms.terms:
        case ((_, Operation("*", factors)),) if _plain(factors):
            return "×"
        case ((_, Operation("abs", (Affine(terms=((1, Variable()), (-1, Variable())), constant=0),))),):
            return "−"
        case atoms if atoms and all(isinstance(atom, Variable) for _, atom in atoms):
            return " "
    return ""


def _plain(operands: Sequence[object]) -> bool:
    """Return whether each operand is a single variable."""
    return all(isinstance(operand, Affine) and operand.is_variable for operand in operands)


def _extreme(difference: Affine) -> str:
    """Return the clue of a difference or quotient of ``max`` and ``min``, or "".

    A difference is ``2*max(...) - sum(...) - 3`` or ``max(x, y) - min(x, y) - 3``; a quotient is ``max - 2*min``.
    """
    # Collect the factors of max and min; both must have the same operands.
    factors = {"max": 0, "min": 0}
    scopes, single = set(), set()
    for coefficient, atom in difference.terms:
        match atom:
            case Operation("max" | "min" as kind, operands) if _plain(operands):
                factors[kind] = coefficient
                scopes.add(frozenset(str(operand) for operand in operands))
            case Variable() if coefficient == -1:
                single.add(str(atom))
            case _:
                return ""
    if len(scopes) != 1:
        return ""
    [scope], max_factor, min_factor, constant = scopes, factors["max"], factors["min"], difference.constant
    is_pair = len(scope) == 2 and not single
    is_largest_minus_others = (max_factor, min_factor) == (2, 0) and single == scope
    if constant <= 0 and (is_largest_minus_others or ((max_factor, min_factor) == (1, -1) and is_pair)):
        return f"{-constant}−"
    return f"{-min_factor}÷" if max_factor == 1 and min_factor < -1 and is_pair and not constant else ""


def _either_way(parts: tuple[Constraint, ...]) -> str:
    """Return the common clue of two alternatives that only exchange the cells, or ""."""
    orders = [tuple(_larger_and_smaller(part)) for part in parts]
    if len(orders) != 2 or not all(orders):
        return ""
    ((larger, smaller, sign),), ((other_larger, other_smaller, other_sign),) = orders
    return sign if (larger, smaller, sign) == (other_smaller, other_larger, other_sign) else ""


def _larger_and_smaller(part: Constraint) -> Iterator[tuple[object, object, str]]:
    """Yield the larger cell, the smaller cell, and their difference or quotient as text.

    Yield nothing for constraints of another form.
    """
    if isinstance(part, Comparison) and part.relation == "=" and len(part.difference.terms) == 2:
        (a, x), (b, y) = part.difference.terms
        constant = part.difference.constant
        if constant and a == -b:
            total = -constant // a
            yield (x, y, f"{total}−") if total > 0 else (y, x, f"{-total}−")
        elif not constant and a * b < 0 and 1 in (abs(a), abs(b)):
            yield (x, y, f"{abs(b)}÷") if abs(a) == 1 else (y, x, f"{abs(a)}÷")


def find_clue(constraint: Constraint) -> TextSeenFrom | None:
    """Return a constraint's clue and the cell from which it counts visible cells; else None.

    A clue is a total, a number of conditions that hold, or a number of visible cells; only the last has such a cell.

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> find_clue(Linear(x + y, "=", Affine((), 9)))
    ('9', None)
    """
    if text := total_text(constraint):
        return text, None
    if isinstance(constraint, Comparison):
        for counting_side, number_side in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
            match counting_side.terms:
                case ((1, Operation("count", conditions)),) if not counting_side.constant and not number_side.terms:
                    relation = constraint.relation
                    relation = relation if counting_side is constraint.left else MIRRORED.get(relation, relation)
                    sign = "" if relation == "=" else f"{SYMBOLS.get(relation, relation)} "
                    constraints = [part for part in conditions if isinstance(part, Constraint)]
                    return f"{sign}{number_side.constant}", _seen_from(constraints)
    return None


def _seen_from(conditions: Sequence[Constraint]) -> Variable | None:
    """Return the cell from which a count of conditions counts visible cells, or None.

    Each condition must state that a cell of the line is larger than all cells nearer to the start.
    """
    order = sorted(conditions, key=lambda constraint: len(constraint.scope))
    earlier_cells: set[Variable] = set()
    for condition in order:
        if not isinstance(condition, Comparison) or condition.relation != ">" or not condition.left.is_variable:
            return None
        (_, cell), *_ = condition.left.terms
        if not isinstance(cell, Variable) or set(condition.scope) != {cell} | earlier_cells:
            return None
        if earlier_cells and not isinstance(condition.right.terms[0][1], Operation | Variable):
            return None
        earlier_cells.add(cell)
    return order[0].scope[0] if len(order) > 1 else None


def sandwiches(model: Model, grid: Grid) -> Iterator[tuple[tuple[int, ...], tuple[Variable, ...], str]]:
    """Yield the rows and columns with a sandwich clue, a sum between two values.

    Crusts are two values, such as 1 and 9, wherever they are. For each pair of cells, such a clue is an alternative:
    one of them is not a crust, or the cells between have the sum. Yields the numbers of these constraints, the
    line, and the text of the sum.
    """
    clues_by_line: dict[tuple[int, int], tuple[list[int], set[str]]] = {}
    for number, constraint in enumerate(model.constraints):
        if not isinstance(constraint, Either) or not all(v in grid for v in constraint.scope):
            continue
        crusts = [part.scope[0] for part in constraint.alternatives if len(part.scope) == 1]
        sums = [part for part in constraint.alternatives if isinstance(part, Comparison) and len(part.scope) > 1]
        sums += [part for part in constraint.alternatives[2:] if isinstance(part, Comparison) and len(part.scope) == 1]
        if not 2 <= len(crusts) <= 3 or len(constraint.alternatives) != 3 or len(sums) != 1:
            continue
        (r, c), (s, d) = (grid[v] for v in crusts[:2])
        axis = 0 if r == s else 1 if c == d else -1
        if axis < 0 or {grid[v] for v in sums[0].scope} != _between((r, c), (s, d)):
            continue
        numbers, totals = clues_by_line.setdefault((axis, (r, c)[axis]), ([], set()))
        numbers.append(number)
        totals.add(total_text(sums[0]))
    for (axis, index), (numbers, totals) in clues_by_line.items():
        line = tuple(sorted((v for v in grid if grid[v][axis] == index), key=grid.__getitem__))
        if len(totals) == 1 and (text := totals.pop()):
            yield tuple(numbers), line, text


def _between(first: tuple[int, int], second: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the places strictly between two places of a row or column."""
    (r, c), (s, d) = sorted((first, second))
    return {(i, j) for i in range(r, s + 1) for j in range(c, d + 1)} - {(r, c), (s, d)}


def parity(model: Model, grid: Grid) -> dict[Variable, tuple[str, tuple[int, ...]]]:
    """Return the cells that may have only the grid's even values, or only odd ones.

    The result maps each cell to ``even`` or ``odd`` and the numbers of the constraints that require it. It is empty if
    the domains of the grid have fewer than two even or two odd values.

    Examples
    --------
    >>> from csp import Affine, Model
    >>> x, y = Variable("x"), Variable("y")
    >>> model = Model({x: (2, 4), y: (1, 2, 3, 4)})
    >>> parity(model, {x: (0, 0), y: (0, 1)})
    {'x': ('even', ())}
    """
    all_values = {value for v in grid for value in model.domains[v] if isinstance(value, int)}
    values_by_parity = {
        0: {value for value in all_values if value % 2 == 0},
        1: {value for value in all_values if value % 2},
    }
    if min(len(values_by_parity[0]), len(values_by_parity[1])) < 2 or any(
        isinstance(value, str) for v in grid for value in model.domains[v]
    ):
        return {}
    parity_of_cells: dict[Variable, tuple[str, tuple[int, ...]]] = {}
    constraints_of_cell: dict[Variable, list[tuple[int, Constraint]]] = {}
    for number, constraint in enumerate(model.constraints):
        if len(constraint.scope) == 1:
            constraints_of_cell.setdefault(constraint.scope[0], []).append((number, constraint))
    for v in grid:
        sets: list[tuple[tuple[int, ...], set[object]]] = [((), set(model.domains[v]))]
        sets += [
            ((number,), {value for value in model.domains[v] if constraint.check({v: value})})
            for number, constraint in constraints_of_cell.get(v, ())
        ]
        for numbers, values in sets:
            for remainder, name in ((0, "even"), (1, "odd")):
                if values == values_by_parity[remainder]:
                    parity_of_cells[v] = name, numbers
    return parity_of_cells


VERTICAL_SIGNS = {"<": "∧", "≤": "⊼", ">": "∨", "≥": "⊻", "≠": "≠", "=": "‖"}
"""The signs of vertical pairs, by the sign of a horizontal pair."""
DOTS = {"1−": "○", "2÷": "●"}
"""Signs of pairs with a difference of 1 or a ratio of 2, where many overlap."""


class Sign(Frozen):
    """A sign between two neighbouring cells, such as ``<``.

    Attributes
    ----------
    number : int
        The number of the constraint in the model.
    first, second : Variable
        The left or upper cell, and the other.
    text : str
        Between the first cell and the second.
    """

    number: int
    first: Variable
    second: Variable
    text: str


def find_sign(number: int, constraint: Constraint, grid: Grid) -> Sign | None:
    """Return the sign for a comparison of two neighbouring cells; None for other constraints.

    Examples
    --------
    >>> from csp import Affine
    >>> first, second = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> less = Linear(Affine.variable(second), "<", Affine.variable(first))
    >>> find_sign(0, less, {first: (0, 0), second: (0, 1)}).text
    '>'
    """
    comparison = plain_comparison(constraint)
    if comparison is None:
        return None
    left, text, right = comparison
    first, second = sorted((left, right), key=grid.__getitem__)
    (r, c), (s, d) = grid[first], grid[second]
    if (s - r, d - c) not in ((0, 1), (1, 0)):
        return None
    text = text if first == left else MIRRORED[text]
    return Sign(number, first, second, text if r == s else VERTICAL_SIGNS[text])


def dot_of(text: str) -> str:
    """Return ``○`` for the clue ``1−`` and ``●`` for ``2÷``, otherwise an empty text."""
    return DOTS.get(text, "")


def unstated_constraints(model: Model, origins: Sequence[Sequence[int]] = ()) -> frozenset[int]:
    """Return the numbers of the constraints that have no line in the spec.

    If no constraint has a line, these are the implied ones according to ``origins``. Implied constraints are shown only
    while they remove values.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> domains = {v: (1, 2) for v in "ABC"}
    >>> unstated_constraints(Model(domains, [AllDifferent.of("AB", line=7), AllDifferent.of("BC")]))
    frozenset({1})
    >>> unstated_constraints(Model(domains, [AllDifferent.of("AB"), AllDifferent.of("BC")]), [(0,), (0,)])
    frozenset({1})
    """
    unstated = frozenset(number for number, constraint in enumerate(model.constraints) if not constraint.line)
    return unstated if len(unstated) < len(model.constraints) else implied_constraints(origins)


def implied_constraints(origins: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return the numbers of the constraints that were derived from others.

    ``origins`` has for each constraint the numbers of those it follows from.

    Examples
    --------
    >>> implied_constraints([(0,), (1,), (0, 1)])
    frozenset({2})
    """
    return frozenset(number for number, origin in enumerate(origins) if tuple(origin) != (number,))


def plain_comparison(constraint: Constraint) -> tuple[Variable, str, Variable] | None:
    """Return the left variable, sign and right variable of a comparison, or None.

    Both sides must be single variables; for other constraints the result is None.

    Examples
    --------
    >>> plain_comparison(Equality(Variable("A"), Variable("B"), equal=False))
    ('A', '≠', 'B')
    """
    match constraint:
        case Equality(left, right, equal) if isinstance(left, Variable) and isinstance(right, Variable):
            return left, "=" if equal else "≠", right
        case Linear(left, relation, right) if left.is_variable and right.is_variable:
            (_, left_variable), (_, right_variable) = left.terms[0], right.terms[0]
            if isinstance(left_variable, Variable) and isinstance(right_variable, Variable):
                return left_variable, SYMBOLS.get(relation, relation), right_variable
    return None

"""What a constraint asks of a cage, of a line of cells, or of those around one, in the signs of a printed puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import Affine, Comparison, Constraint, Either, Model, Operation, Variable
from .grid import Grid

SYMBOLS = {"<=": "≤", ">=": "≥", "!=": "≠"}
MIRRORED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤", "≠": "≠", "=": "=", "<=": ">=", ">=": "<="}
Asked = tuple[str, Variable | None]
"""The text, and the cell from which it is seen if that matters."""


def clue(constraint: Constraint) -> str:
    """A total and the sign of its operation: ``9``, ``≤ 9``, ``6×``, ``2−``, ``2÷``, or ``6?`` for any of several.

    A difference is the largest number less all the others; a quotient is that of two. Both are told as one comparison
    of ``max``, or as one alternative for each order.

    Examples
    --------
    >>> from csp import Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> clue(Linear(x + y, "<=", Affine((), 9))), clue(Either((Linear(x, "=", 2 * y), Linear(y, "=", 2 * x))))
    ('≤ 9', '2÷')
    """
    match constraint:
        case Either(alternatives=parts):
            if sign := _either_way(parts):
                return sign
            totals = {clue(part).rstrip("×−÷") for part in parts}
            return f"{totals.pop()}?" if len(totals) == 1 and all(map(clue, parts)) else ""
        case Comparison(relation=relation):
            for one, other in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
                if not other.terms and (total := _total(one)):
                    own = relation if one is constraint.left else MIRRORED.get(relation, relation)
                    sign = "" if own == "=" else f"{SYMBOLS.get(own, own)} "
                    return f"{sign}{other}{total.strip()}"
            if relation == "=":
                return _extreme(constraint.difference) or _extreme(constraint.right - constraint.left)
    return ""


def _total(terms: Affine) -> str:
    """The sign of a plain sum, which is a space, and that of a plain product or of a distance of two."""
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


def _plain(operands: tuple[Affine | Constraint, ...]) -> bool:
    return all(isinstance(operand, Affine) and operand.is_variable for operand in operands)


def _extreme(difference: Affine) -> str:
    """``2*max(...) - sum(...) - 3`` and ``max(x, y) - min(x, y) - 3``: a difference; ``max - 2*min``: a quotient."""
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
    [scope], most, least, constant = scopes, factors["max"], factors["min"], difference.constant
    is_pair = len(scope) == 2 and not single
    is_rest = (most, least) == (2, 0) and single == scope
    if constant <= 0 and (is_rest or ((most, least) == (1, -1) and is_pair)):
        return f"{-constant}−"
    return f"{-least}÷" if most == 1 and least < -1 and is_pair and not constant else ""


def _either_way(parts: tuple[Constraint, ...]) -> str:
    """Two cells, one of them larger or a multiple, and nobody says which."""
    found = [tuple(_ordered(part)) for part in parts]
    if len(found) != 2 or not all(found):
        return ""
    ((one, other, sign),), ((its_one, its_other, its_sign),) = found
    return sign if (one, other, sign) == (its_other, its_one, its_sign) else ""


def _ordered(part: Constraint) -> Iterator[tuple[object, object, str]]:
    """The larger and the smaller one of two cells, and by how much."""
    if isinstance(part, Comparison) and part.relation == "=" and len(part.difference.terms) == 2:
        (a, x), (b, y) = part.difference.terms
        constant = part.difference.constant
        if constant and a == -b:
            total = -constant // a
            yield (x, y, f"{total}−") if total > 0 else (y, x, f"{-total}−")
        elif not constant and a * b < 0 and 1 in (abs(a), abs(b)):
            yield (x, y, f"{abs(b)}÷") if abs(a) == 1 else (y, x, f"{abs(a)}÷")


def asked(constraint: Constraint) -> Asked | None:
    """A total, a number of cells that hold, or a number of cells that are seen.

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> asked(Linear(x + y, "=", Affine((), 9)))
    ('9', None)
    """
    if text := clue(constraint):
        return text, None
    if isinstance(constraint, Comparison):
        for one, other in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
            match one.terms:
                case ((1, Operation("count", conditions)),) if not one.constant and not other.terms:
                    own = constraint.relation
                    own = own if one is constraint.left else MIRRORED.get(own, own)
                    sign = "" if own == "=" else f"{SYMBOLS.get(own, own)} "
                    whole = [part for part in conditions if isinstance(part, Constraint)]
                    return f"{sign}{other.constant}", _seen_from(whole)
    return None


def _seen_from(conditions: Sequence[Constraint]) -> Variable | None:
    """The first of some cells, each of which must be larger than all before it."""
    order = sorted(conditions, key=lambda one: len(one.scope))
    before: set[Variable] = set()
    for one in order:
        if not isinstance(one, Comparison) or one.relation != ">" or not one.left.is_variable:
            return None
        (_, own), *_ = one.left.terms
        if not isinstance(own, Variable) or set(one.scope) != {own} | before:
            return None
        if before and not isinstance(one.right.terms[0][1], Operation | Variable):
            return None
        before.add(own)
    return order[0].scope[0] if len(order) > 1 else None


def sandwiches(model: Model, grid: Grid) -> Iterator[tuple[tuple[int, ...], tuple[Variable, ...], str]]:
    """Lines of which all that lies between two of their cells adds up, whichever two these are.

    It is told for each two cells as an alternative: one of them is no crust, or what is between has the sum.
    """
    found: dict[tuple[int, int], tuple[list[int], set[str]]] = {}
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
        numbers, totals = found.setdefault((axis, (r, c)[axis]), ([], set()))
        numbers.append(number)
        totals.add(clue(sums[0]))
    for (axis, index), (numbers, totals) in found.items():
        line = tuple(sorted((v for v in grid if grid[v][axis] == index), key=grid.__getitem__))
        if len(totals) == 1 and (text := totals.pop()):
            yield tuple(numbers), line, text


def _between(one: tuple[int, int], other: tuple[int, int]) -> set[tuple[int, int]]:
    (r, c), (s, d) = sorted((one, other))
    return {(i, j) for i in range(r, s + 1) for j in range(c, d + 1)} - {(r, c), (s, d)}


def parity(model: Model, grid: Grid) -> dict[Variable, tuple[str, tuple[int, ...]]]:
    """The cells of which only even, or only odd values are asked, where others have both.

    Examples
    --------
    >>> from csp import Affine, Model
    >>> x, y = Variable("x"), Variable("y")
    >>> model = Model({x: (2, 4), y: (1, 2, 3, 4)})
    >>> parity(model, {x: (0, 0), y: (0, 1)})
    {'x': ('even', ())}
    """
    every = {value for v in grid for value in model.domains[v] if isinstance(value, int)}
    of = {0: {value for value in every if value % 2 == 0}, 1: {value for value in every if value % 2}}
    if min(len(of[0]), len(of[1])) < 2 or any(isinstance(value, str) for v in grid for value in model.domains[v]):
        return {}
    found: dict[Variable, tuple[str, tuple[int, ...]]] = {}
    own: dict[Variable, list[tuple[int, Constraint]]] = {}
    for number, constraint in enumerate(model.constraints):
        if len(constraint.scope) == 1:
            own.setdefault(constraint.scope[0], []).append((number, constraint))
    for v in grid:
        sets: list[tuple[tuple[int, ...], set[object]]] = [((), set(model.domains[v]))]
        sets += [
            ((number,), {value for value in model.domains[v] if one.check({v: value})})
            for number, one in own.get(v, ())
        ]
        for numbers, left in sets:
            for rest, name in ((0, "even"), (1, "odd")):
                if left == of[rest]:
                    found[v] = name, numbers
    return found

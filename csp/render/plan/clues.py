"""What a cage asks of its cells, in as few signs as a printed puzzle has."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import Affine, Comparison, Constraint, Either, Operation, Variable

SYMBOLS = {"<=": "≤", ">=": "≥", "!=": "≠"}
MIRRORED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤", "≠": "≠", "=": "=", "<=": ">=", ">=": "<="}


def clue(constraint: Constraint) -> str:
    """A total and the sign of its operation: ``9``, ``≤ 9``, ``6×``, ``2−``, ``2÷``, or ``6?`` for any of several.

    A difference is the largest number less all the others; a quotient is that of two. Both are told as one comparison
    of ``max``, or as one alternative for each order.

    Parameters
    ----------
    constraint : Constraint

    Returns
    -------
    str
        Empty for all other constraints.

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
            asked = {clue(part).rstrip("×−÷") for part in parts}
            return f"{asked.pop()}?" if len(asked) == 1 and all(map(clue, parts)) else ""
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

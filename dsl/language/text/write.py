"""Syntax to text, which reads back as the same syntax."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from csp import Value

from .. import syntax
from ..vocabulary import KEYWORDS, RESERVED, is_name

LOOSE, TIGHT, SIGN, ATOM = range(4)
"""How closely expressions bind: sums, products, signs, and all else."""


def write(node: syntax.Node) -> str:
    """A piece of syntax as the language writes it, in one line.

    Parameters
    ----------
    node : syntax.Node
        A clause, or anything that one consists of, however deep.

    Returns
    -------
    str

    Examples
    --------
    >>> at = syntax.Place(1, 1)
    >>> write(syntax.Param(at, "n", syntax.Operation(at, "-", syntax.Name(at, "m"), syntax.Constant(at, 1))))
    'param n = m - 1.'
    """
    written: list[str] = []
    waiting: list[str | syntax.Node | _Joined] = [node]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            written.append(piece)
        elif isinstance(piece, _Joined):
            waiting += reversed(list(_operation(piece.node, "")))
        else:
            waiting += reversed(list(_pieces(piece)))
    return "".join(written)


def quoted(value: Value, taken: Collection[str] = (), *, argument: bool = False) -> str:
    """A value as the language writes it: a symbol that is no lowercase word, or means something else, in quotes.

    As an argument of a term, a word of the language such as ``in`` is a symbol too.

    Examples
    --------
    >>> [quoted(value, {"cell"}) for value in (3, "red", "Big Red", "mod", "cell", "don't")]
    ['3', 'red', "'Big Red'", "'mod'", "'cell'", "'don''t'"]
    """
    if isinstance(value, int):
        return str(value)
    if is_name(value) and value not in {*RESERVED, *taken, *(() if argument else KEYWORDS)}:
        return value
    return "'" + value.replace("'", "''") + "'"


class _Joined(NamedTuple):
    """An expression beside the dots of a range or in a size, whose operators have no blanks around them."""

    node: syntax.Expr


Pieces = Iterator[str | syntax.Node | _Joined]


def _pieces(node: syntax.Node) -> Pieces:
    """What is written for a node: texts, and the nodes that it consists of."""
    match node:
        case syntax.Param(_, name, value):
            yield from (f"param {name} = ", value, ".")
        case syntax.Grid(_, name, text, _, size):
            yield f"grid {name}"
            yield from ("(", _joined(size[0]), ", ", _joined(size[1]), ")") if size else ()
            yield "." if text is None else f' = "{text}".'
        case syntax.Show(_, names):
            yield from ("show ", *_list(names), ".")
        case syntax.Objective(_, sense, expression):
            yield from (f"{sense}(", expression, ").")
        case syntax.Rule(_, label, head, body):
            yield f'"{label.value}": ' if label else ""
            yield from (head, *((" :- ", *_list(body)) if body else ()), ".")
        case syntax.Disjunction(_, alternatives):
            yield from _list(alternatives, " ; ")
        case syntax.Declaration(_, terms, domain):
            yield from (*_list(terms), " in ", domain)
        case syntax.Comparison(_, left, relation, right):
            yield from (left, f" {relation} ", right)
        case syntax.Fact(_, term):
            yield term
        case syntax.Negation(_, fact):
            yield from ("not ", fact)
        case syntax.Union(_, parts):
            ranges = parts and all(isinstance(part, syntax.Range) for part in parts)
            yield from _list(parts, " \\/ ") if ranges else ("{", *_list(parts), "}")
        case syntax.Range(_, low, high):
            yield from (_joined(low), "..", _joined(high))
        case syntax.Constant(_, value):
            yield str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
        case syntax.Name(_, name) | syntax.Logical(_, name):
            yield name
        case syntax.Call(_, name, arguments, body):
            yield from (f"{name}(", *_list(arguments), *((" : ", *_list(body)) if body is not None else ()), ")")
        case syntax.Listing(_, items):
            yield from ("[", *_list(items), "]")
        case syntax.Operation():
            yield from _operation(node, " ")


def _list(nodes: Iterable[syntax.Node], between: str = ", ") -> Pieces:
    for number, node in enumerate(nodes):
        if number:
            yield between
        yield node


def _joined(node: syntax.Node) -> syntax.Node | _Joined:
    return _Joined(node) if isinstance(node, syntax.Operation) else node


def _operation(node: syntax.Expr, blank: str) -> Pieces:
    """The operands and the operator, each operand in parentheses if it would fall apart otherwise."""
    assert isinstance(node, syntax.Operation)
    binding = _binding(node)
    if binding == SIGN:
        yield "-"
        yield from _operand(node.right, SIGN, blank)
        return
    between = " " if node.operator == "mod" else blank
    yield from _operand(node.left, binding, blank)
    yield f"{between}{node.operator}{between}"
    yield from _operand(node.right, binding + 1, blank)


def _operand(node: syntax.Expr, least: int, blank: str) -> Pieces:
    if _binding(node) < least:
        yield from ("(", node, ")")
    else:
        yield node if blank else _joined(node)


def _binding(node: syntax.Expr) -> int:
    match node:
        case syntax.Operation(_, "-", syntax.Constant(at, 0)) if at == node.at:
            return SIGN
        case syntax.Operation(_, "+" | "-"):
            return LOOSE
        case syntax.Operation():
            return TIGHT
    return ATOM

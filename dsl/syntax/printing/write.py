"""Syntax to text, which reads back as the same syntax."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from csp import Value

from .. import nodes
from ..vocabulary import KEYWORDS, RESERVED, is_name

WHOLE, HELD, LOOSE, TIGHT, SIGN, ATOM = range(6)
"""How closely things bind: conditions made of others, conditions, sums, products, signs, and all else."""


def write(node: nodes.Node) -> str:
    """A piece of syntax as the language writes it, in one line.

    Examples
    --------
    >>> at = nodes.Place(1, 1)
    >>> write(nodes.Param(at, "n", nodes.Operation(at, "-", nodes.Name(at, "m"), nodes.Constant(at, 1))))
    'param n = m - 1.'
    """
    written: list[str] = []
    waiting: list[str | nodes.Node | _Joined] = [node]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            written.append(piece)
        elif isinstance(piece, _Joined):
            waiting += reversed(list(_operation(piece.node, "")))
        else:
            waiting += reversed(list(_pieces(piece)))
    return "".join(written)


def quoted_in_spec(value: Value, taken: Collection[str] = (), *, argument: bool = False) -> str:
    """A value as the language writes it: a symbol that is no lowercase word, or means something else, in quotes.

    As an argument of a term, a word of the language such as ``in`` is a symbol too.

    Examples
    --------
    >>> [quoted_in_spec(value, {"cell"}) for value in (3, "red", "Big Red", "mod", "cell", "don't")]
    ['3', 'red', "'Big Red'", "'mod'", "'cell'", "'don''t'"]
    """
    if isinstance(value, int):
        return str(value)
    if is_name(value) and value not in RESERVED and value not in taken and (argument or value not in KEYWORDS):
        return value
    return "'" + value.replace("'", "''") + "'"


class _Joined(NamedTuple):
    """An expression beside the dots of a range or in a size, whose operators have no blanks around them."""

    node: nodes.Expr


Pieces = Iterator[str | nodes.Node | _Joined]


def _pieces(node: nodes.Node) -> Pieces:
    """What is written for a node: texts, and the nodes that it consists of."""
    match node:
        case nodes.Include(_, name, is_file):
            yield 'include "' + name.replace('"', '""') + '".' if is_file else f"include {name}."
        case nodes.Param(_, name, value):
            yield from (f"param {name} = ", *_within(value, LOOSE), ".")
        case nodes.Grid(_, name, text, _, size):
            yield f"grid {name}"
            yield from ("(", *_joined(size[0]), ", ", *_joined(size[1]), ")") if size else ()
            yield "." if text is None else f' = "{text}".'
        case nodes.Show(_, items, body):
            yield from ("show ", *_generated(items, body), ".")
        case nodes.Draw(_, item, body):
            yield from ("draw ", *_generated([item], body), ".")
        case nodes.Shown(_, term, value):
            yield from (term, *((" = ", *_within(value, LOOSE)) if value else ()))
        case nodes.Objective(_, sense, expressions):
            yield from (f"{sense}(", *_list(expressions, LOOSE), ").")
        case nodes.Rule(_, label, head, body):
            yield f'"{label.value}": ' if label else ""
            yield from (head, *((" :- ", *_body(body)) if body else ()), ".")
        case nodes.Conjunction(_, parts):
            yield from ("(", *_list(parts, HELD), ")")
        case nodes.Disjunction(_, alternatives):
            yield from _list(alternatives, HELD, " ; ")
        case nodes.Implication(_, condition, consequence):
            chained = isinstance(consequence, nodes.Implication)
            yield from (*_within(condition, HELD), " -> ", *_within(consequence, WHOLE if chained else HELD))
        case nodes.Equivalence(_, left, right):
            one, other = [WHOLE if isinstance(side, nodes.Implication) else HELD for side in (left, right)]
            yield from (*_within(left, one), " <-> ", *_within(right, other))
        case nodes.Negation(_, condition):
            yield from ("not ", *_within(condition, HELD))
        case nodes.Declaration(_, terms, domain):
            yield from (*_list(terms, LOOSE), " in ", domain)
        case nodes.Comparison(_, left, relation, right):
            yield from (*_within(left, LOOSE), f" {relation} ", *_within(right, LOOSE))
        case nodes.Fact(_, term):
            yield term
        case nodes.Union(_, (nodes.Comprehension(_, item, body),)) if isinstance(item, nodes.Expr):
            yield from ("{", *_generated([item], body), "}")
        case nodes.Union(_, parts) if any(map(_is_gathered, parts)):
            yield from _list([nodes.Union(part.at, (part,)) for part in parts], LOOSE, " \\/ ")
        case nodes.Union(_, parts):
            ranges = parts and all(isinstance(part, nodes.Range) for part in parts)
            yield from _list(parts, LOOSE, " \\/ ") if ranges else ("{", *_list(parts, LOOSE), "}")
        case nodes.Range(_, low, high):
            yield from (*_joined(low), "..", *_joined(high))
        case nodes.Constant(_, value):
            yield str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
        case nodes.Name(_, name) | nodes.Logical(_, name):
            yield name
        case nodes.Call(_, name, arguments, body):
            yield from (f"{name}(", *_generated(arguments, body), ")")
        case nodes.Listing(_, items, body):
            yield from ("[", *_generated(items, body), "]")
        case nodes.Comprehension(_, item, body):
            yield from ("(", *_generated([item], body), ")")
        case nodes.Operation():
            yield from _operation(node, " ")


def _is_gathered(part: nodes.Node) -> bool:
    """Whether a part of a domain is what an expression is worth where a body holds."""
    return isinstance(part, nodes.Comprehension) and isinstance(part.item, nodes.Expr)


def _list(nodes: Iterable[nodes.Node], least: int = WHOLE, between: str = ", ") -> Pieces:
    for number, node in enumerate(nodes):
        if number:
            yield between
        yield from _within(node, least)


def _body(conditions: Sequence[nodes.Condition]) -> Pieces:
    return _list(conditions, HELD if len(conditions) > 1 else WHOLE)


def _generated(items: Iterable[nodes.Node], body: Sequence[nodes.Condition] | None) -> Pieces:
    yield from _list(items)
    if body is not None:
        yield " : "
        yield from _body(body)


def _joined(node: nodes.Node) -> Pieces:
    return iter([_Joined(node)]) if isinstance(node, nodes.Operation) else _within(node, LOOSE)


def _operation(node: nodes.Expr, blank: str) -> Pieces:
    """The operands and the operator, each operand in parentheses if it would fall apart otherwise."""
    assert isinstance(node, nodes.Operation)
    binding = _binding(node)
    if binding == SIGN:
        yield "-"
        yield from _operand(node.right, SIGN, blank)
        return
    between = " " if node.operator == "mod" else blank
    yield from _operand(node.left, binding, blank)
    yield f"{between}{node.operator}{between}"
    yield from _operand(node.right, binding + 1, blank)


def _operand(node: nodes.Expr, least: int, blank: str) -> Pieces:
    return _within(node, least) if blank or _binding(node) < least else _joined(node)


def _within(node: nodes.Node, least: int) -> Pieces:
    """A node beside others, in parentheses if it binds less closely than they need."""
    if _binding(node) < least:
        yield from ("(", node, ")")
    else:
        yield node


def _binding(node: nodes.Node) -> int:
    match node:
        case nodes.Disjunction() | nodes.Implication() | nodes.Equivalence():
            return WHOLE
        case nodes.Declaration() | nodes.Comparison() | nodes.Negation():
            return HELD
        case nodes.Operation(_, "-", nodes.Constant(at, 0)) if at == node.at:
            return SIGN
        case nodes.Operation(_, "+" | "-"):
            return LOOSE
        case nodes.Operation():
            return TIGHT
    return ATOM

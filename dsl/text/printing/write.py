"""Syntax to text, which reads back as the same syntax."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from csp import Value

from .. import syntax
from ..vocabulary import KEYWORDS, RESERVED, is_name

WHOLE, HELD, LOOSE, TIGHT, SIGN, ATOM = range(6)
"""How closely things bind: conditions made of others, conditions, sums, products, signs, and all else."""


def write(node: syntax.Node) -> str:
    """A piece of syntax as the language writes it, in one line.

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

    node: syntax.Expr


Pieces = Iterator[str | syntax.Node | _Joined]


def _pieces(node: syntax.Node) -> Pieces:
    """What is written for a node: texts, and the nodes that it consists of."""
    match node:
        case syntax.Include(_, name, is_file):
            yield 'include "' + name.replace('"', '""') + '".' if is_file else f"include {name}."
        case syntax.Param(_, name, value):
            yield from (f"param {name} = ", *_within(value, LOOSE), ".")
        case syntax.Grid(_, name, text, _, size):
            yield f"grid {name}"
            yield from ("(", *_joined(size[0]), ", ", *_joined(size[1]), ")") if size else ()
            yield "." if text is None else f' = "{text}".'
        case syntax.Show(_, items, body):
            yield from ("show ", *_generated(items, body), ".")
        case syntax.Draw(_, item, body):
            yield from ("draw ", *_generated([item], body), ".")
        case syntax.Shown(_, term, value):
            yield from (term, *((" = ", *_within(value, LOOSE)) if value else ()))
        case syntax.Objective(_, sense, expressions):
            yield from (f"{sense}(", *_list(expressions, LOOSE), ").")
        case syntax.Rule(_, label, head, body):
            yield f'"{label.value}": ' if label else ""
            yield from (head, *((" :- ", *_body(body)) if body else ()), ".")
        case syntax.Conjunction(_, parts):
            yield from ("(", *_list(parts, HELD), ")")
        case syntax.Disjunction(_, alternatives):
            yield from _list(alternatives, HELD, " ; ")
        case syntax.Implication(_, condition, consequence):
            chained = isinstance(consequence, syntax.Implication)
            yield from (*_within(condition, HELD), " -> ", *_within(consequence, WHOLE if chained else HELD))
        case syntax.Equivalence(_, left, right):
            one, other = [WHOLE if isinstance(side, syntax.Implication) else HELD for side in (left, right)]
            yield from (*_within(left, one), " <-> ", *_within(right, other))
        case syntax.Negation(_, condition):
            yield from ("not ", *_within(condition, HELD))
        case syntax.Declaration(_, terms, domain):
            yield from (*_list(terms, LOOSE), " in ", domain)
        case syntax.Comparison(_, left, relation, right):
            yield from (*_within(left, LOOSE), f" {relation} ", *_within(right, LOOSE))
        case syntax.Fact(_, term):
            yield term
        case syntax.Union(_, (syntax.Comprehension(_, item, body),)) if isinstance(item, syntax.Expr):
            yield from ("{", *_generated([item], body), "}")
        case syntax.Union(_, parts) if any(map(_is_gathered, parts)):
            yield from _list([syntax.Union(part.at, (part,)) for part in parts], LOOSE, " \\/ ")
        case syntax.Union(_, parts):
            ranges = parts and all(isinstance(part, syntax.Range) for part in parts)
            yield from _list(parts, LOOSE, " \\/ ") if ranges else ("{", *_list(parts, LOOSE), "}")
        case syntax.Range(_, low, high):
            yield from (*_joined(low), "..", *_joined(high))
        case syntax.Constant(_, value):
            yield str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
        case syntax.Name(_, name) | syntax.Logical(_, name):
            yield name
        case syntax.Call(_, name, arguments, body):
            yield from (f"{name}(", *_generated(arguments, body), ")")
        case syntax.Listing(_, items, body):
            yield from ("[", *_generated(items, body), "]")
        case syntax.Comprehension(_, item, body):
            yield from ("(", *_generated([item], body), ")")
        case syntax.Operation():
            yield from _operation(node, " ")


def _is_gathered(part: syntax.Node) -> bool:
    """Whether a part of a domain is what an expression is worth where a body holds."""
    return isinstance(part, syntax.Comprehension) and isinstance(part.item, syntax.Expr)


def _list(nodes: Iterable[syntax.Node], least: int = WHOLE, between: str = ", ") -> Pieces:
    for number, node in enumerate(nodes):
        if number:
            yield between
        yield from _within(node, least)


def _body(conditions: Sequence[syntax.Condition]) -> Pieces:
    return _list(conditions, HELD if len(conditions) > 1 else WHOLE)


def _generated(items: Iterable[syntax.Node], body: Sequence[syntax.Condition] | None) -> Pieces:
    yield from _list(items)
    if body is not None:
        yield " : "
        yield from _body(body)


def _joined(node: syntax.Node) -> Pieces:
    return iter([_Joined(node)]) if isinstance(node, syntax.Operation) else _within(node, LOOSE)


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
    return _within(node, least) if blank or _binding(node) < least else _joined(node)


def _within(node: syntax.Node, least: int) -> Pieces:
    """A node beside others, in parentheses if it binds less closely than they need."""
    if _binding(node) < least:
        yield from ("(", node, ")")
    else:
        yield node


def _binding(node: syntax.Node) -> int:
    match node:
        case syntax.Disjunction() | syntax.Implication() | syntax.Equivalence():
            return WHOLE
        case syntax.Declaration() | syntax.Comparison() | syntax.Negation():
            return HELD
        case syntax.Operation(_, "-", syntax.Constant(at, 0)) if at == node.at:
            return SIGN
        case syntax.Operation(_, "+" | "-"):
            return LOOSE
        case syntax.Operation():
            return TIGHT
    return ATOM

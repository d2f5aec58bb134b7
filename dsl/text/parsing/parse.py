"""Text to syntax, or mistakes with their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import syntax
from ..errors import MOST, Mistake, Mistakes
from ..limits import LIMITS
from ..syntax import Place
from ..vocabulary import MAX_DIGITS
from .lalr import NodeMaker, parse_whole, read_clauses
from .lexer import Text, Token, Unexpected


def _operation(operator: str) -> NodeMaker:
    return NodeMaker(lambda at, left, right: syntax.Operation(at, operator, left, right))


def _declaration(at: Place, *parts: Any) -> syntax.Declaration:
    return syntax.Declaration(at, parts[:-1], parts[-1])


def _domain(at: Place, *items: Any) -> syntax.Union:
    parts: list[Any] = []
    for item in items:
        parts += item if isinstance(item, tuple) else [item]
    return syntax.Union(at, tuple(parts))


def _list(at: Place, arguments: Any) -> syntax.Listing:
    *items, body = arguments or [None]
    return syntax.Listing(at, tuple(items), body)


def _held(node: Any) -> Any:
    """What stands where a condition stands: a term there is said to hold."""
    return syntax.Fact(node.at, node) if isinstance(node, syntax.Expr) else node


def _compound(kind: Callable[..., Any]) -> NodeMaker:
    return NodeMaker(lambda at, *parts: kind(at, *map(_held, parts)))


def _symbol(at: Place, word: str) -> syntax.Constant:
    return syntax.Constant(at, word[1:-1].replace("''", "'"))


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


def _set(*elements: Any) -> tuple[Any, ...]:
    return tuple([element for element in elements if element is not None])


def _include(name: Token) -> syntax.Include:
    is_file = name.type == "STRING"
    return syntax.Include(name.at, name[1:-1].replace('""', '"') if is_file else str(name), is_file)


def _grid(name: Token, rows: Any, columns: Any, text: Token | None) -> syntax.Grid:
    size = (rows, columns) if rows else None
    return syntax.Grid(name.at, str(name), text and text[1:-1], (text or name).at, size)


WORD = NodeMaker(str, is_placed=False)

NODES: dict[str, NodeMaker] = {
    "include": NodeMaker(_include, is_placed=False, has_tokens=True),
    "param": NodeMaker(lambda name, value: syntax.Param(name.at, str(name), value), is_placed=False, has_tokens=True),
    "grid": NodeMaker(_grid, is_placed=False, has_tokens=True),
    "show": NodeMaker(lambda at, *parts: syntax.Show(at, parts[:-1], parts[-1])),
    "draw": NodeMaker(syntax.Draw),
    "shown": NodeMaker(syntax.Shown),
    "indexed": NodeMaker(lambda at, word, *arguments: syntax.Call(at, word, arguments)),
    "sense": WORD,
    "objective": NodeMaker(lambda at, sense, *expressions: syntax.Objective(at, sense, expressions)),
    "rule": NodeMaker(lambda label, head, body: syntax.Rule(head.at, label, _held(head), body or ()), is_placed=False),
    "declaration": NodeMaker(_declaration),
    "membership": NodeMaker(_declaration),
    "conjunction": NodeMaker(lambda at, *parts: syntax.Conjunction(at, tuple(map(_held, parts)))),
    "disjunction": NodeMaker(lambda at, *parts: syntax.Disjunction(at, tuple(map(_held, parts)))),
    "implication": _compound(syntax.Implication),
    "equivalence": _compound(syntax.Equivalence),
    "comparison": NodeMaker(syntax.Comparison),
    "relation": WORD,
    "word": WORD,
    "negation": _compound(syntax.Negation),
    "comprehension": NodeMaker(syntax.Comprehension),
    "body": NodeMaker(lambda *conditions: tuple(map(_held, conditions)), is_placed=False),
    "domain": NodeMaker(_domain),
    "listed": NodeMaker(_set, is_placed=False),
    "gathered": NodeMaker(lambda at, item, body: (syntax.Comprehension(at, item, body),)),
    "range": NodeMaker(syntax.Range),
    "add": _operation("+"),
    "subtract": _operation("-"),
    "multiply": _operation("*"),
    "divide": _operation("//"),
    "modulo": _operation("mod"),
    "negate": NodeMaker(lambda at, operand: syntax.Operation(at, "-", syntax.Constant(at, 0), operand)),
    "symbol": NodeMaker(_symbol),
    "keyword": NodeMaker(syntax.Constant),
    "variable": NodeMaker(syntax.Logical),
    "name": NodeMaker(syntax.Name),
    "call": NodeMaker(lambda at, word, arguments: syntax.Call(at, word, arguments[:-1], arguments[-1])),
    "arguments": NodeMaker(_tuple, is_placed=False),
    "list": NodeMaker(_list),
}
"""What is made of the rules of the grammar."""


class _Checked:
    """Makes what can be mistaken though it has the right shape, and notes it."""

    def __init__(self) -> None:
        self.mistakes = Mistakes()
        self.nodes = {
            **NODES,
            "label": NodeMaker(self._label, is_placed=False, has_tokens=True),
            "integer": NodeMaker(self._integer),
        }

    def _label(self, word: Token) -> syntax.Constant:
        at = word.at
        if "\n" in word:
            self.mistakes.append(Mistake("the label that opens here is not closed on its line", at._replace(width=1)))
        return syntax.Constant(at, word[1:-1])

    def _integer(self, at: Place, word: str) -> syntax.Constant:
        if len(word) > MAX_DIGITS:
            self.mistakes.append(Mistake(f"the number has more than {MAX_DIGITS} digits", at))
            return syntax.Constant(at, 0)
        return syntax.Constant(at, int(word))


def parse(text: str, file: str = "") -> tuple[tuple[syntax.Clause, ...], Mistakes]:
    """The clauses of a spec, and what is wrong with it.

    After a mistake, reading goes on behind the next full stop. Linear in the length of the text.

    Examples
    --------
    >>> clauses, mistakes = parse("A in 1..4. B = . C = 3.")
    >>> [clause.head for clause in clauses][1]
    Comparison(left=Logical(name='C'), relation='=', right=Constant(value=3))
    >>> mistakes[0].at
    Place(line=1, column=16, width=1, file='')
    """
    checked = _Checked()
    mistakes = checked.mistakes
    clauses: list[syntax.Clause] = []
    resume: int | None = 0
    if len(text) > LIMITS.characters:
        mistakes.append(Mistake(f"the text has {len(text):,} characters, and {LIMITS.characters:,} is the most"))
        return (), mistakes
    words = Text(text, file)
    while resume is not None and len(mistakes) < MOST:
        start, resume = resume, None
        told = len(mistakes)
        try:
            for clause in read_clauses(words, checked.nodes, start):
                if len(mistakes) == told:
                    clauses.append(clause)
                told = len(mistakes)
        except Unexpected as error:
            from .explain import explain_parse_error

            mistake, resume = explain_parse_error(error, text, start)
            mistake.at = mistake.at and mistake.at._replace(file=file)
            mistakes.append(mistake)
    return tuple(clauses), mistakes


def parse_expression(text: str, at: Place) -> syntax.Expr:
    """A single expression, which stands between braces at a place of a larger text.

    Raises
    ------
    Mistake
        At the first word that cannot stand where it stands.
    """
    checked = _Checked()
    try:
        found = parse_whole(Text(text, at.file, at), checked.nodes)
    except Unexpected as error:
        from .explain import explain_parse_error

        mistake, _ = explain_parse_error(error, text, 0, ends="the braces end")
        mistake.at = at.shifted(mistake.at or Place(1, 1))
        checked.mistakes.append(mistake)
    for mistake in checked.mistakes:
        raise mistake
    return found  # type: ignore[no-any-return]

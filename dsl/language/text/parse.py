"""Text to syntax, or mistakes with their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import syntax
from ..errors import MOST, Mistake, Mistakes
from ..syntax import Place
from ..vocabulary import MAX_DIGITS
from .explain import explain
from .lalr import Token, Unexpected, place, read, read_clauses, tokens

MAX_TEXT = 1_000_000
"""The most characters of a spec."""


def _operation(operator: str) -> Callable[[Place, syntax.Expr, syntax.Expr], syntax.Operation]:
    return lambda at, left, right: syntax.Operation(at, operator, left, right)


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


def _compound(kind: Callable[..., Any]) -> Callable[..., Any]:
    return lambda at, *parts: kind(at, *map(_held, parts))


def _symbol(at: Place, word: Token) -> syntax.Constant:
    return syntax.Constant(at, str(word)[1:-1].replace("''", "'"))


def _tuple(at: Place, *parts: Any) -> tuple[Any, ...]:
    return parts


def _set(at: Place, *elements: Any) -> tuple[Any, ...]:
    return tuple(element for element in elements if element is not None)


def _word(at: Place, word: Token) -> str:
    return str(word)


NODES: dict[str, Callable[..., Any]] = {
    "show": lambda at, *parts: syntax.Show(at, parts[:-1], parts[-1]),
    "shown": syntax.Shown,
    "indexed": lambda at, word, *arguments: syntax.Call(at, str(word), arguments),
    "sense": _word,
    "objective": syntax.Objective,
    "rule": lambda at, label, head, body: syntax.Rule(head.at, label, _held(head), body or ()),
    "declaration": _declaration,
    "membership": _declaration,
    "conjunction": lambda at, *parts: syntax.Conjunction(at, tuple(map(_held, parts))),
    "disjunction": lambda at, *parts: syntax.Disjunction(at, tuple(map(_held, parts))),
    "implication": _compound(syntax.Implication),
    "equivalence": _compound(syntax.Equivalence),
    "comparison": syntax.Comparison,
    "relation": _word,
    "word": _word,
    "negation": _compound(syntax.Negation),
    "comprehension": syntax.Comprehension,
    "body": lambda at, *conditions: tuple(map(_held, conditions)),
    "domain": _domain,
    "set": _set,
    "range": syntax.Range,
    "add": _operation("+"),
    "subtract": _operation("-"),
    "multiply": _operation("*"),
    "divide": _operation("//"),
    "modulo": _operation("mod"),
    "negate": lambda at, operand: syntax.Operation(at, "-", syntax.Constant(at, 0), operand),
    "symbol": _symbol,
    "keyword": syntax.Constant,
    "variable": lambda at, word: syntax.Logical(at, str(word)),
    "name": lambda at, word: syntax.Name(at, str(word)),
    "call": lambda at, word, arguments: syntax.Call(at, str(word), arguments[:-1], arguments[-1]),
    "arguments": _tuple,
    "list": _list,
}
"""What is made of the rules of the grammar: of the place and the parts."""


class _Syntax:
    """Makes syntax of what the rules match; only shapes and places, no meaning."""

    def __init__(self, file: str = "") -> None:
        self.mistakes = Mistakes()
        self._file = file
        self._nodes: dict[str, Callable[..., Any]] = {
            **NODES, "include": self._include, "param": self._param, "grid": self._grid, "label": self._label,
            "integer": self._integer,
        }  # fmt: skip

    def __call__(self, rule: str, at: Place, parts: list[Any]) -> Any:
        return self._nodes[rule](at, *parts)

    def _place(self, word: Token) -> Place:
        return place(word, word, self._file)

    def _include(self, at: Place, name: Token) -> syntax.Include:
        is_file = name.type == "STRING"
        return syntax.Include(self._place(name), str(name)[1:-1].replace('""', '"') if is_file else str(name), is_file)

    def _param(self, at: Place, name: Token, value: syntax.Expr) -> syntax.Param:
        return syntax.Param(self._place(name), str(name), value)

    def _grid(self, at: Place, name: Token, rows: Any, columns: Any, text: Token | None) -> syntax.Grid:
        size = (rows, columns) if rows else None
        return syntax.Grid(self._place(name), str(name), text and str(text)[1:-1], self._place(text or name), size)

    def _label(self, at: Place, word: Token) -> syntax.Constant:
        at = self._place(word)
        if "\n" in word:
            self.mistakes.append(Mistake("the label that opens here is not closed on its line", at._replace(width=1)))
        return syntax.Constant(at, str(word)[1:-1])

    def _integer(self, at: Place, word: Token) -> syntax.Constant:
        if len(word) > MAX_DIGITS:
            self.mistakes.append(Mistake(f"the number has more than {MAX_DIGITS} digits", at))
            return syntax.Constant(at, 0)
        return syntax.Constant(at, int(word))


def parse(text: str, file: str = "") -> tuple[tuple[syntax.Clause, ...], Mistakes]:
    """The clauses of a spec, and what is wrong with it.

    After a mistake, reading goes on behind the next full stop. Linear in the length of the text.

    Parameters
    ----------
    text : str
    file : str
        What the places name as their file.

    Returns
    -------
    tuple of syntax.Clause
        Without those that are mistaken.
    Mistakes

    Examples
    --------
    >>> clauses, mistakes = parse("A in 1..4. B = . C = 3.")
    >>> [clause.head for clause in clauses][1]
    Comparison(left=Logical(name='C'), relation='=', right=Constant(value=3))
    >>> mistakes[0].at
    Place(line=1, column=16, width=1, file='')
    """
    build = _Syntax(file)
    clauses: list[syntax.Clause] = []
    resume: int | None = 0
    if len(text) > MAX_TEXT:
        build.mistakes.append(Mistake(f"the text has {len(text):,} characters, and {MAX_TEXT:,} is the most"))
        return (), build.mistakes
    while resume is not None and len(build.mistakes) < MOST:
        start, resume = resume, None
        told = len(build.mistakes)
        try:
            for clause in read_clauses(tokens(text, start), build, file):
                if len(build.mistakes) == told:
                    clauses.append(clause)
                told = len(build.mistakes)
        except Unexpected as error:
            mistake, resume = explain(error, text, start)
            mistake.at = mistake.at and mistake.at._replace(file=file)
            build.mistakes.append(mistake)
    return tuple(clauses), build.mistakes


def parse_expression(text: str, at: Place) -> syntax.Expr:
    """A single expression, which stands between braces at a place of a larger text.

    Raises
    ------
    Mistake
        At the first word that cannot stand where it stands.
    """
    build = _Syntax(at.file)
    try:
        found = read(tokens(text, origin=at), "expr", build, at.file)
    except Unexpected as error:
        mistake, _ = explain(error, text, 0, ends="the braces end")
        mistake.at = at.shifted(mistake.at or Place(1, 1))
        build.mistakes.append(mistake)
    for mistake in build.mistakes:
        raise mistake
    return found  # type: ignore[no-any-return]

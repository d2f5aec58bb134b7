"""Parses a spec with lark, clause by clause, into syntax nodes and diagnostics."""

from __future__ import annotations

import gc
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import lark
from lark import Lark, Token, Tree, UnexpectedInput

from . import nodes
from .errors import MAX_DIAGNOSTICS, Diagnostic, Diagnostics
from .limits import LIMITS
from .nodes import Place
from .vocabulary import BLANK, COMMENT, KEYWORDS, MAX_DIGITS, NAME, STOP, SYMBOL, TEXT

FOLDER = Path(__file__).parent

MANY = 1 << 20
"""The width of a place of several lines; a report shows the part on the first line."""

SHORT, KNOWN = 1_000, 10_000
"""Maximum number of characters of a clause that is cached, and maximum number of cached clauses."""

SKIPPED = re.compile(f"(?:{BLANK}|{COMMENT})*+")
"""The blanks and comments before a clause."""

CLAUSE = re.compile(rf"""(?:[^.%'"]+|\.\.|{COMMENT}|{SYMBOL}|{TEXT})*+{STOP}""")
"""The text of a clause, up to its full stop."""

VALUE = rf"-?[0-9]{{1,{MAX_DIGITS}}}|{NAME}|{SYMBOL}"
FACT = re.compile(rf"({NAME})\((?:{VALUE})(?:,[ \t]*(?:{VALUE}))*\)\.")
FACT_VALUE = re.compile(VALUE)
"""A fact whose arguments are numbers, words and symbols, and an argument of it."""


@contextmanager
def no_collecting() -> Iterator[None]:
    """Return a context manager that switches off garbage collection during parsing.

    Syntax trees have no cycles, and scanning them would take longer than parsing.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def build_language(grammar: str) -> Lark:
    """Build lark's LALR parser from the text of a grammar."""
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=["clause", "braced"],
        maybe_placeholders=True,
        keep_all_tokens=True,
    )


def saved_for(grammar: str) -> str:
    """Return the key under which a parser is saved: lark's version and the grammar's checksum."""
    return f"lark {lark.__version__}, grammar {crc32(grammar.encode()):08x}"


@cache
def language() -> Lark:
    """Return the parser of ``grammar.lark``.

    It is loaded from ``grammar.pickle``, in a tenth of the time of building it. If another version of lark saved this
    file, or the grammar has changed, it is built; ``pytest tests/language/test_parse.py --rewrite`` saves it.
    """
    grammar = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
    with open(FOLDER / "grammar.pickle", "rb") as file:
        return Lark.load(file) if pickle.load(file) == saved_for(grammar) else build_language(grammar)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, including comments and blanks.

    Raises
    ------
    lark.UnexpectedCharacters
        At a character with which no token begins.

    Examples
    --------
    >>> [token.type for token in tokens("A = 1.  % one")]
    ['VAR', 'WHITESPACE', 'EQUAL', 'WHITESPACE', 'INT', '_END', 'WHITESPACE', 'COMMENT']
    """
    return language().lex(text, dont_ignore=True)


def clause_spans(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each clause from the offset ``start`` on.

    A clause ends with its full stop. The last clause ends with the text if it has no full stop or an open quote.

    Examples
    --------
    >>> text = "A = 1.\\n% one.\\n B in 1..2."
    >>> [text[start:end] for start, end in clause_spans(text)]
    ['A = 1.', 'B in 1..2.']
    """
    end = start
    while (start := _end_of(SKIPPED, text, end)) < len(text):
        end = _end_of(CLAUSE, text, start)
        yield start, end


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return the offset after a match of ``pattern`` at ``start``; without one, the text's end."""
    match = pattern.match(text, start)
    return match.end() if match else len(text)


def parse(text: str, file: str = "") -> tuple[tuple[nodes.Clause, ...], Diagnostics]:
    """Parse a spec and return its clauses and the syntax errors.

    After most errors, parsing continues after the next full stop; after an unclosed quote, it stops. The time is linear
    in the length of the text.

    Examples
    --------
    >>> clauses, diagnostics = parse("A in 1..4. B = . C = 3.")
    >>> [clause.head for clause in clauses][1]
    Comparison(left=Logical(name='C'), relation='=', right=Constant(value=3))
    >>> diagnostics[0].at
    Place(line=1, column=16, width=1, file='')
    """
    diagnostics = Diagnostics()
    clauses: list[nodes.Clause] = []
    resume: int | None = 0
    if len(text) > LIMITS.characters:
        diagnostics.append(
            Diagnostic("too-large", f"the text has {len(text):,} characters; the limit is {LIMITS.characters:,}")
        )
        return (), diagnostics
    with no_collecting():
        while resume is not None and len(diagnostics) < MAX_DIAGNOSTICS:
            start, resume = resume, None
            for begin, clause_text, at in _place_clauses(text, file, start):
                try:
                    clauses.append(_read_fact(clause_text, at) or _read_clause(clause_text, at))
                except _Wrong as error:
                    diagnostics += error.diagnostics
                except UnexpectedInput as error:
                    from .mistakes.explain import explain_parse_error

                    diagnostic, resume = explain_parse_error(error, text, start, begin)
                    diagnostic.at = diagnostic.at and diagnostic.at._replace(file=file)
                    diagnostics.append(diagnostic)
                    break
    return tuple(clauses), diagnostics


def _place_clauses(text: str, file: str, start: int) -> Iterator[tuple[int, str, Place]]:
    """Yield the offset, text and place of each clause, from the offset ``start`` on."""
    line, line_start, counted_to = 1, 0, 0
    for begin, end in clause_spans(text, start):
        line += text.count("\n", counted_to, begin)
        line_start = max(line_start, text.rfind("\n", counted_to, begin) + 1)
        counted_to = begin
        yield begin, text[begin:end], Place(line, begin - line_start + 1, 1, file)


def parse_expression(text: str, at: Place) -> nodes.Expr:
    """Parse an expression between a label's braces; ``at`` is its place in the spec.

    Raises
    ------
    Diagnostic
        At the first syntax error.
    """
    try:
        return _read(text, "braced", at)  # type: ignore[no-any-return]
    except UnexpectedInput as error:
        from .mistakes.explain import explain_parse_error

        diagnostic, _ = explain_parse_error(error, text, 0, 0, end="the end of the braces")
        diagnostic.move_into(at)
        raise diagnostic from None
    except _Wrong as error:
        raise error.diagnostics[0] from None


def _read_fact(text: str, at: Place) -> nodes.Rule | None:
    """Parse a fact such as ``total(1, red).`` without lark; return None for other clauses.

    A spec may have very many facts, and lark takes ten times as long.
    """
    match = FACT.fullmatch(text)
    if not match or match[1] in KEYWORDS:
        return None
    _, column, _, file = at
    line = at.line
    arguments: list[nodes.Expr] = []
    for value in FACT_VALUE.finditer(text, match.end(1) + 1):
        word = value[0]
        value_at = Place(line, column + value.start(), len(word), file)
        if word[0] == "'":
            arguments.append(_symbol(value_at, word))
        elif word[0] == "-":
            number = nodes.Constant(value_at._replace(column=value_at.column + 1, width=len(word) - 1), int(word[1:]))
            arguments.append(MAKERS["negate"](value_at, number))
        elif word.isdecimal():
            arguments.append(nodes.Constant(value_at, int(word)))
        else:
            arguments.append((nodes.Constant if word in KEYWORDS else nodes.Name)(value_at, word))
    at = Place(line, column, len(text) - 1, file)
    return nodes.Rule(at, None, nodes.Fact(at, nodes.Call(at, match[1], tuple(arguments))), ())


class _Wrong(Exception):
    """The exception for a clause with an invalid label, number or picture.

    Its syntax is right.
    """

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics


def _read(text: str, start: str, at: Place) -> Any:
    """Parse a text by the grammar rule ``start``, and return its node.

    ``at`` is the place in the spec where the text begins.

    Raises
    ------
    lark.UnexpectedInput
        At the first syntax error.
    _Wrong
        If a label, number or picture is invalid.
    """
    tree = language().parse(text, start=start)
    builder = _Builder(at)
    made: dict[int, _Made] = {}
    # Make the nodes from the leaves to the root.
    for subtree in tree.iter_subtrees():
        made[id(subtree)] = builder.make(subtree, made)
    if builder.diagnostics:
        raise _Wrong(builder.diagnostics)
    return made[id(tree)].node


class _CachedClause:
    """A cache entry for a clause's text: its latest node and line."""

    latest: tuple[int, nodes.Clause] | None = None


@lru_cache(maxsize=KNOWN)
def _cache_entry(text: str, column: int, file: str) -> _CachedClause:
    """Return the cache entry for a clause's text, its column and its file.

    An entry without a node is new.
    """
    return _CachedClause()


def _read_clause(text: str, at: Place) -> nodes.Clause:
    """Parse a clause, or copy it from the cache if its text was parsed before.

    Only texts of at most ``SHORT`` characters are cached.

    An editor parses a spec after each keystroke, and few clauses have changed; many may have moved.
    """
    if len(text) > SHORT:
        return _read(text, "clause", at)  # type: ignore[no-any-return]
    cached = _cache_entry(text, at.column, at.file)
    if cached.latest is None:
        cached.latest = at.line, _read(text, "clause", at)
    line, clause = cached.latest
    if line != at.line:
        clause = nodes.move(clause, at.line - line)
        cached.latest = at.line, clause
    return clause


VALUES = {"NAME", "VAR", "INT", "SYMBOL", "STRING"}
"""The tokens that become parts of nodes; others are punctuation and keywords."""

WORDS = {"relation", "sense", "word"}
"""The rules whose tokens all become parts."""

NodeMaker = Callable[..., Any]
"""A function that makes the node of a grammar rule from its place and its children."""


def _operation(operator: str) -> NodeMaker:
    return lambda at, left, right: nodes.Operation(at, operator, left, right)


def _declaration(at: Place, *parts: Any) -> nodes.Declaration:
    return nodes.Declaration(at, parts[:-1], parts[-1])


def _domain(at: Place, *items: Any) -> nodes.Union:
    parts: list[Any] = []
    for item in items:
        parts += item if isinstance(item, tuple) else [item]
    return nodes.Union(at, tuple(parts))


def _list(at: Place, arguments: Any) -> nodes.Listing:
    *items, body = arguments or [None]
    return nodes.Listing(at, tuple(items), body)


def _condition(node: Any) -> Any:
    """Convert a node to a condition; an expression becomes a ``Fact``."""
    return nodes.Fact(node.at, node) if isinstance(node, nodes.Expr) else node


def _conditions(_: Place, *conditions: Any) -> tuple[Any, ...]:
    return tuple(map(_condition, conditions))


def _compound(kind: Callable[..., Any]) -> NodeMaker:
    return lambda at, *parts: kind(at, *map(_condition, parts))


def _word(_: Place, word: Token) -> str:
    return str(word)


def _symbol(at: Place, word: str) -> nodes.Constant:
    return nodes.Constant(at, word[1:-1].replace("''", "'"))


def _tuple(_: Place, *parts: Any) -> tuple[Any, ...]:
    return parts


def _set(_: Place, *elements: Any) -> tuple[Any, ...]:
    return tuple([element for element in elements if element is not None])


def _rule(_: Place, label: Any, head: Any, body: Any) -> nodes.Rule:
    return nodes.Rule(head.at, label, _condition(head), body or ())


MAKERS: dict[str, NodeMaker] = {
    "show": lambda at, *parts: nodes.Show(at, parts[:-1], parts[-1]),
    "draw": nodes.Draw,
    "shown": nodes.Shown,
    "indexed": lambda at, word, *arguments: nodes.Call(at, str(word), arguments),
    "sense": _word,
    "objective": lambda at, sense, *expressions: nodes.Objective(at, sense, expressions),
    "rule": _rule,
    "declaration": _declaration,
    "membership": _declaration,
    "conjunction": lambda at, *parts: nodes.Conjunction(at, tuple(map(_condition, parts))),
    "disjunction": lambda at, *parts: nodes.Disjunction(at, tuple(map(_condition, parts))),
    "implication": _compound(nodes.Implication),
    "equivalence": _compound(nodes.Equivalence),
    "comparison": nodes.Comparison,
    "relation": _word,
    "word": _word,
    "negation": _compound(nodes.Negation),
    "comprehension": nodes.Comprehension,
    "body": _conditions,
    "domain": _domain,
    "listed": _set,
    "gathered": lambda at, item, body: (nodes.Comprehension(at, item, body),),
    "range": nodes.Range,
    "add": _operation("+"),
    "subtract": _operation("-"),
    "multiply": _operation("*"),
    "divide": _operation("//"),
    "modulo": _operation("mod"),
    "negate": lambda at, operand: nodes.Operation(at, "-", nodes.Constant(at, 0), operand),
    "symbol": _symbol,
    "keyword": nodes.Constant,
    "variable": lambda at, word: nodes.Logical(at, str(word)),
    "name": lambda at, word: nodes.Name(at, str(word)),
    "call": lambda at, word, arguments: nodes.Call(at, str(word), arguments[:-1], arguments[-1]),
    "arguments": _tuple,
    "atom": lambda _, node: node,
    "list": _list,
}
"""The makers of those rules that need no place of a token and cannot fail."""


class _Made(NamedTuple):
    """A node, with the first and last token of its syntax tree.

    Parentheses around a node belong to its tree only.
    """

    node: Any
    first: Token
    last: Token


class _Builder:
    """A converter of a clause's lark trees to nodes, which collects errors.

    Errors are possible in labels, numbers and pictures of grids.
    """

    def __init__(self, start: Place) -> None:
        self._start = start
        self.diagnostics: list[Diagnostic] = []

    def make(self, tree: Tree[Token], made: dict[int, _Made]) -> _Made:
        """Make the node of a lark tree; remove its children's nodes from ``made``."""
        rule = tree.data
        parts: list[Any] = []
        ends: list[Token] = []
        for child in tree.children:
            if child.__class__ is Tree:
                node, first, last = made.pop(id(child))
                parts.append(node)
                ends += first, last
            elif child is not None:
                ends.append(child)  # type: ignore[arg-type]
                if rule in WORDS or child.type in VALUES:  # type: ignore[union-attr]
                    parts.append(child)
            # Lark puts a None for each token of an absent option.
            elif not parts or parts[-1] is not None:
                parts.append(None)
        first, last = ends[0], ends[-1]
        maker = MAKERS.get(rule) or getattr(self, f"_{rule}")
        return _Made(maker(self._span(first, last), *parts), first, last)

    def _place(self, token: Token) -> Place:
        """Return the place of a token in the spec."""
        return self._span(token, token)

    def _span(self, first: Token, last: Token) -> Place:
        """Return the place from the start of ``first`` to the end of ``last``."""
        line, column, _, file = self._start
        width = last.end_pos - first.start_pos if first.line == last.end_line else MANY  # type: ignore[operator]
        at_line, at_column = first.line, first.column
        return Place(line + at_line - 1, at_column + (column - 1 if at_line == 1 else 0), width, file)  # type: ignore[operator]

    def _include(self, _: Place, name: Token) -> nodes.Include:
        is_file = name.type == "STRING"
        text = name[1:-1].replace('""', '"') if is_file else str(name)
        return nodes.Include(self._place(name), text, is_file)

    def _param(self, _: Place, name: Token, value: Any) -> nodes.Param:
        return nodes.Param(self._place(name), str(name), value)

    def _grid(self, _: Place, name: Token, *parts: Any) -> nodes.Grid:
        *sizes, text = parts
        size = (sizes[0], sizes[1]) if len(sizes) == 2 else None
        text_at = self._place(text or name)
        if text and re.match(r'"""\s', text):
            hint = "write one double quote before the first row, and one after the last row"
            at = text_at._replace(width=3)
            self.diagnostics.append(Diagnostic("picture-quotes", "the picture begins with three quotes", at, hint))
        return nodes.Grid(self._place(name), str(name), text and text[1:-1], text_at, size)

    def _label(self, _: Place, word: Token) -> nodes.Constant:
        at = self._place(word)
        if "\n" in word:
            message = "the label that opens here is not closed on its line"
            self.diagnostics.append(Diagnostic("unclosed-quote", message, at._replace(width=1)))
        return nodes.Constant(at, word[1:-1])

    def _integer(self, at: Place, word: Token) -> nodes.Constant:
        if len(word) > MAX_DIGITS:
            self.diagnostics.append(Diagnostic("too-large", f"the number has more than {MAX_DIGITS} digits", at))
            return nodes.Constant(at, 0)
        return nodes.Constant(at, int(word))

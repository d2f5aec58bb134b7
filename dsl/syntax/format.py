"""Formats a spec: keeps its tokens and comments, and changes only the spacing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lark import Token

from .errors import Diagnostic, Source, SpecError
from .parse import parse, tokens

WIDTH = 120
"""Number of characters above which a line is broken."""

INDENT = 4
"""Number of blanks before a line that continues a clause."""

OPENING = {"LPAR", "LSQB", "LBRACE"}
CLOSING = {"RPAR", "RSQB", "RBRACE"}
JOINED_KINDS = {("NAME", "LPAR"), ("MINIMIZE", "LPAR"), ("MAXIMIZE", "LPAR"), ("STRING", "COLON")}
"""Pairs of neighbouring tokens without a blank between them."""

NO_BLANK_BEFORE = {"COMMA", "_END", *CLOSING}
OPERANDS = {"INT", "NAME", "VAR", "SYMBOL", *CLOSING}
BINDING = {"STAR": 1, "DIVIDE": 1, "PLUS": 2, "MINUS": 2, "DOTS": 3}
"""The operators that may be written without blanks; the number is lower for operators that bind more closely."""


@dataclass(slots=True, eq=False)
class Word:
    """A token or comment of a line, with the column and blanks that formatting decides.

    Attributes
    ----------
    token : Token
    column : int
        Its column in the line, from 0.
    outside : bool
        Whether it is outside of clauses: no clause is open before it.
    joins_left, joins_right : bool
        Whether it touches its neighbour, without a blank.
    gap : int
        The number of blanks before it in the original text.
    """

    token: Token
    column: int
    outside: bool
    joins_left: bool = False
    joins_right: bool = False
    gap: int = 0

    @property
    def kind(self) -> str:
        return self.token.type

    @property
    def text(self) -> str:
        return self.token.rstrip()

    @property
    def is_comment(self) -> bool:
        return self.kind == "COMMENT"

    @property
    def begins(self) -> bool:
        """Whether a clause begins with this word."""
        return self.outside and not self.is_comment

    @property
    def end(self) -> int:
        """The column after the last character of the word."""
        _, newline, last = self.text.rpartition("\n")
        return len(last) if newline else self.column + len(last)


Words = list[Word]


def format_spec(source: Source) -> str:
    """Return the text of a spec with canonical spacing.

    - Line breaks of the author are kept. A clause with a body begins a line and ends one, and lines of more than 120
      characters are broken.
    - Words that the author has aligned with the line above or below stay aligned.
    - An arithmetic operator has blanks on both sides or on neither.

    Raises
    ------
    SpecError
        If the text has a syntax error.

    Examples
    --------
    >>> print(format_spec(Source("-", "A,B in 1 .. 4.A!=B.   % two\\n\\n\\n\\nA = 2*B:-C=1,C<2 .")), end="")
    A, B in 1..4. A != B.  % two
    <BLANKLINE>
    A = 2*B :- C = 1, C < 2.
    """
    _, diagnostics = parse(source.text)
    if diagnostics:
        raise SpecError(diagnostics, {"": source})
    rows = [line for row in _separate_clauses(_rows(source.text)) for line in _break_line(row)]
    _align(rows)
    text = "".join(map(write_row, rows))
    if _significant_tokens(text) != _significant_tokens(source.text):
        raise SpecError(
            [Diagnostic("not-formattable", "its formatted text would mean something else, so it stays as it is")],
            {"": source},
        )
    return text


def _significant_tokens(text: str) -> list[tuple[str, str]]:
    """Return the kind and text of each token except blanks; formatting must not change them."""
    return [(token.type, token.rstrip()) for token in tokens(text) if token.type != "WHITESPACE"]


def _rows(text: str) -> list[Words]:
    """Split a text into lines of ``Word`` objects; successive blank lines become one."""
    rows: list[Words] = [[]]
    outside = True
    for token in tokens(text):
        if token.type == "WHITESPACE":
            rows += [[] for _ in range(min(token.count("\n"), 2 if rows[-1] else 0))]
        else:
            word = Word(token, (token.column or 1) - 1, outside)
            rows[-1].append(word)
            outside = outside if word.is_comment else word.kind == "_END"
    while rows and not rows[-1]:
        rows.pop()
    _join_operators(word for row in rows for word in row if not word.is_comment)
    for row in rows:
        for previous, word in zip([None, *row], row, strict=False):
            word.gap = word.column - (previous.end if previous else 0)
    return rows


def _join_operators(words: Iterable[Word]) -> None:
    """Set which operators have no blanks around them, such as ranges and signs.

    This changes ``joins_left`` and ``joins_right`` of the words. An operator is joined if the author has put no blanks
    around it. In an expression with a joined operator, operators that bind equally or more closely are joined, too.
    """
    expressions: list[list[Word]] = [[]]  # the operators of each open expression, the innermost last
    previous: Word | None = None
    for word in words:
        touches = previous is not None and previous.token.end_pos == word.token.start_pos
        if previous and expressions[-1][-1:] == [previous]:
            previous.joins_right = touches
        # A binary operator follows an operand; any other operator is a sign.
        if word.kind in BINDING and previous and previous.kind in OPERANDS:
            expressions[-1].append(word)
            word.joins_left = touches
        elif word.kind in BINDING:
            word.joins_right = True
        elif word.kind in OPENING:
            expressions.append([])
        elif word.kind in CLOSING:
            _join_expression(expressions.pop())
        elif word.kind not in OPERANDS and word.kind != "MOD":
            _join_expression(expressions[-1])
            expressions[-1] = []
        previous = word


def _join_expression(operators: list[Word]) -> None:
    """Set, for each operator of one expression, whether blanks are around it.

    It has no blanks if it binds at least as closely as the loosest operator that the author wrote without blanks.
    """
    joined = [BINDING[word.kind] for word in operators if word.kind == "DOTS" or (word.joins_left and word.joins_right)]
    for word in operators:
        word.joins_left = word.joins_right = BINDING[word.kind] <= max(joined, default=0)


def _blanks(previous: Word | None, word: Word) -> int:
    """Return the number of blanks to write between two words.

    ``previous`` is None for the first word of a line.
    """
    if previous is None:
        return 0 if word.outside else INDENT
    if word.is_comment:
        return 2
    if word.joins_left or previous.joins_right or (previous.kind, word.kind) in JOINED_KINDS:
        return 0
    return 0 if previous.kind in OPENING or word.kind in NO_BLANK_BEFORE else 1


def _separate_clauses(rows: list[Words]) -> Iterator[Words]:
    """Yield the lines, cut so that a long clause shares no line with other clauses.

    A clause is long if it has a body or several lines.
    """
    # Number the clauses, and collect those that need lines of their own.
    clause, first = 0, 0
    clauses: dict[Word, int] = {}
    long: set[int] = set()
    for number, row in enumerate(rows):
        for word in row:
            if word.begins:
                clause, first = clause + 1, number
            clauses[word] = clause
            if word.kind == "IF" or "\n" in word.text or (number > first and not word.outside):
                long.add(clause)
    for row in rows:
        yield from _cut(row, lambda previous, word: word.begins and bool({clauses[previous], clauses[word]} & long))


Cut = Callable[[Word, Word], bool]
"""A test whether a line may be cut between two neighbouring words."""


def _between_clauses(_: Word, word: Word) -> bool:
    return word.begins


def _before_body(_: Word, word: Word) -> bool:
    return word.kind == "IF"


def _between_words(previous: Word, word: Word) -> bool:
    """Return whether a long line may be cut at the blank between two words.

    It may be cut where a blank is written: after a comma, before a clause, or after an operand.
    """
    is_operator = previous.kind in OPERANDS and word.kind not in ("IN", "MOD", "COMMENT")
    return bool(_blanks(previous, word)) and (previous.kind == "COMMA" or word.begins or is_operator)


def _cut(row: Words, may_cut: Cut) -> Iterator[Words]:
    """Cut a line between words wherever ``may_cut`` allows it; yield the parts."""
    piece: Words = []
    for word in row:
        if piece and may_cut(piece[-1], word):
            yield piece
            piece = []
        piece.append(word)
    yield piece


def _break_line(row: Words, cuts: Sequence[Cut] = (_between_clauses, _before_body, _between_words)) -> Iterator[Words]:
    """Yield the parts of a line; a line of more than ``WIDTH`` characters is broken.

    It is broken between clauses, or if that is not enough, before bodies, then between words.
    """
    if not cuts or _width(row) <= WIDTH:
        yield row
        return
    # Put as many pieces on a line as fit, and break a piece that is too long at the next kind of place.
    line: Words = []
    for piece in _cut(row, cuts[0]):
        if line and _width(line + piece) > WIDTH:
            yield from _break_line(line, cuts[1:])
            line = []
        line += piece
    yield from _break_line(line, cuts[1:])


def _width(row: Words) -> int:
    """Return the number of characters of a line before words are aligned.

    The comment is not counted, nor is text after the first line break inside a word.
    """
    width = 0
    for previous, word in zip([None, *row], row, strict=False):
        if word.is_comment:
            break
        text, newline, _ = word.text.partition("\n")
        width += _blanks(previous, word) + len(text)
        if newline:
            break
    return width


def _align(rows: list[Words]) -> None:
    """Set the columns of words: leftmost, but aligned as the author aligned them.

    Two words are aligned if they are in the same column of neighbouring lines, and one of them has more blanks before
    it than necessary. Lines that continue a clause do not separate the lines above and below them.
    """
    previous: dict[Word, Word | None] = {}
    groups: list[list[Word]] = []
    # Put each word into the group of the aligned word above it, or into a new group.
    groups_above: dict[tuple[int, bool], list[Word]] = {}
    for row in rows:
        groups_here = dict(groups_above) if row and not row[0].outside else {}
        for before, word in zip([None, *row], row, strict=False):
            previous[word] = before
            column = word.column, word.is_comment
            group = groups_above.get(column, [])
            may_move = word.is_comment or _blanks(before, word) > 0
            if not (may_move and group and (_has_wide_gap(group[-1], previous) or _has_wide_gap(word, previous))):
                group = []
                groups.append(group)
            group.append(word)
            if may_move:
                groups_here[column] = group
        groups_above = groups_here
    # From left to right, move each group to the first column that is free in all of its lines.
    for group in sorted(groups, key=lambda group: group[0].column):
        furthest = max((before.end if (before := previous[word]) else 0) + _blanks(before, word) for word in group)
        for word in group:
            word.column = furthest


def _has_wide_gap(word: Word, previous: dict[Word, Word | None]) -> bool:
    """Return whether the author wrote more blanks before a word than necessary."""
    return word.gap > _blanks(previous[word], word)


def write_row(row: Words) -> str:
    """Return the text of a line, with each word at its column."""
    line = ""
    end = 0
    for word in row:
        line += " " * (word.column - end) + word.text
        end = word.end
    return line + "\n"

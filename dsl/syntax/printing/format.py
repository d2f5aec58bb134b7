"""The canonical text of a spec: the same tokens and comments, differently spaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..errors import Diagnostic, Source, SpecError
from ..parsing.lexer import Text, Token
from ..parsing.parse import parse

WIDTH = 120
INDENT = 4

OPENING = {"LPAR", "LSQB", "LBRACE"}
CLOSING = {"RPAR", "RSQB", "RBRACE"}
BOUND = {("NAME", "LPAR"), ("MINIMIZE", "LPAR"), ("MAXIMIZE", "LPAR"), ("STRING", "COLON")}
NO_BLANK_BEFORE = {"COMMA", "_END", *CLOSING}
OPERANDS = {"INT", "NAME", "VAR", "SYMBOL", *CLOSING}
BINDING = {"STAR": 1, "DIVIDE": 1, "PLUS": 2, "MINUS": 2, "DOTS": 3}
"""The operators that may stand without blanks, and how loosely they bind."""


@dataclass(slots=True, eq=False)
class Word:
    """A token or comment of a text.

    Attributes
    ----------
    token : Token
    column : int
        Where it stands in its line, from 0.
    outside : bool
        Whether no clause is open before it.
    joins_left, joins_right : bool
        Whether it stands without a blank beside its neighbour.
    gap : int
        How many blanks the author has put before it.
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
        """Whether a clause begins with it."""
        return self.outside and not self.is_comment

    @property
    def end(self) -> int:
        """The column behind it."""
        _, newline, last = self.text.rpartition("\n")
        return len(last) if newline else self.column + len(last)


Words = list[Word]


def format_spec(source: Source) -> str:
    """The text of a spec, spaced as every spec is.

    The author decides where lines end, except that a clause with a body has lines of its own and that lines of more
    than 120 characters are broken. Words that the author has aligned with the line above or below stay aligned, and
    an arithmetic operator has blanks on both sides or on none.

    Raises
    ------
    SpecError
        If it is not of the language.

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
    rows = [line for row in _separated(_rows(source.text)) for line in _fitting(row)]
    _align(rows)
    text = "".join(map(written, rows))
    if _meant(text) != _meant(source.text):
        raise SpecError(
            [Diagnostic("its formatted text would mean something else, so it stays as it is")], {"": source}
        )
    return text


def _meant(text: str) -> list[tuple[str, str]]:
    """What formatting must not change."""
    return [(token.type, token.rstrip()) for token in Text(text) if token.type != "WHITESPACE"]


def _rows(text: str) -> list[Words]:
    """The words of each line; a line without words is blank, of which there are never two in a row."""
    rows: list[Words] = [[]]
    outside = True
    for token in Text(text):
        if token.type == "WHITESPACE":
            rows += [[] for _ in range(min(token.count("\n"), 2 if rows[-1] else 0))]
        else:
            word = Word(token, token.at.column - 1, outside)
            rows[-1].append(word)
            outside = outside if word.is_comment else word.kind == "_END"
    while rows and not rows[-1]:
        rows.pop()
    _bind(word for row in rows for word in row if not word.is_comment)
    for row in rows:
        for left, word in zip([None, *row], row, strict=False):
            word.gap = word.column - (left.end if left else 0)
    return rows


def _bind(words: Iterable[Word]) -> None:
    """Join operators and operands: in ranges, after signs, and where the author has joined them.

    In an expression with a joined operator, those that bind as closely or closer are joined too.
    """
    expressions: list[list[Word]] = [[]]
    left: Word | None = None
    for word in words:
        touches = left is not None and left.token.end_pos == word.token.start_pos
        if left and expressions[-1][-1:] == [left]:
            left.joins_right = touches
        if word.kind in BINDING and left and left.kind in OPERANDS:
            expressions[-1].append(word)
            word.joins_left = touches
        elif word.kind in BINDING:
            word.joins_right = True
        elif word.kind in OPENING:
            expressions.append([])
        elif word.kind in CLOSING:
            _join(expressions.pop())
        elif word.kind not in OPERANDS and word.kind != "MOD":
            _join(expressions[-1])
            expressions[-1] = []
        left = word


def _join(operators: list[Word]) -> None:
    """Let the operators of one expression agree."""
    joined = [BINDING[word.kind] for word in operators if word.kind == "DOTS" or (word.joins_left and word.joins_right)]
    for word in operators:
        word.joins_left = word.joins_right = BINDING[word.kind] <= max(joined, default=0)


def _blanks(left: Word | None, word: Word) -> int:
    """How many blanks belong between two words, or before the first word of a line."""
    if left is None:
        return 0 if word.outside else INDENT
    if word.is_comment:
        return 2
    if word.joins_left or left.joins_right or (left.kind, word.kind) in BOUND:
        return 0
    return 0 if left.kind in OPENING or word.kind in NO_BLANK_BEFORE else 1


def _separated(rows: list[Words]) -> Iterator[Words]:
    """The lines, cut where a clause that has a body, or that fills several lines, shares one with another clause."""
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
        yield from _cut(row, lambda left, word: word.begins and bool({clauses[left], clauses[word]} & long))


Cut = Callable[[Word, Word], bool]


def _between_clauses(_: Word, word: Word) -> bool:
    return word.begins


def _before_body(_: Word, word: Word) -> bool:
    return word.kind == "IF"


def _between_words(left: Word, word: Word) -> bool:
    """Behind a comma, or before an operator that has blanks around it."""
    is_operator = left.kind in OPERANDS and word.kind not in ("IN", "MOD", "COMMENT")
    return bool(_blanks(left, word)) and (left.kind == "COMMA" or word.begins or is_operator)


def _cut(row: Words, between: Cut) -> Iterator[Words]:
    """The pieces of a line."""
    piece: Words = []
    for word in row:
        if piece and between(piece[-1], word):
            yield piece
            piece = []
        piece.append(word)
    yield piece


def _fitting(row: Words, cuts: Sequence[Cut] = (_between_clauses, _before_body, _between_words)) -> Iterator[Words]:
    """The line, or where it is too long, its pieces, as many on a line as fit."""
    if not cuts or _width(row) <= WIDTH:
        yield row
        return
    line: Words = []
    for piece in _cut(row, cuts[0]):
        if line and _width(line + piece) > WIDTH:
            yield from _fitting(line, cuts[1:])
            line = []
        line += piece
    yield from _fitting(line, cuts[1:])


def _width(row: Words) -> int:
    """How long a line is at least, up to its comment or its first line break."""
    width = 0
    for left, word in zip([None, *row], row, strict=False):
        if word.is_comment:
            break
        text, newline, _ = word.text.partition("\n")
        width += _blanks(left, word) + len(text)
        if newline:
            break
    return width


def _align(rows: list[Words]) -> None:
    """Move the words to their columns: as far left as may be, and those together that the author has aligned.

    Two words are aligned if they stand in one column of neighbouring lines, and one of them has more blanks before it
    than it needs. The lines on which a clause continues do not part its neighbours.
    """
    left: dict[Word, Word | None] = {}
    groups: list[list[Word]] = []
    above: dict[tuple[int, bool], list[Word]] = {}
    for row in rows:
        here = dict(above) if row and not row[0].outside else {}
        for before, word in zip([None, *row], row, strict=False):
            left[word] = before
            column = word.column, word.is_comment
            group = above.get(column, [])
            may_move = word.is_comment or _blanks(before, word) > 0
            if not (may_move and group and (_is_wide(group[-1], left) or _is_wide(word, left))):
                group = []
                groups.append(group)
            group.append(word)
            if may_move:
                here[column] = group
        above = here
    for group in sorted(groups, key=lambda group: group[0].column):
        furthest = max((before.end if (before := left[word]) else 0) + _blanks(before, word) for word in group)
        for word in group:
            word.column = furthest


def _is_wide(word: Word, left: dict[Word, Word | None]) -> bool:
    return word.gap > _blanks(left[word], word)


def written(row: Words) -> str:
    line = ""
    end = 0
    for word in row:
        line += " " * (word.column - end) + word.text
        end = word.end
    return line + "\n"

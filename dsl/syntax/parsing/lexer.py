"""Texts to words, on lark's tables."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate, compress
from typing import NamedTuple

from ..nodes import Place
from .tables import tables

MANY = 1 << 20
"""The width of what runs over the end of its line; a report shows what is on the line."""

NOTHING = "NOTHING"
"""The kind of the rest of a text, where no token begins."""

KNOWN = 5_000
"""How many short words are remembered with their kinds."""


class Unexpected(Exception):
    """A text that no grammar matches; what is wrong begins at an offset."""

    def __init__(self, at: int) -> None:
        self.at = at


class UnexpectedCharacter(Unexpected):
    """No token begins there."""


class Token(str):
    """A piece of a text.

    Attributes
    ----------
    type : str
        Its kind, a terminal of the grammar.
    start_pos, end_pos : int
        Where it is: offsets of its first character and of the one behind it.
    at : Place
        The same as line and column.
    """

    __slots__ = ("at", "end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int
    at: Place


class ClauseTokens(NamedTuple):
    """The tokens of a clause, or of an expression: their kinds, what they are, and at which offsets they begin."""

    kinds: list[str]
    words: list[str]
    begins: list[int]

    def between(self, first: int, end: int | None) -> ClauseTokens:
        """Some of its tokens."""
        return ClauseTokens(self.kinds[first:end], self.words[first:end], self.begins[first:end])


class Text:
    """A text and its words."""

    def __init__(self, text: str, file: str = "", origin: Place | None = None) -> None:
        self._text, self._file = text, file
        self._before = origin.line - 1 if origin else 0
        self._lines = [1 - origin.column if origin else 0, *[found.end() for found in re.finditer("\n", text)]]
        self._words: ClauseTokens = ClauseTokens([], [], [])

    def place(self, begin: int, end: int) -> Place:
        """Where a piece of the text is that goes from one offset to another."""
        lines = self._lines
        line = bisect_right(lines, begin)
        is_one_line = line == len(lines) or end < lines[line]
        return Place(line + self._before, begin - lines[line - 1] + 1, end - begin if is_one_line else MANY, self._file)

    def token(self, kind: str, word: str, begin: int) -> Token:
        """A token."""
        token = Token(word)
        token.type, token.start_pos, token.end_pos = kind, begin, begin + len(word)
        token.at = self.place(begin, max(begin + 1, token.end_pos))
        return token

    def __iter__(self) -> Iterator[Token]:
        """All tokens, comments and blanks too.

        Raises
        ------
        UnexpectedCharacter
            Where no token begins.

        Examples
        --------
        >>> [token.type for token in Text("A = 1.  % one")]
        ['VAR', 'WHITESPACE', 'EQUAL', 'WHITESPACE', 'INT', '_END', 'WHITESPACE', 'COMMENT']
        """
        for kind, word, begin in zip(*self._from(0), strict=True):
            if kind == NOTHING:
                raise UnexpectedCharacter(begin)
            yield self.token(kind, word, begin)

    def pieces(self, start: int = 0) -> Iterator[ClauseTokens]:
        """The text from an offset on, piece by piece, each to a full stop, without comments and blanks.

        Examples
        --------
        >>> [piece.words for piece in Text("A = 1.\\n% one\\n B = 2.").pieces()]
        [['A', '=', '1', '.'], ['B', '=', '2', '.']]
        """
        found = self._from(start)
        ignored = frozenset(tables().ignored)
        selected = [kind not in ignored for kind in found.kinds]
        tokens = ClauseTokens(
            list(compress(found.kinds, selected)),
            list(compress(found.words, selected)),
            list(compress(found.begins, selected)),
        )
        at = 0
        for end in [i for i, kind in enumerate(tokens.kinds, 1) if kind == "_END" or i == len(tokens.kinds)]:
            yield tokens.between(at, end)
            at = end

    def _from(self, start: int) -> ClauseTokens:
        """All words from an offset on; those that have been found are not looked for again."""
        known = bisect_left(self._words.begins, start)
        if self._words.begins[known : known + 1] == [start]:
            return self._words.between(known, None)
        find, kind_of = _finder()
        words = find(self._text, start)
        begins = [*accumulate(map(len, words), initial=start)][:-1]
        self._words = ClauseTokens([*map(kind_of.__getitem__, words)], words, begins)
        return self._words


class _Kinds(dict[str, str]):
    """The kinds of words."""

    def __init__(self, kind_of: Callable[[str], re.Match[str] | None], words: dict[str, dict[str, str]]) -> None:
        super().__init__()
        self._kind_of, self._words_of = kind_of, words

    def __missing__(self, word: str) -> str:
        found = self._kind_of(word)
        kind = str(found.lastgroup) if found else NOTHING
        kind = self._words_of.get(kind, {}).get(word, kind)
        if len(word) <= 20 and len(self) < KNOWN:
            self[word] = kind
        return kind


@cache
def _finder() -> tuple[Callable[[str, int], list[str]], _Kinds]:
    """What finds all words of a text, the last of which may be a rest in which no token begins; and their kinds."""
    pattern = tables().pattern
    plain = re.sub(r"\(\?P<\w+>", "(?:", pattern)
    return re.compile(f"{plain}|(?s:.+)").findall, _Kinds(re.compile(pattern).fullmatch, tables().words)

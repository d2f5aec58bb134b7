"""The lexer: splits a text into tokens by tables that lark generates."""

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
"""The width of a place of several lines; a report shows the part on the first line."""

NOTHING = "NOTHING"
"""The kind of the rest of a text from the first character with which no token begins."""

KNOWN = 5_000
"""Maximum number of short words whose kinds are cached."""


class Unexpected(Exception):
    """The exception for a syntax error at an offset of the text."""

    def __init__(self, at: int) -> None:
        self.at = at


class UnexpectedCharacter(Unexpected):
    """The exception for a character that cannot begin a token."""


class Token(str):
    """A token of a text, with its kind and place.

    Attributes
    ----------
    type : str
        Its kind, a terminal of the grammar.
    start_pos, end_pos : int
        The offsets of its first character and after its last one.
    at : Place
        Its place as line and column.
    """

    __slots__ = ("at", "end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int
    at: Place


class ClauseTokens(NamedTuple):
    """The tokens of a clause or an expression: their kinds, texts and offsets."""

    kinds: list[str]
    words: list[str]
    begins: list[int]

    def between(self, first: int, end: int | None) -> ClauseTokens:
        """Return the tokens from index ``first`` up to but excluding ``end``."""
        return ClauseTokens(self.kinds[first:end], self.words[first:end], self.begins[first:end])


class Text:
    """A text that is split into tokens when first needed.

    ``origin`` is the place of the text in the file ``file``, if it is a part of it.
    """

    def __init__(self, text: str, file: str = "", origin: Place | None = None) -> None:
        self._text, self._file = text, file
        self._before = origin.line - 1 if origin else 0
        self._lines = [1 - origin.column if origin else 0, *[match.end() for match in re.finditer("\n", text)]]
        self._words: ClauseTokens = ClauseTokens([], [], [])

    def place(self, begin: int, end: int) -> Place:
        """Return the place of the text between two offsets."""
        lines = self._lines
        line = bisect_right(lines, begin)
        is_one_line = line == len(lines) or end < lines[line]
        return Place(line + self._before, begin - lines[line - 1] + 1, end - begin if is_one_line else MANY, self._file)

    def token(self, kind: str, word: str, begin: int) -> Token:
        """Make a token from a word, with its kind, offsets and place."""
        token = Token(word)
        token.type, token.start_pos, token.end_pos = kind, begin, begin + len(word)
        token.at = self.place(begin, max(begin + 1, token.end_pos))
        return token

    def __iter__(self) -> Iterator[Token]:
        """Yield all tokens, including comments and blanks.

        Raises
        ------
        UnexpectedCharacter
            At a character with which no token begins.

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
        """Yield each clause's tokens, starting at an offset, without comments and blanks.

        A clause ends with a full stop or with the text.

        Examples
        --------
        >>> [piece.words for piece in Text("A = 1.\\n% one\\n B = 2.").pieces()]
        [['A', '=', '1', '.'], ['B', '=', '2', '.']]
        """
        all_tokens = self._from(start)
        ignored = frozenset(tables().ignored)
        selected = [kind not in ignored for kind in all_tokens.kinds]
        tokens = ClauseTokens(
            list(compress(all_tokens.kinds, selected)),
            list(compress(all_tokens.words, selected)),
            list(compress(all_tokens.begins, selected)),
        )
        at = 0
        for end in [i for i, kind in enumerate(tokens.kinds, 1) if kind == "_END" or i == len(tokens.kinds)]:
            yield tokens.between(at, end)
            at = end

    def _from(self, start: int) -> ClauseTokens:
        """Return all tokens from an offset to the end of the text.

        The search is skipped if a token of an earlier search begins there.
        """
        first = bisect_left(self._words.begins, start)
        if self._words.begins[first : first + 1] == [start]:
            return self._words.between(first, None)
        find, kind_of = _finder()
        words = find(self._text, start)
        begins = [*accumulate(map(len, words), initial=start)][:-1]
        self._words = ClauseTokens([*map(kind_of.__getitem__, words)], words, begins)
        return self._words


class _Kinds(dict[str, str]):
    """A cache that maps each word to its kind of token."""

    def __init__(self, kind_of: Callable[[str], re.Match[str] | None], words: dict[str, dict[str, str]]) -> None:
        super().__init__()
        self._kind_of, self._words_of = kind_of, words

    def __missing__(self, word: str) -> str:
        match = self._kind_of(word)
        kind = str(match.lastgroup) if match else NOTHING
        kind = self._words_of.get(kind, {}).get(word, kind)
        if len(word) <= 20 and len(self) < KNOWN:
            self[word] = kind
        return kind


@cache
def _finder() -> tuple[Callable[[str, int], list[str]], _Kinds]:
    """Return a function that splits a text into words, and a cache of their kinds.

    If no token begins at a character, the last word is the rest of the text.
    """
    pattern = tables().pattern
    plain = re.sub(r"\(\?P<\w+>", "(?:", pattern)
    return re.compile(f"{plain}|(?s:.+)").findall, _Kinds(re.compile(pattern).fullmatch, tables().words)

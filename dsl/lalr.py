"""The grammar's lexer and parser, made by lark once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lark import Lark, Token


@cache
def parser() -> Lark:
    """The parser; its tables are kept beside the bytecode."""
    folder = Path(__file__).parent
    tables = folder / "__pycache__" / f"grammar.{sys.implementation.cache_tag}.tables"
    return Lark(
        (folder / "grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        start=["start", "expr"],
        propagate_positions=True,
        maybe_placeholders=True,
        cache=str(tables) if tables.parent.exists() else False,
    )


def lex(text: str) -> Iterator[Token]:
    """All tokens of a text, comments and blanks too.

    Raises
    ------
    lark.exceptions.UnexpectedCharacters
        Where no token begins.

    Examples
    --------
    >>> [token.type for token in lex("A = 1.  % one")]
    ['VAR', 'WHITESPACE', 'EQUAL', 'WHITESPACE', 'INT', '_END', 'WHITESPACE', 'COMMENT']
    """
    return parser().lex(text, dont_ignore=True)

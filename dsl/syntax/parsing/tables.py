"""Loads the tables of lexer and parser from ``tables.json``.

Generating them takes longer than reading most specs. The file contains a checksum of the grammar. If the grammar has
changed, lark generates the tables on first use.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32


class Tables(NamedTuple):
    """The tables of the lexer and of the LALR(1) parser.

    Attributes
    ----------
    pattern : str
        A regular expression for the next token, with a named group for each kind of token.
    words : dict of str to dict of str to str
        For a kind of token, the texts that have another kind, such as keywords among names.
    ignored : list of str
        The kinds of tokens that the parser skips: blanks and comments.
    rules : list of lists
        For each rule: the number of symbols, the name of its left side, the name of its match, the selected children,
        the number of None values appended to them, and whether a single child replaces the match. A selected child is
        (position, whether its children are inserted instead, number of None values before it); None selects all.
    states : list of dict
        For each state, by kind of token or name of rule: the next state, or ``~number`` of the rule to reduce.
    begins, ends : dict of str to int
        The first and the last state of each start rule.
    """

    pattern: str
    words: dict[str, dict[str, str]]
    ignored: list[str]
    rules: list[list[Any]]
    states: list[dict[str, int]]
    begins: dict[str, int]
    ends: dict[str, int]


FOLDER = Path(__file__).parent


def checksum(grammar: str) -> str:
    """Return the checksum of a grammar, to detect outdated tables."""
    return f"{crc32(grammar.encode()):08x}"


@cache
def tables() -> Tables:
    """Return the tables of ``grammar.lark``; ``pytest tests/test_tables.py --rewrite`` updates the file."""
    grammar = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
    stored_checksum, stored = json.loads((FOLDER / "tables.json").read_text(encoding="ascii"))
    if stored_checksum != checksum(grammar):
        from .grammar import make_tables

        stored = make_tables(grammar)
    return Tables(**stored)

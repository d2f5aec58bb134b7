"""The tables that lark makes of the grammar, and where they are kept: making them takes longer than most a spec.

What is kept goes with a checksum of the grammar; of any other grammar lark makes the tables when they are wanted.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32


class Tables(NamedTuple):
    """What lexer and parser run on.

    Attributes
    ----------
    pattern : str
        A regular expression for the next token, with a group for every kind.
    words : dict of str to dict of str to str
        For a kind of tokens, those texts that are of other kinds.
    ignored : list of str
        The kinds of tokens that stand between others.
    rules : list of lists
        Of each rule how many values it takes, what it is a rule for, what its match is called, which parts of the match
        count, as (position, whether it gives its own parts, how many blanks before it), or None where all do, how many
        blanks are behind them, and whether a single part stands for itself.
    states : list of dict
        For each kind of token or rule the state to go to, or, as ``~number``, the rule that has matched.
    begins, ends : dict of str to int
        The first and the last state for each rule that a text can match.
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
    """What tells a grammar from others."""
    return f"{crc32(grammar.encode()):08x}"


@cache
def tables() -> Tables:
    """The tables of ``grammar.lark``; ``pytest tests/test_tables.py --rewrite`` keeps them."""
    grammar = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
    made_from, kept = json.loads((FOLDER / "tables.json").read_text(encoding="ascii"))
    if made_from != checksum(grammar):
        from .grammar import made

        kept = made(grammar)
    return Tables(**kept)

"""The tables of the grammar, which lark has made; tests/test_tables.py makes them again and compares."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


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


@cache
def tables() -> Tables:
    """The tables of ``grammar.lark``."""
    return Tables(**json.loads((Path(__file__).parent / "tables.json").read_text(encoding="ascii")))

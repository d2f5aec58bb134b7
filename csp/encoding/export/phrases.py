"""Phrases: texts of expressions, with the conditions under which they are defined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NamedTerms = Sequence[tuple[int, str]]
"""The terms of a sum: pairs of coefficient and text."""


class Phrase(NamedTuple):
    """The text of an expression, with conditions.

    ``conditions``: formulas that must hold for the expression to be defined.
    """

    text: str
    conditions: tuple[str, ...] = ()


def factor(text: str) -> str:
    """Return the text, in parentheses unless it is a single word."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def together(parts: Iterable[Phrase]) -> tuple[str, ...]:
    """Return the conditions of several phrases."""
    return tuple([condition for part in parts for condition in part.conditions])

"""Texts of expressions, with the conditions under which the expressions are defined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NamedTerms = Sequence[tuple[int, str]]
"""The terms of a sum: pairs of coefficient and text."""


class Phrase(NamedTuple):
    """The text of an expression, with the conditions under which the expression is defined.

    ``conditions``: formulas that must hold for the expression to be defined.
    """

    text: str
    conditions: tuple[str, ...] = ()


def factor(text: str) -> str:
    """Return a text in parentheses, or unchanged if it is a single word."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def together(parts: Iterable[Phrase]) -> tuple[str, ...]:
    """Return the conditions of several phrases in one tuple."""
    return tuple([condition for part in parts for condition in part.conditions])

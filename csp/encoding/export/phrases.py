"""Texts of expressions in other languages, with the conditions under which they have a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NamedTerms = Sequence[tuple[int, str]]


class Phrase(NamedTuple):
    """What a language writes, and the formulas that must hold besides, because there is no value where they do not."""

    text: str
    conditions: tuple[str, ...] = ()


def factor(text: str) -> str:
    """The text, in parentheses where it is more than a name or a number."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def together(parts: Iterable[Phrase]) -> tuple[str, ...]:
    """The conditions of several formulas."""
    return tuple([condition for part in parts for condition in part.conditions])

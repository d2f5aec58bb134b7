"""Defines the language's words: keywords, functions, constraints, and the patterns of tokens.

Tests check that the grammar and the editors' grammar, which cannot import this file, agree with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from csp import (
    Affine,
    AllDifferent,
    AllDifferentExcept,
    Circuit,
    Connected,
    Constraint,
    Equality,
    Increasing,
    Inverse,
    Runs,
)

DECLARING = ("include", "param", "grid", "show", "draw", "minimize", "maximize")
"""The keywords that begin a clause."""

OPERATING = ("in", "not", "mod")
"""The keywords inside clauses."""

KEYWORDS = (*DECLARING, *OPERATING)


class ListWord(NamedTuple):
    """The properties of a keyword that constrains lists, such as ``all_different``.

    Attributes
    ----------
    kind : callable
        Constructs the constraint from the tuple of its elements, with ``label`` and ``line``.
    differ : bool
        Whether the elements must differ, so that no element occurs twice and there are as many values as elements.
        Otherwise the elements are numbers.
    in_order : bool
        Whether the order of the elements matters.
    """

    kind: Callable[..., Constraint]
    differ: bool = False
    in_order: bool = False


def _decreasing(elements: tuple[Affine, ...], **tags: Any) -> Constraint:
    return Increasing(elements[::-1], **tags)


def _strictly_increasing(elements: tuple[Affine, ...], **tags: Any) -> Constraint:
    return Increasing(tuple([element - place for place, element in enumerate(elements)]), **tags)


CONSTRAINTS = {
    "all_different": ListWord(AllDifferent, differ=True),
    "all_different_except": ListWord(AllDifferentExcept),
    "all_equal": ListWord(Equality),
    "circuit": ListWord(Circuit, in_order=True),
    "connected": ListWord(Connected),
    "decreasing": ListWord(_decreasing, in_order=True),
    "increasing": ListWord(Increasing, in_order=True),
    "inverse": ListWord(Inverse, in_order=True),
    "runs": ListWord(Runs, in_order=True),
    "strictly_increasing": ListWord(_strictly_increasing, in_order=True),
}
"""The words that constrain one or several lists."""


class Function(NamedTuple):
    """The kind and number of arguments that a function of the language accepts.

    Attributes
    ----------
    arity : int, optional
        The number of arguments; None for any number.
    conditions : bool
        Whether the arguments are conditions instead of numbers.
    chooses : bool
        Whether conditions on puzzle variables may select the arguments.
    """

    arity: int | None = None
    conditions: bool = False
    chooses: bool = False


FUNCTIONS = {
    "abs": Function(arity=1),
    "count": Function(conditions=True, chooses=True),
    "max": Function(chooses=True),
    "min": Function(chooses=True),
    "nvalue": Function(),
    "product": Function(chooses=True),
    "sum": Function(chooses=True),
}
"""The functions; the engine uses the same names."""

RESERVED = frozenset((*CONSTRAINTS, *FUNCTIONS))
"""The words that a spec cannot use as names."""

SYNONYMS = dict.fromkeys(
    ("alldiff", "all_diff", "all_distinct", "alldistinct", "distinct", "different"), "all_different"
)  # fmt: skip
"""The word of this language for each word of another language."""


MAX_DIGITS = 18
"""Maximum number of digits of a number."""

MAX_NUMBER = 10**MAX_DIGITS
"""The largest absolute value that arithmetic may yield; a larger result is an error."""

NAME = r"[a-z][A-Za-z0-9_]*"
VARIABLE = r"[A-Z_][A-Za-z0-9_]*"
SYMBOL = r"'[^'\n]*(?:''[^'\n]*)*'"
TEXT = r'"[^"]*(?:""[^"]*)*"'
NUMBER = r"[0-9]+"
STOP = r"\.(?![.0-9])"
COMMENT = r"%[^\n]*"
BLANK = r"[ \t\r\n\f]+"

INDEX = rf"(?:-?[0-9]{{1,{MAX_DIGITS}}}|{NAME}|{SYMBOL})"
TERM = rf"(?:{NAME}|{VARIABLE}|{NAME}\({INDEX}(?:,{INDEX})*\))"
"""The pattern of a puzzle variable as answers print it, such as ``cell(1,2)``."""


def is_name(text: str) -> bool:
    """Return whether a text is a lowercase name or a keyword.

    Examples
    --------
    >>> is_name("red"), is_name("Big Red")
    (True, False)
    """
    return bool(re.fullmatch(NAME, text))

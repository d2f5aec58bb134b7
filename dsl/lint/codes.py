"""Defines the codes of the lint warnings."""

from __future__ import annotations

from typing import Literal, get_args

from ..syntax.errors import Diagnostic
from ..syntax.nodes import Place

Code = Literal[
    "always-true",
    "clashing-givens",
    "contained-group",
    "duplicate-clause",
    "duplicate-constraint",
    "duplicate-fact",
    "duplicate-group",
    "empty-clause",
    "lone-element",
    "lowercase-index",
    "misspelt-symbol",
    "needless-show",
    "never-true",
    "one-value",
    "param-or-symbol",
    "same-label",
    "self-comparison",
    "shadowed-variable",
    "similar-names",
    "singleton",
    "too-few-values",
    "unknown-symbol",
    "unknown-warning",
    "unmatched-value",
    "unseen-drawing",
    "unused-grid",
    "unused-param",
    "unused-relation",
    "unused-variable",
]
"""The code of a warning, by which a comment can silence it."""

CODES: tuple[Code, ...] = get_args(Code)
"""All codes of warnings, in alphabetical order."""


def warning(code: Code, message: str, at: Place, hint: str, grid: str = "") -> Diagnostic:
    """Return a lint warning about a valid part of a spec, probably a mistake."""
    return Diagnostic(message, at, hint, grid, code)

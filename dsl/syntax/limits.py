"""Defines all limits on the size of a spec."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The maximum sizes of a spec; larger specs are refused before memory runs out."""

    bytes: int = 8_000_000
    """Bytes of a file."""
    characters: int = 1_000_000
    """Characters of a spec and its included files together."""
    files: int = 100
    """Number of files: the spec and its included files."""
    cells: int = 1_000_000
    """Characters of a picture."""
    instances: int = 1_000_000
    """Number of bindings of logical variables, in all clauses together."""
    domain: int = 100_000
    """Number of values of a variable's domain, or of a set in a condition."""
    candidates: int = 10_000_000
    """Number of values of all domains together."""
    labels: int = 20_000_000
    """Characters of all labels together; a label without expressions counts once."""
    nesting: int = 50
    """Depth of nested conditions and operations; the engine's recursion reaches Python's limit before 100."""


LIMITS = Limits()
"""The limits of ``csp`` and of ``dsl.loads``."""

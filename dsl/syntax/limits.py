"""Every limit of what is read, in one place."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The most that a spec may say, so that reading ends with a message before memory does."""

    bytes: int = 8_000_000
    """Of a file."""
    characters: int = 1_000_000
    """Of a spec with all that it includes."""
    files: int = 100
    """Of a spec and what it includes."""
    cells: int = 1_000_000
    """Of a picture."""
    instances: int = 1_000_000
    """Bindings of logical variables in all."""
    domain: int = 100_000
    """Values of a variable's domain, and of a set in a condition."""
    candidates: int = 10_000_000
    """Values that all variables have together."""
    labels: int = 20_000_000
    """Characters of all labels together; a label without expressions counts once."""
    nesting: int = 50
    """Conditions and operations inside each other; the engine's recursion reaches Python's limit before 100."""


LIMITS = Limits()
"""Those of ``csp`` and of ``dsl.loads``."""

"""Fills the data of an imported puzzle into a spec of the gallery.

The spec of an imported puzzle is the example of its family with the params, grids and facts of the puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from ...syntax import nodes
from ...syntax.edit import Facts, Located, fill_in, locate
from ...syntax.grids import grid_text
from ...syntax.reading import ENDING, gallery

__all__ = ["clauses_with_label", "example", "fill", "grid_text", "located_clauses"]


@cache
def example(name: str) -> str:
    """Return the text of a gallery spec."""
    return (gallery() / f"{name}{ENDING}").read_text(encoding="utf-8")


@cache
def located_clauses(name: str) -> list[Located]:
    """Return the clauses of a gallery spec with their offsets in its text."""
    return locate(example(name))


def fill(
    name: str,
    title: str,
    params: Mapping[str, int] | None = None,
    grids: Mapping[str, str] | None = None,
    facts: Mapping[str, Facts] | None = None,
    more: Iterable[str] = (),
) -> str:
    """Return the text of a gallery spec with the data of another puzzle.

    The title is written as a comment. Params, grids and facts replace the data of the example; ``more`` holds clauses
    to append.

    Examples
    --------
    >>> text = fill("quasigroup", "mine", {"n": 2}, {"clue": grid_text([[2, None], [None, None]])})
    >>> text.splitlines()[2:8]
    ['param n = 2.', '', '% Puzzle: mine', 'grid clue(n, n) = "', '  2.', '  ..']
    """
    return fill_in(example(name), located_clauses(name), title, params or {}, grids or {}, facts or {}, more)


def clauses_with_label(name: str, label: str) -> list[str]:
    """Return the clauses of a gallery spec whose labels start with a text."""
    return [
        example(name)[start:end]
        for clause, start, end in located_clauses(name)
        if isinstance(clause, nodes.Rule) and clause.label and str(clause.label.value).startswith(label)
    ]

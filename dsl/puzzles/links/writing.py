"""Writes the text of a spec from comments, clauses and facts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from ...syntax.edit import fill_lines

FactRows = list[tuple[int | str, ...]]
"""The arguments of the facts of a relation."""

COMMENT_WIDTH = 100
"""Maximum number of characters of a comment's line."""


def spec_text(
    head: Iterable[tuple[str, str]],
    includes: Sequence[str],
    params: Mapping[str, int],
    grids: Mapping[str, str],
    facts: Mapping[str, FactRows],
    clauses: Sequence[str] = (),
) -> str:
    """Return the text of a spec with comments, includes, params, grids, facts and clauses.

    Parameters
    ----------
    head : iterable of pairs
        Names and texts for comments, such as ``("Puzzle", "Tangled Arrows")``; empty texts are omitted.
    includes : sequence of str
        The specs of the gallery to include.
    params, grids, facts : mapping
        The data, by name.
    clauses : sequence of str
        Further clauses.
    """
    blocks = ["\n".join(line for name, text in head for line in comment(name, text))]
    blocks.append("\n".join(f"include {name}." for name in includes))
    data = [f"param {name} = {value}." for name, value in params.items()]
    blocks.append("\n".join([*data, *(f'grid {name} = "{rows}".' for name, rows in grids.items())]))
    blocks += [
        fill_lines(f"{name}({', '.join(map(str, row))})." for row in rows_of_relation)
        for name, rows_of_relation in facts.items()
    ]
    blocks.append(fill_lines(clauses))
    return "\n\n".join(block for block in blocks if block) + "\n"


def comment(name: str, text: str) -> list[str]:
    """Return the comment lines ``% NAME: TEXT``; an empty text has none.

    Each paragraph is wrapped to ``COMMENT_WIDTH``.
    """
    clean = ["".join(letter if letter.isprintable() else " " for letter in line) for line in text.splitlines()]
    lines: list[str] = []
    for paragraph in clean:
        lines += textwrap.wrap(paragraph, COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return []
    return [f"% {name}: {lines[0]}", *(f"%   {line}".rstrip() for line in lines[1:])]

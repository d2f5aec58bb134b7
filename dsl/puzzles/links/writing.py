"""The text of a spec that a link becomes: what it is, whose rules it takes, its data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from ...text.editing.edit import fill_lines

FactRows = list[tuple[int | str, ...]]

HEAD = "% {name}: {text}"
WIDTH = 100
"""The length of a line of a comment."""


def spec_text(
    head: Iterable[tuple[str, str]],
    includes: Sequence[str],
    params: Mapping[str, int],
    grids: Mapping[str, str],
    facts: Mapping[str, FactRows],
    more: Sequence[str] = (),
) -> str:
    """A spec as text.

    ``head``: what stands in comments, such as ``("Puzzle", "Tangled Arrows")``; those without text are left out;
    ``includes``: specs of the gallery; ``params``, ``grids``, ``facts``: the data, by their names; ``more``: further
    clauses.
    """
    blocks = ["\n".join(line for name, text in head for line in comment(name, text))]
    blocks.append("\n".join(f"include {name}." for name in includes))
    data = [f"param {name} = {value}." for name, value in params.items()]
    blocks.append("\n".join([*data, *(f'grid {name} = "{rows}".' for name, rows in grids.items())]))
    blocks += [fill_lines(f"{name}({', '.join(map(str, one))})." for one in some) for name, some in facts.items()]
    blocks.append(fill_lines(more))
    return "\n\n".join(block for block in blocks if block) + "\n"


def comment(name: str, text: str) -> list[str]:
    """A named text as lines of a comment, each paragraph filled; nothing of an empty text."""
    clean = ["".join(c if c.isprintable() else " " for c in line) for line in text.splitlines()]
    lines: list[str] = []
    for paragraph in clean:
        lines += textwrap.wrap(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return []
    return [f"% {name}: {lines[0]}", *(f"%   {line}".rstrip() for line in lines[1:])]

"""The rules of every family, which stand in one place: the gallery in ``examples/``.

An imported puzzle is the example of its family with other params, grids and facts. An installed package has the
examples within it, as ``dsl/gallery``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import wrap

WIDTH = 118

Rows = Sequence[Sequence[object]]
Facts = Iterable[tuple[object, ...]]


@cache
def example(name: str) -> str:
    """The text of an example."""
    package = Path(__file__).parent.parent
    folders = (package / "gallery", package.parent / "examples")
    folder = next(folder for folder in folders if folder.is_dir())
    return (folder / f"{name}.csp").read_text(encoding="utf-8")


def fill(
    name: str,
    title: str,
    params: Mapping[str, int] | None = None,
    grids: Mapping[str, str] | None = None,
    facts: Mapping[str, Facts] | None = None,
    more: Iterable[str] = (),
) -> str:
    """An example with another puzzle in it.

    Parameters
    ----------
    name : str
        The example.
    title : str
        What the puzzle is called.
    params : mapping from str to int, optional
    grids : mapping from str to str, optional
        The pictures.
    facts : mapping from str to tuples, optional
        The facts of a relation; they replace those of the example.
    more : iterable of str
        Clauses to add.

    Returns
    -------
    str

    Examples
    --------
    >>> text = fill("quasigroup", "mine", {"n": 2}, {"clue": picture([[2, None], [None, None]])})
    >>> text.splitlines()[2:8]
    ['param n = 2.', '', '% Puzzle: mine', 'grid clue = "', '  2.', '  ..']
    """
    text = _replace(r"^% Puzzle:.*\n(?:%.*\n)*", f"% Puzzle: {_one_line(title)}\n", example(name))
    for param, value in (params or {}).items():
        text = _replace(rf"^param {param} = [^.]*\.", f"param {param} = {value}.", text)
    for grid, rows in (grids or {}).items():
        text = _replace(rf'^grid {grid} = "[^"]*"\.', f'grid {grid} = "{rows}".', text)
    for relation, tuples in (facts or {}).items():
        one = rf"{relation}\([^()]*\)\."
        text = _replace(rf"^{one}(?:\s+{one})*", _facts(relation, tuples), text)
    added = "".join(f"{clause}\n" for clause in more)
    return f"{text}\n{added}" if added else text


def clauses(name: str, start: str) -> list[str]:
    """The lines of an example that begin so."""
    return [line for line in example(name).splitlines() if line.startswith(start)]


def picture(rows: Rows, box: tuple[int, int] | None = None) -> str:
    """The text of a grid that stands between the quotes; empty if all of it is blank.

    Parameters
    ----------
    rows : sequence of sequences
        What stands in the cells, None for blank.
    box : (int, int), optional
        Set off boxes of so many rows and columns.

    Returns
    -------
    str

    Examples
    --------
    >>> picture([[1, None], ["a", 10]])
    '\\n   1  .\\n   a 10\\n'
    """
    if all(token is None for row in rows for token in row):
        return ""
    tokens = [["." if token is None else str(token) for token in row] for row in rows]
    width = max(len(token) for row in tokens for token in row)
    between = " " if width > 1 or len(rows) == 1 else ""
    high, wide = box or (len(rows), len(rows[0]))
    lines = []
    for number, row in enumerate(tokens):
        parts = [row[i : i + wide] for i in range(0, len(row), wide)]
        line = " | ".join(between.join(token.rjust(width) for token in part) for part in parts)
        if number and number % high == 0:
            lines.append("".join("+" if letter == "|" else "-" for letter in line))
        lines.append(line)
    return "\n" + "".join(f"  {line}\n" for line in lines)


def _facts(relation: str, tuples: Facts) -> str:
    written = [f"{relation}({', '.join(map(str, values))})." for values in tuples]
    whole = " ".join(fact.replace(" ", "\xa0") for fact in written)
    return "\n".join(wrap(whole, WIDTH, break_long_words=False, break_on_hyphens=False)).replace("\xa0", " ")


def _one_line(text: str) -> str:
    """A text that can stand in a comment."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def _replace(pattern: str, by: str, text: str) -> str:
    made, times = re.subn(pattern, lambda _: by, text, flags=re.MULTILINE)
    assert times == 1, (pattern, times)
    return made

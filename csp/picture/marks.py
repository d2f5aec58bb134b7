"""What is drawn around the vertices of a picture: lines, boxes, discs and texts, each with the constraints it shows."""

from __future__ import annotations

from typing import Literal, NamedTuple

Point = tuple[float, float]
"""x to the right and y down, in points."""

Shape = Literal["line", "box", "disc", "text"]
Look = Literal[
    "region", "cage", "rule", "thread",  # lines: around regions, around cages, of a scale or a table, through cells
    "shade", "odd", "black", "slash", "dark", "dot",  # areas, and the diagonal of a black one
    "sign", "clue", "corner", "sum",  # texts: between cells, beside a line, in a cell, in a black one
    "header", "title", "said",  # and at a row or column, at all of a part, at an edge
]  # fmt: skip


class Mark(NamedTuple):
    """One thing that is drawn, and never moves.

    Attributes
    ----------
    shape : {"line", "box", "disc", "text"}
    look : str
        What it means; painters give each look its colours.
    points : tuple of (float, float)
        The corners of a line; the middle, and the width and height, of all else.
    text : str
    size : float
        Of the font.
    constraints : tuple of int
        The numbers of those that it stands for, which light it when they are at work.

    Examples
    --------
    >>> text(7, "clue", (30, -20), 16, (3,)).constraints
    (3,)
    """

    shape: Shape
    look: Look
    points: tuple[Point, ...]
    text: str = ""
    size: float = 0
    constraints: tuple[int, ...] = ()

    @property
    def is_under(self) -> bool:
        """Whether it lies under the vertices, which let it show through."""
        return self.look in UNDER


UNDER: frozenset[Look] = frozenset({"shade", "odd", "black", "slash", "dark", "thread"})

LINES: dict[Look, tuple[float, bool]] = {
    "region": (2.5, False), "cage": (1.4, True), "rule": (1, False), "thread": (3, False), "slash": (1, False),
}  # fmt: skip
"""How thick a line is, and whether it is dashed."""


def text(words: object, look: Look, at: Point, size: float, constraints: tuple[int, ...] = ()) -> Mark:
    """A text around a point."""
    return Mark("text", look, (at, (0, size)), str(words), size, constraints)


def line(look: Look, *points: Point, constraints: tuple[int, ...] = ()) -> Mark:
    """A line through points."""
    return Mark("line", look, points, constraints=constraints)


def box(look: Look, middle: Point, size: Point, constraints: tuple[int, ...] = ()) -> Mark:
    """A filled rectangle."""
    return Mark("box", look, (middle, size), constraints=constraints)


def disc(look: Look, middle: Point, across: float, constraints: tuple[int, ...] = ()) -> Mark:
    """A filled circle."""
    return Mark("disc", look, (middle, (across, across)), constraints=constraints)

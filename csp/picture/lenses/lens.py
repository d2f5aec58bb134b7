"""What a lens is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ...model import Model
from ..edges.edges import Edge
from ..layout.chips import Chip
from ..layout.layout import Layout
from ..marks import Mark

Acting = Literal["none", "pairs", "bows", "threads"]


class Drawing(NamedTuple):
    """What a lens is given.

    Attributes
    ----------
    model : Model
    layout : Layout
    hidden : frozenset of int
        The numbers of constraints that show only at work.
    chips : mapping of int to Chip
        All that can be, by the numbers of their constraints.
    """

    model: Model
    layout: Layout
    hidden: Collection[int]
    chips: Mapping[int, Chip]


@dataclass(frozen=True)
class Lens:
    """What a lens shows besides vertices and marks.

    Attributes
    ----------
    chips : tuple of int
        The constraints that are vertices.
    edges : tuple of Edge
    texts : tuple of Mark
        At the edges.
    acting : {"none", "pairs", "bows", "threads"}
        What joins the variables of a constraint at work that has no edges of its own: on a crowded grid, if they are
        three or more, nothing, bows from the causes, or a line through its cells from its vertex.
    near : tuple of int
        The constraints of which the edges of one vertex show where none is at work.
    """

    chips: tuple[int, ...] = ()
    edges: tuple[Edge, ...] = ()
    texts: tuple[Mark, ...] = ()
    acting: Acting = "none"
    near: tuple[int, ...] = ()

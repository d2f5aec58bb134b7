"""Coordinates for the nodes of a drawn tree, close together, in linear time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


def place_nodes(children: Sequence[Sequence[int]]) -> tuple[tuple[float, int], ...]:
    """Lay out a tree, given by its lists of children: return each node's (x, depth).

    ``SearchTree.places`` states the rules.
    """
    outlines: list[_Outline | None] = [None] * len(children)
    middle = [0.0] * len(children)  # x of a node, relative to its own subtree
    shift = [0.0] * len(children)  # x of a subtree, relative to that of its parent
    # Bottom up: put the subtrees of every node side by side, and the node above their middle.
    for index in reversed(range(len(children))):
        outline: _Outline | None = None
        for child in children[index]:
            subtree = outlines[child]
            assert subtree is not None
            outlines[child] = None
            shift[child] = 0.0 if outline is None else outline.distance_to(subtree)
            subtree.shift += shift[child]
            outline = subtree if outline is None else outline.join(subtree)
        if below := children[index]:
            ends = [shift[child] + middle[child] for child in (below[0], below[-1])]
            middle[index] = sum(ends) / 2
        outline = outline or _Outline()
        outline.add_top(middle[index])
        outlines[index] = outline
    # Top down: add up the shifts to absolute places.
    origin, depth = [0.0] * len(children), [0] * len(children)
    for index, below in enumerate(children):
        for child in below:
            origin[child] = origin[index] + shift[child]
            depth[child] = depth[index] + 1
    xs = [start + offset for start, offset in zip(origin, middle, strict=True)]
    leftmost = min(xs)
    return tuple((x - leftmost, y) for x, y in zip(xs, depth, strict=True))


@dataclass(slots=True)
class _Outline:
    """The outline of a drawn subtree: least and greatest x at each depth.

    Joining two outlines takes time proportional to the shallower one, so that the whole layout is linear: the deeper
    outline is reused, and ``shift`` moves all of it at once.
    """

    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)
    shift: float = 0.0

    def distance_to(self, other: _Outline) -> float:
        """Return how far another subtree must move right to avoid an overlap."""
        pairs = zip(reversed(self.right), reversed(other.left), strict=False)
        return max(right - left for right, left in pairs) + self.shift - other.shift + 1

    def join(self, other: _Outline) -> _Outline:
        """Return the common outline of this subtree and another one to its right."""
        if len(self.left) >= len(other.left):
            for i in range(1, len(other.left) + 1):
                self.right[-i] = other.right[-i] + other.shift - self.shift
            return self
        for i in range(1, len(self.left) + 1):
            other.left[-i] = self.left[-i] + self.shift - other.shift
        return other

    def add_top(self, x: float) -> None:
        """Extend the outline upwards by the parent of the subtree, placed at ``x``."""
        self.left.append(x - self.shift)
        self.right.append(x - self.shift)

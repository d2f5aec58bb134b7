"""Where the nodes of a tree stand: as near each other as they can be, in linear time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


def tidied(children: Sequence[Sequence[int]]) -> tuple[tuple[float, int], ...]:
    """For every node x and depth, where a parent comes before its children; see ``SearchTree.places``."""
    outlines: list[_Outline | None] = [None] * len(children)
    middle = [0.0] * len(children)  # of a node, in the coordinates of its own subtree
    shift = [0.0] * len(children)  # of a subtree, in the coordinates of its parent's
    for index in reversed(range(len(children))):
        outline: _Outline | None = None
        for child in children[index]:
            own = outlines[child]
            assert own is not None
            outlines[child] = None
            shift[child] = 0.0 if outline is None else outline.room_for(own)
            own.shift += shift[child]
            outline = own if outline is None else outline.joined(own)
        if below := children[index]:
            ends = [shift[child] + middle[child] for child in (below[0], below[-1])]
            middle[index] = sum(ends) / 2
        outline = outline or _Outline()
        outline.add_top(middle[index])
        outlines[index] = outline
    origin, depth = [0.0] * len(children), [0] * len(children)
    for index, below in enumerate(children):
        for child in below:
            origin[child] = origin[index] + shift[child]
            depth[child] = depth[index] + 1
    across = [start + own for start, own in zip(origin, middle, strict=True)]
    left = min(across)
    return tuple((x - left, y) for x, y in zip(across, depth, strict=True))


@dataclass(slots=True)
class _Outline:
    """How far a subtree reaches to the left and to the right at every depth, the deepest first.

    Two outlines are joined in the time of the shallower one, which makes the whole layout linear: the deeper one
    stays as it is, and ``shift`` moves all of it at once.
    """

    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)
    shift: float = 0.0

    def room_for(self, other: _Outline) -> float:
        """How far to the right the other subtree must go to stand beside this one."""
        pairs = zip(reversed(self.right), reversed(other.left), strict=False)
        return max(mine - its for mine, its in pairs) + self.shift - other.shift + 1

    def joined(self, other: _Outline) -> _Outline:
        """Both as one; the other stands to the right."""
        if len(self.left) >= len(other.left):
            for i in range(1, len(other.left) + 1):
                self.right[-i] = other.right[-i] + other.shift - self.shift
            return self
        for i in range(1, len(self.left) + 1):
            other.left[-i] = self.left[-i] + self.shift - other.shift
        return other

    def add_top(self, x: float) -> None:
        """A parent above."""
        self.left.append(x - self.shift)
        self.right.append(x - self.shift)

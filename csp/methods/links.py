"""Dancing links: all exact covers of items by options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence


class Links:
    """Items and options as nodes that are linked to their neighbours and can be unlinked and linked again.

    The first nodes are the items; then comes a node for every item of every option.

    ``count``: how many items there are; ``needed``: how many of them, the first ones, must be covered; the others may
    be, once; ``options``: the items of each.

    References
    ----------
    .. [1] D. E. Knuth, "Dancing links", 2000.

    Examples
    --------
    >>> list(Links(3, 3, [(0, 1), (1, 2), (2,), (0,)]).covers(lambda: None))
    [[0, 2], [3, 1]]
    """

    def __init__(self, count: int, needed: int, options: Sequence[Sequence[int]]) -> None:
        self._item, self._option = list(range(count)), [-1] * count
        self._up, self._down = list(range(count)), list(range(count))
        self._others: list[tuple[int, ...]] = [()] * count
        self._size = [0] * count
        for number, items in enumerate(options):
            nodes = range(len(self._item), len(self._item) + len(items))
            for node, item in zip(nodes, items, strict=True):
                self._item.append(item)
                self._option.append(number)
                self._others.append(tuple([other for other in nodes if other != node]))
                self._up.append(self._up[item])
                self._down.append(item)
                self._down[self._up[item]] = self._up[item] = node
                self._size[item] += 1
        ring = [*range(needed), count]  # the items to be covered, and the head of their ring
        self._head = count
        self._left, self._right = list(range(count + 1)), list(range(count + 1))
        for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
            self._right[one], self._left[other] = other, one

    def covers(self, step: Callable[[], None], tried: Callable[[int, int], None] | None = None) -> Iterator[list[int]]:
        """The numbers of the options of every exact cover.

        ``step``: called for every option that is tried; ``tried``: the same, with how many there are before, and which.
        """
        path: list[int] = []  # for each item that was chosen, itself and then the nodes of its options
        while True:
            if self._right[self._head] == self._head:
                yield [self._option[node] for node in path]
            else:
                item = self._smallest()
                self._cover(item)
                path.append(item)
            while path:
                node = path[-1]
                item = self._item[node]
                for other in reversed(self._others[node]):
                    self._uncover(self._item[other])
                path[-1] = node = self._down[node]
                if node != item:
                    break
                self._uncover(item)
                path.pop()
            else:
                return
            step()
            if tried is not None:
                tried(len(path) - 1, self._option[node])
            for other in self._others[node]:
                self._cover(self._item[other])

    def _smallest(self) -> int:
        """The first of the items with the fewest options."""
        best, item = self._right[self._head], self._right[self._head]
        while item != self._head:
            if self._size[item] < self._size[best]:
                best = item
            item = self._right[item]
        return best

    def _cover(self, item: int) -> None:
        """Take an item away, and all options that have it from their other items."""
        left, right, up, down, size = self._left, self._right, self._up, self._down, self._size
        right[left[item]], left[right[item]] = right[item], left[item]
        row = down[item]
        while row != item:
            for node in self._others[row]:
                down[up[node]], up[down[node]] = down[node], up[node]
                size[self._item[node]] -= 1
            row = down[row]

    def _uncover(self, item: int) -> None:
        """Undo ``_cover``, in the opposite order."""
        left, right, up, down, size = self._left, self._right, self._up, self._down, self._size
        row = up[item]
        while row != item:
            for node in reversed(self._others[row]):
                size[self._item[node]] += 1
                down[up[node]] = up[down[node]] = node
            row = up[row]
        right[left[item]] = left[right[item]] = item

"""Dancing links: find all exact covers of items by options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence


class Links:
    """A sparse 0-1 matrix of items and options, searched by dancing links.

    Nodes can be unlinked from their neighbours and linked again. The first nodes are the items; then comes a node for
    each item of each option.

    Parameters
    ----------
    count : int
        The number of items.
    needed : int
        The first items up to this number must be covered; the others may be covered once.
    options : sequence of sequences of int
        The items of each option.

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
        self._siblings: list[tuple[int, ...]] = [()] * count
        self._size = [0] * count
        for number, items in enumerate(options):
            nodes = range(len(self._item), len(self._item) + len(items))
            for node, item in zip(nodes, items, strict=True):
                # Append the node at the bottom of the column of its item.
                self._item.append(item)
                self._option.append(number)
                self._siblings.append(tuple([sibling for sibling in nodes if sibling != node]))
                self._up.append(self._up[item])
                self._down.append(item)
                self._down[self._up[item]] = self._up[item] = node
                self._size[item] += 1
        # Link the items that must be covered in a ring behind a head node.
        ring = [*range(needed), count]
        self._head = count
        self._left, self._right = list(range(count + 1)), list(range(count + 1))
        for left_node, right_node in zip(ring, ring[1:] + ring[:1], strict=True):
            self._right[left_node], self._left[right_node] = right_node, left_node

    def covers(self, step: Callable[[], None], visit: Callable[[int, int], None] | None = None) -> Iterator[list[int]]:
        """Yield each exact cover as a list of option numbers.

        ``step``: called for each option that is tried; ``visit``: called with the number of options before it, and its
        number.
        """
        # For each chosen item: its own node at first, then the node of the option that is tried.
        path: list[int] = []
        while True:
            if self._right[self._head] == self._head:
                yield [self._option[node] for node in path]
            else:
                item = self._smallest()
                self._cover(item)
                path.append(item)
            # Backtrack: undo the last option, and move on to the next one of its item.
            while path:
                node = path[-1]
                item = self._item[node]
                for sibling in reversed(self._siblings[node]):
                    self._uncover(self._item[sibling])
                path[-1] = node = self._down[node]
                if node != item:
                    break
                self._uncover(item)
                path.pop()
            else:
                return
            # Try the option: cover its other items.
            step()
            if visit is not None:
                visit(len(path) - 1, self._option[node])
            for sibling in self._siblings[node]:
                self._cover(self._item[sibling])

    def _smallest(self) -> int:
        """Return an item with the fewest options among the items still to be covered."""
        smallest, item = self._right[self._head], self._right[self._head]
        while item != self._head:
            if self._size[item] < self._size[smallest]:
                smallest = item
            item = self._right[item]
        return smallest

    def _cover(self, item: int) -> None:
        """Remove an item and all options that contain the item."""
        left_of, right_of, up, down, size = self._left, self._right, self._up, self._down, self._size
        # Unlink the item from the ring of items to cover.
        right_of[left_of[item]], left_of[right_of[item]] = right_of[item], left_of[item]
        # Unlink the nodes of each of its options from their other columns.
        row = down[item]
        while row != item:
            for node in self._siblings[row]:
                down[up[node]], up[down[node]] = down[node], up[node]
                size[self._item[node]] -= 1
            row = down[row]

    def _uncover(self, item: int) -> None:
        """Restore an item and its options, in reverse order of ``_cover``."""
        left_of, right_of, up, down, size = self._left, self._right, self._up, self._down, self._size
        # Link everything again, in reverse order.
        row = up[item]
        while row != item:
            for node in reversed(self._siblings[row]):
                size[self._item[node]] += 1
                down[up[node]] = up[down[node]] = node
            row = up[row]
        right_of[left_of[item]] = left_of[right_of[item]] = item

"""A propagator for ``all_different`` at bounds consistency, by Hall intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....model import Constraint
from .apart import DifferentElements
from .base import Context, Explanation, Masks, bits

Spans = list[tuple[int, int]]
"""For each element the ranks of its least and its greatest value among the values that some element still has."""


class HallIntervals(DifferentElements):
    """A propagator for ``all_different`` by Hall intervals (López-Ortiz). Bounds-consistent.

    A Hall interval has as many values as elements that lie inside it. The propagator moves the least and greatest
    values of all other elements out of it. Values that no element has any more are not counted, so that an interval has
    no gaps.

    References
    ----------
    .. [1] A. López-Ortiz, C.-G. Quimper, J. Tromp, P. van Beek, "A fast and simple algorithm for bounds consistency of
       the alldifferent constraint", IJCAI 2003.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.claim = "bounds"
        self.is_late = True

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        while True:
            present, spans = self._spans(narrowed)
            # Move the lower ends, and by the mirrored problem the upper ends.
            lows = raise_lower_ends(spans)
            mirrored = raise_lower_ends([(-high, -low) for low, high in spans])
            if lows is None or mirrored is None:
                return None
            new_spans = [(low, -high) for low, high in zip(lows, mirrored, strict=True)]
            # Removed values can close gaps between others, so repeat until nothing changes.
            if new_spans == spans:
                return narrowed if narrowed != list(masks) else masks
            for element, ((low, high), position) in enumerate(zip(new_spans, self.positions, strict=True)):
                if (low, high) != spans[element]:
                    if low > high:
                        return None
                    # Remove the values outside of the new span of an element.
                    allowed = (2 << present[high]) - (1 << present[low])
                    narrowed[position] = self.preimage(element, narrowed[position], allowed)
            if not all(narrowed):
                return None

    def _spans(self, masks: Sequence[int]) -> tuple[list[int], Spans]:
        """Return the present values, and the range of each element in ranks of values."""
        images = [self.image(element, masks[position]) for element, position in enumerate(self.positions)]
        union = 0
        for image in images:
            union |= image
        present = list(bits(union))
        rank = {value: i for i, value in enumerate(present)}
        return present, [(rank[(image & -image).bit_length() - 1], rank[image.bit_length() - 1]) for image in images]

    def steps(self, before: Masks, removed: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """Yield the values that each Hall interval removes, explained by the elements in the interval."""
        current, remaining = list(before), list(removed)
        while any(remaining):
            present, spans = self._spans(current)
            for low, high in hall_intervals(spans):
                inside = [i for i, (first, last) in enumerate(spans) if low <= first and last <= high]
                values = sum([1 << value for value in present[low : high + 1]])
                # The interval removes its values from all elements that are not inside.
                step = [0] * len(remaining)
                for element, position in enumerate(self.positions):
                    if element not in inside:
                        step[position] |= remaining[position] & self.preimage(element, current[position], values)
                if any(step):
                    yield Explanation(tuple(dict.fromkeys(self.positions[i] for i in inside))), step
                    remaining = [mask & ~step_mask for mask, step_mask in zip(remaining, step, strict=True)]
                    current = [mask & ~step_mask for mask, step_mask in zip(current, step, strict=True)]
                    break
            else:
                raise AssertionError("a removed value is in no Hall interval")


def hall_intervals(spans: Spans) -> Iterator[tuple[int, int]]:
    """Yield the intervals that contain as many elements as values (Hall intervals), the shortest first.

    Examples
    --------
    >>> list(hall_intervals([(0, 1), (0, 1), (1, 3)]))
    [(0, 1)]
    """
    intervals = []
    by_high = sorted(spans, key=lambda span: span[1])
    for low in sorted({low for low, _ in spans}):
        # Count the elements inside of [low, high], with growing high.
        count = 0
        for start, high in by_high:
            count += start >= low
            if count == high - low + 1:
                intervals.append((high - low, low, high))
    return iter([(low, high) for _, low, high in sorted(set(intervals))])


def raise_lower_ends(spans: Spans) -> list[int] | None:
    """Return each element's least rank outside of Hall intervals; None at a failure.

    ``spans``: the least and the greatest rank of each element. The result is None if an interval has fewer ranks than
    elements.

    Notes
    -----
    Elements are placed in the order of their greatest rank, each on the first free rank from its least rank. Trees of
    pointers with path compression skip full ranks. O(n log n) for n elements.

    References
    ----------
    .. [1] A. López-Ortiz, C.-G. Quimper, J. Tromp, P. van Beek, "A fast and simple algorithm for bounds consistency of
       the alldifferent constraint", IJCAI 2003.

    Examples
    --------
    >>> raise_lower_ends([(0, 1), (0, 1), (1, 3)]), raise_lower_ends([(0, 0), (0, 0)])
    ([0, 0, 2], None)
    """
    values = sorted({low for low, _ in spans} | {high + 1 for _, high in spans})
    bounds = [values[0] - 2, *values, values[-1] + 2]
    index_of = {bound: i for i, bound in enumerate(bounds)}
    top = len(bounds) - 1
    # From each bound, a pointer to the next bound if the ranks below it are full, else to the preceding bound.
    capacity_tree = list(range(-1, top))
    # From each bound, a pointer to the end of a Hall interval that contains it, else to the preceding bound.
    hall_tree = list(range(-1, top))
    free_ranks = [bounds[i] - bounds[i - 1] for i in range(top + 1)]
    lows = [low for low, _ in spans]
    # Place the elements by their upper ends, each on the first free rank from its lower end.
    for element in sorted(range(len(spans)), key=lambda i: spans[i][1]):
        low_index, end_index = index_of[spans[element][0]], index_of[spans[element][1] + 1]
        free = _top(capacity_tree, low_index + 1)
        predecessor = capacity_tree[free]
        free_ranks[free] -= 1
        # The stretch is full: merge it with the next one.
        if not free_ranks[free]:
            capacity_tree[free] = free + 1
            free = _top(capacity_tree, free + 1)
            capacity_tree[free] = predecessor
        _point(capacity_tree, low_index + 1, free, free)
        # More elements than ranks below the upper end: the interval fails.
        if free_ranks[free] < bounds[free] - bounds[end_index]:
            return None
        # The lower end lies in a Hall interval: move it to the end of that interval.
        if hall_tree[low_index] > low_index:
            target = _top(hall_tree, hall_tree[low_index])
            lows[element] = bounds[target]
            _point(hall_tree, low_index, target, target)
        # A new Hall interval ends here: mark it in the tree.
        if free_ranks[free] == bounds[free] - bounds[end_index]:
            _point(hall_tree, hall_tree[end_index], predecessor - 1, end_index)
            hall_tree[end_index] = predecessor - 1
    return lows


def _top(tree: list[int], start: int) -> int:
    """Return the last node of the path of increasing pointers from a node."""
    while tree[start] > start:
        start = tree[start]
    return start


def _point(tree: list[int], start: int, end: int, target: int) -> None:
    """Redirect the pointers of all nodes on a path to a target (path compression)."""
    while start != end:
        successor = tree[start]
        tree[start] = target
        start = successor

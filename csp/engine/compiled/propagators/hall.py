"""Different values by their least and greatest ones: Hall intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .apart import DifferentElements
from .base import Consistency, Explanation, Masks, bits

Spans = list[tuple[int, int]]
"""For each element the ranks of its least and its greatest value."""


class HallIntervals(DifferentElements):
    """Moves least and greatest values out of intervals that other elements fill.

    Values that no element has any more do not count, so that no interval has a hole that all elements have.

    References
    ----------
    .. [1] A. López-Ortiz, C.-G. Quimper, J. Tromp, P. van Beek, "A fast and simple algorithm for bounds consistency of
       the alldifferent constraint", IJCAI 2003.
    """

    claim: Consistency = "bounds"
    is_late = True

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        while True:
            present, spans = self._spans(left)
            lows = raise_lower_ends(spans)
            mirrored = raise_lower_ends([(-high, -low) for low, high in spans])
            if lows is None or mirrored is None:
                return None
            new = [(low, -high) for low, high in zip(lows, mirrored, strict=True)]
            if new == spans:
                return left if left != list(masks) else masks
            for element, ((low, high), own) in enumerate(zip(new, self.positions, strict=True)):
                if (low, high) != spans[element]:
                    if low > high:
                        return None
                    allowed = (2 << present[high]) - (1 << present[low])
                    left[own] = self.preimage(element, left[own], allowed)
            if not all(left):
                return None

    def _spans(self, masks: Sequence[int]) -> tuple[list[int], Spans]:
        """The values that are left to some element, as bits, and where each element begins and ends among them."""
        images = [self.image(element, masks[own]) for element, own in enumerate(self.positions)]
        union = 0
        for image in images:
            union |= image
        present = list(bits(union))
        rank = {value: i for i, value in enumerate(present)}
        return present, [(rank[(i & -i).bit_length() - 1], rank[i.bit_length() - 1]) for i in images]

    def steps(self, before: Masks, gone: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """Interval by interval: the elements that fill it, and what others lose in it, each of what went once."""
        left, rest = list(before), list(gone)
        while any(rest):
            present, spans = self._spans(left)
            for low, high in hall_intervals(spans):
                inside = [i for i, (a, b) in enumerate(spans) if low <= a and b <= high]
                values = sum([1 << value for value in present[low : high + 1]])
                now = [0] * len(rest)
                for element, own in enumerate(self.positions):
                    if element not in inside:
                        now[own] |= rest[own] & self.preimage(element, left[own], values)
                if any(now):
                    yield Explanation(tuple(dict.fromkeys(self.positions[i] for i in inside))), now
                    rest = [mask & ~lost for mask, lost in zip(rest, now, strict=True)]
                    left = [mask & ~lost for mask, lost in zip(left, now, strict=True)]
                    break
            else:
                raise AssertionError("what went has no Hall interval")


def hall_intervals(spans: Spans) -> Iterator[tuple[int, int]]:
    """The intervals that just as many elements lie in as they have ranks, the shortest first.

    Examples
    --------
    >>> list(hall_intervals([(0, 1), (0, 1), (1, 3)]))
    [(0, 1)]
    """
    found = []
    by_high = sorted(spans, key=lambda span: span[1])
    for low in sorted({low for low, _ in spans}):
        count = 0
        for a, high in by_high:
            count += a >= low
            if count == high - low + 1:
                found.append((high - low, low, high))
    return iter([(low, high) for _, low, high in sorted(set(found))])


def raise_lower_ends(spans: Spans) -> list[int] | None:
    """The least rank that is left to each element when none may lie in an interval that others fill.

    ``spans``: the least and the greatest rank of each element. Returns none where some interval has fewer ranks than
    elements.

    Notes
    -----
    Elements are taken by their greatest rank, and each is put on the first free rank from its least one on; trees of
    pointers skip what is full. O(n log n) for n elements.

    References
    ----------
    .. [1] A. López-Ortiz, C.-G. Quimper, J. Tromp, P. van Beek, "A fast and simple algorithm for bounds consistency of
       the alldifferent constraint", IJCAI 2003.

    Examples
    --------
    >>> raise_lower_ends([(0, 1), (0, 1), (1, 3)]), raise_lower_ends([(0, 0), (0, 0)])
    ([0, 0, 2], None)
    """
    ends = sorted({low for low, _ in spans} | {high + 1 for _, high in spans})
    bounds = [ends[0] - 2, *ends, ends[-1] + 2]
    place = {bound: i for i, bound in enumerate(bounds)}
    last = len(bounds) - 1
    full = list(range(-1, last))  # where an interval that is full leads, and else the one before
    filled = list(range(-1, last))  # the same of Hall intervals
    room = [bounds[i] - bounds[i - 1] for i in range(last + 1)]
    found = [low for low, _ in spans]
    for element in sorted(range(len(spans)), key=lambda i: spans[i][1]):
        x, y = place[spans[element][0]], place[spans[element][1] + 1]
        z = _top(full, x + 1)
        before = full[z]
        room[z] -= 1
        if not room[z]:
            full[z] = z + 1
            z = _top(full, z + 1)
            full[z] = before
        _point(full, x + 1, z, z)
        if room[z] < bounds[z] - bounds[y]:
            return None
        if filled[x] > x:
            w = _top(filled, filled[x])
            found[element] = bounds[w]
            _point(filled, x, w, w)
        if room[z] == bounds[z] - bounds[y]:
            _point(filled, filled[y], before - 1, y)
            filled[y] = before - 1
    return found


def _top(tree: list[int], start: int) -> int:
    while tree[start] > start:
        start = tree[start]
    return start


def _point(tree: list[int], start: int, end: int, to: int) -> None:
    while start != end:
        after = tree[start]
        tree[start] = to
        start = after

"""Propagators for ``all_different``: pairs, counting, Hall intervals, matching; and the choice between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import TypeGuard

from ....model import Constraint, Value
from .base import Context, Explanation, Masks, Propagator, bits


def make_apart(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of an all-different constraint, or None if none is needed.

    The constraint has expressions of one variable each, and no other meaning. At the top level exclusions keep fixed
    elements different, and exactly-one sets place the values of a permutation. Below the level ``bounds``, a group of
    three or more that is not a permutation gets ``Pigeons``, which counts values.
    """
    elements = constraint.apart()
    level = context.settings.level
    has_repeats = len(constraint.scope) < len(elements)
    # Exclusions enforce a pair of different variables; only a nested pair needs a propagator.
    if len(elements) == 2 and not has_repeats:
        return Unequal(constraint, context) if context.is_inside else None
    # Nested groups and repeated variables have no exclusions, so the matching works at each level.
    if context.is_inside or has_repeats or (level == "domain" and len(elements) > 2):
        return Matching(constraint, context)
    if level == "bounds" and len(elements) > 2:
        return HallIntervals(constraint, context)
    is_permutation = values_of(constraint, context) == len(elements)
    return None if is_permutation or len(elements) < 3 else Pigeons(constraint, context)


def values_of(constraint: Constraint, context: Context) -> int:
    """Return how many distinct values the elements of an all-different constraint can have."""
    elements = constraint.apart()
    domains = [context.domain(element.terms[0][1]) for element in elements]  # type: ignore[arg-type]
    if all([domain is domains[0] for domain in domains]) and all([element.is_variable for element in elements]):
        return len(domains[0])
    element_domains = zip(elements, domains, strict=True)
    # Count distinct values of the elements, not of their variables.
    return len({image for element, domain in element_domains for image in element.images(domain)})


class DifferentElements(Propagator):
    """A base class of propagators for elements (expressions of one variable) that must differ.

    An *element* is an expression of one variable. All elements share one numbering of their values: bit ``k``
    of an *image* means the same value for each element.

    Attributes
    ----------
    elements : sequence of Affine
    positions : list of int
        For each element the position of its variable.
    is_identity : bool
        Whether a domain mask is its own image.
    images : list of list of int
        For each element and each value of its variable the bit of the element's value. Only if not ``is_identity``.
    shifts : list of int or None
        For each element the shift from mask to image if that is all. Only if not ``is_identity``.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.elements = constraint.apart()
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        self.positions = [position_of[element.variables[0]] for element in self.elements]
        self.is_identity = all(domain is self.domains[0] for domain in self.domains) and all(
            element.is_variable for element in self.elements
        )
        # Number the values of all elements in one order, so that equal values are equal bits.
        if not self.is_identity:
            images = [
                element.images(self.domains[position])
                for element, position in zip(self.elements, self.positions, strict=True)
            ]
            values = dict.fromkeys(value for row in images for value in row)
            bit = {v: 1 << i for i, v in enumerate(sorted(values) if are_numbers(values) else values)}
            self.images = [[bit[value] for value in row] for row in images]
            self.shifts = [shift_of(row) for row in self.images]

    def image(self, element: int, mask: int) -> int:
        """Return the values that an element has, given its variable's domain; both as bits."""
        if self.is_identity:
            return mask
        if (shift := self.shifts[element]) is not None:
            return mask << shift
        images, image = self.images[element], 0
        for index in bits(mask):
            image |= images[index]
        return image

    def preimage(self, element: int, mask: int, allowed: int) -> int:
        """Return the values of a variable that give an element allowed values; all as bits."""
        if self.is_identity:
            return mask & allowed
        if (shift := self.shifts[element]) is not None:
            return mask & allowed >> shift
        images = self.images[element]
        return sum(1 << index for index in bits(mask) if images[index] & allowed)


def are_numbers(values: Iterable[Value]) -> TypeGuard[Iterable[int]]:
    """Return whether all values are numbers, so that they can be sorted."""
    return all(isinstance(value, int) for value in values)


def shift_of(images: list[int]) -> int | None:
    """Return the shift from a variable's value bits to its element's bits, or None.

    Expressions such as ``x + 3`` over consecutive numbers are shifts.
    ``images``: for each value of the variable its bit.

    Examples
    --------
    >>> shift_of([8, 16, 32]), shift_of([8, 4])
    (3, None)
    """
    if any(image != images[0] << index for index, image in enumerate(images)):
        return None
    return images[0].bit_length() - 1


class Unequal(DifferentElements):
    """A propagator for two different elements inside another constraint. Domain-consistent."""

    def prune(self, masks: Masks) -> Masks | None:
        left_position, right_position = self.positions
        left_image, right_image = self.image(0, masks[left_position]), self.image(1, masks[right_position])
        if left_image & (left_image - 1) and right_image & (right_image - 1):
            return masks
        narrowed = list(masks)
        # Forward checking in both directions: a fixed element removes its value from the other one.
        if not right_image & (right_image - 1):
            narrowed[left_position] = self.preimage(0, masks[left_position], ~right_image)
        if not left_image & (left_image - 1):
            narrowed[right_position] = self.preimage(1, masks[right_position], ~left_image)
        return narrowed if all(narrowed) else None

    def entailment(self, masks: Masks) -> bool | None:
        left_position, right_position = self.positions
        left_image, right_image = self.image(0, masks[left_position]), self.image(1, masks[right_position])
        return (
            True
            if not left_image & right_image
            else False
            if left_image == right_image and not left_image & (left_image - 1)
            else None
        )


SLACK_RATIO = 1.5
"""Ratio of values to elements from which counting runs at the root only.

With that many values, elements seldom run out of values in search.
"""


class Pigeons(DifferentElements):
    """A propagator that fails if elements that must differ have too few values together.

    It counts the values of all elements, and removes none (the pigeonhole principle).
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        self.claim = "check"
        self.is_late = True
        self.in_search = values_of(constraint, context) < SLACK_RATIO * len(self.elements)

    def prune(self, masks: Masks) -> Masks | None:
        union, count = 0, len(self.elements)
        # Stop as soon as the union of the domains is large enough.
        for element, position in enumerate(self.positions):
            union |= self.image(element, masks[position])
            if union.bit_count() >= count:
                return masks
        return None

    def explain(self, before: Masks, removed: Masks) -> Explanation:
        return Explanation(tuple(dict.fromkeys(self.positions)))


MATCHING_PASSES = 4
"""Steps that a matching counts for each value of each element."""


class Matching(DifferentElements):
    """A propagator for ``all_different`` by maximum matching (Régin). Domain-consistent.

    It removes each value that is in no matching of all elements with different values. If a variable is in two
    elements, they are treated as independent, and the result is weaker.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        super().__init__(constraint, context)
        occurrences = Counter(self.positions)
        self.repeated = [position for position, count in occurrences.items() if count > 1]
        self.claim = "check" if self.repeated else "domain"
        self.is_late = not self.repeated

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = self._without_clashes(masks)
        if not all(narrowed):
            return None
        # Find the Hall sets: sets of elements that use up all of their values.
        set_of: dict[int, int] = {}
        values_of: dict[int, int] = {}
        used_values = 0
        for index, (members, values) in enumerate(self._tight_sets(narrowed)):
            if len(members) > values.bit_count():
                return None
            used_values |= values
            set_of.update(dict.fromkeys(members, index))
            values_of[index] = values
        # A member keeps the values of its set; every other element loses them.
        for element, position in enumerate(self.positions):
            own_set = set_of.get(element)
            allowed = ~used_values if own_set is None else values_of[own_set]
            narrowed[position] = self.preimage(element, narrowed[position], allowed)
        return narrowed if all(narrowed) else None

    def explain(self, before: Masks, removed: Masks) -> Explanation:
        """Explain a failure by elements that have too few values, else as other propagators do."""
        narrowed = self._without_clashes(before)
        if all(narrowed):
            for members, values in self._tight_sets(narrowed):
                if len(members) > values.bit_count():
                    return Explanation(tuple(dict.fromkeys(self.positions[element] for element in members)))
        return super().explain(before, removed)

    def steps(self, before: Masks, removed: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """Yield the values that each Hall set removes, in an order of deduction."""
        current = self._without_clashes(before)
        remaining = list(removed)
        # First, the values for which two elements of one variable are equal: the constraint alone explains them.
        clashes = [
            mask & ~narrowed_mask & removed_mask
            for mask, narrowed_mask, removed_mask in zip(before, current, remaining, strict=True)
        ]
        if any(clashes):
            yield Explanation(()), clashes
            remaining = [mask & ~clash for mask, clash in zip(remaining, clashes, strict=True)]
        pending = sorted(self._tight_sets(current))
        while any(remaining):
            # Take the first Hall set whose members already have no values outside of it.
            images = [self.image(element, current[position]) for element, position in enumerate(self.positions)]
            members, values = hall_set = next(t for t in pending if all(not images[i] & ~t[1] for i in t[0]))
            pending.remove(hall_set)
            # The set removes its values from all other elements.
            step = [0] * len(remaining)
            for element, position in enumerate(self.positions):
                if element not in members:
                    step[position] |= remaining[position] & self.preimage(element, current[position], values)
            if any(step):
                yield Explanation(tuple(dict.fromkeys(self.positions[i] for i in members))), step
            remaining = [mask & ~step_mask for mask, step_mask in zip(remaining, step, strict=True)]
            current = [mask & ~step_mask for mask, step_mask in zip(current, step, strict=True)]

    def _tight_sets(self, masks: Masks) -> list[tuple[tuple[int, ...], int]]:
        """Return the Hall sets of the elements, each with its values as bits."""
        self.meter.steps += MATCHING_PASSES * sum([mask.bit_count() for mask in masks])
        images = [list(bits(self.image(element, masks[position]))) for element, position in enumerate(self.positions)]
        hall_sets: list[TightSet] = tight_sets(images)
        return [(members, sum(1 << int(value) for value in values)) for members, values in hall_sets]

    def _without_clashes(self, masks: Masks) -> list[int]:
        """Return the domains without values at which two elements of one variable are equal.

        At 2, for instance, x and 4 - x are equal.
        """
        narrowed = list(masks)
        for position in self.repeated:
            repeated = [element for element, place in enumerate(self.positions) if place == position]
            narrowed[position] = sum(
                1 << index
                for index in bits(masks[position])
                if len({self.image(element, 1 << index) for element in repeated}) == len(repeated)
            )
        return narrowed


TightSet = tuple[tuple[int, ...], frozenset[Value]]
"""A Hall set: the indices of some elements, and the values that they use up together."""


def tight_sets(images: Sequence[Sequence[Value]]) -> list[TightSet]:
    """Return the Hall sets of elements that must differ, each with its values.

    A Hall set uses up all values of its members. The elements are matched with values. An arc leads from an element to
    each element whose value it could have instead of its own. If an element could have an unmatched value, an arc leads
    to a spare vertex, and from the spare vertex to all elements. An element can have a value in some matching if and
    only if it is on a cycle with the element that has the value. So every strongly connected component without the
    spare vertex is a Hall set (Régin).

    Parameters
    ----------
    images : sequence of sequences of values
        The values of each element.

    Returns
    -------
    list of (tuple of int, frozenset of values)
        The sets share no elements and no values. A set whose members have values of other sets may be listed before
        those. Without a matching of all elements the list has one set, with more elements than values.

    Notes
    -----
    With n elements and m pairs of element and value: O(m * n), and n * n operations on sets of n bits.

    References
    ----------
    .. [1] J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994.
    .. [2] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955.
    .. [3] A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canadian Journal of Mathematics 10, 1958
       (the sets do not depend on the matching).

    Examples
    --------
    >>> [(members, sorted(values)) for members, values in tight_sets([(1, 2), (1, 2), (2, 3, 4)])]
    [((0, 1), [1, 2])]
    >>> [(members, sorted(values)) for members, values in tight_sets([(1, 2), (1, 2), (1, 2)])]
    [((0, 1, 2), [1, 2])]
    """
    return matched_sets(images)[1]


def matched_sets(images: Sequence[Sequence[Value]]) -> tuple[dict[int, Value], list[TightSet]]:
    """Find a maximum matching of elements with values; return the matching and its Hall sets.

    ``images``: the values of each element. The matching maps an element to its value, and is the same for the same
    images. The Hall sets are the result of ``tight_sets``.

    Examples
    --------
    >>> matched_sets([(1, 2), (1,)])
    ({0: 2, 1: 1}, [((0,), frozenset({2})), ((1,), frozenset({1}))])
    """
    count = len(images)
    value_of: dict[int, Value] = {}
    element_of: dict[Value, int] = {}
    # Step 1: a maximum matching, by augmenting paths.
    unmatched = [i for i in range(count) if _match(i, images, value_of, element_of)]
    element_bit = [1 << i for i in range(count)]
    # Step 2: the elements that each one reaches. An unmatched value is the spare vertex, which reaches all.
    spare = 1 << count
    reached = [
        reduce(or_, [element_bit[element_of[value]] if value in element_of else spare for value in image], bit)
        for bit, image in zip(element_bit, images, strict=True)
    ]
    # Transitive closure, one vertex at a time.
    for bit, i in zip(element_bit, range(count), strict=True):
        new_reach = reached[i]
        reached = [reach | new_reach if reach & bit else reach for reach in reached]
    # Step 3: without a full matching, the elements that an unmatched one reaches have too few values.
    if unmatched:
        deficient = reduce(or_, [reached[i] for i in unmatched])
        members = tuple([i for i in range(count) if deficient & element_bit[i]])
        return value_of, [(members, frozenset([value for i in members for value in images[i]]))]
    # Step 4: elements that reach the same set are a strongly connected component.
    components: dict[int, list[int]] = {}
    for i, reach in enumerate(reached):
        if not reach & spare:
            components.setdefault(reach, []).append(i)
    return value_of, [(tuple(members), frozenset([value_of[i] for i in members])) for members in components.values()]


def _match(
    start: int, images: Sequence[Sequence[Value]], value_of: dict[int, Value], element_of: dict[Value, int]
) -> bool:
    """Match one more element along an augmenting path; return whether it stays unmatched."""
    reached_from: dict[Value, int] = {}
    queue = [start]
    for i in queue:
        for value in images[i]:
            if value in reached_from:
                continue
            reached_from[value] = i
            if value in element_of:
                queue.append(element_of[value])
                continue
            while True:
                i = reached_from[value]
                previous = value_of.get(i)
                value_of[i], element_of[value] = value, i
                if previous is None:
                    return False
                value = previous
    return True


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
        """Return the values that elements still have, and each element's lowest and highest rank."""
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
    """Return each element's least rank that no Hall interval of other elements uses up.

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

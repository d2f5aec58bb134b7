"""Exclusions: pairs of candidates that cannot hold together (binary nogoods)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...base.incidence import Incidence
from ...model import Value
from ..memory import Memory
from .kernel import Snapshot, edit, mask
from .layout import Group, Layout

MAX_CACHED_BYTES = 64_000
"""Larger masks, in bytes, are not cached, because most of them are needed only once."""


class Exclusions:
    """Masks that fix a candidate (variable, value) and remove the candidates that it excludes.

    Each is made on first use.

    Attributes
    ----------
    keep : dict of int to Snapshot
        A cache: for every bit of a candidate, the mask of the bits that stay when the candidate is fixed.
    """

    def __init__(self, layout: Layout, memory: Memory) -> None:
        self.keep: dict[int, Snapshot] = memory.cache()
        self._layout = layout
        # A group may have fewer variables than its constraint: ``x + y != y + z`` says nothing about y.
        self._blocks_of = _groups_of(layout, [group for group in layout.groups if group.is_block])
        self._other_groups_of = _groups_of(layout, [group for group in layout.groups if not group.is_block])
        self._memory = memory
        self._patterns: dict[int, dict[int, Snapshot]] = memory.cache()
        self._value_masks: dict[tuple[int, Value], Snapshot] = memory.cache()

    def make_keep(self, bit: int) -> Snapshot:
        """Make the mask that fixes the candidate of a bit, and cache small masks.

        The mask removes the excluded candidates, the other values of the variable and the guards of the candidate's
        sets. The sweep passes a guard bit if the set has just lost its last candidate. The mask then clears the guard
        alone, and the next sweep reports the empty set.
        """
        layout = self._layout
        candidate = layout.at(bit)
        if candidate is None:
            return layout.start ^ mask([bit])
        candidate_bits, variable = layout.bits(candidate), layout.owner(candidate)
        keep = layout.start ^ self._excluded_bits(candidate, variable)
        # Clear all values of the variable and the guards, then set the candidate again.
        values = [*layout.plain_bits_of([variable]), *layout.extra_bits_of(variable)]
        keep = edit(keep, [*values, *layout.guards_at(candidate_bits)], candidate_bits)
        size = layout.length // 8
        if size <= MAX_CACHED_BYTES:
            self._memory.take(size + 64 * len(candidate_bits))
            for candidate_bit in candidate_bits:
                self.keep[candidate_bit] = keep
        return keep

    def by_constraint(self, candidate: int) -> Iterator[tuple[int, Snapshot]]:
        """Yield for each constraint a mask of the candidates that one candidate excludes.

        Each pair has the number of the constraint and the mask of the bits that it excludes.
        """
        other_bits = ~self._layout.candidate_mask(candidate)
        exclusions = [*self._by_blocks(candidate), *self._by_values(candidate)]
        for number, excluded in sorted(exclusions, key=lambda pair: pair[0]):
            yield number, excluded & other_bits

    def _excluded_bits(self, candidate: int, variable: int) -> Snapshot:
        """Return the bits of all candidates that a candidate excludes, perhaps with its own."""
        layout, patterns = self._layout, self._patterns
        index = candidate - layout.first[variable]
        # Join the patterns of all blocks by stride, so that each stride is shifted once.
        pattern_by_stride: dict[int, Snapshot] = {}
        for group in self._blocks_of[variable]:
            for stride, pattern in (patterns.get(group.number) or self._pattern(group)).items():
                pattern_by_stride[stride] = (
                    pattern_by_stride[stride] | pattern if stride in pattern_by_stride else pattern
                )
        excluded = Snapshot(0)
        for stride, pattern in pattern_by_stride.items():
            excluded |= pattern << index * stride
        # Add the extra bits, and the other groups.
        if layout.extra_bits:
            for _, block_bits in self._by_blocks(candidate):
                excluded |= block_bits
        if self._other_groups_of[variable]:
            for _, value_bits in self._by_values(candidate):
                excluded |= value_bits
        return excluded

    def _by_blocks(self, candidate: int) -> Iterator[tuple[int, Snapshot]]:
        """Yield for each block (all_different over equal domains) the bits of a candidate's value."""
        layout = self._layout
        variable = layout.owner(candidate)
        index = candidate - layout.first[variable]
        for group in self._blocks_of[variable]:
            excluded = Snapshot(0)
            for stride, pattern in self._pattern(group).items():
                excluded |= pattern << index * stride
            if layout.extra_bits:
                excluded |= mask(b for m in group.members for b in layout.extra_bits.get(layout.first[m] + index, ()))
            yield group.number, excluded

    def _by_values(self, candidate: int) -> Iterator[tuple[int, Snapshot]]:
        """Yield for each other all_different the bits of the values that a candidate gives.

        A candidate may give different values to different elements of a group, such as ``x`` and ``x + 1``.
        """
        layout = self._layout
        variable = layout.owner(candidate)
        for group in self._other_groups_of[variable]:
            for value in group.images(variable, layout.candidate(candidate)[1]):
                yield group.number, self._value_mask(group, value)

    def _value_mask(self, group: Group, value: Value) -> Snapshot:
        """Return the bits of all candidates that give an element of an all_different this value."""
        bits = self._value_masks.get((group.number, value))
        if bits is None:
            layout = self._layout
            bits = mask(bit for candidate in group.places[value] for bit in layout.bits(candidate))
            size = layout.length // 8
            if size <= MAX_CACHED_BYTES:
                self._memory.take(size + 64)
                self._value_masks[group.number, value] = bits
        return bits

    def _pattern(self, group: Group) -> dict[int, Snapshot]:
        """Return the bits of the first value in an all_different, by stride between values."""
        pattern = self._patterns.get(group.number)
        if pattern is None:
            starts: dict[int, list[int]] = defaultdict(list)
            for member in group.members:
                for start, stride in self._layout.places[member]:
                    starts[stride].append(start)
            pattern = {stride: mask(bits) for stride, bits in starts.items()}
            self._memory.take(self._layout.length // 8 * len(pattern) + 64)
            self._patterns[group.number] = pattern
        return pattern


def _groups_of(layout: Layout, groups: list[Group]) -> list[list[Group]]:
    """Return for each variable the all_different groups that contain it."""
    incidence = Incidence(range(len(layout.domains)), [dict.fromkeys(group.members) for group in groups])
    return [[groups[number] for number in numbers] for numbers in incidence.constraints]

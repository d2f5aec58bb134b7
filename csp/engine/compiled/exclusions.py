"""What a fixed candidate excludes, constraint by constraint."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...model import Value
from ..memory import Memory
from .kernel import Snapshot, edited, mask
from .layout import Layout

LARGE = 64_000
"""Masks of more bytes are not kept, as most are wanted once."""


class Exclusions:
    """The masks that fixing a candidate applies.

    Attributes
    ----------
    keep : dict of int to State
        What may stay when a candidate is fixed, under every bit of it, as far as it has been asked for.
    """

    def __init__(self, layout: Layout, memory: Memory) -> None:
        self.keep: dict[int, Snapshot] = memory.cache()
        self._layout = layout
        self._memory = memory
        self._patterns: dict[int, dict[int, Snapshot]] = memory.cache()
        self._blocks_of: dict[int, list[int]] = defaultdict(list)  # of a variable, as indices of layout.groups
        self._others_of: dict[int, list[int]] = defaultdict(list)  # the groups of a variable that are no blocks
        self._set_masks: dict[tuple[int, Value], Snapshot] = memory.cache()
        for index, group in enumerate(layout.groups):
            own = self._blocks_of if group.is_block else self._others_of
            for member in dict.fromkeys(group.members):
                own[member].append(index)

    def fixing(self, bit: int) -> Snapshot:
        """What may stay when a candidate is fixed: all that it does not exclude, without the guards of its lines.

        A guard stands for a waiting line that has just lost its last candidate; the next sweep will report it.
        """
        layout = self._layout
        candidate = layout.at(bit)
        if candidate is None:
            return layout.start.bit_clear(bit)
        own, variable = layout.bits(candidate), layout.owner(candidate)
        others = layout.start ^ self._excluded(candidate, variable)
        gone = [*layout.spelt_bits(variable), *layout.guards_at(own)]
        made = edited(others, layout.combs([variable]), gone, own)
        size = layout.length // 8
        if size <= LARGE:
            self._memory.take(size + 64 * len(own))
            for same in own:
                self.keep[same] = made
        return made

    def by_constraint(self, candidate: int) -> Iterator[tuple[int, Snapshot]]:
        """The numbers of the constraints that exclude others when a candidate holds, and what each excludes."""
        own = ~self._layout.candidate_mask(candidate)
        found = [*self._by_blocks(candidate), *self._by_sets(candidate)]
        for number, excluded in sorted(found, key=lambda pair: pair[0]):
            yield number, excluded & own

    def _excluded(self, candidate: int, variable: int) -> Snapshot:
        """All bits of what the constraints of a candidate exclude, and of the candidate itself."""
        layout, patterns = self._layout, self._patterns
        index = candidate - layout.first[variable]
        near: dict[int, Snapshot] = {}
        for number in self._blocks_of.get(variable, ()):
            for stride, pattern in (patterns.get(number) or self._pattern(number)).items():
                near[stride] = near[stride] | pattern if stride in near else pattern
        excluded = Snapshot(0)
        for stride, pattern in near.items():
            excluded |= pattern << index * stride
        if layout.spelt:
            for _, more in self._by_blocks(candidate):
                excluded |= more
        if variable in self._others_of:
            for _, more in self._by_sets(candidate):
                excluded |= more
        return excluded

    def _by_blocks(self, candidate: int) -> Iterator[tuple[int, Snapshot]]:
        layout = self._layout
        variable = layout.owner(candidate)
        index = candidate - layout.first[variable]
        for number in self._blocks_of.get(variable, ()):
            group = layout.groups[number]
            excluded = Snapshot(0)
            for stride, pattern in self._pattern(number).items():
                excluded |= pattern << index * stride
            if layout.spelt:
                excluded |= mask(b for m in group.members for b in layout.spelt.get(layout.first[m] + index, ()))
            yield group.number, excluded

    def _by_sets(self, candidate: int) -> Iterator[tuple[int, Snapshot]]:
        layout = self._layout
        variable = layout.owner(candidate)
        for index in self._others_of.get(variable, ()):
            for value in layout.groups[index].given(variable, layout.candidate(candidate)[1]):
                yield layout.groups[index].number, self._set_mask(index, value)

    def _set_mask(self, index: int, value: Value) -> Snapshot:
        """All bits of the candidates that give a value of a group."""
        made = self._set_masks.get((index, value))
        if made is None:
            layout = self._layout
            made = mask(bit for candidate in layout.groups[index].places[value] for bit in layout.bits(candidate))
            size = layout.length // 8
            if size <= LARGE:
                self._memory.take(size + 64)
                self._set_masks[index, value] = made
        return made

    def _pattern(self, number: int) -> dict[int, Snapshot]:
        """By stride, the bits that all variables of a block have for their first value."""
        pattern = self._patterns.get(number)
        if pattern is None:
            starts: dict[int, list[int]] = defaultdict(list)
            for member in self._layout.groups[number].members:
                for start, stride in self._layout.places[member]:
                    starts[stride].append(start)
            pattern = {stride: mask(bits) for stride, bits in starts.items()}
            self._memory.take(self._layout.length // 8 * len(pattern) + 64)
            self._patterns[number] = pattern
        return pattern

"""Sums of variables that all differ and count once each: what is in use tells the sum."""

from __future__ import annotations

from math import comb
from typing import Any

from ...model import Domain
from ..memory import Memory
from .base import Masks, bits
from .supports import ANSWER_BYTES, Supports


class Distinct(Supports):
    """``x1 + x2 + ... = bound`` over one domain, all different: a cage of killer or kakuro, on masks alone.

    Up to three open variables are paired by reflection: the values that add up to a rest with those of a mask are a
    mask, which is kept. More go by dynamic programming over the values in use.

    Parameters
    ----------
    bound : int
    domain : tuple of int
        All values of every variable, ascending.
    steps : int
        About how many steps an answer may take.
    memory : Memory

    References
    ----------
    .. [1] H. Simonis, "Kakuro as a constraint problem", 2008.

    Examples
    --------
    >>> cage = Distinct(4, (1, 2, 3, 4), 1500, Memory(10000))
    >>> [bin(mask) for mask in cage.supported((0b1111, 0b1111))], cage.supported((0b0010, 0b0010))
    (['0b101', '0b101'], ())
    """

    def __init__(self, bound: int, domain: Domain, steps: int, memory: Memory) -> None:
        super().__init__(steps, memory)
        self.bound = bound
        self._numbers: Any = domain
        self._index = {value: i for i, value in enumerate(domain)}
        self._reflected: dict[tuple[int, int], int] = memory.shelf()

    def _found(self, masks: tuple[int, ...]) -> Masks | None:
        numbers = self._numbers
        left = list(masks)
        open_ = list(range(len(left)))
        rest, used = self.bound, 0
        while fixed := [i for i in open_ if not left[i] & (left[i] - 1)]:
            for i in fixed:
                if not left[i] or used & left[i]:
                    return ()
                used |= left[i]
                rest -= numbers[left[i].bit_length() - 1]
            open_ = [i for i in open_ if left[i] & (left[i] - 1)]
            for i in open_:
                left[i] &= ~used
        if not open_:
            return () if rest else left
        if len(open_) == 1:
            left[open_[0]] &= self._partners(rest, -1)
            return left if left[open_[0]] else ()
        if len(open_) == 2:
            found = self._pair(left[open_[0]], left[open_[1]], rest)
        elif len(open_) == 3:
            found = self._three([left[i] for i in open_], rest)
        else:
            layers = self._layers([left[i] for i in open_], rest)
            if layers is None:
                return None
            found = layers
        if not found:
            return ()
        for i, mask in zip(open_, found, strict=True):
            left[i] = mask
        return left

    def _partners(self, rest: int, mask: int) -> int:
        """The values that with some of a mask add up to a rest; of -1, the value that is the rest."""
        known = self._reflected.get((rest, mask))
        if known is None:
            numbers, index = self._numbers, self._index
            wanted = [rest] if mask < 0 else [rest - numbers[bit] for bit in bits(mask)]
            known = sum([1 << index[value] for value in wanted if value in index])
            self._memory.take(ANSWER_BYTES)
            self._reflected[rest, mask] = known
        return known

    def _pair(self, one: int, other: int, rest: int) -> tuple[int, ...]:
        """The values of two different variables that add up to a rest."""
        both = one & self._partners(rest, other)
        half = 0 if rest % 2 else self._partners(rest // 2, -1)
        one = both & ~half
        return (one, other & self._partners(rest, one) & ~half) if one else ()

    def _three(self, masks: list[int], rest: int) -> tuple[int, ...]:
        """The values of three different variables that add up to a rest."""
        first, second, third = masks
        found = one = other = 0
        numbers = self._numbers
        while first:
            bit = first & -first
            first ^= bit
            pair = self._pair(second & ~bit, third & ~bit, rest - numbers[bit.bit_length() - 1])
            if pair:
                found |= bit
                one, other = one | pair[0], other | pair[1]
        return (found, one, other) if found else ()

    def _layers(self, masks: list[int], rest: int) -> tuple[int, ...] | None:
        """The values of many different variables that add up to a rest; None where it takes too many steps."""
        numbers = self._numbers
        if self._steps(masks) > self._most:
            return None
        low = high = 0
        ends = [(0, 0)]
        for mask in reversed(masks[1:]):
            low, high = low + numbers[(mask & -mask).bit_length() - 1], high + numbers[mask.bit_length() - 1]
            ends.append((low, high))
        states = {0: rest}
        layers, total = [], 0
        for mask, (least, most) in zip(masks, reversed(ends), strict=True):
            moves: list[tuple[int, int]] = []
            after: dict[int, int] = {}
            for used, still in states.items():
                free = mask & ~used
                while free:
                    bit = free & -free
                    free ^= bit
                    behind = still - numbers[bit.bit_length() - 1]
                    if least <= behind <= most:
                        after[used | bit] = behind
                        moves.append((used, bit))
            layers.append(moves)
            total += len(moves)
            if total > self._most:
                return None
            states = after
        useful, found = set(states), []
        for moves in reversed(layers):
            own, before = 0, set()
            for used, bit in moves:
                if used | bit in useful:
                    own |= bit
                    before.add(used)
            found.append(own)
            useful = before
        return tuple(found[::-1]) if found[0] else ()

    def _steps(self, masks: list[int]) -> int:
        """About how many steps ``_layers`` would take, at most."""
        most = max([mask.bit_count() for mask in masks])
        total, assignments = 0, 1
        for i, mask in enumerate(masks):
            total += min(assignments, comb(most, min(i, most // 2))) * mask.bit_count()
            assignments *= mask.bit_count()
        return total

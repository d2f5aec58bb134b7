"""The base class of tables of partial sums, which caches the supported values."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...effort import Meter
from ...memory import Memory
from .base import Masks

MISS_PASSES = 2
"""Steps that are counted for each value if an answer is not in the cache."""

ANSWER_BYTES = 300
"""Estimated bytes of a cached answer."""


class Supports(ABC):
    """A base class of solvers of one constraint that cache the supported values.

    ``steps``: estimated number of steps beyond which the answer is None; ``meter``: counts the steps of answers
    that are not in the cache.
    """

    def __init__(self, steps: int, memory: Memory, meter: Meter | None = None) -> None:
        self._limit = steps
        self._memory = memory
        self._meter = meter or Meter()
        self._cache: dict[Masks, Masks | None] = memory.cache()

    def find_supports(self, masks: tuple[int, ...]) -> Masks | None:
        """Return for each variable the values that occur in a solution of the constraint.

        ``masks``: the domain of each variable; a product needs positive values. Returns an empty tuple if the
        constraint cannot hold, and None if the answer would need too many steps.
        """
        cache = self._cache
        if masks in cache:
            return cache[masks]
        self._meter.steps += MISS_PASSES * sum([mask.bit_count() for mask in masks])
        supports = self._compute(masks)
        self._memory.take(2 * ANSWER_BYTES)
        if supports:
            supports = tuple(supports)
            # The propagator runs again after its own removals: supports are their own supports.
            cache[supports] = supports
        cache[masks] = supports
        return supports

    @abstractmethod
    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        """Compute the supported values for domains that are not in the cache."""

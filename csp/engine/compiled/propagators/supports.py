"""Answers that a cage keeps: which values stand in some solution."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...memory import Memory
from .base import Masks

MISS_PASSES = 2
"""How often each value is looked at for an answer that is not known."""

ANSWER_BYTES = 300
"""About what an answer takes that is kept."""


class Supports(ABC):
    """A constraint that is asked for its supported values again and again, and keeps its answers.

    ``steps``: about how many steps an answer may take.
    """

    def __init__(self, steps: int, memory: Memory) -> None:
        self._most = steps
        self._memory = memory
        self._known: dict[Masks, Masks | None] = memory.cache()

    def find_supports(self, masks: tuple[int, ...]) -> Masks | None:
        """The values that stand in some solution, for each variable.

        ``masks``: the values of each variable, as bits; positive ones for a product. Returns empty where nothing can
        hold; None where it would take about ``most`` steps or more.
        """
        known = self._known
        if masks in known:
            return known[masks]
        self._memory.steps += MISS_PASSES * sum([mask.bit_count() for mask in masks])
        found = self._compute(masks)
        self._memory.take(2 * ANSWER_BYTES)
        if found:
            found = tuple(found)
            known[found] = found  # asked next, as its own change is told to a filter, too
        known[masks] = found
        return found

    @abstractmethod
    def _compute(self, masks: tuple[int, ...]) -> Masks | None:
        """What is not known yet."""

"""Drops premises that a conclusion does not need, by bisection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def shrunk(items: Sequence[T], enough: Callable[[Sequence[T]], bool], first: bool = False) -> list[T]:
    """Some of the items, which are still enough, after a pass that drops what it can.

    ``items``: which are enough; ``enough``: whether some of them are, in their order; ``first``: whether the first ones
    are dropped first, and not the last. Returns where more are always enough if fewer are, these are without any one of
    them not.

    Notes
    -----
    It asks O(k log n) times if k of n items stay.

    References
    ----------
    .. [1] U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", 2004.

    Examples
    --------
    >>> shrunk(range(10), lambda some: sum(some) >= 11), shrunk(range(10), lambda some: sum(some) >= 11, first=True)
    ([1, 2, 3, 5], [8, 9])
    """
    left = list(range(len(items)))

    def drop(numbers: list[int]) -> None:
        nonlocal left
        gone = set(numbers)
        fewer = [number for number in left if number not in gone]
        if enough([items[number] for number in fewer]):
            left = fewer
        elif len(numbers) > 1:
            half = len(numbers) // 2
            drop(numbers[half:])
            drop(numbers[:half])

    if items:
        drop(left[::-1] if first else left)
    return [items[number] for number in left]

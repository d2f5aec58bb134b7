"""Shrink a sufficient set to a minimal one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import TypeVar

T = TypeVar("T")


def shrink_to_minimal(items: Sequence[T], is_enough: Callable[[Sequence[T]], bool], first: bool = False) -> list[T]:
    """Return a minimal sublist of ``items`` for which ``is_enough`` is still true.

    If supersets of a sufficient set are sufficient, too, then the result without any one item is not sufficient.

    Parameters
    ----------
    items : sequence
        A sufficient set.
    is_enough : function
        Tests whether some of the items, in their order, are sufficient.
    first : bool
        Drop the first items first, and not the last.

    Returns
    -------
    list
        The remaining items, in their order.

    Notes
    -----
    The test is called O(k log n) times if k of n items remain.

    References
    ----------
    .. [1] U. Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", 2004.

    Examples
    --------
    >>> shrink_to_minimal(range(10), lambda numbers: sum(numbers) >= 11)
    [1, 2, 3, 5]
    >>> shrink_to_minimal(range(10), lambda numbers: sum(numbers) >= 11, first=True)
    [8, 9]
    """
    remaining = list(range(len(items)))

    def drop(numbers: list[int]) -> None:
        nonlocal remaining
        dropped = set(numbers)
        kept_numbers = [number for number in remaining if number not in dropped]
        # Drop all of the numbers if the rest is sufficient; otherwise try each half.
        if is_enough([items[number] for number in kept_numbers]):
            remaining = kept_numbers
        elif len(numbers) > 1:
            half = len(numbers) // 2
            drop(numbers[half:])
            drop(numbers[:half])

    if items:
        drop(remaining[::-1] if first else remaining)
    return [items[number] for number in remaining]


def shrink_by_deletion(
    items: Sequence[T], find_enough: Callable[[Sequence[T]], Sequence[T] | None], limit: float = inf
) -> list[T]:
    """Return a minimal sublist of ``items`` that is still sufficient; drop the last items first.

    Unlike ``shrink_to_minimal``, a test returns the items that it used, so that the others are dropped with it.

    Parameters
    ----------
    items : sequence
        A sufficient set, without equal items.
    find_enough : function
        Returns a sufficient sublist of some of the items, in their order; None if they are not sufficient.
    limit : float
        Stop once this many items are needed. The result then has at least as many, and may not be minimal.

    Returns
    -------
    list
        The remaining items, in their order.

    Notes
    -----
    The test is called at most once for each item.

    Examples
    --------
    >>> shrink_by_deletion([1, 2, 3, 4, 5], lambda numbers: numbers if sum(numbers) >= 8 else None)
    [1, 3, 4]
    >>> shrink_by_deletion([1, 2, 3, 4, 5], lambda numbers: numbers if sum(numbers) >= 8 else None, limit=1)
    [1, 2, 3, 4]
    """
    remaining, needed = list(items), set[T]()
    while len(needed) < limit:
        item = next((each for each in reversed(remaining) if each not in needed), None)
        if item is None:
            break
        enough = find_enough([each for each in remaining if each != item])
        if enough is None:
            needed.add(item)
        else:
            remaining = list(enough)
    return remaining

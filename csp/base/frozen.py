"""A base class of immutable data classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base class of immutable data classes: ``dataclass(frozen=True)`` without a decorator.

    Examples
    --------
    >>> class Point(Frozen):
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), {Point(1): "there"}[Point(1)]
    (Point(x=1, y=0), True, 'there')
    >>> Point(1).x = 2
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(frozen=True)(cls)

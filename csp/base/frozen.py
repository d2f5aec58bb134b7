"""Data that nobody changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base of data classes that nobody changes and that are equal where their fields are.

    A subclass is what ``dataclass(frozen=True)`` would make of it in four times as long: that compiles six methods for
    each, and here only ``__init__`` is.

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

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _compared: ClassVar[attrgetter[Any]]
    _hashed: ClassVar[attrgetter[Any]]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        inherited = getattr(cls, "__dataclass_fields__", None)
        dataclass(init=False, repr=False, eq=False)(cls)
        if cls.__dataclass_fields__ == inherited:
            return
        own = fields(cls)
        if "__init__" not in cls.__dict__:
            cls.__init__ = _init(cls, [one for one in own if one.init])  # type: ignore[method-assign]
        cls._compared = _values([one for one in own if one.compare])
        cls._hashed = _values([one for one in own if (one.compare if one.hash is None else one.hash)])

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(self._compared(self) == self._compared(other))

    def __hash__(self) -> int:
        return hash(self._hashed(self))

    def __repr__(self) -> str:
        shown = [f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr]
        return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _values(own: Sequence[Field[Any]]) -> attrgetter[Any]:
    """What gets the values of fields as a tuple; of one, or none, with the class, as one value would stand alone."""
    names = [one.name for one in own]
    return attrgetter(*names) if len(names) > 1 else attrgetter("__class__", *names)


def _init(kind: type[Frozen], own: Sequence[Field[Any]]) -> Callable[..., None]:
    """What sets these fields, in their order, those by keyword last."""
    known: dict[str, Any] = {"__name__": kind.__module__, "_assign": object.__setattr__, "_absent": MISSING}
    head, body = ["self"], []
    for one in sorted(own, key=lambda one: bool(one.kw_only)):
        if one.kw_only and "*" not in head:
            head.append("*")
        name = value = one.name
        default = f"_default_{name}"
        if one.default_factory is not MISSING:
            known[default] = one.default_factory
            value = f"{default}() if {name} is _absent else {name}"
            head.append(f"{name}=_absent")
        elif one.default is not MISSING:
            known[default] = one.default
            head.append(f"{name}={default}")
        else:
            head.append(name)
        body.append(f"_assign(self, {name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(head)}):\n " + "\n ".join(body or ["pass"]), known)
    made = known["__init__"]
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    made.__annotations__ = {one.name: one.type for one in own}
    return made  # type: ignore[no-any-return]

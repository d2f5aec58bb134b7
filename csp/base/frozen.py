"""A base class of immutable data classes that are made fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base class of immutable data classes that compare by their fields.

    A subclass behaves as with ``dataclass(frozen=True)``. That decorator compiles six methods for each class, at
    every start of a program; this base compiles only ``__init__``.

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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        inherited = getattr(cls, "__dataclass_fields__", None)
        dataclass(init=False, repr=False, eq=False)(cls)
        if cls.__dataclass_fields__ == inherited:
            return
        compared = [each for each in fields(cls) if each.compare]
        cls._compared, cls._hashed = _getter(compared), _getter([each for each in compared if each.hash is not False])
        if "__init__" not in cls.__dict__:
            cls.__init__ = _make_init(cls)  # type: ignore[method-assign]

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
        parts = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
        return f"{self.__class__.__qualname__}({', '.join(parts)})"


def _getter(class_fields: Sequence[Field[Any]]) -> attrgetter[Any]:
    """Return a function that returns the values of an instance's fields as a tuple.

    With fewer than two fields the class is added: ``attrgetter`` of one name would return a value without a tuple.
    """
    names = [each.name for each in class_fields]
    return attrgetter(*names) if len(names) > 1 else attrgetter("__class__", *names)


def _make_init(cls: type[Frozen]) -> Callable[..., None]:
    """Compile an ``__init__`` that assigns the fields of a class, as ``dataclass`` does."""
    class_fields = [each for each in fields(cls) if each.init]
    namespace: dict[str, Any] = {"_assign": object.__setattr__, "_absent": MISSING}
    head, body = ["self"], []
    for each in sorted(class_fields, key=lambda each: bool(each.kw_only)):
        if each.kw_only and "*" not in head:
            head.append("*")
        name = value = each.name
        default = f"_default_{name}"
        # A parameter for the field, and a statement that assigns it.
        if each.default_factory is not MISSING:
            namespace[default] = each.default_factory
            value = f"{default}() if {name} is _absent else {name}"
            head.append(f"{name}=_absent")
        elif each.default is not MISSING:
            namespace[default] = each.default
            head.append(f"{name}={default}")
        else:
            head.append(name)
        body.append(f"_assign(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(head)}):\n " + "\n ".join(body or ["pass"]), namespace)
    init = namespace["__init__"]
    init.__module__, init.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    init.__annotations__ = {each.name: each.type for each in class_fields}
    return init  # type: ignore[no-any-return]

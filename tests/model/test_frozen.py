"""Compare Frozen with dataclasses that declare the same fields."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

import csp
from csp.base.frozen import Frozen

from ..conftest import ROOT


class FrozenBase(Frozen):
    kind: ClassVar[str] = "base"
    _: KW_ONLY
    label: str = ""
    line: int = field(default=0, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.label))


class Example(FrozenBase):
    width: int
    rows: list[int] = field(default_factory=list, hash=False)
    symbol: str = "r"


class Inherited(Example):
    """A subclass without additional fields."""


@dataclass(frozen=True)
class DataclassBase:
    kind: ClassVar[str] = "base"
    _: KW_ONLY
    label: str = ""
    line: int = field(default=0, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.label))


@dataclass(frozen=True)
class DataclassExample(DataclassBase):
    width: int
    rows: list[int] = field(default_factory=list, hash=False)
    symbol: str = "r"


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1,), {"line": 3}),
    ((1, [2]), {"label": "row"}),
    ((1,), {"symbol": "s"}),
    ((2, [2], "r"), {"label": "row", "line": 9}),
]


@pytest.mark.parametrize("kind", [Example, Inherited])
def test_a_frozen_class_behaves_like_a_frozen_dataclass(kind: type[Example]) -> None:
    frozen, plain = ([cls(*values, **keywords) for values, keywords in ARGUMENTS] for cls in (kind, DataclassExample))
    assert [repr(value).partition("(")[2] for value in frozen] == [repr(value).partition("(")[2] for value in plain]
    assert [[a == b for b in frozen] for a in frozen] == [[a == b for b in plain] for a in plain]
    assert [hash(value) for value in frozen] == [hash(value) for value in plain]
    assert [value.size for value in frozen] == [value.size for value in plain]
    assert [replace(value, width=5).width for value in frozen] == [5] * len(frozen)
    assert kind.__match_args__ == DataclassExample.__match_args__ == ("width", "rows", "symbol")  # type: ignore[attr-defined]
    names = [
        [(parameter.name, parameter.kind) for parameter in inspect.signature(cls).parameters.values()]
        for cls in (kind, DataclassExample)
    ]
    assert names[0] == names[1]
    assert (kind.__init__.__module__, kind.__init__.__qualname__) == (__name__, "Example.__init__")
    assert frozen[0].rows is not kind(1).rows and frozen[0] != plain[0]
    assert [pickle.loads(pickle.dumps(value)) for value in frozen] == frozen == copy.deepcopy(frozen)


class WithInit(Example):
    """A subclass with its own constructor."""

    def __init__(self) -> None:
        super().__init__(7, symbol="s")


class InheritedInit(WithInit):
    """A subclass that inherits the constructor of its base."""


def test_a_subclass_may_have_its_own_constructor() -> None:
    for kind in (WithInit, InheritedInit):
        assert (kind().width, kind().rows, kind().symbol, kind() == kind()) == (7, [], "s", True)


class CollidingNames(Frozen):
    """A class whose fields are named like locals of the generated constructor."""

    set: int = 1
    assign: int = 2
    absent: list[int] = field(default_factory=list)
    missing: int = 3


def test_fields_may_have_any_name() -> None:
    assert repr(CollidingNames(5)) == "CollidingNames(set=5, assign=2, absent=[], missing=3)"


class NoFields(Frozen):
    """A class without fields."""


def test_instances_without_fields_are_equal() -> None:
    assert NoFields() == NoFields() and hash(NoFields()) == hash(NoFields()) and repr(NoFields()) == "NoFields()"


class SingleField(Frozen):
    """A class with a field of any type."""

    value: object


def test_equality_compares_field_values_by_identity_first() -> None:
    """Compare expressions, whose `==` builds a constraint, by identity first, as tuples do."""
    x = csp.var("x")
    assert SingleField(x) == SingleField(x) and SingleField(1) != SingleField(2)


T = TypeVar("T")


class Boxed(Frozen, Generic[T]):
    """A class with a second base that has its own `__init_subclass__`."""

    value: T


def test_init_subclass_of_another_base_is_called() -> None:
    assert Boxed[int](3).value == 3 and Boxed.__parameters__ == (T,)  # type: ignore[attr-defined]


def test_instances_of_different_classes_are_not_equal() -> None:
    assert Example(1) != Inherited(1) and repr(Inherited(1)).startswith("Inherited(label='', line=0, width=1")


@pytest.mark.parametrize("arguments", [{}, {"width": 1, "unknown": 2}, {"width": 1, "size": 3}])
def test_unknown_and_missing_fields_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"Example\.__init__\(\)"):
        Example(**arguments)
    with pytest.raises(TypeError):
        Example(1, [], "r", "label")  # type: ignore[misc]


def test_fields_cannot_be_changed_or_deleted() -> None:
    example: Any = Example(1)
    with pytest.raises(FrozenInstanceError):
        example.width = 2
    with pytest.raises(FrozenInstanceError):
        del example.label
    assert example.width == 1 and example.label == ""


def test_the_engine_uses_frozen_instead_of_frozen_dataclasses() -> None:
    """Allow a frozen dataclass only in the two modules that define an ``__init__``."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "csp").rglob("*.py")}
    exceptions = {path.stem for path, text in sources.items() if "\n@dataclass(frozen=True" in text}
    assert exceptions == {"expression", "model"}

"""Data that nobody changes, beside what dataclasses make of the same fields."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

import csp
from csp.base.frozen import Frozen

from .conftest import ROOT


class Base(Frozen):
    kind: ClassVar[str] = "base"
    _: KW_ONLY
    label: str = ""
    line: int = field(default=0, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.label))


class Made(Base):
    left: int
    rows: list[int] = field(default_factory=list, hash=False)
    right: str = "r"


class Inherited(Made):
    """Without fields of its own."""


@dataclass(frozen=True)
class PlainBase:
    kind: ClassVar[str] = "base"
    _: KW_ONLY
    label: str = ""
    line: int = field(default=0, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.label))


@dataclass(frozen=True)
class Plain(PlainBase):
    left: int
    rows: list[int] = field(default_factory=list, hash=False)
    right: str = "r"


GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1,), {"line": 3}),
    ((1, [2]), {"label": "row"}),
    ((1,), {"right": "s"}),
    ((2, [2], "r"), {"label": "row", "line": 9}),
]


@pytest.mark.parametrize("kind", [Made, Inherited])
def test_it_is_what_a_frozen_data_class_is(kind: type[Made]) -> None:
    own, plain = ([one(*values, **named) for values, named in GIVEN] for one in (kind, Plain))
    assert [repr(one).partition("(")[2] for one in own] == [repr(one).partition("(")[2] for one in plain]
    assert [[one == other for other in own] for one in own] == [[one == other for other in plain] for one in plain]
    assert [hash(one) for one in own] == [hash(one) for one in plain]
    assert [one.size for one in own] == [one.size for one in plain]
    assert [replace(one, left=5).left for one in own] == [5] * len(own)
    assert kind.__match_args__ == Plain.__match_args__ == ("left", "rows", "right")  # type: ignore[attr-defined]
    names = [[(one.name, one.kind) for one in inspect.signature(it).parameters.values()] for it in (kind, Plain)]
    assert names[0] == names[1]
    assert (kind.__init__.__module__, kind.__init__.__qualname__) == (__name__, "Made.__init__")
    assert own[0].rows is not kind(1).rows and own[0] != plain[0]
    assert [pickle.loads(pickle.dumps(one)) for one in own] == own == copy.deepcopy(own)


class Own(Made):
    """With a way of its own to be made."""

    def __init__(self) -> None:
        super().__init__(7, right="s")


class OwnToo(Own):
    """Without one."""


def test_a_subclass_may_be_made_in_its_own_way() -> None:
    for kind in (Own, OwnToo):
        assert (kind().left, kind().rows, kind().right, kind() == kind()) == (7, [], "s", True)


class Called(Frozen):
    """Whose fields are called like what its constructor needs."""

    set: int = 1
    assign: int = 2
    absent: list[int] = field(default_factory=list)
    missing: int = 3


def test_fields_may_have_any_name() -> None:
    assert repr(Called(5)) == "Called(set=5, assign=2, absent=[], missing=3)"


class Nothing(Frozen):
    """Without a field."""


def test_what_has_no_field_is_equal_to_its_kind() -> None:
    assert Nothing() == Nothing() and hash(Nothing()) == hash(Nothing()) and repr(Nothing()) == "Nothing()"


class One(Frozen):
    """With one."""

    value: object


def test_a_value_is_equal_to_itself_whatever_its_sign_for_equal_makes() -> None:
    """As in a tuple: of an expression it makes a constraint, which has no truth."""
    x = csp.var("x")
    assert One(x) == One(x) and One(1) != One(2)


T = TypeVar("T")


class Boxed(Frozen, Generic[T]):
    """With another base that wants to know of its subclasses."""

    value: T


def test_other_bases_are_told_of_subclasses() -> None:
    assert Boxed[int](3).value == 3 and Boxed.__parameters__ == (T,)  # type: ignore[attr-defined]


def test_another_kind_is_not_equal() -> None:
    assert Made(1) != Inherited(1) and repr(Inherited(1)).startswith("Inherited(label='', line=0, left=1")


@pytest.mark.parametrize("wrong", [{}, {"left": 1, "other": 2}, {"left": 1, "size": 3}])
def test_unknown_and_missing_fields_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"Made\.__init__\(\)"):
        Made(**wrong)
    with pytest.raises(TypeError):
        Made(1, [], "r", "label")  # type: ignore[misc]


def test_nothing_is_changed() -> None:
    made: Any = Made(1)
    with pytest.raises(FrozenInstanceError):
        made.left = 2
    with pytest.raises(FrozenInstanceError):
        del made.label
    assert made.left == 1 and made.label == ""


def test_the_engine_has_one_way_to_make_them() -> None:
    """Two have an ``__init__`` of their own."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "csp").rglob("*.py")}
    by_hand = {path.stem for path, text in sources.items() if "\n@dataclass(frozen=True" in text}
    assert by_hand == {"expression", "model"}

"""Twice as long a text costs hardly more than twice as much: counted in calls, not in seconds."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

import pytest

import dsl

from .growth import TEXTS


def calls(text: str) -> int:
    """How many functions are called when a text is read."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        with contextlib.suppress(dsl.SpecError):
            dsl.loads(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_growth(text: Callable[[int], str]) -> None:
    calls(text(1))  # the parser is made once
    assert calls(text(240)) < 2.2 * calls(text(120))


def test_long_bodies_are_read() -> None:
    for name in ("generators", "generators that wait", "facts in a body", "tests", "negations"):
        assert [str(one) for one in dsl.loads(TEXTS[name](2000)).constraints] == ["A = 1"]

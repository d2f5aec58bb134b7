"""Tests that the effort of reading grows hardly faster than the text."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

import pytest

import dsl

from ..growth import TEXTS


def count_calls(text: str) -> int:
    """Return the number of function calls that reading a text makes."""
    count = 0

    def count_call(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    previous_profiler = sys.getprofile()
    sys.setprofile(count_call)
    try:
        with contextlib.suppress(dsl.SpecError):
            dsl.loads(text)
    finally:
        sys.setprofile(previous_profiler)
    return count


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_calls_grow_in_proportion_to_the_text(text: Callable[[int], str]) -> None:
    count_calls(text(1))  # the parser is made once
    # Blanks move all clauses to other columns, so that none is cached from the longer text.
    assert count_calls(text(240)) < 2.2 * count_calls(" " + text(120).replace("\n", "\n "))


def test_long_bodies_are_read() -> None:
    for name in ("generators", "generators that wait", "facts in a body", "tests", "negations"):
        assert [*map(str, dsl.loads(TEXTS[name](2000)).constraints)] == ["A = 1"]

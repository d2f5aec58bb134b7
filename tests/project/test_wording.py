"""The measures of plain wording may only improve: ``python -m tests.wording --list MEASURE`` lists the places."""

from __future__ import annotations

import pytest

from ..conftest import ROOT
from ..wording import COMMENTS, Measures

LIMITS = {
    "pronoun names, %": 1.1,
    "participle functions, %": 0.8,
    "function docstrings without a verb first, %": 0.0,
    "docstrings that begin with a riddle (What, Such, Of ...), %": 0.0,
    "docstrings' first sentence over 15 words, %": 0.4,
    "docstrings with the dialect, %": 2.4,
    "messages and constants' notes with the dialect": 1,
    "dialect in pages, per 1,000 words": 0.1,
    "sentences over 30 words in pages": 0,
    "words in pages (gallery apart)": 41000,
}
"""The maximum of each measure. Lower it when a measure falls; never raise it."""

MIN_COMMENTS = 15.0
"""The minimum of comment lines per 1,000 lines of code."""


@pytest.fixture(scope="module")
def table() -> dict[str, float]:
    return Measures(ROOT).table()


@pytest.mark.parametrize("measure", LIMITS)
def test_a_measure_of_wording_does_not_rise(measure: str, table: dict[str, float]) -> None:
    assert table[measure] <= LIMITS[measure], f"list the places: python -m tests.wording --list {measure.split()[0]!r}"


def test_algorithms_have_comments(table: dict[str, float]) -> None:
    assert table[COMMENTS] >= MIN_COMMENTS


def test_every_measure_has_a_limit(table: dict[str, float]) -> None:
    assert {*table} - {*LIMITS} == {COMMENTS}

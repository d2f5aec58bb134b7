"""The editor room: what is asked of a text while it is written, on the gallery and on the table of mistakes."""

from __future__ import annotations

import random

import pytest

from csp import CspError
from dsl import SpecError
from dsl.editor import apply_edits, complete, define, diagnose, fix, format, hover, rename, uses
from dsl.editor.names import SpecNames
from dsl.editor.words import WORDS
from dsl.syntax.errors import Source
from dsl.syntax.printing.format import format_spec
from dsl.syntax.vocabulary import KEYWORDS, RESERVED

from .cases import Case
from .conftest import ROOT, TIMES
from .lint_cases import WARNED
from .mistakes import CASES

GALLERY = sorted((ROOT / "examples").glob("*.csp"))
KILLER = (ROOT / "examples" / "killer.csp").read_text(encoding="utf-8")


def at(text: str) -> tuple[str, int, int]:
    """A text without its bar, and the line and the column of the bar."""
    before, _, after = text.partition("|")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


def test_every_word_of_the_language_is_told() -> None:
    assert {*WORDS} == {*KEYWORDS, *RESERVED}


@pytest.mark.sampled
@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_names_of_the_gallery(path) -> None:
    """Every occurrence is its name; every name has a definition, where one goes from there back."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    named = {}
    for one in SpecNames(text, str(path)).occurrences():
        assert lines[one.at.line - 1][one.at.column - 1 :].startswith(one.name)
        if one.kind not in ("word", "symbol") and one.name != "_":
            named.setdefault((one.name, one.owner), one)
    some = random.Random(path.stem).sample([*named.values()], min(len(named), 5 * TIMES))
    for one in some:
        place = define(text, one.at.line, one.at.column, str(path))
        assert place is not None, one
        if not place.file:
            assert lines[place.line - 1][place.column - 1 :].startswith(one.name)
    assert some


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text[:40])
def test_mistakes_are_told_in_their_places_and_nothing_breaks(case) -> None:
    found = diagnose(case.spec, case.params, case.grids)
    line, column, _ = case.place
    if not case.grids:
        assert any((one.at.line, one.at.column) == (line, column) for one in found if case.message in one.message)
    complete(case.spec, line, column)
    hover(case.spec, line, column, case.params, case.grids)
    define(case.spec, line, column)
    uses(case.spec, line, column)
    for one in found:
        for mended in fix(case.spec, one):
            assert apply_edits(case.spec, mended.edits) != case.spec


MENDED = {
    "A in 1..4": "A in 1..4.",
    "A in 1..4\nB in 1..3.": "A in 1..4.\nB in 1..3.",
    "A in 1..4. A == 3.": "A in 1..4. A = 3.",
    "A in 1..4. A =< 3.": "A in 1..4. A <= 3.",
    "A in 1..4. A <> 3.": "A in 1..4. A != 3.",
    "A in 1..4. A ≠ 3.": "A in 1..4. A != 3.",
    "A in 1..4. A #= 3.": "A in 1..4. A = 3.",
    "A in 1..2 | 4..5.": "A in 1..2 \\/ 4..5.",
    "A, B in 1..4. A = 1 <=> B = 2.": "A, B in 1..4. A = 1 <-> B = 2.",
    "A in 1..4. A = 1 or A = 2.": "A in 1..4. A = 1 ; A = 2.",
    "A in 1..4. A = 4 / 2.": "A in 1..4. A = 4 // 2.",
    "A, B in 1..4. all_different([A, B).": "A, B in 1..4. all_different([A, B]).",
    "A in 1..4. A = (3 + 1.": "A in 1..4. A = (3 + 1).",
    "A in 1..4. A = 3).": "A in 1..4. A = 3.",
    "A, B in 1..4. All_Different([A, B]).": "A, B in 1..4. all_different([A, B]).",
    "A, B in 1..4. alldifferent([A, B]).": "A, B in 1..4. all_different([A, B]).",
    "A, B in 1..4. all different([A, B]).": "A, B in 1..4. all_different([A, B]).",
    "param N = 3. A in 1..4.": "param n = 3. A in 1..4.",
    "A in {red, blue}. A = grid.": "A in {red, blue}. A = 'grid'.",
    "A in 1-4.": "A in 1..4.",
    "x(I) in 1..4 <- I in 1..4.": "x(I) in 1..4 :- I in 1..4.",
    "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. cel(1, 1) = 3.": (
        "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. cell(1, 1) = 3."
    ),
    "A in 1..4. A = 2A.": "A in 1..4. A = 2*A.",
    "p(1), p(2). A in 1..4 :- p(_).": "p(1). p(2). A in 1..4 :- p(_).",
}


@pytest.mark.parametrize("text", MENDED, ids=lambda text: text[:40])
def test_a_hint_mends(text: str) -> None:
    texts = [apply_edits(text, mended.edits) for mended in fix(text, diagnose(text)[0])]
    assert texts[:1] == [MENDED[text]]


def test_how_many_mistakes_of_the_table_are_mended() -> None:
    """A figure that may rise: of those with a hint, how many have a fix that has been tried."""
    errors = [(case.spec, found) for case in CASES for found in diagnose(case.spec)[:1] if not found.code]
    assert sum(bool(fix(spec, found)) for spec, found in errors) >= 60


@pytest.mark.parametrize(("code", "case"), WARNED, ids=lambda one: str(one)[:20])
def test_warnings_are_silenced_by_their_last_fix(code: str, case: Case) -> None:
    text = case.spec
    for found in diagnose(text):
        if found.code and not found.file:
            after = diagnose(apply_edits(text, fix(text, found)[-1].edits))
            assert (found.code, found.message) not in {(one.code, one.message) for one in after} or "same" in found.code


def test_completion_knows_the_clause_the_spec_and_the_words() -> None:
    assert [one.word for one in complete(*at('"row {R}": x(R) = 1 :- Row in 1..2, R in Ro|.'))] == ["Row"]
    assert complete(*at("param size = 3. A in 1..s|"))[0][:2] == ("size", "param")
    assert "sudoku" in [one.word for one in complete(*at("include sud|"))]
    assert [one.word for one in complete(*at("A in 1..4.\nmini|"))] == ["minimize"]
    assert "param" not in [one.word for one in complete(*at("A in 1..4. x = pa|"))]
    assert complete(*at("% all_d|")) == [] and complete(*at("A in 1..4. all_dif|"))[0].word == "all_different"
    assert "cell" in [one.word for one in complete(*at("include sudoku.\nce|"))]


def test_hover_tells_domains_before_and_after_propagation() -> None:
    text = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")
    shown = hover(text, 3, 1)
    assert shown and (shown.title, shown.says) == ("A in 1..4", "propagation leaves 3")
    shown = hover(*at(KILLER.replace("cell(R, C) in", "c|ell(R, C) in")))
    assert shown and shown.title == "cell/2 in 1..9" and shown.says.startswith("81 variables; after propagation")
    assert hover(*at("A in 1..2. A = 1. A| = 2.")) is not None
    told = {
        text: hover(*at(text))
        for text in ("param n| = 4. A in 1..n.", "p|(1). p(2). A in 1..2.", "A in 1..2. a|bs(A) = 1.")
    }
    assert [shown and shown.title for shown in told.values()] == ["param n = 4", "p/1", "abs(A - B)"]
    assert hover("", 1, 1) is None


def test_names_are_renamed_where_they_stand_for_the_same() -> None:
    text = 'x(I) in 1..3 :- I in 1..3. "no {I}": x(I) != 2 :- I in 1..2. A = sum(x(I) : I in 1..3). A in 1..9.'
    place = at(text.replace("x(I) != 2", "x(|I) != 2"))[1:]
    assert apply_edits(text, rename(text, *place, "Place")) == text.replace(
        '"no {I}": x(I) != 2 :- I in', '"no {Place}": x(Place) != 2 :- Place in'
    )
    assert apply_edits(text, rename(text, 1, 1, "y")) == text.replace("x(", "y(")
    for new in ("A", "sum", "in", "3", "B c"):
        with pytest.raises(CspError):
            rename(text, 1, 1, new)
    with pytest.raises(CspError, match="is defined in gallery sudoku"):
        rename("include sudoku. cell(1, 1) = 3.", 1, 17, "field")
    with pytest.raises(CspError, match="picture of grid g"):
        rename('grid g = "red blue". A in {red, blue}.', 1, 28, "green")


def test_a_definition_in_a_file_that_is_included() -> None:
    place = define("include sudoku.\ncell(1, 1) = 3.", 2, 1)
    assert place is not None and place.file == "gallery sudoku"
    place = define("include sudoku.", 1, 10)
    assert place is not None and place.file == "gallery sudoku"


def test_format_is_that_of_the_command() -> None:
    for path in GALLERY[:20]:
        text = path.read_text(encoding="utf-8")
        assert format(text) == format_spec(Source("-", text))
    with pytest.raises(SpecError):
        format("A in 1..")

"""Tests of the editor's operations, on the gallery and on the table of diagnostics."""

from __future__ import annotations

import random

import pytest

from csp import CspError
from dsl import SpecError
from dsl.editor import apply_edits, complete, define, diagnose, fix, format, hover, rename, uses
from dsl.editor.names import SpecNames
from dsl.editor.words import WORDS
from dsl.syntax.errors import Source
from dsl.syntax.format import format_spec
from dsl.syntax.vocabulary import KEYWORDS, RESERVED

from ..cases import Case
from ..conftest import ROOT, TIMES
from ..lint_cases import WARNED
from ..mistakes import CASES

GALLERY = sorted((ROOT / "examples").glob("*.csp"))
KILLER = (ROOT / "examples" / "killer.csp").read_text(encoding="utf-8")


def split_at_bar(text: str) -> tuple[str, int, int]:
    """Return a text without its bar, and the line and the column of the bar."""
    before, _, after = text.partition("|")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


def test_every_word_of_the_language_is_described() -> None:
    assert {*WORDS} == {*KEYWORDS, *RESERVED}


@pytest.mark.sampled
@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_occurrences_and_definitions_in_the_gallery_have_correct_places(path) -> None:
    """Compare each name with the text at its place and at its definition."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    first_occurrences = {}
    for occurrence in SpecNames(text, str(path)).occurrences():
        assert lines[occurrence.at.line - 1][occurrence.at.column - 1 :].startswith(occurrence.name)
        if occurrence.kind not in ("word", "symbol") and occurrence.name != "_":
            first_occurrences.setdefault((occurrence.name, occurrence.owner), occurrence)
    sample = random.Random(path.stem).sample([*first_occurrences.values()], min(len(first_occurrences), 5 * TIMES))
    for occurrence in sample:
        place = define(text, occurrence.at.line, occurrence.at.column, str(path))
        assert place is not None, occurrence
        if not place.file:
            assert lines[place.line - 1][place.column - 1 :].startswith(occurrence.name)
    assert sample


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text[:40])
def test_diagnostics_have_places_and_every_operation_accepts_a_broken_text(case) -> None:
    diagnostics = diagnose(case.spec, case.params, case.grids)
    line, column, _ = case.place
    if not case.grids:
        assert any(
            (diagnostic.at.line, diagnostic.at.column) == (line, column)
            for diagnostic in diagnostics
            if case.message in diagnostic.message
        )
    complete(case.spec, line, column)
    hover(case.spec, line, column, case.params, case.grids)
    define(case.spec, line, column)
    uses(case.spec, line, column)
    for diagnostic in diagnostics:
        for repair in fix(case.spec, diagnostic):
            assert apply_edits(case.spec, repair.edits) != case.spec


REPAIRED_TEXTS = {
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
    "A in {red, 'grid'}. A = grid.": "A in {red, 'grid'}. A = 'grid'.",
    "A in 1-4.": "A in 1..4.",
    "x(I) in 1..4 <- I in 1..4.": "x(I) in 1..4 :- I in 1..4.",
    "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. cel(1, 1) = 3.": (
        "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. cell(1, 1) = 3."
    ),
    "A in 1..4. A = 2A.": "A in 1..4. A = 2*A.",
    "param n = 4. A, B in 1-n. A < B.": "param n = 4. A, B in 1..n. A < B.",
    "A in 1..4. A > 2.5.": "A in 1..4. A > 2.",
    "A in 1.9.": "A in 1..9.",
    "A, B in 1..3. A = b.": "A, B in 1..3. A = B.",
    "A, B in 1..4. :- A = B.": "A, B in 1..4. A != B.",
    "A, B in 1..4. if A = 1 then B = 2.": "A, B in 1..4. A = 1 -> B = 2.",
    "A, B, C in 1..4. A = 1 ; B = 2 -> C = 3.": "A, B, C in 1..4. (A = 1 ; B = 2) -> C = 3.",
    "A, B, C in 1..4. A < B, B < C ; C = 4.": "A, B, C in 1..4. (A < B, B < C) ; C = 4.",
    'A in 1..4. "low": A in {1, 3..4}.': 'A in 1..4. "low": (A = 1 ; (A >= 3, A <= 4)).',
    **{
        f"cell(R, C) in 1..4 :- R in 1..4, C in 1..4. {wrong}.": f"cell(R, C) in 1..4 :- R in 1..4, C in 1..4. {right}."
        for wrong, right in {
            "cell(R, C) != 1": "cell(R, C) != 1 :- R in 1..4, C in 1..4",
            "cell(R, C) != 1 :- R in 1..2": "cell(R, C) != 1 :- R in 1..2, C in 1..4",
            "all_different(cell(R, C) : C in 1..4) :- r in 1..4": (
                "all_different(cell(R, C) : C in 1..4) :- R in 1..4"
            ),
            "sum(cell(1, C), C in 1..4) = 10": "sum(cell(1, C) : C in 1..4) = 10",
            "sum(cell(1, C) for C in 1..4) = 10": "sum(cell(1, C) : C in 1..4) = 10",
            "for R in 1..4: cell(R, 1) > 1": "cell(R, 1) > 1 :- R in 1..4",
            "cell(R, 1) > 1 for R in 1..4": "cell(R, 1) > 1 :- R in 1..4",
            "cell[1][2] = 3": "cell(1, 2) = 3",
            "cell(1, 1) = 1 -> all(cell(2, C) != 1 : C in 1..4)": (
                "cell(1, 1) = 1 -> count(not cell(2, C) != 1 : C in 1..4) = 0"
            ),
        }.items()
    },
    "p(1), p(2). A in 1..4 :- p(_).": "p(1). p(2). A in 1..4 :- p(_).",
}


@pytest.mark.parametrize("text", REPAIRED_TEXTS, ids=lambda text: text[:40])
def test_the_first_fix_repairs_the_text(text: str) -> None:
    repaired = [apply_edits(text, repair.edits) for repair in fix(text, diagnose(text)[0])]
    assert repaired[:1] == [REPAIRED_TEXTS[text]]
    assert all(problem.is_warning for problem in diagnose(repaired[0]))


def test_at_least_60_diagnostics_of_the_table_have_a_fix() -> None:
    """Count the diagnostics with a fix; the lower limit may be raised."""
    errors = [
        (case.spec, diagnostic) for case in CASES for diagnostic in diagnose(case.spec)[:1] if not diagnostic.is_warning
    ]
    assert sum(bool(fix(spec, diagnostic)) for spec, diagnostic in errors) >= 60


@pytest.mark.parametrize(("code", "case"), WARNED, ids=lambda parameter: str(parameter)[:20])
def test_the_last_fix_of_a_warning_silences_it(code: str, case: Case) -> None:
    text = case.spec
    for warning in diagnose(text):
        if warning.is_warning and not warning.file:
            remaining = diagnose(apply_edits(text, fix(text, warning)[-1].edits))
            assert (warning.code, warning.message) not in {
                (diagnostic.code, diagnostic.message) for diagnostic in remaining
            } or "same" in warning.code


def test_completion_offers_names_of_the_clause_and_the_spec_and_keywords() -> None:
    assert [
        completion.word for completion in complete(*split_at_bar('"row {R}": x(R) = 1 :- Row in 1..2, R in Ro|.'))
    ] == ["Row"]
    assert complete(*split_at_bar("param size = 3. A in 1..s|"))[0][:2] == ("size", "param")
    assert "sudoku" in [completion.word for completion in complete(*split_at_bar("include sud|"))]
    assert [completion.word for completion in complete(*split_at_bar("A in 1..4.\nmini|"))] == ["minimize"]
    assert "param" not in [completion.word for completion in complete(*split_at_bar("A in 1..4. x = pa|"))]
    assert (
        complete(*split_at_bar("% all_d|")) == []
        and complete(*split_at_bar("A in 1..4. all_dif|"))[0].word == "all_different"
    )
    assert "cell" in [completion.word for completion in complete(*split_at_bar("include sudoku.\nce|"))]


def test_hover_shows_domains_before_and_after_propagation() -> None:
    text = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")
    help_text = hover(text, 3, 1)
    assert help_text and (help_text.title, help_text.says) == ("A in 1..4", "propagation leaves 3")
    help_text = hover(*split_at_bar(KILLER.replace("cell(R, C) in", "c|ell(R, C) in")))
    assert (
        help_text
        and help_text.title == "cell/2 in 1..9"
        and help_text.says.startswith("81 variables; after propagation")
    )
    assert hover(*split_at_bar("A in 1..2. A = 1. A| = 2.")) is not None
    hovers = {
        text: hover(*split_at_bar(text))
        for text in ("param n| = 4. A in 1..n.", "p|(1). p(2). A in 1..2.", "A in 1..2. a|bs(A) = 1.")
    }
    assert [help_text and help_text.title for help_text in hovers.values()] == ["param n = 4", "p/1", "abs(A - B)"]
    assert hover("", 1, 1) is None


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("cell(I) in 1..2 :- I in 1..2. c|el(1) = 1.", "unknown name: cel; did you mean cell?"),
        ("A in {red, green}. A = r|de.", "A = rde is outside its domain {red, green}; did you mean red?"),
        ("A in 1..2. A = 1 :- clu|(1).", "unknown relation or grid: clu"),
        ("A in {red, green}. A != r|ed.", "a symbol: equal to itself and to nothing else"),
    ],
)
def test_hover_calls_a_name_a_symbol_only_without_an_error_at_its_place(spec: str, says: str) -> None:
    help_text = hover(*split_at_bar(spec))
    assert help_text and help_text.says.startswith(says)


def test_hover_says_nothing_about_an_undeclared_name_with_arguments_that_the_checker_does_not_reach() -> None:
    assert hover(*split_at_bar("A in 1..2. fo|o(A). A = = 1.")) is None


def test_a_renaming_changes_only_occurrences_of_the_same_name() -> None:
    text = 'x(I) in 1..3 :- I in 1..3. "no {I}": x(I) != 2 :- I in 1..2. A = sum(x(I) : I in 1..3). A in 1..9.'
    place = split_at_bar(text.replace("x(I) != 2", "x(|I) != 2"))[1:]
    assert apply_edits(text, rename(text, *place, "Place")) == text.replace(
        '"no {I}": x(I) != 2 :- I in', '"no {Place}": x(Place) != 2 :- Place in'
    )
    assert apply_edits(text, rename(text, 1, 1, "y")) == text.replace("x(", "y(")
    for new_name in ("A", "sum", "in", "3", "B c"):
        with pytest.raises(CspError):
            rename(text, 1, 1, new_name)
    with pytest.raises(CspError, match="is defined in gallery sudoku"):
        rename("include sudoku. cell(1, 1) = 3.", 1, 17, "field")
    with pytest.raises(CspError, match="picture of grid g"):
        rename('grid g = "red blue". A in {red, blue}.', 1, 28, "green")


def test_a_definition_may_be_in_an_included_file() -> None:
    place = define("include sudoku.\ncell(1, 1) = 3.", 2, 1)
    assert place is not None and place.file == "gallery sudoku"
    place = define("include sudoku.", 1, 10)
    assert place is not None and place.file == "gallery sudoku"


def test_the_editor_formats_like_the_command() -> None:
    for path in GALLERY[:20]:
        text = path.read_text(encoding="utf-8")
        assert format(text) == format_spec(Source("-", text))
    with pytest.raises(SpecError):
        format("A in 1..")

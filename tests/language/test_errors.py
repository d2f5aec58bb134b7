"""Tests of diagnostics: their place, their line with a caret, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

import dsl
from csp import Model, ModelError
from dsl.editor.edits import apply_edits
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import Source, SpecError
from dsl.syntax.limits import LIMITS, Limits

from ..cases import CELLS, Case
from ..commands import EXAMPLES, run
from ..mistakes import CASES


def error_of(text: str, **options: object) -> SpecError:
    """Return the error that a text raises."""
    with pytest.raises(SpecError) as caught:
        dsl.loads(text, **options)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.spec[-40:])
def test_a_diagnostic_has_a_place_and_a_caret_below_the_word(case: Case) -> None:
    error = error_of(case.spec, params=case.params, grids=case.grids, name="a.csp")
    diagnostic, *_ = error.diagnostics
    assert case.message in diagnostic.message
    assert case.hint in diagnostic.hint
    line, column, width = case.place
    assert diagnostic.at is not None and (diagnostic.at.line, diagnostic.at.column) == (line, column)
    head, source_line, caret, *_ = str(error).split("\n")
    assert head.startswith(f"a.csp:{line}:{column}: error: ")
    start, end = caret.index("^"), caret.rindex("^") + 1
    assert end - start == width and set(caret[:start]) <= {" ", "|", "\t"}
    word = case.spec.split("\n")[line - 1][column - 1 : column - 1 + width]
    assert source_line[start:end] == word.replace("\x00", "\ufffd").replace("\xa0", "\ufffd")


def test_a_report_has_all_diagnostics_of_a_text() -> None:
    text = "A in .\nB == 3.\nC in 1..3.\nD in 1..3)."
    assert [diagnostic.at.line for diagnostic in error_of(text).diagnostics if diagnostic.at] == [1, 2, 4]
    text = "A in 1..3.\nA = B.\nA = 4.\nall_different([A, A]).\nA + red = 3.\nshow x."
    assert [diagnostic.at.line for diagnostic in error_of(text).diagnostics if diagnostic.at] == [2, 3, 4, 5, 6]


def test_an_undeclared_family_is_reported_once() -> None:
    diagnostics = error_of("A in 1..3. cell(1) = 1. cell(2) = 2. A + cell(1) = B.").diagnostics
    assert [diagnostic.message for diagnostic in diagnostics] == ["unknown name: cell"]
    assert len(error_of(CELLS + "cel(1, 1) = 1. cel(1, 2) = 2.").diagnostics) == 2


def test_a_symbol_as_an_index_has_no_hint_of_a_misspelling() -> None:
    diagnostic, *_ = error_of(CELLS + "cell(r, 1) = 3.").diagnostics
    assert diagnostic.message.startswith("cell(r,1) does not exist") and not diagnostic.hint


def test_a_report_has_at_most_20_diagnostics() -> None:
    report = str(error_of("A in 1..3.\n" + "".join(f"A = B{i}.\n" for i in range(50))))
    assert report.count("error:") == 20 and report.endswith("\n... and 30 more")


def test_a_missing_full_stop_does_not_hide_the_next_clause() -> None:
    assert len(error_of("A in 1..3\nB in 1..3.\nC in 1...3.").diagnostics) == 2


def test_unknown_params_and_grids_have_a_hint() -> None:
    text = 'param size = 3. grid clue = "1".'
    diagnostic, *_ = error_of(text, params={"sise": 4}).diagnostics
    assert diagnostic.message == "unknown param: sise" and diagnostic.hint == "did you mean size?"
    diagnostic, *_ = error_of("A in 1..2.", params={"n": 4}).diagnostics
    assert diagnostic.hint == "declare it in the spec, param n = 9."
    diagnostic, *_ = error_of(text, grids={"clu": "1"}).diagnostics
    assert diagnostic.message == "unknown grid: clu" and diagnostic.hint == "did you mean clue?"


def test_a_diagnostic_of_a_given_has_a_place_in_its_grid() -> None:
    text = "grid clue.\n" + CELLS + "\ncell(R, C) = V :- clue(R, C, V)."
    assert str(error_of(text, grids={"clue": "1...\n..9.\n0...\n...."}, name="a.csp")) == (
        "grid clue:2:3: error: cell(2,3) = 9 is outside its domain 1..4\n"
        "    2 | ..9.\n"
        "      |   ^\n"
        "  hint: write a value of 1..4, or declare cell(2,3) with a larger domain; line 3 uses this entry\n"
        "grid clue:3:1: error: cell(3,1) = 0 is outside its domain 1..4\n"
        "    3 | 0...\n"
        "      | ^\n"
        "  hint: write . for a blank cell"
    )
    contradiction = error_of(text + "\ncell(1, 1) = 2.", grids={"clue": "1"})
    assert contradiction.diagnostics[0].message == "cell(1,1) = 2 contradicts cell(1,1) = 1 of line 1 of grid clue"
    assert "row 2 of grid clue has 1 entry" in str(error_of(text, grids={"clue": "12\n3"}))


def test_a_very_long_line_is_clipped() -> None:
    text = "A in 1..3. " + "A = 1. " * 5000 + "A = Bee. " + "A = 1. " * 5000
    head, line, caret, *_ = str(error_of(text)).split("\n")
    assert len(line) < 150 and line[caret.index("^") : caret.rindex("^") + 1] == "Bee"
    assert head.startswith(f"<text>:1:{text.index('Bee') + 1}: ")
    label = '"' + "x" * 100_000 + '": A = 3.'
    assert len(str(error_of(label))) < 600


def test_tabs_and_foreign_letters_keep_the_caret_in_place() -> None:
    _, line, caret, *_ = str(error_of("\tA in 1..3.\t'é\t'\t= Bee.")).split("\n")
    assert line[caret.index("^")] == "B" and caret.count("\t") == line[: caret.index("^")].count("\t")


def test_only_the_first_line_of_a_clause_is_underlined() -> None:
    _, line, caret, *_ = str(error_of("A, B, C in 1..2.\nall_different([A,\n  B,\n  C]).")).split("\n")
    assert line.endswith("all_different([A,") and caret.endswith("^" * len("all_different([A,"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("% " + "x" * LIMITS.characters, "characters; the limit"),
        ("a(1).\n" * 2_000_000, "characters; the limit"),
        ("A in 1..9. A = " + "- " * 5000 + "1.", "nested too deeply"),
        ("A in 1..9. A = " + "abs(" * 5000 + "1" + ")" * 5000 + ".", "nested too deeply"),
        ("param n = " + " * ".join(["99999"] * 5000) + ".", "nested too deeply"),
        ("param n = " + " * ".join(["99999"] * 50) + ".", "the number is too large"),
        ("param n = 1" + "0" * 10_000 + ".", "the number has more than 18 digits"),
        ("x(I) in 1..I :- I in 1..90000.", "more than 1,000,000 instances"),
        ("p(X) :- X in 1..520000. q(X) :- p(X), p(Y), Y = X + 1.", "more than 1,000,000 instances"),
        ("p(1) :- X in 1..900, X in 1..500000 \\/ 700000..900000.", "more than 1,000,000 instances"),
        ("param n = sum(A : A in 1..900000, B in 1..900000).", "more than 1,000,000 instances"),
        ("A in " + " \\/ ".join(f"{i}00000..{i}99999" for i in range(1, 9)) + ".", "more than 100,000 values"),
        ("\x00\x01\x02\x7f\x1b[31m" * 1000, "is not part of the language"),
        ('"' * 100_001, "is not closed"),
        ("(" * 100_000, "missing )"),
    ],
    ids=range(15),
)  # fmt: skip
def test_a_hostile_text_has_a_short_report(text: str, message: str) -> None:
    error = error_of(text)
    assert message in str(error) and len(str(error)) < 20_000
    assert "\x1b" not in str(error) and "\x00" not in str(error)


def test_declarations_of_too_many_values_are_refused() -> None:
    def build_model(count: int) -> Model:
        return Program(Source("", "A in 1..100000.\n" * count)).build({}, {}, limits=Limits(candidates=1_000_000)).model

    assert build_model(10).domains
    with pytest.raises(SpecError, match="more than 1,000,000 values in all"):
        build_model(11)


def test_deep_parentheses_and_long_sums_are_accepted() -> None:
    text = "A in 1..3. A = " + "(" * 5000 + "2" + ")" * 5000 + "."
    assert dsl.loads(text) == dsl.loads("A in 1..3. A = 2.")
    long_sum = "x(I) in 0..1 :- I in 1..1500. " + " + ".join(f"x({i})" for i in range(1, 1501)) + " = 7."
    (total,) = dsl.loads(long_sum).constraints
    assert len(total.scope) == 1500 and total == dsl.loads(dsl.dumps(dsl.loads(long_sum))).constraints[0]


def test_a_grid_of_too_many_cells_is_refused() -> None:
    error = error_of("grid clue.", grids={"clue": ("1" * 1000 + "\n") * (LIMITS.cells // 1000 + 1)})
    assert "grid clue has more than 1,000,000 cells" in str(error)
    assert error_of("grid clue. A in 1..2. A = V :- clue(_, _, V).", grids={"clue": "9" * 5000})


def test_the_command_line_prints_diagnostics_with_their_file(tmp_path: Path) -> None:
    clue = tmp_path / "clue.txt"
    clue.write_text("12..\n..7.\n....\n....\n")
    result = run("solve", EXAMPLES / "sudoku.csp", "--set", "box=2", "--grid", f"clue={clue}")
    assert result.exit_code == 2 and not result.stdout
    assert result.stderr.startswith(f"{clue}:2:3: error: cell(2,3) = 7 is outside its domain 1..4\n")
    result = run("solve", "-", stdin="A in 1..3.\r\nA = Bee.\r\n")
    assert result.exit_code == 2 and result.stderr.startswith("<standard input>:2:5: error: Bee has no value")
    result = run("solve", "-", "--grid", "clue=-", stdin="grid clue.")
    assert result.exit_code == 2 and "standard input can be read only once" in result.stderr


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"A in 1..3.\nA = '\xff\xfe'.\n", ":2:6: error: this is not text in UTF-8"),
        ("A in 1..3.".encode("utf-16"), ":1:1: error: this is not text in UTF-8"),
        (bytes(range(256)) * 100, " error: this is not text in UTF-8"),
        (b"\x00" * 100, ":1:1: error: the character \\x00 is not part of the language"),
        (b"%" * 9_000_000, "error: this is larger than 8,000,000 bytes"),
        (b'grid clue = "12', ":1:13: error: the text that opens here is not closed"),
        (b"A in 1..3. A = 1..", ":1:17: error: expected"),
    ],
)
def test_the_command_line_refuses_files_that_are_not_specs(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad.csp"
    path.write_bytes(data)
    result = run("solve", path)
    assert result.exit_code == 2 and not result.stdout
    assert message in result.stderr


def test_dumps_refuses_names_outside_of_the_language() -> None:
    from csp import AllDifferent, Model

    for names, label in ((["x y"], ""), (["all_different"], ""), (["in"], ""), (["A"], "two\nlines")):
        with pytest.raises(ModelError, match="the language cannot write"):
            dsl.dumps(Model(dict.fromkeys(names, (1, 2)), [AllDifferent.of(names, label=label)]))


def test_carriage_returns_count_as_line_ends() -> None:
    assert Source("x", "a\r\nb\rc").text == "a\nb\nc"


@pytest.mark.parametrize(
    "rule",
    [
        "sum(sum(x(I)*x(J) : J in 1..3) : I in 1..3) = 2",
        "sum(sum(x(J) : J in 1..I) : I in 1..3) = 2",
        "sum(sum(x(J) : J in I..3) : I in 1..3) = 2",
        "sum(count((I = 1, sum(x(J) : J in 1..3) = 2)) : I in 1..3) = 1",
        "sum(max(sum(x(J) : J in 1..3), x(I) : x(I) > 1) : I in 1..3) = 2",
        "sum(sum(x(K)*V : p(I, V), K in 1..2) : I in 1..3) = 2",
        "increasing([x(I), sum(x(J) : J in 1..2)] : I in 1..3)",
        "count(sum(x(J) : J in 1..3) = I : I in 1..3) = 1",
    ],
)
def test_sums_of_sums_are_refused_only_above_the_limit(rule: str) -> None:
    program = Program(Source("-", f"p(1, 5). p(1, 6). p(2, 7). x(I) in 0..2 :- I in 1..3. {rule}."))
    instances = LIMITS.instances - program.build({}, {}).names.instances_left
    program.build({}, {}, limits=Limits(instances=instances))
    with pytest.raises(SpecError, match=f"more than {instances - 1} instances"):
        program.build({}, {}, limits=Limits(instances=instances - 1))


@pytest.mark.parametrize(
    ("chain", "conjunction"),
    [
        ("A < B < C", "(A < B, B < C)"),
        ("1 <= A <= B + 1 <= C", "(1 <= A, A <= B + 1, B + 1 <= C)"),
        ("A = 1 -> x(1) < x(2) != 3", "A = 1 -> (x(1) < x(2), x(2) != 3)"),
        ("A = 1 :- I in 1..2, 0 < I < 3", "A = 1 :- I in 1..2, (0 < I, I < 3)"),
    ],
)
def test_chained_comparisons_are_replaced_by_a_conjunction(chain: str, conjunction: str) -> None:
    before = "A, B, C in 1..3.  x(I) in 1..3 :- I in 1..2.  "
    with pytest.raises(SpecError) as error:
        dsl.loads(f"{before}{chain}.")
    [edit] = error.value.diagnostics[0].replacements
    fixed = apply_edits(f"{before}{chain}.", [edit])
    assert fixed == f"{before}{conjunction}." and dsl.loads(fixed)


@pytest.mark.parametrize("chain", ["not A < B < C", "A < (1 + (B)) < C"])
def test_chains_that_are_not_simple_have_a_general_hint(chain: str) -> None:
    with pytest.raises(SpecError) as error:
        dsl.loads(f"A, B, C in 1..3.  {chain}.")
    assert error.value.diagnostics[0].hint == "write (A < B, B < C)"

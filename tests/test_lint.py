"""Every warning has its place, a hint and a name by which it can be silenced, and is silent about what is meant."""

from __future__ import annotations

import json
import os
import random
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dsl
from csp import ModelError, TooLarge
from dsl.build import Program
from dsl.cli import main
from dsl.cli.watch import Watch
from dsl.errors import Mistake, Source, SpecError
from dsl.lint.codes import CODES
from dsl.lint.report import Report, inspect

from .conftest import ROOT
from .test_errors import CASES as ERRORS
from .test_errors import Case
from .test_fuzz import TEXTS, WORD, mutant

MUTANTS = int(os.environ.get("LINT_MUTANTS", "200"))
EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))
PAIR = "A, B in 1..3. A < B. "
ROWS = "x(I, J) in 1..2 :- I in 1..2, J in 1..2. "
CLUE = 'grid clue = "\n 1..1\n ..2.\n". cell(R, C) in 1..4 :- R in 1..2, C in 1..4. '

WARNED: list[tuple[str, Case]] = [
    ("always-true", Case("A, B in 1..3. «A + B < 9».", "this always holds")),
    ("always-true", Case("A in 1..3. «all_different([A])».", "one variable alone is always different", "list what")),
    ("always-true", Case("x in 1..3. «all_different(x)».", "one variable alone is always different", "[A, B]")),
    ("always-true", Case(PAIR + "«all_different(A : _I in 1..0)».", "there is nothing in this group", "generators")),
    ("always-true", Case(PAIR + "«1 < 2».", "this always holds")),
    ("always-true", Case(ROWS + "«x(I, J) < 3» :- I in 1..2, J in 1..2.", "all that this clause says always holds")),
    ("always-true", Case("A in 1..2. B in 3..4. «all_different([A, B])».", "this always holds")),
    ("clashing-givens", Case("A, B in 1..3. A != B. A = 1. «B = 1».", "clashes with A = 1 of", "A != B (line 1)")),
    ("clashing-givens", Case(
        'grid clue = "\n 1.«1»\n". cell(1, C) in 1..3 :- C in 1..3. "row": all_different(cell(1, C) : C in 1..3). '
        "cell(R, C) = V :- clue(R, C, V).",
        "cell(1,3) = 1 clashes with cell(1,1) = 1 of line 2, column 2", "row (line 3) keeps them different")),
    ("contained-group", Case("A, B, C in 1..3. \"all\": all_different([A, B, C]). «all_different([A, B])».",
                             "all_different([A, B]) lies inside all of line 1")),
    ("contained-group", Case(ROWS + "x(3, 1) in 1..5. "
                             "all_different(x(I, 1) : I in 1..3). «all_different(x(I, 1) : I in 1..2)».",
                             "lies inside")),
    ("duplicate-clause", Case(PAIR + "«A < B».", "column 15 says the same already")),
    ("duplicate-clause", Case('A, B in 1..3.\n"x": A < B.\n"y": «A < B».', "line 2 says the same already")),
    ("duplicate-constraint", Case(PAIR + "«A < B + 0».", "is the same as A < B of line 1")),
    ("duplicate-constraint", Case("A in 1..3. A = 1. given(1). «A = V» :- given(V).", "the same as A = 1")),
    ("duplicate-fact", Case("p(1). «p(1)». A in 1..3. A < V + 1 :- p(V).", "states this fact already")),
    ("duplicate-group", Case('A, B in 1..3. "x": all_different([A, B]). "y": «all_different([B, A])».',
                             "y is the same group as x of line 1")),
    ("duplicate-group", Case(ROWS + '"row {I},{K}": «all_different(x(I, J) : J in 1..2)» :- I in 1..2, K in 1..2.',
                             "row 1,2 is the same group as row 1,1 of this clause", "a generator one too many")),
    ("empty-clause", Case(PAIR + "A != B :- «_I in 3..1».", "nothing satisfies this condition", "from the least")),
    ("empty-clause", Case(PAIR + "A != B :- X in 1..3, «X > 5».", "this condition and those before it")),
    ("empty-clause", Case("p(1). p(2). " + PAIR + "A != B :- «p(3)».", "does nothing", "p has 2 facts, and none")),
    ("empty-clause", Case("p(1). q(X) :- p(X), «X = 2». A in 1..3. A != X :- q(X).", "does nothing")),
    ("empty-clause", Case(PAIR + "x(I) in 1..3 :- I in 1..3, «I > 3».", "does nothing")),
    ("empty-clause", Case("sign(1, plus). " + PAIR + "A + B = T :- sign(T, plus). A != T :- «sign(T, pluss)».",
                          "does nothing", "did you mean plus?")),
    ("empty-clause", Case('grid g = "even .". A in 1..3. A < V :- g(_, V, even). A != V :- «g(_, V, evn)».',
                          "does nothing", "did you mean even?")),
    ("lowercase-index", Case("p(1, 2). q(I, «j») :- p(I, J), I < J. A in 1..3. A = I :- q(I, _).",
                             "j is a symbol here, and J is what the body binds", "write J, or 'j'")),
    ("lowercase-index", Case(ROWS + "x(I, «row») = 1 :- I in 1..2, Row in 1..2.", "row is a symbol here, and Row is")),
    ("misspelt-symbol", Case('param size = 3. A, B in 1..size. "all {«sise»}": A < B.',
                             "sise is a symbol here, and looks like the param size", "did you mean size?")),
    ("misspelt-symbol", Case("house in 1..3. q(«hose»). house < 3 :- q(_).", "looks like the variable house")),
    ("needless-show", Case(PAIR + "«show» A, B.", "this shows every variable")),
    ("never-true", Case("A, B in 1..3. «A + B > 9».", "A + B > 9 can never hold")),
    ("never-true", Case(ROWS + '"sum {I}": «x(I, 1) + x(I, 2) = T» :- t(I, T). t(1, 3). t(2, 7).',
                        "sum 2 can never hold", "here I = 2, T = 7")),
    ("one-value", Case("A, B in 1..3. «A» in 3..5. A != B.", "A has only 3 left", "then write A = ...")),
    ("same-label", Case(ROWS + "«\"row\"»: all_different(x(I, J) : J in 1..2) :- I in 1..2.",
                        "2 constraints of this clause have the same name, row", "in braces, such as {I}")),
    ("self-comparison", Case(PAIR + "«B != B».", "both sides of this comparison are the same, so it never holds")),
    ("self-comparison", Case(ROWS + "«x(I, 1) = x(I, 1)» :- I in 1..2.", "so it always holds")),
    ("self-comparison", Case(ROWS + "x(I, 1) != x(I, J) :- I in 1..2, J in 1..2, «J > J».", "so it never holds")),
    ("shadowed-variable", Case(PAIR + "x(«A») in 1..3 :- A in 1..2. x(1) < x(2).", "A is a puzzle variable elsewhere")),
    ("similar-names", Case("param top = 3. «Top», Low in 1..top. Low < Top.", "Top and top of line 1 differ only by")),
    ("singleton", Case("p(1, 2). A in 1..3. A = I :- p(I, «J»).", "J stands only once in this clause", "write _J")),
    ("singleton", Case(PAIR + "A < sum(1 : «K» in 1..3).", "K stands only once")),
    ("singleton", Case("p(1, 2, 3). A in 1..3. A = Rows + Rows :- p(Rows, _, «Row»).", "Row", "did you mean Rows?")),
    ("too-few-values", Case("A, B, C in 1..2. D, E in 1..9. «all_different([A, B, C, D, E])».",
                            "A, B, C have only {1, 2} between them")),
    ("too-few-values", Case("x(I) in 1..2 :- I in 1..3. x(4) in 1..9. «all_different(2*x(I) : I in 1..4)».",
                            "2*x(1), 2*x(2), 2*x(3) have only {2, 4} between")),
    ("unknown-symbol", Case("A, B in {red, green}. A != B. A != «blue».", "A is never blue", "are {red, green}")),
    ("unknown-symbol", Case("A, B in {red, green}. A = «gren» ; A != B.", "A is never gren", "did you mean green?")),
    ("unknown-symbol", Case("A, B in {red, green}. A != B. A in {red, «blu»} ; B = red.", "A is never blu")),
    ("unused-grid", Case("grid «clue» = \"12.\". " + PAIR, "nothing uses the grid clue", ":- clue(R, C, V).")),
    ("unused-param", Case("param «n» = 3. " + PAIR, "nothing uses the param n", "1..n")),
    ("unused-relation", Case("«touch»(1, 2). " + PAIR, "nothing uses the relation touch", ":- touch(X1, X2).")),
    ("unused-relation", Case("touch(1, 2). «tuch»(2, 3). " + PAIR + "A = V :- touch(V, _).", "tuch", "same as touch?")),
    ("unused-variable", Case("A, B, «C» in 1..3. A < B.", "no constraint is about C")),
    ("unused-variable", Case("«x(I)» in 1..3 :- I in 1..9. x(1) < x(2).", "about x(3) and 6 more", "declare fewer")),
]  # fmt: skip

MEANT: list[tuple[str, str]] = [
    ("always-true", ROWS + "x(I, J) < 4 - I :- I in 1..2, J in 1..2."),
    ("always-true", ROWS + "all_different(x(I, J) : J in 1..I) :- I in 1..2."),
    ("clashing-givens", "A, B in 1..3. A <= B. A = 1. B = 1."),
    ("clashing-givens", CLUE + "all_different(cell(R, C) : R in 1..2) :- C in 1..4. cell(R, C) = V :- clue(R, C, V)."),
    ("contained-group", "A, B, C in 1..3. all_different([A, B, C]). cage(1). all_different([A, B]) :- cage(1)."),
    ("contained-group", "A, B, C in 1..3. all_different([A, B]). all_different([B, C])."),
    ("duplicate-clause", PAIR + "A <= B."),
    ("duplicate-constraint", "p(1). p(2). A, B in 1..3. A != 1. A != X :- p(X)."),
    ("duplicate-fact", "p(1). p(2). A in 1..3. A != V :- p(V)."),
    ("duplicate-group", "x(I) in 1..3 :- I in 1..3. p(1, 2). p(2, 3). all_different([x(I), x(J)]) :- p(I, J). "
     "all_different([x(1), x(2)]) :- 1 = 2."),
    ("empty-clause", "param diagonal = 0. " + PAIR + "A != B :- diagonal = 1."),
    ("empty-clause", 'grid clue = "...". A in 1..3. A < 3. A = V :- clue(_, _, V).'),
    ("empty-clause", 'grid clue = "...". A in 1..3. A < 3. seen(V) :- clue(_, _, V). A = V :- seen(V).'),
    ("empty-clause", "sign(1, plus). " + PAIR + "A + B = T :- sign(T, plus). A != T :- sign(T, minus)."),
    ("empty-clause", 'grid g = "o". A in 1..3. A < 3. A = V :- g(_, _, V), V != o. A = V :- g(_, V, e).'),
    ("empty-clause", 'grid g = "o". A in 1..3. A < 3. p(R) :- g(R, C, _). A = V :- p(V), V > 1.'),
    ("lowercase-index", 'grid g = "r.". A in 1..3. A = R :- g(R, _, r).'),
    ("lowercase-index", "p(1, r). A in 1..3. A = R :- p(R, r)."),
    ("lowercase-index", "p(1, 2). q(I, 'j') :- p(I, J), I < J. A in 1..3. A = I :- q(I, _)."),
    ("misspelt-symbol", "param rows = 3. A, B in {row, column}. A != B. A = row :- rows = 3."),
    ("misspelt-symbol", "param n = 3. A, B in {m, k}. A != B :- n = 3."),
    ("needless-show", PAIR + "show A."),
    ("never-true", "A, B in 1..3. A + B > 5."),
    ("one-value", "A, B in 1..3. A in {3}. A < B."),
    ("one-value", "A, B in 1..3. A in 2..5. A < B."),
    ("same-label", ROWS + '"row {I}": all_different([x(I, 1), x(I, 2)]) :- I in 1..2.'),
    ("same-label", ROWS + '"leading": x(I, 1) != 1 :- I in 1..2.'),
    ("self-comparison", ROWS + "x(I, J) != x(J, I) :- I in 1..2, J in 1..2, I != J."),
    ("shadowed-variable", "A in 1..3. x(B) in 1..3 :- B in 1..2. A < x(1). A < x(2)."),
    ("similar-names", "param n = 3. N, M in 1..n. N < M."),
    ("singleton", "p(1, 2). A in 1..3. A = I :- p(I, _J), p(I, _)."),
    ("singleton", '"sum of {K}": A + B = K :- p(K). p(3). A, B in 1..3.'),
    ("too-few-values", "A, B in 1..2. C, D, E in 1..9. all_different([A, B, C, D, E])."),
    ("unknown-symbol", "A, B in {red, green}. A != B. A = red ; B = red."),
    ("unused-grid", 'grid clue = "12.". A in 1..3. A != V :- clue(_, _, V).'),
    ("unused-param", 'param n = 3. A, B in 1..3. "{n}": A < B.'),
    ("unused-relation", "p(1). A in 1..3. A != V :- p(V)."),
    ("unused-relation", "p(1, 2). p(2, 3). A, B in 1..3. p(A, B)."),
    ("unused-variable", "A, B, C in 1..3. A < B ; B < C."),
    ("unused-variable", "A, B in 1..3. C in {3}. A < B."),
]  # fmt: skip


def lint(text: str, ignore: tuple[str, ...] = (), **grids: str) -> Report:
    sources = {name: Source(f"grid {name}", picture) for name, picture in grids.items()}
    return inspect(Program(Source("a.csp", text)), {}, sources, ignore)


def codes(text: str, **grids: str) -> list[str]:
    return [mistake.code for mistake in lint(text, **grids).found]


def check(*arguments: object, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["check", *map(str, arguments)], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(("code", "case"), WARNED)
def test_a_warning(code: str, case: Case) -> None:
    found: list[Mistake] = [mistake for mistake in lint(case.spec).found if mistake.code == code]
    assert len(found) == 1
    assert case.message in found[0].message and case.hint in found[0].hint and found[0].hint
    assert found[0].at == case.place and found[0].severity == "warning"


@pytest.mark.parametrize(("code", "text"), MEANT)
def test_no_warning(code: str, text: str) -> None:
    report = lint(text)
    assert report.model is not None and code not in [mistake.code for mistake in report.found]


def test_every_warning_is_tested_and_documented() -> None:
    page = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| .+ \| `(.+)` \| .+ \|$", page, re.MULTILINE)
    assert [code for code, _ in rows] == list(CODES)
    assert {code for code, _ in WARNED} == {code for code, _ in MEANT} == set(CODES)
    for code, example in rows:
        assert codes(example) == [code], example


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_free_of_warnings(path: Path) -> None:
    source = Source(str(path), path.read_text(encoding="utf-8"))
    report = inspect(Program(source))
    assert report.model == dsl.load(path)
    assert not report.found, "\n".join(map(source.show, report.found))


def test_warnings_look_like_errors_and_are_sorted_by_place() -> None:
    text = "A in 1..3. B in {red}.\nparam n = 3.\nA < A.\nB != blu.\nA in 1..3.\nall_different([A])."
    report = lint(text)
    places = [mistake.at for mistake in report.found]
    assert len(places) == 5 and places == sorted(places)  # type: ignore[type-var]
    assert report.sources[""].show(report.found[0]) == (
        "a.csp:2:7: warning: nothing uses the param n [unused-param]\n"
        "    2 | param n = 3.\n"
        "      |       ^\n"
        "  hint: take it away, or use it: 1..n"
    )


def test_warnings_come_with_errors() -> None:
    report = lint("param n = 3.\nA in 1..3.\nA = 7.\nq(1, 2). p(X) :- q(X, Y).")
    assert report.model is None
    assert [mistake.code for mistake in report.found] == ["unused-param", "", "unused-relation", "singleton"]


def test_a_clause_that_stands_twice_is_told_once() -> None:
    assert codes("A, B in 1..3. all_different([A, B]). all_different([A, B]).") == ["duplicate-clause"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("param n = 3. % lint: ignore unused-param\nparam m = 3.", [2]),
        ("% lint: ignore unused-param\nparam n = 3.\nparam m = 3.", [3]),
        ("% as we know, lint: ignore singleton , unused-param (n is for later)\nparam n = 3.", []),
        ("param n = 3. % lint: ignore unused-grid", [1]),
        ("param n = 3. % lint: ignore", [1]),
        ("param n = 3. lint(1). % ignore unused-param", [1, 1]),
    ],
)  # fmt: skip
def test_a_comment_silences_a_line(text: str, found: list[int]) -> None:
    report = lint(f"{text}\nA, B in 1..3. A < B.")
    assert [mistake.at and mistake.at.line for mistake in report.found] == found


def test_an_option_silences_a_code_but_no_error(tmp_path: Path) -> None:
    text = "param n = 3. p(1). A, B in 1..3. A < B."
    assert [mistake.code for mistake in lint(text, ignore=("unused-param",)).found] == ["unused-relation"]
    path = tmp_path / "a.csp"
    path.write_text(text)
    assert check(path, "--ignore", "unused-param").stdout.count("warning:") == 1
    assert check(path, *(f"--ignore={code}" for code in CODES)).stdout.count("warning:") == 0
    assert check(path, "--ignore", "unused").exit_code == 2
    path.write_text("A in 1..3. A = 7.")
    assert "error: A = 7" in check(path, *(f"--ignore={code}" for code in CODES)).stdout


def test_givens_that_clash_in_a_grid_of_its_own(tmp_path: Path) -> None:
    clue = tmp_path / "clue.txt"
    clue.write_text("1....\n")
    clue.write_text("..7......\n" * 2 + ".........\n" * 7)
    result = check(ROOT / "examples" / "sudoku.csp", "--grid", f"clue={clue}")
    assert result.exit_code == 1
    assert result.stdout.startswith(
        f"{clue}:2:3: warning: cell(2,3) = 7 clashes with cell(1,3) = 7 of line 1, column 3 of {clue}"
        " [clashing-givens]\n"
        "    2 | ..7......\n"
        "      |   ^\n"
    )
    assert "no solution: " in result.stdout


@pytest.mark.parametrize(
    ("text", "code", "verdict"),
    [
        ("A, B in 1..2. A < B.", 0, "one solution"),
        ("A, B in 1..3. A < B.", 1, "several solutions: B is 2 in one and 3 in another"),
        ("A, B in 1..2. C in 1..2. A < B. C != 1 ; C = 1 ; A = 1. show A.", 1, "several solutions: C is 1 in one"),
        ("A, B, C in 1..2. A != B. B != C. A != C.", 1, "no solution"),
        ("A, B in 1..9.\nA < B.\nA = 9.", 1, "no solution: A has no value left, because of A = 9 (line 3), A < B (l"),
        ("param n = 3. A, B in 1..2. A < B.", 1, "one solution · 1 warning"),
    ],
)  # fmt: skip
def test_the_verdict(text: str, code: int, verdict: str) -> None:
    result = check("-", stdin=text)
    assert result.exit_code == code and not result.stderr
    assert result.stdout.splitlines()[-1].startswith(f"<standard input>: {verdict}")


def test_an_error_ends_without_a_verdict() -> None:
    for text, message in (
        ("A in 1..3.\nA = 7.", "<standard input>:2:5: error: A = 7 is outside its domain 1..3"),
        ("A in 1..3", "<standard input>:1:10: error: the text ends where"),
        ("p(1).", "<standard input>: error: the spec declares no variable"),
        ("", "<standard input>: error: the spec declares no variable"),
    ):
        result = check("-", stdin=text)
        assert result.exit_code == 2 and result.stdout.startswith(message) and "solution" not in result.stdout


def test_limits_and_ctrl_c_end_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    latin = ROOT / "examples" / "latin.csp"
    stopped = check(latin, "--timeout", 0)
    assert stopped.exit_code == 3 and stopped.stdout == f"{latin}: not known; stopped by the limit of 0 seconds\n"
    before = Watch.check_time

    def press(self: Watch, effort: object) -> None:
        signal.raise_signal(signal.SIGINT)
        before(self, effort)  # type: ignore[arg-type]

    monkeypatch.setattr(Watch, "check_time", press)
    pressed = check(latin, "--json")
    assert pressed.exit_code == 130
    assert json.loads(pressed.stdout)["solutions"] == "unknown" and "not known; stopped by Ctrl-C" in pressed.stdout


def test_json_for_editors() -> None:
    result = check("-", "--json", stdin="param nn = 3.\nA in 1..2.\nA in {1,\n2}.")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0] == {
        "file": "<standard input>", "line": 1, "column": 7, "end_column": 9, "severity": "warning",
        "code": "unused-param", "message": "nothing uses the param nn", "hint": "take it away, or use it: 1..nn",
    }  # fmt: skip
    assert lines[-1]["solutions"] == "several" and result.exit_code == 1
    error = json.loads(check("-", "--json", stdin="A in 1..2.\nall_different([A,\n A]).").stdout)
    assert (error["severity"], error["code"]) == ("error", None)
    assert (error["line"], error["column"], error["end_column"]) == (3, 2, 3)
    nowhere = json.loads(check("-", "--json", stdin="").stdout)
    assert nowhere["line"] is nowhere["column"] is nowhere["end_column"] is None


def test_the_end_of_a_clause_of_many_lines_is_the_end_of_its_first_line() -> None:
    result = check("-", "--json", stdin="A, B in 1..3.\nall_different([A, B]).\nall_different([B,\n  A]).")
    first = json.loads(result.stdout.splitlines()[0])
    assert (first["code"], first["line"]) == ("duplicate-group", 3)
    assert first["end_column"] == len("all_different([B,") + 1


@pytest.mark.parametrize("case", ERRORS, ids=lambda case: case.spec[-40:])
def test_every_error_is_reported_as_solve_does(case: Case) -> None:
    result = check("-", stdin=case.spec)
    solved = CliRunner().invoke(main, ["solve", "-"], input=case.spec)
    assert result.exit_code == solved.exit_code == 2
    if "\x00" not in case.spec:
        assert all(line in result.stdout for line in solved.stderr.splitlines())


def gentle_mutant(rng: random.Random) -> str:
    """A text with words in the wrong places, which can be read more often than other mutants."""
    parts = WORD.findall(rng.choice(TEXTS))
    places = [i for i, part in enumerate(parts) if re.fullmatch(r"\w+", part)]
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.choice(places)
        alike = [parts[i] for i in places if parts[i][0].isdigit() == parts[place][0].isdigit()]
        parts[place] = rng.choice(alike)
    return "".join(parts)


@pytest.mark.parametrize(("make", "least"), [(mutant, 0.02), (gentle_mutant, 0.1)])
def test_mutants_give_warnings_or_a_report(make: Callable[[random.Random], str], least: float) -> None:
    warned = 0
    for seed in range(MUTANTS):
        text = make(random.Random(seed))
        try:
            report = lint(text)
        except (SpecError, ModelError, TooLarge):
            continue
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r} for {text!r}") from error
        warned += any(mistake.code for mistake in report.found)
        for mistake in report.found:
            assert mistake.message and mistake.severity in report.sources[mistake.grid].show(mistake)
    assert warned > least * MUTANTS


@pytest.mark.parametrize(
    "text",
    [
        "A in 1..9. A < " + "+ ".join(["1"] * 20_000) + ".",
        "A in 1..9. A < " + "abs(" * 300 + "A" + ")" * 300 + ".",
        "p(X) :- X in 1..200000. A in 1..3. A < X :- p(X), X < 5, 1 < 0.",
        "".join(f"p{i}({i}).\n" for i in range(5_000)) + "A in 1..3.",
        "x(I) in 1..9 :- I in 1..3000. all_different([x(1), x(I)]) :- I in 2..3000. x(1) = x(1).",
        'grid clue = "\n' + ("1" * 60 + "\n") * 60 + '". x(R, C) in 1..9 :- clue(R, C, _). '
        "x(R, C) = V :- clue(R, C, V). all_different(x(R, C) : C in 1..9) :- R in 1..60.",
    ],
    ids=range(6),
)  # fmt: skip
def test_hostile_texts_end_quickly(text: str) -> None:
    report = lint(text)
    assert report.found

"""Every warning has a place, a hint and a name that silences it."""

from __future__ import annotations

import json
import os
import random
import re
import signal
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dsl
from csp import Effort, ModelError, TooLarge
from docs import make_gallery
from dsl.cli import main
from dsl.cli.progress import ProgressWatch
from dsl.editor import diagnose
from dsl.lint.report import Report, inspect
from dsl.puzzles.convert import puzzles, specs
from dsl.puzzles.links import puzzles_in_links
from dsl.puzzles.links.exporting import fpuzzle
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import ERRORS, NOTES, SEVERITIES, WARNINGS, Diagnostic, Source, SpecError

from ..cases import Case
from ..commands import spec
from ..conftest import ROOT
from ..lint_cases import CAGES, MEANT, WARNED
from ..mistakes import CASES
from .test_fuzz import TEXTS, WORD, mutant

MUTANTS = int(os.environ.get("LINT_MUTANTS", "40"))
EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))


def lint(text: str, ignore: tuple[str, ...] = (), **grids: str) -> Report:
    sources = {name: Source(f"grid {name}", picture) for name, picture in grids.items()}
    return inspect(Program(Source("a.csp", text)), {}, sources, ignore)


def find_codes(text: str, **grids: str) -> list[str]:
    return [diagnostic.code for diagnostic in lint(text, **grids).found]


def check(*arguments: object, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, ["check", *map(str, arguments)], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(("code", "case"), WARNED)
def test_a_warning_has_its_message_hint_and_place(code: str, case: Case) -> None:
    diagnostics: list[Diagnostic] = [diagnostic for diagnostic in lint(case.spec).found if diagnostic.code == code]
    assert len(diagnostics) == 1
    assert case.message in diagnostics[0].message and case.hint in diagnostics[0].hint and diagnostics[0].hint
    assert diagnostics[0].at and diagnostics[0].at[:3] == case.place and diagnostics[0].severity == "warning"


@pytest.mark.parametrize(("code", "text"), MEANT)
def test_intended_uses_cause_no_warning(code: str, text: str) -> None:
    report = lint(text)
    assert report.model is not None and code not in [diagnostic.code for diagnostic in report.found]


def rows_of_page(title: str) -> list[tuple[str, str, str]]:
    """Return code, cause and example of each row of a section of docs/lint.md."""
    page = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    section = page.split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([a-z-]+)` \| (.+?) \| (.+) \| .+ \|$", section, re.MULTILINE)


def example_of(cell: str) -> str:
    """Return the spec of an example on the page."""
    return cell.strip("` ").replace("`<br>`", "\n").replace(r"\|", "|")


def test_every_warning_is_tested_and_documented() -> None:
    rows = rows_of_page("Warnings")
    assert {code: cause for code, cause, _ in rows} == WARNINGS and [code for code, _, _ in rows] == list(WARNINGS)
    assert {code for code, _ in WARNED} == {code for code, _ in MEANT} == set(WARNINGS), (
        "tests/lint_cases.py has cases for each warning"
    )
    for code, _, example in rows:
        assert find_codes(example_of(example)) == [code], example


def test_every_error_is_documented_with_an_example_that_causes_it() -> None:
    rows = rows_of_page("Errors")
    assert {code: cause for code, cause, _ in rows} == ERRORS and len(rows) == len(ERRORS)
    for code, _, example in rows:
        if code not in (*ELSEWHERE, "not-formattable"):  # the formatter checks itself: no spec is known
            problems = diagnose(example_of(example))
            assert [problem.code for problem in problems if problem.severity == "error"] == [code], example


def read_puzzles(text: str) -> list[str]:
    """Return the specs of the puzzles in a text."""
    source = Source("-", text)
    return specs(source, puzzles_in_links(source) or puzzles(source))


def utf16(folder: Path, text: str) -> Path:
    """Write a spec in UTF-16 and return its path."""
    path = folder / "spec.csp"
    path.write_text(text, encoding="utf-16")
    return path


RAISED = re.compile(r'(?:Diagnostic|Falsehood|Undefined|Outside)\(\s*"([a-z-]+)"')

ELSEWHERE: dict[str, Callable[[Path], object]] = {
    "bad-facts": lambda folder: dsl.loads("p(1). A in 1..2 :- p(1).", facts={"p": 3}),  # type: ignore[dict-item]
    "bad-json": lambda folder: read_puzzles('{"rows": 3'),
    "bad-link": lambda folder: read_puzzles("https://f-puzzles.com/?load=!"),
    "bad-puzzle": lambda folder: read_puzzles("." * 80),
    "circular-include": lambda folder: dsl.load(spec(folder, 'include "spec.csp". A in 1..2.')),
    "missing-facts": lambda folder: dsl.loads("A in 1..2 :- p(1).", facts={"p": []}),
    "not-exportable": lambda folder: fpuzzle(Source("-", "A, B in 1..2. A != B.")),
    "unknown-input": lambda folder: dsl.loads("A in 1..2.", params={"size": 4}),
    "unreadable-file": lambda folder: dsl.load(utf16(folder, "A in 1..2.")),
    "unsupported-link": lambda folder: read_puzzles("https://example.com/x"),
    "unused-input": lambda folder: dsl.loads("param n = 3. A in 1..2.", params={"n": 4}),
}
"""What causes the errors that no spec alone can have."""


@pytest.mark.parametrize("code", ELSEWHERE)
def test_errors_of_other_input_have_their_codes(code: str, tmp_path: Path) -> None:
    with pytest.raises((SpecError, Diagnostic)) as caught:
        ELSEWHERE[code](tmp_path)
    diagnostics = caught.value.diagnostics if isinstance(caught.value, SpecError) else [caught.value]
    assert [diagnostic.code for diagnostic in diagnostics] == [code]  # type: ignore[attr-defined]


def test_codes_are_words_of_which_none_begins_another() -> None:
    codes = sorted(SEVERITIES)
    assert len(codes) == len(ERRORS) + len(WARNINGS) + len(NOTES) and list(ERRORS) == sorted(ERRORS)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", code) for code in codes)
    assert not any(following.startswith(code) for code, following in pairwise(codes))
    raised = {code for path in (ROOT / "dsl").rglob("*.py") for code in re.findall(RAISED, path.read_text("utf-8"))}
    assert raised <= set(codes) and set(ERRORS) <= raised, "every code is raised, and is in dsl/syntax/errors.py"


def test_every_common_error_on_the_page_is_one_and_has_a_correction() -> None:
    page = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    declarations = "A, B, D in 1..4. cell(R, C) in 1..4 :- R in 1..4, C in 1..4.\n"
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| [^|]+ \|$", page.split("## Silence")[0], re.MULTILINE)
    assert len(rows) > 10
    for wrong, right in rows:
        with pytest.raises(dsl.SpecError):
            dsl.loads(declarations + wrong)
        if not right.startswith("include"):
            dsl.loads(declarations + right)


@pytest.mark.sampled
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_free_of_warnings(path: Path) -> None:
    source = Source(str(path), path.read_text(encoding="utf-8"))
    report = inspect(Program(source))
    assert report.model == dsl.load(path)
    assert not report.found, "\n".join(map(source.show, report.found))


def test_the_cookbook_is_free_of_warnings() -> None:
    specs = make_gallery.read_cookbook()
    assert len(specs) > 10
    for name, text in specs.items():
        grids = {"clue": ""} if name == "latin" else {}
        assert not find_codes(text, **grids), name


def test_warnings_look_like_errors_and_are_sorted_by_place() -> None:
    text = "A in 1..3. B in {red}.\nparam n = 3.\nA < A.\nB != blu.\nA in 1..3.\nall_different([A])."
    report = lint(text)
    places = [diagnostic.at for diagnostic in report.found]
    assert len(places) == 5 and places == sorted(places)  # type: ignore[type-var]
    assert report.sources[""].show(report.found[0]) == (
        "a.csp:2:7: warning: nothing uses the param n [unused-param]\n"
        "    2 | param n = 3.\n"
        "      |       ^\n"
        "  hint: remove it, or use it: 1..n"
    )


def test_warnings_come_with_errors() -> None:
    report = lint("param n = 3.\nA in 1..3.\nA = 7.\nq(1, 2). p(X) :- q(X, Y).")
    assert report.model is None
    assert [diagnostic.code for diagnostic in report.found] == [
        "unused-param",
        "outside-domain",
        "unused-relation",
        "singleton",
    ]


def test_a_misspelt_group_is_an_error_without_a_warning() -> None:
    assert [diagnostic.code for diagnostic in lint("A, B in 1..3. all_distinct([A, B]). A < B.").found] == [
        "unknown-name"
    ]


def test_a_param_named_like_a_symbol_is_reported_with_its_error() -> None:
    report = lint("param n = 6. " + CAGES + "total(n, 6). total(m, 6).")
    assert sorted(diagnostic.code for diagnostic in report.found) == ["never-holds", "param-or-symbol"]


def test_a_repeated_clause_is_reported_once() -> None:
    assert find_codes("A, B in 1..3. all_different([A, B]). all_different([A, B]).") == ["duplicate-clause"]


@pytest.mark.parametrize(
    ("text", "warned_lines"),
    [
        ("param n = 3. % lint: ignore unused-param\nparam m = 3.", [2]),
        ("% lint: ignore unused-param\nparam n = 3.\nparam m = 3.", [3]),
        ("% as we know, lint: ignore singleton , unused-param (n is for later)\nparam n = 3.", []),
        ("param n = 3. % lint: ignore unused-grid", [1]),
        ("param n = 3. % lint: ignore", [1]),
        ("param n = 3. lint(1). % ignore unused-param", [1, 1]),
    ],
)  # fmt: skip
def test_a_comment_silences_a_line(text: str, warned_lines: list[int]) -> None:
    report = lint(f"{text}\nA, B in 1..3. A < B.")
    assert [diagnostic.at and diagnostic.at.line for diagnostic in report.found] == warned_lines


def test_an_option_silences_a_code_but_no_error(tmp_path: Path) -> None:
    text = "param n = 3. p(1). A, B in 1..3. A < B."
    assert [diagnostic.code for diagnostic in lint(text, ignore=("unused-param",)).found] == ["unused-relation"]
    path = tmp_path / "a.csp"
    path.write_text(text)
    assert check(path, "--ignore", "unused-param").stdout.count("warning:") == 1
    assert check(path, *(f"--ignore={code}" for code in WARNINGS)).stdout.count("warning:") == 0
    result = check(path, "--ignore", "unused-parm")
    assert result.exit_code == 2 and "unknown warning: unused-parm; did you mean unused-param?" in result.stderr
    assert (
        "unknown warning: xyz; write the code in brackets at the end of a warning"
        in check(path, "--ignore", "xyz").stderr
    )
    path.write_text("A in 1..3. A = 7.")
    assert "error: A = 7" in check(path, *(f"--ignore={code}" for code in WARNINGS)).stdout


def test_clashing_givens_are_reported_in_the_file_of_the_grid(tmp_path: Path) -> None:
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
        ("A, B in 1..3. A < B.", 1, "several solutions: B is 2 in one and 3 in another; no other variable differs"),
        ("A, B, C in 1..2. A != B.\nC = 1.", 1,
         "several solutions: A is 1 in one and 2 in another; 2 of 3 variables differ: B is 2 or 1"),
        ("A, B, C in 1..2. C != B. show A.\nA >= C.", 1, "several solutions: A is 1 in one and 2 in another"),
        ("A, B in 1..2. C in 1..2. A < B. C != 1 ; C = 1 ; A = 1. show A.", 0, "one solution"),
        ("A, B in 1..4. A < B. minimize(A + 2*B).", 0, "the least A + 2*B is 5, one solution"),
        ("A, B, C in 1..2. A != B. B != C. A != C.", 1, "no solution"),
        ("A, B in 1..9.\nA < B.\nA = 9.", 1, "no solution: A < B (line 2) cannot hold: A = 9, because of A = 9"),
        ("param n = 3. A, B in 1..2. A < B.", 1, "one solution, proved by propagation only, at level arc · 1 warning"),
    ],
)  # fmt: skip
def test_check_ends_with_a_verdict(text: str, code: int, verdict: str) -> None:
    result = check("-", stdin=text)
    assert result.exit_code == code and not result.stderr
    assert result.stdout.splitlines()[-1].startswith(f"<standard input>: {verdict}")


def test_an_error_ends_without_a_verdict() -> None:
    for text, message in (
        ("A in 1..3.\nA = 7.", "<standard input>:2:5: error: A = 7 is outside its domain 1..3"),
        ("A in 1..3", "<standard input>:1:10: error: the clause has no full stop at its end"),
        ("p(1).", "<standard input>: error: the spec declares no variable"),
        ("", "<standard input>: error: the spec declares no variable"),
        (
            "% hello",
            "<standard input>: error: the spec declares no variable\n  hint: declare variables by their values",
        ),
        (
            "\nx(r) in 1..4 :- r in 1..4.",
            "<standard input>:2:17: error: r is a symbol, so nothing satisfies r in 1..4\n",
        ),
        ("\nsum(I) in 1..3 :- I in 1..3.", "<standard input>:2:1: error: the spec declares no variable\n"),
        ("x(R) in 1..4 :- R in 1..0.", "<standard input>:1:1: error: the spec declares no variable\n"),
    ):
        result = check("-", stdin=text)
        assert result.exit_code == 2 and result.stdout.startswith(message) and "solution" not in result.stdout


def test_limits_and_ctrl_c_end_with_an_unknown_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    latin = ROOT / "examples" / "latin.csp"
    pigeons = "p(I) in 1..9 :- I in 1..10. abs(p(I) - p(J)) > 0 :- I in 1..10, J in 1..10, I < J."
    result = check("-", "--timeout", 0.5, stdin=pigeons)
    assert result.exit_code == 3
    assert result.stdout == "<standard input>: not known; stopped by the limit of 0.5 seconds\n"
    original = ProgressWatch.__call__

    def press(self: ProgressWatch, effort: Effort) -> None:
        signal.raise_signal(signal.SIGINT)
        original(self, effort)

    monkeypatch.setattr(ProgressWatch, "__call__", press)
    interrupted = check(latin, "--json")
    assert interrupted.exit_code == 130
    assert (
        json.loads(interrupted.stdout)["solutions"] == "unknown"
        and "not known; stopped by Ctrl-C" in interrupted.stdout
    )


def test_json_has_places_codes_and_hints_for_editors() -> None:
    result = check("-", "--json", stdin="param nn = 3.\nA in 1..2.\nA in {1,\n2}.")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0] == {
        "format": 2, "file": "<standard input>", "line": 1, "column": 7, "end_column": 9, "severity": "warning",
        "code": "unused-param", "message": "nothing uses the param nn", "hint": "remove it, or use it: 1..nn",
        "replacements": [{"line": 1, "column": 1, "end_column": 14, "text": ""}],
    }  # fmt: skip
    assert lines[-1]["solutions"] == "several" and result.exit_code == 1
    error = json.loads(check("-", "--json", stdin="A in 1..2.\nall_different([A,\n A]).").stdout)
    assert (error["severity"], error["code"]) == ("error", "repeated-element")
    assert (error["line"], error["column"], error["end_column"]) == (3, 2, 3)
    error_without_place = json.loads(check("-", "--json", stdin="").stdout)
    assert error_without_place["line"] is error_without_place["column"] is error_without_place["end_column"] is None


def test_a_warning_about_a_clause_of_many_lines_ends_with_its_first_line() -> None:
    result = check("-", "--json", stdin="A, B in 1..3.\nall_different([A, B]).\nall_different([B,\n  A]).")
    first = json.loads(result.stdout.splitlines()[0])
    assert (first["code"], first["line"]) == ("duplicate-group", 3)
    assert first["end_column"] == len("all_different([B,") + 1


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.spec[-40:])
def test_check_reports_the_errors_of_solve(case: Case) -> None:
    result = check("-", stdin=case.spec)
    solve_result = CliRunner().invoke(main, ["solve", "-"], input=case.spec)
    assert result.exit_code == solve_result.exit_code == 2
    if "\x00" not in case.spec:
        assert all(line in result.stdout for line in solve_result.stderr.splitlines())


def make_gentle_mutant(rng: random.Random) -> str:
    """Return a text with exchanged words, often still a valid spec."""
    parts = WORD.findall(rng.choice(TEXTS))
    places = [i for i, part in enumerate(parts) if re.fullmatch(r"\w+", part)]
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.choice(places)
        similar = [parts[i] for i in places if parts[i][0].isdigit() == parts[place][0].isdigit()]
        parts[place] = rng.choice(similar)
    return "".join(parts)


@pytest.mark.parametrize(("make", "min_share"), [(mutant, 0), (make_gentle_mutant, 0.1)])
def test_mutants_cause_warnings_or_an_ordinary_error(make: Callable[[random.Random], str], min_share: float) -> None:
    warned = 0
    for seed in range(MUTANTS):
        text = make(random.Random(seed))
        try:
            report = lint(text)
        except (SpecError, ModelError, TooLarge):
            continue
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r} for {text!r}") from error
        warned += any(diagnostic.code for diagnostic in report.found)
        for diagnostic in report.found:
            assert diagnostic.message and diagnostic.severity in report.sources[diagnostic.text].show(diagnostic)
    assert warned >= min_share * MUTANTS


@pytest.mark.parametrize(
    "text",
    [
        "A in 1..9. A < " + "+ ".join(["1"] * 20_000) + ".",
        "A in 1..9. A < " + "abs(" * 300 + "A" + ")" * 300 + ".",
        "p(X) :- X in 1..200000. A in 1..3. A < X :- p(X), X < 5, 1 < 0.",
        "".join(f"p{i}({i}).\n" for i in range(5_000)) + "A in 1..3.",
        "x(I) in 1..9 :- I in 1..3000. all_different([x(1), x(I)]) :- I in 2..3000. x(1) = x(1).",
        'grid clue = "\n' + ("1" * 30 + "\n") * 30 + '". x(R, C) in 1..9 :- clue(R, C, _). '
        "x(R, C) = V :- clue(R, C, V). all_different(x(R, C) : C in 1..9) :- R in 1..30.",
    ],
    ids=range(6),
)  # fmt: skip
def test_large_and_deeply_nested_specs_are_checked(text: str) -> None:
    report = lint(text)
    assert report.found

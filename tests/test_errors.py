"""Every mistake is told with its place, its line and a caret under the word; never a traceback."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import dsl
from csp import ModelError, Value
from dsl.errors import Source, SpecError
from dsl.grids import MAX_CELLS
from dsl.parse import MAX_TEXT

from .conftest import ROOT

CELLS = "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. "
STATES = "state(wa). state(nt). color(S) in {red, green} :- state(S). "


@dataclass(frozen=True)
class Case:
    """A text in which « and » enclose the word that is to blame, and what is said of it."""

    text: str
    message: str
    hint: str = ""
    params: dict[str, Value] = field(default_factory=dict)
    grids: dict[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> str:
        return self.text.replace("«", "").replace("»", "")

    @property
    def place(self) -> tuple[int, int, int]:
        before, _, after = self.text.partition("«")
        return before.count("\n") + 1, len(before) - before.rfind("\n"), max(1, after.index("»"))


SYNTAX = [
    Case("A in 1..4«»\nB in 1..3.", "a full stop is missing here, before B of line 2"),
    Case("A in 1..4«» % four\n\n  % more\nparam n = 3.", "a full stop is missing here, before param of line 4"),
    Case('A in 1..4«»\n"x": A = 3.', "a full stop is missing here, before a text of line 2"),
    Case("A in 1..4«»", "the text ends where \\/, :- or a full stop is expected"),
    Case("A in 1..4«»\n% the end", "the text ends where \\/, :- or a full stop is expected"),
    Case("A in {1, 2«»", "the text ends where .., a comma or } is expected", "the { of line 1, column 6 is not"),
    Case("A «==» 3.", "== is not part of the language", "equality is written with a single ="),
    Case("A «=<» 3.", "=< is not part of the language", "at most is written <="),
    Case("A «=>» 3.", "=> is not part of the language", "at least is written >="),
    Case("A «<>» 3.", "<> is not part of the language", "different is written !="),
    Case("A «:=» 3.", ":= is not part of the language", "equality is written ="),
    Case("A = 3 «**» 2.", "** is not part of the language", "there are no powers"),
    Case("A «\\»= 3.", "\\ is not part of the language", "different is written !="),
    Case("A «#»= 3.", "# is not part of the language", "comparisons are written = != < <= > >="),
    Case("A «≠» 3.", "≠ is not part of the language", "different is written !="),
    Case("A in 1..4;«»", "the text ends where an expression is expected"),
    Case("A in 1..2 «|» 4..5.", "| is not part of the language", "a union of domains is written \\/"),
    Case("A = 4 «/» 2.", "/ is not part of the language", "division is written //"),
    Case("A = 1«.»5.", "this full stop cannot stand before a number or a dot", "numbers are whole"),
    Case("A in 1..«.»4.", "this full stop cannot stand before a number or a dot", "two dots"),
    Case("A = «\x00».", "the character \\x00 is not part of the language"),
    Case("A in 1..4 «B» in 1..3.", "B stands where \\/, :- or a full stop is expected", "is a full stop or :-"),
    Case("cell(R, C) in 1..4 «R» in 1..4.", "R stands where", "is a full stop or :- missing before it?"),
    Case("all_different([A, B«)».", ") stands where a comma or ] is expected", "the [ of line 1, column 15"),
    Case("A = (3 + 4«.»", "a full stop stands where ) is expected", "the ( of line 1, column 5 is not closed"),
    Case("A = 3«)».", ") stands where :- or a full stop is expected", "no ( is open here"),
    Case("«All_Different»([A, B]).", "All_Different begins in uppercase, so it is a", "write all_different(...)"),
    Case("«Cell»(1, 2) = 3.", "Cell begins in uppercase", "write cell(...)"),
    Case("show «in» 1..4.", "in is a word of the language and cannot name anything"),
    Case("param «mod» = 3.", "mod is a word of the language and cannot name anything"),
    Case("«not» = 3.", "not is a word of the language and cannot name anything"),
    Case("A = «grid».", "grid is a word of the language and cannot name anything", "a symbol is written 'grid'"),
    Case("param «N» = 3.", "N is a variable, and a name in lowercase is expected", "write n"),
    Case("param «=» 3.", "= stands where a name in lowercase is expected"),
    Case("grid clue «\"..\"».", "a text stands where = or a full stop is expected"),
    Case("A = «\"red\"».", "a text stands where an expression is expected", "a symbol stands in single quotes"),
    Case("A = «'»red.", "the symbol that opens here is not closed on its line", "close it with '"),
    Case("grid clue = «\"»\n12.", "the text that opens here is not closed", 'close it with "'),
    Case('«"»row 1: A = 1.\n"row 2": A = 2.', "the label that opens here is not closed on its line"),
    Case('grid clue = "\n12\nA = 1.\n"«row»": A = 2.', "row stands where", "the picture that opens in line 1"),
    Case("A = 2«B».", "B stands where :- or a full stop is expected", "a product is written with *"),
    Case("1 < A «<» 4.", "< stands where :- or a full stop is expected", "one comparison a clause"),
    Case("A = 1«,» B = 2.", "a comma stands where :- or a full stop is expected", "conditions follow :-"),
    Case("p(X) :- q(X) «and» r(X).", "and stands where", "a comma means and"),
    Case("x :- q(X), «.»", "a full stop stands where a condition is expected"),
    Case("A in «.»", "a full stop stands where a domain such as 1..4 or {red, green} is expected"),
    Case("«=» 3.", "= stands where a clause is expected"),
    Case("A = «999999999999999999999».", "the number has more than 18 digits"),
]

NAMES = [
    Case("param n = 1. param «n» = 2.", "n is defined already, in line 1"),
    Case("grid g = \"12\". param «g» = 2.", "g is defined already, in line 1"),
    Case("param n = 1. «n» in 1..3.", "n is a param already and cannot be a variable"),
    Case("x in 1..3. «x».", "x is a variable, and this says nothing of it", "to constrain it, compare it: x = ..."),
    Case("p(1). «p»(1, 2).", "p has 1 argument elsewhere, and 2 here"),
    Case("«[A]» in 1..3.", "a variable stands before in, such as A or cell(R, C)"),
    Case("«x(I : I in 1..3)» in 1..3.", "the generators of a declaration follow :-"),
    Case("A in 1..3. «A + 1».", "this says nothing", "a comparison or in is missing"),
    Case("A in 1..3. «alldifferent»([A]).", "nothing is called alldifferent", "did you mean all_different?"),
    Case("A, B in 1..3. «all_diff»(A, B).", "nothing is called all_diff", "did you mean all_different?"),
    Case("param «n» = m + 1. param m = n.", "n is defined through itself, by way of m"),
    Case("«a»(X) :- b(X). b(X) :- a(X).", "a is defined through itself, by way of b"),
    Case("param n = 1 // «0».", "division by zero"),
    Case("param n = «red» + 1.", "red is a symbol, and symbols have no arithmetic"),
    Case("grid clue = \"1\". param n = sum(V : «clue»(_, _, V)).", "clue is not known yet: params are read before"),
    Case("grid «clue».", "grid clue must be supplied", "--grid clue=FILE"),
    Case("grid clue = \"\n  12.\n  «34»\n\".", "row 2 of grid clue has 2 entries, and row 1 has 3"),
    Case("param n = «10000000000 * 10000000000».", "the number is too large"),
    Case("param n = «product(1000000 : I in 1..9)».", "the number is too large"),
]  # fmt: skip

BODIES = [
    Case("x(I) in 1..2 :- I in 1..«N».", "N is not bound: nothing in the body gives it values"),
    Case("param nn = 2. x(I) in 1..2 :- I in 1..«n».", "a range goes between numbers, and n is a symbol", "mean nn?"),
    Case("p(X) :- «q»(X).", "nothing says what q is"),
    Case("wall(1). p(X) :- X in 1..3, not «wal»(X).", "nothing says what wal is", "did you mean wall?"),
    Case("wall(1). p(X) :- not wall(«X»).", "X is not bound: nothing in the body gives it values"),
    Case("wall(1). p(X) :- «wall»(X, 1).", "wall has 1 argument, not 2"),
    Case("p(X) :- «X» = X + 1.", "X is not bound: it depends on itself"),
    Case("p(X) :- X in 1..3, X < «red».", "red is a symbol, and symbols have no order"),
    Case("A in 1..3. p(1) :- «A» > 2.", "A is a puzzle variable: a body cannot depend on what is to be solved"),
    Case("x(1) in 1..3. p(1) :- «x(1)» > 2.", "x is a puzzle variable, and a body cannot depend on what"),
    Case("p(1) :- «all_different»([1]).", "all_different is a constraint and stands before :-"),
    Case("p(X) :- «X», Y in 1..3.", "a condition is a relation, a comparison or a membership", "write X in ..."),
    Case("p(1) :- «3».", "a condition is a relation, a comparison or a membership"),
    Case("p(«X»).", "X is neither bound by the body nor declared as a puzzle variable"),
    Case("A in 1..2. «p»(A).", "nothing is called p", "a relation has facts"),
    Case("A in 1..2. p(1, 2). «p»(A).", "p has 2 arguments, not 1"),
    Case("p(«_»).", "_ stands for any value and has none itself"),
    Case("«\"fact\"»: p(1).", "only a constraint has a label"),
    Case("x(I) in 1..9 :- I in «1..1000000000».", "1..1000000000 has 1,000,000,000 values, and 1,000,000 is the most"),
    Case("p(A, B) :- A in 1..2000, «B in 1..2000».", "this makes more than 1,000,000 instances", "narrow its ranges"),
]

VARIABLES = [
    Case("A in «1..1000000000».", "1..1000000000 has 1,000,000,000 values, and 100,000 is the most"),
    Case("A in «4..1».", "the domain is empty", "a range goes from the least to the greatest"),
    Case("A in «1-4».", "this is a difference, a single value", "a range is written with two dots"),
    Case("A in 1..4. «A» in 6..8.", "A has no value left: 1..4 and 6..8 have nothing in common"),
    Case("A in 1..3. B in 1..«A».", "A is a puzzle variable, and a number or a symbol is needed here"),
    Case("x(«_») in 1..3.", "_ stands for any value and has none itself"),
    Case("p(1). «I» in 1..2 :- p(I).", "I is bound by the body and cannot be declared"),
    Case("«\"lab\"»: A in 1..3.", "only a constraint has a label"),
    Case("«x(I)» in 1..50000 :- I in 1..300.", "the variables have more than 10,000,000 values in all"),
]

CONSTRAINTS = [
    Case(CELLS + "«cel»(1, 1) = 3.", "nothing is called cel", "did you mean cell?"),
    Case(CELLS + "«cell(5, 1)» = 3.", "cell(5,1) is not declared: cell has 1..4, 1..4"),
    Case(CELLS + "«cell(1)» = 3.", "cell has 2 arguments, not 1"),
    Case(CELLS + "«cell(R, 4)» = 1 :- R in 4..5.", "cell(5,4) is not declared", "here R = 5"),
    Case(CELLS + "all_different(«cell(R, C + 1)» : C in 1..4) :- R in 1..4.", "cell(1,5) is not", "R = 1"),
    Case("A in 1..3. B in 1..3. A = «Bee».", "Bee is neither bound by the body nor declared as a puzzle variable"),
    Case("A in 1..4. A = «7».", "A = 7 is outside its domain 1..4"),
    Case("A in 1..4. A = «0».", "A = 0 is outside its domain 1..4", "a blank is written ."),
    Case(STATES + "color(wa) = «gren».", "color(wa) = gren is outside its domain {red, green}", "did you mean green?"),
    Case(STATES + "«color(wx)» = red.", "color(wx) is not declared: color has {wa, nt}"),
    Case(STATES + "«color(wa)» < color(nt).", "color(wa) can be the symbol green, and symbols have no arithmetic"),
    Case(STATES + "color(S) = red :- «stat»(S).", "nothing says what stat is", "did you mean state?"),
    Case(STATES + "«state»(wa) = red.", "state is a relation and has no value", "in the body, after :-"),
    Case("A in 1..4. A < «red».", "red is a symbol, which can only be equal to a variable or not"),
    Case("A in 1..4. A + «red» = 3.", "red is a symbol, and symbols have no arithmetic"),
    Case("A in 1..4.\nA = 3.\n«A = 4».", "A = 4 contradicts A = 3 of line 2"),
    Case("A in 1..4. A * «red» = 4.", "red is a symbol, and symbols have no arithmetic"),
    Case("A in {a, b}. «2 * A» = 4.", "A can be the symbol b, and symbols have no arithmetic"),
    Case("A in 1..4. «abs(1, 2)» = A.", "abs takes 1 argument, not 2"),
    Case("A in 1..4. A = «max(X : X in 1..0)».", "max of nothing has no value"),
    Case("A in 1..4. A = count(«1»).", "this is no condition", "such as cell(R, C) > 3"),
    Case("A in 1..4. A = sum(«A = 1»).", "a condition can stand in count only"),
    Case("A in 1..4. A = «sum».", "sum is a word of the language and takes arguments", "write sum(...)"),
    Case("A in 1..4. A = «[A]».", "a list can stand in all_different only"),
    Case("A in 1..4. x(I) in 1..3 :- I in 1..4. x(«A») = 3.", "A is a puzzle variable, and an index must be known"),
    Case("«1 = 2».", "1 = 2 never holds"),
    Case("A, B, C in 1..2. \"it\": «all_different([A, B, C])».", "it: all_different has 3 elements and only 2 values"),
    Case("A, B in 1..2. all_different([A, B, «A»]).", "A stands twice in all_different, so it can never hold"),
    Case("A in 1..2. all_different([A, «3»]).", "3 in all_different is not a puzzle variable"),
    Case("A in 1..2. «1 = 2 ; red = blue».", "none of these can hold"),
    Case("A in 1..2. «abs(1) in 2..3».", "this never holds"),
    Case("A in 1..2. A + «B» in 1..3.", "B is neither bound by the body nor declared"),
    Case("A, B in 1..9. A * B = 4 // «0».", "division by zero"),
    Case("A in 1..9. «A, A + 1 in 1..3» ; A = 2.", "one expression stands before in here"),
    Case("A in 1..2. A = «all_different»([A]).", "all_different is a constraint and has no value"),
    Case("A in 1..2. show «a».", "there is no variable a to show"),
    Case("x(I) in 1..2 :- I in 1..0. «x(1)» = 1.", "the declaration of x declares nothing: its generators are empty"),
    Case('A in 1..2. "row «{»R": A = 1.', "this { has no partner", "a brace itself is written {{"),
    Case('A in 1..2. "row «{}»": A = 1.', "there is nothing between the braces"),
    Case('A in 1..2. "row {1 +«»}": A = 1.', "the braces end where an expression is expected"),
    Case('A in 1..2. "row {«X»}": A = 1.', "X is neither bound by the body nor declared"),
    Case('A in 1..2. "row {1 + «A»}": A = 1.', "A is a puzzle variable, and a label can say only what is known"),
    Case("grid clue = \"\n  1.\n  .«9»\n\". " + CELLS + "cell(R, C) = V :- clue(R, C, V).",
         "cell(2,2) = 9 is outside its domain 1..4", "the clause of line 4 says so"),
    Case("grid clue = \"\n ....«1»\n .....\n\". " + CELLS + "cell(R, C) = V :- clue(R, C, V).",
         "cell(1,5) is not declared: cell has 1..4, 1..4"),
]  # fmt: skip

CASES = SYNTAX + NAMES + BODIES + VARIABLES + CONSTRAINTS


def mistakes_of(text: str, **options: object) -> SpecError:
    with pytest.raises(SpecError) as caught:
        dsl.loads(text, **options)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.spec[-40:])
def test_a_mistake(case: Case) -> None:
    first, *_ = mistakes_of(case.spec, params=case.params, grids=case.grids).mistakes
    assert case.message in first.message
    assert case.hint in first.hint
    assert first.at is not None and (first.at.line, first.at.column) == case.place[:2]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.spec[-40:])
def test_the_caret_is_under_the_word(case: Case) -> None:
    line, column, width = case.place
    head, shown, caret, *_ = str(mistakes_of(case.spec, name="a.csp")).split("\n")
    assert head.startswith(f"a.csp:{line}:{column}: error: ")
    start, end = caret.index("^"), caret.rindex("^") + 1
    assert end - start == width and set(caret[:start]) <= {" ", "|", "\t"}
    word = case.spec.split("\n")[line - 1][column - 1 : column - 1 + width]
    assert shown[start:end] == word.replace("\x00", "\ufffd")


def test_all_mistakes_of_a_text_are_told_at_once() -> None:
    text = "A in .\nB == 3.\nC in 1..3.\nD in 1..3)."
    assert [mistake.at.line for mistake in mistakes_of(text).mistakes if mistake.at] == [1, 2, 4]
    text = "A in 1..3.\nA = B.\nA = 4.\nall_different([A, A]).\nA + red = 3.\nshow x."
    assert [mistake.at.line for mistake in mistakes_of(text).mistakes if mistake.at] == [2, 3, 4, 5, 6]


def test_a_long_report_is_cut() -> None:
    report = str(mistakes_of("A in 1..3.\n" + "".join(f"A = B{i}.\n" for i in range(50))))
    assert report.count("error:") == 20 and report.endswith("\n... and 30 more")


def test_a_missing_full_stop_does_not_hide_the_next_clause() -> None:
    assert len(mistakes_of("A in 1..3\nB in 1..3.\nC in 1...3.").mistakes) == 2


def test_settings_and_grids_that_are_not_there() -> None:
    text = "param size = 3. grid clue = \"1\"."
    first, *_ = mistakes_of(text, params={"sise": 4}).mistakes
    assert first.message == "there is no param sise to set" and first.hint == "did you mean size?"
    first, *_ = mistakes_of(text, grids={"clu": "1"}).mistakes
    assert first.message == "there is no grid clu to replace" and first.hint == "did you mean clue?"


def test_places_in_a_grid_of_its_own() -> None:
    text = "grid clue.\n" + CELLS + "\ncell(R, C) = V :- clue(R, C, V)."
    assert str(mistakes_of(text, grids={"clue": "1...\n..9.\n0...\n...."}, name="a.csp")) == (
        "grid clue:2:3: error: cell(2,3) = 9 is outside its domain 1..4\n"
        "    2 | ..9.\n"
        "      |   ^\n"
        "  hint: the clause of line 3 says so\n"
        "grid clue:3:1: error: cell(3,1) = 0 is outside its domain 1..4\n"
        "    3 | 0...\n"
        "      | ^\n"
        "  hint: a blank is written .; the clause of line 3 says so"
    )
    given = mistakes_of(text + "\ncell(1, 1) = 2.", grids={"clue": "1"})
    assert given.mistakes[0].message == "cell(1,1) = 2 contradicts cell(1,1) = 1 of line 1 of grid clue"
    assert "row 2 of grid clue has 1 entries" in str(mistakes_of(text, grids={"clue": "12\n3"}))


def test_a_very_long_line_is_clipped() -> None:
    text = "A in 1..3. " + "A = 1. " * 5000 + "A = Bee. " + "A = 1. " * 5000
    head, line, caret, *_ = str(mistakes_of(text)).split("\n")
    assert len(line) < 150 and line[caret.index("^") : caret.rindex("^") + 1] == "Bee"
    assert head.startswith(f"<text>:1:{text.index('Bee') + 1}: ")
    label = '"' + "x" * 100_000 + '": A = 3.'
    assert len(str(mistakes_of(label))) < 600


def test_tabs_and_foreign_letters_keep_the_caret_in_place() -> None:
    _, line, caret, *_ = str(mistakes_of("\tA in 1..3.\t'é\t'\t= Bee.")).split("\n")
    assert line[caret.index("^")] == "B" and caret.count("\t") == line[: caret.index("^")].count("\t")


def test_the_end_of_a_clause_of_many_lines_is_not_underlined() -> None:
    _, line, caret, *_ = str(mistakes_of("A, B, C in 1..2.\nall_different([A,\n  B,\n  C]).")).split("\n")
    assert line.endswith("all_different([A,") and caret.endswith("^" * len("all_different([A,"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("% " + "x" * MAX_TEXT, "characters, and"),
        ("a(1).\n" * 2_000_000, "characters, and"),
        ("A in 1..9. A = " + "- " * 5000 + "1.", "nested too deeply"),
        ("A in 1..9. A = " + "abs(" * 5000 + "1" + ")" * 5000 + ".", "nested too deeply"),
        ("param n = " + " * ".join(["99999"] * 500) + ".", "nested too deeply"),
        ("param n = " + " * ".join(["99999"] * 50) + ".", "the number is too large"),
        ("param n = 1" + "0" * 10_000 + ".", "the number has more than 18 digits"),
        ("x(A, B, C, D) in 1..2 :- " + ", ".join(f"{v} in 1..1000" for v in "ABCD") + ".", "more than 1,000,000"),
        ("x(I) in 1..100000 :- I in 1..900000.", "more than 10,000,000 values in all"),
        ("x(I) in 1..I :- I in 1..90000.", "more than 1,000,000 instances"),
        ("p(X) :- X in 1..900000. q(X) :- p(X), p(Y), Y = X + 1.", "more than 1,000,000 instances"),
        ("p(1) :- X in 1..900, X in 1..500000 \\/ 700000..900000.", "more than 1,000,000 instances"),
        ("param n = sum(A : A in 1..900000, B in 1..900000).", "more than 1,000,000 instances"),
        ("A in 1..100000.\n" * 5000, "more than 10,000,000 values in all"),
        ("A in " + " \\/ ".join(f"{i}00000..{i}99999" for i in range(1, 9)) + ".", "more than 100,000 values"),
        ("\x00\x01\x02\x7f\x1b[31m" * 1000, "is not part of the language"),
        ('"' * 100_001, "is not closed"),
        ("(" * 100_000, "the text ends where"),
    ],
    ids=range(18),
)  # fmt: skip
def test_hostile_texts(text: str, message: str) -> None:
    error = mistakes_of(text)
    assert message in str(error) and len(str(error)) < 20_000
    assert "\x1b" not in str(error) and "\x00" not in str(error)


def test_deep_parentheses_and_long_sums_are_no_problem() -> None:
    text = "A in 1..3. A = " + "(" * 5000 + "2" + ")" * 5000 + "."
    assert dsl.loads(text) == dsl.loads("A in 1..3. A = 2.")
    many = "x(I) in 0..1 :- I in 1..3000. " + " + ".join(f"x({i})" for i in range(1, 3001)) + " = 7."
    (total,) = dsl.loads(many).constraints
    assert len(total.scope) == 3000 and total == dsl.loads(dsl.dumps(dsl.loads(many))).constraints[0]


def test_a_grid_too_large() -> None:
    error = mistakes_of("grid clue.", grids={"clue": ("1" * 1000 + "\n") * (MAX_CELLS // 1000 + 1)})
    assert "grid clue has more than 1,000,000 cells" in str(error)
    assert mistakes_of("grid clue. A in 1..2. A = V :- clue(_, _, V).", grids={"clue": "9" * 5000})


def csp(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dsl", "solve", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=ROOT)


def test_on_the_command_line(tmp_path: Path) -> None:
    clue = tmp_path / "clue.txt"
    clue.write_text("12..\n..7.\n....\n....\n")
    result = csp("examples/sudoku.csp", "--set", "box=2", "--grid", f"clue={clue}")
    assert result.returncode == 2 and not result.stdout
    assert result.stderr.decode().startswith(f"{clue}:2:3: error: cell(2,3) = 7 is outside its domain 1..4\n")
    result = csp("-", stdin=b"A in 1..3.\r\nA = Bee.\r\n")
    assert result.returncode == 2 and result.stderr.startswith(b"<standard input>:2:5: error: Bee is neither")
    result = csp("-", "--grid", "clue=-", stdin=b"grid clue.")
    assert result.returncode == 2 and b"standard input can be read only once" in result.stderr


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"A in 1..3.\nA = '\xff\xfe'.\n", ":2:6: error: this is not text in UTF-8"),
        ("A in 1..3.".encode("utf-16"), ":1:1: error: this is not text in UTF-8"),
        (bytes(range(256)) * 100, " error: this is not text in UTF-8"),
        (b"\x00" * 100, ":1:1: error: the character \\x00 is not part of the language"),
        (b"%" * 9_000_000, "error: this is larger than 8,000,000 bytes"),
        (b'grid clue = "12', ":1:13: error: the text that opens here is not closed"),
        (b"A in 1..3. A = 1..", ":1:17: error: .. stands where"),
    ],
)
def test_files_of_every_kind_on_the_command_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad.csp"
    path.write_bytes(data)
    result = csp(path)
    assert result.returncode == 2 and not result.stdout
    assert message in result.stderr.decode() and b"Traceback" not in result.stderr


def test_what_the_language_cannot_write() -> None:
    from csp import AllDifferent, Model

    for names, label in ((["x y"], ""), (["all_different"], ""), (["in"], ""), (["A"], "two\nlines")):
        with pytest.raises(ModelError, match="the language cannot write"):
            dsl.dumps(Model(dict.fromkeys(names, (1, 2)), [AllDifferent.of(names, label=label)]))


def test_carriage_returns_count_as_line_ends() -> None:
    assert Source("x", "a\r\nb\rc").text == "a\nb\nc"

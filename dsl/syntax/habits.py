"""Hints for notations of other languages: how this language writes them."""

from __future__ import annotations

import re

from .errors import IMPLICATION

AND = "conditions that all hold are a clause each, or one in parentheses: (A = 1, B = 2); in a body a comma means and"
MIXED = "beside another of , ; -> and <-> it stands in parentheses: (A = 1 ; B = 2) -> C = 3"
GENERATORS = "generators follow a colon, without brackets: all_different(x(I) : I in 1..3)"
RANGE = "a range is written with two dots, 1..4"
SET = "single values stand in braces, {1, 3, 5}"
DECLARED = "a variable is declared by its values, A in 1..9."
PARAM = "a constant is a param, param n = 3."
COMPARED = "comparisons are written = != < <= > >="
DIFFERENT = "different is written !="
CHOICE = "a choice is declared, chosen(X) in 0..1 :- p(X), and counted, sum(chosen(X) : p(X)) = 1."
PAIR = "lists are compared with lists: [A, B] != [C, D], [A, B] in {[1, 2], [2, 3]}"
EACH = "a body makes a constraint for each, x(I) > 1 :- I in 1..3."
BEST = "the best answer is asked for by minimize(X + Y). or maximize(X + Y)."
SEARCH = "leave it away: the command decides what is searched for, csp solve or csp check"
SHOWN = "answers are printed anyway; show x. says which variables they print"
FILES = 'other files are included, include "lines.csp". and, of the gallery, include sudoku.'
SOME = "generators follow what is shown: show board(I, x(I)) = q : I in 1..3."
APART = "of two tasks one ends before the other begins, A + 3 <= B ; B + 2 <= A"
TABLE = "facts say what is allowed: next(1, 2). next(2, 3). next(A, B)."
LISTED = "values are listed with commas, {1, 2, 3}"
FAMILY = "variables with indices are declared together, x(I) in 1..9 :- I in 1..9."
NONE_OF = "that it is none of them is written not A in {1, 3}"
ONE_OF = "that it is one of them is written A in {1, 3}"
OVER = "a range stands behind in: row(I) :- I in 1..9. or x(I) != 3 :- I in 1..9."
CHANGED = "values do not change; what comes after is another variable, B = A + 1"
CUT = "there is no cut: a spec says what holds, and not how it is searched for"
NEGATED = "a negation is written not A = B, or A != B"
ENDED = "a clause ends with a full stop, not ;"
LABELLED = 'a label stands in double quotes, "{label}": ...'
CHAIN = "one comparison a clause; both are written (A < B, B < C)"
COUNTED = "how often a value is taken is count(x(I) = 7 : I in 1..9)"

WORDS = {
    **dict.fromkeys(("minimize", "maximize", "minimise", "maximise", "optimize", "optimise"), BEST),
    **dict.fromkeys(("label", "labeling", "indomain", "solve", "satisfy", "search"), SEARCH),
    **dict.fromkeys(("forall", "foreach", "every"), EACH),
    **dict.fromkeys(("var", "int", "bool", "dvar", "domain"), DECLARED),
    "array": FAMILY,
    **dict.fromkeys(("member", "memberchk"), ONE_OF),
    "length": "a list has no length to be asked for; how many there are is sum(1 : I in 1..9)",
    **dict.fromkeys(("const", "let", "constant"), PARAM),
    **dict.fromkeys(("include", "import", "from", "use_module", "ensure_loaded", "consult"), FILES),
    **dict.fromkeys(("print", "write", "writeln", "output", "format"), SHOWN),
    **dict.fromkeys(("implies", "then", "if_then_else", "ifthen"), IMPLICATION),
    **dict.fromkeys(("table", "tuples_in", "extension", "allowed", "case"), TABLE),
    **dict.fromkeys(
        ("global_cardinality", "gcc", "among", "atmost", "atleast", "at_most", "at_least", "exactly", "occurrences"),
        COUNTED,
    ),
    **dict.fromkeys(("cumulative", "disjunctive", "no_overlap", "serialized"), APART),
    **dict.fromkeys(
        ("alldifferent_except_0", "all_different_except_0", "alldifferent_except"),
        "different unless both are 0 is written all_different_except(0, [A, B])",
    ),
    **dict.fromkeys(
        ("lex_less", "lex_lesseq", "lex_chain", "lex_le"),
        "lists are compared element by element, [A, B] <= [C, D]",
    ),
    "allequal": "all of a list are equal where all_equal([A, B, C])",
    "descending": "each is at most the one before where decreasing([A, B, C])",
    "increasing_strict": "each is less than the next where strictly_increasing([A, B, C])",
    "strictly_decreasing": "each is less than the one before where strictly_increasing([C, B, A])",
    **dict.fromkeys(("even", "odd"), "odd is written A mod 2 = 1, and even A mod 2 = 0"),
    **dict.fromkeys(("element", "nth", "nth1"), "an index may be to be solved, x(A) = 3"),
    **dict.fromkeys(
        ("subcircuit", "hamiltonian"),
        "a round trip through all is circuit(next(I) : I in 1..9), where next(1) = 4 leads from 1 to 4",
    ),
    "assignment": "lists that are each other's inverse are inverse([A, B], [C, D])",
    **dict.fromkeys(("gcd", "coprime"), "D divides both where count(A mod D = 0, B mod D = 0) = 2"),
    "nvalues": "how many values are taken is nvalue([A, B, C])",
    **dict.fromkeys(("range", "to"), RANGE),
    "bool2int": "count(A = 1) is 1 where A = 1, and 0 elsewhere",
    "constraint": "a constraint stands alone, A != B.",
    "all": "that all hold is count(not x(I) = 1 : I in 1..3) = 0, or a clause for each",
    **dict.fromkeys(("exists", "any"), "count(x(I) = 1 : I in 1..3) >= 1 says that there is one"),
    "iff": "both or none is written A = 1 <-> B = 2",
    "ins": "write in, with commas and without brackets: A, B in 1..9.",
    "len": "how many there are is sum(1 : I in 1..9)",
    "pow": "a power is a product, product(2 : I in 1..3)",
    "set": SET,
    "sqrt": "a root is compared by its square, A * A <= B",
    "xor": "exactly one of two is written count(A = 1, B = 1) = 1",
    "and": AND,
    "or": "or is written ;",
    "if": "a body follows :-",
    "where": "a body follows :-",
    "for": GENERATORS,
    "is": "write =",
}  # fmt: skip
"""The hint for each word of other languages."""

PAIRS = {
    "=/=": DIFFERENT,
    "<=>": WORDS["iff"],
    "==>": IMPLICATION,
    "=:=": "equality is written =",
    "!==": DIFFERENT,
    "==": "equality is written with a single =",
    "=<": "at most is written <=",
    "=>": "at least is written >=",
    "<>": DIFFERENT,
    "=!": DIFFERENT,
    "**": "there are no powers, but A * A",
    "<-": "a body follows :-",
    ":=": "equality is written =",
}
"""The hint for each operator of several characters, the longest first."""

CHARACTERS = {
    "/": "division is written //, and a comment begins with %",
    "&": AND,
    "\\": f"{DIFFERENT}, and a union of domains \\/",
    "!": f"{DIFFERENT}; {NEGATED}",
    "^": "there are no powers, but A * A",
    "?": IMPLICATION,
    "…": RANGE,
    "±": "either sign is written with abs, abs(A - B) = 1",
    "≠": DIFFERENT,
    "≤": "at most is written <=",
    "≥": "at least is written >=",
    "∈": "membership is written in",
    "×": "a product is written *",
    "–": "minus is written -",
    "−": "minus is written -",
    "“": 'text stands between straight quotes "',
    "”": 'text stands between straight quotes "',
    "‘": "a symbol stands between straight quotes '",
    "’": "a symbol stands between straight quotes '",
}
"""The hint for each single character that is not part of the language."""

HASHES = (
    (r"#(<==>|<=>)", WORDS["iff"]),
    (r"#(==>|<==|=>)", IMPLICATION),
    (r"#\\=", DIFFERENT),
    (r"#(\\/|or\b)", WORDS["or"]),
    (r"#/\\", AND),
    (r"#\\", f"{DIFFERENT}, and not A = 1 is A != 1"),
    (r"#=<", "at most is written <="),
    (r"#[<>=]+", f"{COMPARED}, without #"),
    (r"#const\b", PARAM),
    (r"#(show|hide)\b", SHOWN),
    (r"#(minimi[sz]e|maximi[sz]e)\b", BEST),
    (r"#(count|sum|min|max)\b", "write count(...), sum(...), min(...) or max(...), without #"),
    (r"#include\b", FILES),
)
"""Patterns of notations with a hash sign, from CLP(FD) and clingo, each with its hint."""


def hash_hint(text: str, at: int) -> str:
    """Return the hint for a hash sign in a spec.

    Examples
    --------
    >>> hash_hint("X #\\\\= Y.", 2)
    'different is written !='
    """
    for pattern, hint in HASHES:
        if re.compile(pattern).match(text, at):
            return hint
    return f"a comment begins with %, and {COMPARED}"

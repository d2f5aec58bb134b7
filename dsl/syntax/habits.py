"""Hints for notations of other languages: how this language writes them."""

from __future__ import annotations

import re

from .errors import IMPLICATION, Suggestion

AND = Suggestion(
    "write a clause for each condition, or both in parentheses: (A = 1, B = 2); in a body, write a comma", ","
)
MIXED = "write parentheses: (A = 1 ; B = 2) -> C = 3"
GENERATORS = Suggestion("write generators after a colon: all_different(x(I) : I in 1..3)", ":")
RANGE = Suggestion("write a range with two dots, 1..4", "..")
SET = "write single values in braces, {1, 3, 5}"
DECLARED = "declare a variable as A in 1..9."
PARAM = "write a constant as a param, param n = 3."
COMPARED = "comparisons are = != < <= > >="
DIFFERENT = Suggestion("write !=", "!=")
EQUAL = Suggestion("write a single =", "=")
AT_MOST = Suggestion("write <= for at most", "<=")
AT_LEAST = Suggestion("write >= for at least", ">=")
MINUS = Suggestion("write - for minus", "-")
CHOICE = (
    "give each cell one value, cell(R, C) in 1..9 :- R in 1..9, C in 1..9. "
    "or choose things, chosen(X) in 0..1 :- p(X). and count them, sum(chosen(X) : p(X)) = 1."
)
PAIR = "compare a list with a list: [A, B] != [C, D], or [A, B] in {[1, 2], [2, 3]}"
EACH = "write the constraint alone, then its ranges after :-, as in x(I) > 1 :- I in 1..3."
BEST = "write an objective as minimize(X + Y) or maximize(X + Y)."
SEARCH = "remove this: the command chooses the task, csp solve or csp check"
SHOWN = "remove this: csp solve prints the answers; show x. chooses their variables"
FILES = 'include a file by include "lines.csp". and a spec of the gallery by include sudoku.'
SOME = "write generators after a colon: show board(I, x(I)) = q : I in 1..3."
APART = "of two tasks, one ends before the other begins: A + 3 <= B ; B + 2 <= A"
TABLE = "list the allowed rows as facts: next(1, 2). next(2, 3). next(A, B)."
LISTED = "separate values by commas, {1, 2, 3}"
FAMILY = "declare variables with indices together, x(I) in 1..9 :- I in 1..9."
NONE_OF = "to exclude several values, write not A in {1, 3} or not A in 3..4"
ONE_OF = "to allow several values, write A in {1, 3}"
OVER = "write a range after in: row(I) :- I in 1..9. or x(I) != 3 :- I in 1..9."
CHANGED = "a variable has one value; write another variable for the next one, B = A + 1"
CUT = "remove the cut: a spec states conditions, and not how to search"
NEGATED = "write not A = B, or A != B"
ENDED = Suggestion("end a clause with a full stop, not ;", ".")
CHAIN = "write (A < B, B < C)"
COUNTED = "count equal values by count(x(I) = 7 : I in 1..9)"
OR = Suggestion("write ; for or", ";")
BODY = Suggestion("write a body after :-", ":-")
IFF = Suggestion("write A = 1 <-> B = 2 for both or neither", "<->")
ARROW = Suggestion(IMPLICATION, "->")
POWER = "write a power as a product, A * A"

WORDS = {
    **dict.fromkeys(("minimize", "maximize", "minimise", "maximise", "optimize", "optimise"), BEST),
    **dict.fromkeys(("label", "labeling", "indomain", "solve", "satisfy", "search"), SEARCH),
    **dict.fromkeys(("forall", "foreach", "every"), EACH),
    **dict.fromkeys(("var", "int", "bool", "dvar", "domain"), DECLARED),
    "array": FAMILY,
    **dict.fromkeys(("member", "memberchk"), ONE_OF),
    "length": "count elements by sum(1 : I in 1..9)",
    **dict.fromkeys(("const", "let", "constant"), PARAM),
    **dict.fromkeys(("include", "import", "from", "use_module", "ensure_loaded", "consult"), FILES),
    **dict.fromkeys(("print", "write", "writeln", "output", "format"), SHOWN),
    **dict.fromkeys(("implies", "then", "if_then_else", "ifthen"), ARROW),
    **dict.fromkeys(("table", "tuples_in", "extension", "allowed", "case"), TABLE),
    **dict.fromkeys(
        ("global_cardinality", "gcc", "among", "atmost", "atleast", "at_most", "at_least", "exactly", "occurrences"),
        COUNTED,
    ),
    **dict.fromkeys(("cumulative", "disjunctive", "no_overlap", "serialized"), APART),
    **dict.fromkeys(
        ("alldifferent_except_0", "all_different_except_0", "alldifferent_except"),
        "to let only zeros be equal, write all_different_except(0, [A, B])",
    ),
    **dict.fromkeys(
        ("lex_less", "lex_lesseq", "lex_chain", "lex_le"),
        "compare lists by [A, B] <= [C, D]: the first different element decides",
    ),
    "allequal": "write all_equal([A, B, C])",
    "descending": "write decreasing([A, B, C]), where each element is at most the one before",
    "increasing_strict": "write strictly_increasing([A, B, C])",
    "strictly_decreasing": "write strictly_increasing([C, B, A])",
    **dict.fromkeys(("even", "odd"), "write A mod 2 = 1 for odd, and A mod 2 = 0 for even"),
    **dict.fromkeys(("element", "nth", "nth1"), "write x(A) = 3: an index may be a puzzle variable"),
    **dict.fromkeys(
        ("subcircuit", "hamiltonian"),
        "write a round trip as circuit(next(I) : I in 1..9), where next(1) = 4 leads from 1 to 4",
    ),
    "assignment": "write inverse([A, B], [C, D]) for lists that invert each other",
    **dict.fromkeys(("gcd", "coprime"), "write count(A mod D = 0, B mod D = 0) = 2, if D divides both"),
    "nvalues": "count different values by nvalue([A, B, C])",
    **dict.fromkeys(("range", "to"), RANGE),
    "bool2int": "write count(A = 1), which is 1 if A = 1, and otherwise 0",
    "constraint": "remove this word: a constraint is a clause, A != B.",
    "all": 'for "every one holds", write count(not x(I) = 1 : I in 1..3) = 0',
    **dict.fromkeys(("exists", "any"), 'for "at least one holds", write count(x(I) = 1 : I in 1..3) >= 1'),
    "iff": IFF,
    "ins": Suggestion("write in, with commas and without brackets: A, B in 1..9.", "in"),
    "len": "count elements by sum(1 : I in 1..9)",
    "pow": "write a power as a product, product(2 : I in 1..3)",
    "set": SET,
    "sqrt": "compare the square instead, A * A <= B",
    "xor": "write count(A = 1, B = 1) = 1 for exactly one of two",
    "and": AND,
    "or": OR,
    "if": BODY,
    **dict.fromkeys(("where", "when"), BODY),
    "for": GENERATORS,
    "is": EQUAL,
}  # fmt: skip
"""The hint for each word of other languages."""

ANY = 'for "at least one holds"', "", ">= 1"
QUANTIFIERS = {"all": ('for "every one holds"', "not ", "= 0"), "any": ANY, "exists": ANY}
"""For each word about several conditions: its meaning, the sign before each counted condition, and the count."""

PAIRS = {
    "=/=": DIFFERENT,
    "<=>": IFF,
    "==>": ARROW,
    "=:=": EQUAL,
    "!==": DIFFERENT,
    "==": EQUAL,
    "=<": AT_MOST,
    "=>": AT_LEAST,
    "<>": DIFFERENT,
    "=!": DIFFERENT,
    "**": POWER,
    "<-": Suggestion("write a body after :-, not <-", ":-"),
    ":=": EQUAL,
    "::": Suggestion("write in", "in"),
    "&&": AND,
    "||": OR,
    "/\\": AND,
    "\\+": NEGATED,
    "\\=": DIFFERENT,
}
"""The hint for each operator of several characters, the longest first."""

CHARACTERS = {
    "/": Suggestion("write a division as //, and a comment after %", "//"),
    "&": AND,
    "\\": "write != for different, and \\/ for a union of domains",
    "!": f"write != for different; {NEGATED}",
    "^": POWER,
    "?": IMPLICATION,
    "…": RANGE,
    "±": "write abs(A - B) = 1 for either sign",
    "≠": DIFFERENT,
    "≤": AT_MOST,
    "≥": AT_LEAST,
    "∈": Suggestion("write in", "in"),
    "×": Suggestion("write * for a product", "*"),
    "–": MINUS,
    "−": MINUS,
    "“": Suggestion('write text in straight double quotes "', '"'),
    "”": Suggestion('write text in straight double quotes "', '"'),
    "‘": Suggestion("write a symbol in straight single quotes '", "'"),
    "’": Suggestion("write a symbol in straight single quotes '", "'"),
}
"""The hint for each single character that is not part of the language."""

HASHES = (
    (r"#(<==>|<=>)", IFF),
    (r"#(==>|=>)", ARROW),
    (r"#\\=", DIFFERENT),
    (r"#(\\/|or\b)", OR),
    (r"#/\\", AND),
    (r"#\\", "write A != 1 for not A = 1"),
    (r"#=<", AT_MOST),
    (r"#(?=[<>=])", Suggestion(f"remove the #; {COMPARED}", "")),
    (r"#const\b", PARAM),
    (r"#(show|hide)\b", SHOWN),
    (r"#(minimi[sz]e|maximi[sz]e)\b", BEST),
    (r"#(count|sum|min|max)\b", "remove #: write count(...), sum(...), min(...) or max(...)"),
    (r"#include\b", FILES),
)
"""Patterns of notations with a hash sign, from CLP(FD) and clingo, each with its hint."""


def hash_hint(text: str, at: int) -> tuple[int, str]:
    """Return the offset after a foreign notation with ``#``, and the hint for it.

    Examples
    --------
    >>> hash_hint("X #\\\\= Y.", 2)
    (5, 'write !=')
    """
    for pattern, hint in HASHES:
        if match := re.compile(pattern).match(text, at):
            return match.end(), hint
    return at + 1, Suggestion(f"write a comment after %; {COMPARED}", "%")

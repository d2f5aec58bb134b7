"""Cases whose hints are in the names, ranges and texts of the spec."""

from __future__ import annotations

from .cases import CELLS, STATES, USUAL, Case

ROWS = "all_different(cell(R, C) : C in 1..4) :- R in 1..4. "
PICTURE = 'grid clue = "\n    . . 4 .\n    . 2 . .\n    . . 1 .\n    . 3 . .\n".\n'

OWN_WORDS = [
    # Indices
    Case(
        PICTURE + "cell(r, c) in 1..4 :- «r in 1..4», c in 1..4.\ncell(R, C) = V :- clue(R, C, V).\n" + ROWS,
        "r is a symbol, so nothing satisfies r in 1..4",
        "write R and C: names that get values begin with a capital letter",
    ),
    Case(
        CELLS + "all_different(cell(R, C) : C in 1..4) :- «r in 1..4».",
        "r is a symbol, so nothing satisfies r in 1..4",
        "write R: names that get values",
    ),
    Case(CELLS + "«cell(R)» != 1 :- R in 1..4.", "cell needs 2 indices, found 1", "write cell(R, C), as in line 1"),
    Case(
        "cell(«R», C) in 1..4. " + ROWS,
        "R and C have no value: this clause does not say what R and C are",
        "add a body, :- R in 1..4, C in 1..4",
    ),
    Case(CELLS + "cell(«R», C) != 1.", "R and C have no value", "add a body, :- R in 1..4, C in 1..4"),
    Case(CELLS + "cell(«Row», Col) != 1.", "Row and Col have no", "add a body, :- Row in 1..4, Col in 1..4"),
    Case(CELLS + "x(I) in 1..4 :- I in 1..4. x(I) != x(«J») :- I in 1..4, I < J.", "J has no value", "body: J in 1..4"),
    Case(CELLS + "sum(cell(1, «C»)) = 10.", "C has no value", "write sum(cell(1, C) : C in 1..4)"),
    Case(
        CELLS + "cell(R, C) in 1..2«,» R in 1..4, C in 1..4.",
        "found a comma",
        "write :- for the first comma: cell(R, C)",
    ),
    Case(CELLS + "all_different(cell(1, C) «|» C in 1..4).", "| is not part", "write a colon before generators"),
    Case(CELLS + '"row" «all_different»(cell(1, C) : C in 1..4).', "expected a colon", "write a colon after the label"),
    Case(CELLS + "all_different(cell(1, C) : C in 1..4 «:-» 1 = 1.", "missing )", "is not closed"),
    Case(CELLS + '"column 1": «cell(1)» = 3.', 'cell needs 2 indices, found 1 (in "column 1")', "write cell(R, C)"),
    Case(CELLS + "cell(R, «C») != 1 :- R in 1..4.", "C has no value: no condition", "add to the body: C in 1..4"),
    Case(CELLS + '"at {R}": cell(«R», 1) != 1.', "R has no value", "add a body, :- R in 1..4"),
    Case('param n = 3. x(«I») in 1..n. grid g(n, 4) = "' + "." * 12 + '".', "I has no", "add a body, :- I in 1..n"),
    Case(PICTURE + "cell(«I», J) in 1..4.", "I and J have no value", "add a body, :- I in 1..4, J in 1..4"),
    Case(STATES + "color(«S») != red.", "S has no value", "add a body, :- state(S)"),
    Case(
        STATES + "color(«WA») = red.",
        "WA is read as a variable, because it begins with a capital letter",
        "write wa for a symbol",
    ),
    Case(CELLS + "cell«[»1][2] = 3.", 'unexpected "["', "write an index in parentheses, cell(1, 2)"),
    # Numbers and symbols
    Case("A in 1..4. A > 2«.»5.", 'unexpected "." in a number', "numbers are integers: write 2 or 3"),
    Case("A in 1..4. A > 2«.»0.", 'unexpected "." in a number', "numbers are integers: write 2"),
    Case("A in 1«.»9.", 'unexpected "." in a number', "numbers are integers; write a range with two dots, 1..9"),
    Case("A in 1..«.»9.", 'unexpected "." in a range', "write a range with two dots, 1..9"),
    Case("A in 2 «to» 7.", 'unexpected "to"', "write a range with two dots, 2..7"),
    Case(
        "A, B in {red, green, blue}. «A» < B.",
        "< needs numbers, and A can be the symbol blue",
        "list the allowed pairs as facts, next(red, green). and then require next(A, B).",
    ),
    Case("A in {red, 'Big Red'}. «A» < blue.", "< needs", "next(red, 'Big Red'). and then require next(A, blue)."),
    Case("A, B in 1..3. A = «b».", "A = b is outside its domain 1..3", "did you mean B?"),
    # Connectives
    Case(
        USUAL + "A = 1 ; B = 2 «->» X = 3.",
        "mixing , ; -> and <-> needs parentheses",
        "write parentheses: (A = 1 ; B = 2) -> X = 3, or A = 1 ; (B = 2 -> X = 3)",
    ),
    Case(
        USUAL + "A < B«,» B < X ; X = 4.",
        "expected :- or a full stop, found a comma",
        "write parentheses: (A < B, B < X) ; X = 4, or (A < B, (B < X ; X = 4))",
    ),
    Case(
        USUAL + "A = 1 ; B = 2 «->» X = 3 ; Y = 1.",
        "mixing",
        "write parentheses: (A = 1 ; B = 2) -> C = 3",
    ),
    Case(USUAL + "A < B«,» B < X.", "two constraints in one clause", "write both in parentheses, (A < B, B < X)"),
    Case(USUAL + "A < B«,»\nB < X.", "two constraints in one clause", "write both in parentheses, (A < B, B < X)"),
    Case(USUAL + "«if» A = 1 then X = 2.", 'unexpected "if"', "write a condition with an arrow: A = 1 -> X = 2"),
    Case(USUAL + "«if» A = 1 and B = 2 then X = 2.", 'unexpected "if"', "with an arrow: A = 1 -> B = 2"),
    Case(USUAL + "«:-» A = B.", "a clause cannot begin with :-", "to forbid A = B, write A != B"),
    Case(USUAL + "«:-» A = 1, x(1) < 2.", "a clause cannot", "to forbid A = 1, x(1) < 2, write not (A = 1, x(1) < 2)"),
    Case(
        "cage(1, 1, 1)«,» cage(1, 1, 2).",
        "expected a full stop, found a comma",
        "end each fact with a full stop: cage(1, 1, 1). cage(1, 1, 2).",
    ),
    Case(
        USUAL + '«"low"»: A in 1..2.',
        'a clause "VARIABLE in DOMAIN" declares a domain and cannot have a label',
        "remove the label, or write (A >= 1, A <= 2)",
    ),
    Case(USUAL + '«"some"»: A in {1, 3..4}.', "cannot have a label", "write (A = 1 ; (A >= 3, A <= 4))"),
    Case(USUAL + '«"two"»: A, B in 1..2.', "cannot have a label", "remove the label"),
    # Generators
    Case(
        CELLS + "all_different(cell(R, C) «for» C in 1..4) :- R in 1..4.",
        'unexpected "for"',
        "write a colon for it: cell(R, C) : C in 1..4",
    ),
    Case(CELLS + "all_different(cell(R, C) : C in 1..4) «for» R in 1..4.", 'unexpected "for"', "write :- R in 1..4"),
    Case(
        CELLS + "«for» R in 1..4: all_different(cell(R, C) : C in 1..4).",
        'unexpected "for"',
        "write the constraint first, then :- R in 1..4",
    ),
    Case(CELLS + "«for» R in range(4): cell(R, 1) > 1.", 'unexpected "for"', "its ranges after :-"),
    Case(
        CELLS + "sum(cell(R, C)«,» R in 1..4, C in 1..4) = 10.",
        "expected a colon before the generator of R, found a comma",
        "write a colon for it: cell(R, C) : R in 1..4, C in 1..4",
    ),
    Case(
        CELLS + "sum(cell(1, C),\n  «C in 1..4») = 10.",
        "expected a colon before the generator of C",
        "write a colon for it: cell(1, C) : C in 1..4",
    ),
    Case(
        CELLS + "cell(1, 1) = 1 -> «all»(cell(2, C) != 1 : C in 1..4).",
        '"all" is not part of the language',
        'for "every one holds", write count(not cell(2, C) != 1 : C in 1..4) = 0',
    ),
    # Grids
    Case(
        'grid clue(4, 4) = "\n  . . 4 .\n  . 2 . .\n  «. . 1 .»\n". A in 1..4. A = V :- clue(_, _, V).',
        "grid clue has 3 rows, but 4 are declared",
        "add a row, for example . . . .",
    ),
    Case(
        'grid clue(1, 2) = "\n.4\n«1.»\n". A in 1..4. A = V :- clue(_, _, V).',
        "grid clue has 2 rows, but 1 is declared",
        "remove 1 row, or declare 2 rows",
    ),
]

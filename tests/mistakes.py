"""Texts with a mistake: where it is, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from csp import Value

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
    Case('grid clue «".."».', "a text stands where = or a full stop is expected"),
    Case('A = «"red"».', "a text stands where an expression is expected", "a symbol stands in single quotes"),
    Case("A = «'»red.", "the symbol that opens here is not closed on its line", "close it with '"),
    Case('grid clue = «"»\n12.', "the text that opens here is not closed", 'close it with "'),
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

HABITS = [  # of other languages
    Case("A = 1 «->» B = 2.", "-> is not part of the language", "if A = 1 then B = 2 is written A != 1 ; B = 2"),
    Case("if «A» = 1 then B = 2.", "A stands where", "is written A != 1 ; B = 2"),
    Case("A = 1 «then» B = 2.", "then stands where", "is written A != 1 ; B = 2"),
    Case("A = 1 «or» B = 2.", "or stands where", "or is written ;"),
    Case("A = 1 «|»| B = 2.", "| is not part of the language", "or is written ;"),
    Case("A = 1 «and» B = 2.", "and stands where", "a clause each"),
    Case("A = 1 «&»& B = 2.", "& is not part of the language", "a clause each"),
    Case("A = 1 ; A = 2«,» B = 3.", "a comma stands where", "is one condition, count(A > 1, B > 1) = 2"),
    Case("A = 1 ; A = 2 «and» B = 3.", "and stands where", "is one condition, count(A > 1, B > 1) = 2"),
    Case("(A «>» 1, B > 1) ; A = 1.", "> stands where ) is expected", "count(A > 1, B > 1) = 2"),
    Case("p(X) :- q(X) «;» r(X).", "; stands where", "write a clause for each"),
    Case("p(X) :- q(X) «or» r(X).", "or stands where", "write a clause for each"),
    Case("«not» next(A, B).", "not is a word of the language", "A != X ; B != Y :- next(X, Y)"),
    Case("total(a, 7)«,» total(b, 9).", "a comma stands where a full stop is expected", "facts end with a full"),
    Case("A«,» B :- p(1).", "a comma stands where a full stop is expected"),
    Case("x(I) in 1..n :- I in 1..«.»n.", "a full stop stands where an expression", "with two dots, 1..n"),
    Case("x(I) in 1..9 «<-» I in 1..9.", "<- is not part of the language", "a body follows :-"),
    Case("all_different(x(R, C) : C in 1..n) «:» R in 1..n.", "a colon stands where", "a body follows :-"),
    Case("'col {C}'«:» A = 3.", "a colon stands where", "a label stands in double quotes"),
    Case("all_different([x(I) «|» I in 1..3]).", "| is not part of the language", "generators follow a colon"),
    Case("all_different([x(I) «for» I in 1..3]).", "for stands where", "generators follow a colon"),
    Case("«|»A - B| = 1.", "| is not part of the language", "the distance of A and B is written abs(A - B)"),
    Case("«//» comment", "// stands where a clause is expected", "a comment begins with %"),
    Case("«/»* comment */", "/ is not part of the language", "a comment begins with %"),
    Case("«:-» use_module(library(clpfd)).", ":- stands where a clause is expected", "begins with what it says"),
    Case("param n«.»", "a full stop stands where = is expected", "a param has a value, such as param n = 9."),
    Case("A = x«[»1].", "[ stands where", "an index stands in parentheses, x(...)"),
    Case("all_different([x(I) «:» I in 1..3]).", "a colon stands where", "without brackets: all_different(x(I) : I in"),
    Case("A in {1..3«.»", "a full stop stands where", "the { of line 1, column 6 is not closed"),
]

NAMES = [
    Case("param n = 4. x(I) in 1..n :- I in 1.«n».", "n is a param already", "with two dots, 1..n"),
    Case("total(1, 2). S <- «total»(K, S).", "total is a relation and has no value", "a body follows :-, not <-"),
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
    Case("A, B in 1..3. A > 1 :- «B» > 1.", "B is a puzzle variable: a body cannot", "is written A != 1 ; B = 2"),
    Case("x(1) in 1..3. p(1) :- «x(1)» > 2.", "x is a puzzle variable, and a body cannot depend on", "A != 1 ; B = 2"),
    Case("p(1) :- «all_different»([1]).", "all_different is a constraint and stands before :-"),
    Case("p(X) :- «X», Y in 1..3.", "a condition is a relation, a comparison or a membership", "write X in ..."),
    Case("p(1) :- «3».", "a condition is a relation, a comparison or a membership"),
    Case("A in {«Red», green}.", "Red is neither bound by the body nor declared", "a symbol is written red, or 'Red'"),
    Case("total(«M», 10).", "M is neither bound by the body nor declared", "a symbol is written m, or 'M' in quotes"),
    Case("x(R, «C») in 1..3 :- R in 1..3.", "C is neither", "the body gives it values, :- C in 1..9"),
    Case("p(«X»).", "X is neither bound by the body nor declared as a puzzle variable"),
    Case("A in 1..2. «p»(A).", "nothing is called p", "a relation has facts"),
    Case("A in 1..2. p(1, 2). «p»(A).", "p has 2 arguments, not 1"),
    Case("p(«_»).", "_ stands for any value and has none itself"),
    Case('«"fact"»: p(1).', "only a constraint has a label"),
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
    Case('«"lab"»: A in 1..3.', "only a constraint has a label", "such as slot(L) != wed"),
    Case("«x(I)» in 1..50000 :- I in 1..300.", "the variables have more than 10,000,000 values in all"),
]

CONSTRAINTS = [
    Case(CELLS + "«cel»(1, 1) = 3.", "nothing is called cel", "did you mean cell?"),
    Case("A in 1..3. «cell»(1, B) = 3.", "nothing is called cell", "cell(I, J) in 1..9 :- I in 1..9, J in 1..9."),
    Case("x(I) in 1..3 :- I in 1..3. sum(«x») = 4.", "x has 1 argument, not 0", "all of them are x(I) : I in ..."),
    Case(CELLS + "all_different(«cell»).", "not 0", "all of them are cell(I, J) : I in ..., J in ..."),
    Case("param k = 6. cage(1, a). x(1) in 1..9. «sum(x(I) : cage(I, K)) = T» :- total(K, T). total(k, 9).",
         "0 = 9 never holds", "the sum is empty: nothing satisfies cage(I, 6); here K = 6, T = 9"),
    Case("p(1). x(1) in 1..9. \"no {I}\": «0 = 1» :- I in 1..9, not p(I).", "no 2: 0 = 1", "and 7 more instances"),
    Case("A in 1..9. A + «Big» = 3.", "Big is neither", "is declared, Big in 1..9."),
    Case(CELLS + "«cell(5, 1)» = 3.", "cell(5,1) is not declared: cell has 1..4, 1..4"),
    Case(CELLS + "«cell(1)» = 3.", "cell has 2 arguments, not 1"),
    Case(CELLS + "«cell(R, 4)» = 1 :- R in 4..5.", "cell(5,4) is not declared", "here R = 5"),
    Case(CELLS + "all_different(«cell(R, C + 1)» : C in 1..4) :- R in 1..4.", "cell(1,5) is not", "R = 1"),
    Case("A in 1..3. B in 1..3. A = «Bee».", "Bee is neither bound by the body nor declared as a puzzle variable"),
    Case("A in 1..4. A = «7».", "A = 7 is outside its domain 1..4"),
    Case("A in 1..4. A = «0».", "A = 0 is outside its domain 1..4", "a blank is written ."),
    Case(STATES + "color(wa) = «gren».", "color(wa) = gren is outside its domain {red, green}", "did you mean green?"),
    Case(STATES + "«color(wx)» = red.", "color(wx) is not declared: color has {wa, nt}"),
    Case(STATES + "«color(wa)» < color(nt).", "color(wa) can be the symbol green, and symbols have no order"),
    Case(STATES + "color(S) = red :- «stat»(S).", "nothing says what stat is", "did you mean state?"),
    Case(STATES + "«state»(wa) = red.", "state is a relation and has no value", "in the body, after :-"),
    Case("A in 1..4. A < «red».", "red is a symbol, which can only be equal to a variable or not"),
    Case("A in 1..4. A + «red» = 3.", "red is a symbol, and symbols have no arithmetic"),
    Case("A in 1..4.\nA = 3.\n«A = 4».", "A = 4 contradicts A = 3 of line 2"),
    Case("A in 1..4. A * «red» = 4.", "red is a symbol, and symbols have no arithmetic"),
    Case("A, B in {red, green}. «A» < B.", "A can be the symbol green, and symbols have no order"),
    Case("A in {a, b}. «2 * A» = 4.", "A can be the symbol b, and symbols have no arithmetic"),
    Case("A in 1..4. «abs(1, 2)» = A.", "abs takes 1 argument, not 2"),
    Case("A in 1..4. A = «max(X : X in 1..0)».", "max of nothing has no value"),
    Case("A in 1..4. A = count(«1»).", "this is no condition", "such as cell(R, C) > 3"),
    Case("A in 1..4. A = sum(«A = 1»).", "a condition can stand in count only"),
    Case("A in 1..4. A = «sum».", "sum is a word of the language and takes arguments", "write sum(...)"),
    Case("A in 1..4. A = «[A]».", "a list can stand in all_different or increasing only"),
    Case("A in {a, b}. x(I) in 1..3 :- I in 1..4. x(«A») = 3.", "A can be the symbol b, and an index to be solved is"),
    Case("A in 1..4. x(I) in {a, b} :- I in 1..4. «x(A)» = a.", "x(1) can be the symbol b, and only numbers are"),
    Case("A in 1..4. x(I, J) in 1..3 :- I in 1..4, J in 1..4. «x(A, 9)» = 3.", "x(A,9) is not declared: x has 1..4,"),
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

CASES = SYNTAX + HABITS + NAMES + BODIES + VARIABLES + CONSTRAINTS

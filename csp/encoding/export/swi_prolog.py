"""Export to SWI-Prolog with its library CLP(FD)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...base.notation import intervals
from ...model import AllDifferent, Circuit, Constraint, Increasing, Model, Table
from .formulas import Formulas, Phrase, factor
from .names import one_line, plain_rows

RELATIONS = {"=": "#=", "!=": "#\\=", "<": "#<", "<=": "#=<", ">": "#>", ">=": "#>="}
INFIX = {"*": "*", "div": " // ", "rem": " mod "}
HEAD = """\
% swipl -g solutions -t halt FILE.pl    prints every solution
% swipl -g count -t halt FILE.pl        prints how many there are

:- use_module(library(clpfd)).
:- set_prolog_flag(clpfd_goal_expansion, false).
:- style_check(-singleton).
"""
BEST = """
puzzle(All, Shown) :-
    once((puzzle(Some, _, Best), labeling([%s(Best), ff], Some))),
    puzzle(All, Shown, Best).
"""
TAIL = """\
solutions :-
    puzzle(All, Shown),
    labeling([ff], All),
    maplist(show, Shown),
    writeln(----------),
    fail.
solutions.

count :-
    aggregate_all(count, (puzzle(All, _), labeling([ff], All)), Count),
    writeln(Count).

show(Name = Number) :-
    (   symbol(Number, Value)
    ->  true
    ;   Value = Number
    ),
    format("~w = ~w~n", [Name, Value]).
"""


def write_swi_prolog(model: Model) -> str:
    """Return a model as a program for SWI-Prolog.

    The program has the goals ``solutions`` and ``count``.

    Examples
    --------
    >>> program = write_swi_prolog(Model({"A": (1, 2), "B": (1, 2, 5)}, [AllDifferent.of("AB", label="pair")]))
    >>> print(program[program.index("puzzle"):program.index("solutions :-")])
    puzzle(All, Shown) :-
        All = [A, B],
        Shown = ['A'=A, 'B'=B],
        A in 1..2,
        B in 1..2 \\/ 5,
        % pair
        all_distinct([A, B]).
    <BLANKLINE>
    symbol(_, _) :- fail.
    <BLANKLINE>
    <BLANKLINE>
    """
    return _Writer(model).text()


class _Writer(Formulas):
    """A writer of one model in SWI-Prolog."""

    name_pattern = "V{}"

    def __init__(self, model: Model) -> None:
        super().__init__(model, {"All", "Shown", "Worth"}, capital=True)
        self._defined: dict[str, str] = {}
        self._pairs: dict[str, tuple[str, str]] = {}

    def text(self) -> str:
        """Return the text of the whole program."""
        shown = ", ".join(f"{_atom(variable)}={self.names[variable]}" for variable in self.model.shown)
        self.statements = [f"All = [{', '.join(self.names.values())}]", f"Shown = [{shown}]"]
        for variable, domain in self.model.domains.items():
            self.statements.append(f"{self.names[variable]} in {_set(map(self.number_of, domain))}")
        for constraint in self.model.constraints:
            first = len(self.statements)
            self.write(constraint)
            if constraint.label and first < len(self.statements):
                self.statements[first] = f"% {one_line(constraint.label)}\n    {self.statements[first]}"
        head, best = "puzzle(All, Shown)", ""
        if (objective := self.model.objective) and (worth := self.goal()):
            self.statements.append(f"Worth #= {worth.text}")
            option = "min" if objective.sense == "minimize" else "max"
            head, best = "puzzle(All, Shown, Worth)", BEST % option
        clause = f"{head} :-\n    " + ",\n    ".join(self.statements) + ".\n" + best
        symbols = [f"symbol({number}, {_atom(symbol)}).\n" for symbol, number in self.symbols.items()]
        return "\n".join([HEAD, clause, "".join(symbols) or "symbol(_, _) :- fail.\n", TAIL])

    def declare(self, name: str, least: int, greatest: int) -> None:
        self.statements.append(f"{name} in {_run((least, greatest))}")

    def call(self, operator: str, operands: Sequence[str]) -> str:
        match operator:
            case "and" | "or":
                sign = " #/\\ " if operator == "and" else " #\\/ "
                texts = operands if len(operands) == 1 else [*map(factor, operands)]
                return sign.join(texts) or ("0 #= 0" if operator == "and" else "0 #= 1")
            case "number":
                return self._variable(operands[0], "#<==>")
            case "//":
                return self._divide(*operands)[0]
            case "mod":
                return self._divide(*operands)[1]
            case "abs":
                return f"abs({operands[0]})"
            case "min" | "max":
                text = operands[0]
                for operand in operands[1:]:
                    text = f"{operator}({text}, {operand})"
                return text
        if operator in RELATIONS:
            return f"{operands[0]} {RELATIONS[operator]} {operands[1]}"
        return INFIX[operator].join(map(factor, operands))

    def member(self, text: str, numbers: Sequence[int]) -> str:
        return f"{self._name_text(text)} in {_set(numbers)}"

    def post(self, text: str, label: str) -> str:
        return text

    def native(self, constraint: Constraint) -> Phrase | None:
        match constraint:
            case AllDifferent() | Circuit() | Increasing():
                texts, conditions = self.expressions(constraint.elements)
                lists = f"[{', '.join(map(self._name_text, texts))}]"
                if isinstance(constraint, Increasing):
                    return Phrase(f"chain({lists}, #=<)", conditions)
                name = "circuit" if isinstance(constraint, Circuit) else "all_distinct"
                return Phrase(f"{name}({lists})", conditions)
        if isinstance(constraint, Table) and (rows := plain_rows(constraint, self.model)):
            lists = ", ".join(f"[{', '.join(str(self.number_of(value)) for value in row)}]" for row in rows)
            scope = f"[{', '.join(map(self.name, constraint.scope))}]"
            # Post the tuple twice: one tuple misses values that are removed meanwhile (seen in SWI-Prolog 9.0.4).
            return Phrase(f"tuples_in([{scope}, {scope}], [{lists}])")
        return None

    def _divide(self, dividend: str, divisor: str) -> tuple[str, str]:
        """Return the names of variables for a quotient, rounded down, and its remainder.

        The library's own ``div`` loses solutions if the divisor is negative (seen in SWI-Prolog 9.0.4).
        """
        divisor_name = self._name_text(divisor)
        key = f"{dividend} // {divisor_name}"
        if key not in self._pairs:
            quotient, remainder = self._pairs[key] = self.new_name(), self.new_name()
            definition = f"{quotient}*{divisor_name} + {remainder} #= {dividend}"
            self.statements += [
                definition,
                f"{remainder}*{divisor_name} #>= 0",
                f"abs({remainder}) #< abs({divisor_name})",
            ]
        return self._pairs[key]

    def _name_text(self, text: str) -> str:
        """Return the name of a variable that equals a formula; add the variable if necessary."""
        return text if re.fullmatch(r"[A-Z]\w*", text) else self._variable(text, "#=")

    def _variable(self, text: str, sign: str) -> str:
        """Return the name of the auxiliary variable for a formula; equal formulas share it."""
        key = sign + text
        if key not in self._defined:
            self._defined[key] = name = self.new_name()
            self.statements.append(f"{name} {sign} {text if sign == '#=' else factor(text)}")
        return self._defined[key]


def _set(numbers: Iterable[int]) -> str:
    """Return the text of numbers as a union of intervals."""
    return " \\/ ".join(map(_run, intervals(sorted(numbers))))


def _run(interval: tuple[int, int]) -> str:
    """Return the text of an interval; for a single number, only the number."""
    low, high = interval
    # ``..-`` would be another operator.
    return str(low) if low == high else f"{low}..{' ' if high < 0 else ''}{high}"


def _atom(text: str) -> str:
    """Return a text as a Prolog atom in quotes."""
    return "'" + one_line(text).replace("\\", "\\\\").replace("'", "\\'") + "'"

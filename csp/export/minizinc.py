"""MiniZinc."""

from __future__ import annotations

from collections.abc import Sequence

from ..constraints import AllDifferent, Constraint, Table
from ..model import Domain, Model, Variable
from .formulas import Formulas, factor
from .names import identifiers, one_line, plain_rows, runs

KEYWORDS = frozenset(
    "ann annotation any array bool case constraint default diff div else elseif endif enum false float function if in"
    " include int intersect let list maximize minimize mod not of op opt output par predicate record satisfy set solve"
    " floor_div floor_mod string subset superset symdiff symbol test then true tuple type union var where xor".split()
)
ROUNDED_DOWN = """\
% quotient and remainder rounded down; div and mod of MiniZinc round towards zero
function var int: floor_mod(var int: a, var int: b) = (a mod b + b) mod b;
function var int: floor_div(var int: a, var int: b) = (a - floor_mod(a, b)) div b;
"""


def minizinc(model: Model) -> str:
    """A model in MiniZinc.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str

    Examples
    --------
    >>> print(minizinc(Model({"A": (1, 2), "B": (1, 2, 5)}, [AllDifferent.of("AB", label="pair")])), end="")
    include "alldifferent.mzn";
    <BLANKLINE>
    var 1..2: A;
    var 1..2 union 5..5: B;
    <BLANKLINE>
    constraint :: "pair" all_different([A, B]);
    <BLANKLINE>
    solve satisfy;
    <BLANKLINE>
    output [
      "A = \\(A)\\n",
      "B = \\(B)\\n",
    ];
    """
    return _Writer(model).text()


class _Writer(Formulas):
    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.names = identifiers(model.domains, KEYWORDS)
        self.included: dict[str, None] = {}

    def text(self) -> str:
        constraints = [
            f"constraint{_annotation(constraint)} {text};"
            for constraint in self.model.constraints
            for text in self.posted(constraint)
        ]
        sections = [
            [f'include "{name}.mzn";' for name in self.included],
            [ROUNDED_DOWN.rstrip()] if any("floor_" in text for text in constraints) else [],
            self._symbols(),
            [f"var {self._domain(domain)}: {self.names[v]};{self._comment(v)}" for v, domain in self.model.domains.items()],
            constraints,
            ["solve satisfy;"],
            ["output [", *(f"  {self._shown(variable)}," for variable in self.model.shown), "];"],
        ]
        return "\n".join("".join(f"{line}\n" for line in section) for section in sections if section)

    def name(self, variable: Variable) -> str:
        return self.names[variable]

    def call(self, operator: str, operands: Sequence[str]) -> str:
        match operator:
            case "and" | "or":
                sign = " /\\ " if operator == "and" else " \\/ "
                return sign.join(operands if len(operands) == 1 else map(factor, operands)) or str(operator == "and").lower()
            case "*" | "div" | "rem":
                return {"*": "*", "div": " div ", "rem": " mod "}[operator].join(map(factor, operands))
            case "//" | "mod" | "number" | "abs":
                function = {"//": "floor_div", "mod": "floor_mod", "number": "bool2int", "abs": "abs"}[operator]
                return f"{function}({', '.join(operands)})"
            case "min" | "max":
                return f"{operator}([{', '.join(operands)}])"
        return f"{operands[0]} {operator} {operands[1]}"

    def member(self, text: str, numbers: Sequence[int]) -> str:
        return f"{factor(text)} in {_set(numbers)}"

    def post(self, text: str) -> str:
        return text

    def native(self, constraint: Constraint) -> str | None:
        if isinstance(constraint, AllDifferent):
            self.included["alldifferent"] = None
            return f"all_different([{', '.join(map(self.expression, constraint.elements))}])"
        if isinstance(constraint, Table) and (rows := plain_rows(constraint, self.model)):
            self.included["table"] = None
            cells = " | ".join(", ".join(str(self.number_of(value)) for value in row) for row in rows)
            return f"table([{', '.join(map(self.name, constraint.scope))}], [| {cells} |])"
        return None

    def _domain(self, domain: Domain) -> str:
        return _set([self.number_of(value) for value in domain])

    def _comment(self, variable: Variable) -> str:
        return f"  % {one_line(variable)}" if self.names[variable] != variable else ""

    def _symbols(self) -> list[str]:
        if not self.symbols:
            return []
        numbers = list(self.symbols.values())
        listed = ", ".join(map(_string, self.symbols))
        return [f"array[int] of string: symbol = array1d({numbers[0]}..{numbers[-1]}, [{listed}]);  % symbols are numbers"]

    def _shown(self, variable: Variable) -> str:
        name, domain = self.names[variable], self.model.domains[variable]
        if isinstance(domain[-1], int):
            text = name
        elif isinstance(domain[0], str):
            text = f"symbol[fix({name})]"
        else:
            first = next(iter(self.symbols.values()))
            text = f"if fix({name}) >= {first} then symbol[fix({name})] else show({name}) endif"
        return f'{_string(f"{variable} = ")[:-1]}\\({text})\\n"'


def _set(numbers: Sequence[int]) -> str:
    return " union ".join(f"{low}..{high}" for low, high in runs(sorted(numbers)))


def _annotation(constraint: Constraint) -> str:
    return f" :: {_string(constraint.label)}" if constraint.label else ""


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + " ".join(escaped.splitlines()) + '"'

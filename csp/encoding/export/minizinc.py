"""Export to MiniZinc."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base.notation import intervals, visible
from ...model import (
    Affine,
    AllDifferent,
    AllDifferentExcept,
    Circuit,
    Constraint,
    Domain,
    Increasing,
    Inverse,
    Model,
    Table,
    Variable,
)
from .formulas import Formulas, Phrase, factor
from .names import one_line, plain_rows

KEYWORDS = {
    "ann", "annotation", "any", "array", "bool", "case", "constraint", "default", "diff", "div", "else", "elseif",
    "endif", "enum", "false", "float", "floor_div", "floor_mod", "function", "if", "in", "include", "infinity",
    "int", "intersect", "let", "list", "maximize", "minimize", "mod", "not", "of", "op", "opt", "output", "par",
    "predicate", "record", "satisfy", "set", "show", "show_cond", "showcond", "solve", "string", "subset",
    "superset", "symbol", "symdiff", "test", "then", "true", "tuple", "type", "union", "var", "variant_record",
    "where", "xor", "zero_or_one",
}  # fmt: skip
ANNOTATIONS = {
    "add_to_output", "annotated_expression", "anti_first_fail", "array_check_form", "bounds", "bounds_propagation",
    "cache_result", "complete", "debug_mode", "dom_w_deg", "domain", "domain_change_constraint",
    "domain_propagation", "empty_annotation", "first_fail", "impact", "indomain", "indomain_interval",
    "indomain_max", "indomain_median", "indomain_middle", "indomain_min", "indomain_random",
    "indomain_reverse_split", "indomain_split", "indomain_split_random", "input_order", "is_defined_var",
    "is_reverse_map", "largest", "max_regret", "maybe_partial", "most_constrained", "no_cse", "no_output",
    "occurrence", "outdomain_max", "outdomain_median", "outdomain_min", "outdomain_random", "output_only",
    "output_var", "promise_total", "restart_none", "smallest", "value_propagation", "var_is_introduced",
}  # fmt: skip
ROUNDED_DOWN = """\
% quotient and remainder rounded down; div and mod of MiniZinc round towards zero
function var int: floor_mod(var int: a, var int: b) = (a mod b + b) mod b;
function var int: floor_div(var int: a, var int: b) = (a - floor_mod(a, b)) div b;
"""
ZERO_OR_ONE = """\
% what bool2int is; MiniZinc 2.6 half-reifies the condition of that, also where it must be reified
function var 0..1: zero_or_one(var bool: c) :: promise_total = let { var 0..1: b; constraint (b = 1) <-> c } in b;
"""


def write_minizinc(model: Model) -> str:
    """Return a model as text in the language MiniZinc.

    Examples
    --------
    >>> print(write_minizinc(Model({"A": (1, 2), "B": (1, 2, 5)}, [AllDifferent.of("AB", label="pair")])), end="")
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
    """A writer of one model in MiniZinc."""

    def __init__(self, model: Model) -> None:
        super().__init__(model, KEYWORDS | ANNOTATIONS)
        self.included: dict[str, None] = {}
        self.declared = [self._variable(variable, domain) for variable, domain in model.domains.items()]

    def text(self) -> str:
        """Return the text of the whole file."""
        for constraint in self.model.constraints:
            self.write(constraint)
        goal, objective = self.goal(), self.model.objective
        texts = (*self.statements, goal.text if goal else "")
        functions = {"floor_": ROUNDED_DOWN, "zero_or_one(": ZERO_OR_ONE}
        sections = [
            [f'include "{name}.mzn";' for name in self.included],
            [definition.rstrip() for name, definition in functions.items() if any(name in text for text in texts)],
            self._symbols(),
            self.declared,
            self.statements,
            [f"solve {objective.sense} {goal.text};" if objective and goal else "solve satisfy;"],
            [
                "output [",
                *(f"  {self._output_item(variable)}," for variable in self.model.shown),
                f"]{self._mention_hidden()};",
            ],
        ]
        return "\n".join("".join(f"{line}\n" for line in section) for section in sections if section)

    def declare(self, name: str, least: int, greatest: int) -> None:
        self.declared.append(f"var {least}..{greatest}: {name};")

    def call(self, operator: str, operands: Sequence[str]) -> str:
        match operator:
            case "and" | "or":
                sign, empty = (" /\\ ", "true") if operator == "and" else (" \\/ ", "false")
                return sign.join(operands if len(operands) == 1 else map(factor, operands)) or empty
            case "*" | "div" | "rem":
                return {"*": "*", "div": " div ", "rem": " mod "}[operator].join(map(factor, operands))
            case "//" | "mod" | "number" | "abs":
                function = {"//": "floor_div", "mod": "floor_mod", "number": "zero_or_one", "abs": "abs"}[operator]
                return f"{function}({', '.join(operands)})"
            case "min" | "max":
                return f"{operator}([{', '.join(operands)}])"
        return f"{operands[0]} {operator} {operands[1]}"

    def member(self, text: str, numbers: Sequence[int]) -> str:
        return f"{factor(text)} in {_set(numbers)}"

    def post(self, text: str, label: str) -> str:
        return f"constraint{_annotation(label)} {text};"

    def native(self, constraint: Constraint) -> Phrase | None:
        match constraint:
            case AllDifferent():
                return self._global("all_different", constraint, constraint.elements, file="alldifferent")
            case AllDifferentExcept(value=value):
                argument = f"{{{self.number_of(value)}}}"
                return self._global("alldifferent_except", constraint, constraint.elements, argument=argument)
            case Circuit():
                return self._global("circuit", constraint, constraint.elements)
            case Increasing():
                return self._global("increasing", constraint, constraint.elements)
            case Inverse():
                return self._global("inverse", constraint, constraint.left, constraint.right)
            case Table() if rows := plain_rows(constraint, self.model):
                cells = " | ".join(", ".join(str(self.number_of(value)) for value in row) for row in rows)
                variables = [*map(Affine.variable, constraint.scope)]
                return self._global("table", constraint, variables, argument=f"[| {cells} |]")
        return None

    def _global(
        self, name: str, constraint: Constraint, *lists: Sequence[Affine], argument: str = "", file: str = ""
    ) -> Phrase:
        """Return the statement of a global constraint on lists, as a ``Phrase``; include its file."""
        self.included[file or name] = None
        texts: list[str] = []
        conditions: tuple[str, ...] = ()
        for elements in lists:
            element_texts, element_conditions = self.expressions(elements)
            texts.append(f"[{', '.join(element_texts)}]")
            conditions += element_conditions
        text = f"{name}({', '.join([*texts, *([argument] if argument else [])])})"
        return Phrase(self.post(text, constraint.label), conditions)

    def _variable(self, variable: Variable, domain: Domain) -> str:
        """Return the line that declares a variable with its domain."""
        name = self.names[variable]
        comment = f"  % {one_line(variable)}" if name != variable else ""
        return f"var {_set(map(self.number_of, domain))}: {name};{comment}"

    def _symbols(self) -> list[str]:
        """Return the lines that declare the symbols."""
        if not self.symbols:
            return []
        numbers = list(self.symbols.values())
        names = ", ".join(map(_string, self.symbols))
        return [
            "% symbols are numbers",
            f"array[int] of string: symbol = array1d({numbers[0]}..{numbers[-1]}, [{names}]);",
        ]

    def _mention_hidden(self) -> str:
        """Return an output expression that names the hidden variables and prints nothing."""
        # MiniZinc 2.6 loses constraints on variables that no output names.
        shown = {*self.model.shown}
        hidden = [self.names[variable] for variable in self.model.domains if variable not in shown]
        return f' ++ ["" | hidden_ in [{", ".join(hidden)}] where fix(hidden_) = 0]' if hidden else ""

    def _output_item(self, variable: Variable) -> str:
        """Return the output expression that prints the name and the value of a variable."""
        name, domain = self.names[variable], self.model.domains[variable]
        title = _string(f"{variable} = ")
        if isinstance(domain[-1], int):
            return f'{title[:-1]}\\({name})\\n"'
        text = f"symbol[fix({name})]"
        if isinstance(domain[0], int):
            text = f"if fix({name}) in index_set(symbol) then {text} else show({name}) endif"
        return f'{title} ++ {text} ++ "\\n"'


def _set(numbers: Iterable[int]) -> str:
    """Return the text of numbers as a union of intervals."""
    return " union ".join(f"{low}..{high}" for low, high in intervals(sorted(numbers)))


def _annotation(label: str) -> str:
    """Return a label as the text of an annotation; empty without a label."""
    text = visible(label, keep="\n").replace('"', "'")  # readers of FlatZinc know no escaped quotes
    return f" :: {_string(text)}" if label else ""


def _string(text: str) -> str:
    """Return a text as a string literal in one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + " ".join(escaped.splitlines()) + '"'

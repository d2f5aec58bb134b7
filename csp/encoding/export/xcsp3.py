"""Export to XCSP3, restricted to the constraints of XCSP3-core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ...base.notation import intervals
from ...model import (
    Affine,
    AllDifferent,
    AllDifferentExcept,
    Circuit,
    Constraint,
    Domain,
    Increasing,
    Linear,
    Model,
    Table,
    Variable,
)
from .formulas import Formulas, NamedTerms, Phrase
from .names import one_line, plain_rows

FUNCTIONS = {
    "*": "mul", "div": "div", "rem": "mod", "abs": "abs", "min": "min", "max": "max", "and": "and", "or": "or",
    "=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}  # fmt: skip
OTHERS = {
    "E", "PI", "acos", "add", "asin", "atan", "card", "convex", "cos", "cosh", "diff", "dist", "djoint", "exp", "fdiv",
    "fmod", "hull", "if", "iff", "imp", "in", "inter", "ln", "log", "neg", "not", "nroot", "others", "pow", "sdiff",
    "set", "sin", "sinh", "sqr", "sqrt", "sub", "subseq", "subset", "supseq", "supset", "tan", "tanh", "union", "xor",
}  # fmt: skip


def write_xcsp3(model: Model) -> str:
    """Return a model as an XML document in XCSP3-core.

    Examples
    --------
    >>> print(write_xcsp3(Model({"A": (1, 2), "B": (1, 2, 5)}, [AllDifferent.of("AB", label="pair")])), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <instance format="XCSP3" type="CSP">
      <variables>
        <var id="A"> 1..2 </var>
        <var id="B"> 1..2 5 </var>
      </variables>
      <constraints>
        <allDifferent note="pair"> A B </allDifferent>
      </constraints>
    </instance>
    """
    return _Writer(model).text()


class _Writer(Formulas):
    """A writer of one model in XCSP3."""

    def __init__(self, model: Model) -> None:
        super().__init__(model, OTHERS.union(FUNCTIONS.values()))
        self.declared = [self._variable(variable, domain) for variable, domain in model.domains.items()]

    def text(self) -> str:
        """Return the text of the whole document."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>']
        lines += [f"<!-- {number} is {_comment(symbol)} -->" for symbol, number in self.symbols.items()]
        for constraint in self.model.constraints:
            self.write(constraint)
        goal, objective = self.goal(), self.model.objective
        lines += [f'<instance format="XCSP3" type="{"COP" if objective else "CSP"}">', "  <variables>"]
        lines += [f"    {line}" for line in self.declared]
        lines += ["  </variables>", "  <constraints>", *[f"    {line}" for line in self.statements], "  </constraints>"]
        if objective and goal:
            lines += ["  <objectives>", f"    {_element(objective.sense, goal.text, '')}", "  </objectives>"]
        return "\n".join([*lines, "</instance>", ""])

    def declare(self, name: str, least: int, greatest: int) -> None:
        self.declared.append(f'<var id="{name}"> {least}..{greatest} </var>')

    def call(self, operator: str, operands: Sequence[str]) -> str:
        match operator:
            case "number":
                return operands[0]  # a condition is a number in XCSP3
            case "and" | "or" if not operands:
                variable, domain = next(iter(self.model.domains.items()))
                least = min(map(self.number_of, domain))
                return f"{'ge' if operator == 'and' else 'lt'}({self.names[variable]},{least})"
            case "mod":  # here, as in Java, a remainder has the sign of the dividend
                return f"mod(add(mod({operands[0]},{operands[1]}),{operands[1]}),{operands[1]})"
            case "//":
                return f"div(sub({operands[0]},{self.call('mod', operands)}),{operands[1]})"
            case "and" | "or" | "min" | "max" | "*" if len(operands) == 1:
                return operands[0]
        return f"{FUNCTIONS[operator]}({','.join(operands)})"

    def total(self, terms: NamedTerms, constant: int) -> str:
        if [coefficient for coefficient, _ in terms] == [1, -1] and not constant:
            return f"sub({terms[0][1]},{terms[1][1]})"
        texts = [text if coefficient == 1 else f"mul({coefficient},{text})" for coefficient, text in terms]
        texts += [str(constant)] if constant else []
        return f"add({','.join(texts)})" if len(texts) > 1 else texts[0]

    def member(self, text: str, numbers: Sequence[int]) -> str:
        return f"in({text},set({','.join(map(str, numbers))}))"

    def least(self, name: str, texts: Sequence[str]) -> list[str]:  # ACE is several times faster than with min
        upper_bounds = [self.call("<=", [name, text]) for text in texts]
        return [*upper_bounds, self.call("or", [self.call("=", [name, text]) for text in texts])]

    def post(self, text: str, label: str) -> str:
        return _element("intension", text, label)

    def native(self, constraint: Constraint) -> Phrase | None:
        match constraint:
            case AllDifferent(elements=elements) if len(elements) > 1:
                texts, conditions = self.expressions(elements)
                return Phrase(_element("allDifferent", " ".join(texts), constraint.label), conditions)
            case AllDifferentExcept(value=value, elements=elements) if len(elements) > 1 and are_plain(elements):
                content = f"<list> {self._names(elements)} </list> <except> {self.number_of(value)} </except>"
                return Phrase(_element("allDifferent", content, constraint.label))
            case Increasing(elements=elements) if len(elements) > 1 and are_plain(elements):
                content = f"<list> {self._names(elements)} </list> <operator> le </operator>"
                return Phrase(_element("ordered", content, constraint.label))
            case Circuit(elements=elements) if len(elements) > 1 and are_plain(elements):
                # ACE counts places from 0, so place 0 is a new variable, and no place may follow itself.
                start = self.new_name()
                self.declare(start, 0, 0)
                differences = [f"ne({self._names([element])},{index})" for index, element in enumerate(elements, 1)]
                text = _element("circuit", f"{start} {self._names(elements)}", constraint.label)
                return Phrase(text, tuple(differences))
            case Linear(difference=difference) if len(difference.terms) > 1:
                names = " ".join(self.names[atom] for _, atom in difference.terms if isinstance(atom, Variable))
                numbers = [coefficient for coefficient, _ in difference.terms]
                factors = "" if set(numbers) == {1} else f"<coeffs> {' '.join(map(str, numbers))} </coeffs> "
                condition = f"({FUNCTIONS[constraint.relation]},{-difference.constant})"
                content = f"<list> {names} </list> {factors}<condition> {condition} </condition>"
                return Phrase(_element("sum", content, constraint.label))
            case Table() if len(constraint.scope) > 1 and (rows := plain_rows(constraint, self.model)):
                names = " ".join(map(self.name, constraint.scope))
                supports = "".join(f"({','.join(str(self.number_of(value)) for value in row)})" for row in rows)
                content = f"<list> {names} </list> <supports> {supports} </supports>"
                return Phrase(_element("extension", content, constraint.label))
        return None

    def _names(self, elements: Iterable[Affine]) -> str:
        """Return the texts of expressions, separated by spaces."""
        return " ".join([self.expression(element).text for element in elements])

    def _variable(self, variable: Variable, domain: Domain) -> str:
        """Return the XML element that declares a variable with its domain."""
        name = self.names[variable]
        numbers = sorted(map(self.number_of, domain))
        values = " ".join(str(low) if low == high else f"{low}..{high}" for low, high in intervals(numbers))
        return f'<var id="{name}"{_attribute("note", variable if name != variable else "")}> {values} </var>'


def are_plain(elements: Iterable[Affine]) -> bool:
    """Return whether all expressions are variables, and all of them are different."""
    element_list = [*elements]
    return all(element.is_variable for element in element_list) and len({*element_list}) == len(element_list)


def _element(tag: str, content: str, label: str) -> str:
    """Return an XML element with the label of the constraint as its note."""
    return f"<{tag}{_attribute('note', label)}> {content} </{tag}>"


def _attribute(name: str, text: str) -> str:
    """Return an XML attribute with a text as its value; empty for an empty text."""
    return f' {name}="{escape(one_line(text))}"' if text else ""


def _comment(text: str) -> str:
    """Escape a text for an XML comment, in one line without ``--``."""
    return escape(one_line(text)).replace("--", "- -")

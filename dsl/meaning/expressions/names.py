"""What the names of a spec mean, as far as that is known yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

from csp import Affine, Domain, Value, Variable

from ...text import syntax
from ...text.errors import IMPLICATION, Mistake, near, plural
from ...text.vocabulary import CONSTRAINTS, RESERVED
from .relations import Relation, Row

MAX_INSTANCES = 1_000_000
"""The most bindings of logical variables that a spec may make in all."""

UNSOLVED = "a body cannot depend on what is to be solved"
INDEX = "an index must be known beforehand"
NEEDED = "a number or a symbol is needed here"

Term = Value | Affine
Env = Mapping[str, Value]
Evaluate = Callable[[Env], Any]


class Names:
    """What the names of a spec mean, and how much of the budget of instances is left.

    Attributes
    ----------
    params : dict of str to value
    arities : dict of str to int
        The arity of every relation.
    relations : dict of str to Relation
        Those of them that are known yet.
    families : set of str
        The families of puzzle variables, plain ones included.
    variables : dict of (family, *indices) to Affine
        The declared puzzle variables.
    domains : dict of Variable to tuple
        Their domains.
    digits : set of str
        The grids in which capital letters are digits above nine.
    named : dict of str to list of syntax.Rule
        The clauses of every named constraint.
    expansions : int
        How often one has been written out.
    """

    def __init__(self) -> None:
        self.params: dict[str, Value] = {}
        self.arities: dict[str, int] = {}
        self.relations: dict[str, Relation] = {}
        self.families: set[str] = set()
        self.variables: dict[Row, Affine] = {}
        self.domains: dict[Variable, Domain] = {}
        self.digits: set[str] = set()
        self.named: dict[str, list[syntax.Rule]] = {}
        self.expansions = 0
        self._left = MAX_INSTANCES

    def spend(self, instances: int, at: syntax.Place) -> None:
        """Take from the budget, or say that the clause is too large."""
        self._left -= instances
        if self._left < 0:
            raise Mistake(f"this makes more than {MAX_INSTANCES:,} instances", at, "narrow its ranges")

    def relation(self, term: syntax.Expr) -> tuple[Relation, tuple[syntax.Argument, ...]]:
        """The relation that a term names, and the arguments."""
        if not isinstance(term, syntax.Call | syntax.Name):
            hint = f"write {term.name} in ..." if isinstance(term, syntax.Logical) else ""
            raise Mistake("a condition is a relation, a comparison or a membership", term.at, hint)
        name, arguments = term.name, syntax.arguments(term)
        at = term.at._replace(width=len(name))
        if name in self.families:
            raise Mistake(f"{name} is a puzzle variable: {UNSOLVED}", at, IMPLICATION)
        if name in RESERVED:
            what = "is a constraint and stands before :-" if name in CONSTRAINTS else "is a function, no condition"
            raise Mistake(f"{name} {what}", at)
        if name not in self.arities:
            raise Mistake(f"nothing says what {name} is", at, near(name, self.arities))
        if self.arities[name] != len(arguments):
            raise Mistake(f"{name} has {plural(self.arities[name], 'argument')}, not {len(arguments)}", at)
        if isinstance(term, syntax.Call) and term.body is not None:
            raise Mistake(f"{name} is a relation and takes no generators", at)
        if name not in self.relations:
            raise Mistake(f"{name} is not known yet: params are read before relations", at)
        return self.relations[name], arguments

    def undeclared(self, key: Row, node: syntax.Argument) -> NoReturn:
        """Say that there is no such puzzle variable, and which there are."""
        family, *index = key
        others = [known[1:] for known in self.variables if known[0] == family]
        if not others:
            raise Mistake(f"the declaration of {family} declares nothing: its generators are empty", node.at)
        same = [other for other in others if len(other) == len(index)]
        if not same:
            *few, most = sorted({len(other) for other in others})
            arities = " or ".join([*map(str, few), plural(most, "argument")])
            hint = "" if index else _all_of(family, most)
            raise Mistake(f"{family} has {arities}, not {len(index)}", node.at, hint)
        ranges = ", ".join(_span(column) for column in zip(*same, strict=True))
        variable = Variable(str(family), *index)
        alike = [Variable(str(family), *other) for other in same if [*map(type, other)] == [*map(type, index)]]
        hint = near(variable, alike) if any(isinstance(one, str) for one in index) else ""
        raise Mistake(f"{variable} is not declared: {family} has {ranges}", node.at, hint)


class Scope(NamedTuple):
    """Where an expression stands.

    Attributes
    ----------
    names : Names
    bound : collection of str
        The logical variables that have a value; any other uppercase word is a puzzle variable.
    refusal : str
        Why what stands here may not depend on puzzle variables; empty where it may.
    is_index : bool
        Whether it stands for an index.
    """

    names: Names
    bound: Collection[str] = ()
    refusal: str = ""
    is_index: bool = False


def indices(count: int) -> list[str]:
    """Names for so many indices, for an example.

    Examples
    --------
    >>> indices(2)
    ['I', 'J']
    """
    return [chr(ord("I") + i) for i in range(min(count, 9))]


def _all_of(family: Value, arity: int) -> str:
    """How all variables of a family are written."""
    words = indices(arity)
    return f"all of them are {family}({', '.join(words)}) : {', '.join(f'{word} in ...' for word in words)}"


def _span(values: Iterable[Value]) -> str:
    distinct = list(dict.fromkeys(values))
    numbers = sorted(value for value in distinct if isinstance(value, int))
    if len(numbers) == len(distinct) == numbers[-1] - numbers[0] + 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return f"{{{', '.join(map(str, distinct[:8]))}{', ...' if len(distinct) > 8 else ''}}}"

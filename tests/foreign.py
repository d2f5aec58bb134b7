"""Runners of other solvers, and evaluators of formats without a solver."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from importlib.util import find_spec
from itertools import islice, pairwise
from math import prod
from operator import itemgetter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import clingo
import pytest
from pysat.solvers import Glucose4

from csp import Model, Value, Variable
from csp.encoding.export.asp import constant, term
from csp.encoding.export.names import one_line

Solution = dict[str, Value]
MINOR = (
    clingo.MessageCode.AtomUndefined,  # no rule derives the atom
    clingo.MessageCode.GlobalVariable,  # as intended in a minimum of two numbers
    clingo.MessageCode.OperationUndefined,  # arithmetic of symbols is undefined
)
"""Messages of gringo that do not fail a test."""


def run(*command: str) -> str:
    """Run a program and return its output, or skip the test.

    The test is skipped if the program is not installed.
    """
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert "rror" not in result.stderr, result.stderr
    return result.stdout


def read_solutions(model: Model, text: str) -> list[Solution]:
    """Read solutions in lines ``name = value``, each closed by dashes."""
    names = {one_line(variable): variable for variable in model.domains}
    solutions = []
    for block in text.split("----------\n")[:-1]:
        pairs = [line.rpartition(" = ") for line in block.splitlines()]
        texts_of = {names[name]: text for name, _, text in pairs}
        solutions.append({v: {one_line(str(w)): w for w in model.domains[v]}[text] for v, text in texts_of.items()})
    return solutions


def minizinc(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """Yield the solutions of Gecode."""
    for number, (model, text) in enumerate(models):
        path = folder / f"{number}.mzn"
        path.write_text(text, encoding="utf-8")
        yield read_solutions(
            model, run("minizinc", "--solver", "gecode", *(["-n", str(limit)] if limit else ["-a"]), str(path))
        )


def swi_prolog(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """Yield the solutions of SWI-Prolog, which is started once."""
    paths = [folder / f"{number}.pl" for number in range(len(models))]
    for path, (_, text) in zip(paths, models, strict=True):
        path.write_text(text, encoding="utf-8")
    show = f"forall(limit({limit},(puzzle(A,S),labeling([ff],A))),(maplist(show,S),writeln(----------)))"
    goal = f"forall(member(F,{[p.name for p in paths]}),(load_files(F),{show if limit else 'solutions'},"
    answers = run("swipl", "-g", f"working_directory(_,'{folder}'),{goal}writeln(====),unload_file(F)))", "-t", "halt")
    texts = answers.split("====\n")[:-1]
    assert len(texts) == len(models)
    for (model, _), text in zip(models, texts, strict=True):
        yield read_solutions(model, text)


def dimacs(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """Yield the solutions of a SAT solver, decoded by the formula's comments.

    The solver returns all models of the formula; several of them can be the same solution.
    """
    for model, text in models:
        meaning, formula = literals(model, text), Formula(text)
        with Glucose4(bootstrap_with=[*formula.clauses, *([n, -n] for n in range(1, formula.size + 1))]) as solver:
            solver_models = [*islice(solver.enum_models(), limit or None)]
        yield [
            dict(meaning[literal] for literal in literals_of_model if literal in meaning)
            for literals_of_model in solver_models
        ]


def literals(model: Model, text: str) -> dict[int, tuple[Variable, Value]]:
    """Return the variable and value of each literal of a formula.

    The comments of the formula state them.
    """
    word = r'("(?:[^"\\]|\\.)*"|\S+)'
    names = {str(variable): variable for variable in model.domains}
    meaning = {}
    for name, value, literal in re.findall(rf"^c {word} {word} -> (\d+)$", text, re.MULTILINE):
        variable = names[json.loads(name) if name[0] == '"' else name]
        values = {str(value): value for value in model.domains[variable]}
        meaning[int(literal)] = (variable, values[json.loads(value) if value[0] == '"' else value])
    assert len(meaning) == sum(map(len, model.domains.values()))
    return meaning


def asp(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """Yield the solutions of clingo."""
    for model, text in models:
        pairs = [(variable, value) for variable, domain in model.domains.items() for value in domain]
        meaning = {f"value({term(variable)},{constant(value)})": (variable, value) for variable, value in pairs}
        notes: list[tuple[clingo.MessageCode, str]] = []
        control = clingo.Control([str(limit)], logger=lambda code, message, to=notes: to.append((code, message)))
        control.add("base", [], text)
        control.ground([("base", [])])
        with control.solve(yield_=True) as answers:
            answer_atoms = [[str(atom) for atom in answer.symbols(shown=True)] for answer in answers]
        assert all(code in MINOR for code, _ in notes), notes
        yield [dict(meaning[atom] for atom in atoms) for atoms in answer_atoms]


def ace(path: Path, limit: int) -> int:
    """Return the number of solutions that ACE finds, up to a limit.

    ACE is part of the package pycsp3.
    """
    package = find_spec("pycsp3")
    if not package or not package.origin:
        pytest.skip("pycsp3 is not installed")
    (jar,) = Path(package.origin).parent.glob("solvers/ace/ACE-*.jar")
    answer = run("java", "-jar", str(jar), str(path), f"-s={limit}", "-xe", "-riv=false")
    return answer.count("<instantiation")


class Formula:
    """A propositional formula with unit propagation and without search."""

    def __init__(self, text: str) -> None:
        lines = [line for line in text.splitlines() if not line.startswith("c ")]
        self.size, count = map(int, lines[0].split()[2:])
        self.clauses = [[int(word) for word in line.split()[:-1]] for line in lines[1:]]
        assert len(self.clauses) == count and all(line.endswith(" 0") for line in lines[1:])

    def count_fixed(self, true: Sequence[int]) -> int | None:
        """Return the number of fixed variables after unit propagation.

        The literals of ``true`` are assumed. The result is ``None`` after a conflict.
        """
        true_literals = set(true)
        is_changed = True
        while is_changed:
            is_changed = False
            for clause in self.clauses:
                if any(literal in true_literals for literal in clause):
                    continue
                unassigned = {literal for literal in clause if -literal not in true_literals}
                if not unassigned:
                    return None
                if len(unassigned) == 1:
                    true_literals |= unassigned
                    is_changed = True
        return len(true_literals)


class Instance:
    """An instance of XCSP3, restricted to the constructs that exports use.

    Auxiliary variables have exactly one value each once the variables of the model have values.
    """

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        assert root.tag == "instance" and root.attrib in [{"format": "XCSP3", "type": kind} for kind in ("CSP", "COP")]
        self.symbols = {symbol: int(number) for number, symbol in re.findall("<!-- ([0-9]+) is (.*) -->", text)}
        self.symbols = {unescape(symbol): number for symbol, number in self.symbols.items()}
        variables, constraints, *objectives = root
        self.names = {element.attrib.get("note", element.attrib["id"]): element.attrib["id"] for element in variables}
        self.domains = {element.attrib["id"]: list(numbers(element.text or "")) for element in variables}
        self.constraints = list(constraints)
        self.objective = objectives[0][0] if objectives else None
        self.auxiliary = [name for name in self.domains if re.fullmatch(r"also_\d+", name)]
        any_name = r"\b(?:" + "|".join(self.domains) + r")\b"
        self.names_in = [{*re.findall(any_name, " ".join(element.itertext()))} for element in self.constraints]

    def holds(self, solution: Mapping[str, Value]) -> bool:
        """Return whether all constraints hold for values of all variables."""
        values = self.as_numbers(solution)
        assert len(values) + len(self.auxiliary) == len(self.domains)
        assert all(value in self.domains[name] for name, value in values.items())
        count = sum(1 for _ in self.completions(values, {*values}, self.auxiliary))
        assert count <= 1
        return count == 1

    def worth(self, solution: Mapping[str, Value]) -> int:
        """Return the value of the objective, less is better."""
        assert self.objective is not None
        (values,) = self.completions(self.as_numbers(solution), {*self.as_numbers(solution)}, self.auxiliary)
        return evaluate(self.objective.text or "", values) * (1 if self.objective.tag == "minimize" else -1)

    def as_numbers(self, solution: Mapping[str, Value]) -> dict[str, int]:
        """Return an assignment by identifiers, with a number for each symbol."""
        named_values = {self.names[one_line(name)]: value for name, value in solution.items()}
        return {name: self.symbols[value] if isinstance(value, str) else value for name, value in named_values.items()}

    def completions(
        self, values: Mapping[str, int], new_names: set[str], remaining: Sequence[str]
    ) -> Iterator[Mapping[str, int]]:
        """Yield the assignments that extend some values and satisfy the constraints.

        A constraint is checked once all of its names have values.
        """
        for element, names in zip(self.constraints, self.names_in, strict=True):
            if names <= values.keys() and (names & new_names or not names) and not holds(element, values):
                return
        if not remaining:
            yield values
            return
        for value in self.domains[remaining[0]]:
            yield from self.completions({**values, remaining[0]: value}, {remaining[0]}, remaining[1:])


def numbers(text: str) -> Iterator[int]:
    """Yield the numbers of a domain."""
    for word in text.split():
        low, _, high = word.partition("..")
        yield from range(int(low), int(high or low) + 1)


def holds(element: ElementTree.Element, values: Mapping[str, int]) -> bool:
    """Return whether a constraint of XCSP3 holds."""
    match element.tag:
        case "intension":
            return bool(evaluate(element.text or "", values))
        case "allDifferent":
            texts = (element.findtext("list") or element.text or "").split()
            assert len(texts) > 1
            exceptions = (element.findtext("except") or "").split()
            operands = [value for text in texts if str(value := evaluate(text, values)) not in exceptions]
            return len(set(operands)) == len(operands)
        case "ordered":
            assert (element.findtext("operator") or "").split() == ["le"]
            operands = [values[name] for name in (element.findtext("list") or "").split()]
            return len(operands) > 1 and all(left <= right for left, right in pairwise(operands))
        case "circuit":
            successors = [values[name] for name in (element.text or "").split()]
            moved = [place for place, successor in enumerate(successors) if place != successor]
            path = [moved[0]] if moved else []
            while (
                path and successors[path[-1]] != path[0] and successors[path[-1]] in moved and len(path) <= len(moved)
            ):
                path.append(successors[path[-1]])
            return len(path) > 1 and sorted(path) == moved and successors[path[-1]] == path[0]
        case "sum":
            operands = [values[name] for name in (element.findtext("list") or "").split()]
            factors = [int(word) for word in (element.findtext("coeffs") or "1 " * len(operands)).split()]
            relation, bound = (element.findtext("condition") or "").strip(" ()").split(",")
            return bool(CALLS[relation](sum(a * b for a, b in zip(operands, factors, strict=True)), int(bound)))
        case "extension":
            names = (element.findtext("list") or "").split()
            assert len(set(names)) == len(names) > 1
            rows = re.findall(r"\(([^)]*)\)", element.findtext("supports") or "")
            return [values[name] for name in names] in [[int(word) for word in row.split(",")] for row in rows]
    raise AssertionError(element.tag)


def quotient(dividend: int, divisor: int) -> int:
    """Return the quotient rounded towards zero, as XCSP3 defines it."""
    return abs(dividend) // abs(divisor) * (1 if (dividend < 0) == (divisor < 0) else -1)


CALLS: dict[str, Callable[..., Any]] = {
    "add": lambda *values: sum(values), "sub": lambda left, right: left - right,
    "mul": lambda *values: prod(values), "div": quotient,
    "mod": lambda left, right: left - right * quotient(left, right), "abs": abs, "min": min, "max": max,
    "eq": lambda left, right: left == right, "ne": lambda left, right: left != right,
    "lt": lambda left, right: left < right, "le": lambda left, right: left <= right,
    "gt": lambda left, right: left > right, "ge": lambda left, right: left >= right,
    "and": lambda *values: all(values), "or": lambda *values: any(values),
    "in": lambda value, values: value in values, "set": lambda *values: values,
}  # fmt: skip


def evaluate(text: str, values: Mapping[str, int]) -> int:
    """Return the value of an expression of XCSP3."""
    return meaning(text)(values)


@cache
def meaning(text: str) -> Callable[[Mapping[str, int]], int]:
    """Compile an expression of XCSP3 to a function of the assignment.

    The result is cached, since every assignment evaluates the expression.
    """
    words = re.findall(r"\w+|-\d+|[(),]", text)
    assert "".join(words) == text.replace(" ", "")

    def read() -> Callable[[Mapping[str, int]], int]:
        word = words.pop(0)
        if not words or words[0] != "(":
            return (lambda values: int(word)) if re.fullmatch(r"-?\d+", word) else itemgetter(word)
        operands = []
        while words.pop(0) != ")":
            operands.append(read())
        assert len(operands) > 1 or word in ("abs", "set")
        call = CALLS[word]
        return lambda values: call(*[operand(values) for operand in operands])

    function = read()
    assert not words
    return function

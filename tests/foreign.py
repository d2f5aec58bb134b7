"""Other solvers: what they answer to an export, and evaluators for formats without one."""

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
from csp.encoding.export.ground import constant, term
from csp.encoding.export.names import one_line

Solution = dict[str, Value]
MINOR = (
    clingo.MessageCode.AtomUndefined,  # no rule can make it true
    clingo.MessageCode.GlobalVariable,  # as meant in the least of two numbers
    clingo.MessageCode.OperationUndefined,  # arithmetic of symbols, which has no value
)
"""What gringo may complain of."""


def run(*command: str) -> str:
    """What a program prints; the test is skipped where it is not installed."""
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert "rror" not in result.stderr, result.stderr
    return result.stdout


def told(model: Model, text: str) -> list[Solution]:
    """The solutions in lines ``name = value``, each of which ends in a line of dashes."""
    names = {one_line(variable): variable for variable in model.domains}
    found = []
    for block in text.split("----------\n")[:-1]:
        pairs = [line.rpartition(" = ") for line in block.splitlines()]
        own = {names[name]: text for name, _, text in pairs}
        found.append({v: {one_line(str(w)): w for w in model.domains[v]}[text] for v, text in own.items()})
    return found


def minizinc(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """What Gecode answers."""
    for number, (model, text) in enumerate(models):
        path = folder / f"{number}.mzn"
        path.write_text(text, encoding="utf-8")
        yield told(model, run("minizinc", "--solver", "gecode", *(["-n", str(limit)] if limit else ["-a"]), str(path)))


def swi_prolog(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """What SWI-Prolog answers, which is started once."""
    paths = [folder / f"{number}.pl" for number in range(len(models))]
    for path, (_, text) in zip(paths, models, strict=True):
        path.write_text(text, encoding="utf-8")
    show = f"forall(limit({limit},(puzzle(A,S),labeling([ff],A))),(maplist(show,S),writeln(----------)))"
    goal = f"forall(member(F,{[p.name for p in paths]}),(load_files(F),{show if limit else 'solutions'},"
    answers = run("swipl", "-g", f"working_directory(_,'{folder}'),{goal}writeln(====),unload_file(F)))", "-t", "halt")
    texts = answers.split("====\n")[:-1]
    assert len(texts) == len(models)
    for (model, _), text in zip(models, texts, strict=True):
        yield told(model, text)


def dimacs(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """What a SAT solver answers to a formula, read by the comments in it: all models, not only different solutions."""
    for model, text in models:
        meaning, formula = literals(model, text), Formula(text)
        with Glucose4(bootstrap_with=[*formula.clauses, *([n, -n] for n in range(1, formula.size + 1))]) as solver:
            found = [*islice(solver.enum_models(), limit or None)]
        yield [dict(meaning[literal] for literal in one if literal in meaning) for one in found]


def literals(model: Model, text: str) -> dict[int, tuple[Variable, Value]]:
    """What the literals of a formula mean, by its comments."""
    word = r'("(?:[^"\\]|\\.)*"|\S+)'
    names = {str(variable): variable for variable in model.domains}
    meaning = {}
    for name, value, literal in re.findall(rf"^c {word} {word} -> (\d+)$", text, re.MULTILINE):
        variable = names[json.loads(name) if name[0] == '"' else name]
        values = {str(own): own for own in model.domains[variable]}
        meaning[int(literal)] = (variable, values[json.loads(value) if value[0] == '"' else value])
    assert len(meaning) == sum(map(len, model.domains.values()))
    return meaning


def asp(models: Sequence[tuple[Model, str]], folder: Path, limit: int) -> Iterator[list[Solution]]:
    """What clingo answers."""
    for model, text in models:
        pairs = [(variable, value) for variable, domain in model.domains.items() for value in domain]
        meaning = {f"value({term(variable)},{constant(value)})": (variable, value) for variable, value in pairs}
        notes: list[tuple[clingo.MessageCode, str]] = []
        control = clingo.Control([str(limit)], logger=lambda code, message, to=notes: to.append((code, message)))
        control.add("base", [], text)
        control.ground([("base", [])])
        with control.solve(yield_=True) as answers:
            found = [[str(atom) for atom in answer.symbols(shown=True)] for answer in answers]
        assert all(code in MINOR for code, _ in notes), notes
        yield [dict(meaning[atom] for atom in one) for one in found]


def ace(path: Path, limit: int) -> int:
    """How many solutions ACE finds, up to a limit; it comes with pycsp3."""
    package = find_spec("pycsp3")
    if not package or not package.origin:
        pytest.skip("pycsp3 is not installed")
    (jar,) = Path(package.origin).parent.glob("solvers/ace/ACE-*.jar")
    answer = run("java", "-jar", str(jar), str(path), f"-s={limit}", "-xe", "-riv=false")
    return answer.count("<instantiation")


class Formula:
    """A propositional formula, in which values are propagated and nothing is searched."""

    def __init__(self, text: str) -> None:
        lines = [line for line in text.splitlines() if not line.startswith("c ")]
        self.size, count = map(int, lines[0].split()[2:])
        self.clauses = [[int(word) for word in line.split()[:-1]] for line in lines[1:]]
        assert len(self.clauses) == count and all(line.endswith(" 0") for line in lines[1:])

    def fixed(self, true: Sequence[int]) -> int | None:
        """How many variables are fixed once some literals are true; None after a contradiction."""
        known = set(true)
        changed = True
        while changed:
            changed = False
            for clause in self.clauses:
                if any(literal in known for literal in clause):
                    continue
                left = {literal for literal in clause if -literal not in known}
                if not left:
                    return None
                if len(left) == 1:
                    known |= left
                    changed = True
        return len(known)


class Instance:
    """An instance of XCSP3, with as much of the format as is written.

    Variables of its own have one value each wherever those of the model have theirs.
    """

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        assert root.tag == "instance" and root.attrib in [{"format": "XCSP3", "type": one} for one in ("CSP", "COP")]
        self.symbols = {symbol: int(number) for number, symbol in re.findall("<!-- ([0-9]+) is (.*) -->", text)}
        self.symbols = {unescape(symbol): number for symbol, number in self.symbols.items()}
        variables, constraints, *objectives = root
        self.names = {own.attrib.get("note", own.attrib["id"]): own.attrib["id"] for own in variables}
        self.domains = {own.attrib["id"]: list(numbers(own.text or "")) for own in variables}
        self.constraints = list(constraints)
        self.objective = objectives[0][0] if objectives else None
        self.own = [name for name in self.domains if re.fullmatch(r"also_\d+", name)]
        every = r"\b(?:" + "|".join(self.domains) + r")\b"
        self.about = [{*re.findall(every, " ".join(one.itertext()))} for one in self.constraints]

    def holds(self, solution: Mapping[str, Value]) -> bool:
        """Whether all constraints hold, for a value for every variable."""
        values = self.numbered(solution)
        assert len(values) + len(self.own) == len(self.domains)
        assert all(value in self.domains[name] for name, value in values.items())
        found = sum(1 for _ in self.completions(values, {*values}, self.own))
        assert found <= 1
        return found == 1

    def worth(self, solution: Mapping[str, Value]) -> int:
        """What the objective is worth, the less the better."""
        assert self.objective is not None
        (values,) = self.completions(self.numbered(solution), {*self.numbered(solution)}, self.own)
        return evaluate(self.objective.text or "", values) * (1 if self.objective.tag == "minimize" else -1)

    def numbered(self, solution: Mapping[str, Value]) -> dict[str, int]:
        own = {self.names[one_line(name)]: value for name, value in solution.items()}
        return {name: self.symbols[value] if isinstance(value, str) else value for name, value in own.items()}

    def completions(self, values: Mapping[str, int], new: set[str], left: Sequence[str]) -> Iterator[Mapping[str, int]]:
        """Values for all variables; a constraint is looked at as soon as all of its own have theirs."""
        for element, about in zip(self.constraints, self.about, strict=True):
            if about <= values.keys() and (about & new or not about) and not holds(element, values):
                return
        if not left:
            yield values
            return
        for value in self.domains[left[0]]:
            yield from self.completions({**values, left[0]: value}, {left[0]}, left[1:])


def numbers(text: str) -> Iterator[int]:
    """The numbers of a domain."""
    for word in text.split():
        low, _, high = word.partition("..")
        yield from range(int(low), int(high or low) + 1)


def holds(element: ElementTree.Element, values: Mapping[str, int]) -> bool:
    """Whether a constraint of XCSP3 holds."""
    match element.tag:
        case "intension":
            return bool(evaluate(element.text or "", values))
        case "allDifferent":
            texts = (element.findtext("list") or element.text or "").split()
            assert len(texts) > 1
            apart = (element.findtext("except") or "").split()
            own = [value for text in texts if str(value := evaluate(text, values)) not in apart]
            return len(set(own)) == len(own)
        case "ordered":
            assert (element.findtext("operator") or "").split() == ["le"]
            own = [values[name] for name in (element.findtext("list") or "").split()]
            return len(own) > 1 and all(one <= other for one, other in pairwise(own))
        case "circuit":
            after = [values[name] for name in (element.text or "").split()]
            away = [place for place, other in enumerate(after) if place != other]
            way = [away[0]] if away else []
            while way and after[way[-1]] != way[0] and after[way[-1]] in away and len(way) <= len(away):
                way.append(after[way[-1]])
            return len(way) > 1 and sorted(way) == away and after[way[-1]] == way[0]
        case "sum":
            own = [values[name] for name in (element.findtext("list") or "").split()]
            factors = [int(word) for word in (element.findtext("coeffs") or "1 " * len(own)).split()]
            relation, bound = (element.findtext("condition") or "").strip(" ()").split(",")
            return bool(CALLS[relation](sum(a * b for a, b in zip(own, factors, strict=True)), int(bound)))
        case "extension":
            names = (element.findtext("list") or "").split()
            assert len(set(names)) == len(names) > 1
            rows = re.findall(r"\(([^)]*)\)", element.findtext("supports") or "")
            return [values[name] for name in names] in [[int(word) for word in row.split(",")] for row in rows]
    raise AssertionError(element.tag)


def quotient(one: int, other: int) -> int:
    """The quotient rounded towards zero, as XCSP3 has it."""
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


CALLS: dict[str, Callable[..., Any]] = {
    "add": lambda *own: sum(own), "sub": lambda one, other: one - other, "mul": lambda *own: prod(own),
    "div": quotient, "mod": lambda one, other: one - other * quotient(one, other), "abs": abs, "min": min, "max": max,
    "eq": lambda one, other: one == other, "ne": lambda one, other: one != other,
    "lt": lambda one, other: one < other, "le": lambda one, other: one <= other,
    "gt": lambda one, other: one > other, "ge": lambda one, other: one >= other,
    "and": lambda *own: all(own), "or": lambda *own: any(own), "in": lambda one, own: one in own,
    "set": lambda *own: own,
}  # fmt: skip


def evaluate(text: str, values: Mapping[str, int]) -> int:
    """What an expression of XCSP3 is worth."""
    return meaning(text)(values)


@cache
def meaning(text: str) -> Callable[[Mapping[str, int]], int]:
    """An expression of XCSP3, read once: it is asked for under every assignment."""
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

    whole = read()
    assert not words
    return whole

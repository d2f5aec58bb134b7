"""Test that printed syntax reads back, and that clauses are replaced."""

from __future__ import annotations

import random

import pytest

from dsl.syntax import nodes
from dsl.syntax.edit import WIDTH, fill_lines, locate, replace
from dsl.syntax.errors import Source
from dsl.syntax.format import format_spec
from dsl.syntax.nodes import Place
from dsl.syntax.parse import parse
from dsl.syntax.write import write

from ..conftest import ROOT, TIMES
from .test_fuzz import TEXTS, mutant

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))
AT = Place(1, 1)
NAMES = ["a", "cell", "in_", "nothing"]
WORDS = ["A", "_", "_B", "R2"]


def read(text: str) -> tuple[nodes.Clause, ...]:
    clauses, diagnostics = parse(text)
    assert not diagnostics, text
    return clauses


class Trees:
    """A generator of random clauses, whatever they mean."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def expression(self, depth: int) -> nodes.Expr:
        rng = self.rng
        match rng.randrange(9 if depth else 4):
            case 0:
                return nodes.Constant(AT, rng.randrange(100))
            case 1:
                return nodes.Constant(AT, rng.choice(["Big Red", "don't", "in", "", "red", "mod"]))
            case 2:
                return nodes.Name(AT, rng.choice(NAMES))
            case 3:
                return nodes.Logical(AT, rng.choice(WORDS))
            case 4:
                return self.listing(depth)
            case 5:
                return self.call(depth)
            case 6 if rng.random() < 0.3:
                return nodes.Comprehension(AT, self.argument(depth - 1), self.body(depth - 1))
            case _:
                sides = self.expression(depth - 1), self.expression(depth - 1)
                return nodes.Operation(AT, rng.choice(["+", "-", "*", "//", "mod"]), *sides)

    def call(self, depth: int) -> nodes.Call:
        arguments = tuple(self.argument(depth - 1) for _ in range(self.rng.randint(1, 3)))
        body = self.body(depth - 1) if self.rng.random() < 0.4 else None
        return nodes.Call(AT, self.rng.choice(NAMES), arguments, body)

    def listing(self, depth: int) -> nodes.Listing:
        items = tuple(self.argument(depth - 1) for _ in range(self.rng.randrange(3)))
        return nodes.Listing(AT, items, self.body(depth - 1) if items and self.rng.random() < 0.4 else None)

    def argument(self, depth: int) -> nodes.Argument:
        if self.rng.random() < 0.5:
            return self.expression(depth)
        condition = self.condition(depth)
        return condition.term if isinstance(condition, nodes.Fact) else condition

    def comparison(self, depth: int) -> nodes.Comparison:
        relation = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
        return nodes.Comparison(AT, self.expression(depth), relation, self.expression(depth))

    def membership(self, depth: int, terms: int = 1) -> nodes.Declaration:
        parts: list[nodes.Range | nodes.Expr] = []
        for _ in range(self.rng.randint(0, 3)):
            low, high = self.expression(depth), self.expression(depth)
            parts.append(nodes.Range(AT, low, high) if self.rng.random() < 0.6 else low)
        return nodes.Declaration(AT, tuple(self.expression(depth) for _ in range(terms)), nodes.Union(AT, tuple(parts)))

    def fact(self, depth: int) -> nodes.Fact:
        return nodes.Fact(AT, self.expression(depth))

    def body(self, depth: int) -> tuple[nodes.Condition, ...]:
        return tuple(self.condition(depth) for _ in range(self.rng.randint(1, 3)))

    def condition(self, depth: int) -> nodes.Condition:
        if depth < 1 or self.rng.random() < 0.6:
            return self.rng.choice([self.comparison, self.membership, self.fact])(depth)
        parts = tuple(self.condition(depth - 1) for _ in range(self.rng.randint(2, 3)))
        match self.rng.randrange(5):
            case 0:
                return nodes.Conjunction(AT, parts)
            case 1:
                return nodes.Disjunction(AT, parts)
            case 2:
                return nodes.Implication(AT, *parts[:2])
            case 3:
                return nodes.Equivalence(AT, *parts[:2])
        return nodes.Negation(AT, parts[0])

    def clause(self) -> nodes.Clause:
        rng = self.rng
        match rng.randrange(8):
            case 0:
                return nodes.Param(AT, rng.choice(NAMES), self.expression(3))
            case 1:
                size = rng.choice([None, (self.expression(2), self.expression(2))])
                return nodes.Grid(AT, rng.choice(NAMES), rng.choice([None, "", '\n 1 ""\n . 2\n']), AT, size)
            case 2:
                names = [nodes.Name(AT, name) for name in rng.sample(NAMES + WORDS, 2)]
                place = nodes.Call(AT, rng.choice(NAMES), (self.expression(2), self.expression(2)))
                items = [nodes.Shown(AT, term, None) for term in names]
                items.append(nodes.Shown(AT, place, rng.choice([None, self.expression(3)])))
                return nodes.Show(AT, tuple(items), rng.choice([None, self.body(2)]))
        label = nodes.Constant(AT, rng.choice(["x {A}", '""', "{{"])) if rng.random() < 0.3 else None
        head = self.membership(2, 3) if rng.random() < 0.1 else self.condition(2)
        return nodes.Rule(AT, label, head, self.body(2) if rng.random() < 0.5 else ())


@pytest.mark.sampled
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_reads_back(path: object) -> None:
    clauses = read(path.read_text())  # type: ignore[attr-defined]
    assert read("\n".join(map(write, clauses))) == clauses


def test_mutated_texts_read_back() -> None:
    count = 0
    for text in [*TEXTS, *(mutant(random.Random(seed)) for seed in range(200 * TIMES))]:
        clauses, _ = parse(Source("", text).text)  # clauses beside an error are valid syntax
        assert read("\n".join(map(write, clauses))) == clauses
        count += len(clauses)
    assert count > 500 * TIMES


def test_random_trees_read_back() -> None:
    for seed in range(750 * TIMES):
        clause = Trees(seed).clause()
        assert read(write(clause)) == (clause,), write(clause)


def test_parentheses_are_printed_only_where_needed() -> None:
    for text in ("A - (B - C) - D = -E * (F + 1) mod 2", "-(A * B) = (-A) * B", "A // (B // C) = A // B // C"):
        assert write(*read(f"{text}.")) == f"{text.replace('(-A)', '-A')}."


def test_printed_clauses_are_already_formatted() -> None:
    texts = [write(clause) for path in EXAMPLES for clause in read(path.read_text())]
    texts += ["A in 0..n-1 \\/ 3..(a + b)*2.", "x(I + 1) in 1..f(a + b, -1)."]
    for text in dict.fromkeys(texts):
        assert write(*read(text)) == text
        if len(text) <= 120:
            assert format_spec(Source("", text)) == f"{text}\n"


def test_deep_and_long_expressions_read_back() -> None:
    for text in (f"A = {' + '.join(['B'] * 5000)}.", f"A = {'B // (' * 3000}1 + 2{')' * 3000}.", f"A = {'-' * 2000}B."):
        assert write(*read(text)) == text


def test_clauses_are_replaced_in_place() -> None:
    text = "param n = 1.   % n\n\nf(1). f(2).\n% of f\nf(3). A in {1,2}. % last"

    def change(clause: nodes.Clause) -> list[nodes.Clause] | None:
        match clause:
            case nodes.Param(at, name):
                return [nodes.Param(at, name, nodes.Constant(at, 2))]
            case nodes.Rule(_, _, nodes.Fact(_, nodes.Call(_, "f", (nodes.Constant(_, number),)))):
                return [clause, clause] if number == 1 else []
        return None

    after = "param n = 2.   % n\n\nf(1). f(1).\n% of f\n A in {1,2}. % last"
    assert replace(text, locate(text), change) == after
    assert [text[start:end] for _, start, end in locate(text)][-1] == "A in {1,2}."


def test_clauses_fill_their_lines() -> None:
    lines = fill_lines(f"total({number}, {number})." for number in range(100)).split("\n")
    assert all(WIDTH - 16 < len(line) <= WIDTH for line in lines[:-1]) and len(lines) > 5


def test_places_name_the_file_that_is_read() -> None:
    text = 'A in 1..2.\n"x {A + }": A = 1. B = = 2. grid g = "1".'
    for file in ("", "lines.csp"):
        clauses, diagnostics = parse(text, file)
        assert len(clauses) == 3 and len(diagnostics) == 1
        assert (
            {node.at.file for node in nodes.walk(clauses)} == {file} == {diagnostics[0].at and diagnostics[0].at.file}
        )
        assert isinstance(clauses[2], nodes.Grid) and clauses[2].text_at.file == file


def test_clauses_before_and_after_an_error_are_kept() -> None:
    clauses, diagnostics = parse("A in 1..2. B in. C = 3. D ! 4. E = 5\nF = 6. G = 99999999999999999999.")
    assert [write(clause) for clause in clauses] == ["A in 1..2.", "C = 3.", "F = 6."]
    assert [diagnostic.at and diagnostic.at.column for diagnostic in diagnostics] == [16, 27, 37, 12]

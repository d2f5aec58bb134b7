"""Tests of the parser: the places of nodes, plain facts, clauses parsed again, and the use of lark."""

from __future__ import annotations

import ast
import pickle
from itertools import product
from pathlib import Path
from typing import Any

import lark
import pytest

from dsl.syntax import nodes
from dsl.syntax.edit import locate
from dsl.syntax.nodes import Place
from dsl.syntax.parse import FOLDER, SHORT, build_language, clause_spans, language, parse, parse_expression, saved_for
from dsl.syntax.vocabulary import KEYWORDS

from ..conftest import ROOT, Limits
from .test_fuzz import TEXTS

GRAMMAR = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
EXAMPLES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").rglob("*.csp"))]


def places(node: Any) -> list[tuple[str, Place]]:
    """Return the kind and place of all nodes inside a node."""
    return [(type(part).__name__, part.at) for part in nodes.walk(node)]


# places


def test_the_place_of_each_expression_covers_its_text() -> None:
    expressions = nodes.Name | nodes.Logical | nodes.Call | nodes.Listing | nodes.Operation
    count = 0
    for text in [*EXAMPLES[::5], *TEXTS]:
        lines = text.split("\n")
        for clause in parse(text)[0]:
            for part in nodes.walk(clause):
                line = lines[part.at.line - 1]
                covered = line[part.at.column - 1 : part.at.column - 1 + part.at.width]
                is_on_one_line = part.at.column - 1 + part.at.width <= len(line)
                is_shown = isinstance(part, nodes.Name) and not part.name[0].islower()
                if isinstance(part, expressions) and is_on_one_line and not is_shown and covered not in KEYWORDS:
                    assert parse_expression(covered, part.at) == part, (text, part)
                    count += 1
    assert count > 2_000


def test_an_expression_in_a_label_has_its_place_in_the_text() -> None:
    inner = parse_expression("R + 1", Place(3, 7, 1, "lines.csp"))
    assert places(inner) == [
        ("Operation", Place(3, 7, 5, "lines.csp")),
        ("Logical", Place(3, 7, 1, "lines.csp")),
        ("Constant", Place(3, 11, 1, "lines.csp")),
    ]


def test_each_clause_extends_from_its_first_token_to_its_full_stop() -> None:
    for text in [*EXAMPLES, *TEXTS]:
        for clause, start, end in locate(text):
            assert text[end - 1] == "." and parse(text[start:end])[0] == (clause,)
    text = "% one. two.\nf('a.b''', \"c. \"\"d\"). A in 1..n.%. x\ng(1"
    assert [text[start:end] for start, end in clause_spans(text)] == ["f('a.b''', \"c. \"\"d\").", "A in 1..n.", "g(1"]


# facts and cached clauses


def test_plain_facts_are_parsed_as_other_clauses() -> None:
    """Compare facts with the same facts with a blank before the full stop, which are no plain facts."""
    values = ["7", "-12", "red", "in", "minimize", "'Big Red'", "'don''t'", "9" * 18, "9" * 19, "-0"]
    facts = [f"f({', '.join(pair)})" for pair in product(values, repeat=2)] + ["f(1,2,a)", "sum(1)"]
    for fact in facts:
        clauses, diagnostics = parse(f"\n {fact}.")
        expected_clauses, expected_diagnostics = parse(f"\n {fact} .")
        assert clauses == expected_clauses and diagnostics == expected_diagnostics
        assert list(map(places, clauses)) == list(map(places, expected_clauses)), fact


def test_only_changed_clauses_are_parsed_again() -> None:
    text = "A in 1..4.\nB in 1..A + 1.\nA != B."
    first, second = parse(text)[0], parse(text.replace("+ 1", "+ 22"))[0]
    assert first[0] is second[0] and first[1] != second[1] and first[2] is second[2]
    assert places(parse(f"\n{text}")[0][2])[0] == ("Rule", Place(4, 1, 6))
    assert places(parse(text, "b.csp")[0][2])[0] == ("Rule", Place(3, 1, 6, "b.csp"))


def test_clauses_that_an_edit_moves_are_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the clauses that lark parses after Enter at the top, and after a new first clause."""
    rule = '"row {R}":\n all_different(x(R, C) : C in 1..n)\n :- R in 1..n.'
    text = "\n".join(["", "", 'grid clue(2, 2) =\n "1\n.".', rule, "A != B. A != B.", *EXAMPLES[::10]])
    parse(text)
    parsed_texts: list[str] = []
    parse_clause = language().parse

    def parse_and_note(clause_text: str, start: str) -> Any:
        parsed_texts.append(clause_text)
        return parse_clause(clause_text, start=start)

    monkeypatch.setattr(language(), "parse", parse_and_note)
    for number, moved_text in enumerate([f"\n{text}", f"new < 7.\n{text}", text[2:], text]):
        # A file name that was not used before has nothing in the cache.
        expected = parse(moved_text, f"{number}.csp")[0]
        parsed_texts.clear()
        clauses = parse(moved_text)[0]
        assert [part for part in parsed_texts if len(part) <= SHORT] == ["new < 7."] * moved_text.startswith("new")
        assert [[at for _, at in places(clause)] for clause in clauses] == [
            [at._replace(file="") for _, at in places(clause)] for clause in expected
        ]
        assert [clause.text_at.line for clause in clauses if isinstance(clause, nodes.Grid)] == [
            clause.text_at.line for clause in expected if isinstance(clause, nodes.Grid)
        ]


# lark


def test_the_saved_parser_belongs_to_the_grammar(request: pytest.FixtureRequest) -> None:
    """Save the parser with ``--rewrite``."""
    path = FOLDER / "grammar.pickle"
    if request.config.getoption("--rewrite"):
        with open(path, "wb") as file:
            pickle.dump(saved_for(GRAMMAR), file)
            build_language(GRAMMAR).save(file)
    with open(path, "rb") as file:
        assert pickle.load(file).partition(", ")[2] == saved_for(GRAMMAR).partition(", ")[2]
    saved, built = language(), build_language(GRAMMAR)
    for text in EXAMPLES[::5]:
        for start, end in clause_spans(text):
            assert saved.parse(text[start:end], start="clause") == built.parse(text[start:end], start="clause")


def test_a_changed_grammar_is_not_parsed_with_the_saved_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    (tmp_path / "grammar.pickle").write_bytes((FOLDER / "grammar.pickle").read_bytes())
    (tmp_path / "grammar.lark").write_text(GRAMMAR.replace('"<="', '"=<"'), encoding="utf-8")
    limits("dsl.syntax.parse", FOLDER=tmp_path)
    assert language.__wrapped__().parse("A =< B.", start="clause")
    with pytest.raises(lark.UnexpectedInput):
        language().parse("A =< B.", start="clause")
    (tmp_path / "grammar.lark").write_text(GRAMMAR, encoding="utf-8")
    monkeypatch.setattr(lark, "__version__", "1.2.3")
    assert language.__wrapped__().parse("A <= B.", start="clause") == language().parse("A <= B.", start="clause")


def test_the_project_uses_public_names_of_lark_only() -> None:
    users = 0
    for path in [*(ROOT / "dsl").rglob("*.py"), *(ROOT / "csp").rglob("*.py")]:
        if "lark" not in (text := path.read_text(encoding="utf-8")):
            continue
        tree = ast.parse(text)
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        modules = [node.module for node in imports if isinstance(node, ast.ImportFrom) and not node.level]
        modules += [alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names]
        assert not [module for module in modules if module and module.startswith("lark.")], path
        for node in imports:
            if isinstance(node, ast.ImportFrom) and node.module == "lark" and not node.level:
                assert {alias.name for alias in node.names} <= {*lark.__all__}, path
        if "lark" in modules:
            users += 1
            attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
            private = [node.attr for node in attributes if node.attr.startswith("_") and node.attr[-2:] != "__"]
            # The private attributes in these files are those of ``self``, and of a named tuple's ``_replace``.
            assert not [
                node.attr
                for node in attributes
                if node.attr in private and node.attr != "_replace" and ast.unparse(node.value) != "self"
            ], path
    assert users >= 3

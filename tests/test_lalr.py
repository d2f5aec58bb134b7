"""Tests that the parser agrees with lark on nodes, places and errors."""

from __future__ import annotations

import random
from typing import Any

import pytest
from lark import Lark, Tree
from lark import exceptions as lark_exceptions
from lark.exceptions import UnexpectedInput

from dsl.syntax.nodes import Place
from dsl.syntax.parsing.lalr import NodeMaker, UnexpectedToken, parse_whole, read_clauses
from dsl.syntax.parsing.lexer import MANY, Text, Unexpected
from dsl.syntax.parsing.tables import tables

from .conftest import ROOT
from .test_fuzz import TEXTS, mutant


@pytest.fixture(scope="module")
def lark() -> Lark:
    grammar = "start: clause*\n" + (ROOT / "dsl/syntax/parsing/grammar.lark").read_text(encoding="utf-8")
    starts = ["start", "expr"]
    return Lark(grammar, parser="lalr", lexer="basic", start=starts, propagate_positions=True, maybe_placeholders=True)


def make_node(rule: str, at: Place, parts: list[Any]) -> Any:
    return rule, at if parts else None, parts


class NodeMakers(dict[str, NodeMaker]):
    def __missing__(self, rule: str) -> NodeMaker:
        return NodeMaker(lambda at, *parts: make_node(rule, at, [*parts]))


def parse_clauses(text: str) -> list[Any]:
    return list(read_clauses(Text(text), NodeMakers()))


def read_place(token: Any) -> Place:
    is_one_line = token.line == token.end_line
    return Place(token.line, token.column, token.end_column - token.column if is_one_line else MANY)


def convert_tree(tree: Any) -> Any:
    if not isinstance(tree, Tree):
        return tree
    at = read_place(tree.meta) if tree.children else None
    return make_node(str(tree.data), at, [convert_tree(child) for child in tree.children])  # type: ignore[arg-type]


def test_the_parser_and_lark_agree_on_random_texts(lark: Lark) -> None:
    texts = [*TEXTS, "", " % nothing", "A = ((B + 1)) * -(2)."]
    texts += [mutant(random.Random(seed)) for seed in range(150)]
    refused_count = 0
    for text in texts:
        try:
            expected = convert_tree(lark.parse(text, start="start"))
        except UnexpectedInput as error:
            refused_count += 1
            with pytest.raises(Unexpected) as caught:
                parse_clauses(text)
            if isinstance(error, lark_exceptions.UnexpectedToken):
                assert isinstance(caught.value, UnexpectedToken)
                token = caught.value.token
                assert (token, token.type) == (error.token, error.token.type)
                assert caught.value.accepts == error.accepts - {"$END"}
            else:
                assert caught.value.at == error.pos_in_stream  # type: ignore[attr-defined]
                assert not isinstance(caught.value, UnexpectedToken)
        else:
            assert parse_clauses(text) == expected[2], text
    assert 30 < refused_count < 150


def test_a_single_expression_is_parsed_to_the_end_of_the_text(lark: Lark) -> None:
    for text in ("A", "1 + f(x, [B]) * 2", "-(A)"):
        assert parse_whole(Text(text), NodeMakers()) == convert_tree(lark.parse(text, start="expr"))
    with pytest.raises(UnexpectedToken) as caught:
        parse_whole(Text("A B"), NodeMakers())
    assert (caught.value.token, caught.value.token.type, caught.value.at) == ("B", "VAR", 2)
    with pytest.raises(UnexpectedToken) as caught:
        parse_whole(Text("(A"), NodeMakers())
    assert caught.value.token.type == "$END" and {"RPAR", "PLUS"} <= caught.value.accepts


def test_tokens_and_their_places_equal_those_of_lark(lark: Lark) -> None:
    for text in TEXTS:
        expected = [(str(t), t.type, t.start_pos, t.end_pos, read_place(t)) for t in lark.lex(text)]
        tokens = [(str(t), t.type, t.start_pos, t.end_pos, t.at) for t in Text(text)]
        assert [token for token in tokens if token[1] not in tables().ignored] == expected

"""The parser finds what lark's own finds, in the same places."""

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


def nested(rule: str, at: Place, parts: list[Any]) -> Any:
    return rule, at if parts else None, parts


class Nested(dict[str, NodeMaker]):
    def __missing__(self, rule: str) -> NodeMaker:
        return NodeMaker(lambda at, *parts: nested(rule, at, [*parts]))


def clauses(text: str) -> list[Any]:
    return list(read_clauses(Text(text), Nested()))


def spot(theirs: Any) -> Place:
    is_one_line = theirs.line == theirs.end_line
    return Place(theirs.line, theirs.column, theirs.end_column - theirs.column if is_one_line else MANY)


def unfolded(tree: Any) -> Any:
    if not isinstance(tree, Tree):
        return tree
    at = spot(tree.meta) if tree.children else None
    return nested(str(tree.data), at, [unfolded(child) for child in tree.children])  # type: ignore[arg-type]


def test_the_same_as_lark(lark: Lark) -> None:
    texts = [*TEXTS, "", " % nothing", "A = ((B + 1)) * -(2)."]
    texts += [mutant(random.Random(seed)) for seed in range(150)]
    wrong = 0
    for text in texts:
        try:
            expected = unfolded(lark.parse(text, start="start"))
        except UnexpectedInput as error:
            wrong += 1
            with pytest.raises(Unexpected) as caught:
                clauses(text)
            if isinstance(error, lark_exceptions.UnexpectedToken):
                assert isinstance(caught.value, UnexpectedToken)
                other = caught.value.token
                assert (other, other.type) == (error.token, error.token.type)
                assert caught.value.accepts == error.accepts - {"$END"}
            else:
                assert caught.value.at == error.pos_in_stream  # type: ignore[attr-defined]
                assert not isinstance(caught.value, UnexpectedToken)
        else:
            assert clauses(text) == expected[2], text
    assert 30 < wrong < 150


def test_a_single_expression(lark: Lark) -> None:
    for text in ("A", "1 + f(x, [B]) * 2", "-(A)"):
        assert parse_whole(Text(text), Nested()) == unfolded(lark.parse(text, start="expr"))
    with pytest.raises(UnexpectedToken) as caught:
        parse_whole(Text("A B"), Nested())
    assert (caught.value.token, caught.value.token.type, caught.value.at) == ("B", "VAR", 2)
    with pytest.raises(UnexpectedToken) as caught:
        parse_whole(Text("(A"), Nested())
    assert caught.value.token.type == "$END" and {"RPAR", "PLUS"} <= caught.value.accepts


def test_tokens_are_those_of_lark_and_in_the_same_places(lark: Lark) -> None:
    for text in TEXTS:
        theirs = [(str(one), one.type, one.start_pos, one.end_pos, spot(one)) for one in lark.lex(text)]
        ours = [(str(one), one.type, one.start_pos, one.end_pos, one.at) for one in Text(text)]
        assert [one for one in ours if one[1] not in tables().ignored] == theirs

"""The parser finds what lark's own finds, in the same places."""

from __future__ import annotations

import random
from typing import Any

import pytest
from lark import Lark, Tree
from lark import exceptions as lark_exceptions
from lark.exceptions import UnexpectedInput

from dsl.language.syntax import Place
from dsl.language.text.lalr import Unexpected, UnexpectedToken, place, read, read_clauses, tokens

from .conftest import ROOT
from .test_fuzz import TEXTS, mutant


@pytest.fixture(scope="module")
def lark() -> Lark:
    grammar = "start: clause*\n" + (ROOT / "dsl/language/text/grammar.lark").read_text(encoding="utf-8")
    starts = ["start", "expr"]
    return Lark(grammar, parser="lalr", lexer="basic", start=starts, propagate_positions=True, maybe_placeholders=True)


def nested(rule: str, at: Place, parts: list[Any]) -> Any:
    return rule, at if parts else None, parts


def clauses(text: str) -> list[Any]:
    return list(read_clauses(tokens(text), nested))


def unfolded(tree: Any) -> Any:
    if not isinstance(tree, Tree):
        return tree
    at = place(tree.meta, tree.meta) if tree.children else None  # type: ignore[arg-type]
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
        assert read(tokens(text), "expr", nested) == unfolded(lark.parse(text, start="expr"))
    with pytest.raises(UnexpectedToken) as caught:
        read(tokens("A B"), "expr", nested)
    assert (caught.value.token, caught.value.token.type, caught.value.at) == ("B", "VAR", 2)
    with pytest.raises(UnexpectedToken) as caught:
        read(tokens("(A"), "expr", nested)
    assert caught.value.token.type == "$END" and {"RPAR", "PLUS"} <= caught.value.accepts


def test_tokens_are_those_of_lark_and_in_the_same_places(lark: Lark) -> None:
    parts = ("type", "start_pos", "end_pos", "line", "column", "end_line", "end_column")
    for text in TEXTS:
        theirs = [(str(token), *(getattr(token, part) for part in parts)) for token in lark.lex(text)]
        assert [(str(token), *(getattr(token, part) for part in parts)) for token in tokens(text)] == theirs

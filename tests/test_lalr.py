"""The parser finds what lark's own finds, in the same places."""

from __future__ import annotations

import random
from typing import Any

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from dsl.language.syntax import Place
from dsl.language.text.lalr import place, read, read_clauses, tokens

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
            with pytest.raises(type(error)) as caught:
                clauses(text)
            other: Any = caught.value
            if hasattr(error, "token"):
                assert other.token == error.token and other.token.type == error.token.type  # type: ignore[attr-defined]
                assert other.accepts == error.accepts - {"$END"}  # type: ignore[attr-defined]
                assert other.expected - {"$END"} == error.expected - {"$END"}  # type: ignore[attr-defined]
            else:
                assert other.pos_in_stream == error.pos_in_stream
        else:
            assert clauses(text) == expected[2], text
    assert 30 < wrong < 150


def test_a_single_expression(lark: Lark) -> None:
    for text in ("A", "1 + f(x, [B]) * 2", "-(A)"):
        assert read(tokens(text), "expr", nested) == unfolded(lark.parse(text, start="expr"))
    with pytest.raises(UnexpectedInput) as caught:
        read(tokens("A B"), "expr", nested)
    assert caught.value.token == Token("VAR", "B")  # type: ignore[attr-defined]

"""Tests that both highlighters see the tokens of the lexer."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from lark import Lark
from lark.lexer import PatternStr
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from dsl.editor.highlight import SpecLexer
from dsl.syntax import vocabulary
from dsl.syntax.errors import Source
from dsl.syntax.parse import tokens

from ..conftest import ROOT
from .test_fuzz import TEXTS

EDITOR = ROOT / "docs" / "editor"
GRAMMAR = ROOT / "dsl" / "syntax" / "grammar.lark"
KINDS: dict[str, tuple[Any, str]] = {  # for each terminal, the type for Pygments and the scopes for editors
    "COMMENT": (Comment.Single, "comment.line"),
    "WHITESPACE": (Whitespace, ""),
    "STRING": (String, "string.quoted.double constant.character.escape constant.other.placeholder"),
    "SYMBOL": (String.Symbol, "string.quoted.single"),
    "NAME": (Name, "support.function entity.name.function constant.other.name"),
    "VAR": (Name.Variable, "variable.other"),
    "INT": (Number.Integer, "constant.numeric"),
    "INCLUDE": (Keyword.Declaration, "keyword.declaration"),
    "PARAM": (Keyword.Declaration, "keyword.declaration"),
    "GRID": (Keyword.Declaration, "keyword.declaration"),
    "MINIMIZE": (Keyword.Declaration, "keyword.declaration"),
    "MAXIMIZE": (Keyword.Declaration, "keyword.declaration"),
    "DRAW": (Keyword.Declaration, "keyword.declaration"),
    "SHOW": (Keyword.Declaration, "keyword.declaration"),
    "IN": (Operator.Word, "keyword.operator.word"),
    "NOT": (Operator.Word, "keyword.operator.word"),
    "MOD": (Operator.Word, "keyword.operator.word"),
    "_END": (Punctuation, "punctuation"),
    **dict.fromkeys(
        ["LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE", "COMMA", "COLON"],
        (Punctuation, "punctuation"),
    ),
    **dict.fromkeys(
        ["IF", "DOTS", "UNION", "DIVIDE", "DIFFERENT", "ATMOST", "ATLEAST", "EQUAL", "LESSTHAN", "MORETHAN", "PLUS",
         "MINUS", "STAR", "SEMICOLON", "IMPLIES", "EQUIVALENT"],
        (Operator, "keyword.operator"),
    ),
}  # fmt: skip
MORE = [
    'p(in, not, mod, param, grid, show, input, nothing, model, gridlock, in_).\n"{A} ""x"" {{1}}"  : A = 1.\n',
    "A in {1..2, -3, 'it''s', 'x'} \\/ {n}. A <= 1 ; B >= 2 :- C != D, E < F, G > H, I // J = 2. % \"\n% 'x\n",
    "A = 1 -> B<-1 <-> C<->D :- not (A = 1, B = 2), [x(I) : I in 1..2] < [(I : I in 1..2), 1].\n",
    'grid g = "\n % {a} ""\n x".% b\nshow _A, b. param p = (1 + 2) * [a]. "a"  : b = 2. "a":-.\n',
]
ALL = [Source("", text).text for text in [*TEXTS, *MORE]]


def compute_scopes(text: str) -> list[str]:
    """Return the innermost scope of every character, as an editor computes it.

    An editor reads line by line and takes the earliest match.
    """
    grammar = json.loads((EDITOR / "alldifferent.tmLanguage.json").read_text(encoding="utf-8"))
    scopes: list[str] = []
    open_rule: dict[str, Any] = {}
    for line in text.splitlines(keepends=True):
        position = 0
        while position < len(line):
            rules = [(rule.get("match") or rule["begin"], rule) for rule in (open_rule or grammar)["patterns"]]
            if open_rule:
                rules.insert(0, (open_rule["end"], {}))
            matches = [(re.compile(regex).search(line.rstrip("\n"), position), rule) for regex, rule in rules]
            match, rule = min(matches, key=lambda pair: pair[0].start() if pair[0] else len(line))
            start, end = match.span() if match else (len(line), len(line))
            outer_scope = open_rule.get("name", "")
            scopes += [outer_scope] * (start - position) + [rule.get("name", outer_scope)] * (end - start)
            if match:
                open_rule = {} if not rule else rule if "begin" in rule else open_rule
            position = end
    return scopes


def read_terminals() -> dict[str, Any]:
    lark = Lark(GRAMMAR.read_text(encoding="utf-8"), start=["clause", "braced"])
    return {terminal.name: terminal.pattern for terminal in lark.terminals}


def test_every_terminal_has_a_token_type_and_a_scope() -> None:
    terminals = read_terminals()
    assert set(terminals) == set(KINDS)
    fixed = " ".join(pattern.value for pattern in terminals.values() if isinstance(pattern, PatternStr))
    assert {token.type for token in tokens(fixed)} >= {n for n, p in terminals.items() if isinstance(p, PatternStr)}
    check_pygments(fixed)
    check_scopes(fixed)


def check_pygments(text: str) -> None:
    """Check that Pygments gives each token a type of its kind."""
    kinds = [kind for kind, piece in SpecLexer(ensurenl=False, stripnl=False).get_tokens(text) for _ in piece]
    assert len(kinds) == len(text)
    for token in tokens(text):
        for kind in kinds[token.start_pos : token.end_pos]:
            assert kind in KINDS[token.type][0], (token, kind)


def check_scopes(text: str) -> None:
    """Check that editors give each token a scope of its kind."""
    scopes = compute_scopes(text)
    assert len(scopes) == len(text)
    for token in tokens(text):
        allowed = KINDS[token.type][1].split(" ")
        for character, scope in zip(token, scopes[token.start_pos : token.end_pos], strict=True):
            assert any(scope.startswith(prefix) for prefix in allowed), (token, scope)
            assert scope or character.isspace()


@pytest.mark.parametrize("text", ALL, ids=range(len(ALL)))
def test_highlighted_tokens_equal_those_of_the_lexer(text: str) -> None:
    check_pygments(text)
    check_scopes(text)


def test_highlighters_distinguish_fields_names_and_functions() -> None:
    text = '"row {R}, {{": all_different(cell(R, C) : C in 1..n).'
    kinds = dict((piece, kind) for kind, piece in SpecLexer().get_tokens(text))
    assert kinds["{R}"] is String.Interpol and kinds["{{"] is String.Escape and kinds["n"] is Name
    assert kinds["all_different"] is Name.Builtin and kinds["cell"] is Name.Function
    scope_at = dict(zip(text, compute_scopes(text), strict=True))
    assert compute_scopes(text)[5].startswith("constant.other.placeholder")
    assert compute_scopes(text)[text.index("all")].startswith("support.function")
    assert compute_scopes(text)[text.index("cell")].startswith("entity.name.function") and scope_at["n"].startswith(
        "constant"
    )


def test_the_grammar_has_the_keywords_of_the_language() -> None:
    terminals = read_terminals()
    words = {pattern.value for pattern in terminals.values() if re.fullmatch("[a-z]+", pattern.value)}
    assert words == {*vocabulary.KEYWORDS}
    lines = GRAMMAR.read_text(encoding="utf-8").splitlines()
    (arguments,) = [line for line in lines if line.startswith("!word:")]
    assert {*re.findall(r'"(\w+)"', arguments)} == {*vocabulary.KEYWORDS}
    patterns = {
        "NAME": vocabulary.NAME, "VAR": vocabulary.VARIABLE, "SYMBOL": vocabulary.SYMBOL, "INT": vocabulary.NUMBER,
        "STRING": vocabulary.TEXT, "_END": vocabulary.STOP, "COMMENT": vocabulary.COMMENT,
        "WHITESPACE": vocabulary.BLANK,
    }  # fmt: skip
    assert {f"{name}: /{pattern}/" for name, pattern in patterns.items()} <= {*lines}


def test_editors_have_the_keywords_of_the_language() -> None:
    grammar = json.loads((EDITOR / "alldifferent.tmLanguage.json").read_text(encoding="utf-8"))
    scopes = {rule["name"]: rule.get("match") for rule in grammar["patterns"]}
    for scope, words in (
        ("keyword.declaration", vocabulary.DECLARING),
        ("keyword.operator.word", vocabulary.OPERATING),
        ("support.function", sorted(vocabulary.RESERVED)),
    ):
        assert scopes[f"{scope}.alldifferent"] == rf"\b(?:{'|'.join(words)})\b"
    assert scopes["constant.other.name.alldifferent"] == rf"\b{vocabulary.NAME}"
    assert scopes["variable.other.alldifferent"] == rf"\b{vocabulary.VARIABLE}"
    assert scopes["constant.numeric.integer.alldifferent"] == vocabulary.NUMBER


def test_editors_find_their_files() -> None:
    package = json.loads((EDITOR / "package.json").read_text(encoding="utf-8"))["contributes"]
    assert (EDITOR / package["languages"][0]["configuration"]).exists()
    assert (EDITOR / package["grammars"][0]["path"]).exists()
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert points["pygments.lexers"] == {"csp": f"{SpecLexer.__module__}:{SpecLexer.__name__}"}


def test_an_unfinished_text_keeps_its_colours() -> None:
    pieces = list(SpecLexer().get_tokens('A in "x. B = 3.'))
    assert "".join(piece for _, piece in pieces) == 'A in "x. B = 3.\n' and (Number.Integer, "3") in pieces

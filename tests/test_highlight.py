"""Both highlighters see the tokens that the language's own lexer sees."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from lark import Lark
from lark.lexer import PatternStr
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from dsl.syntax import vocabulary
from dsl.syntax.errors import Source
from dsl.syntax.parsing.lexer import Text
from dsl.syntax.printing.highlight import SpecLexer

from .conftest import ROOT
from .test_fuzz import TEXTS

EDITOR = ROOT / "docs" / "editor"
GRAMMAR = ROOT / "dsl" / "syntax" / "parsing" / "grammar.lark"
KINDS: dict[str, tuple[Any, str]] = {  # of the terminals: the type for Pygments, and the scope for editors
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


def scopes(text: str) -> list[str]:
    """The innermost scope of every character, as an editor computes it: line by line, the earliest match first."""
    grammar = json.loads((EDITOR / "alldifferent.tmLanguage.json").read_text(encoding="utf-8"))
    found: list[str] = []
    inside: dict[str, Any] = {}
    for line in text.splitlines(keepends=True):
        at = 0
        while at < len(line):
            rules = [(rule.get("match") or rule["begin"], rule) for rule in (inside or grammar)["patterns"]]
            if inside:
                rules.insert(0, (inside["end"], {}))
            matches = [(re.compile(regex).search(line.rstrip("\n"), at), rule) for regex, rule in rules]
            match, rule = min(matches, key=lambda pair: pair[0].start() if pair[0] else len(line))
            start, end = match.span() if match else (len(line), len(line))
            outer = inside.get("name", "")
            found += [outer] * (start - at) + [rule.get("name", outer)] * (end - start)
            if match:
                inside = {} if not rule else rule if "begin" in rule else inside
            at = end
    return found


def terminals_of_the_grammar() -> dict[str, Any]:
    lark = Lark(GRAMMAR.read_text(encoding="utf-8"), start=["clause", "expr"])
    return {terminal.name: terminal.pattern for terminal in lark.terminals}


def test_every_terminal_has_a_kind() -> None:
    terminals = terminals_of_the_grammar()
    assert set(terminals) == set(KINDS)
    fixed = " ".join(pattern.value for pattern in terminals.values() if isinstance(pattern, PatternStr))
    assert {token.type for token in Text(fixed)} >= {n for n, p in terminals.items() if isinstance(p, PatternStr)}
    check_pygments(fixed)
    check_scopes(fixed)


def check_pygments(text: str) -> None:
    kinds = [kind for kind, piece in SpecLexer(ensurenl=False, stripnl=False).get_tokens(text) for _ in piece]
    assert len(kinds) == len(text)
    for token in Text(text):
        for kind in kinds[token.start_pos : token.end_pos]:
            assert kind in KINDS[token.type][0], (token, kind)


def check_scopes(text: str) -> None:
    found = scopes(text)
    assert len(found) == len(text)
    for token in Text(text):
        allowed = KINDS[token.type][1].split(" ")
        for character, scope in zip(token, found[token.start_pos : token.end_pos], strict=True):
            assert any(scope.startswith(prefix) for prefix in allowed), (token, scope)
            assert scope or character.isspace()


@pytest.mark.parametrize("text", ALL, ids=range(len(ALL)))
def test_tokens_are_those_of_the_language(text: str) -> None:
    check_pygments(text)
    check_scopes(text)


def test_what_the_highlighters_tell_apart() -> None:
    text = '"row {R}, {{": all_different(cell(R, C) : C in 1..n).'
    kinds = dict((piece, kind) for kind, piece in SpecLexer().get_tokens(text))
    assert kinds["{R}"] is String.Interpol and kinds["{{"] is String.Escape and kinds["n"] is Name
    assert kinds["all_different"] is Name.Builtin and kinds["cell"] is Name.Function
    found = dict(zip(text, scopes(text), strict=True))
    assert scopes(text)[5].startswith("constant.other.placeholder")
    assert scopes(text)[text.index("all")].startswith("support.function")
    assert scopes(text)[text.index("cell")].startswith("entity.name.function") and found["n"].startswith("constant")


def test_the_grammar_has_the_words_of_the_language() -> None:
    terminals = terminals_of_the_grammar()
    words = {pattern.value for pattern in terminals.values() if re.fullmatch("[a-z]+", pattern.value)}
    assert words == {*vocabulary.KEYWORDS}
    lines = GRAMMAR.read_text(encoding="utf-8").splitlines()
    (arguments,) = [line for line in lines if line.startswith("!word:")]
    assert {*re.findall(r'"(\w+)"', arguments)} == {*vocabulary.KEYWORDS}
    tokens = {
        "NAME": vocabulary.NAME, "VAR": vocabulary.VARIABLE, "SYMBOL": vocabulary.SYMBOL, "INT": vocabulary.NUMBER,
        "STRING": vocabulary.TEXT, "_END": vocabulary.STOP, "COMMENT": vocabulary.COMMENT,
        "WHITESPACE": vocabulary.BLANK,
    }  # fmt: skip
    assert {f"{name}: /{pattern}/" for name, pattern in tokens.items()} <= {*lines}


def test_editors_have_the_words_of_the_language() -> None:
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


def test_editors_find_what_they_need() -> None:
    package = json.loads((EDITOR / "package.json").read_text(encoding="utf-8"))["contributes"]
    assert (EDITOR / package["languages"][0]["configuration"]).exists()
    assert (EDITOR / package["grammars"][0]["path"]).exists()
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert points["pygments.lexers"] == {"csp": f"{SpecLexer.__module__}:{SpecLexer.__name__}"}


def test_an_unfinished_text_keeps_its_colours() -> None:
    pieces = list(SpecLexer().get_tokens('A in "x. B = 3.'))
    assert "".join(piece for _, piece in pieces) == 'A in "x. B = 3.\n' and (Number.Integer, "3") in pieces

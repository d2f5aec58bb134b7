"""Colours for specs: the lexer that Pygments, and with it Sphinx, Jupyter and rich, finds by the name ``csp``."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

FUNCTIONS = ("abs", "all_different", "count", "max", "min", "product", "sum")


class SpecLexer(RegexLexer):  # type: ignore[misc]
    """Specs of all-different puzzles.

    Examples
    --------
    >>> [text for kind, text in SpecLexer().get_tokens("A != 1.") if kind in Operator]
    ['!=']
    """

    name = "csp (alldifferent)"
    aliases: ClassVar = ["csp"]
    filenames: ClassVar = ["*.csp"]
    tokens: ClassVar = {
        "root": [
            (r"%[^\n]*", Comment.Single),
            (r"\s+", Whitespace),
            (r'"(?=[^"\n]*(?:""[^"\n]*)*"\s*:(?!-))', String.Double, "label"),
            (r'"[^"]*(?:""[^"]*)*"', String.Double),
            (r"'[^'\n]*(?:''[^'\n]*)*'", String.Symbol),
            (words(("param", "grid", "show"), suffix=r"\b"), Keyword.Declaration),
            (words(("in", "not", "mod"), suffix=r"\b"), Operator.Word),
            (words(FUNCTIONS, suffix=r"\b"), Name.Builtin),
            (r"[a-z][A-Za-z0-9_]*(?=\()", Name.Function),
            (r"[a-z][A-Za-z0-9_]*", Name),
            (r"[A-Z_][A-Za-z0-9_]*", Name.Variable),
            (r"[0-9]+", Number.Integer),
            (r":-|\.\.|\\/|//|!=|[<>]=?|[-+*=;]", Operator),
            (r"[()\[\]{},:.]", Punctuation),
        ],
        "label": [
            (r'""|\{\{|\}\}', String.Escape),
            (r'\{[^{}"\n]*\}', String.Interpol),
            (r'"', String.Double, "#pop"),
            (r'[^"{}]+|[{}]', String.Double),
        ],
    }

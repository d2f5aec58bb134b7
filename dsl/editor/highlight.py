"""Highlights specs: the Pygments lexer ``csp``, also for Sphinx, Jupyter and rich."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from ..syntax.vocabulary import COMMENT, DECLARING, NAME, NUMBER, OPERATING, RESERVED, SYMBOL, TEXT, VARIABLE


class SpecLexer(RegexLexer):  # type: ignore[misc]
    """A Pygments lexer for specs.

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
            (COMMENT, Comment.Single),
            (r"\s+", Whitespace),
            (r'"(?=[^"\n]*(?:""[^"\n]*)*"\s*:(?!-))', String.Double, "label"),
            (TEXT, String.Double),
            (SYMBOL, String.Symbol),
            (words(DECLARING, suffix=r"\b"), Keyword.Declaration),
            (words(OPERATING, suffix=r"\b"), Operator.Word),
            (words(sorted(RESERVED), suffix=r"\b"), Name.Builtin),
            (rf"{NAME}(?=\()", Name.Function),
            (NAME, Name),
            (VARIABLE, Name.Variable),
            (NUMBER, Number.Integer),
            (r":-|<?->|\.\.|\\/|//|!=|[<>]=?|[-+*=;]", Operator),
            (r"[()\[\]{},:.]", Punctuation),
        ],
        "label": [
            (r'""|\{\{|\}\}', String.Escape),
            (r'\{[^{}"\n]*\}', String.Interpol),
            (r'"', String.Double, "#pop"),
            (r'[^"{}]+|[{}]', String.Double),
        ],
    }

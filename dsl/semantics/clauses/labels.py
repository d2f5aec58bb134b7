"""Compiles labels of constraints: texts with expressions in braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ...syntax.parse import parse_expression
from ..expressions.compiler import Compiler
from ..expressions.names import Env, Names

BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
"""Matches a doubled brace, an expression in braces, or a brace without a partner."""

Chunk = str | nodes.Expr
"""A part of a label: literal text, or an expression."""


def parse_label(label: nodes.Constant | None) -> list[Chunk]:
    """Split a label into literal texts and the expressions between braces.

    ``{{`` and ``}}`` mean braces, and ``""`` means a quote.

    Raises
    ------
    Diagnostic
        With its place inside the label.
    """
    if label is None:
        return []
    text, end = str(label.value), 0
    parts: list[Chunk] = []
    # Each match ends a literal text, and adds an expression or a brace.
    for match in BRACES.finditer(text):
        parts.append(text[end : match.start()].replace('""', '"'))
        at = label.at._replace(column=label.at.column + 1 + match.start(), width=len(match[0]))
        if match[1] is not None:
            parts.append(_expression(match[1], at))
        elif len(match[0]) == 2:
            parts.append(match[0][0])
        else:
            raise Diagnostic(f"this {match[0]} has no partner", at, f"a brace itself is written {match[0] * 2}")
        end = match.end()
    return [*parts, text[end:].replace('""', '"')]


def _expression(text: str, at: nodes.Place) -> nodes.Expr:
    """Parse one expression between braces in a label."""
    if not text.strip():
        raise Diagnostic("there is nothing between the braces", at, "braces themselves are written {{ and }}")
    return parse_expression(text, at._replace(column=at.column + 1))


def compile_label(parts: Sequence[Chunk], names: Names, bound: Collection[str]) -> Callable[[Env], str]:
    """Compile a label to a function from an environment to the label's text."""
    if all(isinstance(part, str) for part in parts):
        text = "".join(map(str, parts))
        return lambda env: text
    refusal = "a label can say only what is known beforehand"
    form = "".join([part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts])
    expressions = [part for part in parts if not isinstance(part, str)]
    values_of = [Compiler(names).value(part, bound, refusal) for part in expressions]

    def text_of(env: Env) -> str:
        text = form % tuple([value_of(env) for value_of in values_of])
        names.spend_label(text, expressions[0].at)
        return text

    return text_of

"""Labels: text with expressions in braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ...syntax.parsing.parse import parse_expression
from ..expressions.compiler import Compiler
from ..expressions.names import Env, Names

BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")

Chunk = str | nodes.Expr


def parse_label(label: nodes.Constant | None) -> list[Chunk]:
    """The text and the expressions of a label; ``{{`` and ``}}`` are braces, and ``\"\"`` is a quote.

    Raises
    ------
    Mistake
        With its place inside the label.
    """
    if label is None:
        return []
    text, last = str(label.value), 0
    parts: list[Chunk] = []
    for found in BRACES.finditer(text):
        parts.append(text[last : found.start()].replace('""', '"'))
        at = label.at._replace(column=label.at.column + 1 + found.start(), width=len(found[0]))
        if found[1] is not None:
            parts.append(_expression(found[1], at))
        elif len(found[0]) == 2:
            parts.append(found[0][0])
        else:
            raise Diagnostic(f"this {found[0]} has no partner", at, f"a brace itself is written {found[0] * 2}")
        last = found.end()
    return [*parts, text[last:].replace('""', '"')]


def _expression(text: str, at: nodes.Place) -> nodes.Expr:
    if not text.strip():
        raise Diagnostic("there is nothing between the braces", at, "braces themselves are written {{ and }}")
    return parse_expression(text, at._replace(column=at.column + 1))


def compile_label(parts: Sequence[Chunk], names: Names, bound: Collection[str]) -> Callable[[Env], str]:
    """A function from the values of the bound variables to the text."""
    if all(isinstance(part, str) for part in parts):
        text = "".join(map(str, parts))
        return lambda env: text
    why = "a label can say only what is known beforehand"
    form = "".join([part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts])
    expressions = [part for part in parts if not isinstance(part, str)]
    values_of = [Compiler(names).value(part, bound, why) for part in expressions]

    def text_of(env: Env) -> str:
        text = form % tuple([value_of(env) for value_of in values_of])
        names.spend_label(text, expressions[0].at)
        return text

    return text_of

"""Labels: text with expressions in braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from . import syntax
from .errors import Mistake
from .expressions import Env, compile_expression, plain
from .ground import Names
from .parse import parse

BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def expressions(label: syntax.Constant) -> list[syntax.Expr]:
    """The expressions in the braces of a label."""
    return [_parse(found[1], label) for found in BRACES.finditer(str(label.value)) if found[1] is not None]


def compile_label(
    label: syntax.Constant | None, names: Names, bound: Collection[str]
) -> Callable[[Env], str]:
    """A function from the values of the bound variables to the text; ``{{`` and ``}}`` are braces."""
    if label is None:
        return lambda env: ""
    parts: list[str | Callable[[Env], str]] = []
    last = 0
    text = str(label.value)
    for found in BRACES.finditer(text):
        parts += [text[last : found.start()], found[0][0] if found[1] is None else _compile(found[1], label, names, bound)]
        last = found.end()
    parts.append(text[last:])
    return lambda env: "".join(part if isinstance(part, str) else part(env) for part in parts)


def _compile(text: str, label: syntax.Constant, names: Names, bound: Collection[str]) -> Callable[[Env], str]:
    node = _parse(text, label)
    evaluate = compile_expression(node, names, bound)
    return lambda env: str(plain(evaluate(env), node))


def _parse(text: str, label: syntax.Constant) -> syntax.Expr:
    try:
        return _moved(parse(text, start="expr"), label.at)
    except Mistake as mistake:
        raise Mistake(f"in the braces of the label: {mistake.message}", label.at) from None


def _moved(node: syntax.Expr, at: syntax.Place) -> syntax.Expr:
    """The expression, blamed on the label as a whole."""
    object.__setattr__(node, "at", at)
    return node

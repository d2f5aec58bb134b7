"""Why a comparison never holds, where that is because something in it is empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...text import syntax
from .names import Env
from .queries import Query


def of_nothing(node: syntax.Comparison, env: Env, query: Callable[[Sequence[syntax.Condition]], Query]) -> str:
    """What is the sum, product or count of nothing in a comparison, and why."""
    waiting: list[syntax.Argument] = [node.right, node.left]
    while waiting:
        match waiting.pop():
            case syntax.Operation(_, _, left, right):
                waiting += right, left
            case syntax.Call(_, name, _, body) if body is not None and not query(body).run(env):
                facts = [_written(one.term, env) for one in body if isinstance(one, syntax.Fact)]
                nothing = ", ".join(facts) if len(facts) == len(body) else "its generators"
                return f"the {name} is empty: nothing satisfies {nothing}"
    return ""


def _written(term: syntax.Argument, env: Env) -> str:
    """A tuple of a relation for a message, with the values that are known."""
    match term:
        case syntax.Call(_, name, arguments):
            return f"{name}({', '.join(_written(argument, env) for argument in arguments)})"
        case syntax.Logical(_, name):
            return str(env.get(name, name))
        case syntax.Name(_, word) | syntax.Constant(_, word):
            return str(word)
    return "..."

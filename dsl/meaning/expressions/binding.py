"""Which uppercase words of a clause its body binds, and which it leaves free."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ...text import syntax


def plain_names(terms: Iterable[syntax.Argument]) -> set[str]:
    """The uppercase words among the terms themselves."""
    return {term.name for term in terms if isinstance(term, syntax.Logical)} - {"_"}


def binders(body: Iterable[syntax.Condition] | None) -> set[str]:
    """The uppercase words that a body can bind."""
    found: set[str] = set()
    for literal in body or ():
        match literal:
            case syntax.Declaration(_, terms):
                found |= plain_names(terms)
            case syntax.Fact(_, syntax.Call(_, _, arguments)):
                found |= plain_names(arguments)
            case syntax.Comparison(_, left, "=", right):
                found |= plain_names([left, right])
    return found


def free_names(node: Any, outer: Collection[str] = ()) -> set[str]:
    """The uppercase words of a piece of syntax, without those that its own comprehensions bind.

    A comprehension binds no word of ``outer``: those have their values from outside.
    """
    found: set[str] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, syntax.Logical):
            found.add(part.name)
        elif isinstance(part, syntax.GENERATING) and part.body is not None:
            found |= free_names(tuple(syntax.inner(part)), outer) - binders(part.body).difference(outer)
        else:
            waiting += syntax.inner(part)
    return found - {"_"}


def all_names(node: Any) -> set[str]:
    """All uppercase words of a piece of syntax."""
    return {part.name for part in syntax.walk(node) if isinstance(part, syntax.Logical)}


def place_of_name(node: Any, name: str) -> syntax.Place | None:
    """Where a word first stands in a piece of syntax."""
    return next((part.at for part in syntax.walk(node) if getattr(part, "name", None) == name), None)

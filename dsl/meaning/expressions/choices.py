"""Conditions on puzzle variables among generators: they choose the elements of a sum and its like."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from csp import Constraint

from ...text import syntax
from ...text.errors import Mistake
from . import constraints
from .binding import binders, place_of_name
from .named import expand_all
from .names import Env, Evaluate, Names, Scope
from .queries import Query

Chosen = tuple[Constraint | bool, Callable[[], Any], syntax.Argument]
"""A condition, what gives the element that it chooses, and where that stands."""

Choices = Callable[[Env], Iterable[Chosen]]


class Choosing:
    """Compiles the elements of a function with the conditions that choose them.

    Parameters
    ----------
    scope : Scope
        Where the function stands.
    compile : function
        Compiles an element.
    held : function
        Compiles a condition.
    query : function
        Makes a body ready to run.
    """

    def __init__(
        self,
        scope: Scope,
        compile: Callable[[syntax.Argument, Scope], Evaluate],
        held: Callable[[syntax.Argument, Scope], Callable[[Env, Any], Constraint | bool]],
        query: Callable[[Sequence[syntax.Condition], Names, Collection[str]], Query],
    ) -> None:
        self._scope, self._compile, self._held, self._query = scope, compile, held, query

    def is_asked_for(self, node: syntax.Call) -> bool:
        """Whether there is such a condition.

        Raises
        ------
        Mistake
            If a body gives values to a puzzle variable, and does nothing with them.
        """
        nodes = [one for one in node.arguments if isinstance(one, syntax.Listing | syntax.Comprehension)]
        for one in (node, *nodes):
            self._check(one, one.body or ())
        bodies = [expand_all(one.body or (), self._scope.names) for one in (node, *nodes)]
        return any(self._is_open(literal, body) for body in bodies for literal in body)

    def _check(self, node: syntax.Node, body: Sequence[syntax.Condition]) -> None:
        given = [literal for literal in body if isinstance(literal, syntax.Declaration)]
        for name in sorted(binders(given).difference(self._scope.bound) & self._scope.names.families):
            if sum(getattr(part, "name", "") == name for part in syntax.walk(node)) == 1:
                hint = f"as a condition it is written sum({name}) in {{1, 3}}; a generator has another name"
                message = f"{name} is a puzzle variable, and this would give it values"
                raise Mistake(message, place_of_name(tuple(given), name), hint)

    def _is_open(self, node: syntax.Condition, body: Sequence[syntax.Condition]) -> bool:
        """Whether a condition is about puzzle variables."""
        families = self._scope.names.families
        equal = binders([literal for literal in body if isinstance(literal, syntax.Comparison)]) - families
        others = binders([literal for literal in body if not isinstance(literal, syntax.Comparison)])
        bound = {*equal, *others, *self._scope.bound}
        return any(
            part.name in families and not (isinstance(part, syntax.Logical) and part.name in bound)
            for part in syntax.walk(node)
            if isinstance(part, syntax.Logical | syntax.Name | syntax.Call)
        )

    def choices(self, items: Sequence[syntax.Argument], body: Sequence[syntax.Condition] | None) -> Choices:
        """The elements of a list, of arguments, or of a comprehension; each is evaluated only when it is asked for."""
        match items:
            case (syntax.Listing(_, inside, of),) if body is None:
                return self.choices(inside, of)
        bodies = [None] * len(items) if body is None else [None] * (len(items) - 1) + [body]
        some = [self._chosen(item, own) for item, own in zip(items, bodies, strict=True)]
        return lambda env: chain.from_iterable([one(env) for one in some])

    def _chosen(self, item: syntax.Argument, body: Sequence[syntax.Condition] | None) -> Choices:
        if isinstance(item, syntax.Comprehension) and body is None:
            return self._chosen(item.item, item.body)
        body = expand_all(body or (), self._scope.names)
        opened = [literal for literal in body if self._is_open(literal, body)]
        generators = [literal for literal in body if literal not in opened]
        generated = self._query(generators, self._scope.names, self._scope.bound)
        inner = self._scope._replace(bound=generated.bound)
        conditions = [self._held(literal, inner) for literal in opened]
        value = self._compile(item, inner)

        def choices(env: Env) -> Iterator[Chosen]:
            for found in generated.run(env):
                held = constraints.conjunction((one(found, {}) for one in conditions), {})
                yield held, partial(value, found), item

        return choices

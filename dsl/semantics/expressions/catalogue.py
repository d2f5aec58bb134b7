"""Compiles constraints whose arguments have a special form, such as several lists."""

from __future__ import annotations

from collections.abc import Callable

from csp import Affine, AllDifferentExcept, Connected, Constraint, Inverse, Runs, Value, counted

from ...syntax import nodes
from ...syntax.errors import Diagnostic, suggest_name
from .choices import Lists
from .constraints import Make, Tags, as_number, check_numbers, not_a_variable
from .names import NEEDED, Env, Evaluate, Scope


class Catalogue(Lists):
    """The compiler's base class for constraints whose arguments have a special form."""

    def compile_except(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``all_different_except(0, LIST)``."""
        if len(node.arguments) < 2:
            raise Diagnostic(f"{node.name} takes a value and a list", node.at, f"write {node.name}(0, [A, B, C])")
        names = self.names
        free_of = self.expression(node.arguments[0], scope._replace(refusal=NEEDED))
        members_of = self.elements(node.arguments[1:], node.body, scope, self.expression)

        def make(env: Env, tags: Tags) -> Constraint | bool:
            free, members = free_of(env), list(members_of(env))
            # Expressions are numeric, as they are compared.
            for member, at in members:
                if isinstance(member, Affine) and not member.is_variable:
                    check_numbers(member, at, names)
            # Separate expressions from values; a value other than the free one is an error.
            unfixed = [member for member, _ in members if isinstance(member, Affine)]
            known_values = [member for member, _ in members if not isinstance(member, Affine) and member != free]
            for value in known_values:
                if not all(isinstance(member, Affine) for member, _ in members):
                    raise not_a_variable(value, node, node)
            return AllDifferentExcept(free, tuple(unfixed), **tags) if unfixed else True

        return make

    def compile_inverse(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``inverse([A, B], [C, D])``."""
        hint = "each in brackets, inverse([x(I) : I in 1..n], [y(I) : I in 1..n])"
        lists = _two_lists(node, "two lists", hint)
        names = self.names
        sides_of = [self.elements(listing.items, listing.body, scope, self.expression, True, True) for listing in lists]

        def make(env: Env, tags: Tags) -> Constraint | bool:
            left, right = (
                tuple([as_number(member, at, names, "arithmetic") for member, at in side(env)]) for side in sides_of
            )
            if len(left) != len(right):
                raise Diagnostic(f"a list of {len(left)} and one of {len(right)} are not each other's inverse", node.at)
            inverse = Inverse(left, right, **tags)
            return inverse if inverse.scope else inverse.check({})

        return make

    def compile_runs(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``runs([A, B, C, D], [2, 1])``."""
        hint = "each in brackets, runs([x(I) : I in 1..n], [3, 1])"
        lists = _two_lists(node, "a list of cells and the list of the sums of their runs", hint)
        names = self.names

        def compile_known(node: nodes.Argument, inner: Scope) -> Evaluate:
            return self.expression(node, inner._replace(refusal=NEEDED))

        elements_of = self.elements(lists[0].items, lists[0].body, scope, self.expression, True, True)
        sums_of = self.elements(lists[1].items, lists[1].body, scope, compile_known, True, True)

        def make(env: Env, tags: Tags) -> Constraint | bool:
            elements, sums = (
                tuple([as_number(element, at, names, "arithmetic") for element, at in side(env)])
                for side in (elements_of, sums_of)
            )
            runs = Runs(elements, tuple([expression.constant for expression in sums]), **tags)
            return runs if runs.scope else runs.check({})

        return make

    def compile_connected(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``connected(touch, [R, C] : cell(R, C, _), black(R, C) = 0)``."""
        names = self.names
        hint = f"write {node.name}(touch, [R, C] : cell(R, C, _), black(R, C) = 0), with facts touch(1, 1, 1, 2)."
        if len(node.arguments) < 2:
            raise Diagnostic(f"{node.name} takes a relation of neighbours and places", node.at, hint)
        # The first argument names the relation of neighbours.
        relation = node.arguments[0]
        if not isinstance(relation, nodes.Name) or relation.name not in names.relations:
            word = getattr(relation, "name", "")
            raise Diagnostic(
                "a relation of neighbours is wanted here", relation.at, suggest_name(word, names.relations) or hint
            )

        def place(node: nodes.Argument, inner: Scope) -> Evaluate:
            return self.element(node, inner._replace(refusal=NEEDED))

        places_of = self.choices(node.arguments[1:], node.body, scope, place)
        arity = names.arities[relation.name]

        def make(env: Env, tags: Tags) -> Constraint | bool:
            # Collect the places with their conditions; the relation's rows join two places.
            places: dict[tuple[Value, ...], Constraint | None] = {}
            for condition, place_of, at in places_of(env):
                if condition is False:
                    continue
                elements = place_of()
                place = tuple([value for value, _ in elements]) if isinstance(elements, tuple) else (elements,)
                if 2 * len(place) != arity:
                    message = f"{relation.name} has {counted(arity, 'argument')}, and two places have {2 * len(place)}"
                    raise Diagnostic(message, at.at)
                if place in places:
                    raise Diagnostic(f"the place {', '.join(map(str, place))} stands twice", at.at)
                places[place] = condition if isinstance(condition, Constraint) else None
            connected = Connected(relation.name, tuple(places.items()), names.relations[relation.name].rows, **tags)
            return connected if connected.scope else connected.check({})

        return make


WORDS: dict[str, Callable[[Catalogue, nodes.Call, Scope], Make]] = {
    "all_different_except": Catalogue.compile_except,
    "connected": Catalogue.compile_connected,
    "inverse": Catalogue.compile_inverse,
    "runs": Catalogue.compile_runs,
}
"""The method that compiles each constraint of this module."""


def _two_lists(node: nodes.Call, expected: str, hint: str) -> list[nodes.Listing]:
    """Return the two arguments of a call, which must be lists."""
    lists = [argument for argument in node.arguments if isinstance(argument, nodes.Listing)]
    if len(lists) != len(node.arguments) or len(lists) != 2 or node.body is not None:
        raise Diagnostic(f"{node.name} takes {expected}", node.at, hint)
    return lists

"""Compiles expressions, conditions, lists and domains of a clause to Python functions.

Read it from `Compiler.expression` and `Compiler.condition`. The compiled functions calculate with `arithmetic.py`, and
make constraints with `constraints.py` and `lists.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

from csp import Affine, Constraint, Value

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, Falsehood, Suggestion, suggest_name
from ...syntax.habits import DECLARED, PAIR, SET
from ...syntax.vocabulary import CONSTRAINTS, FUNCTIONS, RESERVED
from . import arithmetic, constraints, lists
from .binding import all_names
from .bodies import Compilers, Query, costs_the_same, has_choices, has_puzzle_variables, write_facts
from .constraints import Make, Tags
from .named import expand, expand_all, report_use
from .names import NEEDED, UNSOLVED, ConditionalElement, DomainOf, Env, Evaluate, ListElement, Names, Row, Scope

TRUTH = "write count(A = 1), which is 1 if A = 1, and otherwise 0"
"""Suggestion for a condition in the place of a number."""

Body = Sequence[nodes.Condition] | None
"""The generators and conditions of a comprehension; None without a colon."""

Compile = Callable[[nodes.Argument, Scope], Evaluate]
"""A function that compiles a single element."""

ElementSource = Callable[[Env], Iterable[ListElement]]
"""A compiled list: a function from an environment to the elements."""

Choices = Callable[[Env], Iterable[ConditionalElement]]
"""A compiled list whose elements have conditions on puzzle variables."""


class Compiler:
    """A compiler from syntax to functions of an environment, the values of logical variables.

    Expressions, conditions, lists, bodies and domains contain each other, so one class compiles them all.

    Examples
    --------
    >>> at = nodes.Place(1, 1)
    >>> node = nodes.Operation(at, "+", nodes.Logical(at, "I"), nodes.Constant(at, 1))
    >>> Compiler(Names()).expression(node, Scope({"I"}))({"I": 2})
    3
    """

    def __init__(self, names: Names) -> None:
        self.names = names

    # Expressions

    def expression(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        """Compile an expression to a function from an environment to its value.

        A puzzle variable, or an expression with one, gives an ``Affine``; other expressions give numbers and symbols.
        """
        names, bound = self.names, scope.bound
        match node:
            case nodes.Constant(_, value):
                return lambda env: value
            case nodes.Logical(_, name) if name in bound:
                return lambda env: env[name]
            case nodes.Logical(at, "_"):
                hint = "for all variables of a family, write x(I) : I in 1..9" if scope.is_index else ""
                raise Diagnostic("misplaced-blank", "_ has no value: it matches any value", at, hint)
            case nodes.Logical(at, name):
                if name not in names.families:
                    names.refuse_word(name, scope, at)
                return self._compile_puzzle_variable(name, self.row((), scope), node, scope)
            case nodes.Name():
                return self._compile_name(node, scope)
            case nodes.Operation(_, "+" | "-"):
                return self._compile_sum(node, scope)
            case nodes.Operation():
                left, right = (self.expression(side, scope) for side in (node.left, node.right))
                return arithmetic.compile_product(left, right, node, names)
            case nodes.Call():
                return self._compile_call(node, scope)
            case nodes.Listing(at):
                raise Diagnostic("misplaced-list", "a list cannot be used here", at, PAIR)
            case nodes.Comprehension(at):
                raise Diagnostic("misplaced-generators", "generators can be used in a list only", at)
        raise Diagnostic("no-value", "a condition has no value", node.at, TRUTH)

    def value(self, node: nodes.Argument, bound: Collection[str] = (), refusal: str = NEEDED) -> Evaluate:
        """Compile an expression to a function that returns its value; refuse puzzle variables."""
        return self.expression(node, Scope(bound, refusal))

    def row(self, arguments: Sequence[nodes.Argument], scope: Scope) -> Callable[[Env], Row]:
        """Compile expressions to a function from an environment to the tuple of their values."""
        words = [node.name for node in arguments if isinstance(node, nodes.Logical) and node.name in scope.bound]
        # Several logical variables alone need no evaluation.
        if len(words) == len(arguments) > 1:
            return itemgetter(*words)
        parts = [self.expression(node, scope) for node in arguments]
        return lambda env: tuple([part(env) for part in parts])

    def query(self, body: Sequence[nodes.Condition], bound: Collection[str] = (), ordered: bool = False) -> Query:
        """Compile a body to a query; the logical variables in ``bound`` have values beforehand."""
        return Query(body, bound, Compilers(self.value, self.condition, self.domain), self.names, ordered)

    def instances(self, body: Sequence[nodes.Condition], used: Any) -> tuple[set[str], list[Env]]:
        """Ground a body: return the logical variables that it binds, and its environments.

        Of several environments with equal values for the variables in the syntax ``used``, only the first is returned.
        """
        if not body:
            return set(), [{}]
        query = self.query(body)
        words = sorted(query.bound & all_names(used))
        distinct: dict[Row, Env] = {}
        # Keep the first of all environments with equal values of the used variables.
        for env in query.run({}):
            distinct.setdefault(tuple([env[word] for word in words]), env)
        return query.bound, list(distinct.values())

    def _compile_name(self, node: nodes.Name, scope: Scope) -> Evaluate:
        """Compile a lowercase name: a param, a puzzle variable or a symbol; refuse others."""
        name, names = node.name, self.names
        if name in names.params:
            value = names.params[name]
            return lambda env: value
        if name in names.families:
            return self._compile_puzzle_variable(name, self.row((), scope), node, scope)
        if name in RESERVED:
            message = f"{name} is a word of the language and needs arguments"
            raise Diagnostic("reserved-word", message, node.at, f"write {name}(...)")
        if names.arities.get(name):
            hint = f"write {{X : {name}(X)}} for its values"
            raise Diagnostic("no-value", f"{name} is a relation and has no value", node.at, hint)
        return lambda env: name

    def _compile_puzzle_variable(
        self, family: str, row: Callable[[Env], Row], node: nodes.Argument, scope: Scope
    ) -> Evaluate:
        """Compile a term to a function from an environment to the puzzle variable it names.

        If an index contains puzzle variables, the function returns an expression that selects a variable.
        """
        names, refusal = self.names, scope.refusal
        if refusal:
            hint = IMPLICATION if refusal == UNSOLVED else ""
            raise Diagnostic("variable-in-body", f"{refusal} {family}", node.at, hint)
        variables = names.variables

        def variable(env: Env) -> Affine:
            key = (family, *row(env))
            known_variable = variables.get(key)
            if known_variable is not None:
                return known_variable
            if any([isinstance(part, Affine) for part in key]):
                return arithmetic.make_element(key, node, names)
            names.refuse_undeclared(key, node)

        return variable

    def _compile_sum(self, node: nodes.Operation, scope: Scope) -> Evaluate:
        """Compile a chain of additions and subtractions of any length."""
        terms: list[arithmetic.Summand[Evaluate]] = []
        left: nodes.Expr = node
        # Flatten the chain from the right; recursion would be too deep for long chains.
        while isinstance(left, nodes.Operation) and left.operator in ("+", "-"):
            sign = 1 if left.operator == "+" else -1
            terms.append((sign, self.expression(left.right, scope), left.right))
            left = left.left
        terms.append((1, self.expression(left, scope), left))
        return arithmetic.compile_sum(terms[::-1], node, self.names)

    def _compile_call(self, node: nodes.Call, scope: Scope) -> Evaluate:
        """Compile a term with arguments: a puzzle variable or a function; refuse other names."""
        name, names = node.name, self.names
        at = node.at._replace(width=len(name))
        if name in names.families:
            if node.body is not None:
                raise Diagnostic("misplaced-generators", f"{name} is a puzzle variable and has no generators", at)
            inner = scope._replace(is_index=True)
            return self._compile_puzzle_variable(name, self.row(node.arguments, inner), node, scope)
        if name in FUNCTIONS:
            return self._compile_function(node, scope)
        names.refuse_call(node)

    def _compile_function(self, node: nodes.Call, scope: Scope) -> Evaluate:
        """Compile a function of the language, such as ``sum`` or ``count``.

        If the body has conditions on puzzle variables, these select the elements while solving.
        """
        name, names = node.name, self.names
        counts = FUNCTIONS[name].conditions
        if counts and not node.arguments:
            hint = f"write {name}(cell(R, C) > 3 : C in 1..n)"
            raise Diagnostic("undefined-value", f"{name} has no elements", node.at, hint)
        compile = self._compile_counted if counts else self.expression
        if FUNCTIONS[name].chooses and has_choices(node, scope, names):
            # Conditions on puzzle variables select elements while solving.
            choices = self.choices(node.arguments, node.body, scope, compile)
            if counts:
                return lambda env: arithmetic.count_holding(
                    name, [constraints.conjunction((chosen, counted()), {}) for chosen, counted, _ in choices(env)]
                )
            return lambda env: arithmetic.apply_to_chosen(choices(env), node, names)
        # Otherwise all elements are known after grounding.
        elements = self.elements(node.arguments, node.body, scope, compile)
        if counts:
            return lambda env: arithmetic.count_holding(name, [condition for condition, _ in elements(env)])
        return lambda env: arithmetic.apply_function(list(elements(env)), node, names)

    def _compile_counted(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        """Compile a condition that is an element of a ``count``."""
        make = self.condition(node, scope)
        return lambda env: make(env, {})

    # Conditions

    def condition(self, node: nodes.Argument, scope: Scope, given: bool = False) -> Make:
        """Compile a condition to a function that returns a constraint or truth value.

        The function takes an environment and tags. It returns a truth value if no solving is needed.
        ``given`` means that the condition must hold, so that some false conditions are errors.
        """
        names = self.names
        match node:
            # Comparisons, memberships, and conditions made of others.
            case nodes.Comparison():
                return self._compile_comparison(node, scope, given)
            case nodes.Declaration():
                return self._compile_membership(node, scope)
            case nodes.Compound():
                return self._compile_compound(node, scope, given)
            case nodes.Fact(_, term):
                return self.condition(term, scope, given)
            # Constraints of the language, named constraints, and relations.
            case nodes.Call(_, "all_different_except"):
                return self._compile_except(node, scope)
            case nodes.Call(_, "inverse"):
                return self._compile_inverse(node, scope)
            case nodes.Call(_, "runs"):
                return self._compile_runs(node, scope)
            case nodes.Call(_, "connected"):
                return self._compile_connected(node, scope)
            case nodes.Call() if node.name in CONSTRAINTS:
                in_order = CONSTRAINTS[node.name].in_order
                elements = self.elements(node.arguments, node.body, scope, self.element, ordered=in_order)
                return lambda env, tags: lists.constrain_list(list(elements(env)), node, names, given, tags)
            case nodes.Call(_, name) if name in names.named:
                return self._compile_named(node, scope, given)
            case nodes.Call() | nodes.Name() if node.name not in {*RESERVED, *names.families, *names.params}:
                return self._compile_tuple(node, scope)
        raise Diagnostic("no-condition", "expected a condition", node.at, "write a comparison, such as cell(R, C) > 3")

    def _compile_comparison(self, node: nodes.Comparison, scope: Scope, given: bool) -> Make:
        """Compile a comparison of two expressions, or of two lists.

        If ``given``, the function refuses a comparison that is false without solving.
        """
        names = self.names
        if isinstance(node.left, nodes.Listing) or isinstance(node.right, nodes.Listing):
            return self._compile_lists(node, scope, given)
        left_of, right_of = self.expression(node.left, scope), self.expression(node.right, scope)

        def make(env: Env, tags: Tags) -> Constraint | bool:
            left, right = left_of(env), right_of(env)
            result = constraints.compare_terms(left, right, node, names, given, tags)
            if given and result is False:
                raise Falsehood(
                    "never-holds",
                    f"{left} {node.relation} {right} never holds",
                    node.at,
                    self._explain_empty(node, env, scope),
                )
            return result

        return make

    def _explain_empty(self, node: nodes.Comparison, env: Env, scope: Scope) -> str:
        """Return a hint if a compared function has no elements, else an empty text."""
        waiting: list[nodes.Argument] = [node.right, node.left]
        # Search both sides for a function whose generators have no environment.
        while waiting:
            match waiting.pop():
                case nodes.Operation(_, _, left, right):
                    waiting += right, left
                case nodes.Call(_, name, _, body) if body is not None and not self.query(body, scope.bound).run(env):
                    return f"the {name} is empty: nothing satisfies {write_facts(body, env) or 'its generators'}"
        return ""

    def _compile_lists(self, node: nodes.Comparison, scope: Scope, given: bool) -> Make:
        """Compile a comparison of two lists; refuse a list on one side only."""
        for side in (node.left, node.right):
            if not isinstance(side, nodes.Listing):
                hint = "write both lists in brackets, [A, B] < [C, D]"
                raise Diagnostic("misplaced-list", "expected a list, as on the other side", side.at, hint)
        left_of, right_of = self.element(node.left, scope), self.element(node.right, scope)
        return lambda env, tags: lists.compare_lists(left_of(env), right_of(env), node, self.names, given, tags)

    def _compile_membership(self, node: nodes.Declaration, scope: Scope) -> Make:
        """Compile the condition that the value of an expression is in a domain."""
        if len(node.terms) > 1:
            hint = "write a condition for each"
            raise Diagnostic("misplaced-list", "expected one expression before in", node.at, hint)
        (term,), names = node.terms, self.names
        if isinstance(term, nodes.Listing):
            return self._compile_rows(node, term, scope)
        value_of = self.expression(term, scope)
        values_of = self.domain(node.domain, scope.bound, names.limits.domain)

        def make(env: Env, tags: Tags) -> Constraint | bool:
            value, values = value_of(env), values_of(env)
            names.spend(len(values), node.at)
            return constraints.make_member(value, values, term, names, tags)

        return make

    def _compile_rows(self, node: nodes.Declaration, term: nodes.Listing, scope: Scope) -> Make:
        """Compile the condition that a list is one of a domain's parts, all lists."""
        columns_of, known_scope = self.element(term, scope), scope._replace(refusal=NEEDED)
        rows_of: list[tuple[Evaluate, nodes.Listing]] = []
        for part in node.domain.parts:
            if not isinstance(part, nodes.Listing):
                hint = "write [A, B] in {[1, 2], [2, 3]}; several variables are declared without brackets, A, B in 1..3"
                raise Diagnostic("misplaced-list", "expected a list of values", part.at, hint)
            rows_of.append((self.element(part, known_scope), part))

        def make(env: Env, tags: Tags) -> Constraint | bool:
            rows = [(tuple([value for value, _ in row(env)]), part) for row, part in rows_of]
            self.names.spend(len(rows), node.at)
            return lists.make_list_member(columns_of(env), rows, term, self.names, tags)

        return make

    def _compile_named(self, node: nodes.Call, scope: Scope, given: bool) -> Make:
        """Compile a use of a named constraint by compiling its definition in its place."""
        with report_use(node):
            make = self.condition(expand(node, self.names), scope, given)

        def make_reported(env: Env, tags: Tags) -> Constraint | bool:
            with report_use(node):
                return make(env, tags)

        return make_reported

    def _compile_tuple(self, node: nodes.Call | nodes.Name, scope: Scope) -> Make:
        """Compile the condition that a term's arguments are a row of its relation."""
        relation, arguments = self.names.relation(node)
        columns = [self.expression(argument, scope) for argument in arguments]

        def make(env: Env, tags: Tags) -> Constraint | bool:
            row = [(column(env), argument) for column, argument in zip(columns, arguments, strict=True)]
            return constraints.make_table(node.name, relation, row, self.names, tags)

        return make

    def _compile_compound(self, node: nodes.Compound, scope: Scope, given: bool) -> Make:
        """Compile a conjunction, disjunction, implication, equivalence or negation.

        The conditions inside are evaluated from left to right, until one of them decides the result.
        """
        match node:
            case nodes.Conjunction(_, parts):
                makers = [self.condition(part, scope, given) for part in parts]
                return lambda env, tags: constraints.conjunction((make(env, {}) for make in makers), tags)
            case nodes.Negation(_, condition):
                inner = self.condition(condition, scope)
                return lambda env, tags: constraints.negation(inner(env, {}), tags)
            case nodes.Equivalence(_, left, right):
                left_holds, right_holds = self.condition(left, scope), self.condition(right, scope)
                return lambda env, tags: constraints.equivalence(left_holds(env, {}), right_holds(env, {}), tags)
            case nodes.Implication(at, condition, consequence):
                parts = (nodes.Negation(at, condition), consequence)
            case nodes.Disjunction(_, parts):
                pass
        # An implication is a disjunction; its premise is negated.
        alternatives = [self.condition(part, scope) for part in parts]

        def make(env: Env, tags: Tags) -> Constraint | bool:
            result = constraints.either((alternative(env, {}) for alternative in alternatives), tags)
            if given and result is False:
                all_declarations = all(isinstance(part, nodes.Declaration) for part in parts)
                raise Falsehood("never-holds", "none of these can hold", node.at, DECLARED if all_declarations else "")
            return result

        return make

    def _compile_except(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``all_different_except(0, LIST)`` to a maker of its constraint."""
        if len(node.arguments) < 2:
            hint = f"write {node.name}(0, [A, B, C])"
            raise Diagnostic("wrong-arguments", f"{node.name} needs a value and a list", node.at, hint)
        free_of = self.expression(node.arguments[0], scope._replace(refusal=NEEDED))
        members_of = self.elements(node.arguments[1:], node.body, scope, self.expression)
        return lambda env, tags: lists.constrain_except(free_of(env), list(members_of(env)), node, self.names, tags)

    def _compile_inverse(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``inverse([A, B], [C, D])`` to a maker of its constraint."""
        hint = "each in brackets, inverse([x(I) : I in 1..n], [y(I) : I in 1..n])"
        sides_of = [self._compile_listing(listing, scope) for listing in lists.two_lists(node, "two lists", hint)]
        return lambda env, tags: lists.constrain_inverse((side(env) for side in sides_of), node, self.names, tags)

    def _compile_runs(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``runs([A, B, C, D], [2, 1])`` to a maker of its constraint."""
        hint = "each in brackets, runs([x(I) : I in 1..n], [3, 1])"
        cells, sums = lists.two_lists(node, "a list of cells and the list of the sums of their runs", hint)
        sides_of = self._compile_listing(cells, scope), self._compile_listing(sums, scope._replace(refusal=NEEDED))
        return lambda env, tags: lists.constrain_runs((side(env) for side in sides_of), self.names, tags)

    def _compile_listing(self, node: nodes.Listing, scope: Scope) -> ElementSource:
        """Compile a list of expressions in brackets to a function that returns its elements."""
        return self.elements(node.items, node.body, scope, self.expression, is_list=True, ordered=True)

    def _compile_connected(self, node: nodes.Call, scope: Scope) -> Make:
        """Compile ``connected(RELATION, PLACES)`` to a maker of its constraint."""
        names = self.names
        hint = f"write {node.name}(touch, [R, C] : cell(R, C, _), black(R, C) = 0), with facts touch(1, 1, 1, 2)."
        if len(node.arguments) < 2:
            message = f"{node.name} needs a relation of neighbours and a list of places"
            raise Diagnostic("wrong-arguments", message, node.at, hint)
        # The first argument names the relation of neighbours.
        relation = node.arguments[0]
        if not isinstance(relation, nodes.Name) or relation.name not in names.relations:
            hint = suggest_name(getattr(relation, "name", ""), names.relations) or hint
            raise Diagnostic("wrong-arguments", "expected a relation of neighbours", relation.at, hint)

        def compile_place(node: nodes.Argument, inner: Scope) -> Evaluate:
            return self.element(node, inner._replace(refusal=NEEDED))

        places_of = self.choices(node.arguments[1:], node.body, scope, compile_place)
        return lambda env, tags: lists.constrain_connected(relation.name, places_of(env), names, tags)

    # Lists

    def elements(
        self,
        items: Sequence[nodes.Argument],
        body: Body,
        scope: Scope,
        compile: Compile,
        is_list: bool = False,
        ordered: bool = False,
    ) -> ElementSource:
        """Compile the items of a list or call to a function that returns elements.

        Forms are ``[a, b]``, ``a, b`` and ``a : generators``. In ``max(0, cell(R, K) : K in 1..3)`` the
        generators apply to the last argument only.

        With ``is_list``, an item in brackets is a tuple; otherwise a single item in brackets is the list
        itself. ``ordered`` means that the order of elements matters.
        """
        # A comprehension: its generators make instances of the last item.
        if body is not None and items:
            preceding = self.elements(items[:-1], None, scope, compile, True, ordered) if len(items) > 1 else None
            generated = self.query(body, scope.bound, ordered)
            item, names = items[-1], self.names
            last = compile(item, scope._replace(bound=generated.bound))
            is_uniform = costs_the_same(item, generated.bound.difference(scope.bound))

            def elements(env: Env) -> Iterable[ListElement]:
                values = [*preceding(env)] if preceding else []
                bindings = generated.run(env)
                for number, inner in enumerate(bindings, 1):
                    budget = names.instances_left
                    values.append((last(inner), item))
                    if number == 1 and is_uniform:  # too many instances are refused before they are made
                        names.require_budget((budget - names.instances_left) * (len(bindings) - 1), item.at)
                return values

            return elements
        for number, item in enumerate(items):
            match item:
                case nodes.Declaration(_, (nodes.Logical(_, name),)) if name not in {
                    *self.names.families,
                    *scope.bound,
                }:
                    self.names.refuse_late_generator(items, number, name)
        # Without generators: a list alone, single expressions, or a mixture with comprehensions.
        match items:
            case (nodes.Listing(_, inside, inner_body),) if not is_list:
                return self.elements(inside, inner_body, scope, compile, True, ordered)
            case _ if not any(isinstance(item, nodes.Comprehension) for item in items):
                evaluators = [compile(item, scope) for item in items]
                return lambda env: zip([evaluate(env) for evaluate in evaluators], items, strict=True)
        # Each item of a mixture has its own elements.
        sources = [
            self.elements([item.item], item.body, scope, compile, False, ordered)
            if isinstance(item, nodes.Comprehension)
            else self.elements([item], None, scope, compile, True, ordered)
            for item in items
        ]
        return lambda env: chain.from_iterable([source(env) for source in sources])

    def element(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        """Compile a list's element: an expression, or a bracketed tuple."""
        if not isinstance(node, nodes.Listing):
            return self.expression(node, scope)
        elements = self._compile_listing(node, scope)
        return lambda env: tuple(elements(env))

    def choices(self, items: Sequence[nodes.Argument], body: Body, scope: Scope, compile: Compile) -> Choices:
        """Compile a function's arguments to elements with the conditions that select them.

        An element is evaluated only on demand, as it may be undefined where its condition is false.
        """
        match items:
            case (nodes.Listing(_, inside, inner_body),) if body is None:
                return self.choices(inside, inner_body, scope, compile)
        # Only the last item has the generators.
        bodies = [None] * len(items) if body is None else [None] * (len(items) - 1) + [body]
        sources = [
            self._compile_choices(item, item_body, scope, compile)
            for item, item_body in zip(items, bodies, strict=True)
        ]
        return lambda env: chain.from_iterable([source(env) for source in sources])

    def _compile_choices(self, item: nodes.Argument, body: Body, scope: Scope, compile: Compile) -> Choices:
        """Compile an item and its body to a function that yields conditional elements."""
        if isinstance(item, nodes.Comprehension) and body is None:
            return self._compile_choices(item.item, item.body, scope, compile)
        body = expand_all(body or (), self.names)
        # Conditions on puzzle variables select elements; all others generate them.
        open_conditions = [literal for literal in body if has_puzzle_variables(literal, body, scope, self.names)]
        query = self.query([literal for literal in body if literal not in open_conditions], scope.bound)
        inner = scope._replace(bound=query.bound)
        conditions = [self.condition(literal, inner) for literal in open_conditions]
        # The element itself is evaluated once its condition is known.
        value = compile(item, inner)

        def choices(env: Env) -> Iterator[ConditionalElement]:
            for inner_env in query.run(env):
                condition = constraints.conjunction((make(inner_env, {}) for make in conditions), {})
                yield condition, partial(value, inner_env), item

        return choices

    # Domains

    def domain(self, node: nodes.Union, bound: Collection[str], limit: int) -> DomainOf:
        """Compile a domain to a function from an environment to the domain's values.

        The values have the order of the spec.
        """
        parts = [self._compile_part(part, bound, limit) for part in node.parts]
        if len(parts) == 1:
            return parts[0]

        def union(env: Env) -> Sequence[Value]:
            values: dict[Value, None] = {}
            # Join the parts without repetitions.
            for part in parts:
                values.update(dict.fromkeys(part(env)))
                if len(values) > limit:
                    raise Diagnostic("too-large", f"the domain has more than {limit:,} values", node.at)
            return tuple(values)

        return union

    def _compile_part(self, node: nodes.Range | nodes.Expr, bound: Collection[str], limit: int) -> DomainOf:
        """Compile a part of a domain: a range, a comprehension or a value; refuse lists."""
        if isinstance(node, nodes.Range):
            return self._compile_range(node, bound, limit)
        match node:
            # A difference of two numbers was probably meant as a range.
            case nodes.Operation(_, "-", nodes.Constant(at, low), nodes.Constant(_, high)) if at != node.at:
                hint = Suggestion(f"write the range as {low}..{high}", f"{low}..{high}")
                raise Diagnostic("no-domain", f"{low}-{high} is a subtraction", node.at, hint)
            case nodes.Comprehension(_, item, body):
                query = self.query(body, bound)
                value = self.value(item, query.bound)
                return lambda env: tuple(dict.fromkeys([value(inner) for inner in query.run(env)]))
            case nodes.Listing() | nodes.Conjunction():
                what = "a list" if isinstance(node, nodes.Listing) else "this"
                raise Diagnostic("no-domain", f"{what} is not a domain", node.at, SET)
        evaluate = self.value(node, bound)
        return lambda env: (evaluate(env),)

    def _compile_range(self, node: nodes.Range, bound: Collection[str], limit: int) -> DomainOf:
        """Compile a range to a function from an environment to its integers."""
        low, high = self.value(node.low, bound), self.value(node.high, bound)

        def values(env: Env) -> range:
            first = arithmetic.check_range_end(low(env), node.low, self.names)
            last = arithmetic.check_range_end(high(env), node.high, self.names)
            if last - first >= limit:
                message = f"{first}..{last} has {last - first + 1:,} values; the limit is {limit:,}"
                raise Diagnostic("too-large", message, node.at)
            return range(first, last + 1)

        return values

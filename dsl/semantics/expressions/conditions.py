"""Compiles conditions to functions that return a constraint or a truth value."""

from __future__ import annotations

from csp import Constraint

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Falsehood
from ...syntax.habits import DECLARED
from ...syntax.vocabulary import CONSTRAINTS, RESERVED
from . import catalogue, constraints, tuples
from .constraints import Make, Tags
from .named import expand, report_use
from .names import NEEDED, Env, Evaluate, Scope, Term


class Conditions(catalogue.Catalogue):
    """The base class of the compiler that compiles conditions."""

    def condition(self, node: nodes.Argument, scope: Scope, given: bool = False) -> Make:
        """Compile a condition to a function that returns a constraint or truth value.

        Returns a function from an environment and tags to a constraint, or to a truth value that needs no solving.
        ``given`` means that the condition must hold.
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
            case nodes.Call(_, name) if name in catalogue.WORDS:
                return catalogue.WORDS[name](self, node, scope)
            case nodes.Call() if node.name in CONSTRAINTS:
                in_order = CONSTRAINTS[node.name].in_order
                elements = self.elements(node.arguments, node.body, scope, self.element, ordered=in_order)
                return lambda env, tags: tuples.constrain_list(list(elements(env)), node, names, given, tags)
            case nodes.Call(_, name) if name in names.named:
                return self._compile_named(node, scope, given)
            case nodes.Call() | nodes.Name() if node.name not in {*RESERVED, *names.families, *names.params}:
                return self._compile_tuple(node, scope)
        raise Diagnostic("this is no condition", node.at, "a condition is a comparison such as cell(R, C) > 3")

    def _compile_comparison(self, node: nodes.Comparison, scope: Scope, given: bool) -> Make:
        """Compile a comparison of two expressions, or of two lists."""
        names = self.names
        if isinstance(node.left, nodes.Listing) or isinstance(node.right, nodes.Listing):
            return self._compile_lists(node, scope, given)
        left_of, right_of = self.expression(node.left, scope), self.expression(node.right, scope)

        def make(env: Env, tags: Tags) -> Constraint | bool:
            left, right = left_of(env), right_of(env)
            result = constraints.compare(left, right, node, names, given, tags)
            if given and result is False:
                raise Falsehood(
                    f"{left} {node.relation} {right} never holds", node.at, self._explain_empty(node, env, scope)
                )
            return result

        return make

    def _explain_empty(self, node: nodes.Comparison, env: Env, scope: Scope) -> str:
        """Return the hint that a sum, product or count has no elements, or an empty text."""
        waiting: list[nodes.Argument] = [node.right, node.left]
        # Search both sides for a function whose generators have no environment.
        while waiting:
            match waiting.pop():
                case nodes.Operation(_, _, left, right):
                    waiting += right, left
                case nodes.Call(_, name, _, body) if body is not None and not self.query(body, scope.bound).run(env):
                    fact_texts = [_write_term(literal.term, env) for literal in body if isinstance(literal, nodes.Fact)]
                    unsatisfied = ", ".join(fact_texts) if len(fact_texts) == len(body) else "its generators"
                    return f"the {name} is empty: nothing satisfies {unsatisfied}"
        return ""

    def _compile_lists(self, node: nodes.Comparison, scope: Scope, given: bool) -> Make:
        """Compile a comparison of two lists, element by element."""
        for side in (node.left, node.right):
            if not isinstance(side, nodes.Listing):
                hint = "each stands in brackets, [A, B] < [C, D]"
                raise Diagnostic("a list is compared with another list", side.at, hint)
        left_of, right_of = self.element(node.left, scope), self.element(node.right, scope)
        return lambda env, tags: tuples.compare(left_of(env), right_of(env), node, self.names, given, tags)

    def _compile_membership(self, node: nodes.Declaration, scope: Scope) -> Make:
        """Compile the condition that the value of an expression is in a domain."""
        if len(node.terms) > 1:
            raise Diagnostic("one expression stands before in here", node.at, "write a condition for each")
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
        """Compile the condition that a tuple is in a list of tuples."""
        columns_of, known_scope = self.element(term, scope), scope._replace(refusal=NEEDED)
        rows_of: list[tuple[Evaluate, nodes.Listing]] = []
        for part in node.domain.parts:
            if not isinstance(part, nodes.Listing):
                hint = "write [A, B] in {[1, 2], [2, 3]}; several variables are declared without brackets, A, B in 1..3"
                raise Diagnostic("a list is one of some lists of values", part.at, hint)
            rows_of.append((self.element(part, known_scope), part))

        def make(env: Env, tags: Tags) -> Constraint | bool:
            rows = [(tuple([value for value, _ in row(env)]), part) for row, part in rows_of]
            self.names.spend(len(rows), node.at)
            return tuples.make_table(columns_of(env), rows, term, self.names, tags)

        return make

    def _compile_named(self, node: nodes.Call, scope: Scope, given: bool) -> Make:
        """Replace a use of a named constraint by its definition, and compile that."""
        with report_use(node):
            make = self.condition(expand(node, self.names), scope, given)

        def make_reported(env: Env, tags: Tags) -> Constraint | bool:
            with report_use(node):
                return make(env, tags)

        return make_reported

    def _compile_tuple(self, node: nodes.Call | nodes.Name, scope: Scope) -> Make:
        """Compile the condition that a tuple is a row of a relation."""
        relation, arguments = self.names.relation(node)
        columns = [self.expression(argument, scope) for argument in arguments]

        def make(env: Env, tags: Tags) -> Constraint | bool:
            row: list[tuple[Term, nodes.Argument]] = [
                (column(env), argument) for column, argument in zip(columns, arguments, strict=True)
            ]
            return constraints.make_table(node.name, relation, row, self.names, tags)

        return make

    def _compile_compound(self, node: nodes.Compound, scope: Scope, given: bool) -> Make:
        """Compile a condition that is composed of other conditions.

        The parts are evaluated from left to right and short-circuit: a known part can decide the whole.
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
                raise Falsehood("none of these can hold", node.at, DECLARED if all_declarations else "")
            return result

        return make


def _write_term(term: nodes.Argument, env: Env) -> str:
    """Write a term for a message, with values in place of its words."""
    match term:
        case nodes.Call(_, name, arguments):
            return f"{name}({', '.join(_write_term(argument, env) for argument in arguments)})"
        case nodes.Logical(_, name):
            return str(env.get(name, name))
        case nodes.Name(_, word) | nodes.Constant(_, word):
            return str(word)
    return "..."

"""Expressions to functions of the logical variables' values, and the compiler of everything in a clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from csp import Affine, Constraint

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, suggest_name
from ...syntax.habits import PAIR, WORDS
from ...syntax.vocabulary import CONSTRAINTS, FUNCTIONS, RESERVED
from . import arithmetic, constraints
from .binding import all_names
from .conditions import Conditions
from .names import INDEX, UNSOLVED, Env, Evaluate, Row, Scope, indices

TRUTH = "the number count(A = 1) is 1 where A = 1, and 0 elsewhere"


class Compiler(Conditions):
    """Expressions, conditions, lists, domains and bodies to functions of the bound variables' values.

    Examples
    --------
    >>> from .names import Names
    >>> at = nodes.Place(1, 1)
    >>> node = nodes.Operation(at, "+", nodes.Logical(at, "I"), nodes.Constant(at, 1))
    >>> Compiler(Names()).expression(node, Scope({"I"}))({"I": 2})
    3
    """

    def expression(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        names, bound = self.names, scope.bound
        match node:
            case nodes.Constant(_, value):
                return lambda env: value
            case nodes.Logical(_, name) if name in bound:
                return lambda env: env[name]
            case nodes.Logical(at, "_"):
                hint = "all variables of a family are x(I) : I in 1..9" if scope.is_index else ""
                raise Diagnostic("_ stands for any value and has none itself", at, hint)
            case nodes.Logical(at, name):
                if name not in names.families:
                    message = f"{name} is neither bound by the body nor declared as a puzzle variable"
                    close = suggest_name(name, [*names.families, *names.params, *bound])
                    raise Diagnostic(message, at, close or _meant(name, scope))
                return self._puzzle_variable(name, self.row((), scope), node, scope)
            case nodes.Name():
                return self._compile_name(node, scope)
            case nodes.Operation(_, "+" | "-"):
                return self._compile_sum(node, scope)
            case nodes.Operation():
                left, right = (self.expression(side, scope) for side in (node.left, node.right))
                return arithmetic.multiplying(left, right, node, names)
            case nodes.Call():
                return self._compile_call(node, scope)
            case nodes.Listing(at):
                raise Diagnostic("a list stands in a constraint or beside another list, and not here", at, PAIR)
            case nodes.Comprehension(at):
                raise Diagnostic("elements with generators can stand in a list only", at)
        raise Diagnostic("a condition has no value", node.at, TRUTH)

    def row(self, arguments: Sequence[nodes.Argument], scope: Scope) -> Callable[[Env], Row]:
        """As ``expression``, for several of them."""
        words = [node.name for node in arguments if isinstance(node, nodes.Logical) and node.name in scope.bound]
        if len(words) == len(arguments) > 1:
            return itemgetter(*words)
        parts = [self.expression(node, scope) for node in arguments]
        return lambda env: tuple([part(env) for part in parts])

    def instances(self, body: Sequence[nodes.Condition], used: Any) -> tuple[set[str], list[Env]]:
        """The bindings of a body that differ in the words of a piece of syntax, and the words that it binds."""
        if not body:
            return set(), [{}]
        found = self.query(body)
        words = sorted(found.bound & all_names(used))
        distinct: dict[Row, Env] = {}
        for env in found.run({}):
            distinct.setdefault(tuple([env[word] for word in words]), env)
        return found.bound, list(distinct.values())

    def _compile_name(self, node: nodes.Name, scope: Scope) -> Evaluate:
        name, names = node.name, self.names
        if name in names.params:
            value = names.params[name]
            return lambda env: value
        if name in names.families:
            return self._puzzle_variable(name, self.row((), scope), node, scope)
        if name in RESERVED:
            raise Diagnostic(f"{name} is a word of the language and takes arguments", node.at, f"write {name}(...)")
        if names.arities.get(name):
            raise Diagnostic(f"{name} is a relation and has no value", node.at, f"its values are {{X : {name}(X)}}")
        return lambda env: name

    def _puzzle_variable(self, family: str, row: Callable[[Env], Row], node: nodes.Argument, scope: Scope) -> Evaluate:
        names, refusal = self.names, scope.refusal
        if refusal:
            hint = IMPLICATION if refusal == UNSOLVED else ""
            raise Diagnostic(f"{family} is a puzzle variable, and {refusal}", node.at, hint)
        variables = names.variables

        def variable(env: Env) -> Affine:
            key = (family, *row(env))
            found = variables.get(key)
            if found is not None:
                return found
            if any([isinstance(part, Affine) for part in key]):
                return arithmetic.looked_up(key, node, names)
            names.undeclared(key, node)

        return variable

    def _compile_sum(self, node: nodes.Operation, scope: Scope) -> Evaluate:
        """A chain of sums and differences, however long."""
        terms: list[arithmetic.Summand[Evaluate]] = []
        left: nodes.Expr = node
        while isinstance(left, nodes.Operation) and left.operator in ("+", "-"):
            sign = 1 if left.operator == "+" else -1
            terms.append((sign, self.expression(left.right, scope), left.right))
            left = left.left
        terms.append((1, self.expression(left, scope), left))
        return arithmetic.adding(terms[::-1], node, self.names)

    def _compile_call(self, node: nodes.Call, scope: Scope) -> Evaluate:
        name, names = node.name, self.names
        at = node.at._replace(width=len(name))
        if name in names.families:
            if node.body is not None:
                raise Diagnostic(f"{name} is a puzzle variable and takes no generators", at)
            inner = scope._replace(is_index=True)
            return self._puzzle_variable(name, self.row(node.arguments, inner), node, scope)
        if name in FUNCTIONS:
            return self._compile_function(node, scope)
        if name in CONSTRAINTS:
            raise Diagnostic(f"{name} is a constraint and has no value", at)
        if name in names.named:
            raise Diagnostic(f"{name} is a named constraint and has no value", at)
        if name in names.params:
            raise Diagnostic(f"{name} is a param and takes no arguments", at)
        if name in names.arities:
            raise Diagnostic(f"{name} is a relation and has no value", at, f"write {name}(...) in the body, after :-")
        if hint := WORDS.get(name) or suggest_name(name, [*names.families, *names.arities, *FUNCTIONS]):
            raise Diagnostic(f"nothing is called {name}", at, hint)
        words = indices(len(node.arguments))
        declaration = f"{name}({', '.join(words)}) in 1..9 :- {', '.join(f'{word} in 1..9' for word in words)}."
        raise Diagnostic(f"nothing is called {name}", at, f"a variable is declared: {declaration}", once=True)

    def _compile_function(self, node: nodes.Call, scope: Scope) -> Evaluate:
        name, names = node.name, self.names
        counts = FUNCTIONS[name].conditions
        if counts and not node.arguments:
            raise Diagnostic(f"{name} of nothing", node.at, f"write {name}(cell(R, C) > 3 : C in 1..n)")
        compile = self._compile_counted if counts else self.expression
        if FUNCTIONS[name].chooses and self.has_choices(node, scope):
            choices = self.choices(node.arguments, node.body, scope, compile)
            if counts:
                return lambda env: arithmetic.count(name, [_both(held, made()) for held, made, _ in choices(env)])
            return lambda env: arithmetic.chosen(choices(env), node, names)
        elements = self.elements(node.arguments, node.body, scope, compile)
        if counts:
            return lambda env: arithmetic.count(name, [condition for condition, _ in elements(env)])
        return lambda env: arithmetic.call(list(elements(env)), node, names)

    def _compile_counted(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        make = self.condition(node, scope)
        return lambda env: make(env, {})


def _both(one: Constraint | bool, other: Constraint | bool) -> Constraint | bool:
    return constraints.conjunction((one, other), {})


def _meant(name: str, scope: Scope) -> str:
    """What an uppercase word without a meaning was meant for."""
    if name in ("True", "False"):
        return f"what holds or not is a number, {int(name == 'True')}"
    if scope.is_index or scope.refusal == INDEX:
        return f"the body gives it values, :- {name} in 1..9"
    if scope.refusal:
        return f"a symbol is written {name.lower().lstrip('_')}, or '{name}' in quotes"
    return f"a puzzle variable is declared, {name} in 1..9."

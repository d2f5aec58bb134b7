"""Compiles expressions and all other syntax of a clause to Python functions.

Read it from `Compiler.expression`; conditions, lists, bodies and domains are in the base classes.
"""

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
"""Hint for a condition in the place of a number."""


class Compiler(Conditions):
    """A compiler from a clause's syntax to functions of an environment.

    It compiles expressions; its base classes compile conditions, lists, bodies and domains.

    Examples
    --------
    >>> from .names import Names
    >>> at = nodes.Place(1, 1)
    >>> node = nodes.Operation(at, "+", nodes.Logical(at, "I"), nodes.Constant(at, 1))
    >>> Compiler(Names()).expression(node, Scope({"I"}))({"I": 2})
    3
    """

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
                hint = "all variables of a family are x(I) : I in 1..9" if scope.is_index else ""
                raise Diagnostic("_ stands for any value and has none itself", at, hint)
            case nodes.Logical(at, name):
                if name not in names.families:
                    message = f"{name} is neither bound by the body nor declared as a puzzle variable"
                    close = suggest_name(name, [*names.families, *names.params, *bound])
                    raise Diagnostic(message, at, close or _guess_meaning(name, scope))
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
                raise Diagnostic("a list stands in a constraint or beside another list, and not here", at, PAIR)
            case nodes.Comprehension(at):
                raise Diagnostic("elements with generators can stand in a list only", at)
        raise Diagnostic("a condition has no value", node.at, TRUTH)

    def row(self, arguments: Sequence[nodes.Argument], scope: Scope) -> Callable[[Env], Row]:
        """Compile expressions to a function from an environment to a row."""
        words = [node.name for node in arguments if isinstance(node, nodes.Logical) and node.name in scope.bound]
        # Several logical variables alone need no evaluation.
        if len(words) == len(arguments) > 1:
            return itemgetter(*words)
        parts = [self.expression(node, scope) for node in arguments]
        return lambda env: tuple([part(env) for part in parts])

    def instances(self, body: Sequence[nodes.Condition], used: Any) -> tuple[set[str], list[Env]]:
        """Ground a body: return the words that it binds, and the environments.

        Environments that agree in the words of ``used`` are one instance.
        """
        if not body:
            return set(), [{}]
        query = self.query(body)
        words = sorted(query.bound & all_names(used))
        distinct: dict[Row, Env] = {}
        # Keep the first of all environments with equal values of the used words.
        for env in query.run({}):
            distinct.setdefault(tuple([env[word] for word in words]), env)
        return query.bound, list(distinct.values())

    def _compile_name(self, node: nodes.Name, scope: Scope) -> Evaluate:
        """Compile a lowercase word that is a param, puzzle variable or symbol."""
        name, names = node.name, self.names
        if name in names.params:
            value = names.params[name]
            return lambda env: value
        if name in names.families:
            return self._compile_puzzle_variable(name, self.row((), scope), node, scope)
        if name in RESERVED:
            raise Diagnostic(f"{name} is a word of the language and takes arguments", node.at, f"write {name}(...)")
        if names.arities.get(name):
            raise Diagnostic(f"{name} is a relation and has no value", node.at, f"its values are {{X : {name}(X)}}")
        return lambda env: name

    def _compile_puzzle_variable(
        self, family: str, row: Callable[[Env], Row], node: nodes.Argument, scope: Scope
    ) -> Evaluate:
        """Compile a term to a function that returns the puzzle variable it names.

        An index with puzzle variables gives an element expression.
        """
        names, refusal = self.names, scope.refusal
        if refusal:
            hint = IMPLICATION if refusal == UNSOLVED else ""
            raise Diagnostic(f"{family} is a puzzle variable, and {refusal}", node.at, hint)
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
        """Compile a term with arguments that is a puzzle variable or a function."""
        name, names = node.name, self.names
        at = node.at._replace(width=len(name))
        if name in names.families:
            if node.body is not None:
                raise Diagnostic(f"{name} is a puzzle variable and takes no generators", at)
            inner = scope._replace(is_index=True)
            return self._compile_puzzle_variable(name, self.row(node.arguments, inner), node, scope)
        if name in FUNCTIONS:
            return self._compile_function(node, scope)
        # All other names are errors; say what the name means.
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
        # Nothing is similar: show how a variable is declared.
        words = indices(len(node.arguments))
        declaration = f"{name}({', '.join(words)}) in 1..9 :- {', '.join(f'{word} in 1..9' for word in words)}."
        raise Diagnostic(f"nothing is called {name}", at, f"a variable is declared: {declaration}", once=True)

    def _compile_function(self, node: nodes.Call, scope: Scope) -> Evaluate:
        """Compile a function whose arguments are listed or generated.

        If the body has conditions on puzzle variables, those choose the elements while solving.
        """
        name, names = node.name, self.names
        counts = FUNCTIONS[name].conditions
        if counts and not node.arguments:
            raise Diagnostic(f"{name} of nothing", node.at, f"write {name}(cell(R, C) > 3 : C in 1..n)")
        compile = self._compile_counted if counts else self.expression
        if FUNCTIONS[name].chooses and self.has_choices(node, scope):
            # Conditions on puzzle variables select elements while solving.
            choices = self.choices(node.arguments, node.body, scope, compile)
            if counts:
                return lambda env: arithmetic.count_holding(
                    name, [_join_conditions(condition, evaluate()) for condition, evaluate, _ in choices(env)]
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


def _join_conditions(left: Constraint | bool, right: Constraint | bool) -> Constraint | bool:
    """Join two conditions to one conjunction."""
    return constraints.conjunction((left, right), {})


def _guess_meaning(name: str, scope: Scope) -> str:
    """Return a hint that guesses the meaning of an undefined uppercase word."""
    if name in ("True", "False"):
        return f"what holds or not is a number, {int(name == 'True')}"
    if scope.is_index or scope.refusal == INDEX:
        return f"the body gives it values, :- {name} in 1..9"
    if scope.refusal:
        return f"a symbol is written {name.lower().lstrip('_')}, or '{name}' in quotes"
    return f"a puzzle variable is declared, {name} in 1..9."

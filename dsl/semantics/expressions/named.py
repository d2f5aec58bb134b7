"""Finds the definitions of named constraints, and replaces uses by definitions."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeGuard

from csp import counted

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ...syntax.vocabulary import CONSTRAINTS
from .binding import all_names, binders, free_names, plain_names, solvable_names
from .names import Names

EXPANSION = 50
"""Number of instances that one expansion spends from the budget, so that exponential expansion ends."""


def find_definitions(
    rules: Iterable[nodes.Rule], posted: Collection[int], families: Collection[str]
) -> dict[str, list[nodes.Rule]]:
    """Return the rules that define named constraints, by name.

    An example is ``near(A, B) :- abs(A - B) <= 1.`` The arguments are distinct words, the body uses all of them and
    binds nothing, and no other clause makes the name a relation.
    """
    # Group the rules by name; keep those that have the form of a definition.
    rules_by_name: dict[str, list[nodes.Rule]] = {}
    for rule in rules:
        match rule.head:
            case nodes.Fact(_, nodes.Call(_, name) | nodes.Name(_, name)) if name not in families:
                rules_by_name.setdefault(name, []).append(rule)
    defined = {
        name: rules_of_shape
        for name, candidates in rules_by_name.items()
        if (rules_of_shape := [rule for rule in candidates if _has_shape(rule)])
    }
    # Record which names use which, as a rejected name affects its users.
    users: dict[str, list[str]] = {}
    for name, candidates in defined.items():
        for used_name in dict.fromkeys(
            part.name for rule in candidates for part in nodes.walk(rule.body) if _is_call(part)
        ):
            users.setdefault(used_name, []).append(name)
    # Reject names whose rules generate values, or that are relations for another reason; then check their users again.
    waiting = deque(defined)
    while waiting:
        name = waiting.popleft()
        if name not in defined:
            continue
        candidates = defined[name] = [rule for rule in defined[name] if not _generates(rule, defined, families)]
        accepted_ids = {id(rule) for rule in candidates}
        is_mixed = not all(rule.label or id(rule) in posted or id(rule) in accepted_ids for rule in rules_by_name[name])
        if is_mixed or all(_calculates(rule, defined, families) for rule in candidates):
            del defined[name]
            waiting += users.get(name, ())
    return defined


def _is_call(node: Any) -> TypeGuard[nodes.Call]:
    """Return whether a node is a term with arguments."""
    return isinstance(node, nodes.Call)


def _has_shape(rule: nodes.Rule) -> bool:
    """Return whether a rule has the form of a named constraint's definition.

    Its arguments are distinct logical variables that all occur in the body.
    """
    match rule.head:
        case nodes.Fact(_, nodes.Call(_, _, arguments, None)):
            words = [
                argument.name for argument in arguments if isinstance(argument, nodes.Logical) and argument.name != "_"
            ]
            distinct = len({*words}) == len(words) == len(arguments)
            return distinct and {*words} <= all_names(rule.body)
    return False


def _generates(rule: nodes.Rule, known: Collection[str], families: Collection[str]) -> bool:
    """Return whether a rule's body can bind logical variables, so that it defines no constraint.

    It binds them by ``in``, a relation, or an equation without puzzle variables on one side.
    """
    words = {*parameters(rule)}
    for literal in rule.body:
        match literal:
            case nodes.Declaration(_, terms) if plain_names(terms):
                return True
            case nodes.Fact() if _looks_up(literal, known):
                return True
            case nodes.Fact(_, nodes.Call(_, name)) if name not in {*known, *CONSTRAINTS}:
                if solvable_names(literal, words, families):
                    return True
            case nodes.Disjunction() if any(_looks_up(part, known) for part in nodes.walk(literal)):
                return True
            case nodes.Comparison(_, left, "=", right):
                # An equation with known values binds the word on its other side.
                for side, other_side in ((left, right), (right, left)):
                    if (
                        plain_names([side])
                        and not free_names(other_side, words)
                        and not _lowercase_words(other_side) & {*families}
                    ):
                        return True
    return False


def _calculates(rule: nodes.Rule, known: Collection[str], families: Collection[str]) -> bool:
    """Return whether a rule only looks up relations whose rows determine its parameters.

    An example is ``before(K) :- at(K + 1).``
    """
    names = [
        literal.term.name
        for literal in rule.body
        if isinstance(literal, nodes.Fact) and isinstance(literal.term, nodes.Call)
    ]
    all_relations = len(names) == len(rule.body) and not {*names} & {*known, *CONSTRAINTS, *families}
    return all_relations and {*parameters(rule)} <= binders(rule.body, (), families)


def _lowercase_words(node: nodes.Argument) -> set[str]:
    """Return the lowercase names in a piece of syntax."""
    return {part.name for part in nodes.walk(node) if isinstance(part, nodes.Name | nodes.Call)}


def _looks_up(node: Any, known: Collection[str]) -> bool:
    """Return whether a condition is a call with a logical variable as an argument.

    Calls of built-in constraints, and of the named constraints ``known``, do not count.
    """
    match node:
        case nodes.Fact(_, nodes.Call(_, name, arguments)):
            return name not in known and name not in CONSTRAINTS and bool(plain_names(arguments))
    return False


def is_named(node: Any, names: Names) -> bool:
    """Return whether a condition is a use of a named constraint."""
    match node:
        case nodes.Fact(_, nodes.Call(_, name)):
            return name in names.named
    return False


def expand(node: nodes.Call, names: Names) -> nodes.Condition:
    """Return the condition that replaces a use of a named constraint: its definition's body.

    Several definitions are alternatives. Local variables of a body are renamed, as arguments may use the same names. A
    wrong number of arguments is an error.
    """
    at = node.at._replace(width=len(node.name))
    names.spend(EXPANSION, at)
    if node.body is not None:
        raise Diagnostic("misplaced-generators", f"{node.name} is a named constraint and has no generators", at)
    rules = names.named[node.name]
    if (arity := len(parameters(rules[0]))) != len(node.arguments):
        raise Diagnostic(
            "wrong-arguments", f"{node.name} needs {counted(arity, 'argument')}, found {len(node.arguments)}", at
        )
    alternatives = [_fill_body(rule, node, names) for rule in rules]
    return alternatives[0] if len(alternatives) == 1 else nodes.Disjunction(node.at, tuple(alternatives))


@contextmanager
def report_use(node: nodes.Call) -> Iterator[None]:
    """Return a context manager that adds the place of a constraint's use to errors.

    Only an error in another line gets it.
    """
    try:
        yield
    except Diagnostic as diagnostic:
        if diagnostic.at and (diagnostic.at.file, diagnostic.at.line) != (node.at.file, node.at.line):
            diagnostic.add_hint(f"{node.name} of {node.at.line_from(diagnostic.at)} says so")
        raise


def expand_all(body: Sequence[nodes.Condition], names: Names) -> list[nodes.Condition]:
    """Return a body in which definitions replace the uses of named constraints."""
    return [
        expand(literal.term, names)
        if isinstance(literal, nodes.Fact) and isinstance(literal.term, nodes.Call) and is_named(literal, names)
        else literal
        for literal in body
    ]


def _fill_body(rule: nodes.Rule, node: nodes.Call, names: Names) -> nodes.Condition:
    """Return the body of a definition with arguments in place of its parameters."""
    words = parameters(rule)
    replacements: dict[str, nodes.Argument] = dict(zip(words, node.arguments, strict=True))
    names.expansions += 1
    # Rename local variables.
    for name in locals_of(rule, names.families) - replacements.keys():
        replacements[name] = nodes.Logical(rule.at, f"{name}'{names.expansions}")
    # A puzzle variable keeps its meaning, even if a logical variable of that name is bound here.
    for name in (all_names(rule.body) & names.families) - replacements.keys():
        replacements[name] = nodes.Name(rule.at, name)
    return nodes.Conjunction(node.at, tuple([substitute(literal, replacements) for literal in rule.body]))


def parameters(rule: nodes.Rule) -> list[str]:
    """Return the logical variables that are arguments of a rule's head."""
    assert isinstance(rule.head, nodes.Fact)
    return [argument.name for argument in nodes.arguments(rule.head.term) if isinstance(argument, nodes.Logical)]


def locals_of(rule: nodes.Rule, families: Collection[str]) -> set[str]:
    """Return the logical variables that comprehensions in a rule's body bind."""
    bodies = [part.body for part in nodes.walk(rule.body) if isinstance(part, nodes.GENERATING)]
    return set().union(*[binders(body, parameters(rule), families) for body in bodies])


def substitute(node: Any, replacements: Mapping[str, nodes.Argument]) -> Any:
    """Return a copy of a syntax tree with terms in place of capitalised names."""
    if isinstance(node, tuple) and not isinstance(node, nodes.Place):
        return tuple([substitute(part, replacements) for part in node])
    if isinstance(node, nodes.Logical):
        return replacements.get(node.name, node)
    if isinstance(node, nodes.Node):
        fields = {name: getattr(node, name) for name in node.__slots__ if name != "at"}
        changed = {name: substitute(value, replacements) for name, value in fields.items()}
        return replace(node, **changed)
    return node

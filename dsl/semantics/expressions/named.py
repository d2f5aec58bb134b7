"""Named constraints: which clauses define one, and what is written for it where it is used."""

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
"""How many instances the text of a named constraint counts for, so that what doubles and doubles ends."""


def definitions(
    rules: Iterable[nodes.Rule], posted: Collection[int], families: Collection[str]
) -> dict[str, list[nodes.Rule]]:
    """The clauses ``near(A, B) :- abs(A - B) <= 1.`` by their names.

    The arguments are distinct names, the body uses all of them and binds nothing, and no other clause makes the name a
    relation.
    """
    of: dict[str, list[nodes.Rule]] = {}
    for rule in rules:
        match rule.head:
            case nodes.Fact(_, nodes.Call(_, name) | nodes.Name(_, name)) if name not in families:
                of.setdefault(name, []).append(rule)
    found = {name: shaped for name, own in of.items() if (shaped := [rule for rule in own if _has_shape(rule)])}
    users: dict[str, list[str]] = {}
    for name, own in found.items():
        for used in dict.fromkeys(part.name for rule in own for part in nodes.walk(rule.body) if _is_call(part)):
            users.setdefault(used, []).append(name)
    waiting = deque(found)
    while waiting:
        name = waiting.popleft()
        if name not in found:
            continue
        own = found[name] = [rule for rule in found[name] if not _generates(rule, found, families)]
        kept = {id(rule) for rule in own}
        is_mixed = not all(rule.label or id(rule) in posted or id(rule) in kept for rule in of[name])
        if is_mixed or all(_calculates(rule, found, families) for rule in own):
            del found[name]
            waiting += users.get(name, ())
    return found


def _is_call(node: Any) -> TypeGuard[nodes.Call]:
    """Whether a piece of syntax is a name with arguments."""
    return isinstance(node, nodes.Call)


def _has_shape(rule: nodes.Rule) -> bool:
    """Whether the head has distinct names, all of which the body uses."""
    match rule.head:
        case nodes.Fact(_, nodes.Call(_, _, arguments, None)):
            words = [one.name for one in arguments if isinstance(one, nodes.Logical) and one.name != "_"]
            distinct = len({*words}) == len(words) == len(arguments)
            return distinct and {*words} <= all_names(rule.body)
    return False


def _generates(rule: nodes.Rule, known: Collection[str], families: Collection[str]) -> bool:
    """Whether something in the body binds a name; what is equal to something of puzzle variables is not bound by it."""
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
                for one, other in ((left, right), (right, left)):
                    if plain_names([one]) and not free_names(other, words) and not _mentioned(other) & {*families}:
                        return True
    return False


def _calculates(rule: nodes.Rule, known: Collection[str], families: Collection[str]) -> bool:
    """Whether tuples of relations give values to all arguments, as in ``before(K) :- at(K + 1).``"""
    names = [one.term.name for one in rule.body if isinstance(one, nodes.Fact) and isinstance(one.term, nodes.Call)]
    alone = len(names) == len(rule.body) and not {*names} & {*known, *CONSTRAINTS, *families}
    return alone and {*parameters(rule)} <= binders(rule.body, (), families)


def _mentioned(node: nodes.Argument) -> set[str]:
    return {part.name for part in nodes.walk(node) if isinstance(part, nodes.Name | nodes.Call)}


def _looks_up(node: Any, known: Collection[str]) -> bool:
    """Whether a piece of syntax is a tuple of a relation that can bind a name."""
    match node:
        case nodes.Fact(_, nodes.Call(_, name, arguments)):
            return name not in known and name not in CONSTRAINTS and bool(plain_names(arguments))
    return False


def is_named(node: Any, names: Names) -> bool:
    """Whether a condition is a named constraint."""
    match node:
        case nodes.Fact(_, nodes.Call(_, name)):
            return name in names.named
    return False


def expanded(node: nodes.Call, names: Names) -> nodes.Condition:
    """What a named constraint says of its arguments: the body of its clause, or of one of its clauses.

    Words of the body that mean nothing outside are renamed, so that they are no words of the arguments.
    """
    at = node.at._replace(width=len(node.name))
    names.spend(EXPANSION, at)
    if node.body is not None:
        raise Diagnostic(f"{node.name} is a named constraint and takes no generators", at)
    rules = names.named[node.name]
    if (arity := len(parameters(rules[0]))) != len(node.arguments):
        raise Diagnostic(f"{node.name} has {counted(arity, 'argument')}, not {len(node.arguments)}", at)
    alternatives = [_filled(rule, node, names) for rule in rules]
    return alternatives[0] if len(alternatives) == 1 else nodes.Disjunction(node.at, tuple(alternatives))


@contextmanager
def told_of(node: nodes.Call) -> Iterator[None]:
    """Say of a mistake in a named constraint where that is used."""
    try:
        yield
    except Diagnostic as diagnostic:
        if diagnostic.at and (diagnostic.at.file, diagnostic.at.line) != (node.at.file, node.at.line):
            diagnostic.add_hint(f"{node.name} of {node.at.line_from(diagnostic.at)} says so")
        raise


def expand_all(body: Sequence[nodes.Condition], names: Names) -> list[nodes.Condition]:
    """A body in which named constraints are written out."""
    return [
        expanded(one.term, names)
        if isinstance(one, nodes.Fact) and isinstance(one.term, nodes.Call) and is_named(one, names)
        else one
        for one in body
    ]


def _filled(rule: nodes.Rule, node: nodes.Call, names: Names) -> nodes.Condition:
    words = parameters(rule)
    filled: dict[str, nodes.Argument] = dict(zip(words, node.arguments, strict=True))
    names.expansions += 1
    for name in locals_of(rule, names.families) - filled.keys():
        filled[name] = nodes.Logical(rule.at, f"{name}'{names.expansions}")
    for name in (all_names(rule.body) & names.families) - filled.keys():
        filled[name] = nodes.Name(rule.at, name)  # the puzzle variable, whatever is bound where this is used
    return nodes.Conjunction(node.at, tuple([_substituted(one, filled) for one in rule.body]))


def parameters(rule: nodes.Rule) -> list[str]:
    """The names of the arguments of a named constraint."""
    assert isinstance(rule.head, nodes.Fact)
    return [one.name for one in nodes.arguments(rule.head.term) if isinstance(one, nodes.Logical)]


def locals_of(rule: nodes.Rule, families: Collection[str]) -> set[str]:
    """The words that comprehensions in a body bind."""
    bodies = [part.body for part in nodes.walk(rule.body) if isinstance(part, nodes.GENERATING)]
    return set().union(*[binders(body, parameters(rule), families) for body in bodies])


def _substituted(node: Any, filled: Mapping[str, nodes.Argument]) -> Any:
    """A piece of syntax with other pieces for some of its words."""
    if isinstance(node, tuple) and not isinstance(node, nodes.Place):
        return tuple([_substituted(part, filled) for part in node])
    if isinstance(node, nodes.Logical):
        return filled.get(node.name, node)
    if isinstance(node, nodes.Node):
        fields = {name: getattr(node, name) for name in node.__slots__ if name != "at"}
        changed = {name: _substituted(value, filled) for name, value in fields.items()}
        return replace(node, **changed)
    return node

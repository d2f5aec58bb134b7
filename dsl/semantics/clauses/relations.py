"""Facts and rules to relations, bottom up; those that are defined through themselves to their fixpoint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, Diagnostics
from ..expressions.compiler import Compiler
from ..expressions.names import NEEDED, Names, Relation, Row, Scope
from .definitions import is_relation, mentioned

ROUND = 10
"""How many instances a round counts for, so that what grows by one tuple a round ends soon, too."""

NEW = " new"
"""Follows the name of a relation for what its last round has added."""

RulesByName = Mapping[str, Sequence[nodes.Rule]]


def derive(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> None:
    """Compute the relations, each after those that it depends on, and those that need each other together.

    Semi-naive: a round looks up one condition of a rule among what the round before has added.

    References
    ----------
    .. [1] F. Bancilhon, R. Ramakrishnan, "An amateur's introduction to recursive query processing strategies", 1986.
    """
    rules: dict[str, list[nodes.Rule]] = {}
    for clause in clauses:
        if isinstance(clause, nodes.Rule) and is_relation(clause, names):
            rules.setdefault(clause.head.term.name, []).append(clause)  # type: ignore[union-attr]
    needs = {name: _needed(of, names) & rules.keys() for name, of in rules.items()}
    for group in _groups(needs):
        if diagnostics.is_full:
            return
        own = {name: rules[name] for name in group}
        for name in group:
            names.relations.setdefault(name, Relation())
        if len(group) == 1 and group[0] not in needs[group[0]]:
            for rule in rules[group[0]]:
                if diagnostics.is_full:
                    return
                with diagnostics.collecting(rule.at), _used_without_label(rules[group[0]], rule):
                    _add_all(rule, names)
            continue
        with diagnostics.collecting(own[group[0]][0].at):
            _check_steps(own, needs, names)
            _to_fixpoint(own, names)


@contextmanager
def _used_without_label(rules: Sequence[nodes.Rule], rule: nodes.Rule) -> Iterator[None]:
    """Say of a rule on puzzle variables that it would be a named constraint, were it not for another clause."""
    try:
        yield
    except Diagnostic as diagnostic:
        other = next((one for one in rules if one is not rule), None)
        if diagnostic.hint == IMPLICATION and other is not None:
            name = rule.head.term.name  # type: ignore[union-attr]
            where = other.at.line_from(diagnostic.at or rule.at)
            use = f'a use of known values, or with a body, has a label, "{name} {{A}}": {name}(...) :- ...'
            diagnostic.hint = f"{where} makes {name} a relation; if it is a named constraint, {use}"
        raise


def _needed(rules: Iterable[nodes.Rule], names: Names) -> set[str]:
    """The words that rules use, and those of the named constraints among them."""
    found: set[str] = set()
    open_ = [rule for rule in rules if nodes.fact_values(rule) is None]
    waiting = [word for rule in open_ for word in mentioned(rule, rule.head.term.name)]  # type: ignore[union-attr]
    while waiting:
        word = waiting.pop()
        if word not in found:
            found.add(word)
            waiting += [other for rule in names.named.get(word, ()) for other in mentioned(rule.body)]
    return found


def _groups(needs: Mapping[str, Collection[str]]) -> list[tuple[str, ...]]:
    """The names in an order in which each comes after those that it needs; those that need each other together."""
    place = {name: number for number, name in enumerate(needs)}
    group_of = {name: (name,) for name in needs}
    while True:
        graph: dict[tuple[str, ...], set[tuple[str, ...]]] = {group: set() for group in group_of.values()}
        for name, others in needs.items():
            graph[group_of[name]] |= {group_of[other] for other in others} - {group_of[name]}
        sorter = TopologicalSorter({group: sorted(graph[group], key=lambda g: place[g[0]]) for group in graph})
        try:
            return list(sorter.static_order())
        except CycleError as error:
            merged = tuple(sorted({name for group in error.args[1] for name in group}, key=place.__getitem__))
            group_of.update(dict.fromkeys(merged, merged))


def _values(rule: nodes.Rule, names: Names, bound: Collection[str]) -> Callable[[Mapping[str, int | str]], Row]:
    if rule.label:
        raise Diagnostic("only a constraint has a label", rule.label.at)
    arguments = nodes.arguments(rule.head.term)  # type: ignore[union-attr]
    return Compiler(names).row(arguments, Scope(bound, NEEDED))


def _add_all(rule: nodes.Rule, names: Names) -> None:
    """Add what a fact or a rule says to its relation."""
    relation = names.relations[rule.head.term.name]  # type: ignore[union-attr]
    if (known := nodes.fact_values(rule)) is not None:
        relation.add(known)
        return
    bound, found = Compiler(names).instances(rule.body, rule.head)
    row = _values(rule, names, bound)
    for env in found:
        relation.add(row(env))


def _steps(rule: nodes.Rule, group: Collection[str]) -> Iterator[int]:
    """The conditions of a body that are tuples of relations of a group."""
    for number, literal in enumerate(rule.body):
        match literal:
            case nodes.Fact(_, nodes.Call(_, name) | nodes.Name(_, name)) if name in group:
                yield number


def _check_steps(rules: RulesByName, needs: Mapping[str, Collection[str]], names: Names) -> None:
    """Within a group, relations are looked up and nothing else, as what is not there yet may come later."""
    for name, of in rules.items():
        for rule in of:
            steps = {*_steps(rule, rules)}
            for number, literal in enumerate(rule.body):
                looked_up = literal.term if number in steps else None  # type: ignore[union-attr]
                inside = nodes.arguments(looked_up) if looked_up else literal
                for other in sorted(_mentioned_by(inside, names) & rules.keys()):
                    way = " <- ".join([name, f"not {other}" if isinstance(literal, nodes.Negation) else other])
                    back = _way(other, name, needs, rules)
                    message = f"{name} is defined through what must be known before: {' <- '.join([way, *back])}"
                    hint = "a relation may use itself as a condition of its own, and not inside another one"
                    raise Diagnostic(message, literal.at, hint)


def _mentioned_by(node: object, names: Names) -> set[str]:
    words = mentioned(node)
    return words | set().union(
        *(_mentioned_by(rule.body, names) for word in words for rule in names.named.get(word, ()))
    )


def _way(start: str, end: str, needs: Mapping[str, Collection[str]], group: Collection[str]) -> list[str]:
    """The names between one and another that it needs, and that one; none where both are the same."""
    before: dict[str, str] = {}
    waiting = [start] if start != end else []
    for name in waiting:
        for other in sorted(set(needs[name]) & set(group)):
            if other not in before:
                before[other] = name
                waiting.append(other)
    found: list[str] = []
    while start != end and (not found or found[-1] != start):
        found.append(before[found[-1]] if found else end)
    return found[::-1][1:]


def _to_fixpoint(rules: RulesByName, names: Names) -> None:
    """Compute relations that need each other."""
    new: dict[str, Relation] = {name: Relation() for name in rules}
    for name, added in new.items():
        names.relations[name + NEW], names.arities[name + NEW] = added, names.arities[name]
    try:
        every = [(rule, name, [*_steps(rule, rules)]) for name, of in rules.items() for rule in of]
        for rule, _, numbers in every:
            if not numbers:
                _add_all(rule, names)
        steps = [(rule, name, _step(rule, number, names)) for rule, name, numbers in every for number in numbers]
        for name, added in new.items():
            added.become(names.relations[name].rows)
        while any(added.rows for added in new.values()):
            found: dict[str, dict[Row, None]] = {name: {} for name in rules}
            for rule, name, step in steps:
                names.spend(ROUND, rule.at)
                known = names.relations[name]
                found[name].update(dict.fromkeys(row for row in step() if row not in known))
            for name, rows in found.items():
                for row in rows:
                    names.relations[name].add(row)
                new[name].become(rows)
    finally:
        for name in rules:
            del names.relations[name + NEW], names.arities[name + NEW]


def _step(rule: nodes.Rule, number: int, names: Names) -> Callable[[], Iterator[Row]]:
    """What a rule says when one of its conditions is looked up among what is new."""
    literal = rule.body[number]
    assert isinstance(literal, nodes.Fact) and isinstance(literal.term, nodes.Call | nodes.Name)
    term = literal.term
    looked_up = nodes.Call(term.at, term.name + NEW, nodes.arguments(term))
    body = [nodes.Fact(literal.at, looked_up), *rule.body[:number], *rule.body[number + 1 :]]
    generated = Compiler(names).query(body)
    row = _values(rule, names, generated.bound)
    return lambda: (row(env) for env in generated.run({}))

"""Computes the relations from facts and rules, bottom up.

Relations that depend on each other are computed together, to their fixpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics
from ..expressions.compiler import Compiler
from ..expressions.names import NEEDED, Names, Relation, Row, Scope
from .definitions import is_relation, mentioned_words

ROUND = 10
"""Number of instances that each rule of a round spends from the budget, which bounds the number of rounds."""

NEW = " new"
"""Suffix of the relation that holds the rows which the last round has added."""

RulesByName = Mapping[str, Sequence[nodes.Rule]]


def derive(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> None:
    """Compute all relations into ``names``, each after the relations that it uses.

    Relations that depend on each other are computed together by semi-naive evaluation: each round joins one condition
    of a rule with only the rows that the previous round has added.

    References
    ----------
    .. [1] F. Bancilhon, R. Ramakrishnan, "An amateur's introduction to recursive query processing strategies", 1986.
    """
    # Collect the rules of each relation, and the relations that they use.
    rules: dict[str, list[nodes.Rule]] = {}
    for clause in clauses:
        if isinstance(clause, nodes.Rule) and is_relation(clause, names):
            rules.setdefault(clause.head.term.name, []).append(clause)  # type: ignore[union-attr]
    needs = {name: _find_needed(definitions, names) & rules.keys() for name, definitions in rules.items()}
    # Compute the groups in order of dependence.
    for group in _group_by_need(needs):
        if diagnostics.is_full:
            return
        group_rules = {name: rules[name] for name in group}
        for name in group:
            names.relations.setdefault(name, Relation())
        # Without recursion, one pass over the rules is enough.
        if len(group) == 1 and group[0] not in needs[group[0]]:
            for rule in rules[group[0]]:
                if diagnostics.is_full:
                    return
                with diagnostics.collecting(rule.at), _explain_missing_label(rules[group[0]], rule):
                    _add_all(rule, names)
            continue
        # With recursion, repeat until no row is added.
        with diagnostics.collecting(group_rules[group[0]][0].at):
            _check_recursion(group_rules, needs, names)
            _run_to_fixpoint(group_rules, names)


@contextmanager
def _explain_missing_label(rules: Sequence[nodes.Rule], rule: nodes.Rule) -> Iterator[None]:
    """Return a context manager that adds a hint on named constraints to a rule's error.

    The hint belongs to an error for puzzle variables in the rule's body, if another clause makes its name a relation.
    """
    try:
        yield
    except Diagnostic as diagnostic:
        other_rule = next((candidate for candidate in rules if candidate is not rule), None)
        if diagnostic.code == "variable-in-body" and other_rule is not None:
            name = rule.head.term.name  # type: ignore[union-attr]
            where = other_rule.at.line_from(diagnostic.at or rule.at)
            use = f'write a label before each use with known values or a body, "{name} {{A}}": {name}(...) :- ...'
            diagnostic.hint = f"{where} makes {name} a relation; if it is a named constraint, {use}"
        raise


def _find_needed(rules: Iterable[nodes.Rule], names: Names) -> set[str]:
    """Return the lowercase names that rules use, directly or by named constraints."""
    needed: set[str] = set()
    # Rules whose heads are plain rows of values use nothing.
    open_rules = [rule for rule in rules if nodes.fact_values(rule) is None]
    waiting = [word for rule in open_rules for word in mentioned_words(rule, rule.head.term.name)]  # type: ignore[union-attr]
    while waiting:
        word = waiting.pop()
        if word not in needed:
            needed.add(word)
            waiting += [body_word for rule in names.named.get(word, ()) for body_word in mentioned_words(rule.body)]
    return needed


def _group_by_need(needs: Mapping[str, Collection[str]]) -> list[tuple[str, ...]]:
    """Return groups of interdependent names, each after the groups that it needs."""
    position = {name: number for number, name in enumerate(needs)}
    group_of = {name: (name,) for name in needs}
    # Merge the names of each cycle into one group until the groups have an order.
    while True:
        graph: dict[tuple[str, ...], set[tuple[str, ...]]] = {group: set() for group in group_of.values()}
        for name, needed_names in needs.items():
            graph[group_of[name]] |= {group_of[needed] for needed in needed_names} - {group_of[name]}
        sorter = TopologicalSorter({group: sorted(graph[group], key=lambda g: position[g[0]]) for group in graph})
        try:
            return list(sorter.static_order())
        except CycleError as error:
            merged = tuple(sorted({name for group in error.args[1] for name in group}, key=position.__getitem__))
            group_of.update(dict.fromkeys(merged, merged))


def _compile_head(rule: nodes.Rule, names: Names, bound: Collection[str]) -> Callable[[Mapping[str, int | str]], Row]:
    """Compile a rule's head to a function from an environment to a row.

    A label is refused.
    """
    if rule.label:
        raise Diagnostic("misplaced-label", "only a constraint can have a label", rule.label.at)
    arguments = nodes.arguments(rule.head.term)  # type: ignore[union-attr]
    return Compiler(names).row(arguments, Scope(bound, NEEDED))


def _add_all(rule: nodes.Rule, names: Names) -> None:
    """Add all rows of a fact or rule to its relation."""
    relation = names.relations[rule.head.term.name]  # type: ignore[union-attr]
    if (fact_row := nodes.fact_values(rule)) is not None:
        relation.add(fact_row)
        return
    bound, environments = Compiler(names).instances(rule.body, rule.head)
    row = _compile_head(rule, names, bound)
    for env in environments:
        relation.add(row(env))


def _recursive_literals(rule: nodes.Rule, group: Collection[str]) -> Iterator[int]:
    """Yield the indices of a body's conditions that look up a relation of ``group``."""
    for number, literal in enumerate(rule.body):
        match literal:
            case nodes.Fact(_, nodes.Call(_, name) | nodes.Name(_, name)) if name in group:
                yield number


def _check_recursion(rules: RulesByName, needs: Mapping[str, Collection[str]], names: Names) -> None:
    """Raise an error if a recursive group uses itself in a negation, aggregate or argument.

    ``rules`` are the rules of one group of mutually recursive relations. Negations and aggregates would need the
    complete relation, which is still growing.
    """
    for name, definitions in rules.items():
        for rule in definitions:
            steps = {*_recursive_literals(rule, rules)}
            for number, literal in enumerate(rule.body):
                looked_up = literal.term if number in steps else None  # type: ignore[union-attr]
                remainder = nodes.arguments(looked_up) if looked_up else literal
                for used_name in sorted(_find_mentioned(remainder, names) & rules.keys()):
                    way = " <- ".join([name, f"not {used_name}" if isinstance(literal, nodes.Negation) else used_name])
                    back = _find_path(used_name, name, needs, rules)
                    message = f"{name} depends on itself where it must be complete: {' <- '.join([way, *back])}"
                    hint = "a relation can use itself as a condition, but not inside of another condition"
                    raise Diagnostic("circular-definition", message, literal.at, hint)


def _find_mentioned(node: object, names: Names) -> set[str]:
    """Return the lowercase names in syntax, and in the named constraints that it uses."""
    words = mentioned_words(node)
    return words | set().union(
        *(_find_mentioned(rule.body, names) for word in words for rule in names.named.get(word, ()))
    )


def _find_path(start: str, end: str, needs: Mapping[str, Collection[str]], group: Collection[str]) -> list[str]:
    """Find a shortest chain of dependences from one name to another.

    The path includes its end, and not its start. Empty if start and end are equal.
    """
    predecessor: dict[str, str] = {}
    waiting = [start] if start != end else []
    # Search breadth-first from the start.
    for name in waiting:
        for successor in sorted(set(needs[name]) & set(group)):
            if successor not in predecessor:
                predecessor[successor] = name
                waiting.append(successor)
    path: list[str] = []
    # Walk back from the end.
    while start != end and (not path or path[-1] != start):
        path.append(predecessor[path[-1]] if path else end)
    return path[::-1][1:]


def _run_to_fixpoint(rules: RulesByName, names: Names) -> None:
    """Add rows to mutually recursive relations until no row is new (semi-naive evaluation)."""
    new_rows: dict[str, Relation] = {name: Relation() for name in rules}
    for name, delta in new_rows.items():
        names.relations[name + NEW], names.arities[name + NEW] = delta, names.arities[name]
    try:
        # First, the rows of rules that use no relation of the group.
        numbered_rules = [
            (rule, name, [*_recursive_literals(rule, rules)])
            for name, definitions in rules.items()
            for rule in definitions
        ]
        for rule, _, recursive_literals in numbered_rules:
            if not recursive_literals:
                _add_all(rule, names)
        steps = [
            (rule, name, _compile_step(rule, literal_number, names))
            for rule, name, recursive_literals in numbered_rules
            for literal_number in recursive_literals
        ]
        for name, delta in new_rows.items():
            delta.replace_rows(names.relations[name].rows)
        # Each round joins the rows of the previous round with all rows, and keeps those that are new.
        while any(delta.rows for delta in new_rows.values()):
            found_rows: dict[str, dict[Row, None]] = {name: {} for name in rules}
            for rule, name, step in steps:
                names.spend(ROUND, rule.at)
                relation = names.relations[name]
                found_rows[name].update(dict.fromkeys(row for row in step() if row not in relation))
            # Add them, and make them the rows of the next round.
            for name, rows in found_rows.items():
                for row in rows:
                    names.relations[name].add(row)
                new_rows[name].replace_rows(rows)
    finally:
        for name in rules:
            del names.relations[name + NEW], names.arities[name + NEW]


def _compile_step(rule: nodes.Rule, number: int, names: Names) -> Callable[[], Iterator[Row]]:
    """Compile a rule whose condition ``number`` reads only the rows added last.

    Returns a function that yields the rows of the head.
    """
    literal = rule.body[number]
    assert isinstance(literal, nodes.Fact) and isinstance(literal.term, nodes.Call | nodes.Name)
    term = literal.term
    newest = nodes.Call(term.at, term.name + NEW, nodes.arguments(term))
    body = [nodes.Fact(literal.at, newest), *rule.body[:number], *rule.body[number + 1 :]]
    query = Compiler(names).query(body)
    row = _compile_head(rule, names, query.bound)
    return lambda: (row(env) for env in query.run({}))

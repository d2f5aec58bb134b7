"""Checks the constraints that the clauses make.

Finds clauses without instances, constraints that always or never hold, repeated constraints, groups with too few
values, and givens that clash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

from csp import AllDifferent, Constraint, Value, Variable, counted, ordered, tight_sets

from ..semantics.clauses.posting import is_about_params
from ..semantics.expressions.binding import all_names
from ..semantics.expressions.constraints import brief
from ..semantics.expressions.names import Env
from ..syntax import nodes
from ..syntax.errors import MAX_DIAGNOSTICS, Diagnostic, suggest_name
from ..syntax.vocabulary import CONSTRAINTS
from .build import Instance, WatchedBuild, display_name
from .clauses import self_comparisons
from .words import clause_syntax, find_bound_words, words

CROWD = 1_000
"""Maximum number of groups of one element that are searched for a group that contains another."""

MAX_PAIRS = 10_000
"""Maximum number of pairs of element and value in a group that is checked for too few values."""

Fixing = tuple[Variable, tuple[str, nodes.Place]]
"""A variable that is given, with the grid and the place of its value."""


def check_instances(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about the constraints, drawings and variables of single clauses."""
    # Clauses whose bodies nothing satisfies.
    for rule in build.idle:
        if not self_comparisons(rule) and not _is_assertion(rule):
            yield from _check_empty(rule, build)
    # Drawings without a value.
    for diagnostic in build.record.drawing_nothing:
        message = f"this clause draws nothing: {diagnostic.message}"
        yield Diagnostic(
            "empty-clause", message, diagnostic.at, "add a condition, so that it is drawn only where it has a value"
        )
    # Unknown symbols, constraints that always or never hold, and labels that are not distinct.
    for rule, instances in build.instances:
        unknown = list(_check_symbols(rule, build))
        yield from unknown
        if not unknown and not self_comparisons(rule) and not is_about_params(rule, build.names):
            yield from _check_decided(rule, instances, build)
        yield from _check_labels(rule, instances)
    # Variables that two declarations together fix.
    for variable, term in build.record.narrowed.items():
        message = f"{variable} has only the value {build.names.domains[variable][0]}, by two declarations together"
        yield Diagnostic("one-value", message, term.at, f"for a given, write {variable} = ...")
    yield from _check_unused_variables(build)


def _is_assertion(rule: nodes.Rule) -> bool:
    """Return whether a rule compares two constants, to state that nothing satisfies its body.

    An example is ``1 = 2 :- clue(R, C, V), V > 9.``
    """
    match rule.head:
        case nodes.Comparison(_, nodes.Constant(), _, nodes.Constant()):
            return True
    return False


def _check_empty(rule: nodes.Rule, build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield a warning about the first condition that makes a clause's body unsatisfiable.

    A condition that depends on params, facts or a picture is not reported, as it may hold for other puzzles.
    """
    relations = build.names.relations
    # An empty relation is the cause, and not this clause.
    if any(word.name in relations and not relations[word.name].rows for word in words(rule.body)):
        return
    # The last condition of the shortest prefix without solutions is the cause.
    prefixes = (rule.body[: end + 1] for end in range(len(rule.body)))
    prefix = next((prefix for prefix in prefixes if build.is_empty(prefix)), rule.body)
    unsatisfied, suggestion = prefix[-1], _guess_symbol(prefix[-1], build)
    if not suggestion and _depends_on_input(prefix, build):
        return
    message = "this clause has no effect: nothing satisfies this condition"
    message += "" if build.is_empty((unsatisfied,)) else " and the conditions before it"
    match unsatisfied:
        case _ if suggestion:
            hint = f"did you mean {suggestion}?"
        case nodes.Declaration():
            hint = "write the smaller end of a range first"
        case nodes.Fact(_, nodes.Call(_, name)):
            hint = f"{name} has {counted(len(relations[name].rows), 'fact')}, and none of them matches"
        case _:
            hint = "correct the condition, or remove the clause"
    yield Diagnostic("empty-clause", message, unsatisfied.at, hint)


def _depends_on_input(prefix: tuple[nodes.Condition, ...], build: WatchedBuild) -> bool:
    """Return whether the last condition of a body's prefix may hold for another puzzle.

    Another puzzle has other params, facts or pictures.

    A fact such as ``sign(plus)`` selects: another puzzle would have ``sign(minus)``.
    """
    literal = prefix[-1]
    match literal:
        case nodes.Comparison() if not all_names(literal):
            return True
        case nodes.Fact(_, nodes.Call(_, name, arguments)):
            for number, symbol in enumerate(_find_symbol(argument, build) for argument in arguments):
                known_symbols = build.symbols(name, number).known
                other_terms = build.conditions[name] if symbol and symbol not in known_symbols else ()
                if any(
                    _find_symbol(other_term.arguments[number], build) in known_symbols for other_term in other_terms
                ):
                    return True
    return any(word.name in build.pictures for word in words(prefix))


def _guess_symbol(literal: nodes.Condition, build: WatchedBuild) -> str:
    """Return the known symbol that resembles an unknown one in a condition; else empty."""
    match literal:
        case nodes.Fact(_, nodes.Call(_, name, arguments)):
            for number, symbol in enumerate(_find_symbol(argument, build) for argument in arguments):
                index = build.symbols(name, number)
                if symbol and symbol not in index.known and (suggestion := index.find(symbol)):
                    return suggestion
    return ""


def _check_decided(rule: nodes.Rule, instances: list[Instance], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield a warning if some constraint of a clause never holds, or all always hold."""
    # Decide each instance from the domains.
    decided_instances = [(env, constraint, _holds(constraint, build)) for env, constraint in instances]
    false_instances = [(env, constraint) for env, constraint, holds in decided_instances if holds is False]
    if false_instances:
        env, constraint = false_instances[0]
        ending = f", nor can {len(false_instances) - 1} others of this clause" if len(false_instances) > 1 else ""
        grid, at = build.place(rule, env)
        hint = "the domains of its variables exclude it" + _write_bindings(rule, env, build)
        yield Diagnostic("never-true", f"{display_name(constraint)} can never hold{ending}", at, hint, grid)
    elif instances and all(holds for _, _, holds in decided_instances):
        message = "this always holds" if len(instances) == 1 else "every constraint of this clause always holds"
        hint = "remove it, or correct it"
        # Give the cause of common cases.
        if all(isinstance(constraint, AllDifferent) and len(constraint.elements) == 1 for _, constraint in instances):
            message, hint = (
                "one variable alone is always different",
                "list the variables that must differ: all_different([A, B])",
            )
        elif _is_group(rule) and all(constraint is True for _, constraint in instances):
            message, hint = "this group has no elements", "are its generators empty?"
        yield Diagnostic("always-true", message, rule.at, hint)


def _holds(constraint: Constraint | bool, build: WatchedBuild) -> bool | None:
    """Return whether a constraint always holds (True), never (False), or neither (None).

    None also means that the limit of work was reached.

    An all_different is True if its domains are disjoint or it has one element; otherwise it is None.
    """
    domains = build.names.domains
    if not isinstance(constraint, AllDifferent):
        return build.decide(constraint) if isinstance(constraint, Constraint) else constraint
    values: set[Value] = set()
    # Check that all domains are disjoint.
    for element in constraint.elements:
        if not element.is_variable or not values.isdisjoint(domain := domains[element.variables[0]]):
            return True if len(constraint.elements) == 1 else None
        values.update(domain)
    return True


def _is_group(rule: nodes.Rule) -> bool:
    """Return whether a rule posts a list constraint, such as ``all_different``."""
    return isinstance(rule.head, nodes.Fact) and getattr(rule.head.term, "name", "") in CONSTRAINTS


def _write_bindings(rule: nodes.Rule, env: Env, build: WatchedBuild) -> str:
    """Return the end of a hint: the values of the head's logical variables, and their source.

    If exactly one fact agrees with these values, its place is added.
    """
    used = all_names(rule.head)
    bound = ", ".join(f"{word} = {value}" for word, value in env.items() if word in used)
    fact = build.fact(rule, env)
    return (f"; here {bound}" if bound else "") + (f", says {fact.line_from(rule.at)}" if bound and fact else "")


def _check_labels(rule: nodes.Rule, instances: list[Instance]) -> Iterator[Diagnostic]:
    """Yield a warning if different constraints of a labelled clause have equal labels.

    A constraint on one variable is left out, as the variable identifies it.
    """
    constraints = dict.fromkeys(constraint for _, constraint in instances if isinstance(constraint, Constraint))
    count = Counter(constraint.label for constraint in constraints if len(constraint.scope) > 1)
    # Count the constraints with the most frequent label.
    if rule.label and count:
        label, frequency = count.most_common(1)[0]
        if frequency > 1:
            message = f"{frequency:,} constraints of this clause have the same label, {label}"
            words_in_label = all_names(clause_syntax(rule)[:-2])
            unlabelled_words = sorted(all_names(rule.head) & instances[0][0].keys() - words_in_label)
            hint = "write what distinguishes them in braces" + (
                f", such as {{{unlabelled_words[0]}}}" if unlabelled_words else ""
            )
            yield Diagnostic("same-label", message, rule.label.at, hint)


def _check_unused_variables(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield a warning for each declaration with variables that no constraint uses.

    Variables with a single value are not reported.
    """
    used = {variable for constraint in build.model.constraints for variable in constraint.scope}
    unused_by_term: dict[int, list[Variable]] = {}
    for variable, domain in build.model.domains.items():
        if variable not in used and len(domain) > 1:
            unused_by_term.setdefault(id(build.record.declarations[variable]), []).append(variable)
    for first_variable, *more_variables in unused_by_term.values():
        ending = f" and {len(more_variables):,} more" if more_variables else ""
        hint = "constrain them, or declare fewer" if more_variables else "constrain it, or remove it"
        yield Diagnostic(
            "unused-variable",
            f"no constraint uses {first_variable}{ending}",
            build.record.declarations[first_variable].at,
            hint,
        )


def _check_symbols(rule: nodes.Rule, build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about comparisons of a variable with a symbol outside its family's domains."""
    bound = find_bound_words(rule, build.names.families)
    for term, other_side in _find_compared_pairs(rule.head):
        symbol, family = _find_symbol(other_side, build), getattr(term, "name", "")
        if symbol and family not in bound and symbol not in build.values.get(family, {symbol: None}):
            known_values = ordered(build.values[family])
            hint = suggest_name(symbol, [*known_values, *build.names.params]) or f"its values are {brief(known_values)}"
            yield Diagnostic("unknown-symbol", f"{family} is never {symbol}", other_side.at, hint)


def _find_compared_pairs(node: nodes.Node) -> Iterator[tuple[nodes.Expr, Any]]:
    """Yield the pairs (expression, other side) in comparisons and ``in`` conditions.

    A comparison yields both orders.
    """
    for part in nodes.walk(node):
        match part:
            case nodes.Comparison(_, left, _, right):
                yield left, right
                yield right, left
            case nodes.Declaration(_, (term,), nodes.Union(_, values)):
                yield from ((term, value) for value in values)


def _find_symbol(node: nodes.Node, build: WatchedBuild) -> str:
    """Return the symbol that a node denotes; an empty text for other nodes."""
    match node:
        case nodes.Constant(_, str(symbol)):
            return symbol
        case nodes.Name(_, name) if name not in {*build.names.params, *build.names.families, *build.names.arities}:
            return name
    return ""


def check_groups(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about repeated constraints, contained or impossible all-different groups, and clashing givens."""
    yield from _check_duplicates(build)
    groups = [
        (rule, [c for _, c in instances if isinstance(c, AllDifferent) and len(c.elements) > 1])
        for rule, instances in build.instances
    ]
    yield from _check_contained([(rule, group_list) for rule, group_list in groups if group_list], build)
    for rule, group_list in groups:
        yield from _check_room(rule, group_list, build)
    yield from _check_givens(build)


def _check_duplicates(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about clauses with only repeated constraints, and groups with two labels."""
    seen: dict[Hashable, tuple[nodes.Rule, Constraint]] = {}
    for rule, instances in build.instances:
        constraints_by_meaning = {
            _meaning(constraint): constraint
            for _, constraint in reversed(instances)
            if isinstance(constraint, Constraint)
        }
        # A clause is reported only if all its constraints are repeated.
        repeated = [(constraint, *seen[key]) for key, constraint in constraints_by_meaning.items() if key in seen]
        if repeated and len(repeated) == len(constraints_by_meaning):
            constraint, first_rule, earlier_constraint = repeated[-1]
            is_group = isinstance(constraint, AllDifferent)
            message = f"{display_name(constraint)} is {'the same group' if is_group else 'the same'}"
            message += f" as {display_name(earlier_constraint)} of {first_rule.at.line_from(rule.at)}"
            message += ", and so on for the whole clause" if len(constraints_by_meaning) > 1 else ""
            yield Diagnostic(
                "duplicate-group" if is_group else "duplicate-constraint", message, rule.at, "remove one of them"
            )
        yield from _check_renamed(
            rule, [constraint for _, constraint in instances if isinstance(constraint, AllDifferent)]
        )
        for key, constraint in constraints_by_meaning.items():
            seen.setdefault(key, (rule, constraint))


def _check_renamed(rule: nodes.Rule, groups: list[AllDifferent]) -> Iterator[Diagnostic]:
    """Yield a warning if a clause posts one all-different group under two labels."""
    first: dict[Hashable, AllDifferent] = {}
    for group in groups:
        earlier_group = first.setdefault(_meaning(group), group)
        if earlier_group.label != group.label:
            message = f"{group.name} is the same group as {earlier_group.name} of this clause"
            yield Diagnostic("duplicate-group", message, rule.at, "is a generator superfluous, or an index wrong?")
            return


def _meaning(constraint: Constraint) -> Hashable:
    """Return a key that is equal for constraints that differ in labels only.

    The order of the elements of an ``AllDifferent`` does not matter either.
    """
    if isinstance(constraint, AllDifferent):
        return frozenset(constraint.elements)
    return replace(constraint, label="") if constraint.label else constraint


def _check_contained(groups: list[tuple[nodes.Rule, list[AllDifferent]]], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about clauses whose groups are all subsets of other groups.

    Clauses that use facts are not reported, as other facts may make other groups.
    """
    # Index the groups by their elements.
    sets = {group: frozenset(group.elements) for _, group_list in groups for group in group_list}
    places = {group: rule.at for rule, group_list in groups for group in group_list}
    groups_of_element: dict[object, list[AllDifferent]] = {}
    for group, elements in sets.items():
        for element in elements:
            groups_of_element.setdefault(element, []).append(group)
    for rule, group_list in groups:
        if not build.names.arities.keys().isdisjoint(word.name for word in words((rule.head, rule.body))):
            continue
        outer_groups: list[AllDifferent] = []
        for group in group_list:
            # A group around this one has all its elements, so search the groups of the rarest element.
            nearby = min((groups_of_element[element] for element in group.elements), key=len)
            wider_groups = [candidate for candidate in nearby[:CROWD] if sets[group] < sets[candidate]]
            if not wider_groups:
                break
            outer_groups.append(wider_groups[0])
        else:
            group, outer = group_list[0], outer_groups[0]
            message = (
                f"{display_name(group)} is contained in {display_name(outer)} of {places[outer].line_from(rule.at)}"
            )
            message += ", and so on for the whole clause" if len(group_list) > 1 else ""
            yield Diagnostic("contained-group", message, rule.at, "remove this group: the larger one implies it")


def _check_room(rule: nodes.Rule, groups: list[AllDifferent], build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield a warning for the first group where some k elements have fewer values.

    The k elements have these values together.
    """
    for group in groups:
        if not all(element.is_unary for element in group.elements):
            continue
        # Skip large groups, and those in which each element has enough values by size alone.
        domains = [build.names.domains[element.variables[0]] for element in group.elements]
        sizes = sorted(map(len, domains))
        if sum(sizes) > MAX_PAIRS or all(size > number for number, size in enumerate(sizes)):
            continue
        # Find a set of elements that has fewer values than elements.
        images = [list(map(e.image, domain)) for e, domain in zip(group.elements, domains, strict=True)]
        for members, values in tight_sets(images):
            if len(members) > len(values):
                names = ", ".join(str(group.elements[i]) for i in members[:6]) + (", ..." if len(members) > 6 else "")
                message = (
                    f"{display_name(group)} can never hold: {names} have only {brief(ordered(values))} between them"
                )
                yield Diagnostic("too-few-values", message, rule.at, "enlarge their domains, or remove some of them")
                return


def _check_givens(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Yield warnings about equal givens of variables that must differ."""
    # Collect the givens.
    givens: dict[Variable, tuple[Value, nodes.Rule, Env]] = {}
    for rule, instances in build.instances:
        for env, constraint in instances:
            if isinstance(constraint, Constraint) and constraint.given:
                givens.setdefault(constraint.given[0], (constraint.given[1], rule, env))
    # Report each pair of equal givens in a group once.
    reported: set[tuple[Variable, Variable]] = set()
    for constraint in build.model.constraints if givens else ():
        for group in constraint.differing():
            first_variable: dict[Value, Variable] = {}
            for variable in group:
                if variable in givens:
                    value, rule, env = givens[variable]
                    earlier_variable = first_variable.setdefault(value, variable)
                    if (
                        earlier_variable is not variable
                        and (earlier_variable, variable) not in reported
                        and len(reported) < MAX_DIAGNOSTICS
                    ):
                        reported.add((earlier_variable, variable))
                        place, earlier_place = build.place(rule, env), build.place(*givens[earlier_variable][1:])
                        pair = ((variable, place), (earlier_variable, earlier_place))
                        yield _warn_clash(*(pair if place >= earlier_place else pair[::-1]), value, constraint, build)


def _warn_clash(
    later: Fixing, earlier: Fixing, value: Value, constraint: Constraint, build: WatchedBuild
) -> Diagnostic:
    """Return the warning about equal givens of variables that must differ.

    It is placed at the later given.
    """
    (variable, (grid, at)), (earlier_variable, earlier_place) = later, earlier
    message = f"{variable} = {value} clashes with {earlier_variable} = {value} of {build.where(*earlier_place, at)}"
    reason = (
        constraint.place if display_name(constraint) != "this" else f"{constraint.file} line {constraint.line}".strip()
    )
    return Diagnostic("clashing-givens", message, at, f"{reason} keeps them different", grid)

"""What clauses come to once they are evaluated: nothing, what holds anyhow, or what can never hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from csp import AllDifferent, Constraint, Value, Variable, counted, ordered

from ..semantics.clauses.posting import is_about_params
from ..semantics.expressions.binding import all_names
from ..semantics.expressions.constraints import brief
from ..semantics.expressions.names import Env
from ..syntax import nodes
from ..syntax.errors import Diagnostic, suggest_name
from ..syntax.printing.write import write
from ..syntax.vocabulary import CONSTRAINTS
from .build import Instance, WatchedBuild, called
from .clauses import self_comparisons
from .codes import warning
from .words import bound_in, clause_syntax, words


def check_instances(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Warnings about single clauses and variables, for which the spec must have been evaluated."""
    for rule in build.idle:
        if not self_comparisons(rule) and not _is_assertion(rule):
            yield from _does_nothing(rule, build)
    for diagnostic in build.drawing_nothing:
        message = f"this clause draws nothing: {diagnostic.message}"
        yield warning("empty-clause", message, diagnostic.at, "draw it where there is a value")  # type: ignore[arg-type]
    for rule, instances in build.instances:
        unknown = list(_unknown_symbols(rule, build))
        yield from unknown
        if not unknown and not self_comparisons(rule) and not is_about_params(rule, build.names):
            yield from _decided(rule, instances, build)
        yield from _same_labels(rule, instances)
    for variable, term in build.narrowed.items():
        message = f"{variable} has only {build.names.domains[variable][0]} left, by two declarations together"
        yield warning("one-value", message, term.at, f"is it meant as a given? then write {variable} = ...")
    yield from _unused_variables(build)


def _is_assertion(rule: nodes.Rule) -> bool:
    """Whether a rule is ``0 = 1 :- body.``, whose body is meant to be satisfied by nothing."""
    match rule.head:
        case nodes.Comparison(_, nodes.Constant(), _, nodes.Constant()):
            return True
    return False


def _does_nothing(rule: nodes.Rule, build: WatchedBuild) -> Iterator[Diagnostic]:
    """Which condition it is that nothing satisfies, unless that is up to the params, the facts or the picture."""
    relations = build.names.relations
    if any(word.name in relations and not relations[word.name].rows for word in words(rule.body)):
        return
    prefixes = (rule.body[: end + 1] for end in range(len(rule.body)))
    prefix = next((prefix for prefix in prefixes if build.is_empty(prefix)), rule.body)
    literal, meant = prefix[-1], _meant(prefix[-1], build)
    if not meant and _depends(prefix, build):
        return
    message = "this clause does nothing, for nothing satisfies this condition"
    message += "" if build.is_empty((literal,)) else " and those before it"
    match literal:
        case _ if meant:
            hint = f"did you mean {meant}?"
        case nodes.Declaration(_, (nodes.Name(_, name),), domain) if name not in build.names.params:
            hint = f"logical variables begin in uppercase: {name.capitalize()} in {write(domain)}"
        case nodes.Declaration():
            hint = "a range goes from the least to the greatest"
        case nodes.Fact(_, nodes.Call(_, name)):
            hint = f"{name} has {counted(len(relations[name].rows), 'fact')}, and none of them fits"
        case _:
            hint = "mend the condition, or take the clause away"
    yield warning("empty-clause", message, literal.at, hint)


def _depends(prefix: tuple[nodes.Condition, ...], build: WatchedBuild) -> bool:
    """Whether a param, a picture or a fact such as ``sign(plus)`` decides if a clause is for this puzzle."""
    literal = prefix[-1]
    match literal:
        case nodes.Comparison() if not all_names(literal):
            return True
        case nodes.Fact(_, nodes.Call(_, name, arguments)):
            for number, symbol in enumerate(_symbol(argument, build) for argument in arguments):
                known = build.symbols(name, number).known
                others = build.conditions[name] if symbol and symbol not in known else ()
                if any(_symbol(other.arguments[number], build) in known for other in others):
                    return True
    return any(word.name in build.pictures for word in words(prefix))


def _meant(literal: nodes.Condition, build: WatchedBuild) -> str:
    """What a symbol that no fact has is a misspelling of."""
    match literal:
        case nodes.Fact(_, nodes.Call(_, name, arguments)):
            for number, symbol in enumerate(_symbol(argument, build) for argument in arguments):
                alike = build.symbols(name, number)
                if symbol and symbol not in alike.known and (meant := alike.find(symbol)):
                    return meant
    return ""


def _decided(rule: nodes.Rule, instances: list[Instance], build: WatchedBuild) -> Iterator[Diagnostic]:
    known = [(env, made, _holds(made, build)) for env, made in instances]
    never = [(env, made) for env, made, holds in known if holds is False]
    if never:
        env, made = never[0]
        more = f", nor can {len(never) - 1} others of this clause" if len(never) > 1 else ""
        grid, at = build.place(rule, env)
        hint = "the domains of its variables leave no room for it" + _bindings(rule, env, build)
        yield warning("never-true", f"{called(made)} can never hold{more}", at, hint, grid)
    elif instances and all(holds for _, _, holds in known):
        what = "this always holds" if len(instances) == 1 else "all that this clause says always holds"
        hint = "it can be taken away; is something else meant?"
        if all(isinstance(made, AllDifferent) and len(made.elements) == 1 for _, made in instances):
            what, hint = "one variable alone is always different", "list what must differ: all_different([A, B])"
        elif _is_group(rule) and all(made is True for _, made in instances):
            what, hint = "there is nothing in this group", "are its generators empty?"
        yield warning("always-true", what, rule.at, hint)


def _holds(made: Constraint | bool, build: WatchedBuild) -> bool | None:
    domains = build.names.domains
    if not isinstance(made, AllDifferent):
        return build.decided(made) if isinstance(made, Constraint) else made
    values: set[Value] = set()
    for element in made.elements:  # apart from each other, whatever they are
        if not element.is_variable or not values.isdisjoint(domain := domains[element.variables[0]]):
            return True if len(made.elements) == 1 else None
        values.update(domain)
    return True


def _is_group(rule: nodes.Rule) -> bool:
    return isinstance(rule.head, nodes.Fact) and getattr(rule.head.term, "name", "") in CONSTRAINTS


def _bindings(rule: nodes.Rule, env: Env, build: WatchedBuild) -> str:
    used = all_names(rule.head)
    bound = ", ".join(f"{word} = {value}" for word, value in env.items() if word in used)
    fact = build.fact(rule, env)
    return (f"; here {bound}" if bound else "") + (f", says {fact.line_from(rule.at)}" if bound and fact else "")


def _same_labels(rule: nodes.Rule, instances: list[Instance]) -> Iterator[Diagnostic]:
    """A name that does not tell the constraints of a clause apart."""
    constraints = dict.fromkeys(made for _, made in instances if isinstance(made, Constraint))
    count = Counter(made.label for made in constraints if len(made.scope) > 1)  # else the variable tells them apart
    if rule.label and count:
        label, most = count.most_common(1)[0]
        if most > 1:
            message = f"{most:,} constraints of this clause have the same name, {label}"
            inside = all_names(clause_syntax(rule)[:-2])
            others = sorted(all_names(rule.head) & instances[0][0].keys() - inside)
            hint = "put what tells them apart in braces" + (f", such as {{{others[0]}}}" if others else "")
            yield warning("same-label", message, rule.label.at, hint)


def _unused_variables(build: WatchedBuild) -> Iterator[Diagnostic]:
    """Variables that no constraint is about, a warning for each term that declares some; a fixed value is known."""
    used = {variable for constraint in build.model.constraints for variable in constraint.scope}
    idle: dict[int, list[Variable]] = {}
    for variable, domain in build.model.domains.items():
        if variable not in used and len(domain) > 1:
            idle.setdefault(id(build.origins[variable]), []).append(variable)
    for first, *others in idle.values():
        more = f" and {len(others):,} more" if others else ""
        hint = "constrain them, or declare fewer" if others else "constrain it, or take it away"
        yield warning("unused-variable", f"no constraint is about {first}{more}", build.origins[first].at, hint)


def _unknown_symbols(rule: nodes.Rule, build: WatchedBuild) -> Iterator[Diagnostic]:
    """Symbols that are compared with variables that never have them as a value."""
    bound = bound_in(rule, build.names.families)
    for term, other in _compared(rule.head):
        symbol, family = _symbol(other, build), getattr(term, "name", "")
        if symbol and family not in bound and symbol not in build.values.get(family, {symbol: None}):
            known = ordered(build.values[family])
            hint = suggest_name(symbol, [*known, *build.names.params]) or f"its values are {brief(known)}"
            yield warning("unknown-symbol", f"{family} is never {symbol}", other.at, hint)


def _compared(node: nodes.Node) -> Iterator[tuple[nodes.Expr, Any]]:
    """What is said to be equal to what, or not."""
    for part in nodes.walk(node):
        match part:
            case nodes.Comparison(_, left, _, right):
                yield left, right
                yield right, left
            case nodes.Declaration(_, (term,), nodes.Union(_, values)):
                yield from ((term, value) for value in values)


def _symbol(node: nodes.Node, build: WatchedBuild) -> str:
    """The symbol that is written here, if any."""
    match node:
        case nodes.Constant(_, str(symbol)):
            return symbol
        case nodes.Name(_, name) if name not in {*build.names.params, *build.names.families, *build.names.arities}:
            return name
    return ""

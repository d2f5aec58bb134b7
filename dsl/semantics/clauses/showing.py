"""Evaluates the clauses that do not constrain: ``show``, ``draw``, ``minimize`` and ``maximize``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from csp import Affine, Constraint, Drawn, Entry, ModelError, Objective, Value

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Undefined, suggest_name
from ..expressions.arithmetic import numeric_variables
from ..expressions.bodies import has_choices
from ..expressions.compiler import Compiler
from ..expressions.constraints import check_nesting
from ..expressions.names import Env, Evaluate, Names, Scope
from .observing import ClauseObserver


def show(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> tuple[list[str], list[Entry]]:
    """Return what ``show`` clauses list: families of variables, and entries of layouts.

    Both are empty if the spec has no ``show`` clause; then answers show all variables. Clauses that show nothing are
    reported.
    """
    clauses = list(clauses)
    # A plain name shows a family; a term or an equation is an entry of a layout.
    families: dict[str, None] = {}
    layout: list[Entry] = []
    declared = {variable.family for variable in names.domains}
    for clause in clauses:
        for item, body in _items(clause):
            with diagnostics.collecting(item.at):
                if isinstance(item.term, nodes.Call) or item.value is not None:
                    layout += _make_entries(item, body, names)
                else:
                    _check_family(item.term, body, declared, names)
                    families[item.term.name] = None
    first_at = next((item.at for clause in clauses for item, _ in _items(clause)), None)
    if first_at and not diagnostics and not families and not layout:
        diagnostics.append(
            Diagnostic(
                "nothing-to-show", "nothing to show", first_at, "nothing satisfies the condition after the colon"
            )
        )
    return list(families), list(dict.fromkeys(layout))


def collect_drawings(
    clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics, observer: ClauseObserver
) -> list[Drawn]:
    """Return the shapes that the ``draw`` clauses draw on the board.

    A shape with an undefined expression is left out. The observer is informed of clauses that draw nothing because of
    that.
    """
    drawn: list[Drawn] = []
    for clause in clauses:
        if isinstance(clause, nodes.Draw):
            with diagnostics.collecting(clause.item.at):
                undefined: list[Undefined] = []
                entries = list(_make_drawings(clause, names, undefined))
                drawn += entries
                if undefined and not entries:
                    observer.on_undrawn(undefined[0])
    return drawn


def _make_drawings(clause: nodes.Draw, names: Names, undefined: list[Undefined]) -> Iterator[Drawn]:
    """Yield the shapes that one ``draw`` clause draws; refuse unknown kinds and wrong arguments.

    Items with an undefined expression are skipped; their diagnostics are appended to ``undefined``.
    """
    term, value = clause.item.term, clause.item.value
    at, parts = term.at._replace(width=len(term.name)), nodes.arguments(term)
    # Check the kind and the number of its arguments.
    kind = Drawn.kinds.get(term.name)
    if kind is None:
        raise Diagnostic(
            "unknown-drawing",
            f"unknown shape: {term.name}",
            at,
            suggest_name(term.name, Drawn.kinds) or f"write {_join_words(Drawn.kinds)}",
        )
    if len(parts) not in kind.lengths:
        forms = [f"{term.name}({form})" for form in kind.forms]
        raise Diagnostic(
            "wrong-arguments",
            f"{term.name} cannot have {len(parts)} arguments",
            at,
            f"write {_join_words(forms)}",
        )
    words = [part.name for part in parts if isinstance(part, nodes.Name)]
    # Some kinds are drawn for whole families.
    if term.name in Drawn.family_kinds and not any(isinstance(part, nodes.Call) for part in parts):
        for part in parts:
            name = getattr(part, "name", "")
            if name not in names.families or value is not None:
                hint = (
                    suggest_name(name, names.families)
                    or f"write {term.name}({kind.forms[0]}) with families of variables"
                )
                raise Diagnostic("bad-drawing", f"{term.name} needs families of variables", part.at, hint)
        yield Drawn(term.name, tuple(words))
        return
    # The name of a colour is a colour, even if the spec gives it another meaning.
    if kind.value.startswith("colour") and isinstance(value, nodes.Name) and value.name in Drawn.colours:
        value = nodes.Constant(value.at, value.name)
    # All other drawings have a position for each binding of the body.
    for parts_of_entry in _evaluate_entries(
        clause.item, clause.body, names, (*parts, *([] if value is None else [value])), undefined
    ):
        try:
            yield Drawn(term.name, *parts_of_entry)
        except ModelError as error:
            hint = suggest_name(parts_of_entry.value, Drawn.colours) if isinstance(parts_of_entry.value, str) else ""
            if parts_of_entry.value is None:
                hint = f"write {term.name}({kind.forms[0]}) = V; circle, disc and square need no text"
            raise Diagnostic("bad-drawing", str(error), at if value is None else value.at, hint) from None


def _join_words(words: Iterable[str]) -> str:
    """Join words to a text such as "a, b or c"."""
    *first_words, last = words
    return f"{', '.join(first_words)} or {last}" if first_words else last


def _items(clause: nodes.Clause) -> Iterator[tuple[nodes.Shown, tuple[nodes.Condition, ...] | None]]:
    """Yield each item of a ``show`` clause with its body; nothing for other clauses.

    Only the last item has the clause's body; the body of the others is None.
    """
    if isinstance(clause, nodes.Show):
        *whole_items, last = clause.items
        yield from ((item, None) for item in whole_items)
        yield last, clause.body


def _check_family(
    term: nodes.Name | nodes.Call, body: tuple[nodes.Condition, ...] | None, declared: set[str], names: Names
) -> None:
    """Raise an error if ``show`` cannot show a whole family.

    The family is undeclared, has no variable, or has generators.
    """
    name = term.name
    if name not in names.families:
        raise Diagnostic("unknown-name", f"unknown variable: {name}", term.at, suggest_name(name, declared))
    if name not in declared:
        raise Diagnostic("nothing-declared", f"the declaration of {name} declares no variable to show", term.at)
    if body is not None:
        hint = f"for some of them, write {name}(I) : I in 1..3"
        raise Diagnostic(
            "misplaced-generators", f"this shows all variables of {name} and has no generators", term.at, hint
        )


def _make_entries(item: nodes.Shown, body: tuple[nodes.Condition, ...] | None, names: Names) -> Iterator[Entry]:
    """Return an iterator over the layout entries of an item of a ``show`` clause.

    An unknown variable is an error.
    """
    term = item.term
    if item.value is None and term.name not in names.families:
        hint = suggest_name(term.name, names.families) or f"for a layout, write {term.name}(...) = V"
        raise Diagnostic("unknown-name", f"unknown variable: {term.name}", term.at._replace(width=len(term.name)), hint)
    parts = (*nodes.arguments(term), term if item.value is None else item.value)
    return (Entry(term.name, *parts_of_entry) for parts_of_entry in _evaluate_entries(item, body, names, parts))


class _EntryParts(NamedTuple):
    """The evaluated parts of an entry of a ``show`` or ``draw`` clause, except its name."""

    indices: tuple[Affine | Value, ...]
    value: Affine | Value | None
    condition: Constraint | None


def _evaluate_entries(
    item: nodes.Shown,
    body: tuple[nodes.Condition, ...] | None,
    names: Names,
    parts: tuple[nodes.Argument, ...],
    undefined: list[Undefined] | None = None,
) -> Iterator[_EntryParts]:
    """Yield an item's evaluated entry for each binding that may satisfy its body.

    ``parts`` are the indices of the entry, and its value, if it has one. With a list ``undefined``, the function
    skips an entry with an undefined expression and appends the diagnostic to the list.
    """
    term = item.term
    has_value = len(parts) > len(nodes.arguments(term))
    compiler = Compiler(names)
    # Refuse a body that gives values to a puzzle variable.
    has_choices(nodes.Call(item.at, term.name, parts, body), Scope(), names)
    comprehension = [nodes.Comprehension(item.at, term, body or ())]
    # A condition on puzzle variables stays with the entry; a false one removes it.
    for condition, evaluate_row, _ in compiler.choices(
        comprehension, None, Scope(), lambda _, scope: _compile_row(parts, scope, compiler)
    )({}):
        if condition is not False:
            try:
                indices = evaluate_row()
            except Undefined as diagnostic:
                if undefined is None:
                    raise
                undefined.append(diagnostic.with_traceback(None))
                continue
            value = indices.pop() if has_value else None
            check_nesting([*indices, value, condition], names, item.at)
            yield _EntryParts(tuple(indices), value, condition if isinstance(condition, Constraint) else None)


def _compile_row(parts: Iterable[nodes.Argument], scope: Scope, compiler: Compiler) -> Evaluate:
    """Compile expressions to a function from an environment to the list of their values."""
    evaluators = [compiler.expression(part, scope) for part in parts]

    def row(env: Env) -> list[Affine | Value]:
        return [_unwrap_constant(evaluate(env)) for evaluate in evaluators]

    return row


def _unwrap_constant(part: Affine | Value) -> Affine | Value:
    """Convert an expression without variables to its integer; return others unchanged."""
    return part.constant if isinstance(part, Affine) and not part.terms else part


def read_objective(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> Objective | None:
    """Return the objective of the clause ``minimize`` or ``maximize``; None without one.

    A second clause of this kind is reported as an error.
    """
    objective: Objective | None = None
    first_at: nodes.Place | None = None
    for clause in clauses:
        if isinstance(clause, nodes.Objective):
            with diagnostics.collecting(clause.at):
                # An objective clause lists all its expressions; a second clause is an error.
                if first_at is not None:
                    hint = "write all in one clause, the most important first: minimize(A, B)."
                    raise Diagnostic(
                        "said-twice", f"{first_at.line_from(clause.at)} already states the objective", clause.at, hint
                    )
                first_at = clause.at
                expression, *lower_priorities = [_evaluate_part(part, names, clause.at) for part in clause.expressions]
                objective = Objective(
                    clause.sense, expression, tuple(lower_priorities), line=clause.at.line, file=clause.at.file
                )
    return objective


def _evaluate_part(node: nodes.Expr, names: Names, at: nodes.Place) -> Affine:
    """Evaluate an expression of an objective; refuse symbols and constant expressions."""
    expression = Compiler(names).expression(node, Scope())({})
    if not isinstance(expression, Affine) or not expression.variables:
        raise Diagnostic(
            "constant-objective", "the objective contains no puzzle variable, so all answers are equally good", at
        )
    for variable in numeric_variables(expression):
        if isinstance(symbol := names.domains[variable][-1], str):
            raise Diagnostic(
                "symbol-not-number", f"an objective needs numbers, and {variable} can be the symbol {symbol}", node.at
            )
    check_nesting([expression], names, node.at)
    return expression

"""What answers print: families of variables, and layouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from csp import Affine, Constraint, Drawn, Entry, ModelError, Value

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Undefined, suggest_name
from ..expressions.compiler import Compiler
from ..expressions.names import Env, Evaluate, Names, Scope
from .nesting import check_nesting
from .observer import ClauseObserver


def show(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> tuple[list[str], list[Entry]]:
    """The families that answers print, and what they print in places of its own; nothing where they print all."""
    clauses = list(clauses)
    families: dict[str, None] = {}
    layout: list[Entry] = []
    declared = {variable.family for variable in names.domains}
    for clause in clauses:
        for item, body in _items(clause):
            with diagnostics.collecting(item.at):
                if isinstance(item.term, nodes.Call) or item.value is not None:
                    layout += _shown(item, body, names)
                else:
                    _check(item.term, body, declared, names)
                    families[item.term.name] = None
    empty = next((item.at for clause in clauses for item, _ in _items(clause)), None)
    if empty and not diagnostics and not families and not layout:
        diagnostics.append(Diagnostic("there is nothing to show", empty, "nothing satisfies what follows the colon"))
    return list(families), list(dict.fromkeys(layout))


def drawn_of(
    clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics, observer: ClauseObserver
) -> list[Drawn]:
    """What pictures show besides; what has no value is not drawn."""
    drawn: list[Drawn] = []
    for clause in clauses:
        if isinstance(clause, nodes.Draw):
            with diagnostics.collecting(clause.item.at):
                undefined: list[Undefined] = []
                entries = list(_drawn(clause, names, undefined))
                drawn += entries
                if undefined and not entries:
                    observer.undrawn(undefined[0])
    return drawn


def _drawn(clause: nodes.Draw, names: Names, undefined: list[Undefined]) -> Iterator[Drawn]:
    term, value = clause.item.term, clause.item.value
    at, parts = term.at._replace(width=len(term.name)), nodes.arguments(term)
    kind = Drawn.kinds.get(term.name)
    if kind is None:
        raise Diagnostic(
            f"nothing drawn is called {term.name}",
            at,
            suggest_name(term.name, Drawn.kinds) or f"it is {_either(Drawn.kinds)}",
        )
    if len(parts) not in kind.lengths:
        forms = [f"{term.name}({form})" for form in kind.forms]
        raise Diagnostic(f"{term.name} has {len(parts)} arguments here", at, f"it is {_either(forms)}")
    words = [part.name for part in parts if isinstance(part, nodes.Name)]
    if term.name in Drawn.about and not any(isinstance(part, nodes.Call) for part in parts):
        for part in parts:
            name = getattr(part, "name", "")
            if name not in names.families or value is not None:
                hint = (
                    suggest_name(name, names.families) or f"it is {term.name}({kind.forms[0]}) of families of variables"
                )
                raise Diagnostic(f"{term.name} is told something else than families", part.at, hint)
        yield Drawn(term.name, tuple(words))
        return
    if kind.value.startswith("colour") and isinstance(value, nodes.Name) and value.name in Drawn.colours:
        value = nodes.Constant(value.at, value.name)  # whatever else is called so
    for said in _entries(clause.item, clause.body, names, (*parts, *([] if value is None else [value])), undefined):
        try:
            yield Drawn(term.name, *said)
        except ModelError as error:
            hint = suggest_name(said.value, Drawn.colours) if isinstance(said.value, str) else ""
            if said.value is None:
                hint = f"write {term.name}({kind.forms[0]}) = V; circle, disc and square need no text"
            raise Diagnostic(str(error), at if value is None else value.at, hint) from None


def _either(words: Iterable[str]) -> str:
    *before, last = words
    return f"{', '.join(before)} or {last}" if before else last


def _items(clause: nodes.Clause) -> Iterator[tuple[nodes.Shown, tuple[nodes.Condition, ...] | None]]:
    """What a clause shows; its body is that of the last."""
    if isinstance(clause, nodes.Show):
        *before, last = clause.items
        yield from ((item, None) for item in before)
        yield last, clause.body


def _check(
    term: nodes.Name | nodes.Call, body: tuple[nodes.Condition, ...] | None, declared: set[str], names: Names
) -> None:
    """All variables of a family are shown, without generators."""
    name = term.name
    if name not in names.families:
        raise Diagnostic(f"there is no variable {name} to show", term.at, suggest_name(name, declared))
    if name not in declared:
        raise Diagnostic(f"the declaration of {name} declares nothing to show", term.at)
    if body is not None:
        hint = f"some of them are {name}(I) : I in 1..3"
        raise Diagnostic(f"this shows all variables of {name} and has no generators", term.at, hint)


def _shown(item: nodes.Shown, body: tuple[nodes.Condition, ...] | None, names: Names) -> Iterator[Entry]:
    """The places of a layout."""
    term = item.term
    if item.value is None and term.name not in names.families:
        hint = suggest_name(term.name, names.families) or f"a layout says what stands there, {term.name}(...) = V"
        raise Diagnostic(f"there is no variable {term.name} to show", term.at._replace(width=len(term.name)), hint)
    parts = (*nodes.arguments(term), term if item.value is None else item.value)
    return (Entry(term.name, *said) for said in _entries(item, body, names, parts))


class _Said(NamedTuple):
    """What an entry says besides its name."""

    indices: tuple[Affine | Value, ...]
    value: Affine | Value | None
    condition: Constraint | None


def _entries(
    item: nodes.Shown,
    body: tuple[nodes.Condition, ...] | None,
    names: Names,
    parts: tuple[nodes.Argument, ...],
    undefined: list[Undefined] | None = None,
) -> Iterator[_Said]:
    """For everything that the body generates; without a value where the parts have no more than the indices.

    With a list ``undefined``, entries that have no value are left out, and their mistakes are added to it.
    """
    term = item.term
    has_value = len(parts) > len(nodes.arguments(term))
    compiler = Compiler(names)
    compiler.has_choices(nodes.Call(item.at, term.name, parts, body), Scope())
    every = [nodes.Comprehension(item.at, term, body or ())]
    for held, row, _ in compiler.choices(every, None, Scope(), lambda _, scope: _row(parts, scope, compiler))({}):
        if held is not False:
            try:
                indices = row()
            except Undefined as diagnostic:
                if undefined is None:
                    raise
                undefined.append(diagnostic.with_traceback(None))
                continue
            value = indices.pop() if has_value else None
            check_nesting([*indices, value, held], names, item.at)
            yield _Said(tuple(indices), value, held if isinstance(held, Constraint) else None)


def _row(parts: Iterable[nodes.Argument], scope: Scope, compiler: Compiler) -> Evaluate:
    """The indices and the value."""
    each = [compiler.expression(part, scope) for part in parts]

    def row(env: Env) -> list[Affine | Value]:
        return [_plain(one(env)) for one in each]

    return row


def _plain(part: Affine | Value) -> Affine | Value:
    return part.constant if isinstance(part, Affine) and not part.terms else part

"""What answers print: families of variables, and layouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from csp import Affine, Constraint, Drawn, Entry, ModelError, Value

from ...text import syntax
from ...text.errors import Mistake, Mistakes, Undefined, near
from ..expressions.compiler import Compiler
from ..expressions.names import Env, Evaluate, Names, Scope
from .nesting import check_nesting
from .watch import ClauseObserver


def show(clauses: Iterable[syntax.Clause], names: Names, mistakes: Mistakes) -> tuple[list[str], list[Entry]]:
    """The families that answers print, and what they print in places of its own; nothing where they print all."""
    clauses = list(clauses)
    families: dict[str, None] = {}
    layout: list[Entry] = []
    declared = {variable.family for variable in names.domains}
    for clause in clauses:
        for item, body in _items(clause):
            with mistakes.collecting(item.at):
                if isinstance(item.term, syntax.Call) or item.value is not None:
                    layout += _shown(item, body, names)
                else:
                    _check(item.term, body, declared, names)
                    families[item.term.name] = None
    empty = next((item.at for clause in clauses for item, _ in _items(clause)), None)
    if empty and not mistakes and not families and not layout:
        mistakes.append(Mistake("there is nothing to show", empty, "nothing satisfies what follows the colon"))
    return list(families), list(dict.fromkeys(layout))


def drawn_of(clauses: Iterable[syntax.Clause], names: Names, mistakes: Mistakes, watch: ClauseObserver) -> list[Drawn]:
    """What pictures show besides; what has no value is not drawn."""
    drawn: list[Drawn] = []
    for clause in clauses:
        if isinstance(clause, syntax.Draw):
            with mistakes.collecting(clause.item.at):
                undefined: list[Undefined] = []
                entries = list(_drawn(clause, names, undefined))
                drawn += entries
                if undefined and not entries:
                    watch.undrawn(undefined[0])
    return drawn


def _drawn(clause: syntax.Draw, names: Names, undefined: list[Undefined]) -> Iterator[Drawn]:
    term, value = clause.item.term, clause.item.value
    at, parts = term.at._replace(width=len(term.name)), syntax.arguments(term)
    kind = Drawn.kinds.get(term.name)
    if kind is None:
        raise Mistake(
            f"nothing drawn is called {term.name}", at, near(term.name, Drawn.kinds) or f"it is {_either(Drawn.kinds)}"
        )
    if len(parts) not in kind.lengths:
        forms = [f"{term.name}({form})" for form in kind.forms]
        raise Mistake(f"{term.name} has {len(parts)} arguments here", at, f"it is {_either(forms)}")
    words = [part.name for part in parts if isinstance(part, syntax.Name)]
    if term.name in Drawn.about and not any(isinstance(part, syntax.Call) for part in parts):
        for part in parts:
            name = getattr(part, "name", "")
            if name not in names.families or value is not None:
                hint = near(name, names.families) or f"it is {term.name}({kind.forms[0]}) of families of variables"
                raise Mistake(f"{term.name} is told something else than families", part.at, hint)
        yield Drawn(term.name, tuple(words))
        return
    if kind.value.startswith("colour") and isinstance(value, syntax.Name) and value.name in Drawn.colours:
        value = syntax.Constant(value.at, value.name)  # whatever else is called so
    for said in _entries(clause.item, clause.body, names, (*parts, *([] if value is None else [value])), undefined):
        try:
            yield Drawn(term.name, *said)
        except ModelError as error:
            hint = near(said.value, Drawn.colours) if isinstance(said.value, str) else ""
            if said.value is None:
                hint = f"write {term.name}({kind.forms[0]}) = V; circle, disc and square need no text"
            raise Mistake(str(error), at if value is None else value.at, hint) from None


def _either(words: Iterable[str]) -> str:
    *before, last = words
    return f"{', '.join(before)} or {last}" if before else last


def _items(clause: syntax.Clause) -> Iterator[tuple[syntax.Shown, tuple[syntax.Condition, ...] | None]]:
    """What a clause shows; its body is that of the last."""
    if isinstance(clause, syntax.Show):
        *before, last = clause.items
        yield from ((item, None) for item in before)
        yield last, clause.body


def _check(
    term: syntax.Name | syntax.Call, body: tuple[syntax.Condition, ...] | None, declared: set[str], names: Names
) -> None:
    """All variables of a family are shown, without generators."""
    name = term.name
    if name not in names.families:
        raise Mistake(f"there is no variable {name} to show", term.at, near(name, declared))
    if name not in declared:
        raise Mistake(f"the declaration of {name} declares nothing to show", term.at)
    if body is not None:
        hint = f"some of them are {name}(I) : I in 1..3"
        raise Mistake(f"this shows all variables of {name} and has no generators", term.at, hint)


def _shown(item: syntax.Shown, body: tuple[syntax.Condition, ...] | None, names: Names) -> Iterator[Entry]:
    """The places of a layout."""
    term = item.term
    if item.value is None and term.name not in names.families:
        hint = near(term.name, names.families) or f"a layout says what stands there, {term.name}(...) = V"
        raise Mistake(f"there is no variable {term.name} to show", term.at._replace(width=len(term.name)), hint)
    parts = (*syntax.arguments(term), term if item.value is None else item.value)
    return (Entry(term.name, *said) for said in _entries(item, body, names, parts))


class _Said(NamedTuple):
    """What an entry says besides its name."""

    indices: tuple[Affine | Value, ...]
    value: Affine | Value | None
    condition: Constraint | None


def _entries(
    item: syntax.Shown,
    body: tuple[syntax.Condition, ...] | None,
    names: Names,
    parts: tuple[syntax.Argument, ...],
    undefined: list[Undefined] | None = None,
) -> Iterator[_Said]:
    """For everything that the body generates; without a value where the parts have no more than the indices.

    With a list ``undefined``, entries that have no value are left out, and their mistakes are added to it.
    """
    term = item.term
    has_value = len(parts) > len(syntax.arguments(term))
    compiler = Compiler(names)
    compiler.has_choices(syntax.Call(item.at, term.name, parts, body), Scope())
    every = [syntax.Comprehension(item.at, term, body or ())]
    for held, row, _ in compiler.choices(every, None, Scope(), lambda _, scope: _row(parts, scope, compiler))({}):
        if held is not False:
            try:
                indices = row()
            except Undefined as mistake:
                if undefined is None:
                    raise
                undefined.append(mistake.with_traceback(None))
                continue
            value = indices.pop() if has_value else None
            check_nesting([*indices, value, held], names, item.at)
            yield _Said(tuple(indices), value, held if isinstance(held, Constraint) else None)


def _row(parts: Iterable[syntax.Argument], scope: Scope, compiler: Compiler) -> Evaluate:
    """The indices and the value."""
    each = [compiler.expression(part, scope) for part in parts]

    def row(env: Env) -> list[Affine | Value]:
        return [_plain(one(env)) for one in each]

    return row


def _plain(part: Affine | Value) -> Affine | Value:
    return part.constant if isinstance(part, Affine) and not part.terms else part

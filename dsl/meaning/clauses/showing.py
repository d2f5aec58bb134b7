"""What answers print: families of variables, and layouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from csp import Affine, Constraint, Entry, Value

from ...text import syntax
from ...text.errors import Mistake, Mistakes, near
from ..expressions.compiler import Compiler
from ..expressions.names import Env, Evaluate, Names, Scope


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
                    layout += _entries(item, body, names)
                else:
                    _check(item.term, body, declared, names)
                    families[item.term.name] = None
    empty = next((item.at for clause in clauses for item, _ in _items(clause)), None)
    if empty and not mistakes and not families and not layout:
        mistakes.append(Mistake("there is nothing to show", empty, "nothing satisfies what follows the colon"))
    return list(families), list(dict.fromkeys(layout))


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


def _entries(item: syntax.Shown, body: tuple[syntax.Condition, ...] | None, names: Names) -> Iterator[Entry]:
    """The places of a layout, for everything that the body generates."""
    term = item.term
    if item.value is None and term.name not in names.families:
        hint = near(term.name, names.families) or f"a layout says what stands there, {term.name}(...) = V"
        raise Mistake(f"there is no variable {term.name} to show", term.at._replace(width=len(term.name)), hint)
    parts = (*syntax.arguments(term), term if item.value is None else item.value)
    compiler = Compiler(names)
    compiler.has_choices(syntax.Call(item.at, term.name, parts, body), Scope())
    every = [syntax.Comprehension(item.at, term, body or ())]
    for held, row, _ in compiler.choices(every, None, Scope(), lambda _, scope: _row(parts, scope, compiler))({}):
        if held is not False:
            *indices, value = row()
            condition = held if isinstance(held, Constraint) else None
            yield Entry(term.name, tuple(indices), value, condition)


def _row(parts: Iterable[syntax.Argument], scope: Scope, compiler: Compiler) -> Evaluate:
    """The indices and the value."""
    each = [compiler.expression(part, scope) for part in parts]

    def row(env: Env) -> list[Affine | Value]:
        return [_plain(one(env)) for one in each]

    return row


def _plain(part: Affine | Value) -> Affine | Value:
    return part.constant if isinstance(part, Affine) and not part.terms else part

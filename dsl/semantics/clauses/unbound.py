"""Explains indices without values, and proposes generators for them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Edit, Suggestion
from ...syntax.grids import size_of
from ...syntax.write import write
from ..expressions.binding import all_names, binders, free_names, plain_names
from ..expressions.named import substitute
from ..expressions.names import Names

Index = tuple[str, int]
"""A family of puzzle variables, and the number of one of its indices."""


@contextmanager
def explaining_unbound(rule: nodes.Rule, names: Names) -> Iterator[None]:
    """Return a context manager that explains an error for an index without a value.

    The message then names all such indices of the clause's head, and the hint gives them values.
    """
    try:
        yield
    except Diagnostic as diagnostic:
        indices = _find_unbound(rule.head, binders(rule.body, (), names.families), names)
        name = diagnostic.message.split()[0]
        if diagnostic.code == "unbound-variable" and name in indices and "did you mean" not in diagnostic.hint:
            diagnostic.at = indices[name][0]
            _explain(diagnostic, name, rule, {word: index for word, (_, index) in indices.items()}, names)
        raise


def _find_unbound(head: nodes.Condition, bound: Collection[str], names: Names) -> dict[str, tuple[nodes.Place, Index]]:
    """Find the logical variables without values in a head's indices.

    Returns by name the place of each one, and its family and the number of the index.
    """
    free = free_names(head, bound).difference(bound, names.families)
    found: dict[str, tuple[nodes.Place, Index]] = {}
    for term in nodes.walk(head):
        if isinstance(term, nodes.Call) and term.name in names.families:
            for number, argument in enumerate(term.arguments):
                for part in nodes.walk(argument):
                    if isinstance(part, nodes.Logical) and part.name in free:
                        found.setdefault(part.name, (part.at, (term.name, number)))
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def _explain(diagnostic: Diagnostic, name: str, rule: nodes.Rule, indices: dict[str, Index], names: Names) -> None:
    """Set the message and hint of an error for the index ``name`` without a value."""
    # A symbol with a capital letter.
    family, number = indices[name]
    columns = [key[1:] for key in names.variables if key[0] == family and len(key) > number + 1]
    symbol = next((key[number] for key in columns if key[number] in (name.lower(), name.capitalize())), None)
    if isinstance(symbol, str):
        diagnostic.message = f"{name} is read as a variable, because it begins with a capital letter"
        diagnostic.hint = Suggestion(f"write {symbol} for a symbol", symbol)
        return
    # A list of one element without generators.
    for term in nodes.walk(rule.head):
        match term:
            case nodes.Call(at, word, (nodes.Call() as element,), None) if (
                word not in names.families and name in all_names(element)
            ):
                text = f"{word}({write(element)} : {', '.join(_write_generators(rule, {name: indices[name]}, names))})"
                diagnostic.hint = Suggestion(f"write {text}", Edit(at, text))
                return
    # Otherwise generators are missing.
    if len(indices) > 1:
        *first, last = indices
        words = f"{', '.join(first)} and {last}"
        reason = "no condition gives them one" if rule.body else f"this clause does not say what {words} are"
        diagnostic.message = f"{words} have no value: {reason}"
    elif not rule.body:
        diagnostic.message = f"{name} has no value: this clause does not say what {name} is"
    generators = ", ".join(_write_generators(rule, indices, names))
    before, end = (", ", rule.body[-1].at) if rule.body else (" :- ", rule.head.at)
    end = end._replace(column=end.column + end.width, width=0)
    start = "add to the body:" if rule.body else "add a body, :-"
    diagnostic.hint = Suggestion(f"{start} {generators}", Edit(end, f"{before}{generators}"))


def _write_generators(rule: nodes.Rule, indices: dict[str, Index], names: Names) -> list[str]:
    """Return conditions that give values to indices, preferably those of the family's declaration."""
    texts: dict[str, None] = {}
    for family in dict.fromkeys(family for family, _ in indices.values()):
        words = {number: word for word, (own_family, number) in indices.items() if own_family == family}
        declaration = next(
            (clause for clause, _ in names.declarations(family) if clause is not rule and clause.body), None
        )
        conditions = _rename_body(declaration, family, words) if declaration else []
        texts |= dict.fromkeys(conditions or [_write_generator(word, n, names) for n, word in words.items()])
    return list(texts)


def _rename_body(rule: nodes.Rule, family: str, words: dict[int, str]) -> list[str]:
    """Return the conditions that bind indices in a declaration, with other names for the indices.

    ``words`` are the names by the number of the index.
    """
    assert isinstance(rule.head, nodes.Declaration)
    term = next(term for term in rule.head.terms if getattr(term, "name", "") == family)
    renamed: dict[str, nodes.Argument] = {}
    for number, argument in enumerate(nodes.arguments(term)):
        if number in words and isinstance(argument, nodes.Logical):
            renamed[argument.name] = nodes.Logical(argument.at, words[number])
    return [write(substitute(literal, renamed)) for literal in rule.body if all_names(literal) & renamed.keys()]


def _write_generator(word: str, number: int, names: Names) -> str:
    """Return a generator of ``word``.

    It is one of the spec, or has the size of a grid, or an example range.
    """
    for part in nodes.walk(tuple(names.clauses)):
        if isinstance(part, nodes.Declaration) and plain_names(part.terms) == {word} and not all_names(part.domain):
            return write(nodes.Declaration(part.at, (nodes.Logical(part.at, word),), part.domain))
    for clause in names.clauses:
        if isinstance(clause, nodes.Grid) and number < 2:
            if clause.size:
                return f"{word} in 1..{write(clause.size[number])}"
            if size := size_of(clause.text or "", clause.name):
                return f"{word} in 1..{size[number]}"
    return f"{word} in 1..9"

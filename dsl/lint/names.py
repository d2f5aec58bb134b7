"""Names that nothing uses, and names that are hardly the ones that were meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from ..semantics.clauses.definitions import defines_named, is_constraint, is_relation
from ..semantics.expressions.names import Names
from ..syntax import nodes
from ..syntax.errors import Diagnostic, Source
from .codes import Code, warning
from .words import Alike, bound_in, casefolded, clause_syntax, words

UNUSED: dict[str, Code] = {
    "param": "unused-param",
    "grid": "unused-grid",
    "relation": "unused-relation",
    "named constraint": "unused-relation",
}


def check_names(clauses: Sequence[nodes.Clause], names: Names, grids: Mapping[str, Source]) -> Iterator[Diagnostic]:
    """Warnings about names, which need no more than the meaning of each name."""
    vocabulary = Vocabulary(clauses, names)
    yield from vocabulary.unused()
    yield from vocabulary.similar()
    yield from vocabulary.misspelt()
    pictures = [grids[c.name].text if c.name in grids else c.text or "" for c in clauses if isinstance(c, nodes.Grid)]
    tokens = {token for text in pictures for token in (*text.split(), *set(text))}
    for clause in clauses:
        if not isinstance(clause, nodes.Rule | nodes.Param | nodes.Show | nodes.Draw):
            continue
        if bound := bound_in(clause, names.families):
            yield from _singletons(clause, bound)
            yield from _shadowed(clause, bound & names.families)
            yield from vocabulary.lowercase_indices(clause, bound, tokens)


class Vocabulary:
    """The lowercase words of a spec, and what is said of them."""

    def __init__(self, clauses: Sequence[nodes.Clause], names: Names) -> None:
        self._clauses, self._names = clauses, names
        self._declared: dict[str, tuple[str, nodes.Place]] = {}
        for clause in clauses:
            self._declare(clause)
        self._symbols = Counter(symbol for clause in clauses for symbol in self._symbols_of(clause))

    def _declare(self, clause: nodes.Clause) -> None:
        """Params, grids and relations: what each is, and where it is first defined."""
        match clause:
            case nodes.Param(at, name):
                self._declared.setdefault(name, ("param", at))
            case nodes.Grid(at, name):
                self._declared[name] = ("grid", at)
            case nodes.Rule(_, _, nodes.Fact(_, nodes.Name(at, name) | nodes.Call(at, name))):
                if defines_named(clause, self._names):
                    self._declared.setdefault(name, ("named constraint", at._replace(width=len(name))))
                if name in self._names.arities and is_relation(clause, self._names):
                    self._declared.setdefault(name, ("relation", at._replace(width=len(name))))

    def _symbols_of(self, clause: nodes.Clause) -> Iterator[str]:
        """The symbols that a clause writes, each as often as it does."""
        for part in nodes.walk(clause_syntax(clause)):
            if isinstance(part, nodes.Constant) and isinstance(part.value, str):
                yield part.value
            elif isinstance(part, nodes.Name) and self._is_symbol(part.name):
                yield part.name

    def _is_symbol(self, name: str) -> bool:
        return name not in self._declared and name not in self._names.families

    def _used(self) -> set[str]:
        """The words that stand anywhere else than where they are defined."""
        found: set[str] = set()
        for clause in self._clauses:
            match clause:
                case nodes.Rule(_, _, nodes.Fact(_, term)) if not is_constraint(clause, self._names):
                    used: object = (nodes.arguments(term), clause.body)
                case _:
                    used = clause_syntax(clause)
            found.update(part.name for part in words(used))
        return found

    def unused(self) -> Iterator[Diagnostic]:
        """Params, grids and relations that nothing uses."""
        used = self._used()
        alike = Alike(used)
        for name, (what, at) in self._declared.items():
            if name not in used:
                meant = alike.find(name)
                hint = f"is it the same as {meant}?" if meant else f"take it away, or use it: {self._use(what, name)}"
                yield warning(UNUSED[what], f"nothing uses the {what} {name}", at, hint)

    def _use(self, what: str, name: str) -> str:
        if what == "param":
            return f"1..{name}"
        if what == "named constraint":
            return f"{name}(...)."
        arity = self._names.arities.get(name, 0)
        columns = ["R", "C", "V"] if what == "grid" else [f"X{i + 1}" for i in range(min(arity, 5))]
        more = ", ..." if arity > 5 else ""
        return f"... :- {name}({', '.join(columns)}{more})." if arity else f"... :- {name}."

    def similar(self) -> Iterator[Diagnostic]:
        """Declared names that differ only by case."""
        places = {name: at for name, (_, at) in self._declared.items()}
        for clause in self._clauses:
            if isinstance(clause, nodes.Rule) and isinstance(clause.head, nodes.Declaration):
                for term in clause.head.terms:
                    if (name := getattr(term, "name", "")) in self._names.families:
                        places.setdefault(name, term.at._replace(width=len(name)))
        first: dict[str, str] = {}
        for name in sorted(places, key=places.__getitem__):
            other = first.setdefault(casefolded(name), name) if len(casefolded(name)) > 1 else name
            if other != name:
                message = f"{name} and {other} of {places[other].line_from(places[name])} differ only by case"
                yield warning("similar-names", message, places[name], "is one of them misspelt? otherwise rename one")

    def misspelt(self) -> Iterator[Diagnostic]:
        """Symbols that are written once and look like something that has a meaning."""
        alike = Alike([*self._declared, *(family for family in self._names.families if family[0].islower())])
        cased = {casefolded(family): family for family in sorted(self._names.families) if len(family) > 2}
        for clause in self._clauses:
            for part in words(clause_syntax(clause)):
                once = isinstance(part, nodes.Name) and self._symbols[part.name] == 1
                meant = (once and (alike.find(part.name) or cased.get(casefolded(part.name)))) or ""
                if meant and meant != f"{part.name}s":  # beside param rows, row is a word of its own
                    what = self._declared[meant][0] if meant in self._declared else "variable"
                    message = f"{part.name} is a symbol here, and looks like the {what} {meant}"
                    hint = f"did you mean {meant}? a symbol in quotes, '{part.name}', is taken as meant"
                    yield warning("misspelt-symbol", message, part.at, hint)

    def lowercase_indices(
        self, clause: nodes.Clause, bound: Collection[str], tokens: Collection[str]
    ) -> Iterator[Diagnostic]:
        """``cell(r, C)`` where the body binds R; a symbol that stands elsewhere, too, is meant."""
        for call in words(clause_syntax(clause)):
            for part in nodes.arguments(call):
                if isinstance(part, nodes.Name) and part.name not in tokens and self._is_symbol(part.name):
                    meant = next((word for word in (part.name.upper(), part.name.capitalize()) if word in bound), "")
                    if meant and self._symbols[part.name] == list(self._symbols_of(clause)).count(part.name):
                        message = f"{part.name} is a symbol here, and {meant} is what the body binds"
                        hint = f"write {meant}, or '{part.name}' in quotes for the symbol"
                        yield warning("lowercase-index", message, part.at, hint)


def _singletons(clause: nodes.Clause, bound: Collection[str]) -> Iterator[Diagnostic]:
    """Logical variables that stand once, as Prolog warns."""
    parts = [part for part in nodes.walk(clause_syntax(clause)) if isinstance(part, nodes.Logical)]
    count = Counter(part.name for part in parts)
    single = [p for p in parts if count[p.name] == 1 and p.name in bound and not p.name.startswith("_")]
    alike = Alike(count if single else ())
    for part in single:
        meant = alike.find(part.name)
        hint = f"did you mean {meant}?" if meant else f"write _{part.name} if its value does not matter"
        yield warning("singleton", f"{part.name} stands only once in this clause", part.at, hint)


def _shadowed(clause: nodes.Clause, both: Collection[str]) -> Iterator[Diagnostic]:
    """Uppercase words that the body binds, and that are puzzle variables elsewhere."""
    for name in sorted(both):
        at = next(p.at for p in nodes.walk(clause_syntax(clause)) if isinstance(p, nodes.Logical) and p.name == name)
        message = f"{name} is a puzzle variable elsewhere, and stands for the values of the body here"
        yield warning("shadowed-variable", message, at, "call the one or the other something else")

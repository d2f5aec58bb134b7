"""Checks the text of clauses: unused or misspelt names, repetitions, clauses without effect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..semantics.clauses.definitions import defines_named, is_constraint, is_relation
from ..semantics.expressions.names import Names
from ..syntax import nodes
from ..syntax.errors import Diagnostic, Source, Suggestion
from ..syntax.write import write
from .words import Alike, clause_syntax, find_bound_words, fingerprint, fold_case, words

LINE_END_OR = re.compile(r"^[^\s%][^\n%]*(;)[ \t]*(?:%[^\n]*)?\n(?=[^\s%])", re.MULTILINE)
"""Matches ``;`` at the end of a line, before a line without an indent."""

UNUSED: dict[str, str] = {
    "param": "unused-param",
    "grid": "unused-grid",
    "relation": "unused-relation",
    "named constraint": "unused-relation",
}
"""The code of the warning about each kind of unused name."""


def check_names(
    clauses: Sequence[nodes.Clause], names: Names, grids: Mapping[str, Source], proposed: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield warnings about unused, similar, misspelt and shadowed names.

    An error proposes each of the ``proposed`` names, so they are not reported as unused.
    """
    # Names of the whole spec.
    vocabulary = Vocabulary(clauses, names)
    yield from vocabulary.check_unused(proposed)
    yield from vocabulary.check_similar()
    yield from vocabulary.check_misspelt()
    # Names within single clauses; a symbol that a picture has is not suspicious.
    pictures = [grids[c.name].text if c.name in grids else c.text or "" for c in clauses if isinstance(c, nodes.Grid)]
    tokens = {token for text in pictures for token in (*text.split(), *set(text))}
    for clause in clauses:
        if not isinstance(clause, nodes.Rule | nodes.Param | nodes.Show | nodes.Draw):
            continue
        if bound := find_bound_words(clause, names.families):
            yield from _check_singletons(clause, bound - names.families)
            yield from _check_shadowed(clause, bound & names.families)
            yield from vocabulary.check_lowercase_indices(clause, bound, tokens)


class Vocabulary:
    """A checker of a spec's lowercase names: declared names, and symbols."""

    def __init__(self, clauses: Sequence[nodes.Clause], names: Names) -> None:
        self._clauses, self._names = clauses, names
        self._declared: dict[str, tuple[str, nodes.Place]] = {}
        for clause in clauses:
            self._declare(clause)
        self._symbols = Counter(symbol for clause in clauses for symbol in self._symbols_of(clause))

    def _declare(self, clause: nodes.Clause) -> None:
        """Record the param, grid, relation or named constraint that a clause defines."""
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
        """Yield the symbols in a clause, each as often as it occurs."""
        for part in nodes.walk(clause_syntax(clause)):
            if isinstance(part, nodes.Constant) and isinstance(part.value, str):
                yield part.value
            elif isinstance(part, nodes.Name) and self._is_symbol(part.name):
                yield part.name

    def _is_symbol(self, name: str) -> bool:
        """Return whether a lowercase name is a symbol: neither declared nor a variable."""
        return name not in self._declared and name not in self._names.families

    def _find_used_words(self) -> set[str]:
        """Return the lowercase names that occur outside of heads that define them."""
        used_words: set[str] = set()
        for clause in self._clauses:
            match clause:
                # The head of a fact or rule is a definition, and not a use.
                case nodes.Rule(_, _, nodes.Fact(_, term)) if not is_constraint(clause, self._names):
                    syntax: object = (nodes.arguments(term), clause.body)
                case _:
                    syntax = clause_syntax(clause)
            used_words.update(part.name for part in words(syntax))
        return used_words

    def check_unused(self, proposed: Collection[str]) -> Iterator[Diagnostic]:
        """Yield warnings about params, grids, relations and named constraints without a use."""
        used = self._find_used_words()
        alike = Alike(used)
        for name, (kind, at) in self._declared.items():
            if name not in used and name not in proposed:
                meant = alike.find(name)
                hint = (
                    Suggestion(f"do you mean {meant}?", meant)
                    if meant
                    else f"remove it, or use it: {self._write_use(kind, name)}"
                )
                yield Diagnostic(UNUSED[kind], f"nothing uses the {kind} {name}", at, hint)

    def _write_use(self, kind: str, name: str) -> str:
        """Write an example that uses a name, for a hint."""
        if kind == "param":
            return f"1..{name}"
        if kind == "named constraint":
            return f"{name}(...)."
        arity = self._names.arities.get(name, 0)
        columns = ["R", "C", "V"] if kind == "grid" else [f"X{i + 1}" for i in range(min(arity, 5))]
        ending = ", ..." if arity > 5 else ""
        return f"... :- {name}({', '.join(columns)}{ending})." if arity else f"... :- {name}."

    def check_similar(self) -> Iterator[Diagnostic]:
        """Yield warnings about declared names that differ only in case or underscores."""
        places = {name: at for name, (_, at) in self._declared.items()}
        # Families of variables are declared names, too.
        for clause in self._clauses:
            if isinstance(clause, nodes.Rule) and isinstance(clause.head, nodes.Declaration):
                for term in clause.head.terms:
                    if (name := getattr(term, "name", "")) in self._names.families:
                        places.setdefault(name, term.at._replace(width=len(name)))
        first: dict[str, str] = {}
        for name in sorted(places, key=places.__getitem__):
            similar_name = first.setdefault(fold_case(name), name) if len(fold_case(name)) > 1 else name
            if similar_name != name:
                message = (
                    f"{name} and {similar_name} of {places[similar_name].line_from(places[name])} differ only by case"
                )
                yield Diagnostic(
                    "similar-names", message, places[name], "is one of them misspelt? otherwise rename one"
                )

    def check_misspelt(self) -> Iterator[Diagnostic]:
        """Yield warnings about symbols that occur once and resemble a declared name or variable."""
        # Declared names and families may be meant.
        alike = Alike([*self._declared, *(family for family in self._names.families if family[0].islower())])
        cased = {fold_case(family): family for family in sorted(self._names.families) if len(family) > 2}
        for clause in self._clauses:
            for part in words(clause_syntax(clause)):
                is_rare = isinstance(part, nodes.Name) and self._symbols[part.name] == 1
                meant = (is_rare and (alike.find(part.name) or cased.get(fold_case(part.name)))) or ""
                if meant and meant != f"{part.name}s":  # beside param rows, row is a word of its own
                    kind = self._declared[meant][0] if meant in self._declared else "variable"
                    message = f"{part.name} is a symbol here, and looks like the {kind} {meant}"
                    hint = Suggestion(
                        f"did you mean {meant}? otherwise write '{part.name}' in quotes", meant, f"'{part.name}'"
                    )
                    yield Diagnostic("misspelt-symbol", message, part.at, hint)

    def check_lowercase_indices(
        self, clause: nodes.Clause, bound: Collection[str], tokens: Collection[str]
    ) -> Iterator[Diagnostic]:
        """Yield warnings about ``cell(r, C)`` where the body binds R, not r.

        A symbol that also occurs in another clause or in a picture is not reported.
        """
        for call in words(clause_syntax(clause)):
            for part in nodes.arguments(call):
                if isinstance(part, nodes.Name) and part.name not in tokens and self._is_symbol(part.name):
                    meant = next((word for word in (part.name.upper(), part.name.capitalize()) if word in bound), "")
                    if meant and self._symbols[part.name] == list(self._symbols_of(clause)).count(part.name):
                        message = f"{part.name} is a symbol here, and the body binds {meant}"
                        hint = Suggestion(
                            f"write {meant}, or '{part.name}' in quotes for the symbol", meant, f"'{part.name}'"
                        )
                        yield Diagnostic("lowercase-index", message, part.at, hint)


def _check_singletons(clause: nodes.Clause, bound: Collection[str]) -> Iterator[Diagnostic]:
    """Yield warnings about logical variables, without initial ``_``, that occur once in a clause."""
    parts = [part for part in nodes.walk(clause_syntax(clause)) if isinstance(part, nodes.Logical)]
    count = Counter(part.name for part in parts)
    single = [p for p in parts if count[p.name] == 1 and p.name in bound and not p.name.startswith("_")]
    alike = Alike(count if single else ())
    for part in single:
        meant = alike.find(part.name)
        hint = Suggestion(f"write _{part.name} if its value does not matter", f"_{part.name}")
        hint = Suggestion(f"did you mean {meant}?", meant) if meant else hint
        yield Diagnostic("singleton", f"{part.name} occurs only once in this clause", part.at, hint)


def _check_shadowed(clause: nodes.Clause, shadowed: Collection[str]) -> Iterator[Diagnostic]:
    """Yield warnings about logical variables that hide a puzzle variable's name.

    The body of the clause binds them, so they are logical variables there.
    """
    for name in sorted(shadowed):
        at = next(p.at for p in nodes.walk(clause_syntax(clause)) if isinstance(p, nodes.Logical) and p.name == name)
        message = f"{name} is a puzzle variable elsewhere, and a logical variable here"
        yield Diagnostic("shadowed-variable", message, at, _write_condition(clause, name) or "rename one of them")


def _write_condition(clause: nodes.Clause, name: str) -> str:
    """Return the hint for a body such as ``B = 2``, probably a condition; else an empty text.

    ``name`` is the puzzle variable.
    """
    match clause:
        case nodes.Rule(_, _, head, (nodes.Comparison(_, left, "=", right) as condition,)):
            if nodes.Logical(condition.at, name) in (left, right) and not isinstance(head, nodes.Declaration):
                fixed = f"{write(condition)} -> {write(head)}"
                return f'for "if {write(condition)} then {write(head)}", write {fixed}; otherwise rename {name}'
    return ""


def check_clauses(clauses: Sequence[nodes.Clause], names: Names) -> Iterator[Diagnostic]:
    """Yield warnings about needless ``show``, repeated clauses, self-comparisons and sums of one variable."""
    first: dict[tuple[Any, ...], nodes.Rule] = {}
    for clause in clauses:
        # A clause that shows all variables.
        if isinstance(clause, nodes.Show) and names.families == _whole_families(clause):
            message, at = "this shows every variable, which is the default", clause.at._replace(width=len("show"))
            yield Diagnostic("needless-show", message, at, "remove it, or show fewer variables")
        if isinstance(clause, nodes.Rule):
            # A repeated clause.
            earlier_clause = first.setdefault(fingerprint((clause.head, clause.body)), clause)
            if earlier_clause is not clause:
                yield _warn_repeated(clause, earlier_clause, names)
            # A comparison of an expression with itself.
            for node in self_comparisons(clause):
                holds = "always" if node.relation in ("=", "<=", ">=") else "never"
                message = f"both sides of this comparison are equal, so it {holds} holds"
                yield Diagnostic("self-comparison", message, node.at, "compare two different expressions")
            # A sum, minimum or maximum of one variable.
            for call in lone_elements(clause, names):
                (term,) = call.arguments
                message, hint = (
                    f"this is the {call.name} of one element",
                    f"write {call.name}(... : I in 1..3) for several",
                )
                yield Diagnostic("lone-element", message, term.at, hint)


def check_domains(clauses: Sequence[nodes.Clause], names: Names) -> Iterator[Diagnostic]:
    """Yield warnings about domains such as ``1-n`` that are subtractions and look like ranges."""
    params = [clause for clause in clauses if isinstance(clause, nodes.Param)]
    values = {param.name: param.value.value for param in params if isinstance(param.value, nodes.Constant)}
    values.update(names.params)

    def find_number(node: nodes.Argument) -> int | None:
        value = node.value if isinstance(node, nodes.Constant) else values.get(getattr(node, "name", ""))
        return value if isinstance(value, int) else None

    for clause in clauses:
        for part in nodes.walk(clause):
            match part:
                case nodes.Union(_, (nodes.Operation(at, "-", left, nodes.Name() as right),)) if left.at != at:
                    low, high = find_number(left), find_number(right)
                    if low is not None and high is not None and low < high:
                        text = f"{write(left)}..{write(right)}"
                        message = f"{write(left)}-{write(right)} is a subtraction, {low - high}"
                        hint = Suggestion(f"write the range as {text}", text)
                        yield Diagnostic("minus-for-range", message, at, hint)


def check_line_ends(clauses: Sequence[nodes.Clause], sources: Mapping[str, Source]) -> Iterator[Diagnostic]:
    """Yield warnings about ``;`` between two lines that look like clauses."""
    matches = {
        (file, source.text.count("\n", 0, match.start(1)) + 1): match
        for file, source in sources.items()
        for match in LINE_END_OR.finditer(source.text)
        if match[0].count("(") == match[0].count(")")
    }
    # A match is an "or" if alternatives of a clause are on both sides of it, and not in a comment or a picture.
    parts = [part for clause in clauses for part in nodes.walk(clause)] if matches else []
    for part in parts:
        for first, second in pairwise(part.alternatives if isinstance(part, nodes.Disjunction) else ()):
            match = matches.get((first.at.file, second.at.line - 1))
            if match and first.at.line < second.at.line:
                at = nodes.Place(second.at.line - 1, match.start(1) - match.start() + 1, file=first.at.file)
                message = f'; means "or", so this clause continues in line {second.at.line}'
                hint = f"end a clause with a full stop, or write {write(first)} ; {write(second)} on one line"
                yield Diagnostic("line-end-or", message, at, Suggestion(hint, "."))


def _whole_families(clause: nodes.Show) -> set[str]:
    """Return the families that a ``show`` clause lists; empty if it lists anything else."""
    plain = all(isinstance(item.term, nodes.Name) and item.value is None for item in clause.items)
    return {item.term.name for item in clause.items} if plain else set()


def self_comparisons(rule: nodes.Rule) -> list[nodes.Comparison]:
    """Return the comparisons in a clause whose two sides are the same expression."""
    comparisons = [part for part in nodes.walk(clause_syntax(rule)) if isinstance(part, nodes.Comparison)]
    return [node for node in comparisons if fingerprint(node.left) == fingerprint(node.right)]


def lone_elements(rule: nodes.Rule, names: Names) -> list[nodes.Call]:
    """Return a clause's sums, minima and maxima of one variable without generators."""
    return [
        node
        for node in nodes.walk(clause_syntax(rule))
        if isinstance(node, nodes.Call) and node.name in ("sum", "min", "max") and node.body is None
        for term in node.arguments
        if len(node.arguments) == 1 and isinstance(term, nodes.Call | nodes.Name) and term.name in names.families
    ]


def _warn_repeated(rule: nodes.Rule, earlier_rule: nodes.Rule, names: Names) -> Diagnostic:
    """Return the warning about a clause that repeats an earlier one, or an earlier fact."""
    same = (earlier_rule.at.file, earlier_rule.at.line) == (rule.at.file, rule.at.line)
    where = f"column {earlier_rule.at.column} of this line" if same else earlier_rule.at.line_from(rule.at)
    if not rule.body and is_relation(rule, names):
        return Diagnostic("duplicate-fact", f"{where} already states this fact", rule.at, "remove one of them")
    return Diagnostic("duplicate-clause", f"{where} already states the same", rule.at, "remove one of them")

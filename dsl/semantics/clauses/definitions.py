"""Decides what each name of a spec means.

A name is a param, a grid, a family of variables, a relation, a named constraint or a layout.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from graphlib import CycleError, TopologicalSorter

from csp import counted

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Edit, Suggestion, suggest_name
from ...syntax.habits import WORDS
from ...syntax.vocabulary import CONSTRAINTS, FUNCTIONS, RESERVED, SYNONYMS
from ..expressions.binding import binders
from ..expressions.named import find_definitions, parameters
from ..expressions.names import Names

NAMED = (nodes.Logical, nodes.Name, nodes.Call)
"""Syntax that can name a puzzle variable."""


def defines_named(rule: nodes.Rule, names: Names) -> bool:
    """Return whether a rule is among the definitions of the named constraints in ``names``."""
    name = getattr(getattr(rule.head, "term", None), "name", "")
    return any(rule is definition for definition in names.named.get(name, ()))


def is_relation(rule: nodes.Rule, names: Names) -> bool:
    """Return whether a rule is a fact of a relation, or a rule for it."""
    return isinstance(rule.head, nodes.Fact) and not is_constraint(rule, names) and not defines_named(rule, names)


def is_constraint(rule: nodes.Rule, names: Names) -> bool:
    """Return whether a rule makes constraints of the model.

    Other rules declare variables, or define a relation or a named constraint.
    """
    families = names.families
    match rule.head:
        case nodes.Fact(_, nodes.Call(_, name, arguments, body)):
            if name in names.named:
                return not defines_named(rule, names)
            if name in CONSTRAINTS:
                return True
            may_be = body is None and name not in families and nodes.fact_values(rule) is None
            return may_be and _has_puzzle_variables(arguments, rule, families)
        case nodes.Declaration(_, terms):
            return any(
                is_calculated(term) or _has_puzzle_variables(nodes.arguments(term), rule, families) for term in terms
            )
        case nodes.Comparison() | nodes.Compound():
            return True
    return False


def _has_puzzle_variables(arguments: tuple[nodes.Argument, ...], rule: nodes.Rule, families: Set[str]) -> bool:
    """Return whether arguments of a rule's head contain puzzle variables.

    A capitalised name that the body binds is a logical variable.
    """
    candidates = [part for part in nodes.walk(arguments) if part.__class__ in NAMED and part.name in families]
    bound = binders(rule.body, (), families) if candidates else ()
    return any(not (part.name in bound and isinstance(part, nodes.Logical)) for part in candidates)


def is_calculated(term: nodes.Argument) -> bool:
    """Return whether a term is an operation, a list or a call of a function."""
    return isinstance(term, nodes.Operation | nodes.Listing) or (
        isinstance(term, nodes.Call) and term.name in FUNCTIONS
    )


def define_names(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> None:
    """Record the meaning of each name in ``names``; report contradictory definitions.

    The order matters: a constraint is recognised by its families, and all remaining facts and rules define relations.
    """
    clauses = names.clauses = list(clauses)
    meanings = _Meanings(names, diagnostics)
    rules = [clause for clause in clauses if isinstance(clause, nodes.Rule)]
    # Params and grids.
    meanings.declare_inputs(clause for clause in clauses if isinstance(clause, nodes.Param | nodes.Grid))
    for rule in rules:
        if isinstance(rule.head, nodes.Declaration):
            for term in rule.head.terms:
                if not is_calculated(term):
                    meanings.declare_family(term)
    # Constraints on puzzle variables, then the named constraints among the rules.
    posted = {id(rule) for rule in rules if isinstance(rule.head, nodes.Fact) and is_constraint(rule, names)}
    names.named = find_definitions(rules, posted, names.families)
    # Relations: all other facts and rules.
    for rule in rules:
        if is_relation(rule, names):
            meanings.declare_relation(rule.head.term, bool(rule.body))  # type: ignore[union-attr]
    # Named constraints and layouts.
    meanings.declare_named()
    meanings.declare_layouts(clause for clause in clauses if isinstance(clause, nodes.Show))
    for rule in rules:
        meanings.check(rule)


class _Meanings:
    """The meanings of a spec's names so far, and the first definition of each."""

    def __init__(self, names: Names, diagnostics: Diagnostics) -> None:
        self._names, self._diagnostics = names, diagnostics
        self._meanings: dict[str, str] = {}
        self._first: dict[str, nodes.Place] = {}

    def check(self, rule: nodes.Rule) -> None:
        """Report a rule whose head has an unknown name, or that has ``<-`` for ``:-``."""
        match rule.head:
            case nodes.Fact(_, term) if not self._is_known(term) and is_constraint(rule, self._names):
                self._check_posted(term, bool(rule.body))
            case nodes.Comparison(_, _, "<", nodes.Operation(_, "-", zero, nodes.Call(at, name))):
                if name in self._names.arities and zero == nodes.Constant(at, 0):
                    at = at._replace(width=len(name))
                    hint = "write a body after :-, not <-"
                    self._diagnostics.append(Diagnostic("no-value", f"{name} is a relation and has no value", at, hint))

    def declare_named(self) -> None:
        """Record the named constraints, and check their arguments, labels and cycles."""
        named = self._names.named
        # All clauses of one name must have the same number of arguments, and no label.
        for name, rules in named.items():
            words = parameters(rules[0])
            for rule in rules:
                self._define(name, "named constraint", rule.at)
                if rule.label:
                    self._diagnostics.append(
                        Diagnostic("misplaced-label", "only a constraint can have a label", rule.label.at)
                    )
                if len(parameters(rule)) != len(words):
                    at = rule.at._replace(width=len(name))
                    self._report_arity(name, len(parameters(rule)), at, len(words), rules[0].at)
        # A named constraint must not use itself, as each use is expanded.
        needs = {
            name: set().union(*(mentioned_words(rule.body) for rule in of)) & named.keys() for name, of in named.items()
        }
        places = {name: rules[0].at for name, rules in named.items()}
        sort_by_need(needs, places, self._diagnostics, "a named constraint is written out where it is used")

    def declare_layouts(self, clauses: Iterable[nodes.Show]) -> None:
        """Record the names of layouts (printed tables); report unsuitable names.

        A name is unsuitable if it is capitalised or has another meaning.
        """
        for item in [item for clause in clauses for item in clause.items if item.value is not None]:
            if item.term.name[0].islower():
                self._define(item.term.name, "layout", item.term.at)
            else:
                at = item.term.at
                self._diagnostics.append(
                    Diagnostic(
                        "capital-name", f"{item.term.name} is a variable; the name of a layout begins in lowercase", at
                    )
                )

    def _is_known(self, term: nodes.Expr) -> bool:
        """Return whether a term's name is a relation or a (named) constraint."""
        name = getattr(term, "name", "")
        return name in CONSTRAINTS or name in self._names.arities or name in self._names.named

    def _check_posted(self, term: nodes.Expr, has_body: bool) -> None:
        """Report that the head of a clause names no known constraint, with a hint."""
        name = getattr(term, "name", "")
        facts = f"write facts of a relation, such as {name}(1)."
        suggestion = "define a constraint as near(A, B) :- abs(A - B) <= 1." if has_body else facts
        suggestion = f"compare {name} with a number: {name}(A, B) = 10" if name in FUNCTIONS else suggestion
        hint = _hint_for_misspelling(name) or suggest_name(name, self._names.arities) or suggestion
        self._diagnostics.append(
            Diagnostic("unknown-name", f"unknown name: {name}", term.at._replace(width=len(name)), hint)
        )

    def _define(self, name: str, meaning: str, at: nodes.Place) -> None:
        """Record the meaning of a name; report a reserved name or a conflicting definition.

        A definition conflicts with one of another meaning, and with one in another file.
        """
        at = at._replace(width=len(name))
        if name in RESERVED:
            self._diagnostics.append(
                Diagnostic("reserved-word", f"{name} is a word of the language and cannot name a {meaning}", at)
            )
        elif (earlier_meaning := self._meanings.setdefault(name, meaning)) != meaning:
            hint = (
                Suggestion(f"write a range with two dots, 1..{name}", Edit(at._replace(width=0), "."))
                if (earlier_meaning, meaning) == ("param", "relation")
                else ""
            )
            self._diagnostics.append(
                Diagnostic("defined-twice", f"{name} is a {earlier_meaning} and cannot also be a {meaning}", at, hint)
            )
        elif meaning not in ("variable", "layout"):
            self._check_file(name, at)

    def _check_file(self, name: str, at: nodes.Place) -> None:
        """Report a name that is defined here and, earlier, in another file.

        Only variables and layouts may be defined in several files.
        """
        first = self._first.setdefault(name, at)
        if first.file != at.file:
            hint = "a file can replace only params, grids and show of the files that it includes"
            diagnostic = Diagnostic(
                "defined-twice", f"{name} is already defined in {first.line_from(at)}", at, hint, once=True
            )
            self._diagnostics.append(diagnostic)

    def declare_inputs(self, clauses: Iterable[nodes.Param | nodes.Grid]) -> None:
        """Record the names of params and grids; report a second definition of a name."""
        places: dict[str, nodes.Place] = {}
        for clause in clauses:
            is_grid = isinstance(clause, nodes.Grid)
            first = places.setdefault(clause.name, clause.at)
            if clause.name in self._meanings:
                message = f"{clause.name} is already defined in {first.line_from(clause.at)}"
                self._diagnostics.append(Diagnostic("defined-twice", message, clause.at))
                continue
            self._define(clause.name, "grid" if is_grid else "param", clause.at)
            if is_grid:
                self._names.arities[clause.name] = 3

    def declare_family(self, term: nodes.Expr) -> None:
        """Record a family of puzzle variables from the term before ``in``; report other terms.

        A family is ``cell`` in ``cell(1, 2)``.
        """
        if isinstance(term, nodes.Call) and term.body is not None:
            self._diagnostics.append(
                Diagnostic("misplaced-generators", "write the generators of a declaration after :-", term.at)
            )
        elif isinstance(term, nodes.Call | nodes.Name | nodes.Logical) and term.name != "_":
            self._define(term.name, "variable", term.at)
            self._names.families.add(term.name)
        else:
            self._diagnostics.append(
                Diagnostic("no-variable", "expected a variable before in, such as A or cell(R, C)", term.at)
            )

    def declare_relation(self, term: nodes.Expr, has_body: bool) -> None:
        """Record the relation of a fact's or rule's head; report other heads."""
        if not isinstance(term, nodes.Call | nodes.Name):
            hint = "" if isinstance(term, nodes.Constant) else _hint_for_minus(term) or "write a comparison or in"
            self._diagnostics.append(Diagnostic("no-constraint", "this is not a constraint", term.at, hint))
            return
        at, arity = term.at._replace(width=len(term.name)), len(nodes.arguments(term))
        if term.name in self._names.families:
            hint = f"compare it: {term.name}{'(...)' if arity else ''} = ..."
            self._diagnostics.append(
                Diagnostic("no-constraint", f"{term.name} is a variable, not a constraint", at, hint)
            )
        elif self._is_misspelt_group(term, has_body):
            families_in_term = {
                part.name for part in nodes.walk(term) if isinstance(part, NAMED)
            } & self._names.families
            group = Suggestion(f"did you mean {(word := next(iter(CONSTRAINTS)))}?", word)
            facts = f"a fact has values and no lists: {term.name}(1). {term.name}(2)."
            hint = _hint_for_misspelling(term.name) or (group if families_in_term or has_body else facts)
            self._diagnostics.append(Diagnostic("unknown-name", f"unknown name: {term.name}", at, hint))
        elif isinstance(term, nodes.Call) and term.body is not None:
            self._diagnostics.append(Diagnostic("misplaced-generators", "write the generators of a fact after :-", at))
        elif self._meanings.get(term.name) == "grid":
            self._check_file(term.name, at)
            self._check_arity(term.name, arity, at)
        else:
            self._define(term.name, "relation", at)
            self._check_arity(term.name, arity, at)

    def _check_arity(self, name: str, arity: int, at: nodes.Place) -> None:
        """Report a relation's term if an earlier one has another number of arguments."""
        known_arity, first = self._names.arities.setdefault(name, arity), self._first.setdefault(name, at)
        if known_arity != arity:
            self._report_arity(name, arity, at, known_arity, first)

    def _report_arity(self, name: str, arity: int, at: nodes.Place, first_arity: int, first: nodes.Place) -> None:
        """Report a term whose number of arguments differs from the first clause of its name."""
        message = f"{name} has {counted(arity, 'argument')} here, but {first_arity} in {first.line_from(at)}"
        self._diagnostics.append(Diagnostic("wrong-arguments", message, at))

    def _is_misspelt_group(self, term: nodes.Call | nodes.Name, has_body: bool) -> bool:
        """Return whether a fact or rule is probably a constraint with a misspelt name."""
        if not isinstance(term, nodes.Call):
            return False
        lists = term.body is not None or any(isinstance(a, nodes.Listing) for a in term.arguments)
        free = any(isinstance(part, nodes.Logical) for part in nodes.walk(term.arguments)) and not has_body
        return lists or bool(free and _hint_for_misspelling(term.name))


def _hint_for_minus(term: nodes.Argument) -> str:
    """Return the hint for ``all-different`` and similar names, or an empty text.

    They have a minus in place of an underscore.
    """
    match term:
        case nodes.Operation(_, "-", nodes.Name(_, first), nodes.Call(_, second)) if f"{first}_{second}" in RESERVED:
            word = f"{first}_{second}"
            return Suggestion(f"did you mean {word}?", Edit(term.at._replace(width=len(word)), word))
    return ""


def _hint_for_misspelling(name: str) -> str:
    """Return the hint for a name that resembles a word of this or another language.

    The hint is empty without such a word.
    """
    if word := SYNONYMS.get(name):
        return Suggestion(f"did you mean {word}?", word)
    return WORDS.get(name) or suggest_name(name, RESERVED)


def sort_by_need(
    needs: Mapping[str, Collection[str]], places: Mapping[str, nodes.Place], diagnostics: Diagnostics, hint: str = ""
) -> Iterable[str]:
    """Return names so that each follows the names that its definition needs.

    If there is a cycle, it is reported, and no names are returned.
    """
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        cycle = error.args[1]
        through = f", through {' and '.join(cycle[1:-1])}" if len(cycle) > 2 else ""
        at = places[cycle[0]]._replace(width=len(cycle[0]))
        diagnostics.append(Diagnostic("circular-definition", f"{cycle[0]} depends on itself{through}", at, hint))
        return ()


def mentioned_words(node: object, head: str = "") -> set[str]:
    """Return the lowercase names of terms in a piece of syntax.

    With ``head``, the name of a rule's head, one occurrence of that name is ignored: the definition itself.
    """
    words = [part.name for part in nodes.walk(node) if isinstance(part, nodes.Name | nodes.Call)]
    if head:
        words.remove(head)
    return set(words)

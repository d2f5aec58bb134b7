"""What a spec defines: the meanings of its names, its params, grids and relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from graphlib import CycleError, TopologicalSorter

from csp import Value, counted

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Source, suggest_name
from ...syntax.grids import CellFact, Size, read_grid
from ...syntax.habits import WORDS
from ...syntax.vocabulary import CONSTRAINTS, FUNCTIONS, RESERVED, SYNONYMS
from ..expressions.binding import binders
from ..expressions.compiler import Compiler
from ..expressions.named import definitions, parameters
from ..expressions.names import Names, Relation
from .columns import Columns

NAMED = (nodes.Logical, nodes.Name, nodes.Call)
"""What may be a puzzle variable."""


def defines_named(rule: nodes.Rule, names: Names) -> bool:
    """Whether a rule says what a named constraint is."""
    name = getattr(getattr(rule.head, "term", None), "name", "")
    return any(rule is one for one in names.named.get(name, ()))


def is_relation(rule: nodes.Rule, names: Names) -> bool:
    """Whether a rule says what a relation is."""
    return isinstance(rule.head, nodes.Fact) and not is_constraint(rule, names) and not defines_named(rule, names)


def is_constraint(rule: nodes.Rule, names: Names) -> bool:
    """Whether a rule posts constraints; otherwise it declares variables, or says what a name means."""
    families = names.families
    match rule.head:
        case nodes.Fact(_, nodes.Call(_, name, arguments, body)):
            if name in names.named:
                return not defines_named(rule, names)
            if name in CONSTRAINTS:
                return True
            may_be = body is None and name not in families and nodes.fact_values(rule) is None
            return may_be and _is_about(arguments, rule, families)
        case nodes.Declaration(_, terms):
            return any(is_calculated(term) or _is_about(nodes.arguments(term), rule, families) for term in terms)
        case nodes.Comparison() | nodes.Compound():
            return True
    return False


def _is_about(arguments: tuple[nodes.Argument, ...], rule: nodes.Rule, families: Set[str]) -> bool:
    """Whether puzzle variables stand in the arguments of a rule's head."""
    found = [part for part in nodes.walk(arguments) if part.__class__ in NAMED and part.name in families]
    bound = binders(rule.body, (), families) if found else ()
    return any(not (part.name in bound and isinstance(part, nodes.Logical)) for part in found)


def is_calculated(term: nodes.Argument) -> bool:
    """Whether a term is an expression and not the name of a variable."""
    return isinstance(term, nodes.Operation | nodes.Listing) or (
        isinstance(term, nodes.Call) and term.name in FUNCTIONS
    )


def define_names(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> None:
    """Give every name of a spec its one meaning."""
    clauses = list(clauses)
    meanings = _Meanings(names, diagnostics)
    rules = [clause for clause in clauses if isinstance(clause, nodes.Rule)]
    meanings.declare_inputs(clause for clause in clauses if isinstance(clause, nodes.Param | nodes.Grid))
    for rule in rules:
        if isinstance(rule.head, nodes.Declaration):
            for term in rule.head.terms:
                if not is_calculated(term):
                    meanings.declare_family(term)
    posted = {id(rule) for rule in rules if isinstance(rule.head, nodes.Fact) and is_constraint(rule, names)}
    names.named = definitions(rules, posted, names.families)
    for rule in rules:
        if is_relation(rule, names):
            meanings.declare_relation(rule.head.term, bool(rule.body))  # type: ignore[union-attr]
    meanings.declare_named()
    meanings.declare_layouts(clause for clause in clauses if isinstance(clause, nodes.Show))
    for rule in rules:
        meanings.check(rule)


class _Meanings:
    """What the names mean so far."""

    def __init__(self, names: Names, diagnostics: Diagnostics) -> None:
        self._names, self._diagnostics = names, diagnostics
        self._meanings: dict[str, str] = {}
        self._first: dict[str, nodes.Place] = {}

    def check(self, rule: nodes.Rule) -> None:
        """What is said must be of something that can be said to hold."""
        match rule.head:
            case nodes.Fact(_, term) if not self._is_known(term) and is_constraint(rule, self._names):
                self._check_posted(term, bool(rule.body))
            case nodes.Comparison(_, _, "<", nodes.Operation(_, "-", zero, nodes.Call(at, name))):
                if name in self._names.arities and zero == nodes.Constant(at, 0):
                    at = at._replace(width=len(name))
                    hint = "a body follows :-, not <-"
                    self._diagnostics.append(Diagnostic(f"{name} is a relation and has no value", at, hint))

    def declare_named(self) -> None:
        """The named constraints: one number of arguments, no puzzle variable or argument forgotten, no cycle."""
        named = self._names.named
        for name, rules in named.items():
            words = parameters(rules[0])
            for rule in rules:
                self._mean(name, "named constraint", rule.at)
                if rule.label:
                    self._diagnostics.append(Diagnostic("only a constraint has a label", rule.label.at))
                if len(parameters(rule)) != len(words):
                    message = (
                        f"{name} has {counted(len(words), 'argument')} elsewhere, and {len(parameters(rule))} here"
                    )
                    self._diagnostics.append(Diagnostic(message, rule.at._replace(width=len(name))))
        needs = {name: set().union(*(mentioned(rule.body) for rule in of)) & named.keys() for name, of in named.items()}
        places = {name: rules[0].at for name, rules in named.items()}
        _in_order(needs, places, self._diagnostics, "a named constraint is written out where it is used")

    def declare_layouts(self, clauses: Iterable[nodes.Show]) -> None:
        """The names of layouts, which are those of nothing else."""
        for item in [item for clause in clauses for item in clause.items if item.value is not None]:
            if item.term.name[0].islower():
                self._mean(item.term.name, "layout", item.term.at)
            else:
                at = item.term.at
                self._diagnostics.append(
                    Diagnostic(f"{item.term.name} is a variable, and a layout has a name in lowercase", at)
                )

    def _is_known(self, term: nodes.Expr) -> bool:
        """Whether a tuple is of a relation that something defines, or of a constraint."""
        name = getattr(term, "name", "")
        return name in CONSTRAINTS or name in self._names.arities or name in self._names.named

    def _check_posted(self, term: nodes.Expr, has_body: bool) -> None:
        """A tuple of puzzle variables is of nothing that is known."""
        name = getattr(term, "name", "")
        facts = f"a relation has facts, such as {name}(1)"
        known = "a named constraint is near(A, B) :- abs(A - B) <= 1." if has_body else facts
        known = f"{name} is a number, to be compared: {name}(A, B) = 10" if name in FUNCTIONS else known
        hint = _misspelt(name) or suggest_name(name, self._names.arities) or known
        self._diagnostics.append(Diagnostic(f"nothing is called {name}", term.at._replace(width=len(name)), hint))

    def _mean(self, name: str, meaning: str, at: nodes.Place) -> None:
        at = at._replace(width=len(name))
        if name in RESERVED:
            self._diagnostics.append(Diagnostic(f"{name} is a word of the language and cannot name a {meaning}", at))
        elif (known := self._meanings.setdefault(name, meaning)) != meaning:
            hint = f"a range is written with two dots, 1..{name}" if (known, meaning) == ("param", "relation") else ""
            self._diagnostics.append(Diagnostic(f"{name} is a {known} already and cannot be a {meaning}", at, hint))
        elif meaning not in ("variable", "layout"):
            self._check_file(name, at)

    def _check_file(self, name: str, at: nodes.Place) -> None:
        """What a name means is said in one file; only the domains of variables are narrowed by others."""
        first = self._first.setdefault(name, at)
        if first.file != at.file:
            hint = "a file replaces params, grids and show of what it includes, and nothing else"
            diagnostic = Diagnostic(f"{name} is defined already, in {first.line_from(at)}", at, hint, once=True)
            self._diagnostics.append(diagnostic)

    def declare_inputs(self, clauses: Iterable[nodes.Param | nodes.Grid]) -> None:
        """Params and grids, each defined once."""
        places: dict[str, nodes.Place] = {}
        for clause in clauses:
            is_grid = isinstance(clause, nodes.Grid)
            first = places.setdefault(clause.name, clause.at)
            if clause.name in self._meanings:
                message = f"{clause.name} is defined already, in {first.line_from(clause.at)}"
                self._diagnostics.append(Diagnostic(message, clause.at))
                continue
            self._mean(clause.name, "grid" if is_grid else "param", clause.at)
            if is_grid:
                self._names.arities[clause.name] = 3

    def declare_family(self, term: nodes.Expr) -> None:
        """A family of puzzle variables."""
        if isinstance(term, nodes.Call) and term.body is not None:
            self._diagnostics.append(Diagnostic("the generators of a declaration follow :-", term.at))
        elif isinstance(term, nodes.Call | nodes.Name | nodes.Logical) and term.name != "_":
            self._mean(term.name, "variable", term.at)
            self._names.families.add(term.name)
        else:
            self._diagnostics.append(Diagnostic("a variable stands before in, such as A or cell(R, C)", term.at))

    def declare_relation(self, term: nodes.Expr, has_body: bool) -> None:
        """A relation, by one of its facts or rules."""
        if not isinstance(term, nodes.Call | nodes.Name):
            hint = "" if isinstance(term, nodes.Constant) else _joined(term) or "a comparison or in is missing"
            self._diagnostics.append(Diagnostic("this says nothing", term.at, hint))
            return
        at, arity = term.at._replace(width=len(term.name)), len(nodes.arguments(term))
        if term.name in self._names.families:
            hint = f"to constrain it, compare it: {term.name}{'(...)' if arity else ''} = ..."
            self._diagnostics.append(Diagnostic(f"{term.name} is a variable, and this says nothing of it", at, hint))
        elif self._is_misspelt_group(term, has_body):
            named = {part.name for part in nodes.walk(term) if isinstance(part, NAMED)} & self._names.families
            group = f"did you mean {next(iter(CONSTRAINTS))}?"
            facts = f"a fact has values and no lists: {term.name}(1). {term.name}(2)."
            hint = _misspelt(term.name) or (group if named or has_body else facts)
            self._diagnostics.append(Diagnostic(f"nothing is called {term.name}", at, hint))
        elif isinstance(term, nodes.Call) and term.body is not None:
            self._diagnostics.append(Diagnostic("the generators of a fact follow :-", at))
        elif self._meanings.get(term.name) == "grid":
            self._check_file(term.name, at)
            self._check_arity(term.name, arity, at)
        else:
            self._mean(term.name, "relation", at)
            self._check_arity(term.name, arity, at)

    def _check_arity(self, name: str, arity: int, at: nodes.Place) -> None:
        known = self._names.arities.setdefault(name, arity)
        if known != arity:
            self._diagnostics.append(
                Diagnostic(f"{name} has {counted(known, 'argument')} elsewhere, and {arity} here", at)
            )

    def _is_misspelt_group(self, term: nodes.Call | nodes.Name, has_body: bool) -> bool:
        """Whether what looks like a fact lists puzzle variables, or is a constraint on a list in all but name."""
        if not isinstance(term, nodes.Call):
            return False
        lists = term.body is not None or any(isinstance(a, nodes.Listing) for a in term.arguments)
        free = any(isinstance(part, nodes.Logical) for part in nodes.walk(term.arguments)) and not has_body
        return lists or bool(free and _misspelt(term.name))


def _joined(term: nodes.Argument) -> str:
    """A hint where a word is written with a minus instead of an underscore."""
    match term:
        case nodes.Operation(_, "-", nodes.Name(_, one), nodes.Call(_, other)) if f"{one}_{other}" in RESERVED:
            return f"did you mean {one}_{other}?"
    return ""


def _misspelt(name: str) -> str:
    """A hint where a name is a word of another language, or close to one of this."""
    return f"did you mean {SYNONYMS[name]}?" if name in SYNONYMS else WORDS.get(name) or suggest_name(name, RESERVED)


def read_params(
    clauses: Iterable[nodes.Clause], overrides: Mapping[str, Value], names: Names, diagnostics: Diagnostics
) -> None:
    """Evaluate the params, each after those that it uses."""
    params = {clause.name: clause for clause in clauses if isinstance(clause, nodes.Param)}
    for name in overrides:
        if name not in params:
            diagnostics.append(Diagnostic(f"there is no param {name} to set", None, suggest_name(name, params)))
    needs = {
        name: set() if name in overrides else mentioned(clause.value) & params.keys() for name, clause in params.items()
    }
    for name in _in_order(needs, {name: clause.at for name, clause in params.items()}, diagnostics):
        if name in overrides:
            names.params[name] = overrides[name]
        elif needs[name] <= names.params.keys():  # otherwise the mistake is elsewhere
            with diagnostics.collecting(params[name].value.at):
                names.params[name] = Compiler(names).value(params[name].value)({})


def read_grids(
    clauses: Iterable[nodes.Clause], replacements: Mapping[str, Source], names: Names, diagnostics: Diagnostics
) -> dict[str, dict[CellFact, nodes.Place]]:
    """Read the grids into relations; the places of their facts."""
    clauses = list(clauses)
    grids = {clause.name: clause for clause in clauses if isinstance(clause, nodes.Grid)}
    for name in replacements:
        if name not in grids:
            diagnostics.append(Diagnostic(f"there is no grid {name} to replace", None, suggest_name(name, grids)))
    columns = Columns(clauses, names)
    names.digits |= columns.digits
    cells: dict[str, dict[CellFact, nodes.Place]] = {}
    for name, grid in grids.items():
        with diagnostics.collecting():
            if name not in replacements and grid.text is None:
                raise Diagnostic(f"grid {name} must be supplied", grid.at, f"--grid {name}=FILE")
            size = grid_size(grid, names)
            text, at = (replacements[name].text, None) if name in replacements else (grid.text or "", grid.text_at)
            cells[name] = read_grid(text, name, at, size=size, digits=name in names.digits)
            names.relations[name] = Relation(cells[name])
    if not diagnostics:
        diagnostics += columns.misread(cells)
    return cells


def grid_size(grid: nodes.Grid, names: Names) -> Size | None:
    """How many rows and columns a grid is declared to have."""
    return grid.size and Size(*[_side(side, names) for side in grid.size])


def _side(node: nodes.Expr, names: Names) -> int:
    """How many rows or columns a grid is to have."""
    value = Compiler(names).value(node)({})
    if not isinstance(value, int) or value < 1:
        hint = f"param {value} = 9. is missing, or an include of its file" if isinstance(value, str) else ""
        raise Diagnostic(f"a grid has a number of rows and of columns, and {value} is none", node.at, hint)
    return value


def _in_order(
    needs: Mapping[str, Collection[str]], places: Mapping[str, nodes.Place], diagnostics: Diagnostics, hint: str = ""
) -> Iterable[str]:
    """The names, each after those that it needs."""
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        cycle = error.args[1]
        through = f", by way of {' and '.join(cycle[1:-1])}" if len(cycle) > 2 else ""
        at = places[cycle[0]]._replace(width=len(cycle[0]))
        diagnostics.append(Diagnostic(f"{cycle[0]} is defined through itself{through}", at, hint))
        return ()


def mentioned(node: object, head: str = "") -> set[str]:
    """The lowercase words of a piece of syntax; a head is mentioned only where it stands twice."""
    found = [part.name for part in nodes.walk(node) if isinstance(part, nodes.Name | nodes.Call)]
    if head:
        found.remove(head)
    return set(found)

"""What a spec defines: the meanings of its names, its params, grids and relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from graphlib import CycleError, TopologicalSorter

from csp import Value, counted

from ...text import syntax
from ...text.errors import Mistake, Mistakes, Source, near
from ...text.grids import CellFact, Size, read_grid
from ...text.habits import WORDS
from ...text.vocabulary import CONSTRAINTS, FUNCTIONS, RESERVED, SYNONYMS
from ..expressions.binding import binders
from ..expressions.compiler import Compiler
from ..expressions.named import definitions, parameters
from ..expressions.names import Names, Relation
from .columns import Columns

NAMED = (syntax.Logical, syntax.Name, syntax.Call)
"""What may be a puzzle variable."""


def defines_named(rule: syntax.Rule, names: Names) -> bool:
    """Whether a rule says what a named constraint is."""
    name = getattr(getattr(rule.head, "term", None), "name", "")
    return any(rule is one for one in names.named.get(name, ()))


def is_relation(rule: syntax.Rule, names: Names) -> bool:
    """Whether a rule says what a relation is."""
    return isinstance(rule.head, syntax.Fact) and not is_constraint(rule, names) and not defines_named(rule, names)


def is_constraint(rule: syntax.Rule, names: Names) -> bool:
    """Whether a rule posts constraints; otherwise it declares variables, or says what a name means."""
    families = names.families
    match rule.head:
        case syntax.Fact(_, syntax.Call(_, name, arguments, body)):
            if name in names.named:
                return not defines_named(rule, names)
            if name in CONSTRAINTS:
                return True
            may_be = body is None and name not in families and syntax.row(rule) is None
            return may_be and _is_about(arguments, rule, families)
        case syntax.Declaration(_, terms):
            return any(is_calculated(term) or _is_about(syntax.arguments(term), rule, families) for term in terms)
        case syntax.Comparison() | syntax.Compound():
            return True
    return False


def _is_about(arguments: tuple[syntax.Argument, ...], rule: syntax.Rule, families: Set[str]) -> bool:
    """Whether puzzle variables stand in the arguments of a rule's head."""
    found = [part for part in syntax.walk(arguments) if part.__class__ in NAMED and part.name in families]
    bound = binders(rule.body, (), families) if found else ()
    return any(not (part.name in bound and isinstance(part, syntax.Logical)) for part in found)


def is_calculated(term: syntax.Argument) -> bool:
    """Whether a term is an expression and not the name of a variable."""
    return isinstance(term, syntax.Operation | syntax.Listing) or (
        isinstance(term, syntax.Call) and term.name in FUNCTIONS
    )


def define_names(clauses: Iterable[syntax.Clause], names: Names, mistakes: Mistakes) -> None:
    """Give every name of a spec its one meaning."""
    clauses = list(clauses)
    meanings = _Meanings(names, mistakes)
    rules = [clause for clause in clauses if isinstance(clause, syntax.Rule)]
    meanings.declare_inputs(clause for clause in clauses if isinstance(clause, syntax.Param | syntax.Grid))
    for rule in rules:
        if isinstance(rule.head, syntax.Declaration):
            for term in rule.head.terms:
                if not is_calculated(term):
                    meanings.declare_family(term)
    posted = {id(rule) for rule in rules if isinstance(rule.head, syntax.Fact) and is_constraint(rule, names)}
    names.named = definitions(rules, posted, names.families)
    for rule in rules:
        if is_relation(rule, names):
            meanings.declare_relation(rule.head.term, bool(rule.body))  # type: ignore[union-attr]
    meanings.declare_named()
    meanings.declare_layouts(clause for clause in clauses if isinstance(clause, syntax.Show))
    for rule in rules:
        meanings.check(rule)


class _Meanings:
    """What the names mean so far."""

    def __init__(self, names: Names, mistakes: Mistakes) -> None:
        self._names, self._mistakes = names, mistakes
        self._meanings: dict[str, str] = {}
        self._first: dict[str, syntax.Place] = {}

    def check(self, rule: syntax.Rule) -> None:
        """What is said must be of something that can be said to hold."""
        match rule.head:
            case syntax.Fact(_, term) if not self._is_known(term) and is_constraint(rule, self._names):
                self._check_posted(term, bool(rule.body))
            case syntax.Comparison(_, _, "<", syntax.Operation(_, "-", zero, syntax.Call(at, name))):
                if name in self._names.arities and zero == syntax.Constant(at, 0):
                    at = at._replace(width=len(name))
                    hint = "a body follows :-, not <-"
                    self._mistakes.append(Mistake(f"{name} is a relation and has no value", at, hint))

    def declare_named(self) -> None:
        """The named constraints: one number of arguments, no puzzle variable or argument forgotten, no cycle."""
        named = self._names.named
        for name, rules in named.items():
            words = parameters(rules[0])
            for rule in rules:
                self._mean(name, "named constraint", rule.at)
                if rule.label:
                    self._mistakes.append(Mistake("only a constraint has a label", rule.label.at))
                if len(parameters(rule)) != len(words):
                    message = (
                        f"{name} has {counted(len(words), 'argument')} elsewhere, and {len(parameters(rule))} here"
                    )
                    self._mistakes.append(Mistake(message, rule.at._replace(width=len(name))))
        needs = {name: set().union(*(mentioned(rule.body) for rule in of)) & named.keys() for name, of in named.items()}
        places = {name: rules[0].at for name, rules in named.items()}
        _in_order(needs, places, self._mistakes, "a named constraint is written out where it is used")

    def declare_layouts(self, clauses: Iterable[syntax.Show]) -> None:
        """The names of layouts, which are those of nothing else."""
        for item in [item for clause in clauses for item in clause.items if item.value is not None]:
            if item.term.name[0].islower():
                self._mean(item.term.name, "layout", item.term.at)
            else:
                at = item.term.at
                self._mistakes.append(
                    Mistake(f"{item.term.name} is a variable, and a layout has a name in lowercase", at)
                )

    def _is_known(self, term: syntax.Expr) -> bool:
        """Whether a tuple is of a relation that something defines, or of a constraint."""
        name = getattr(term, "name", "")
        return name in CONSTRAINTS or name in self._names.arities or name in self._names.named

    def _check_posted(self, term: syntax.Expr, has_body: bool) -> None:
        """A tuple of puzzle variables is of nothing that is known."""
        name = getattr(term, "name", "")
        facts = f"a relation has facts, such as {name}(1)"
        known = "a named constraint is near(A, B) :- abs(A - B) <= 1." if has_body else facts
        known = f"{name} is a number, to be compared: {name}(A, B) = 10" if name in FUNCTIONS else known
        hint = _misspelt(name) or near(name, self._names.arities) or known
        self._mistakes.append(Mistake(f"nothing is called {name}", term.at._replace(width=len(name)), hint))

    def _mean(self, name: str, meaning: str, at: syntax.Place) -> None:
        at = at._replace(width=len(name))
        if name in RESERVED:
            self._mistakes.append(Mistake(f"{name} is a word of the language and cannot name a {meaning}", at))
        elif (known := self._meanings.setdefault(name, meaning)) != meaning:
            hint = f"a range is written with two dots, 1..{name}" if (known, meaning) == ("param", "relation") else ""
            self._mistakes.append(Mistake(f"{name} is a {known} already and cannot be a {meaning}", at, hint))
        elif meaning not in ("variable", "layout"):
            self._check_file(name, at)

    def _check_file(self, name: str, at: syntax.Place) -> None:
        """What a name means is said in one file; only the domains of variables are narrowed by others."""
        first = self._first.setdefault(name, at)
        if first.file != at.file:
            hint = "a file replaces params, grids and show of what it includes, and nothing else"
            mistake = Mistake(f"{name} is defined already, in {first.line_from(at)}", at, hint, once=True)
            self._mistakes.append(mistake)

    def declare_inputs(self, clauses: Iterable[syntax.Param | syntax.Grid]) -> None:
        """Params and grids, each defined once."""
        places: dict[str, syntax.Place] = {}
        for clause in clauses:
            is_grid = isinstance(clause, syntax.Grid)
            first = places.setdefault(clause.name, clause.at)
            if clause.name in self._meanings:
                message = f"{clause.name} is defined already, in {first.line_from(clause.at)}"
                self._mistakes.append(Mistake(message, clause.at))
                continue
            self._mean(clause.name, "grid" if is_grid else "param", clause.at)
            if is_grid:
                self._names.arities[clause.name] = 3

    def declare_family(self, term: syntax.Expr) -> None:
        """A family of puzzle variables."""
        if isinstance(term, syntax.Call) and term.body is not None:
            self._mistakes.append(Mistake("the generators of a declaration follow :-", term.at))
        elif isinstance(term, syntax.Call | syntax.Name | syntax.Logical) and term.name != "_":
            self._mean(term.name, "variable", term.at)
            self._names.families.add(term.name)
        else:
            self._mistakes.append(Mistake("a variable stands before in, such as A or cell(R, C)", term.at))

    def declare_relation(self, term: syntax.Expr, has_body: bool) -> None:
        """A relation, by one of its facts or rules."""
        if not isinstance(term, syntax.Call | syntax.Name):
            hint = "" if isinstance(term, syntax.Constant) else _joined(term) or "a comparison or in is missing"
            self._mistakes.append(Mistake("this says nothing", term.at, hint))
            return
        at, arity = term.at._replace(width=len(term.name)), len(syntax.arguments(term))
        if term.name in self._names.families:
            hint = f"to constrain it, compare it: {term.name}{'(...)' if arity else ''} = ..."
            self._mistakes.append(Mistake(f"{term.name} is a variable, and this says nothing of it", at, hint))
        elif self._is_misspelt_group(term, has_body):
            named = {part.name for part in syntax.walk(term) if isinstance(part, NAMED)} & self._names.families
            group = f"did you mean {next(iter(CONSTRAINTS))}?"
            facts = f"a fact has values and no lists: {term.name}(1). {term.name}(2)."
            hint = _misspelt(term.name) or (group if named or has_body else facts)
            self._mistakes.append(Mistake(f"nothing is called {term.name}", at, hint))
        elif isinstance(term, syntax.Call) and term.body is not None:
            self._mistakes.append(Mistake("the generators of a fact follow :-", at))
        elif self._meanings.get(term.name) == "grid":
            self._check_file(term.name, at)
            self._check_arity(term.name, arity, at)
        else:
            self._mean(term.name, "relation", at)
            self._check_arity(term.name, arity, at)

    def _check_arity(self, name: str, arity: int, at: syntax.Place) -> None:
        known = self._names.arities.setdefault(name, arity)
        if known != arity:
            self._mistakes.append(Mistake(f"{name} has {counted(known, 'argument')} elsewhere, and {arity} here", at))

    def _is_misspelt_group(self, term: syntax.Call | syntax.Name, has_body: bool) -> bool:
        """Whether what looks like a fact lists puzzle variables, or is a constraint on a list in all but name."""
        if not isinstance(term, syntax.Call):
            return False
        lists = term.body is not None or any(isinstance(a, syntax.Listing) for a in term.arguments)
        free = any(isinstance(part, syntax.Logical) for part in syntax.walk(term.arguments)) and not has_body
        return lists or bool(free and _misspelt(term.name))


def _joined(term: syntax.Argument) -> str:
    """A hint where a word is written with a minus instead of an underscore."""
    match term:
        case syntax.Operation(_, "-", syntax.Name(_, one), syntax.Call(_, other)) if f"{one}_{other}" in RESERVED:
            return f"did you mean {one}_{other}?"
    return ""


def _misspelt(name: str) -> str:
    """A hint where a name is a word of another language, or close to one of this."""
    return f"did you mean {SYNONYMS[name]}?" if name in SYNONYMS else WORDS.get(name) or near(name, RESERVED)


def read_params(
    clauses: Iterable[syntax.Clause], overrides: Mapping[str, Value], names: Names, mistakes: Mistakes
) -> None:
    """Evaluate the params, each after those that it uses."""
    params = {clause.name: clause for clause in clauses if isinstance(clause, syntax.Param)}
    for name in overrides:
        if name not in params:
            mistakes.append(Mistake(f"there is no param {name} to set", None, near(name, params)))
    needs = {
        name: set() if name in overrides else mentioned(clause.value) & params.keys() for name, clause in params.items()
    }
    for name in _in_order(needs, {name: clause.at for name, clause in params.items()}, mistakes):
        if name in overrides:
            names.params[name] = overrides[name]
        elif needs[name] <= names.params.keys():  # otherwise the mistake is elsewhere
            with mistakes.collecting(params[name].value.at):
                names.params[name] = Compiler(names).value(params[name].value)({})


def read_grids(
    clauses: Iterable[syntax.Clause], replacements: Mapping[str, Source], names: Names, mistakes: Mistakes
) -> dict[str, dict[CellFact, syntax.Place]]:
    """Read the grids into relations; the places of their facts."""
    clauses = list(clauses)
    grids = {clause.name: clause for clause in clauses if isinstance(clause, syntax.Grid)}
    for name in replacements:
        if name not in grids:
            mistakes.append(Mistake(f"there is no grid {name} to replace", None, near(name, grids)))
    columns = Columns(clauses, names)
    names.digits |= columns.digits
    cells: dict[str, dict[CellFact, syntax.Place]] = {}
    for name, grid in grids.items():
        with mistakes.collecting():
            if name not in replacements and grid.text is None:
                raise Mistake(f"grid {name} must be supplied", grid.at, f"--grid {name}=FILE")
            size = grid_size(grid, names)
            text, at = (replacements[name].text, None) if name in replacements else (grid.text or "", grid.text_at)
            cells[name] = read_grid(text, name, at, size=size, digits=name in names.digits)
            names.relations[name] = Relation(cells[name])
    if not mistakes:
        mistakes += columns.misread(cells)
    return cells


def grid_size(grid: syntax.Grid, names: Names) -> Size | None:
    """How many rows and columns a grid is declared to have."""
    return grid.size and Size(*[_side(side, names) for side in grid.size])


def _side(node: syntax.Expr, names: Names) -> int:
    """How many rows or columns a grid is to have."""
    value = Compiler(names).value(node)({})
    if not isinstance(value, int) or value < 1:
        hint = f"param {value} = 9. is missing, or an include of its file" if isinstance(value, str) else ""
        raise Mistake(f"a grid has a number of rows and of columns, and {value} is none", node.at, hint)
    return value


def _in_order(
    needs: Mapping[str, Collection[str]], places: Mapping[str, syntax.Place], mistakes: Mistakes, hint: str = ""
) -> Iterable[str]:
    """The names, each after those that it needs."""
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        cycle = error.args[1]
        through = f", by way of {' and '.join(cycle[1:-1])}" if len(cycle) > 2 else ""
        at = places[cycle[0]]._replace(width=len(cycle[0]))
        mistakes.append(Mistake(f"{cycle[0]} is defined through itself{through}", at, hint))
        return ()


def mentioned(node: object, head: str = "") -> set[str]:
    """The lowercase words of a piece of syntax; a head is mentioned only where it stands twice."""
    found = [part.name for part in syntax.walk(node) if isinstance(part, syntax.Name | syntax.Call)]
    if head:
        found.remove(head)
    return set(found)

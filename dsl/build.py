"""Clauses to a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter
from typing import Any

from csp import Affine, AllDifferent, Constraint, Equality, Linear, Model, Value, Variable
from csp.model import Domain, ordered

from . import syntax
from .errors import Mistake, Source, SpecError, near
from .expressions import RESERVED, Env, Term, compile_elements, compile_expression, plain
from .grids import read_grid
from .ground import Names, binders, compare, compile_domain, free_names
from .labels import compile_label
from .parse import parse
from .unparse import show_domain
from .relations import Relation, Row

MAX_DOMAIN = 100_000
"""The most values that a declaration may give to a variable."""


class Program:
    """A parsed spec, which gives models for params and grids.

    Parameters
    ----------
    source : Source

    Raises
    ------
    SpecError
        If the text is not of the language.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        try:
            self.clauses: tuple[syntax.Clause, ...] = parse(source.text)
        except Mistake as mistake:
            raise SpecError([mistake], {"": source}) from None

    def rules(self, kind: type[Any]) -> list[syntax.Rule]:
        """The rules with a head of this kind."""
        return [c for c in self.clauses if isinstance(c, syntax.Rule) and isinstance(c.head, kind)]

    def build(self, params: Mapping[str, Value], grids: Mapping[str, Source]) -> Build:
        """Evaluate everything.

        Parameters
        ----------
        params : mapping from str to value
            Override the params of the spec.
        grids : mapping from str to Source
            Replace the grids of the spec.

        Raises
        ------
        SpecError
            With every mistake of the first stage that has any.
        """
        return Build(self, params, grids)


def is_group(rule: syntax.Rule) -> bool:
    """Whether the head is an all_different."""
    match rule.head:
        case syntax.Fact(_, syntax.Call(_, "all_different")):
            return True
    return False


class Build:
    """One evaluation of a program, stage by stage.

    Attributes
    ----------
    model : Model
    names : Names
    """

    def __init__(self, program: Program, params: Mapping[str, Value], grids: Mapping[str, Source]) -> None:
        self.program = program
        self.names = Names()
        self._sources = {"": program.source, **grids}
        self._mistakes: list[Mistake] = []
        self._domains: dict[Variable, Domain] = {}
        self._constraints: dict[Constraint, None] = {}
        self._givens: dict[Variable, tuple[Value, int]] = {}
        self._stage(lambda: self._declare_names())
        self._stage(lambda: self._read_params(params))
        self._stage(lambda: self._read_grids(grids))
        self._stage(lambda: self._derive())
        self._stage(lambda: self._declare())
        self._stage(lambda: self._constrain())
        self.model = Model(self._domains, self._constraints, self._shown())

    def _stage(self, work: Callable[[], None]) -> None:
        with self._collecting():
            work()
        if self._mistakes:
            raise SpecError(self._mistakes, self._sources)

    @contextmanager
    def _collecting(self) -> Any:
        try:
            yield
        except Mistake as mistake:
            self._mistakes.append(mistake)
        except RecursionError:
            self._mistakes.append(Mistake("an expression is nested too deeply"))

    # names

    def _declare_names(self) -> None:
        meanings: dict[str, str] = {}

        def mean(name: str, meaning: str, at: syntax.Place) -> None:
            at = at._replace(width=len(name))
            if name in RESERVED:
                self._mistakes.append(Mistake(f"{name} is a word of the language and cannot name a {meaning}", at))
            elif meanings.setdefault(name, meaning) != meaning:
                self._mistakes.append(Mistake(f"{name} is a {meanings[name]} already and cannot be a {meaning}", at))

        seen: set[str] = set()
        for clause in self.program.clauses:
            match clause:
                case syntax.Param(at, name) | syntax.Grid(at, name):
                    mean(name, "param" if isinstance(clause, syntax.Param) else "relation", at)
                    if name in seen:
                        self._mistakes.append(Mistake(f"{name} is defined twice", at))
                    seen.add(name)
                    if isinstance(clause, syntax.Grid):
                        self._relation(name, 3)
                case syntax.Rule(_, _, syntax.Declaration(_, terms)):
                    for term in terms:
                        self._declare_family(term, mean)
                case syntax.Rule(_, _, syntax.Fact(_, term)) if not is_group(clause):
                    self._declare_relation(term, mean)

    def _declare_family(self, term: syntax.Expr, mean: Callable[..., None]) -> None:
        if isinstance(term, syntax.Call | syntax.Name | syntax.Logical) and getattr(term, "body", None) is None:
            mean(term.name, "variable", term.at)
            self.names.families.add(term.name)
        else:
            self._mistakes.append(Mistake("a variable stands before in, such as A or cell(R, C)", term.at))

    def _declare_relation(self, term: syntax.Expr, mean: Callable[..., None]) -> None:
        if not isinstance(term, syntax.Call | syntax.Name):
            hint = "a comparison or in is missing" if isinstance(term, syntax.Logical | syntax.Operation) else ""
            self._mistakes.append(Mistake("this says nothing", term.at, hint))
            return
        arity = len(term.arguments) if isinstance(term, syntax.Call) else 0
        if term.name in self.names.families:
            hint = f"to constrain it, compare it: {term.name}(...) = ..."
            self._mistakes.append(Mistake(f"{term.name} is a variable, and this says nothing of it", term.at, hint))
            return
        mean(term.name, "relation", term.at)
        if self._relation(term.name, arity) != arity:
            known = self.names.arities[term.name]
            self._mistakes.append(Mistake(f"{term.name} has {known} arguments elsewhere, and {arity} here", term.at))

    def _relation(self, name: str, arity: int) -> int:
        self.names.relations.setdefault(name, Relation())
        return self.names.arities.setdefault(name, arity)

    # params and grids

    def _read_params(self, overrides: Mapping[str, Value]) -> None:
        clauses = [clause for clause in self.program.clauses if isinstance(clause, syntax.Param)]
        for name in overrides:
            if name not in {clause.name for clause in clauses}:
                hint = near(name, [clause.name for clause in clauses])
                self._mistakes.append(Mistake(f"there is no param {name} to set", None, hint))
        waiting = {clause.name for clause in clauses}
        for clause in clauses:
            waiting.discard(clause.name)
            with self._collecting():
                if clause.name in overrides:
                    self.names.params[clause.name] = overrides[clause.name]
                else:
                    value = compile_expression(clause.value, self.names, ())({})
                    if isinstance(value, str) and isinstance(clause.value, syntax.Name) and value in waiting:
                        raise Mistake(f"{value} is defined further down", clause.value.at, "define it first")
                    self.names.params[clause.name] = plain(value, clause.value)

    def _read_grids(self, replacements: Mapping[str, Source]) -> None:
        clauses = [clause for clause in self.program.clauses if isinstance(clause, syntax.Grid)]
        for name in replacements:
            if name not in {clause.name for clause in clauses}:
                hint = near(name, [clause.name for clause in clauses])
                del self._sources[name]
                self._mistakes.append(Mistake(f"there is no grid {name} to replace", None, hint))
        for clause in clauses:
            with self._collecting():
                if clause.name in replacements:
                    cells = read_grid(replacements[clause.name].text, clause.name)
                elif clause.text is not None:
                    cells = read_grid(clause.text, clause.name, clause.text_at)
                else:
                    raise Mistake(f"grid {clause.name} must be supplied", clause.at, f"--grid {clause.name}=FILE")
                for cell in cells:
                    self.names.relations[clause.name].add(cell)

    # relations

    def _derive(self) -> None:
        rules: dict[str, list[syntax.Rule]] = {}
        for rule in self.program.rules(syntax.Fact):
            if not is_group(rule):
                rules.setdefault(rule.head.term.name, []).append(rule)  # type: ignore[union-attr]
        needs = {name: set().union(*(mentioned(rule) for rule in of)) for name, of in rules.items()}
        try:
            order = list(TopologicalSorter(needs).static_order())
        except CycleError as cycle:
            name = next(name for name in cycle.args[1] if name in rules)
            raise Mistake(f"{name} is defined through itself", rules[name][0].at) from None
        for name in order:
            for rule in rules.get(name, ()):
                with self._collecting():
                    self.derive(rule)

    def derive(self, rule: syntax.Rule) -> None:
        """Add what a fact or a rule says to its relation."""
        term = rule.head.term  # type: ignore[union-attr]
        arguments = term.arguments if isinstance(term, syntax.Call) else ()
        if rule.label:
            raise Mistake("only a constraint has a label", rule.label.at)
        for env, bound in self.instances(rule):
            row = [plain(compile_expression(a, self.names, bound)(env), a) for a in arguments]
            self.names.relations[term.name].add(tuple(row))

    def instances(self, rule: syntax.Rule) -> list[tuple[Env, set[str]]]:
        """The bindings of the body that differ in what the head and the label use, and the names that are bound."""
        query = self.names.query(rule.body)
        used = sorted(query.bound & (free_names(rule.head) | label_names(rule)))
        distinct: dict[Row, Env] = {}
        for env in query.run({}):
            distinct.setdefault(tuple(env[name] for name in used), env)
        return [(env, query.bound) for env in distinct.values()]

    # variables

    def _declare(self) -> None:
        for rule in self.program.rules(syntax.Declaration):
            with self._collecting():
                if rule.label:
                    raise Mistake("only a constraint has a label", rule.label.at)
                self._declare_rule(rule, rule.head)  # type: ignore[arg-type]

    def _declare_rule(self, rule: syntax.Rule, head: syntax.Declaration) -> None:
        bound = binders(rule.body)
        domain_of = compile_domain(head.domain, self.names, bound, MAX_DOMAIN)
        indices = [
            (term, [compile_expression(a, self.names, bound) for a in getattr(term, "arguments", ())])
            for term in head.terms
        ]
        known: dict[tuple[Value, ...], Domain] = {}
        for env, _ in self.instances(rule):
            values = tuple(domain_of(env))
            domain = known.setdefault(values, ordered(values))
            if not domain:
                raise Mistake("the domain is empty", head.domain.at)
            for term, arguments in indices:
                family = term.name  # type: ignore[union-attr]
                if family in bound:
                    raise Mistake(f"{family} is bound by the body and cannot be declared", term.at)
                key = (family, *(plain(a(env), node) for a, node in zip(arguments, term_arguments(term), strict=True)))
                self._declare_variable(key, domain, term)

    def _declare_variable(self, key: Row, domain: Domain, term: syntax.Expr) -> None:
        if key not in self.names.variables:
            variable = Variable(str(key[0]), *key[1:])
            self.names.variables[key] = Affine.variable(variable)
            self._domains[variable] = domain
            return
        variable = self.names.variables[key].terms[0][1]
        both = tuple(value for value in self._domains[variable] if value in domain)
        if not both:
            raise Mistake(f"{variable} has no value left: its domains have nothing in common", term.at)
        self._domains[variable] = both

    # constraints

    def _constrain(self) -> None:
        for clause in self.program.clauses:
            if isinstance(clause, syntax.Rule):
                with self._collecting():
                    if is_group(clause) or isinstance(clause.head, syntax.Comparison):
                        for constraint in self.givens(clause):
                            self._check_alone(constraint, clause)
                            self._constraints[constraint] = None

    def constraints(self, rule: syntax.Rule) -> list[Constraint]:
        """The instances of a constraint."""
        found = self.instances(rule)
        if not found:
            return []
        bound = found[0][1]
        label = compile_label(rule.label, self.names, bound)
        if isinstance(rule.head, syntax.Comparison):
            make = self._comparison(rule.head, bound)
        else:
            make = self._group(rule.head.term, bound)  # type: ignore[union-attr, arg-type]
        made = (make(env, label(env), rule.at.line) for env, _ in found)
        return [constraint for constraint in made if constraint is not None]

    def _group(self, term: syntax.Call, bound: set[str]) -> Callable[[Env, str, int], Constraint | None]:
        elements_of = compile_elements(term, self.names, bound)

        def make(env: Env, label: str, line: int) -> Constraint | None:
            elements = elements_of(env)
            name = label or "all_different"
            for element in elements:
                self._check_element(element, term)
            if len(set(elements)) < len(elements):
                twice = next(e for i, e in enumerate(elements) if e in elements[:i])
                raise Mistake(f"{name}: {twice} stands in it twice, so it can never hold", term.at)
            group = AllDifferent(tuple(elements), label=label, line=line)
            values = () if group.is_block(self._domains) else group.places(self._domains)
            if values and len(values) < len(elements):
                raise Mistake(
                    f"{name} has {len(elements)} elements and only {len(values)} values, so it can never hold", term.at
                )
            return group if elements else None

        return make

    def _check_element(self, element: Term, term: syntax.Call) -> None:
        if not isinstance(element, Affine) or not element.terms:
            raise Mistake(f"{element} in all_different is not a puzzle variable", term.at)
        if len(element.terms) > 1:
            hint = "declare a variable for it and set it equal"
            raise Mistake(f"{element} in all_different has more than one puzzle variable", term.at, hint)
        if not element.is_variable:
            self._check_numbers(element, term)

    def _check_numbers(self, expression: Affine, node: Any) -> None:
        for _, variable in expression.terms:
            symbol = next((value for value in self._domains[variable] if isinstance(value, str)), None)
            if symbol:
                raise Mistake(f"{variable} can be the symbol {symbol}, and symbols have no arithmetic", node.at)

    def _comparison(self, head: syntax.Comparison, bound: set[str]) -> Callable[[Env, str, int], Constraint | None]:
        left_of = compile_expression(head.left, self.names, bound)
        right_of = compile_expression(head.right, self.names, bound)

        def make(env: Env, label: str, line: int) -> Constraint | None:
            left, right = left_of(env), right_of(env)
            if not isinstance(left, Affine) and not isinstance(right, Affine):
                if not compare(left, head.relation, right, head):
                    raise Mistake(f"{left} {head.relation} {right} never holds", head.at)
                return None
            return self._compared(left, right, head, label, line)

        return make

    def _compared(self, left: Term, right: Term, head: syntax.Comparison, label: str, line: int) -> Constraint:
        if head.relation in ("=", "!=") and _is_simple(left) and _is_simple(right):
            if not isinstance(left, Affine):
                left, right = right, left
            assert isinstance(left, Affine)
            other = right.terms[0][1] if isinstance(right, Affine) else right
            return Equality(left.terms[0][1], other, head.relation == "=", label=label, line=line)
        sides = []
        for side, node in ((left, head.left), (right, head.right)):
            if isinstance(side, str):
                raise Mistake(f"{side} is a symbol, which can only be equal to a variable or not", node.at)
            side = Affine((), side) if isinstance(side, int) else side
            self._check_numbers(side, node)
            sides.append(side)
        return Linear(sides[0], head.relation, sides[1], label=label, line=line)

    def givens(self, rule: syntax.Rule) -> list[Constraint]:
        """The instances of a constraint, of which values outside their domains are refused."""
        found = self.constraints(rule)
        for constraint in found:
            match constraint:
                case Equality(left, right, True) if not isinstance(right, Variable):
                    domain = self._domains[left]
                    if right not in domain:
                        hint = "a blank is written ." if right == 0 else ""
                        raise Mistake(f"{left} = {right} is outside its domain {show_domain(domain)}", rule.at, hint)
        return found

    def _check_alone(self, constraint: Constraint, rule: syntax.Rule) -> None:
        """Two givens for one variable must agree."""
        match constraint:
            case Equality(left, right, True) if not isinstance(right, Variable):
                value, line = self._givens.setdefault(left, (right, rule.at.line))
                if value != right:
                    raise Mistake(f"{left} = {right} contradicts {left} = {value} of line {line}", rule.at)

    def _shown(self) -> list[str]:
        shown = []
        for clause in self.program.clauses:
            for name in clause.names if isinstance(clause, syntax.Show) else ():
                if name.name not in self.names.families:
                    hint = near(name.name, self.names.families)
                    self._mistakes.append(Mistake(f"there is no variable {name.name} to show", name.at, hint))
                shown.append(name.name)
        if self._mistakes:
            raise SpecError(self._mistakes, self._sources)
        return shown


def _is_simple(side: Term) -> bool:
    return not isinstance(side, Affine) or side.is_variable


def term_arguments(term: syntax.Expr) -> tuple[syntax.Expr, ...]:
    """The arguments of a term; a plain name has none."""
    return term.arguments if isinstance(term, syntax.Call) else ()


def mentioned(rule: syntax.Rule) -> set[str]:
    """The relations that the body of a rule asks."""
    facts = [literal.fact if isinstance(literal, syntax.Negation) else literal for literal in rule.body]
    return {f.term.name for f in facts if isinstance(f, syntax.Fact) and isinstance(f.term, syntax.Call | syntax.Name)}


def label_names(rule: syntax.Rule) -> set[str]:
    """The uppercase words in the braces of the label."""
    from .labels import expressions

    return set().union(*map(free_names, expressions(rule.label))) if rule.label else set()

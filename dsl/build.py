"""Clauses to a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from csp import Affine, Constraint, Equality, Model, Value, Variable
from csp.model import Domain, ordered

from . import syntax
from .conditions import MAX_DOMAIN, brief, compile_condition
from .errors import Falsehood, Mistake, Mistakes, Source, SpecError, near, plural
from .expressions import INDEX, Env, Evaluate, compile_value
from .ground import Names, compile_domain
from .known import Meanings, derive, is_constraint, read_grids, read_params
from .labels import compile_label, parse_label
from .parse import parse
from .relations import Row
from .scopes import all_names, free_names
from .unparse import quoted

MAX_CANDIDATES = 10_000_000
"""The most values that all variables may have in all."""


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
        self.clauses, mistakes = parse(source.text)
        if mistakes:
            raise SpecError(mistakes, {"": source})

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


class Build:
    """One evaluation of a program, stage by stage.

    Attributes
    ----------
    model : Model
    names : Names
    """

    def __init__(self, program: Program, params: Mapping[str, Value], grids: Mapping[str, Source]) -> None:
        clauses = program.clauses
        self.names = names = Names()
        self._mistakes = mistakes = Mistakes()
        self._sources = {**grids, "": program.source}
        self._rules = [clause for clause in clauses if isinstance(clause, syntax.Rule)]
        self._candidates = 0
        self._givens: dict[Variable, tuple[Value, syntax.Rule, Env]] = {}
        Meanings(clauses, names, mistakes)
        self._end_stage()
        read_params(clauses, params, names, mistakes)
        self._end_stage()
        self._cells = read_grids(clauses, grids, names, mistakes)
        self._end_stage()
        derive(clauses, names, mistakes)
        self._end_stage()
        self._declare()
        self._end_stage()
        constraints = self._constrain()
        shown = self._shown(clause for clause in clauses if isinstance(clause, syntax.Show))
        self._end_stage()
        self.model = Model(dict(self.names.domains), constraints, shown)

    def _end_stage(self) -> None:
        if self._mistakes:
            raise SpecError(self._mistakes, self._sources)

    # variables

    def _declare(self) -> None:
        for rule in self._rules:
            if not isinstance(rule.head, syntax.Declaration) or is_constraint(rule, self.names.families):
                continue
            if not self._mistakes.enough:
                with self._mistakes.collecting(rule.at):
                    if rule.label:
                        hint = "a comparison is a constraint, such as slot(L) != wed"
                        raise Mistake("only a constraint has a label", rule.label.at, hint)
                    self._declare_rule(rule, rule.head)

    def _declare_rule(self, rule: syntax.Rule, head: syntax.Declaration) -> None:
        bound, found = self.names.instances(rule.body, head)
        domain_of = self._domain(head.domain, bound)
        terms = [(term, self._key(term, bound)) for term in head.terms]
        for env in found:
            domain = domain_of(env)
            for term, key in terms:
                variable = self._declare_variable(tuple([part(env) for part in key]), domain, term)
                self.declared(rule, term, variable, domain)

    def _key(self, term: syntax.Expr, bound: set[str]) -> list[Evaluate]:
        """What gives the family and the indices of a declared variable."""
        assert isinstance(term, syntax.Call | syntax.Name | syntax.Logical)
        family = term.name
        if family in bound:
            raise Mistake(f"{family} is bound by the body and cannot be declared", term.at)
        indices = [compile_value(argument, self.names, bound, INDEX) for argument in syntax.arguments(term)]
        return [lambda env: family, *indices]

    def _domain(self, node: syntax.Union, bound: set[str]) -> Callable[[Env], Domain]:
        """As ``compile_domain``, but evaluated once for all bindings that give the same domain."""
        values = compile_domain(node, self.names, bound, MAX_DOMAIN)
        words = sorted(free_names(node, bound) & bound)
        known: dict[Row, Domain] = {}

        def domain(env: Env) -> Domain:
            key = tuple([env[word] for word in words])
            if key not in known:
                known[key] = ordered(values(env))
                self.names.spend(len(known[key]) if words else 0, node.at)
            if not known[key]:
                raise Mistake("the domain is empty", node.at, "a range goes from the least to the greatest")
            return known[key]

        return domain

    def _declare_variable(self, key: Row, domain: Domain, term: syntax.Expr) -> Variable:
        self._candidates += len(domain)
        if self._candidates > MAX_CANDIDATES:
            raise Mistake(f"the variables have more than {MAX_CANDIDATES:,} values in all", term.at)
        if key not in self.names.variables:
            taken = self.names.families
            indices = [i if isinstance(i, int) else quoted(i, taken, argument=True) for i in key[1:]]
            variable = Variable(str(key[0]), *indices)
            self.names.variables[key] = Affine.variable(variable)
            self.names.domains[variable] = domain
            return variable
        (variable,) = self.names.variables[key].variables
        known = self.names.domains[variable]
        if known is not domain:
            also = set(domain)
            self.names.domains[variable] = both = tuple(value for value in known if value in also)
            if not both:
                message = f"{variable} has no value left: {brief(known)} and {brief(domain)} have nothing in common"
                raise Mistake(message, term.at)
        return variable

    # what a linter is told

    def declared(self, rule: syntax.Rule, term: syntax.Expr, variable: Variable, domain: Domain) -> None:
        """A clause has declared a variable, or narrowed it."""

    def posted(self, rule: syntax.Rule, env: Env, constraint: Constraint | bool) -> None:
        """A clause has made an instance of its constraint, or True for what holds anyhow."""

    # constraints

    def _constrain(self) -> dict[Constraint, None]:
        made: dict[Constraint, None] = {}
        for rule in self._rules:
            if is_constraint(rule, self.names.families) and not self._mistakes.enough:
                with self._mistakes.collecting(rule.at):
                    self._constrain_rule(rule, made)
        return made

    def _constrain_rule(self, rule: syntax.Rule, made: dict[Constraint, None]) -> None:
        found, make = self._instances(rule)
        for number, env in enumerate(found, 1):
            try:
                constraint = make(env)
                if constraint is False:
                    raise Falsehood("this never holds", rule.head.at)
                if isinstance(constraint, Constraint):
                    self._check_agreement(constraint, rule, env)
                    made[constraint] = None
                self.posted(rule, env, constraint)
            except Mistake as mistake:
                cell = self._cell(rule, env)
                if cell is None or self._mistakes.enough:
                    self._add_bindings(mistake, rule, env)
                    if isinstance(mistake, Falsehood) and (more := _count_false(make, found[number:])):
                        mistake.add_hint(f"and {plural(more, 'more instance')} of this clause")
                    raise
                mistake.grid, mistake.at = cell
                mistake.add_hint(f"the clause of line {rule.at.line} says so")
                self._mistakes.append(mistake.with_traceback(None))

    def givens(self, rule: syntax.Rule) -> list[Constraint]:
        """The instances of a constraint.

        Raises
        ------
        Mistake
            Also if a value is outside the domain of its variable.
        """
        found, make = self._instances(rule)
        return [constraint for env in found if isinstance(constraint := make(env), Constraint)]

    def _instances(self, rule: syntax.Rule) -> tuple[list[Env], Callable[[Env], Constraint | bool]]:
        """The bindings of the body, and what makes constraints of them."""
        label = parse_label(rule.label)
        bound, found = self.names.instances(rule.body, (rule.head, *label))
        text = compile_label(label, self.names, bound)
        make = compile_condition(rule.head, self.names, bound, given=True)

        def labelled(env: Env) -> Constraint | bool:
            name = text(env)
            try:
                return make(env, {"label": name, "line": rule.at.line})
            except Mistake as mistake:
                mistake.message = f"{name}: {mistake.message}" if name else mistake.message
                raise

        return found, labelled

    def _cell(self, rule: syntax.Rule, env: Env) -> tuple[str, syntax.Place] | None:
        """The grid text and the place in it from which an instance of a comparison comes."""
        for literal in rule.body if isinstance(rule.head, syntax.Comparison) else ():
            match literal:
                case syntax.Fact(_, syntax.Call(_, name, arguments)) if name in self._cells:
                    known = [
                        (column, env[argument.name])
                        for column, argument in enumerate(arguments)
                        if isinstance(argument, syntax.Logical) and argument.name in env
                    ]
                    cells = self._cells[name].items()
                    places = [at for cell, at in cells if all(cell[column] == value for column, value in known)]
                    if len(places) == 1:
                        return name if name in self._sources else "", places[0]
        return None

    def _add_bindings(self, mistake: Mistake, rule: syntax.Rule, env: Env) -> None:
        words = all_names(rule.head)
        if bindings := ", ".join(f"{word} = {value}" for word, value in env.items() if word in words):
            mistake.add_hint(f"here {bindings}")

    def _check_agreement(self, constraint: Constraint, rule: syntax.Rule, env: Env) -> None:
        """Two givens for one variable must agree."""
        match constraint:
            case Equality(left, right, True) if not isinstance(right, Variable):
                value, first, binding = self._givens.setdefault(left, (right, rule, env))
                if value != right:
                    grid, at = self._cell(first, binding) or ("", first.at)
                    where = f"line {at.line}" + (f" of {self._sources[grid].name}" if grid else "")
                    raise Mistake(f"{left} = {right} contradicts {left} = {value} of {where}", rule.at)

    # answers

    def _shown(self, clauses: Iterable[syntax.Show]) -> list[str]:
        shown: dict[str, None] = {}
        families = {variable.family for variable in self.names.domains}
        for clause in clauses:
            for at, name in ((name.at, name.name) for name in clause.names):
                if name not in self.names.families:
                    hint = near(name, families)
                    self._mistakes.append(Mistake(f"there is no variable {name} to show", at, hint))
                elif name not in families:
                    self._mistakes.append(Mistake(f"the declaration of {name} declares nothing to show", at))
                shown[name] = None
        return list(shown)


def _count_false(make: Callable[[Env], Constraint | bool], found: Iterable[Env]) -> int:
    """How many instances never hold, up to one that is wrong in another way."""
    count = 0
    for env in found:
        try:
            count += make(env) is False
        except Falsehood:
            count += 1
        except Mistake:
            break
    return count

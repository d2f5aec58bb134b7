"""Evaluates the clauses of a spec, in stages, to a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from csp import Affine, Model, ModelError, Objective, Value

from ...text import syntax
from ...text.errors import Mistake, Mistakes, Source, SpecError
from ...text.limits import LIMITS, Limits
from ...text.parsing.lalr import no_collecting
from ...text.parsing.parse import parse
from ...text.printing.write import write
from ..expressions.arithmetic import numeric_variables
from ..expressions.compiler import Compiler
from ..expressions.names import Names, Scope
from ..including import gather
from ..rows import with_facts
from .definitions import define_names, is_calculated, read_grids, read_params
from .nesting import check_nesting
from .origins import Origins
from .posting import check_effect, check_params, post
from .relations import derive
from .showing import drawn_of, show
from .variables import declare
from .watch import ClauseObserver


@dataclass(frozen=True)
class Build:
    """One evaluation of a program."""

    model: Model
    names: Names
    origins: Origins


class Program:
    """A parsed spec, which gives models for params and grids.

    Parameters
    ----------
    source : Source
    facts : mapping from str to Source, optional
        The facts of relations, instead of those in the spec.

    Attributes
    ----------
    source : Source
        The spec itself.
    sources : dict of str to Source
        Its texts, by what places call their file: itself, under ``""``, all that it includes, and the facts.
    clauses : tuple of syntax.Clause

    Raises
    ------
    SpecError
        If the text is not of the language, or a file cannot be included.

    Examples
    --------
    >>> program = Program(Source("pair.csp", "param n = 2.  A, B in 1..n.  A < B."))
    >>> print(program.build({"n": 3}, {}).model.domains)
    {'A': (1, 2, 3), 'B': (1, 2, 3)}
    """

    def __init__(self, source: Source, facts: Mapping[str, Source] | None = None) -> None:
        self.source = source
        self.clauses, self.sources = gather(source)
        mistakes = Mistakes()
        for relation, rows in (facts or {}).items():
            self.sources[rows.name] = rows
            found, wrong = parse(rows.text, rows.name)
            mistakes += wrong
            if wrong:
                continue
            with mistakes.collecting():
                self.clauses = with_facts(self.clauses, relation, found)
        if mistakes:
            raise SpecError(mistakes, self.sources)

    @no_collecting()
    def build(
        self,
        params: Mapping[str, Value],
        grids: Mapping[str, Source],
        watch: ClauseObserver | None = None,
        limits: Limits = LIMITS,
    ) -> Build:
        """Evaluate everything, stage by stage.

        Parameters
        ----------
        params : mapping from str to value
            Override the params of the spec.
        grids : mapping from str to Source
            Replace the grids of the spec.
        watch : ClauseObserver, optional
            Observer of what every clause makes.

        Raises
        ------
        SpecError
            With every mistake of the first stage that has any.
        """
        names, mistakes, watch = Names(limits), Mistakes(), watch or ClauseObserver()
        sources = {**grids, **self.sources}
        rules = [clause for clause in self.clauses if isinstance(clause, syntax.Rule)]

        def end_stage() -> None:
            if mistakes:
                raise SpecError(mistakes, sources)

        define_names(self.clauses, names, mistakes)
        end_stage()
        read_params(self.clauses, params, names, mistakes)
        end_stage()
        check_params(rules, names, mistakes)
        end_stage()
        origins = Origins(read_grids(self.clauses, grids, names, mistakes), sources)
        end_stage()
        derive(self.clauses, names, mistakes)
        end_stage()
        declare(rules, names, mistakes, watch)
        end_stage()
        constraints = post(rules, names, origins, mistakes, watch)
        shown, layout = show(self.clauses, names, mistakes)
        drawn = drawn_of(self.clauses, names, mistakes, watch)
        objective = _objective(self.clauses, names, mistakes)
        end_stage()
        if params or grids:
            check_effect(self.clauses, (*params, *grids), names, mistakes)
            end_stage()
        try:
            return Build(Model(names.domains, constraints, shown, objective, layout, drawn), names, origins)
        except ModelError as error:  # a symbol where a variable is meant
            raise SpecError([Mistake(str(error))], sources) from None


def nothing_declared(clauses: Iterable[syntax.Clause]) -> Mistake:
    """Why a spec has no variable, where that can be seen.

    Examples
    --------
    >>> nothing_declared(Program(Source("", "x(i) in 1..4 :- i in 1..4.")).clauses).hint
    'logical variables begin in uppercase: I in 1..4'
    """
    message = "the spec declares no variable"
    for clause in clauses:
        match clause:
            case syntax.Rule(at, _, syntax.Declaration(_, terms), body):
                for literal in body:
                    match literal:
                        case syntax.Declaration(where, (syntax.Name(_, name),), domain):
                            hint = f"logical variables begin in uppercase: {name.capitalize()} in {write(domain)}"
                            return Mistake(message, where, hint)
                calculated = [term.name for term in terms if isinstance(term, syntax.Call) and is_calculated(term)]
                if calculated:
                    hint = f"{calculated[0]} is a word of the language and calculates; a variable has another name"
                    return Mistake(message, at, hint)
                return Mistake(message, at, "nothing satisfies what follows :-")
    return Mistake(message, None, "a variable is declared by its values: A in 1..9. or x(I) in 1..9 :- I in 1..4.")


def _objective(clauses: Iterable[syntax.Clause], names: Names, mistakes: Mistakes) -> Objective | None:
    """What is to be small or great, said once."""
    objective: Objective | None = None
    first: syntax.Place | None = None
    for clause in clauses:
        if isinstance(clause, syntax.Objective):
            with mistakes.collecting(clause.at):
                if first is not None:
                    hint = "what matters more comes first: minimize(A, B)."
                    raise Mistake(f"{first.line_from(clause.at)} says already what is best", clause.at, hint)
                first = clause.at
                first_one, *others = [_level(one, names, clause.at) for one in clause.expressions]
                objective = Objective(clause.sense, first_one, tuple(others), line=clause.at.line, file=clause.at.file)
    return objective


def _level(said: syntax.Expr, names: Names, at: syntax.Place) -> Affine:
    expression = Compiler(names).expression(said, Scope())({})
    if not isinstance(expression, Affine) or not expression.variables:
        raise Mistake("there is no puzzle variable in this, so all answers are equally good", at)
    for variable in numeric_variables(expression):
        if isinstance(symbol := names.domains[variable][-1], str):
            raise Mistake(f"{variable} can be the symbol {symbol}, which is neither small nor great", said.at)
    check_nesting([expression], names, said.at)
    return expression

"""Evaluates the clauses of a spec, in stages, to a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from csp import Affine, Model, ModelError, Objective, Value

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Source, SpecError
from ...syntax.limits import LIMITS, Limits
from ...syntax.parsing.lalr import no_collecting
from ...syntax.parsing.parse import parse
from ...syntax.printing.write import write
from ..expressions.arithmetic import numeric_variables
from ..expressions.compiler import Compiler
from ..expressions.names import Names, Scope
from ..including import gather
from ..rows import with_facts
from .definitions import define_names, is_calculated, read_grids, read_params
from .nesting import check_nesting
from .observer import ClauseObserver
from .origins import Origins
from .posting import check_effect, check_params, post
from .relations import derive
from .showing import drawn_of, show
from .variables import declare


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
    clauses : tuple of nodes.Clause

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
        diagnostics = Diagnostics()
        for relation, rows in (facts or {}).items():
            self.sources[rows.name] = rows
            found, wrong = parse(rows.text, rows.name)
            diagnostics += wrong
            if wrong:
                continue
            with diagnostics.collecting():
                self.clauses = with_facts(self.clauses, relation, found)
        if diagnostics:
            raise SpecError(diagnostics, self.sources)

    @no_collecting()
    def build(
        self,
        params: Mapping[str, Value],
        grids: Mapping[str, Source],
        observer: ClauseObserver | None = None,
        limits: Limits = LIMITS,
    ) -> Build:
        """Evaluate everything, stage by stage.

        Parameters
        ----------
        params : mapping from str to value
            Override the params of the spec.
        grids : mapping from str to Source
            Replace the grids of the spec.
        observer : ClauseObserver, optional
            Observer of what every clause makes.

        Raises
        ------
        SpecError
            With every mistake of the first stage that has any.
        """
        names, diagnostics, observer = Names(limits), Diagnostics(), observer or ClauseObserver()
        sources = {**grids, **self.sources}
        rules = [clause for clause in self.clauses if isinstance(clause, nodes.Rule)]

        def end_stage() -> None:
            if diagnostics:
                raise SpecError(diagnostics, sources)

        define_names(self.clauses, names, diagnostics)
        end_stage()
        read_params(self.clauses, params, names, diagnostics)
        end_stage()
        check_params(rules, names, diagnostics)
        end_stage()
        origins = Origins(read_grids(self.clauses, grids, names, diagnostics), sources)
        end_stage()
        derive(self.clauses, names, diagnostics)
        end_stage()
        declare(rules, names, diagnostics, observer)
        end_stage()
        constraints = post(rules, names, origins, diagnostics, observer)
        shown, layout = show(self.clauses, names, diagnostics)
        drawn = drawn_of(self.clauses, names, diagnostics, observer)
        objective = _objective(self.clauses, names, diagnostics)
        end_stage()
        if params or grids:
            check_effect(self.clauses, (*params, *grids), names, diagnostics)
            end_stage()
        try:
            return Build(Model(names.domains, constraints, shown, objective, layout, drawn), names, origins)
        except ModelError as error:  # a symbol where a variable is meant
            raise SpecError([Diagnostic(str(error))], sources) from None


def nothing_declared(clauses: Iterable[nodes.Clause]) -> Diagnostic:
    """Why a spec has no variable, where that can be seen.

    Examples
    --------
    >>> nothing_declared(Program(Source("", "x(i) in 1..4 :- i in 1..4.")).clauses).hint
    'logical variables begin in uppercase: I in 1..4'
    """
    message = "the spec declares no variable"
    for clause in clauses:
        match clause:
            case nodes.Rule(at, _, nodes.Declaration(_, terms), body):
                for literal in body:
                    match literal:
                        case nodes.Declaration(where, (nodes.Name(_, name),), domain):
                            hint = f"logical variables begin in uppercase: {name.capitalize()} in {write(domain)}"
                            return Diagnostic(message, where, hint)
                calculated = [term.name for term in terms if isinstance(term, nodes.Call) and is_calculated(term)]
                if calculated:
                    hint = f"{calculated[0]} is a word of the language and calculates; a variable has another name"
                    return Diagnostic(message, at, hint)
                return Diagnostic(message, at, "nothing satisfies what follows :-")
    return Diagnostic(message, None, "a variable is declared by its values: A in 1..9. or x(I) in 1..9 :- I in 1..4.")


def _objective(clauses: Iterable[nodes.Clause], names: Names, diagnostics: Diagnostics) -> Objective | None:
    """What is to be small or great, said once."""
    objective: Objective | None = None
    first: nodes.Place | None = None
    for clause in clauses:
        if isinstance(clause, nodes.Objective):
            with diagnostics.collecting(clause.at):
                if first is not None:
                    hint = "what matters more comes first: minimize(A, B)."
                    raise Diagnostic(f"{first.line_from(clause.at)} says already what is best", clause.at, hint)
                first = clause.at
                first_one, *others = [_level(one, names, clause.at) for one in clause.expressions]
                objective = Objective(clause.sense, first_one, tuple(others), line=clause.at.line, file=clause.at.file)
    return objective


def _level(said: nodes.Expr, names: Names, at: nodes.Place) -> Affine:
    expression = Compiler(names).expression(said, Scope())({})
    if not isinstance(expression, Affine) or not expression.variables:
        raise Diagnostic("there is no puzzle variable in this, so all answers are equally good", at)
    for variable in numeric_variables(expression):
        if isinstance(symbol := names.domains[variable][-1], str):
            raise Diagnostic(f"{variable} can be the symbol {symbol}, which is neither small nor great", said.at)
    check_nesting([expression], names, said.at)
    return expression

"""Builds the model of a spec in stages of evaluation, in a fixed order.

Read `Program.build` first: it names each stage and the module that carries it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from csp import Model, ModelError, Value

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Source, SpecError
from ...syntax.limits import LIMITS, Limits
from ...syntax.parse import no_collecting, parse
from ..expressions.names import Names
from ..including import gather, replace_facts
from .definitions import define_names, is_calculated
from .inputs import read_grids, read_params
from .observing import ClauseObserver, Origins
from .posting import check_effect, check_params, post
from .relations import derive
from .showing import collect_drawings, read_objective, show
from .variables import declare


@dataclass(frozen=True)
class Build:
    """An evaluated spec: its model, the meanings of its names, and its clues' places."""

    model: Model
    names: Names
    origins: Origins


class Program:
    """A parsed spec, which builds models for given params and grids.

    Parameters
    ----------
    source : Source
    facts : mapping from str to Source, optional
        Facts, by relation, that replace the facts of the spec.

    Attributes
    ----------
    source : Source
        The text of the spec.
    sources : dict of str to Source
        All texts by file name, as in places: the spec under ``""``, included files, and the facts passed in.
    clauses : tuple of nodes.Clause

    Raises
    ------
    SpecError
        If a text has a syntax error, or a file cannot be included.

    Examples
    --------
    >>> program = Program(Source("pair.csp", "param n = 2.  A, B in 1..n.  A < B."))
    >>> print(program.build({"n": 3}, {}).model.domains)
    {'A': (1, 2, 3), 'B': (1, 2, 3)}
    """

    def __init__(self, source: Source, facts: Mapping[str, Source] | None = None) -> None:
        self.source = source
        # Read the spec and its included files into one list of clauses.
        self.clauses, self.sources = gather(source)
        diagnostics = Diagnostics()
        # Replace the facts of relations by those that the caller passes.
        for relation, rows in (facts or {}).items():
            self.sources[rows.name] = rows
            fact_clauses, errors = parse(rows.text, rows.name)
            diagnostics += errors
            if errors:
                continue
            with diagnostics.collecting():
                self.clauses = replace_facts(self.clauses, relation, fact_clauses)
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
        """Evaluate the clauses stage by stage; return the model, names and clue places.

        Each stage reports all its diagnostics before evaluation stops.

        Parameters
        ----------
        params : mapping from str to value
            Override the params of the spec.
        grids : mapping from str to Source
            Replace the grids of the spec.
        observer : ClauseObserver, optional
            Informed about each variable and constraint that a clause makes.

        Raises
        ------
        SpecError
            With all diagnostics up to the end of the first stage that has any.
        """
        names, diagnostics, observer = Names(limits), Diagnostics(), observer or ClauseObserver()
        sources = names.sources = {**grids, **self.sources}
        rules = [clause for clause in self.clauses if isinstance(clause, nodes.Rule)]

        def end_stage() -> None:
            if diagnostics:
                raise SpecError(diagnostics, sources)

        # 1. Decide what each name means: param, grid, variable family, relation, named constraint or layout.
        define_names(self.clauses, names, diagnostics)
        end_stage()
        # 2. Evaluate the params, in order of dependence; the caller's values replace those of the spec.
        read_params(self.clauses, params, names, diagnostics)
        end_stage()
        # 3. Check clauses about params alone, such as `n >= 1.`, before anything depends on the params.
        check_params(rules, names, diagnostics)
        end_stage()
        # 4. Read the grids: each becomes a relation of row, column and value.
        origins = Origins(read_grids(self.clauses, grids, names, diagnostics), sources)
        end_stage()
        # 5. Compute the other relations from their facts and rules, bottom up.
        derive(self.clauses, names, diagnostics)
        end_stage()
        # 6. Ground the declarations: create the puzzle variables and their domains.
        declare(rules, names, diagnostics, observer)
        end_stage()
        # 7. Ground the clauses that post constraints: one constraint for each binding of the body.
        constraints = post(rules, names, origins, diagnostics, observer)
        # 8. Evaluate the clauses that do not constrain: `show`, `draw` and the objective.
        shown_families, layout = show(self.clauses, names, diagnostics)
        drawn = collect_drawings(self.clauses, names, diagnostics, observer)
        objective = read_objective(self.clauses, names, diagnostics)
        end_stage()
        # 9. Refuse params and grids of the caller that no clause uses.
        if params or grids:
            check_effect(self.clauses, (*params, *grids), names, diagnostics)
            end_stage()
        # 10. Build the model, which checks the scopes of the constraints.
        try:
            return Build(Model(names.domains, constraints, shown_families, objective, layout, drawn), names, origins)
        except ModelError as error:  # a symbol where a variable is meant
            raise SpecError([Diagnostic("invalid-constraint", str(error))], sources) from None


def nothing_declared(clauses: Iterable[nodes.Clause]) -> Diagnostic:
    """Return the error, with a hint, for a spec without variables.

    Examples
    --------
    >>> nothing_declared(Program(Source("", "x(I) in 1..4 :- I in 4..1.")).clauses).hint
    'nothing satisfies the body, after :-'
    """
    message = "the spec declares no variable"
    # Look for a declaration that made no variable; the first one is explained.
    for clause in clauses:
        match clause:
            case nodes.Rule(at, _, nodes.Declaration(_, terms)):
                calculated = [term.name for term in terms if isinstance(term, nodes.Call) and is_calculated(term)]
                if calculated:
                    hint = f"{calculated[0]} is a function of the language; choose another name for the variable"
                    return Diagnostic("nothing-declared", message, at, hint)
                return Diagnostic("nothing-declared", message, at, "nothing satisfies the body, after :-")
    return Diagnostic(
        "nothing-declared",
        message,
        None,
        "declare variables by their values: A in 1..9. or x(I) in 1..9 :- I in 1..4.",
    )

"""Collects and sorts a spec's errors and warnings, and omits silenced warnings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from csp import Constraint, Model, Value

from ..semantics.clauses.build import Program
from ..semantics.clauses.definitions import define_names
from ..semantics.expressions.names import Names
from ..syntax.errors import WARNINGS, Diagnostic, Diagnostics, Edit, Source, SpecError, Suggestion, suggest_name
from ..syntax.nodes import Place
from ..syntax.parse import clause_spans
from .build import Provenance, WatchedBuild
from .clauses import check_clauses, check_domains, check_line_ends, check_names
from .constraints import check_groups, check_instances
from .pictures import check_drawings, check_joins, check_params_as_symbols

SILENCE = re.compile(r"([^%\n]*)%[^\n]*?\blint: *ignore +([a-z-]+(?: *, *[a-z-]+)*)")
"""Matches a comment that silences warnings: the text before the comment, and the codes."""

NEEDLESS = (
    "always-true",
    "duplicate",
    "empty-clause",
    "needless-show",
    "unused-grid",
    "unused-param",
    "unused-relation",
)
"""The beginnings of the codes of warnings about clauses that can be removed."""


@dataclass(frozen=True)
class Report:
    """The errors and warnings of a spec, and its model if it is correct.

    Attributes
    ----------
    found : list of Diagnostic
        Errors and warnings, each once and in the order of their places: the spec first, then the other texts.
    sources : dict of str to Source
        All texts by name: the spec under ``""``, included files, and the grids that replace its own.
    model : csp.Model or None
        None if there are errors.
    places : mapping from csp.Constraint to (str, Place)
        The grid and the place in it of the clue behind a constraint; otherwise "" and the place of the clause.
    left_out : int
        Number of constraints that were not checked for always or never holding, as the limit of work was reached.
    """

    found: list[Diagnostic]
    sources: Mapping[str, Source]
    model: Model | None
    places: Mapping[Constraint, tuple[str, Place]]
    left_out: int = 0

    def note(self, constraint: Constraint, message: str) -> Diagnostic:
        """Return a note about a constraint, at the constraint's place in the spec."""
        grid, at = self.places.get(constraint, ("", Place(constraint.line, 1, file=constraint.file)))
        return Diagnostic("evidence", message, at if at.line else None, grid=grid)


def inspect(
    program: Program,
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, Source] | None = None,
    ignore: Collection[str] = (),
) -> Report:
    """Return a report of a spec's errors, and of its probable mistakes as warnings.

    A comment ``% lint: ignore CODE, CODE`` silences warnings on its line, or on the next line if the comment is alone.
    ``unmatched-value``, which is about pictures, is silenced in the whole file if only comments precede the comment.

    Examples
    --------
    >>> program = Program(Source("a.csp", "param n = 3. A in 1..3. A != A."))
    >>> [diagnostic.code for diagnostic in inspect(program).found]
    ['unused-param', 'self-comparison']
    """
    # Build the model, and record what each clause makes.
    names, record, grids = Names(), Provenance(), grids or {}
    diagnostics: list[Diagnostic] = []
    model, places, left_out = None, {}, 0
    try:
        build = WatchedBuild(program.clauses, program.build(params or {}, grids, record), record)
    except SpecError as error:
        # With errors, only the meanings of the names are known.
        define_names(program.clauses, names, Diagnostics())
        diagnostics += error.diagnostics
    else:
        # Without errors, check the instances and the constraints.
        names, model, places = build.names, build.model, build.places
        diagnostics += check_instances(build)
        left_out = build.left_out
        diagnostics += check_groups(build)
        diagnostics += check_joins(program.clauses, build)
        diagnostics += check_drawings(program.clauses, build)
    # Check names and the text of clauses in both cases.
    proposed = {edit.text for diagnostic in diagnostics for edit in diagnostic.replacements}
    diagnostics += _drop_unused_of_included(check_names(program.clauses, names, grids, proposed))
    diagnostics += check_params_as_symbols(program.clauses, names, grids)
    diagnostics += check_clauses(program.clauses, names)
    diagnostics += check_domains(program.clauses, names)
    diagnostics += check_line_ends(program.clauses, program.sources)
    # Remove what comments or the caller silence, and repetitions; sort by place.
    ignored_codes = [*_find_ignored(program.sources)]
    diagnostics += [diagnostic for ignored in ignored_codes for diagnostic in ignored.unknown]
    silenced = {place for ignored in ignored_codes for place in ignored.silenced}
    distinct = {
        (diagnostic.order, diagnostic.code): diagnostic
        for diagnostic in _drop_echoes(diagnostics)
        if diagnostic.code not in ignore
        and silenced.isdisjoint(
            (diagnostic.text, line, diagnostic.code) for line in (0, diagnostic.at and diagnostic.at.line)
        )
    }
    _propose_removals(distinct.values(), program.sources[""])
    return Report(
        _merge_repeated("same-label", [distinct[key] for key in sorted(distinct)]),
        {**grids, **program.sources},
        model,
        places,
        left_out,
    )


def _propose_removals(diagnostics: Iterable[Diagnostic], source: Source) -> None:
    """Add to warnings about needless clauses an edit that removes the clause.

    A clause of several lines, or of an included file, is not removed.
    """
    needless = [d for d in diagnostics if d.code.startswith(NEEDLESS) and d.at and not d.text]
    if not needless:
        return
    # Find the places of clauses of one line, with the blanks that follow.
    clauses: dict[int, list[Place]] = {}
    line, counted_to = 1, 0
    for begin, end in clause_spans(source.text):
        line += source.text.count("\n", counted_to, begin)
        counted_to = begin
        if "\n" not in source.text[begin:end]:
            rest = source.text[end:].split("\n", 1)[0]
            width = end - begin + len(rest) - len(rest.lstrip())
            clauses.setdefault(line, []).append(Place(line, begin - source.text.rfind("\n", 0, begin), width))
    for diagnostic in needless:
        assert diagnostic.at
        for clause in clauses.get(diagnostic.at.line, ()):
            if clause.column <= diagnostic.at.column < clause.column + clause.width:
                diagnostic.hint = Suggestion(diagnostic.hint, *diagnostic.replacements, Edit(clause, ""))


def _drop_unused_of_included(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the warnings without those about unused names that included files define.

    Other specs may use these names.
    """
    return [diagnostic for diagnostic in diagnostics if not (diagnostic.code.startswith("unused-") and diagnostic.text)]


def _drop_echoes(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the warnings without those about constraints of clauses already reported as repeated."""
    diagnostics = list(diagnostics)
    repeated_places = {diagnostic.at for diagnostic in diagnostics if diagnostic.code == "duplicate-clause"}
    echo_codes = ("duplicate-group", "duplicate-constraint", "contained-group")
    return [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.code not in echo_codes or diagnostic.at not in repeated_places
    ]


def _merge_repeated(code: str, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics with all warnings of ``code`` merged into the first one.

    Its message lists the lines of the others, at most four.
    """
    same_code = [diagnostic for diagnostic in diagnostics if diagnostic.code == code and diagnostic.at]
    if len(same_code) < 2:
        return [*diagnostics]
    lines = ", ".join(
        dict.fromkeys(str(diagnostic.at.line) for diagnostic in same_code[1:5] if diagnostic.at)
    ) + ", ..." * (len(same_code) > 5)
    merged = Diagnostic(
        code,
        f"{same_code[0].message}; also in line {lines}",
        same_code[0].at,
        same_code[0].hint,
        same_code[0].grid,
    )
    return [
        merged if diagnostic is same_code[0] else diagnostic
        for diagnostic in diagnostics
        if diagnostic not in same_code[1:]
    ]


class Ignored(NamedTuple):
    """A warning code that a comment silences, with the place of the comment.

    ``line`` is the line whose warnings are silenced; ``is_head`` means that only comments precede this one in the file.
    """

    code: str
    at: Place
    line: int
    is_head: bool

    @property
    def silenced(self) -> list[tuple[str, int, str]]:
        """The warnings that the comment silences, as file, line and code.

        Line 0 means the whole file.
        """
        lines = [self.line, 0] if self.is_head and self.code == "unmatched-value" else [self.line]
        return [(self.at.file, line, self.code) for line in lines]

    @property
    def unknown(self) -> list[Diagnostic]:
        """A list with a warning if the silenced code does not exist; else empty."""
        if self.code in WARNINGS:
            return []
        hint = suggest_name(self.code, WARNINGS) or "write the code in brackets at the end of a warning"
        return [Diagnostic("unknown-warning", f"unknown warning: {self.code}", self.at, hint)]


def _find_ignored(sources: Mapping[str, Source]) -> Iterator[Ignored]:
    """Yield the warning codes that comments in a spec's files silence."""
    for file, source in sources.items():
        is_head = True
        for number, line in enumerate(source.text.split("\n"), 1):
            is_head = is_head and line.startswith("%")
            if comment := SILENCE.match(line):
                for word in re.finditer("[a-z-]+", comment[2]):
                    at = Place(number, comment.start(2) + word.start() + 1, len(word[0]), file=file)
                    yield Ignored(word[0], at, number if comment[1].strip() else number + 1, is_head)

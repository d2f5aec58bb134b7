"""All that is found in a spec, sorted and without what is silenced."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from csp import Constraint, Model, Value

from ..semantics.clauses.build import Program
from ..semantics.clauses.definitions import define_names
from ..semantics.expressions.names import Names
from ..syntax.errors import Diagnostic, Diagnostics, Note, Source, SpecError, suggest_name
from ..syntax.nodes import Place
from .build import Provenance, WatchedBuild
from .clauses import check_clauses
from .codes import CODES, warning
from .groups import check_groups
from .instances import check_instances
from .names import check_names
from .pictures import check_drawings, check_joins, lint_params

SILENCE = re.compile(r"([^%\n]*)%[^\n]*?\blint: *ignore +([a-z-]+(?: *, *[a-z-]+)*)")


@dataclass(frozen=True)
class Report:
    """What is wrong with a spec, and what is hardly meant.

    Attributes
    ----------
    found : list of Mistake
        Errors and warnings, each once and in the order of their places: the spec first, then the other texts.
    sources : dict of str to Source
        The texts of the spec, under ``""`` and the names of what it includes, and those of the grids that replace its
        own.
    model : csp.Model or None
        None where there are errors.
    places : mapping from csp.Constraint to (str, Place)
        The grid, if any, and the place in it from which a constraint of the model comes; otherwise the clause.
    left_out : int
        How many constraints have not been looked at, whether they always hold or never, since that would take long.
    """

    found: list[Diagnostic]
    sources: Mapping[str, Source]
    model: Model | None
    places: Mapping[Constraint, tuple[str, Place]]
    left_out: int = 0

    def note(self, constraint: Constraint, message: str) -> Note:
        """What there is to say of a constraint, in its place."""
        grid, at = self.places.get(constraint, ("", Place(constraint.line, 1, file=constraint.file)))
        return Note(message, at if at.line else None, grid=grid)


def inspect(
    program: Program,
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, Source] | None = None,
    ignore: Collection[str] = (),
) -> Report:
    """Find the mistakes of a spec, and what is hardly meant.

    A comment ``% lint: ignore CODE, CODE`` silences warnings on its line, on the next one if it stands alone;
    ``unmatched-value``, which is inside pictures, in the whole file if only comments stand before it.

    Examples
    --------
    >>> program = Program(Source("a.csp", "param n = 3. A in 1..3. A != A."))
    >>> [diagnostic.code for diagnostic in inspect(program).found]
    ['unused-param', 'self-comparison']
    """
    names, record, grids = Names(), Provenance(), grids or {}
    found: list[Diagnostic] = []
    model, places, left_out = None, {}, 0
    try:
        build = WatchedBuild(program.clauses, program.build(params or {}, grids, record), record)
    except SpecError as error:
        define_names(program.clauses, names, Diagnostics())
        found += error.diagnostics
    else:
        names, model, places = build.names, build.model, build.places
        found += check_instances(build)
        left_out = build.left_out
        found += check_groups(build)
        found += check_joins(program.clauses, build)
        found += check_drawings(program.clauses, build)
    found += _of_the_spec(check_names(program.clauses, names, grids))
    found += lint_params(program.clauses, names, grids)
    found += check_clauses(program.clauses, names)
    ignored = [*_ignored(program.sources)]
    found += [diagnostic for one in ignored for diagnostic in one.unknown]
    silenced = {place for one in ignored for place in one.silenced}
    distinct = {
        (diagnostic.order, diagnostic.code): diagnostic
        for diagnostic in _without_echoes(found)
        if diagnostic.code not in ignore
        and silenced.isdisjoint(
            (diagnostic.text, line, diagnostic.code) for line in (0, diagnostic.at and diagnostic.at.line)
        )
    }
    return Report(
        _once("same-label", [distinct[key] for key in sorted(distinct)]),
        {**grids, **program.sources},
        model,
        places,
        left_out,
    )


def _of_the_spec(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without what an included file has that this spec does not use, since others may."""
    return [diagnostic for diagnostic in found if not (diagnostic.code.startswith("unused-") and diagnostic.text)]


def _without_echoes(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without what follows from a clause that stands there twice."""
    found = list(found)
    twice = {diagnostic.at for diagnostic in found if diagnostic.code == "duplicate-clause"}
    echoes = ("duplicate-group", "duplicate-constraint", "contained-group")
    return [diagnostic for diagnostic in found if diagnostic.code not in echoes or diagnostic.at not in twice]


def _once(code: str, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Without what has the same cause as a warning before it, which says where."""
    same = [diagnostic for diagnostic in found if diagnostic.code == code and diagnostic.at]
    if len(same) < 2:
        return [*found]
    lines = ", ".join(dict.fromkeys(str(one.at.line) for one in same[1:5] if one.at)) + ", ..." * (len(same) > 5)
    first = Diagnostic(
        f"{same[0].message}; so have those of line {lines}", same[0].at, same[0].hint, same[0].grid, code
    )
    return [first if one is same[0] else one for one in found if one not in same[1:]]


class Ignored(NamedTuple):
    """A code that a comment silences: its place in a file, the line that is meant, and whether it heads the file."""

    code: str
    at: Place
    line: int
    is_head: bool

    @property
    def silenced(self) -> list[tuple[str, int, str]]:
        """File, line and code; line 0 is the whole file."""
        lines = [self.line, 0] if self.is_head and self.code == "unmatched-value" else [self.line]
        return [(self.at.file, line, self.code) for line in lines]

    @property
    def unknown(self) -> list[Diagnostic]:
        """What there is to say of a code that no warning has."""
        if self.code in CODES:
            return []
        hint = suggest_name(self.code, CODES) or "a warning ends with its name"
        return [warning("unknown-warning", f"there is no warning {self.code}", self.at, hint)]


def _ignored(sources: Mapping[str, Source]) -> Iterator[Ignored]:
    """What the comments of the files of a spec silence."""
    for file, source in sources.items():
        is_head = True
        for number, line in enumerate(source.text.split("\n"), 1):
            is_head = is_head and line.startswith("%")
            if comment := SILENCE.match(line):
                for word in re.finditer("[a-z-]+", comment[2]):
                    at = Place(number, comment.start(2) + word.start() + 1, len(word[0]), file=file)
                    yield Ignored(word[0], at, number if comment[1].strip() else number + 1, is_head)

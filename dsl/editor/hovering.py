"""Describes the name at the cursor, and for variables the domain after propagation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import csp
from csp import CspError, Domain, Value, counted, quoted, show_domain

from ..semantics.clauses.build import Build, Program
from ..syntax import nodes
from ..syntax.errors import Source
from ..syntax.nodes import Place
from .diagnosing import Problem, diagnose
from .names import Occurrence, SpecNames, occurrence_at
from .words import WORDS

LARGE = 20_000
"""Maximum number of values of all domains together for which a hover runs propagation."""


class Hover(NamedTuple):
    """A description of the name at the cursor of an editor.

    Attributes
    ----------
    at : Place
        The place of the name.
    title : str
        The name, perhaps with its value or domain, in the notation of the language.
    says : str
        The description.
    """

    at: Place
    title: str
    says: str


def hover(
    text: str,
    line: int,
    column: int,
    params: Mapping[str, Value] | None = None,
    grids: Mapping[str, str] | None = None,
    path: str = "-",
) -> Hover | None:
    """Return a description of the name at a line and column, or None.

    For a variable, the description contains its domain before and after propagation.

    Parameters
    ----------
    text : str
    line, column : int
        The place, counted from 1.
    params, grids, path
        As for ``diagnose``.

    Returns
    -------
    Hover or None
        None without a name at the place.

    Examples
    --------
    >>> hover("A, B in 1..3. A < B.", 1, 15)
    Hover(at=Place(line=1, column=15, width=1, file=''), title='A in 1..3', says='propagation leaves {1, 2}')
    """
    spec_names = SpecNames(text, path)
    occurrence = occurrence_at(spec_names, line, column)
    if occurrence is None or occurrence.name == "_":
        return None
    if occurrence.kind == "word":
        return Hover(occurrence.at, *WORDS[occurrence.name])
    if occurrence.kind == "bound":
        return Hover(occurrence.at, occurrence.name, "bound by the body of this clause")
    if occurrence.kind == "symbol":
        return _describe_symbol(occurrence, text, diagnose(text, params, grids, path))
    sources = {name: Source(name, grid) for name, grid in (grids or {}).items()}
    try:
        build = Program(Source("-", text, path)).build(params or {}, sources)
    except CspError:
        kind = "named constraint" if occurrence.kind == "constraint" else occurrence.kind
        return Hover(occurrence.at, occurrence.name, f"a {kind}")
    title, says = _describe(occurrence, spec_names, build)
    return Hover(occurrence.at, title, says)


def _describe_symbol(occurrence: Occurrence, text: str, problems: list[Problem]) -> Hover | None:
    """Return the error at a symbol, or the description of a symbol; None for an undeclared name with arguments."""
    at, name = occurrence.at, occurrence.name
    for problem in problems:
        if problem.severity == "error" and not problem.file and problem.at[:2] == at[:2]:
            return Hover(at, name, "; ".join(filter(None, (problem.message, problem.hint))))
    if text.split("\n")[at.line - 1][at.column - 1 + at.width :].lstrip().startswith("("):
        return None
    return Hover(at, name, "a symbol: equal to itself and to nothing else")


def _describe(occurrence: Occurrence, spec_names: SpecNames, build: Build) -> tuple[str, str]:
    """Return the title and the description of a name, from the model of its spec."""
    name, names = occurrence.name, build.names
    if name in names.params:
        value = names.params[name]
        return f"param {name} = {value if isinstance(value, int) else quoted(value)}", "--set gives it another value"
    if occurrence.kind in ("relation", "grid"):
        facts = len(names.relations[name].rows) if name in names.relations else 0
        return f"{name}/{names.arities.get(name, 0)}", f"a {occurrence.kind} of {counted(facts, 'fact')}"
    if occurrence.kind == "variable":
        return _describe_variable(occurrence, spec_names, build)
    if occurrence.kind == "constraint":
        return name, "a constraint, written out where it is used"
    return name, f"a {occurrence.kind}"


def _describe_variable(occurrence: Occurrence, spec_names: SpecNames, build: Build) -> tuple[str, str]:
    """Return the title and description of a variable or a family of variables.

    A term with constant arguments, such as ``cell(1, 2)``, is a variable. Any other term denotes the family.
    """
    domains: Mapping[str, Domain] = {str(variable): domain for variable, domain in build.model.domains.items()}
    # Find the term at the place and write it as the name of a variable.
    name, at = occurrence.name, occurrence.at
    terms = (part for clause in spec_names.own for part in nodes.walk(clause) if isinstance(part, nodes.Call))
    call = next((part for part in terms if (part.at.line, part.at.column) == (at.line, at.column)), None)
    indices = [getattr(part, "value", getattr(part, "name", None)) for part in call.arguments] if call else []
    member = f"{name}({','.join(value if isinstance(value, str) else str(value) for value in indices)})"
    family = [v for v in domains if v == name or v.startswith(f"{name}(")]
    if not family:
        return name, "a variable"
    domains_after = _propagate(build.model)
    if member in domains or name in domains:
        variable = member if member in domains else name
        title = f"{variable} in {show_domain(domains[variable])}"
        if domains_after is None:
            return title, "its constraints contradict one another"
        return title, _describe_domain(domains_after[variable])
    distinct_domains = list(dict.fromkeys(domains[variable] for variable in family))
    ellipsis = ", ..." if len(distinct_domains) > 1 else ""
    title = f"{name}/{family[0].count(',') + 1} in {show_domain(distinct_domains[0])}{ellipsis}"
    says = f"{counted(len(family), 'variable')}"
    if domains_after is None:
        return title, f"{says}; their constraints contradict one another"
    sizes = [len(domains_after[variable]) for variable in family if len(domains_after[variable]) > 1]
    unfixed = f"{counted(len(sizes), 'is open', 'are open')} with {sum(sizes)} values" if sizes else "none is open"
    return title, f"{says}; after propagation {unfixed}"


def _propagate(model: csp.Model) -> Mapping[str, Domain] | None:
    """Return the domains after propagation; None if propagation finds a contradiction.

    The domains of a model with more than ``LARGE`` values are returned unchanged.
    """
    if sum(map(len, model.domains.values())) > LARGE:
        return {str(variable): domain for variable, domain in model.domains.items()}
    fixpoint = csp.propagate(model)
    return {str(v): domain for v, domain in fixpoint.domains.items()} if fixpoint.holds else None


def _describe_domain(domain: Domain) -> str:
    """Return a text about the domain of a variable after propagation."""
    return f"propagation leaves {show_domain(domain) if len(domain) > 1 else domain[0]}"

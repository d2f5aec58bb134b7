"""What a name is, with its values before and after propagation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import csp
from csp import CspError, Domain, Value, counted, quoted, show_domain

from ..semantics.clauses.build import Build, Program
from ..syntax import nodes
from ..syntax.errors import Source
from ..syntax.nodes import Place
from .names import Occurrence, Spelt
from .places import found_at
from .words import WORDS

LARGE = 20_000
"""From so many candidates on, nothing is propagated for a hover."""


class Hover(NamedTuple):
    """What is said of a name.

    Attributes
    ----------
    at : Place
        The name.
    title : str
        As the language writes it.
    says : str
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
    """What the name at a place is: of a variable its domain and what propagation leaves, of a word what it says.

    Parameters
    ----------
    text : str
    line, column : int
        Counted from 1.
    params, grids, path
        As for ``diagnose``.

    Returns
    -------
    Hover or None

    Examples
    --------
    >>> hover("A, B in 1..3. A < B.", 1, 15)
    Hover(at=Place(line=1, column=15, width=1, file=''), title='A in 1..3', says='propagation leaves {1, 2}')
    """
    spelt = Spelt(text, path)
    one = found_at(spelt, line, column)
    if one is None or one.name == "_":
        return None
    if one.kind == "word":
        return Hover(one.at, *WORDS[one.name])
    if one.kind == "bound":
        return Hover(one.at, one.name, "bound by the body of this clause")
    if one.kind == "symbol":
        return Hover(one.at, one.name, "a symbol: equal to itself and to nothing else")
    sources = {name: Source(name, grid) for name, grid in (grids or {}).items()}
    try:
        build = Program(Source("-", text, path)).build(params or {}, sources)
    except CspError:
        return Hover(one.at, one.name, f"a {'named constraint' if one.kind == 'constraint' else one.kind}")
    title, says = _told(one, spelt, build)
    return Hover(one.at, title, says)


def _told(one: Occurrence, spelt: Spelt, build: Build) -> tuple[str, str]:
    name, names = one.name, build.names
    if name in names.params:
        value = names.params[name]
        return f"param {name} = {value if isinstance(value, int) else quoted(value)}", "--set gives it another value"
    if one.kind in ("relation", "grid"):
        facts = len(names.relations[name].rows) if name in names.relations else 0
        return f"{name}/{names.arities.get(name, 0)}", f"a {one.kind} of {counted(facts, 'fact')}"
    if one.kind == "variable":
        return _variables(one, spelt, build)
    return name, "a constraint, written out where it is used" if one.kind == "constraint" else f"a {one.kind}"


def _variables(one: Occurrence, spelt: Spelt, build: Build) -> tuple[str, str]:
    """A variable, a member of a family that is written out, or a family."""
    domains: Mapping[str, Domain] = {str(variable): domain for variable, domain in build.model.domains.items()}
    terms = (part for clause in spelt.own for part in nodes.walk(clause) if isinstance(part, nodes.Call))
    call = next((part for part in terms if (part.at.line, part.at.column) == (one.at.line, one.at.column)), None)
    given = [getattr(part, "value", getattr(part, "name", None)) for part in call.arguments] if call else []
    member = f"{one.name}({','.join(value if isinstance(value, str) else str(value) for value in given)})"
    family = [v for v in domains if v == one.name or v.startswith(f"{one.name}(")]
    if not family:
        return one.name, "a variable"
    after = _propagated(build.model)
    if member in domains or one.name in domains:
        variable = member if member in domains else one.name
        title = f"{variable} in {show_domain(domains[variable])}"
        return title, _left(after[variable]) if after else "its constraints contradict one another"
    kinds = list(dict.fromkeys(domains[variable] for variable in family))
    title = f"{one.name}/{family[0].count(',') + 1} in {show_domain(kinds[0])}{', ...' if len(kinds) > 1 else ''}"
    says = f"{counted(len(family), 'variable')}"
    if after is None:
        return title, f"{says}; their constraints contradict one another"
    open_ = [len(after[variable]) for variable in family if len(after[variable]) > 1]
    left = f"{counted(len(open_), 'is open', 'are open')} with {sum(open_)} values" if open_ else "none is open"
    return title, f"{says}; after propagation {left}"


def _propagated(model: csp.Model) -> Mapping[str, Domain] | None:
    """The domains that propagation leaves; None where it leaves nothing."""
    if sum(map(len, model.domains.values())) > LARGE:
        return {str(variable): domain for variable, domain in model.domains.items()}
    fixpoint = csp.propagate(model)
    return {str(v): domain for v, domain in fixpoint.domains.items()} if fixpoint.holds else None


def _left(domain: Domain) -> str:
    return f"propagation leaves {show_domain(domain) if len(domain) > 1 else domain[0]}"

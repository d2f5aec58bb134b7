"""Where each name of a text stands, and which stand for the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..lint.words import clause_syntax
from ..semantics.clauses.build import Program
from ..semantics.clauses.definitions import define_names
from ..semantics.expressions.binding import binders, plain_names
from ..semantics.expressions.names import Names
from ..syntax import nodes
from ..syntax.errors import MAX_DIAGNOSTICS, Diagnostics, Source, SpecError
from ..syntax.nodes import Place
from ..syntax.parsing.lexer import Text, Token, UnexpectedCharacter
from ..syntax.parsing.parse import parse
from ..syntax.vocabulary import KEYWORDS, RESERVED

Owner = tuple[Any, ...]
"""What tells names apart that are spelt alike: empty for those of the whole spec, else a clause or a list."""


class Occurrence(NamedTuple):
    """A name in a place.

    Attributes
    ----------
    name : str
    at : Place
    kind : str
        ``param``, ``grid``, ``relation``, ``constraint`` (a named one), ``layout``, ``variable`` (to be solved),
        ``bound`` (by a body), ``symbol`` or ``word`` (of the language).
    owner : tuple
        Equal for those that stand for the same, where the names are equal.
    """

    name: str
    at: Place
    kind: str
    owner: Owner = ()


@dataclass
class Spelt:
    """A text with its clauses, as far as they can be read, and the names in it.

    Attributes
    ----------
    text, path : str
    own : tuple of nodes.Clause
        Those of the text that have no mistake of syntax.
    clauses : tuple of nodes.Clause
        The same, with what they include.
    kinds : dict of str to str
        What each name of the whole spec is.
    names : Names
    sources : mapping from str to Source
        The texts by what places call their file.
    """

    text: str
    path: str = "-"
    own: tuple[nodes.Clause, ...] = ()
    clauses: tuple[nodes.Clause, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    sources: Mapping[str, Source] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.own = parse(self.text)[0]
        self.clauses, self.sources = self._gathered()
        define_names(self.clauses, self.names, Diagnostics())
        self.kinds = dict(_kinds(self.clauses, self.names))

    def _gathered(self) -> tuple[tuple[nodes.Clause, ...], Mapping[str, Source]]:
        """All clauses; where some cannot be read, those that can and what they include, each for itself."""
        try:
            program = Program(Source("-", self.text, self.path))
        except SpecError:
            found: list[nodes.Clause] = []
            sources = {"": Source("-", self.text)}
            for clause in self.own:
                found.append(clause)
                if isinstance(clause, nodes.Include):
                    name = f'"{clause.name}"' if clause.is_file else clause.name
                    try:
                        included = Program(Source("-", f"include {name}.", self.path))
                    except SpecError:
                        continue
                    found += included.clauses
                    sources = {**included.sources, **sources}
            return tuple(found), sources
        return program.clauses, program.sources

    def tokens(self) -> list[Token]:
        """The words of the text; a letter that begins none is passed over."""
        text = self.text
        for _ in range(MAX_DIAGNOSTICS):
            try:
                return list(Text(text))
            except UnexpectedCharacter as error:
                text = f"{text[: error.at]} {text[error.at + 1 :]}"
        return []

    def occurrences(self) -> list[Occurrence]:
        """All names of the text, in the order of writing."""
        owners = dict(self._owners())
        found: list[Occurrence] = []
        clause = 0
        for token in self.tokens():
            if token.type == "_END":
                clause += 1
            if token.type in ("NAME", "VAR") or token in KEYWORDS:
                found.append(self._occurrence(str(token), token.at, owners, clause))
            elif token.type == "STRING" and "{" in token:
                inner = [(at, name) for at, (name, _) in owners.items() if _within(at, token.at)]
                found += [self._occurrence(name, Place(*at, len(name)), owners, clause) for at, name in sorted(inner)]
        return found

    def _occurrence(
        self, name: str, at: Place, owners: Mapping[tuple[int, int], tuple[str, Owner]], clause: int
    ) -> Occurrence:
        if name in RESERVED or name in KEYWORDS:
            return Occurrence(name, at, "word")
        if name[0].islower():
            return Occurrence(name, at, self.kinds.get(name, "symbol"))
        missing = () if name in self.names.families else ("clause", clause)
        _, owner = owners.get((at.line, at.column), (name, missing))
        return Occurrence(name, at, "bound" if owner else "variable", owner)

    def _owners(self) -> Iterator[tuple[tuple[int, int], tuple[str, Owner]]]:
        """The place of each word of the clauses that can be read, those in labels too, with its owner."""
        for clause in self.own:
            body = clause.body or () if isinstance(clause, nodes.Rule | nodes.Show | nodes.Draw) else ()
            own: Owner = ("clause", clause.at.line, clause.at.column)
            bound = binders(body, (), self.names.families)
            match clause:
                case nodes.Rule(_, _, nodes.Fact(_, nodes.Call(_, name, arguments))) if name in self.names.named:
                    bound |= plain_names(arguments)
            yield from _visited(clause_syntax(clause), dict.fromkeys(bound, own), self.names.families)


def _within(at: tuple[int, int], place: Place) -> bool:
    return at[0] == place.line and place.column <= at[1] < place.column + place.width


def _visited(
    node: Any, bound: Mapping[str, Owner], families: Collection[str]
) -> Iterator[tuple[tuple[int, int], tuple[str, Owner]]]:
    waiting = [(node, bound)]
    while waiting:
        part, known = waiting.pop()
        if isinstance(part, nodes.Logical | nodes.Name | nodes.Call):
            yield (part.at.line, part.at.column), (part.name, known.get(part.name, ()))
        if isinstance(part, nodes.GENERATING) and part.body is not None:
            own: Owner = ("list", part.at.line, part.at.column)
            known = {**dict.fromkeys(binders(part.body, known, families), own), **known}
        waiting += [(inner, known) for inner in nodes.inner(part)]


def _kinds(clauses: tuple[nodes.Clause, ...], names: Names) -> Iterator[tuple[str, str]]:
    yield from ((name, "relation") for name in names.arities)
    yield from ((name, "constraint") for name in names.named)
    yield from ((name, "variable") for name in names.families)
    for clause in clauses:
        if isinstance(clause, nodes.Param | nodes.Grid):
            yield clause.name, "param" if isinstance(clause, nodes.Param) else "grid"
        elif isinstance(clause, nodes.Show):
            yield from ((item.term.name, "layout") for item in clause.items if item.value is not None)

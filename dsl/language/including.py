"""A spec with all that it includes: files to one list of clauses."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from . import syntax
from .errors import Mistake, Mistakes, Source, SpecError, near
from .reading import ENDING, gallery, read
from .text.parse import MAX_TEXT, parse

MAX_FILES = 100
"""The most files of a spec."""

N = TypeVar("N", bound=syntax.Node)

BESIDE = "a spec includes what is beside or below it"


class Spec(NamedTuple):
    """What the files of a spec say together.

    Attributes
    ----------
    clauses : tuple of syntax.Clause
        What a file includes stands where it includes it, and is there once.
    sources : dict of str to Source
        The texts by what places call their file; the spec itself under ``""``.
    """

    clauses: tuple[syntax.Clause, ...]
    sources: dict[str, Source]


def gather(source: Source) -> Spec:
    """Read a spec and what it includes.

    Params, grids and ``show`` clauses of a file win over those of files that it includes, directly or by way of others.

    Parameters
    ----------
    source : Source

    Returns
    -------
    Spec

    Raises
    ------
    SpecError
        If a text is not of the language, or a file cannot be included.

    Examples
    --------
    >>> spec = gather(Source("small", "include sudoku. param box = 2."))
    >>> list(spec.sources), [c for c in spec.clauses if getattr(c, "name", "") == "box"]
    (['', 'gallery sudoku'], [Param(name='box', value=Constant(value=2))])
    """
    files = _Files(source)
    clauses = list(files.clauses("", ()))
    clauses = list(files.decided(clauses))
    if files.mistakes:
        raise SpecError(files.mistakes, files.sources)
    return Spec(tuple(clauses), files.sources)


class _Files:
    """The files of a spec that are read so far; each is known by what places call it."""

    def __init__(self, source: Source) -> None:
        self.sources = {"": source}
        self.mistakes = Mistakes()
        self._paths = {"": os.path.realpath(source.path)}
        self._folder = os.path.dirname(self._paths[""])
        self._includes: dict[str, dict[str, syntax.Place]] = {}
        self._length = len(source.text)

    def clauses(self, file: str, around: tuple[str, ...]) -> Iterator[syntax.Clause]:
        """The clauses of a file that others include, one in the other."""
        self._includes[file] = {}
        clauses, mistakes = parse(self.sources[file].text, file)
        self.mistakes += mistakes
        for clause in clauses:
            if not isinstance(clause, syntax.Include):
                yield clause
            elif not self.mistakes.enough:
                with self.mistakes.collecting(clause.at):
                    inner, is_new = self._include(clause, file, (*around, file))
                    if is_new:
                        yield from self.clauses(inner, (*around, file))

    def _include(self, clause: syntax.Include, file: str, around: tuple[str, ...]) -> tuple[str, bool]:
        """What a clause includes, and whether it is yet to be read."""
        path = self._beside(clause, file) if clause.is_file else _in_gallery(clause)
        inner = next((known for known, own in self._paths.items() if own == path), None)
        if inner in around:
            circle = " includes ".join(self.sources[one].name for one in (*around[around.index(inner) :], inner))
            raise Mistake("this goes round in a circle", clause.at, circle)
        if inner in self._includes[file]:
            where = self._includes[file][inner].line_from(clause.at)
            raise Mistake(f"this is included already, in {where}", clause.at, "once is enough")
        is_new = inner is None
        if inner is None:
            inner = self._open(clause, path)
        self._includes[file][inner] = clause.at
        return inner, is_new

    def _beside(self, clause: syntax.Include, file: str) -> str:
        """The file that a clause names, with all links resolved."""
        name = clause.name
        folder = os.path.dirname(self._paths[file])
        if not name.endswith(ENDING) or not name.isprintable():
            raise Mistake(f"what is included is a spec, and its name ends in {ENDING}", clause.at)
        path = os.path.realpath(os.path.join(folder, name))
        if os.path.isabs(name) or os.path.commonpath([path, folder]) != folder:
            raise Mistake("this is outside the folder of the file that includes it", clause.at, BESIDE)
        if not os.path.isfile(path):
            inside = os.path.dirname(path)
            others = [one for one in _listed(inside) if os.path.join(inside, one) != self._paths[file]]
            hint = near(os.path.basename(path), others) or _if_in_gallery(os.path.basename(name)) or BESIDE
            raise Mistake("there is no such file", clause.at, hint)
        return path

    def _open(self, clause: syntax.Include, path: str) -> str:
        """Read a file; what places call it."""
        if len(self.sources) == MAX_FILES:
            raise Mistake(f"a spec has at most {MAX_FILES} files", clause.at)
        if clause.is_file:
            file = os.path.relpath(path, self._folder)
            name = os.path.join(os.path.dirname(self.sources[""].name), file)
        else:
            file = name = f"gallery {clause.name}"
        try:
            source = Source(name, read(path), path)
        except OSError as error:
            raise Mistake(f"this cannot be read: {error.strerror}", clause.at) from None
        except SpecError as error:
            raise Mistake(f"this cannot be read: {error.mistakes[0].message}", clause.at) from None
        self._length += len(source.text)
        if self._length > MAX_TEXT:
            raise Mistake(f"with this the spec has more than {MAX_TEXT:,} characters", clause.at)
        self.sources[file] = source
        self._paths[file] = path
        return file

    def decided(self, clauses: Sequence[syntax.Clause]) -> Iterator[syntax.Clause]:
        """The clauses without those that another one of a file around theirs replaces."""
        replacing: dict[tuple[object, ...], list[syntax.Clause]] = {}
        for clause in clauses:
            if key := _replaceable(clause):
                replacing.setdefault(key, []).append(clause)
        winners = {key: self._outermost(of) for key, of in replacing.items()}
        shown = winners.get((syntax.Show,), [])
        if others := [clause for clause in shown if clause.at.file != shown[0].at.file]:
            hint = "a show of the file that includes both replaces them"
            where = shown[0].at.line_from(others[0].at)
            self.mistakes.append(Mistake(f"{where} says already what is shown", others[0].at, hint))
        for clause in clauses:
            key = _replaceable(clause)
            if not key:
                yield clause
            elif any(clause is one for one in winners[key]):
                yield self._sized(clause, replacing[key])

    def _sized(self, clause: syntax.Clause, of: Iterable[syntax.Clause]) -> syntax.Clause:
        """A grid that says no size with the size of the one that it replaces."""
        if not isinstance(clause, syntax.Grid) or clause.size:
            return clause
        sized = [one for one in of if isinstance(one, syntax.Grid) and one.size and self._is_within(one, clause)]
        return replace(clause, size=self._outermost(sized)[0].size) if sized else clause

    def _outermost(self, clauses: Sequence[N]) -> list[N]:
        """The clauses that no other one replaces."""
        return [one for one in clauses if not any(self._is_within(one, other) for other in clauses)]

    def _is_within(self, clause: syntax.Node, other: syntax.Node) -> bool:
        """Whether a clause is of a file that another clause's file includes, directly or by way of others."""
        seen = {other.at.file}
        waiting = [other.at.file]
        while waiting:
            new = self._includes[waiting.pop()].keys() - seen
            seen |= new
            waiting += new
        return clause.at.file != other.at.file and clause.at.file in seen


def _replaceable(clause: syntax.Clause) -> tuple[object, ...]:
    """What a clause says that a file around its own may say in another way; nothing where that is a mistake."""
    match clause:
        case syntax.Param() | syntax.Grid():
            return type(clause), clause.name
        case syntax.Show():
            return (syntax.Show,)
    return ()


def _in_gallery(clause: syntax.Include) -> str:
    """The file of the gallery that a clause names."""
    path = gallery() / f"{clause.name}{ENDING}"
    if not path.is_file():
        known = [name.removesuffix(ENDING) for name in _listed(str(gallery()))]
        mistake = Mistake("the gallery has no such spec", clause.at, near(clause.name, known))
        mistake.add_hint(f'a file stands in quotes, include "{clause.name}{ENDING}".')
        raise mistake
    return os.path.realpath(path)


def _if_in_gallery(name: str) -> str:
    """A hint where the gallery has a spec of this name."""
    own = name.removesuffix(ENDING)
    return f"the spec of the gallery is included by include {own}." if name in _listed(str(gallery())) else ""


def _listed(folder: str) -> list[str]:
    """The specs of a folder."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(ENDING))
    except OSError:
        return []

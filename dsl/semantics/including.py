"""A spec with all that it includes: files to one list of clauses."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from ..syntax import nodes
from ..syntax.errors import Diagnostic, Diagnostics, Source, SpecError, suggest_name
from ..syntax.habits import FILES
from ..syntax.limits import LIMITS
from ..syntax.parsing.parse import parse
from ..syntax.reading import ENDING, gallery, read

Inclusion = tuple[str, str]
"""What a clause says, for all files: of which kind, and of what."""

SHOW: Inclusion = ("show", "")

BESIDE = "a spec includes what is beside or below it"


class Spec(NamedTuple):
    """What the files of a spec say together.

    Attributes
    ----------
    clauses : tuple of nodes.Clause
        What a file includes stands where it includes it, and is there once.
    sources : dict of str to Source
        The texts by what places call their file; the spec itself under ``""``.
    """

    clauses: tuple[nodes.Clause, ...]
    sources: dict[str, Source]


def gather(source: Source) -> Spec:
    """Read a spec and what it includes.

    Params, grids and ``show`` clauses of a file win over those of files that it includes, directly or by way of others.

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
    if files.diagnostics:
        raise SpecError(files.diagnostics, files.sources)
    return Spec(tuple(clauses), files.sources)


class _Files:
    """The files of a spec that are read so far; each is known by what places call it."""

    def __init__(self, source: Source) -> None:
        self.sources = {"": source}
        self.diagnostics = Diagnostics()
        self._includes: dict[str, dict[str, nodes.Place]] = {}
        self._contents: dict[str, set[str]] = {}
        self._length = len(source.text)

    @cached_property
    def _paths(self) -> dict[str, str]:
        """The paths of the files, with all links resolved."""
        try:
            return {"": os.path.realpath(self.sources[""].path)}
        except OSError as error:
            raise OSError(error.errno, error.strerror, "the working folder") from None

    @cached_property
    def _folder(self) -> str:
        return os.path.dirname(self._paths[""])

    def clauses(self, file: str, around: tuple[str, ...]) -> Iterator[nodes.Clause]:
        """The clauses of a file that others include, one in the other."""
        self._includes[file] = {}
        clauses, diagnostics = parse(self.sources[file].text, file)
        self.diagnostics += diagnostics
        for clause in clauses:
            if not isinstance(clause, nodes.Include):
                yield clause
            elif not self.diagnostics.is_full:
                with self.diagnostics.collecting(clause.at):
                    inner, is_new = self._include(clause, file, (*around, file))
                    if is_new:
                        yield from self.clauses(inner, (*around, file))

    def _include(self, clause: nodes.Include, file: str, around: tuple[str, ...]) -> tuple[str, bool]:
        """What a clause includes, and whether it is yet to be read."""
        path = self._beside(clause, file) if clause.is_file else self._in_gallery(clause, file)
        inner = next((known for known, own in self._paths.items() if own == path), None)
        if inner in around:
            circle = " includes ".join(self.sources[one].name for one in (*around[around.index(inner) :], inner))
            raise Diagnostic("this goes round in a circle", clause.at, circle)
        if inner in self._includes[file]:
            where = self._includes[file][inner].line_from(clause.at)
            raise Diagnostic(f"this is included already, in {where}", clause.at, "once is enough")
        is_new = inner is None
        if inner is None:
            inner = self._open(clause, path)
        self._includes[file][inner] = clause.at
        return inner, is_new

    def _beside(self, clause: nodes.Include, file: str) -> str:
        """The file that a clause names, with all links resolved."""
        name = clause.name
        folder = os.path.dirname(self._paths[file])
        if not name.endswith(ENDING) or not name.isprintable():
            raise Diagnostic(f"what is included is a spec, and its name ends in {ENDING}", clause.at, FILES)
        path = os.path.realpath(os.path.join(folder, name))
        if os.path.isabs(name) or os.path.commonpath([path, folder]) != folder:
            raise Diagnostic("this is outside the folder of the file that includes it", clause.at, BESIDE)
        if not os.path.isfile(path):
            inside = os.path.dirname(path)
            others = [one for one in _listed(inside) if os.path.join(inside, one) != self._paths[file]]
            hint = (
                suggest_name(os.path.basename(path), others, ENDING) or _if_in_gallery(os.path.basename(name)) or BESIDE
            )
            raise Diagnostic("there is no such file", clause.at, hint)
        return path

    def _in_gallery(self, clause: nodes.Include, file: str) -> str:
        """The file of the gallery that a clause names, where nothing else of that name stands beside."""
        path, own = _in_gallery(clause), self._paths[file]
        beside = os.path.join(os.path.dirname(own), clause.name + ENDING)
        if beside not in (path, own) and os.path.isfile(beside) and read(beside) != read(path):
            message = f"the gallery has a {clause.name}, and another stands beside this file"
            raise Diagnostic(
                message, clause.at, f'include "{clause.name}{ENDING}" is that one; rename it for the gallery\'s'
            )
        return path

    def _open(self, clause: nodes.Include, path: str) -> str:
        """Read a file; what places call it."""
        if len(self.sources) == LIMITS.files:
            raise Diagnostic(f"a spec has at most {LIMITS.files} files", clause.at)
        if clause.is_file:
            file = os.path.relpath(path, self._folder)
            name = os.path.join(os.path.dirname(self.sources[""].name), file)
        else:
            file = name = f"gallery {clause.name}"
        try:
            source = Source(name, read(path), path)
        except OSError as error:
            raise Diagnostic(f"this cannot be read: {error.strerror}", clause.at) from None
        except SpecError as error:
            raise Diagnostic(f"this cannot be read: {error.diagnostics[0].message}", clause.at) from None
        self._length += len(source.text)
        if self._length > LIMITS.characters:
            raise Diagnostic(f"with this the spec has more than {LIMITS.characters:,} characters", clause.at)
        self.sources[file] = source
        self._paths[file] = path
        return file

    def decided(self, clauses: Sequence[nodes.Clause]) -> Iterator[nodes.Clause]:
        """The clauses without those that others of a file around theirs replace."""
        files: dict[Inclusion, dict[str, nodes.Clause]] = {}
        sized: dict[str, dict[str, nodes.Grid]] = {}
        for clause in clauses:
            if key := _replaceable(clause):
                files.setdefault(key, {}).setdefault(clause.at.file, clause)
            if isinstance(clause, nodes.Grid) and clause.size:
                sized.setdefault(clause.name, {}).setdefault(clause.at.file, clause)
        deciding = {key: self._outermost(of) for key, of in files.items()}
        first, *others = deciding.get(SHOW, [""])
        for file in others:
            hint = "a show of the file that includes both replaces them"
            at = files[SHOW][file].at
            where = files[SHOW][first].at.line_from(at)
            self.diagnostics.append(Diagnostic(f"{where} says already what is shown", at, hint))
        own = {name for clause in clauses if clause.at.file == first for name in _layouts(clause)}
        for clause in clauses:
            key = _replaceable(clause)
            if not key or clause.at.file in deciding[key] or (_layouts(clause) and own.issuperset(_layouts(clause))):
                yield self._with_size(clause, sized)

    def _with_size(self, clause: nodes.Clause, sized: Mapping[str, Mapping[str, nodes.Grid]]) -> nodes.Clause:
        """A grid that says no size with the size of the one that it replaces."""
        if not isinstance(clause, nodes.Grid) or clause.size or clause.name not in sized:
            return clause
        of = sized[clause.name]
        inner = self._outermost(file for file in of if file in self._inside(clause.at.file))
        return replace(clause, size=of[inner[0]].size) if inner else clause

    def _outermost(self, files: Iterable[str]) -> list[str]:
        """Those of some files that none of the others includes, directly or by way of others."""
        files = list(files)
        return [file for file in files if not any(file in self._inside(other) for other in files)]

    def _inside(self, file: str) -> set[str]:
        """The files that a file includes, directly or by way of others."""
        if file not in self._contents:
            own = self._includes[file]
            self._contents[file] = set(own).union(*(self._inside(inner) for inner in own))
        return self._contents[file]


def _replaceable(clause: nodes.Clause) -> Inclusion | None:
    """What a clause says that a file around its own may say in another way; nothing where that is a mistake."""
    match clause:
        case nodes.Param(_, name):
            return "param", name
        case nodes.Grid(_, name):
            return "grid", name
        case nodes.Show():
            return SHOW
    return None


def _layouts(clause: nodes.Clause) -> set[str]:
    """The layouts to which a clause adds entries, if it does nothing else."""
    if not isinstance(clause, nodes.Show) or any(item.value is None for item in clause.items):
        return set()
    return {item.term.name for item in clause.items}


def _same(one: str, other: str) -> bool:
    """Whether two files can be read and say the same."""
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False


def _in_gallery(clause: nodes.Include) -> str:
    """The file of the gallery, or of its rules, that a clause names."""
    for folder in (gallery(), gallery() / "rules"):
        path = folder / f"{clause.name}{ENDING}"
        if path.is_file():
            return os.path.realpath(path)
    known = [name.removesuffix(ENDING) for name in _listed(str(gallery())) + _listed(str(gallery() / "rules"))]
    diagnostic = Diagnostic("the gallery has no such spec", clause.at, suggest_name(clause.name, known))
    diagnostic.add_hint(f'a file stands in quotes, include "{clause.name}{ENDING}".')
    raise diagnostic


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

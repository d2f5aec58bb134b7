"""Reads a spec, its included files and the caller's facts into one list of clauses."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from ..syntax import nodes
from ..syntax.errors import Diagnostic, Diagnostics, Source, SpecError, counted, suggest_name
from ..syntax.habits import FILES
from ..syntax.limits import LIMITS
from ..syntax.parse import parse
from ..syntax.reading import ENDING, gallery, read

Inclusion = tuple[str, str]
"""The kind and the name that a clause defines, in any file."""

SHOW: Inclusion = ("show", "")
"""The definition that all ``show`` clauses of a file form together."""

BESIDE = "a spec can include files of its folder and of folders below it"
"""Hint on the folders of included files."""


class Spec(NamedTuple):
    """The clauses of a spec and of all files that it includes.

    Attributes
    ----------
    clauses : tuple of nodes.Clause
        An included file's clauses are in the place of the ``include``, and are there once.
    sources : dict of str to Source
        The texts by file name, as in places; the spec itself under ``""``.
    """

    clauses: tuple[nodes.Clause, ...]
    sources: dict[str, Source]


def gather(source: Source) -> Spec:
    """Return the clauses and texts of a spec and of the files it includes.

    A file can replace params, grids and ``show`` clauses of the files that it includes, directly or indirectly.

    Raises
    ------
    SpecError
        If a text has a syntax error, or a file cannot be included.

    Examples
    --------
    >>> spec = gather(Source("small", "include sudoku. param box = 2."))
    >>> list(spec.sources), [c for c in spec.clauses if getattr(c, "name", "") == "box"]
    (['', 'gallery sudoku'], [Param(name='box', value=Constant(value=2))])
    """
    files = _Files(source)
    # Read all files, then decide which definitions apply.
    clauses = list(files.clauses("", ()))
    clauses = list(files.resolve_overrides(clauses))
    if files.diagnostics:
        raise SpecError(files.diagnostics, files.sources)
    return Spec(tuple(clauses), files.sources)


class _Files:
    """A reader of a spec and its included files, each read only once."""

    def __init__(self, source: Source) -> None:
        self.sources = {"": source}
        self.diagnostics = Diagnostics()
        self._includes: dict[str, dict[str, nodes.Place]] = {}
        self._contents: dict[str, set[str]] = {}
        self._length = len(source.text)

    @cached_property
    def _paths(self) -> dict[str, str]:
        """The path of each file that was read, by name, with symbolic links resolved."""
        try:
            return {"": os.path.realpath(self.sources[""].path)}
        except OSError as error:
            raise OSError(error.errno, error.strerror, "the working folder") from None

    @cached_property
    def _folder(self) -> str:
        """The folder that contains the spec."""
        return os.path.dirname(self._paths[""])

    def clauses(self, file: str, around: tuple[str, ...]) -> Iterator[nodes.Clause]:
        """Yield the clauses of a file; an ``include`` is replaced by the included clauses.

        Errors are collected in ``diagnostics``.

        ``around`` are the files that include it, from the spec inwards.
        """
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
        """Read an included file; return its name, and whether it was read just now.

        A file that was read before is not read again.

        A file that includes itself, or a repeated include in one file, is an error.
        """
        # Find the file; refuse a cycle and a repeated include.
        path = self._find_file(clause, file) if clause.is_file else self._find_in_gallery(clause, file)
        inner = next((known_file for known_file, known_path in self._paths.items() if known_path == path), None)
        if inner in around:
            cycle = " includes ".join(self.sources[name].name for name in (*around[around.index(inner) :], inner))
            raise Diagnostic("circular-include", "the file includes itself", clause.at, cycle)
        if inner in self._includes[file]:
            where = self._includes[file][inner].line_from(clause.at)
            raise Diagnostic("said-twice", f"the file is already included in {where}", clause.at, "remove it")
        # Read it if no other file has included it.
        is_new = inner is None
        if inner is None:
            inner = self._open(clause, path)
        self._includes[file][inner] = clause.at
        return inner, is_new

    def _find_file(self, clause: nodes.Include, file: str) -> str:
        """Return the path of an included file; refuse files outside of the including folder.

        Symbolic links are resolved.
        """
        name = clause.name
        folder = os.path.dirname(self._paths[file])
        if not name.endswith(ENDING) or not name.isprintable():
            raise Diagnostic("bad-include", f"the name of an included file must end in {ENDING}", clause.at, FILES)
        # The file must be in the folder of the including file, or below.
        path = os.path.realpath(os.path.join(folder, name))
        if os.path.isabs(name) or os.path.commonpath([path, folder]) != folder:
            raise Diagnostic("bad-include", "the file is outside of the folder of this file", clause.at, BESIDE)
        # Suggest a file with a similar name.
        if not os.path.isfile(path):
            inside = os.path.dirname(path)
            other_specs = [spec for spec in _list_specs(inside) if os.path.join(inside, spec) != self._paths[file]]
            hint = (
                suggest_name(os.path.basename(path), other_specs, ENDING)
                or _hint_for_gallery(os.path.basename(name))
                or f"put {name} into the folder of this file, or correct the name"
            )
            raise Diagnostic("missing-file", f"file not found: {name}", clause.at, hint)
        return path

    def _find_in_gallery(self, clause: nodes.Include, file: str) -> str:
        """Return the path of an included gallery spec; refuse an ambiguous name.

        The name is ambiguous if a file of that name, with another text, is in the folder of the including file.
        """
        path, including_path = _find_in_gallery(clause), self._paths[file]
        beside = os.path.join(os.path.dirname(including_path), clause.name + ENDING)
        # A different file of that name is a probable mistake.
        if beside not in (path, including_path) and os.path.isfile(beside) and read(beside) != read(path):
            message = f"both the gallery and the folder of this file have a {clause.name}"
            raise Diagnostic(
                "bad-include",
                message,
                clause.at,
                f'write include "{clause.name}{ENDING}" for the file; rename it to include the spec of the gallery',
            )
        return path

    def _open(self, clause: nodes.Include, path: str) -> str:
        """Read an included file within the limits; return its name, and record its source.

        An unreadable file is an error, and so is one that exceeds the limits.
        """
        if len(self.sources) == LIMITS.files:
            raise Diagnostic("too-large", f"a spec has at most {LIMITS.files} files", clause.at)
        # Name the file.
        if clause.is_file:
            file = os.path.relpath(path, self._folder)
            name = os.path.join(os.path.dirname(self.sources[""].name), file)
        else:
            file = name = f"gallery {clause.name}"
        # Read it within the limits.
        try:
            source = Source(name, read(path), path)
        except OSError as error:
            raise Diagnostic("unreadable-file", f"the file cannot be read: {error.strerror}", clause.at) from None
        except SpecError as error:
            raise Diagnostic(
                "unreadable-file", f"the file cannot be read: {error.diagnostics[0].message}", clause.at
            ) from None
        self._length += len(source.text)
        if self._length > LIMITS.characters:
            raise Diagnostic(
                "too-large", f"with this file, the spec has more than {LIMITS.characters:,} characters", clause.at
            )
        self.sources[file] = source
        self._paths[file] = path
        return file

    def resolve_overrides(self, clauses: Sequence[nodes.Clause]) -> Iterator[nodes.Clause]:
        """Yield the clauses of all files, without clauses that an including file replaces.

        An including file replaces params, grids and ``show`` clauses. A ``show`` clause is kept if it only adds entries
        to layouts (printed tables) that the including file shows. Two independent files with ``show`` are reported.
        """
        # Find the first clause of each file for each definition, and the declared sizes of grids.
        files: dict[Inclusion, dict[str, nodes.Clause]] = {}
        sized: dict[str, dict[str, nodes.Grid]] = {}
        for clause in clauses:
            if key := _replaceable(clause):
                files.setdefault(key, {}).setdefault(clause.at.file, clause)
            if isinstance(clause, nodes.Grid) and clause.size:
                sized.setdefault(clause.name, {}).setdefault(clause.at.file, clause)
        # The outermost files with a definition decide it.
        deciding_files = {key: self._outermost(clause_of_file) for key, clause_of_file in files.items()}
        # Two files can show something only if one includes the other.
        first_file, *other_files = deciding_files.get(SHOW, [""])
        for file in other_files:
            hint = "a show of the file that includes both replaces them"
            at = files[SHOW][file].at
            where = files[SHOW][first_file].at.line_from(at)
            self.diagnostics.append(Diagnostic("said-twice", f"{where} already has a show", at, hint))
        own_layouts = {name for clause in clauses if clause.at.file == first_file for name in _layouts(clause)}
        for clause in clauses:
            key = _replaceable(clause)
            adds_entries = bool(_layouts(clause)) and own_layouts.issuperset(_layouts(clause))
            if not key or clause.at.file in deciding_files[key] or adds_entries:
                yield self._with_size(clause, sized)

    def _with_size(self, clause: nodes.Clause, sized: Mapping[str, Mapping[str, nodes.Grid]]) -> nodes.Clause:
        """Return ``clause``; a grid without a size gets the size from an included file."""
        if not isinstance(clause, nodes.Grid) or clause.size or clause.name not in sized:
            return clause
        sized_files = sized[clause.name]
        outermost = self._outermost(file for file in sized_files if file in self._inside(clause.at.file))
        return replace(clause, size=sized_files[outermost[0]].size) if outermost else clause

    def _outermost(self, files: Iterable[str]) -> list[str]:
        """Return the ``files`` that no other of them includes, directly or indirectly."""
        files = list(files)
        return [file for file in files if not any(file in self._inside(other) for other in files)]

    def _inside(self, file: str) -> set[str]:
        """Return all files that a file includes, directly or indirectly."""
        if file not in self._contents:
            included = self._includes[file]
            self._contents[file] = set(included).union(*(self._inside(inner) for inner in included))
        return self._contents[file]


def _replaceable(clause: nodes.Clause) -> Inclusion | None:
    """Return kind and name of a clause that an including file may replace, else None."""
    match clause:
        case nodes.Param(_, name):
            return "param", name
        case nodes.Grid(_, name):
            return "grid", name
        case nodes.Show():
            return SHOW
    return None


def _layouts(clause: nodes.Clause) -> set[str]:
    """Return the names of the layouts (printed tables) to which a ``show`` clause adds entries.

    The set is empty if the clause also shows families, or is another clause.
    """
    if not isinstance(clause, nodes.Show) or any(item.value is None for item in clause.items):
        return set()
    return {item.term.name for item in clause.items}


def _find_in_gallery(clause: nodes.Include) -> str:
    """Return the path of a gallery spec included by name; refuse an unknown name."""
    for folder in (gallery(), gallery() / "rules"):
        path = folder / f"{clause.name}{ENDING}"
        if path.is_file():
            return os.path.realpath(path)
    spec_names = [
        name.removesuffix(ENDING) for name in _list_specs(str(gallery())) + _list_specs(str(gallery() / "rules"))
    ]
    diagnostic = Diagnostic(
        "missing-file", f"the gallery has no spec {clause.name}", clause.at, suggest_name(clause.name, spec_names)
    )
    diagnostic.add_hint(f'write a file in quotes, include "{clause.name}{ENDING}".')
    raise diagnostic


def _hint_for_gallery(name: str) -> str:
    """Return a hint to include the gallery's spec ``name``; empty if unknown."""
    spec_name = name.removesuffix(ENDING)
    return f"the spec of the gallery is included by include {spec_name}." if name in _list_specs(str(gallery())) else ""


def _list_specs(folder: str) -> list[str]:
    """Return the sorted file names of a folder's specs; empty if unreadable."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(ENDING))
    except OSError:
        return []


def replace_facts(
    clauses: Sequence[nodes.Clause], relation: str, facts: Sequence[nodes.Clause]
) -> tuple[nodes.Clause, ...]:
    """Return the clauses with ``facts`` in place of the old facts of a relation.

    Without new facts, the relation is defined as empty.

    Raises
    ------
    Diagnostic
        If no clause uses the relation, or all use it with another number of arguments.
    """
    # Split the clauses into the facts that are replaced and all others.
    replaced = [clause for clause in clauses if isinstance(clause, nodes.Rule) and _is_fact(clause, relation)]
    other_clauses = tuple(
        [clause for clause in clauses if not (isinstance(clause, nodes.Rule) and _is_fact(clause, relation))]
    )
    terms = [part for part in nodes.walk(other_clauses) if isinstance(part, nodes.Call | nodes.Name)]
    # Without a use of the relation, its name is probably misspelt.
    if not replaced and relation not in {term.name for term in terms}:
        hint = suggest_name(relation, {term.name for term in terms if isinstance(term, nodes.Call)})
        raise Diagnostic("unknown-input", f"no clause uses the relation {relation}", None, hint)
    if not replaced and not facts:
        raise Diagnostic(
            "missing-facts",
            f"the relation {relation} has no facts",
            None,
            f"write an example in the spec: {relation}(1, ann).",
        )
    _check_arity(relation, facts, terms)
    return (*other_clauses, *(facts or [replace(replaced[0], body=(_false_condition(replaced[0].at),))]))


def _is_fact(rule: nodes.Rule, relation: str) -> bool:
    """Return whether a rule is an unlabelled fact, with arguments, of a given relation."""
    match rule:
        case nodes.Rule(_, None, nodes.Fact(_, nodes.Call(_, name)), ()):
            return name == relation
    return False


def _check_arity(relation: str, facts: Sequence[nodes.Clause], terms: Sequence[nodes.Call | nodes.Name]) -> None:
    """Raise an error if facts have another number of arguments than the spec's uses.

    Nothing is refused if the facts, or the terms of the spec, differ among themselves: a later stage reports that.
    """
    heads = [fact.head.term for fact in facts if isinstance(fact, nodes.Rule) and isinstance(fact.head, nodes.Fact)]
    passed_lengths = {len(nodes.arguments(head)) for head in heads}
    expected_lengths = {len(nodes.arguments(term)) for term in terms if term.name == relation}
    # Mixed lengths are errors that a later stage reports.
    if len(passed_lengths) == len(expected_lengths) == 1 and passed_lengths != expected_lengths:
        values, arguments = counted(passed_lengths.pop(), "value"), counted(expected_lengths.pop(), "argument")
        message = f"this row has {values}, and {relation} has {arguments}"
        raise Diagnostic(
            "wrong-arguments", f"{message} in the spec", heads[0].at, "a row has a value for each argument"
        )


def _false_condition(at: nodes.Place) -> nodes.Condition:
    """Return the condition ``1 = 2``, which never holds."""
    return nodes.Comparison(at, nodes.Constant(at, 1), "=", nodes.Constant(at, 2))

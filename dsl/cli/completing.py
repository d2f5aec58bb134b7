"""Completes names of the spec, techniques and warnings in the shell."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from ..syntax import nodes
from ..syntax.errors import SpecError

CLAUSE_KINDS: dict[str, type[nodes.Param | nodes.Grid]] = {"param_texts": nodes.Param, "grids": nodes.Grid}
"""The kind of clause that each option names."""


def names_of_spec(ctx: click.Context, option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of a spec's params or grids; after NAME= a file.

    FILE must precede the option on the command line.
    """
    from ..semantics.clauses.build import Program
    from ..syntax.reading import source_of

    name, equals, path_prefix = incomplete.partition("=")
    if equals:
        return files(f"{name}=", path_prefix) if option.name == "grids" else []
    words = [ctx.params.get("file"), *(ctx.params.get("files") or ()), *ctx.args]
    path = next((word for word in words if word and os.path.isfile(word)), "")
    try:
        clauses = Program(source_of(path)).clauses
    except (OSError, SpecError):
        return []
    names = dict.fromkeys(clause.name for clause in clauses if isinstance(clause, CLAUSE_KINDS[str(option.name)]))
    equals = "" if option.metavar == "NAME[=FILE]" else "="
    return [CompletionItem(f"{clause_name}{equals}") for clause_name in names if clause_name.startswith(incomplete)]


def files(before: str, path_prefix: str) -> list[CompletionItem]:
    """Return the paths that begin with ``path_prefix``, prefixed with ``before``."""
    folder, entry_prefix = os.path.split(path_prefix)
    try:
        entries = sorted(entry for entry in os.listdir(folder or ".") if entry.startswith(entry_prefix))
    except OSError:
        return []
    paths = [os.path.join(folder, entry) for entry in entries]
    return [CompletionItem(f"{before}{path}{os.sep if os.path.isdir(path) else ''}") for path in paths]


def complete_list(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Complete the last word of a comma-separated list, without words already present."""
    *earlier_words, prefix = incomplete.split(",")
    before = "".join(f"{word}," for word in earlier_words)
    return [CompletionItem(before + word) for word in words if word.startswith(prefix) and word not in earlier_words]

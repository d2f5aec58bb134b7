"""What shells complete besides commands, options and files: names of the spec, techniques, warnings."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from ..syntax import nodes
from ..syntax.errors import SpecError

NAMED: dict[str, type[nodes.Param | nodes.Grid]] = {"param_texts": nodes.Param, "grids": nodes.Grid}


def names_of_spec(ctx: click.Context, option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The params or grids of FILE, where that stands before; behind NAME= a file for a grid."""
    from ..semantics.clauses.build import Program
    from ..syntax.reading import source_of

    name, equals, begun = incomplete.partition("=")
    if equals:
        return files(f"{name}=", begun) if option.name == "grids" else []
    words = [ctx.params.get("file"), *(ctx.params.get("files") or ()), *ctx.args]
    path = next((word for word in words if word and os.path.isfile(word)), "")
    try:
        clauses = Program(source_of(path)).clauses
    except (OSError, SpecError):
        return []
    names = dict.fromkeys(clause.name for clause in clauses if isinstance(clause, NAMED[str(option.name)]))
    equals = "" if option.metavar == "NAME[=FILE]" else "="
    return [CompletionItem(f"{one}{equals}") for one in names if one.startswith(incomplete)]


def files(before: str, begun: str) -> list[CompletionItem]:
    """The files and folders whose paths begin like this, each behind what stands before it."""
    folder, start = os.path.split(begun)
    try:
        found = sorted(one for one in os.listdir(folder or ".") if one.startswith(start))
    except OSError:
        return []
    paths = [os.path.join(folder, one) for one in found]
    return [CompletionItem(f"{before}{path}{os.sep if os.path.isdir(path) else ''}") for path in paths]


def complete_list(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The words that may come next in a list with commas."""
    *known, begun = incomplete.split(",")
    before = "".join(f"{one}," for one in known)
    return [CompletionItem(before + word) for word in words if word.startswith(begun) and word not in known]

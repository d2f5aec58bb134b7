"""The command ``csp format``: rewrites specs with canonical spacing."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from csp.base.files import write_whole

from ...syntax.errors import Source, SpecError
from ...syntax.format import format_spec
from ...syntax.reading import read
from ..options import INPUT, is_foreign
from ..output import WRONG, fail, put, say

CHANGES = 1
"""The exit code of --check if a file would change."""


@click.command("format")
@click.argument("files", nargs=-1, required=True, type=INPUT, metavar="FILE...")
@click.option("--check", is_flag=True, help="Only list the files that would change.")
def format_files(files: tuple[str, ...], check: bool) -> None:
    """Rewrite each spec FILE in canonical form.

    Comments, grids and the order of clauses stay. - reads standard input and writes standard output.

    Exit code: 0 formatted, 1 a file would change (--check), 2 malformed input.

    Example: csp format --check examples/sudoku.csp
    """
    code = 0
    for file in files:
        if is_foreign(file):
            fail(f"csp: {file} is not a spec; convert it by csp import {file}")
        try:
            before = read(file)
            after = format_spec(Source(file, before))
        except SpecError as error:
            say(error, err=True)
            code = WRONG
            continue
        if check and after != before:
            say(f"{file}: would change")
            code = max(code, CHANGES)
        elif not check and file == "-":
            put(after)
        elif not check and after != before:
            write_whole(Path(file), after.encode())
    sys.exit(code)

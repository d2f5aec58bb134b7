"""csp format"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from csp.files import write_whole

from ..language.errors import Source, SpecError
from ..language.load import read
from ..language.text.format import format_spec
from .watch import WRONG

CHANGES = 1


@click.command("format", short_help="Rewrite specs in canonical form.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Only name the files that would change; exit code 1 if there are any.")
def format_files(files: tuple[str, ...], check: bool) -> None:
    """Rewrite each spec FILE in canonical form; - reads standard input and writes standard output.

    Comments, pictures and the order of things stay as they are.
    """
    code = 0
    for file in files:
        try:
            before = read(file)
            after = format_spec(Source(file, before))
        except SpecError as error:
            click.echo(str(error), err=True)
            code = WRONG
            continue
        if check and after != before:
            click.echo(f"{file}: would change")
            code = max(code, CHANGES)
        elif not check and file == "-":
            click.echo(after, nl=False)
        elif not check and after != before:
            replace(Path(file), after)
    sys.exit(code)


def replace(path: Path, text: str) -> None:
    """Give a file a new text, all of it or none; a link stays a link, and who may read it stays as it is."""
    path = path.resolve()
    mode = path.stat().st_mode
    write_whole(path, text.encode())
    path.chmod(mode)

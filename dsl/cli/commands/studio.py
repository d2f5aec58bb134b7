"""The command ``csp studio``: serves a page for writing and playing specs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from csp.base.files import write_whole

from ...syntax.reading import read
from ..options import INPUT, folder_option, is_foreign, spec_source
from ..output import say


@click.command()
@click.argument("file", type=INPUT, required=False)
@click.option("--no-browser", is_flag=True, help="Print the address without opening it.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port of the server; by default a free one."
)
@click.option("--seconds", type=click.FloatRange(1), default=60, show_default=True, metavar="S",
              help="Time limit of an answer, in seconds.")  # fmt: skip
@click.option("--patience", type=click.FloatRange(0.1), default=10, show_default=True, metavar="S",
              help="Time limit for a request to arrive, in seconds.")  # fmt: skip
@folder_option("Write the page as files for any web server.")
@click.option("--runtime", metavar="DIR|URL", help="With --out: place of the files of Pyodide.")
def studio(
    file: str | None,
    no_browser: bool,
    port: int,
    seconds: float,
    patience: float,
    out: Path | None,
    runtime: str | None,
) -> None:
    """Serve a page that plays the spec FILE while you write it.

    Print the address, which contains a secret, and serve until Ctrl-C. Saving writes FILE, which may be new.

    Exit code: 0 files written, 2 malformed input, 130 Ctrl-C.

    Example: csp studio examples/sudoku.csp
    """
    if (out is None) != (runtime is None) or (out and file):
        raise click.UsageError("--out DIR needs --runtime, and excludes FILE")
    if out and runtime:
        say(f"{out}: {_write_page(out, runtime):,} bytes")
        return
    from ...studio.server import Document, serve

    foreign = file if file and is_foreign(file) else None
    path = Path(file) if file and not foreign else None
    if path is not None and not path.exists():
        write_whole(path, b"")
    document = Document(path, read, write_whole, spec_source(foreign).text if foreign else "")
    sys.exit(128 + serve(document, port, lambda address: _announce(address, not no_browser), seconds, patience))


def _write_page(out: Path, runtime: str) -> int:
    """Write the studio page as files into a folder; return the number of bytes."""
    from ...studio.folder import write_folder

    def write(name: str, content: bytes) -> None:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(out / name, content)

    return write_folder(runtime, write)


def _announce(address: str, opens: bool) -> None:
    """Print the page's address, and open it in a browser if requested."""
    say(address)
    sys.stdout.flush()
    if opens:
        import webbrowser

        webbrowser.open(address)

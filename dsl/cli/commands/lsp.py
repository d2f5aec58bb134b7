"""The command ``csp lsp``: runs the language server on standard input and output."""

from __future__ import annotations

from importlib.util import find_spec

import click

from csp import CspError


@click.command()
def lsp() -> None:
    """Serve an editor by the language server protocol, on standard input.

    Install pygls first: pip install 'alldifferent[lsp]'.

    Exit code: 0 the editor disconnected, 2 pygls is missing.

    Example: csp lsp
    """
    if find_spec("pygls") is None:
        raise CspError("the language server needs pygls: pip install 'alldifferent[lsp]'")
    from ...editor.language_server import serve_editor

    serve_editor()

"""The command ``csp lsp``: runs the language server on standard input and output."""

from __future__ import annotations

from importlib.util import find_spec

import click

from csp import CspError


@click.command(short_help="Help an editor while a spec is written.")
def lsp() -> None:
    """Answer an editor by the language server protocol, on standard input and output.

    It takes pygls: pip install 'alldifferent[lsp]'.
    """
    if find_spec("pygls") is None:
        raise CspError("the language server takes pygls: pip install 'alldifferent[lsp]'")
    from ...editor.language_server import serve_editor

    serve_editor()

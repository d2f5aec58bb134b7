"""The room by the language server protocol, over standard input and output; the only file that imports pygls."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

import csp
from csp import CspError

from ..syntax.nodes import Place
from ..syntax.reading import ENDING, gallery
from .completing import complete
from .diagnosing import Problem, diagnose
from .edits import Edit, format
from .hovering import hover
from .mending import fix
from .places import define, rename, uses

SECONDS = 20
"""How long a lens lets its command work."""

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
KINDS = {
    "param": lsp.CompletionItemKind.Constant,
    "grid": lsp.CompletionItemKind.Struct,
    "relation": lsp.CompletionItemKind.Class,
    "constraint": lsp.CompletionItemKind.Function,
    "variable": lsp.CompletionItemKind.Variable,
    "bound": lsp.CompletionItemKind.Variable,
    "symbol": lsp.CompletionItemKind.EnumMember,
    "word": lsp.CompletionItemKind.Keyword,
    "spec": lsp.CompletionItemKind.File,
}
LENSES = {
    "solve": ("solve", "-", "--timeout", str(SECONDS)),
    "check": ("check", "-", "--timeout", str(SECONDS)),
    "play": ("play", "-"),
}
"""What the lenses at the top of a spec call."""


class _Document:
    """A document as the room wants it: a text without \\r, where it stands, and places counted from 1."""

    def __init__(self, document: TextDocument) -> None:
        self._codec, self._lines = document.position_codec, document.lines
        self.text = document.source.replace("\r\n", "\n").replace("\r", "\n")
        self.path = to_fs_path(document.uri) or "-"
        self.uri = document.uri

    def place(self, position: lsp.Position) -> tuple[int, int]:
        found = self._codec.position_from_client_units(self._lines, position)
        return found.line + 1, found.character + 1

    def range(self, at: Place) -> lsp.Range:
        ends = (lsp.Position(at.line - 1, at.column - 1 + more) for more in (0, at.width))
        return lsp.Range(*(self._codec.position_to_client_units(self._lines, end) for end in ends))

    def edits(self, edits: tuple[Edit, ...] | list[Edit]) -> lsp.WorkspaceEdit:
        return lsp.WorkspaceEdit(changes={self.uri: [lsp.TextEdit(self.range(one.at), one.text) for one in edits]})

    def diagnostic(self, found: Problem) -> lsp.Diagnostic:
        where = f" ({found.file}, line {found.at.line})" if found.file else ""
        said = f"{found.message}{where}" + (f"\nhint: {found.hint}" if found.hint else "")
        at = Place(1, 1) if found.file else found.at
        severity = SEVERITIES[found.severity]
        return lsp.Diagnostic(self.range(at), said, severity, found.code or None, source="csp")


def serve_editor() -> None:
    """Answer an editor until it hangs up."""
    _server().start_io()


def _server() -> LanguageServer:
    server = LanguageServer("csp", csp.__version__)

    def document(uri: str) -> _Document:
        return _Document(server.workspace.get_text_document(uri))

    def publish(uri: str) -> None:
        one = document(uri)
        found = [one.diagnostic(each) for each in diagnose(one.text, path=one.path)]
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def completed(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        one = document(params.text_document.uri)
        found = complete(one.text, *one.place(params.position), one.path)
        return [
            lsp.CompletionItem(each.word, kind=KINDS.get(each.kind), detail=each.says, sort_text=f"{number:05}")
            for number, each in enumerate(found)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        one = document(params.text_document.uri)
        found = hover(one.text, *one.place(params.position), path=one.path)
        said = found and lsp.MarkupContent(
            lsp.MarkupKind.Markdown, f"```alldifferent\n{found.title}\n```\n{found.says}"
        )
        return lsp.Hover(said, one.range(found.at)) if found and said else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(params: lsp.DefinitionParams) -> lsp.Location | None:
        one = document(params.text_document.uri)
        found = define(one.text, *one.place(params.position), one.path)
        if found is None or not found.file:
            return found and lsp.Location(one.uri, one.range(found))
        path = _path_of(found.file, one.path)
        ends = (lsp.Position(found.line - 1, found.column - 1 + more) for more in (0, found.width))
        return lsp.Location(from_fs_path(str(path)) or "", lsp.Range(*ends))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def used(params: lsp.ReferenceParams) -> list[lsp.Location]:
        one = document(params.text_document.uri)
        return [
            lsp.Location(one.uri, one.range(each.at)) for each in uses(one.text, *one.place(params.position), one.path)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        one = document(params.text_document.uri)
        try:
            return one.edits(rename(one.text, *one.place(params.position), params.new_name, one.path))
        except CspError as error:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, str(error)))
            return None

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def mended(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        one = document(params.text_document.uri)
        first, last = one.place(params.range.start)[0], one.place(params.range.end)[0]
        return [
            lsp.CodeAction(each.title, lsp.CodeActionKind.QuickFix, [one.diagnostic(found)], edit=one.edits(each.edits))
            for found in diagnose(one.text, path=one.path)
            if not found.file and first <= found.at.line <= last
            for each in fix(one.text, found, one.path)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        one = document(params.text_document.uri)
        try:
            after = format(one.text)
        except CspError:  # a diagnostic says why
            return []
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(one.text.count("\n") + 1, 0))
        return [lsp.TextEdit(whole, after)] if after != one.text else []

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        uri = params.text_document.uri
        return [lsp.CodeLens(top, lsp.Command(name, f"alldifferent.{name}", arguments=[uri])) for name in LENSES]

    async def run(name: str, uri: str) -> str:
        """What a command says of a document; of ``play``, the page."""
        one = document(uri)
        page = None
        if name == "play":
            handle, place = tempfile.mkstemp(prefix=f"{Path(one.path).stem}-", suffix=".html")
            os.close(handle)
            page = Path(place)
        folder = os.path.dirname(one.path)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "dsl", *LENSES[name], *(["-o", str(page)] if page else [])),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=folder if os.path.isdir(folder) else None,
        )
        try:
            said, _ = await asyncio.wait_for(process.communicate(one.text.encode()), 2 * SECONDS)
        except TimeoutError:
            process.kill()
            return f"{name} was stopped after {2 * SECONDS} seconds"
        if page is not None and process.returncode == 0:
            server.window_show_document(lsp.ShowDocumentParams(from_fs_path(str(page)) or "", external=True))
            return f"{page}"
        return said.decode(errors="replace").strip()

    def offer(name: str) -> None:
        @server.command(f"alldifferent.{name}")
        async def command(uri: str) -> str:
            told = await run(name, uri)
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, told))
            return told

    for name in LENSES:
        offer(name)
    return server


def _path_of(file: str, path: str) -> Path:
    """Where a file is that a spec includes, by what places call it."""
    name = file.removeprefix("gallery ")
    return gallery() / f"{name}{ENDING}" if name != file else Path(path).parent / file

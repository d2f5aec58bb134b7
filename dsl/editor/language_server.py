"""The language server: offers the editor services over standard input and output.

No other file imports pygls.
"""

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

from ..syntax.errors import Edit
from ..syntax.nodes import Place
from ..syntax.reading import ENDING, gallery
from .completing import complete
from .diagnosing import Problem, diagnose, fix
from .edits import format
from .hovering import hover
from .names import define, rename, uses

SECONDS = 20
"""Time limit in seconds of a command that a code lens starts."""

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
"""The arguments of ``csp`` for each code lens at the top of a spec."""


class _Document:
    """A document open in the editor, with conversions of positions and edits.

    Line ends are ``\\n``, and lines and columns count from 1.
    """

    def __init__(self, document: TextDocument) -> None:
        self._codec, self._lines = document.position_codec, document.lines
        self.text = document.source.replace("\r\n", "\n").replace("\r", "\n")
        self.path = to_fs_path(document.uri) or "-"
        self.uri = document.uri

    def place(self, position: lsp.Position) -> tuple[int, int]:
        """Convert an editor's position to a line and column from 1."""
        code_position = self._codec.position_from_client_units(self._lines, position)
        return code_position.line + 1, code_position.character + 1

    def range(self, at: Place) -> lsp.Range:
        """Convert a place in the text to an editor's range."""
        ends = (lsp.Position(at.line - 1, at.column - 1 + offset) for offset in (0, at.width))
        return lsp.Range(*(self._codec.position_to_client_units(self._lines, end) for end in ends))

    def edits(self, edits: tuple[Edit, ...] | list[Edit]) -> lsp.WorkspaceEdit:
        """Convert edits of the document to a workspace edit of the protocol."""
        return lsp.WorkspaceEdit(changes={self.uri: [lsp.TextEdit(self.range(edit.at), edit.text) for edit in edits]})

    def diagnostic(self, problem: Problem) -> lsp.Diagnostic:
        """Convert a problem to a diagnostic of the protocol.

        A problem in another file is shown at the start of the document.
        """
        where = f" ({problem.file}, line {problem.at.line})" if problem.file else ""
        message = f"{problem.message}{where}" + (f"\nhint: {problem.hint}" if problem.hint else "")
        at = Place(1, 1) if problem.file else problem.at
        severity = SEVERITIES[problem.severity]
        edits = () if problem.file else problem.replacements
        replacements = [{"range": self.range(edit.at), "newText": edit.text} for edit in edits]
        return lsp.Diagnostic(self.range(at), message, severity, problem.code, source="csp", data=replacements)


def serve_editor() -> None:
    """Serve an editor on standard input and output until it disconnects."""
    _server().start_io()


def _server() -> LanguageServer:
    """Return a language server with a handler for each request and each code lens."""
    server = LanguageServer("csp", csp.__version__)

    def document_at(uri: str) -> _Document:
        return _Document(server.workspace.get_text_document(uri))

    def publish(uri: str) -> None:
        """Send the diagnostics of a document to the editor."""
        document = document_at(uri)
        diagnostics = [document.diagnostic(problem) for problem in diagnose(document.text, path=document.path)]
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def on_open(params: lsp.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def on_change(params: lsp.DidChangeTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def on_save(params: lsp.DidSaveTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def on_completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        document = document_at(params.text_document.uri)
        completions = complete(document.text, *document.place(params.position), document.path)
        # The sort text keeps the editor from sorting the completions by word.
        return [
            lsp.CompletionItem(
                completion.word,
                kind=KINDS.get(completion.kind),
                detail=completion.says,
                sort_text=f"{number:05}",
            )
            for number, completion in enumerate(completions)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = document_at(params.text_document.uri)
        description = hover(document.text, *document.place(params.position), path=document.path)
        content = description and lsp.MarkupContent(
            lsp.MarkupKind.Markdown, f"```alldifferent\n{description.title}\n```\n{description.says}"
        )
        return lsp.Hover(content, document.range(description.at)) if description and content else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def on_definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        document = document_at(params.text_document.uri)
        place = define(document.text, *document.place(params.position), document.path)
        if place is None or not place.file:
            return place and lsp.Location(document.uri, document.range(place))
        path = _path_of(place.file, document.path)
        ends = (lsp.Position(place.line - 1, place.column - 1 + offset) for offset in (0, place.width))
        return lsp.Location(from_fs_path(str(path)) or "", lsp.Range(*ends))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def on_references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document = document_at(params.text_document.uri)
        return [
            lsp.Location(document.uri, document.range(occurrence.at))
            for occurrence in uses(document.text, *document.place(params.position), document.path)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def on_rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        document = document_at(params.text_document.uri)
        try:
            return document.edits(
                rename(document.text, *document.place(params.position), params.new_name, document.path)
            )
        except CspError as error:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, str(error)))
            return None

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def on_code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = document_at(params.text_document.uri)
        first, last = document.place(params.range.start)[0], document.place(params.range.end)[0]
        return [
            lsp.CodeAction(
                correction.title,
                lsp.CodeActionKind.QuickFix,
                [document.diagnostic(problem)],
                edit=document.edits(correction.edits),
            )
            for problem in diagnose(document.text, path=document.path)
            if not problem.file and first <= problem.at.line <= last
            for correction in fix(document.text, problem, document.path)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def on_formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = document_at(params.text_document.uri)
        try:
            after = format(document.text)
        except CspError:  # the diagnostics of the document contain the error
            return []
        full_range = lsp.Range(lsp.Position(0, 0), lsp.Position(document.text.count("\n") + 1, 0))
        return [lsp.TextEdit(full_range, after)] if after != document.text else []

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def on_code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        uri = params.text_document.uri
        return [lsp.CodeLens(top, lsp.Command(name, f"alldifferent.{name}", arguments=[uri])) for name in LENSES]

    async def run(name: str, uri: str) -> str:
        """Run a csp command on a document and return its output.

        For ``play``, the page is opened, and its path is returned.
        """
        document = document_at(uri)
        page = None
        if name == "play":
            handle, page_path = tempfile.mkstemp(prefix=f"{Path(document.path).stem}-", suffix=".html")
            os.close(handle)
            page = Path(page_path)
        folder = os.path.dirname(document.path)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "dsl", *LENSES[name], *(["-o", str(page)] if page else [])),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=folder if os.path.isdir(folder) else None,
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(document.text.encode()), 2 * SECONDS)
        except TimeoutError:
            process.kill()
            return f"{name} was stopped after {2 * SECONDS} seconds"
        if page is not None and process.returncode == 0:
            server.window_show_document(lsp.ShowDocumentParams(from_fs_path(str(page)) or "", external=True))
            return f"{page}"
        return output.decode(errors="replace").strip()

    def register(name: str) -> None:
        """Register the command of a code lens, which shows its output as a message."""

        @server.command(f"alldifferent.{name}")
        async def command(uri: str) -> str:
            output = await run(name, uri)
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, output))
            return output

    for name in LENSES:
        register(name)
    return server


def _path_of(file: str, path: str) -> Path:
    """Return the path of a file that the spec includes.

    ``file`` is the ``file`` of a place, and ``path`` the path of the spec.
    """
    name = file.removeprefix("gallery ")
    return gallery() / f"{name}{ENDING}" if name != file else Path(path).parent / file

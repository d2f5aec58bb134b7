"""Tests of ``csp lsp`` through a client on standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from dsl.editor.names import SpecNames

from ..browser import run_async
from ..conftest import ROOT, SHARE, TIMES
from ..mistakes import CASES

pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

pytestmark = pytest.mark.sampled(5)

GALLERY = sorted((ROOT / "examples").glob("*.csp"))
NAMELESS = ("word", "symbol", "bound")
KILLER = (ROOT / "examples" / "killer.csp").read_text(encoding="utf-8")


class Editor:
    """A client with one document that keeps the server's messages."""

    def __init__(self, client: LanguageClient) -> None:
        self.client, self.version = client, 0
        self.uri = ""
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[lsp.ShowMessageParams] = asyncio.Queue()
        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.published.put_nowait(params))
        client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.put_nowait(params))
        client.feature(lsp.WINDOW_SHOW_DOCUMENT)(lambda params: lsp.ShowDocumentResult(True))

    async def open(self, text: str, path: Path) -> list[lsp.Diagnostic]:
        self.uri = path.as_uri()
        item = lsp.TextDocumentItem(self.uri, "alldifferent", self.version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return [*(await self.published.get()).diagnostics]

    async def change(self, text: str, at: lsp.Range | None = None) -> list[lsp.Diagnostic]:
        self.version += 1
        document = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        partial, whole = lsp.TextDocumentContentChangePartial, lsp.TextDocumentContentChangeWholeDocument
        event = partial(at, text) if at else whole(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [event]))
        return [*(await self.published.get()).diagnostics]

    async def call(self, lens: str) -> str:
        """Run the command of a lens and return its answer."""
        parameters = lsp.ExecuteCommandParams(f"alldifferent.{lens}", arguments=[self.uri])
        return str(await self.client.workspace_execute_command_async(parameters))

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)


@contextlib.asynccontextmanager
async def connect_editor() -> AsyncIterator[Editor]:
    client = LanguageClient("test", "1")
    editor = Editor(client)
    await client.start_io(sys.executable, "-m", "dsl", "lsp")
    result = await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    assert result.server_info is not None and result.server_info.name == "csp"
    client.initialized(lsp.InitializedParams())
    try:
        yield editor
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await asyncio.wait_for(client._server.wait(), 20)  # type: ignore[union-attr]
        await client.stop()


def ask(script: Callable[[Editor], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with connect_editor() as editor:
            await asyncio.wait_for(script(editor), 120)

    run_async(run())


def test_a_diagnostic_is_published_and_its_fix_is_offered(tmp_path: Path) -> None:
    async def script(editor: Editor) -> None:
        [diagnostic] = await editor.open("A in 1..4.\nA == 3.", tmp_path / "a.csp")
        assert diagnostic.message.startswith("== is not part of the language\nhint:")
        assert diagnostic.range == lsp.Range(lsp.Position(1, 2), lsp.Position(1, 4))
        parameters = lsp.CodeActionParams(editor.document, diagnostic.range, lsp.CodeActionContext([diagnostic]))
        [action, *_] = await editor.client.text_document_code_action_async(parameters) or []
        assert isinstance(action, lsp.CodeAction) and action.edit and action.edit.changes
        assert [edit.new_text for edit in action.edit.changes[editor.uri]] == ["="]
        assert await editor.change("A in 1..4.\nA = 3.") == []
        assert await editor.change("", lsp.Range(lsp.Position(1, 2), lsp.Position(1, 3))) != []

    ask(script)


def test_requests_complete_show_find_and_rename_names(tmp_path: Path) -> None:
    async def script(editor: Editor) -> None:
        assert await editor.open(KILLER, tmp_path / "killer.csp") == []
        lines = KILLER.split("\n")
        line = next(number for number, text in enumerate(lines) if text.startswith('"cage r{I}c{J}"'))
        place = lsp.Position(line, lines[line].index("cell") + 2)
        items = await editor.client.text_document_completion_async(lsp.CompletionParams(editor.document, place))
        assert isinstance(items, list) and "cell" in [item.label for item in items]
        hover = await editor.client.text_document_hover_async(lsp.HoverParams(editor.document, place))
        assert hover is not None and "cell/2 in 1..9" in str(hover.contents)
        definition = await editor.client.text_document_definition_async(lsp.DefinitionParams(editor.document, place))
        assert isinstance(definition, lsp.Location) and lines[definition.range.start.line].startswith("cell(R, C) in")
        context = lsp.ReferenceContext(include_declaration=True)
        references = await editor.client.text_document_references_async(
            lsp.ReferenceParams(context, editor.document, place)
        )
        assert references is not None and len(references) == KILLER.count("cell(")
        edit = await editor.client.text_document_rename_async(lsp.RenameParams(editor.document, place, "field"))
        assert edit is not None and edit.changes and len(edit.changes[editor.uri]) == len(references)
        refusal = await editor.client.text_document_rename_async(lsp.RenameParams(editor.document, place, "sum"))
        assert refusal is None and (await editor.messages.get()).message == "sum is a word of the language"
        options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
        await editor.change("A,B in 1 .. 4.")
        edits = await editor.client.text_document_formatting_async(
            lsp.DocumentFormattingParams(editor.document, options)
        )
        assert edits is not None and edits[0].new_text == "A, B in 1..4.\n"
        await editor.change('% 😀\n"😀 {X}": A = X :- X in 1..2. A in 1..4.')  # places in units of UTF-16
        place = lsp.Position(1, 5)
        references = await editor.client.text_document_references_async(
            lsp.ReferenceParams(context, editor.document, place)
        )
        assert references is not None and [reference.range.start.character for reference in references] == [5, 14, 19]
        await editor.change("include sudoku.")
        definition = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(editor.document, lsp.Position(0, 10))
        )
        assert isinstance(definition, lsp.Location) and definition.uri == (ROOT / "examples" / "sudoku.csp").as_uri()

    ask(script)


def test_every_request_is_answered_for_the_gallery() -> None:
    """Send the requests for the first variable of each spec.

    The client renames a name that the spec defines, and the edits cover all its uses.
    """
    paths = GALLERY[:: 1 if TIMES > 1 else SHARE]

    async def script(editor: Editor) -> None:
        client = editor.client
        for path in paths:
            text = path.read_text(encoding="utf-8")
            diagnostics = await editor.open(text, path)
            errors = [error for error in diagnostics if error.severity == lsp.DiagnosticSeverity.Error]
            assert errors == [], path.stem
            occurrences = [
                occurrence
                for occurrence in SpecNames(text, str(path)).occurrences()
                if occurrence.kind not in NAMELESS and occurrence.name != "_"
            ]
            first = next((occurrence for occurrence in occurrences if occurrence.kind == "variable"), occurrences[0])
            at, name = (
                lsp.Position(first.at.line - 1, first.at.column - 1),
                "Renamed" if first.name[0].isupper() else "renamed",
            )
            document, context = editor.document, lsp.ReferenceContext(include_declaration=True)
            assert await client.text_document_hover_async(lsp.HoverParams(document, at)), path.stem
            assert await client.text_document_completion_async(lsp.CompletionParams(document, at)), path.stem
            assert await client.text_document_definition_async(lsp.DefinitionParams(document, at)), path.stem
            uses = await client.text_document_references_async(lsp.ReferenceParams(context, document, at)) or []
            edit = await client.text_document_rename_async(lsp.RenameParams(document, at, name))
            if edit is None:  # an included file defines the name
                assert "is defined in" in (await editor.messages.get()).message, path.stem
            else:
                assert edit.changes and len(edit.changes[editor.uri]) == len(uses) > 0, path.stem
            options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
            await client.text_document_formatting_async(lsp.DocumentFormattingParams(document, options))
            assert len(await client.text_document_code_lens_async(lsp.CodeLensParams(document)) or []) == 3

    ask(script)


def test_every_case_of_the_table_publishes_its_diagnostic(tmp_path: Path) -> None:
    cases = [case for case in CASES if not case.params and not case.grids][:: 1 if TIMES > 1 else SHARE]

    async def script(editor: Editor) -> None:
        await editor.open("", tmp_path / "a.csp")
        for case in cases:
            diagnostics = await editor.change(case.spec)
            expected = [diagnostic for diagnostic in diagnostics if case.message in diagnostic.message]
            assert expected, case.spec
            parameters = lsp.CodeActionParams(editor.document, expected[0].range, lsp.CodeActionContext(diagnostics))
            for action in await editor.client.text_document_code_action_async(parameters) or []:
                assert isinstance(action, lsp.CodeAction) and action.edit, case.spec

    ask(script)


def test_lenses_solve_check_and_play(tmp_path: Path) -> None:
    async def script(editor: Editor) -> None:
        text = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")
        await editor.open(text, tmp_path / "shidoku.csp")
        lenses = await editor.client.text_document_code_lens_async(lsp.CodeLensParams(editor.document)) or []
        commands = {lens.command.title: lens.command for lens in lenses if lens.command}
        assert [*commands] == ["solve", "check", "play"]
        for name, command in commands.items():
            assert (command.command, command.arguments) == (f"alldifferent.{name}", (editor.uri,))
        assert "3 1 | 4 2" in await editor.call("solve")
        assert "one solution" in await editor.call("check")
        page = Path(await editor.call("play"))
        assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        page.unlink()

    ask(script)


def test_without_pygls_the_command_names_the_package_to_install() -> None:
    code = "import sys; sys.modules['pygls'] = None; import importlib.util as u; found = u.find_spec\n"
    code += "u.find_spec = lambda name, *more: None if name == 'pygls' else found(name, *more)\n"
    code += "sys.argv = ['csp', 'lsp']; import dsl.start; dsl.start.main()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (
        ended.returncode != 0 and "pip install 'alldifferent[lsp]'" in ended.stderr and "Traceback" not in ended.stderr
    )

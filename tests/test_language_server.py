"""``csp lsp``, asked by a client over standard input and output."""

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

from .conftest import ROOT, SHARE, TIMES
from .mistakes import CASES

pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

GALLERY = sorted((ROOT / "examples").glob("*.csp"))
NAMELESS = ("word", "symbol", "bound")
KILLER = (ROOT / "examples" / "killer.csp").read_text(encoding="utf-8")


class Editor:
    """A client with one document, which keeps what the server publishes."""

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
        """What the command of a lens says of the document."""
        called = lsp.ExecuteCommandParams(f"alldifferent.{lens}", arguments=[self.uri])
        return str(await self.client.workspace_execute_command_async(called))

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)


@contextlib.asynccontextmanager
async def editor() -> AsyncIterator[Editor]:
    client = LanguageClient("test", "1")
    made = Editor(client)
    await client.start_io(sys.executable, "-m", "dsl", "lsp")
    result = await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    assert result.server_info is not None and result.server_info.name == "csp"
    client.initialized(lsp.InitializedParams())
    try:
        yield made
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await asyncio.wait_for(client._server.wait(), 20)  # type: ignore[union-attr]
        await client.stop()


def ask(script: Callable[[Editor], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with editor() as made:
            await asyncio.wait_for(script(made), 120)

    asyncio.run(run())


def test_a_mistake_is_published_and_mended(tmp_path: Path) -> None:
    async def script(made: Editor) -> None:
        [found] = await made.open("A in 1..4.\nA == 3.", tmp_path / "a.csp")
        assert found.message.startswith("== is not part of the language\nhint:")
        assert found.range == lsp.Range(lsp.Position(1, 2), lsp.Position(1, 4))
        asked = lsp.CodeActionParams(made.document, found.range, lsp.CodeActionContext([found]))
        [action, *_] = await made.client.text_document_code_action_async(asked) or []
        assert isinstance(action, lsp.CodeAction) and action.edit and action.edit.changes
        assert [edit.new_text for edit in action.edit.changes[made.uri]] == ["="]
        assert await made.change("A in 1..4.\nA = 3.") == []
        assert await made.change("", lsp.Range(lsp.Position(1, 2), lsp.Position(1, 3))) != []

    ask(script)


def test_names_are_completed_shown_found_and_renamed(tmp_path: Path) -> None:
    async def script(made: Editor) -> None:
        assert await made.open(KILLER, tmp_path / "killer.csp") == []
        lines = KILLER.split("\n")
        line = next(number for number, text in enumerate(lines) if text.startswith('"cage {K}"'))
        place = lsp.Position(line, lines[line].index("cell") + 2)
        items = await made.client.text_document_completion_async(lsp.CompletionParams(made.document, place))
        assert isinstance(items, list) and "cell" in [item.label for item in items]
        shown = await made.client.text_document_hover_async(lsp.HoverParams(made.document, place))
        assert shown is not None and "cell/2 in 1..9" in str(shown.contents)
        where = await made.client.text_document_definition_async(lsp.DefinitionParams(made.document, place))
        assert isinstance(where, lsp.Location) and lines[where.range.start.line].startswith("cell(R, C) in")
        context = lsp.ReferenceContext(include_declaration=True)
        found = await made.client.text_document_references_async(lsp.ReferenceParams(context, made.document, place))
        assert found is not None and len(found) == KILLER.count("cell(")
        renamed = await made.client.text_document_rename_async(lsp.RenameParams(made.document, place, "field"))
        assert renamed is not None and renamed.changes and len(renamed.changes[made.uri]) == len(found)
        refused = await made.client.text_document_rename_async(lsp.RenameParams(made.document, place, "sum"))
        assert refused is None and (await made.messages.get()).message == "sum is a word of the language"
        options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
        await made.change("A,B in 1 .. 4.")
        edits = await made.client.text_document_formatting_async(lsp.DocumentFormattingParams(made.document, options))
        assert edits is not None and edits[0].new_text == "A, B in 1..4.\n"
        await made.change('% 😀\n"😀 {X}": A = X :- X in 1..2. A in 1..4.')  # places in units of UTF-16
        place = lsp.Position(1, 5)
        found = await made.client.text_document_references_async(lsp.ReferenceParams(context, made.document, place))
        assert found is not None and [one.range.start.character for one in found] == [5, 14, 19]
        await made.change("include sudoku.")
        where = await made.client.text_document_definition_async(
            lsp.DefinitionParams(made.document, lsp.Position(0, 10))
        )
        assert isinstance(where, lsp.Location) and where.uri == (ROOT / "examples" / "sudoku.csp").as_uri()

    ask(script)


def test_every_function_answers_on_the_gallery() -> None:
    """At the first variable of a spec; a definition is that of a name, and leads to all of its uses."""
    some = GALLERY[:: 1 if TIMES > 1 else SHARE]

    async def script(made: Editor) -> None:
        client = made.client
        for path in some:
            text = path.read_text(encoding="utf-8")
            errors = [one for one in await made.open(text, path) if one.severity == lsp.DiagnosticSeverity.Error]
            assert errors == [], path.stem
            own = [
                one for one in SpecNames(text, str(path)).occurrences() if one.kind not in NAMELESS and one.name != "_"
            ]
            one = next((one for one in own if one.kind == "variable"), own[0])
            at, name = (
                lsp.Position(one.at.line - 1, one.at.column - 1),
                "Renamed" if one.name[0].isupper() else "renamed",
            )
            document, context = made.document, lsp.ReferenceContext(include_declaration=True)
            assert await client.text_document_hover_async(lsp.HoverParams(document, at)), path.stem
            assert await client.text_document_completion_async(lsp.CompletionParams(document, at)), path.stem
            assert await client.text_document_definition_async(lsp.DefinitionParams(document, at)), path.stem
            uses = await client.text_document_references_async(lsp.ReferenceParams(context, document, at)) or []
            named = await client.text_document_rename_async(lsp.RenameParams(document, at, name))
            if named is None:  # what an included file defines
                assert "is defined in" in (await made.messages.get()).message, path.stem
            else:
                assert named.changes and len(named.changes[made.uri]) == len(uses) > 0, path.stem
            options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
            await client.text_document_formatting_async(lsp.DocumentFormattingParams(document, options))
            assert len(await client.text_document_code_lens_async(lsp.CodeLensParams(document)) or []) == 3

    ask(script)


def test_the_table_of_mistakes_is_published(tmp_path: Path) -> None:
    cases = [case for case in CASES if not case.params and not case.grids][:: 1 if TIMES > 1 else SHARE]

    async def script(made: Editor) -> None:
        await made.open("", tmp_path / "a.csp")
        for case in cases:
            found = await made.change(case.spec)
            told = [one for one in found if case.message in one.message]
            assert told, case.spec
            asked = lsp.CodeActionParams(made.document, told[0].range, lsp.CodeActionContext(found))
            for action in await made.client.text_document_code_action_async(asked) or []:
                assert isinstance(action, lsp.CodeAction) and action.edit, case.spec

    ask(script)


def test_lenses_solve_check_and_play(tmp_path: Path) -> None:
    async def script(made: Editor) -> None:
        text = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")
        await made.open(text, tmp_path / "shidoku.csp")
        lenses = await made.client.text_document_code_lens_async(lsp.CodeLensParams(made.document)) or []
        commands = {lens.command.title: lens.command for lens in lenses if lens.command}
        assert [*commands] == ["solve", "check", "play"]
        for name, command in commands.items():
            assert (command.command, command.arguments) == (f"alldifferent.{name}", (made.uri,))
        assert "3 1 | 4 2" in await made.call("solve")
        assert "one solution" in await made.call("check")
        page = Path(await made.call("play"))
        assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        page.unlink()

    ask(script)


def test_without_pygls_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['pygls'] = None; import importlib.util as u; found = u.find_spec\n"
    code += "u.find_spec = lambda name, *more: None if name == 'pygls' else found(name, *more)\n"
    code += "sys.argv = ['csp', 'lsp']; import dsl.start; dsl.start.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "pip install 'alldifferent[lsp]'" in done.stderr and "Traceback" not in done.stderr

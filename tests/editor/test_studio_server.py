"""Test the security, the files and the end of ``csp studio``.

The questions are tested in ``test_studio.py``.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..browser import run_async
from ..commands import process
from ..conftest import ROOT

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

import psutil
from tornado.websocket import WebSocketClosedError

from dsl.studio.engine import QuestionEngine, Spare
from dsl.studio.worker import NewerQuestion, Worker

from ..studios import HANGING, Client, Served, served, talk

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

HARD = 'param n = 40. x(I) in 1..n-1 :- I in 1..n. "holes": x(I) != x(J) :- I in 1..n, J in 1..n, I < J.'
SHIDOKU = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def studio() -> Iterator[Served]:
    with served() as server:
        yield server


def request(
    studio: Served, path: str, method: str = "GET", body: str = "", **headers: str
) -> tuple[int, str, dict[str, str]]:
    """Return the status, the body and the headers of a response."""
    renamed = {name.replace("_", "-"): value for name, value in headers.items()}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", studio.port, timeout=20)) as connection:
        connection.request(method, path, body, renamed)
        response = connection.getresponse()
        return response.status, response.read().decode(), dict(response.getheaders())


SOCKET = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


def test_the_page_loads_only_its_own_files(studio: Served) -> None:
    status, text, headers = request(studio, studio.path)
    assert status == 200 and text.startswith("<!DOCTYPE html>")
    assert not re.findall(r"(?:src|href)=\"(?!data:)[^\"]*[:/]", text)  # the page names only files in its folder
    rules = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
    assert rules["default-src"] == "'none'" and rules["script-src"] == rules["connect-src"] == "'self'"
    assert headers["X-Frame-Options"] == "DENY" and headers["Referrer-Policy"] == "no-referrer"
    for name in re.findall(r"(?:src|href)=\"([\w.]+)\"", text):
        assert request(studio, studio.path + name)[0] == 200


def test_requests_with_a_wrong_path_host_or_origin_are_refused(studio: Served) -> None:
    path, origin_of_page = studio.path, studio.origin
    for wrong_path in ("/", "/index.html", "/wrong-token/", path[:-2] + "/", "/%2e%2e/etc/passwd"):
        assert request(studio, wrong_path)[0] == 404, wrong_path
    for name in ("../pyproject.toml", "..%2fpyproject.toml", "%2e%2e/", "scripts/studio.js", "server.py", "nothing"):
        assert request(studio, path + name)[0] == 404, name
    for host in ("evil.example", "127.0.0.1", f"evil.example:{studio.port}", "127.0.0.1:1"):
        assert request(studio, path, Host=host)[0] == 403, host
    assert request(studio, path, Origin="http://evil.example")[0] == 403
    assert request(studio, path, "POST", "text")[0] == 405
    for origin in ("http://evil.example", "null", f"https://{studio.host}", "http://127.0.0.1:1"):
        assert request(studio, f"{path}socket", Origin=origin, **SOCKET)[0] == 403, origin
    assert request(studio, f"{path}socket", **SOCKET)[0] == 403
    assert request(studio, "/wrong-token/socket", Origin=origin_of_page, **SOCKET)[0] == 404
    assert request(studio, f"{path}socket", Origin=origin_of_page, Host="evil.example", **SOCKET)[0] == 403


def test_the_server_listens_only_on_the_loopback_address(studio: Served) -> None:
    import psutil

    listening = [
        connection
        for connection in psutil.Process(studio.process.pid).net_connections()
        if connection.status == "LISTEN"
    ]
    assert [connection.laddr.ip for connection in listening] == ["127.0.0.1"]


def test_huge_bodies_are_refused(studio: Served) -> None:
    # The server closes the connection before it has read the whole request.
    connection_errors = (ConnectionError, http.client.HTTPException)
    with contextlib.suppress(*connection_errors):
        assert request(studio, studio.path, "POST", "A" * 1_000_000)[0] in (400, 405, 413)
    with contextlib.suppress(*connection_errors):
        assert request(studio, studio.path, X_Long="A" * 100_000)[0] in (400, 431)

    async def script(client: Client) -> None:
        with contextlib.suppress(WebSocketClosedError):
            await client.connection.write_message("A" * 5_000_000)
        await client.expect_end()

    talk(studio, script)
    assert request(studio, studio.path)[0] == 200


@pytest.mark.parametrize(
    "start", ["GET {} HTTP/1.1\r\nX", "POST {} HTTP/1.1\r\nContent-Length: 99\r\nHost: {}\r\n\r\nX"]
)
def test_a_request_that_never_ends_is_closed(start: str) -> None:
    """Check an endless head and an endless body, beside another request."""
    with (
        served("--patience", "0.1") as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=40) as slow,
    ):
        slow.sendall(start.format(server.path, server.host).encode())
        assert request(server, server.path)[0] == 200
        assert slow.recv(1000) == b""


def test_malformed_messages_are_refused_or_close_the_connection(studio: Served) -> None:
    async def script(client: Client) -> None:
        for message in ({"ask": "rm"}, {"text": 3}, {"path": "/etc/passwd"}, {"level": []}, {"acts": [{}]}):
            [refused, done] = await client.ask(seq=1, **message)
            assert refused["kind"] == "refused" and done["kind"] == "done"
        [*_, last] = await client.ask(seq=2, text=SHIDOKU)
        assert last["kind"] == "done"

    talk(studio, script)
    # Messages without a valid number close the connection.
    nameless = ('{"text": ""}', '{"seq": [1, 2]}', '{"seq": "a,b"}', '{"seq": null}', '{"seq": true}', '{"seq": 1.5}')
    for message in ("[" * 100_000, "nothing", "[]", "3", *nameless, '{"seq": "a,b", "ask": "save"}'):

        async def rude(client: Client, message: str = message) -> None:
            await client.connection.write_message(message)
            await client.expect_end()

        talk(studio, rude)


def test_the_newest_of_a_thousand_questions_is_answered(studio: Served) -> None:
    async def script(client: Client) -> None:
        for seq in range(1, 1001):
            await client.connection.write_message(json.dumps({"seq": seq, "text": f"A in 1..{seq}. A = {seq}."}))
        messages = await client.until(1000)
        assert {"film", "verdict"} <= {message["kind"] for message in messages}
        assert messages[-1]["kind"] == "done"

    talk(studio, script)
    assert len(studio.workers()) <= 20


def test_a_thousand_requests_at_once_are_answered(studio: Served) -> None:
    sockets = []
    for _ in range(1000):
        connection = socket.create_connection(("127.0.0.1", studio.port), timeout=60)
        connection.sendall(f"GET {studio.path}links.js HTTP/1.0\r\nHost: {studio.host}\r\n\r\n".encode())
        sockets.append(connection)
    assert {connection.recv(15).decode() for connection in sockets} == {"HTTP/1.1 200 OK"[:15]}
    for connection in sockets:
        connection.close()


def test_an_interruption_while_an_object_is_freed_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python passes such an exception to ``sys.unraisablehook``, whatever raises it."""
    worker = Worker("-")
    monkeypatch.setattr(sys, "unraisablehook", worker.keep)

    def interrupted_at_its_end() -> Iterator[None]:
        try:
            yield
        finally:
            raise NewerQuestion

    worker.check()
    generator = interrupted_at_its_end()
    next(generator)
    del generator
    with pytest.raises(NewerQuestion):
        worker.check()
    worker.check()


def test_an_engine_stops_a_long_film_and_answers_the_next_question() -> None:
    """Check that a film of minutes stops without a kill."""
    command = [sys.executable, "-m", "dsl.studio.worker", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None and stdout is not None

        def read_message() -> tuple[int, str]:
            message = json.loads(stdout.readline())
            return message["seq"], message["kind"]

        try:
            for seq in (1, 3, 5):
                stdin.write(json.dumps({"seq": seq, "text": HARD, "nodes": 10_000}) + "\n")
                assert read_message() == (seq, "diagnostics")
                stdin.write(json.dumps({"seq": seq, "ask": "stop"}) + "\n")
                assert (seq, "film") not in list(iter(read_message, (seq, "stopped")))
                stdin.write(json.dumps({"seq": seq + 1, "text": "A in 1..2."}) + "\n")
                assert (seq + 1, "film") in list(iter(read_message, (seq + 1, "done")))
            stdin.close()
            assert process.wait(HANGING) == 0
        finally:
            process.kill()


def test_a_question_does_not_interrupt_itself() -> None:
    """Check also an answer that is finished before the reader continues."""
    code = """if True:
        import sys, time
        from dsl.studio import worker
        class Late(worker.SimpleQueue):
            def put(self, item):
                super().put(item)
                time.sleep(0.01)
        worker.SimpleQueue = Late
        sys.argv[1:] = ['-']
        worker.main()"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        for seq in (1, 2):
            process.stdin.write(json.dumps({"seq": seq, "text": SHIDOKU}).encode() + b"\n")
            process.stdin.flush()
            kinds = iter(lambda: json.loads(process.stdout.readline())["kind"], None)
            assert next(kind for kind in kinds if kind in ("done", "stopped")) == "done"
        process.stdin.close()


def test_a_long_search_is_stopped_and_the_next_question_is_answered(studio: Served) -> None:
    """Allow 30 seconds, because the test machine may be slow."""

    async def script(client: Client) -> None:
        await client.connection.write_message(json.dumps({"seq": 1, "text": HARD, "nodes": 10_000}))
        assert (await client.next())["kind"] == "diagnostics"
        start = time.perf_counter()
        await client.connection.write_message(json.dumps({"seq": 1, "ask": "stop"}))
        messages = await client.until(1)
        assert messages[-1]["kind"] == "stopped" and time.perf_counter() - start < 30
        messages = await client.ask(seq=2, text="A in 1..2.")
        assert messages[-1]["kind"] == "done"
        await client.connection.write_message(json.dumps({"seq": 3, "text": HARD, "nodes": 10_000}))
        messages = await client.ask(seq=4, text="A in 1..2.")
        assert messages[-1]["kind"] == "done"

    talk(studio, script)


def test_an_engine_stops_at_its_limit_of_time() -> None:
    with served("--seconds", "1") as server:

        async def script(client: Client) -> None:
            messages = await client.ask(seq=1, text="include langford. param n = 14.", nodes=10_000)
            assert messages[-1]["kind"] == "stopped" and "after 1 seconds" in messages[-1]["message"]
            assert (await client.ask(seq=2, text="A in 1..2."))[-1]["kind"] == "done"

        talk(server, script)


def test_an_engine_refuses_a_question_beyond_its_memory() -> None:
    code = "import sys; from dsl.studio import worker; worker.MEMORY = 300 << 20; sys.argv[1:] = ['-']; worker.main()"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    large = "x(I) in 1..100000 :- I in 1..90. all_different(x(I) : I in 1..90)."
    for seq, text in enumerate((large, "A in 1..2."), 1):
        process.stdin.write(json.dumps({"seq": seq, "text": text}).encode() + b"\n")
        process.stdin.flush()
        kinds = []
        while kinds[-1:] != ["done"]:
            message = json.loads(process.stdout.readline())
            kinds += [message["kind"]]
        assert ("refused" if text == large else "verdict") in kinds
    process.stdin.close()
    assert process.wait(HANGING) == 0
    process.stdout.close()


def test_closing_the_page_ends_its_engines(studio: Served) -> None:
    before = {worker.pid for worker in studio.workers()}

    async def script(client: Client) -> None:
        await client.connection.write_message(json.dumps({"seq": 1, "text": HARD, "nodes": 10_000}))
        assert (await client.next())["kind"] == "diagnostics"

    talk(studio, script)
    for _ in range(100):
        if len(studio.workers()) <= max(1, len(before)):
            return
        time.sleep(0.1)
    raise AssertionError(studio.workers())


def test_saving_writes_only_the_opened_file(tmp_path: Path) -> None:
    file = tmp_path / "a.csp"
    file.write_text("A in 1..2.\n", encoding="utf-8")
    with served(str(file), end=signal.SIGTERM) as server:

        async def script(client: Client) -> None:
            [saved] = await client.ask(seq=1, ask="save", text="A in 1..3.\n", before="A in 1..2.\n")
            assert saved["saved"] and file.read_text(encoding="utf-8") == "A in 1..3.\n"
            [refused] = await client.ask(seq=2, ask="save", text="lost", before="something else")
            assert not refused["saved"] and refused["text"] == "A in 1..3.\n"
            [refused] = await client.ask(seq=3, ask="save", text=3, before="A in 1..3.\n")
            assert not refused["saved"]
            [saved] = await client.ask(seq=4, ask="save", text="A.", before="A in 1..3.\n", path="/tmp/elsewhere")
            assert saved["saved"] and file.read_text(encoding="utf-8") == "A."
            file.write_text("A in 1..4.\n", encoding="utf-8")
            while (message := await client.next())["kind"] != "file":
                pass
            assert message["text"] == "A in 1..4.\n"

        talk(server, script)
    assert [path.name for path in tmp_path.iterdir()] == ["a.csp"]


def test_a_failed_save_has_a_reason_and_the_next_save_succeeds(tmp_path: Path) -> None:
    file = tmp_path / "full.csp"
    before = "A in 1..2.\n"
    file.write_text(before, encoding="utf-8")
    limit = (100, 100)

    def limit_file_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    # The server must not write bytecode files: the limit would cut them off for later tests.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with served(str(file), preexec_fn=limit_file_size, env=environment) as server:

        async def script(client: Client) -> None:
            [refused] = await client.ask(seq=1, ask="save", text=f"{before}% {'x' * 1000}", before=before)
            assert (refused["saved"], refused["reason"], refused["text"]) == (False, "File too large", before)
            [refused] = await client.ask(seq=2, ask="save", text="% \ud800", before=before)
            assert not refused["saved"] and "'\\ud800' is half a character" in refused["reason"]
            [refused] = await client.ask(seq=3, ask="save", text="B", before="A")
            assert not refused["saved"] and refused["reason"] == "the file has changed on disk"
            [saved] = await client.ask(seq=4, ask="save", text=f"{before}A = 1.\n", before=before)
            assert saved["saved"] and not saved["reason"]

        talk(server, script)
    assert file.read_text(encoding="utf-8") == f"{before}A = 1.\n" and [*tmp_path.iterdir()] == [file]


def test_an_engine_that_breaks_the_protocol_is_replaced() -> None:
    messages: list[dict[str, Any]] = []

    class FaultySpare(Spare):
        taken = 0

        async def take(self) -> asyncio.subprocess.Process:
            self.taken += 1
            if self.taken > 1:
                return await super().take()
            pipe = asyncio.subprocess.PIPE
            code = "import time; print('{\"seq\":[1,2]}', flush=True); time.sleep(60)"
            self.faulty = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdin=pipe, stdout=pipe)
            return self.faulty

    async def ask_twice() -> None:
        spare = FaultySpare("-")
        engine = QuestionEngine(spare, lambda message: messages.append(json.loads(message)))
        for seq, last in ((1, "stopped"), (2, "done")):
            engine.ask({"seq": seq, "ask": "example", "name": "", "text": ""})
            while not messages or (messages[-1]["seq"], messages[-1]["kind"]) != (seq, last):
                await asyncio.sleep(0.01)
        assert spare.faulty.returncode is not None
        await engine.close()
        await spare.close()

    run_async(asyncio.wait_for(ask_twice(), 30))
    assert messages[0] == {"seq": 1, "kind": "stopped", "message": "the engine has ended"}


def test_a_file_in_the_same_folder_is_included(tmp_path: Path) -> None:
    (tmp_path / "lines.csp").write_text("A in 1..2.", encoding="utf-8")
    file = tmp_path / "a.csp"
    with served(str(file)) as server:

        async def script(client: Client) -> None:
            messages = await client.ask(seq=1, text='include "lines.csp". A = 1.')
            assert "film" in [message["kind"] for message in messages]

        talk(server, script)
    assert file.read_text(encoding="utf-8") == ""


def test_a_port_in_use_is_named_in_the_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = process("studio", "--no-browser", "--port", port)
    assert result.returncode == 2 and not result.stdout
    assert result.stderr == f"csp: port {port}: Address already in use; choose another port, or 0 for a free one\n"


def test_a_link_opens_as_a_spec_without_a_file() -> None:
    async def script(page: Client) -> None:
        assert page.hello["name"] == "" and "include hitori." in page.hello["text"]

    with served("https://puzz.link/p?hitori/3/3/121211122") as server:
        talk(server, script)


def test_a_waiting_question_is_stopped_by_a_newer_question() -> None:
    messages: list[dict[str, Any]] = []

    async def ask_twice() -> None:
        spare = Spare("-")
        engine = QuestionEngine(spare, lambda message: messages.append(json.loads(message)))
        for seq in (1, 2):
            engine.ask({"seq": seq, "ask": "example", "name": "", "text": ""})
        while messages[-1].get("kind") != "done":
            await asyncio.sleep(0.01)
        await engine.close()
        await spare.close()

    run_async(ask_twice())
    assert messages[0] == {"seq": 1, "kind": "stopped", "message": "stopped"} and "names" in messages[1]


def test_the_idle_process_of_a_closed_page_answers_the_next_page() -> None:
    def children() -> set[int]:
        return {child.pid for child in psutil.Process().children()}

    async def ask_from_two_pages() -> None:
        spare, before, used = Spare("-"), children(), []
        for _ in range(2):
            messages: list[dict[str, Any]] = []
            engine = QuestionEngine(spare, lambda message, to=messages: to.append(json.loads(message)))
            engine.ask({"seq": 1, "ask": "example", "name": "", "text": ""})
            while not messages or messages[-1]["kind"] != "done":
                await asyncio.sleep(0.1)
            used.append(children() - before)
            await engine.close()
        await spare.close()
        assert used[0] == used[1] and len(used[0]) == 2 and children() == before

    run_async(asyncio.wait_for(ask_from_two_pages(), 60))

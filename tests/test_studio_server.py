"""``csp studio``: who may talk to it, what it writes, and how it stops. What is asked is in ``test_studio.py``."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
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

from .commands import process
from .conftest import ROOT

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from tornado.websocket import WebSocketClosedError

from dsl.studio.engine import QuestionEngine, Spare

from .studios import Client, Served, served, talk

HARD = 'param n = 40. x(I) in 1..n-1 :- I in 1..n. "holes": x(I) != x(J) :- I in 1..n, J in 1..n, I < J.'
SHIDOKU = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def studio() -> Iterator[Served]:
    with served() as made:
        yield made


def got(
    studio: Served, path: str, method: str = "GET", body: str = "", **headers: str
) -> tuple[int, str, dict[str, str]]:
    """What a request gets."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", studio.port, timeout=20)) as connection:
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), dict(answer.getheaders())


SOCKET = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


def test_the_page_is_its_own_and_may_do_nothing_else(studio: Served) -> None:
    status, text, headers = got(studio, studio.path)
    assert status == 200 and text.startswith("<!DOCTYPE html>")
    assert not re.findall(r"(?:src|href)=\"(?!data:)[^\"]*[:/]", text)  # what it names is beside it
    rules = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
    assert rules["default-src"] == "'none'" and rules["script-src"] == rules["connect-src"] == "'self'"
    assert headers["X-Frame-Options"] == "DENY" and headers["Referrer-Policy"] == "no-referrer"
    for name in re.findall(r"(?:src|href)=\"([\w.]+)\"", text):
        assert got(studio, studio.path + name)[0] == 200


def test_others_are_refused(studio: Served) -> None:
    path, own = studio.path, studio.origin
    for wrong in ("/", "/index.html", "/wrong-token/", path[:-2] + "/", "/%2e%2e/etc/passwd"):
        assert got(studio, wrong)[0] == 404, wrong
    for name in ("../pyproject.toml", "..%2fpyproject.toml", "%2e%2e/", "scripts/studio.js", "server.py", "nothing"):
        assert got(studio, path + name)[0] == 404, name
    for host in ("evil.example", "127.0.0.1", f"evil.example:{studio.port}", "127.0.0.1:1"):
        assert got(studio, path, Host=host)[0] == 403, host
    assert got(studio, path, Origin="http://evil.example")[0] == 403
    assert got(studio, path, "POST", "text")[0] == 405
    for origin in ("http://evil.example", "null", f"https://{studio.host}", "http://127.0.0.1:1"):
        assert got(studio, f"{path}socket", Origin=origin, **SOCKET)[0] == 403, origin
    assert got(studio, f"{path}socket", **SOCKET)[0] == 403
    assert got(studio, "/wrong-token/socket", Origin=own, **SOCKET)[0] == 404
    assert got(studio, f"{path}socket", Origin=own, Host="evil.example", **SOCKET)[0] == 403


def test_it_listens_on_the_loopback_address_alone(studio: Served) -> None:
    import psutil

    listening = [one for one in psutil.Process(studio.process.pid).net_connections() if one.status == "LISTEN"]
    assert [one.laddr.ip for one in listening] == ["127.0.0.1"]


def test_huge_bodies_are_refused(studio: Served) -> None:
    hung_up = (ConnectionError, http.client.HTTPException)  # before all of it was sent
    with contextlib.suppress(*hung_up):
        assert got(studio, studio.path, "POST", "A" * 1_000_000)[0] in (400, 405, 413)
    with contextlib.suppress(*hung_up):
        assert got(studio, studio.path, X_Long="A" * 100_000)[0] in (400, 431)

    async def script(client: Client) -> None:
        with contextlib.suppress(WebSocketClosedError):
            await client.connection.write_message("A" * 5_000_000)
        await client.expect_end()

    talk(studio, script)
    assert got(studio, studio.path)[0] == 200


@pytest.mark.parametrize(
    "begun", ["GET {} HTTP/1.1\r\nX", "POST {} HTTP/1.1\r\nContent-Length: 99\r\nHost: {}\r\n\r\nX"]
)
def test_a_request_that_never_ends_is_hung_up_on(begun: str) -> None:
    """Neither its head nor its body; others are answered meanwhile."""
    with served("--patience", "0.1") as made, socket.create_connection(("127.0.0.1", made.port), timeout=40) as slow:
        slow.sendall(begun.format(made.path, made.host).encode())
        assert got(made, made.path)[0] == 200
        assert slow.recv(1000) == b""


def test_what_is_no_question_is_told_so(studio: Served) -> None:
    async def script(client: Client) -> None:
        for wrong in ({"ask": "rm"}, {"text": 3}, {"path": "/etc/passwd"}, {"level": []}, {"acts": [{}]}):
            [refused, done] = await client.ask(seq=1, **wrong)
            assert refused["kind"] == "refused" and done["kind"] == "done"
        [*_, last] = await client.ask(seq=2, text=SHIDOKU)
        assert last["kind"] == "done"

    talk(studio, script)
    nameless = ('{"text": ""}', '{"seq": [1, 2]}', '{"seq": "a,b"}', '{"seq": null}', '{"seq": true}', '{"seq": 1.5}')
    for wrong in ("[" * 100_000, "nothing", "[]", "3", *nameless, '{"seq": "a,b", "ask": "save"}'):

        async def rude(client: Client, wrong: str = wrong) -> None:
            await client.connection.write_message(wrong)
            await client.expect_end()

        talk(studio, rude)


def test_a_thousand_questions_at_once_and_the_newest_is_answered(studio: Served) -> None:
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
        one = socket.create_connection(("127.0.0.1", studio.port), timeout=60)
        one.sendall(f"GET {studio.path}links.js HTTP/1.0\r\nHost: {studio.host}\r\n\r\n".encode())
        sockets.append(one)
    assert {one.recv(15).decode() for one in sockets} == {"HTTP/1.1 200 OK"[:15]}
    for one in sockets:
        one.close()


def test_an_engine_stops_by_itself_and_goes_on() -> None:
    """In the middle of a film that takes minutes; killing is for those that cannot."""
    command = [sys.executable, "-m", "dsl.studio.worker", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        given, told = process.stdin, process.stdout
        assert given is not None and told is not None

        def said() -> tuple[int, str]:
            message = json.loads(told.readline())
            return message["seq"], message["kind"]

        try:
            for seq in (1, 3, 5):
                given.write(json.dumps({"seq": seq, "text": HARD, "nodes": 10_000}) + "\n")
                assert said() == (seq, "diagnostics") and said() == (seq, "sheets")
                given.write(json.dumps({"seq": seq, "ask": "stop"}) + "\n")
                assert said() == (seq, "stopped")
                given.write(json.dumps({"seq": seq + 1, "text": "A in 1..2."}) + "\n")
                assert (seq + 1, "film") in list(iter(said, (seq + 1, "done")))
            given.close()
            assert process.wait(60) == 0
        finally:
            process.kill()


def test_a_question_does_not_interrupt_itself() -> None:
    """Also where who answers is quicker than who has just read it."""
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


def test_what_searches_for_minutes_is_stopped_and_the_next_is_answered(studio: Served) -> None:
    """Whether it took half a second is not asked of this machine; that it does not take its minutes is."""

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


def test_an_engine_is_bounded_in_time() -> None:
    with served("--seconds", "1") as made:

        async def script(client: Client) -> None:
            messages = await client.ask(seq=1, text="include langford. param n = 14.", nodes=10_000)
            assert messages[-1]["kind"] == "stopped" and "after 1 seconds" in messages[-1]["message"]
            assert (await client.ask(seq=2, text="A in 1..2."))[-1]["kind"] == "done"

        talk(made, script)


def test_an_engine_is_bounded_in_memory() -> None:
    code = "import sys; from dsl.studio import worker; worker.MEMORY = 600 << 20; sys.argv[1:] = ['-']; worker.main()"
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
    assert process.wait(20) == 0
    process.stdout.close()


def test_closing_the_page_ends_its_engines(studio: Served) -> None:
    before = {one.pid for one in studio.workers()}

    async def script(client: Client) -> None:
        await client.connection.write_message(json.dumps({"seq": 1, "text": HARD, "nodes": 10_000}))
        assert (await client.next())["kind"] == "diagnostics"

    talk(studio, script)
    for _ in range(100):
        if len(studio.workers()) <= max(1, len(before)):
            return
        time.sleep(0.1)
    raise AssertionError(studio.workers())


def test_saving_writes_the_file_that_was_opened_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "a.csp"
    file.write_text("A in 1..2.\n", encoding="utf-8")
    with served(str(file), end=signal.SIGTERM) as made:

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

        talk(made, script)
    assert [path.name for path in tmp_path.iterdir()] == ["a.csp"]


def test_a_save_that_fails_says_why_and_the_next_one_is_written(tmp_path: Path) -> None:
    file = tmp_path / "full.csp"
    before = "A in 1..2.\n"
    file.write_text(before, encoding="utf-8")
    limit = (100, 100)

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    with served(str(file), preexec_fn=small_files) as made:

        async def script(client: Client) -> None:
            [refused] = await client.ask(seq=1, ask="save", text=f"{before}% {'x' * 1000}", before=before)
            assert (refused["saved"], refused["reason"], refused["text"]) == (False, "File too large", before)
            [refused] = await client.ask(seq=2, ask="save", text="% \ud800", before=before)
            assert not refused["saved"] and "'\\ud800' is half a character" in refused["reason"]
            [refused] = await client.ask(seq=3, ask="save", text="B", before="A")
            assert not refused["saved"] and refused["reason"] == "the file has changed on disk"
            [saved] = await client.ask(seq=4, ask="save", text=f"{before}A = 1.\n", before=before)
            assert saved["saved"] and not saved["reason"]

        talk(made, script)
    assert file.read_text(encoding="utf-8") == f"{before}A = 1.\n" and [*tmp_path.iterdir()] == [file]


def test_an_engine_that_breaks_the_protocol_is_ended_and_another_one_answers() -> None:
    said: list[dict[str, Any]] = []

    class Odd(Spare):
        taken = 0

        async def take(self) -> asyncio.subprocess.Process:
            self.taken += 1
            if self.taken > 1:
                return await super().take()
            pipe = asyncio.subprocess.PIPE
            code = "import time; print('{\"seq\":[1,2]}', flush=True); time.sleep(60)"
            self.odd = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdin=pipe, stdout=pipe)
            return self.odd

    async def two() -> None:
        spare = Odd("-")
        engine = QuestionEngine(spare, lambda message: said.append(json.loads(message)))
        for seq, last in ((1, "stopped"), (2, "done")):
            engine.ask({"seq": seq, "ask": "example", "name": "", "text": ""})
            while not said or (said[-1]["seq"], said[-1]["kind"]) != (seq, last):
                await asyncio.sleep(0.01)
        assert spare.odd.returncode is not None
        await engine.close()
        await spare.close()

    asyncio.run(asyncio.wait_for(two(), 30))
    assert said[0] == {"seq": 1, "kind": "stopped", "message": "the engine has ended"}


def test_what_stands_beside_the_file_is_included(tmp_path: Path) -> None:
    (tmp_path / "lines.csp").write_text("A in 1..2.", encoding="utf-8")
    file = tmp_path / "a.csp"
    with served(str(file)) as made:

        async def script(client: Client) -> None:
            messages = await client.ask(seq=1, text='include "lines.csp". A = 1.')
            assert "film" in [message["kind"] for message in messages]

        talk(made, script)
    assert file.read_text(encoding="utf-8") == ""


def test_a_port_that_is_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = process("studio", "--no-browser", "--port", port)
    assert result.returncode == 2 and not result.stdout
    assert result.stderr == f"csp: port {port}: Address already in use; choose another port, or 0 for a free one\n"


def test_a_link_opens_as_its_spec_and_is_written_nowhere() -> None:
    async def script(page: Client) -> None:
        assert page.hello["name"] == "" and "include hitori." in page.hello["text"]

    with served("https://puzz.link/p?hitori/3/3/121211122") as made:
        talk(made, script)


def test_a_question_that_has_not_begun_is_told_that_a_newer_one_has_its_place() -> None:
    said: list[dict[str, Any]] = []

    async def two() -> None:
        spare = Spare("-")
        engine = QuestionEngine(spare, lambda message: said.append(json.loads(message)))
        for seq in (1, 2):
            engine.ask({"seq": seq, "ask": "example", "name": "", "text": ""})
        while said[-1].get("kind") != "done":
            await asyncio.sleep(0.01)
        await engine.close()
        await spare.close()

    asyncio.run(two())
    assert said[0] == {"seq": 1, "kind": "stopped", "message": "stopped"} and "names" in said[1]

"""A running studio, and a client of its socket."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import psutil

from .browser import run_async

MIDDLE = """(name) => {
  const v = player.film.data.vertices.findIndex((vertex) => vertex.name === name);
  const { left, top, width, height } = player.picture.groups[v].firstChild.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
"""Script: the middle of a variable's vertex in the picture, by the name of the variable."""
HANGING = 120
"""Seconds after which a program counts as hanging, also on the slowest machine."""


class Served:
    """A running studio with its address."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address
        self.host = urlsplit(address).netloc
        self.port = int(self.host.rpartition(":")[2])
        self.origin = f"http://{self.host}"
        self.path = urlsplit(address).path

    def workers(self) -> list[psutil.Process]:
        """Return the processes of its engines."""
        return psutil.Process(self.process.pid).children(recursive=True)


@contextmanager
def served(*arguments: str, end: int = signal.SIGINT, **options: Any) -> Iterator[Served]:
    """Run a studio, and check that a signal ends its processes."""
    command = [sys.executable, "-m", "dsl", "studio", "--no-browser", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    try:
        assert process.stdout is not None and process.stderr is not None
        studio = Served(process, process.stdout.readline().strip())
        yield studio
        workers = studio.workers()
        process.send_signal(end)
        assert process.wait(HANGING) == 128 + end
        errors = process.stderr.read()
        assert errors == "", errors
        assert not [worker for worker in workers if worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE]
    finally:
        process.kill()
        process.communicate()


class Client:
    """A client of the socket, as a page has it."""

    def __init__(self, connection: Any) -> None:
        self.connection, self.is_over = connection, False
        self.hello: dict[str, Any] = {}

    async def expect_end(self) -> None:
        """Wait until the server closes the connection."""
        assert await asyncio.wait_for(self.connection.read_message(), HANGING) is None
        self.is_over = True

    async def next(self) -> dict[str, Any]:
        """Return the next message."""
        text = await asyncio.wait_for(self.connection.read_message(), HANGING)
        assert text is not None, "the server hung up"
        return json.loads(text)

    async def ask(self, **question: Any) -> list[dict[str, Any]]:
        """Send a question and return the messages of its answer."""
        await self.connection.write_message(json.dumps(question))
        return await self.until(question["seq"])

    async def until(self, seq: int) -> list[dict[str, Any]]:
        """Return the messages of an answer, up to the last."""
        messages = []
        while True:
            message = await self.next()
            if message.get("seq") == seq:
                messages.append(message)
                if message["kind"] in ("done", "stopped", "saved"):
                    return messages


def talk(studio: Served, script: Callable[[Client], Coroutine[Any, Any, None]]) -> None:
    """Open the socket of a studio and run a script with it."""
    from tornado.httpclient import HTTPRequest
    from tornado.websocket import websocket_connect

    async def run() -> None:
        request = HTTPRequest(f"ws://{studio.host}{studio.path}socket", headers={"Origin": studio.origin})
        connection = await websocket_connect(request, max_message_size=1 << 28)
        client = Client(connection)
        try:
            client.hello = await client.next()
            assert client.hello["kind"] == "hello"
            await script(client)
        finally:
            connection.close()
            while not client.is_over:
                client.is_over = await asyncio.wait_for(connection.read_message(), HANGING) is None

    run_async(run())

"""Serve the studio page on the loopback address; only this file imports tornado.

Only someone who has the link can use it: every path begins with a secret token. Requests must name this host and may
not come from another origin. The sizes of requests and messages are limited, and the only file that is written is the
one that was opened.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tornado import httpserver, netutil, web, websocket

from csp import CspError

from .engine import QuestionEngine, Spare
from .page import files, policy
from .questions import PICTURE_ASKS

LONGEST = 4_000_000
"""Maximum number of bytes of a message from a page; a longer message closes the connection."""

MAX_PAGES = 8
"""Maximum number of open pages, each with two engines; further pages are refused."""

WATCH_INTERVAL = 0.5
"""Seconds between two checks whether the file has changed."""


class Document:
    """The spec that the pages edit: an open file, or only a text.

    Parameters
    ----------
    path : Path or None
        None for a text without a file.
    read : function
        Returns the text of a file.
    write : function
        Writes a file completely or not at all.
    text : str
        The text, if ``path`` is None.
    """

    def __init__(
        self, path: Path | None, read: Callable[[Path], str], write: Callable[[Path, bytes], object], text: str = ""
    ) -> None:
        self.path, self._read, self._write = path, read, write
        self.text = read(path) if path else text

    def reload(self) -> bool:
        """Read the file again and return whether its text has changed.

        A file that cannot be read counts as unchanged.
        """
        try:
            text = self._read(self.path) if self.path else self.text
        except (OSError, ValueError):
            return False
        self.text, old_text = text, self.text
        return text != old_text

    def save(self, text: object, before: object) -> str:
        """Save a text to the file; return an empty text, or why this failed.

        The text is written only if the file still has the text ``before``, which the page saw last.
        """
        if self.path is None or not isinstance(text, str):
            return "the file or the text is missing"
        self.reload()
        if self.text != before:
            return "the file has changed on disk"
        try:
            self._write(self.path, text.encode())
        except OSError as error:
            return error.strerror or str(error)
        except UnicodeEncodeError as error:
            return f"{error.object[error.start]!r} is half a character and cannot be saved as UTF-8"
        self.text = text
        return ""


class Studio:
    """The state that is shared by all open pages of the studio."""

    def __init__(self, document: Document, seconds: float) -> None:
        self.document, self.seconds = document, seconds
        self.spare = Spare(str(document.path or "-"))
        self.token = secrets.token_urlsafe(24)
        self.pages: set[Page] = set()
        self.closing: list[asyncio.Future[None]] = []
        self.hosts: frozenset[str] = frozenset()

    async def watch_file(self) -> None:
        """Send the file's text to all pages whenever another program changes it."""
        while True:
            await asyncio.sleep(WATCH_INTERVAL)
            self.closing = [task for task in self.closing if not task.done()]
            if self.document.reload():
                for page in self.pages:
                    page.send_data({"kind": "file", "text": self.document.text})

    def is_ours(self, request: Any) -> bool:
        """Return whether a request's host, and its origin if any, are this server's."""
        origin = request.headers.get("Origin")
        return request.host in self.hosts and (origin is None or origin in {f"http://{host}" for host in self.hosts})


class Guarded(web.RequestHandler):
    """A request handler that refuses foreign requests and sends a security policy."""

    def initialize(self, studio: Studio) -> None:
        self.studio = studio

    def prepare(self) -> None:
        if not self.studio.is_ours(self.request):
            raise web.HTTPError(403)

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        headers = {
            "Content-Security-Policy": policy(),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-store",
        }
        for name, value in headers.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **options: Any) -> None:
        self.set_header("Content-Type", "text/plain")
        self.finish(f"{status_code}\n")


class FileHandler(Guarded):
    """A request handler for the fixed list of the page's files."""

    def get(self, name: str) -> None:
        file = files().get(name or "index.html")
        if file is None:
            raise web.HTTPError(404)
        self.set_header("Content-Type", f"{file.kind}; charset=utf-8")
        self.write(file.text)


class NotFound(Guarded):
    """A request handler for unknown paths: error 404, or 403 for foreign requests."""

    def prepare(self) -> None:
        raise web.HTTPError(403 if not self.studio.is_ours(self.request) else 404)


class Page(websocket.WebSocketHandler):
    """A websocket connection to an open page.

    It has two engines: one for the picture and one for the editor.
    """

    def initialize(self, studio: Studio) -> None:
        self.studio = studio
        self.engines: list[QuestionEngine] = []

    def check_origin(self, origin: str) -> bool:
        return origin in {f"http://{host}" for host in self.studio.hosts}

    def prepare(self) -> None:
        if not self.studio.is_ours(self.request) or not self.request.headers.get("Origin"):
            raise web.HTTPError(403)
        if len(self.studio.pages) >= MAX_PAGES:
            raise web.HTTPError(503)

    def open(self, *args: str, **kwargs: str) -> None:
        self.studio.pages.add(self)
        self.engines = [QuestionEngine(self.studio.spare, self.send, self.studio.seconds) for _ in range(2)]
        document = self.studio.document
        name = document.path.name if document.path else ""
        self.send_data({"kind": "hello", "name": name, "text": document.text})

    def send_data(self, message: dict[str, Any]) -> None:
        """Send a message as JSON to the page."""
        self.send(json.dumps(message).encode())

    def send(self, message: bytes) -> None:
        """Send a message to the page; do nothing if the page is closed."""
        try:
            task = self.write_message(message.decode())
            asyncio.ensure_future(task).add_done_callback(lambda done: done.cancelled() or done.exception())
        except websocket.WebSocketClosedError:
            pass

    def on_message(self, message: str | bytes) -> None:
        try:
            data = json.loads(message)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or type(data.get("seq")) is not int:
            self.close(1003, "no question")
        elif data.get("ask") == "save":
            document = self.studio.document
            reason = document.save(data.get("text"), data.get("before"))
            saved = {"saved": not reason, "reason": reason, "text": document.text}
            self.send_data({"seq": data["seq"], "kind": "saved", **saved})
        else:
            # Questions about the picture go to the first engine, all others to the second.
            self.engines[data.get("ask", "play") not in (*PICTURE_ASKS, "stop")].ask(data)

    def on_close(self) -> None:
        self.studio.pages.discard(self)
        self.studio.closing += [asyncio.ensure_future(engine.close()) for engine in self.engines]


def serve(
    document: Document, port: int, announce: Callable[[str], None], seconds: float = 60.0, patience: float = 10.0
) -> int:
    """Serve the page until a signal arrives, and return the signal's number.

    Parameters
    ----------
    document : Document
    port : int
        0 for any free port.
    announce : function
        Called with the address of the page, once the server accepts connections.
    seconds : float
        Time limit of an answer in seconds.
    patience : float
        Time limit of receiving a request in seconds.

    Returns
    -------
    int
        The number of the signal.
    """
    return asyncio.run(_serve(document, port, announce, seconds, patience))


async def _serve(
    document: Document, port: int, announce: Callable[[str], None], seconds: float, patience: float
) -> int:
    """Serve the page until a signal arrives; the coroutine that ``serve`` runs."""
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    studio = Studio(document, seconds)
    try:
        [socket] = netutil.bind_sockets(port, "127.0.0.1")
    except OSError as error:
        raise CspError(f"port {port}: {error.strerror}; choose another port, or 0 for a free one") from None
    port = socket.getsockname()[1]
    studio.hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
    shared: dict[str, Any] = {"studio": studio}
    application = web.Application(
        [
            (rf"/{studio.token}/socket", Page, shared),
            (rf"/{studio.token}/([\w.-]*)", FileHandler, shared),
            (".*", NotFound, shared),
        ],
        websocket_max_message_size=LONGEST,
        websocket_ping_interval=20,
    )
    server = httpserver.HTTPServer(
        application,
        max_header_size=1 << 14,
        max_body_size=1 << 12,
        body_timeout=patience,
        idle_connection_timeout=patience,
    )
    server.add_socket(socket)
    signal_number: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def stop(number: int) -> None:
        if not signal_number.done():
            signal_number.set_result(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows raises KeyboardInterrupt instead
            asyncio.get_running_loop().add_signal_handler(number, stop, number)
    watching = asyncio.ensure_future(studio.watch_file())
    announce(f"http://127.0.0.1:{port}/{studio.token}/")
    try:
        return await signal_number
    finally:
        # Stop watching and serving, and end all worker processes.
        watching.cancel()
        server.stop()
        engines = [engine for page in studio.pages for engine in page.engines]
        await asyncio.gather(*(engine.close() for engine in engines), *studio.closing)
        await studio.spare.close()

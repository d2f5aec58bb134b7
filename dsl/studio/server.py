"""The page and its engines on the loopback address, for nobody but who has the link; the only file that needs tornado.

Every address begins with a token. Requests name this host, and come from no other origin. What is received is bounded,
and nothing is written but the one file that was opened.
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
"""The most bytes of a message of a page."""

MOST_PAGES = 8
"""The most pages at once, each with two engines."""

WATCH = 0.5
"""Every so many seconds the file is looked at."""


class Document:
    """The file that is open, if one is; nothing else is ever written.

    Parameters
    ----------
    path : Path or None
    read : function
        The text of a file.
    write : function
        Gives a file a text, the whole or nothing.
    text : str
        What the page begins with where there is no file.
    """

    def __init__(
        self, path: Path | None, read: Callable[[Path], str], write: Callable[[Path, bytes], object], text: str = ""
    ) -> None:
        self.path, self._read, self._write = path, read, write
        self.text = read(path) if path else text

    def changed(self) -> bool:
        """Whether the file says something else than it did."""
        try:
            text = self._read(self.path) if self.path else self.text
        except (OSError, ValueError):
            return False
        self.text, before = text, self.text
        return text != before

    def save(self, text: object, before: object) -> str:
        """Write the text and return nothing, or return why it is not written.

        It is written only if the file is as the page has last seen it.
        """
        if self.path is None or not isinstance(text, str):
            return "there is no file or no text"
        self.changed()
        if self.text != before:
            return "the file has changed on disk"
        try:
            self._write(self.path, text.encode())
        except OSError as error:
            return error.strerror or str(error)
        except UnicodeEncodeError as error:
            return f"{error.object[error.start]!r} is half a character, which UTF-8 cannot write"
        self.text = text
        return ""


class Studio:
    """What all pages share."""

    def __init__(self, document: Document, seconds: float) -> None:
        self.document, self.seconds = document, seconds
        self.spare = Spare(str(document.path or "-"))
        self.token = secrets.token_urlsafe(24)
        self.pages: set[Page] = set()
        self.closing: list[asyncio.Future[None]] = []
        self.hosts: frozenset[str] = frozenset()

    async def progress(self) -> None:
        """Tell the pages what another program has made of the file."""
        while True:
            await asyncio.sleep(WATCH)
            self.closing = [task for task in self.closing if not task.done()]
            if self.document.changed():
                for page in self.pages:
                    page.tell({"kind": "file", "text": self.document.text})

    def is_ours(self, request: Any) -> bool:
        """Whether a request names this host, and comes from its page or from the address bar."""
        origin = request.headers.get("Origin")
        return request.host in self.hosts and (origin is None or origin in {f"http://{host}" for host in self.hosts})


class Guarded(web.RequestHandler):
    """What refuses all others and says what the page may do."""

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

    def write_error(self, status_code: int, **more: Any) -> None:
        self.set_header("Content-Type", "text/plain")
        self.finish(f"{status_code}\n")


class FileHandler(Guarded):
    """A file of the page, of which there is a fixed list."""

    def get(self, name: str) -> None:
        found = files().get(name or "index.html")
        if found is None:
            raise web.HTTPError(404)
        self.set_header("Content-Type", f"{found.kind}; charset=utf-8")
        self.write(found.text)


class Nothing(Guarded):
    """All other addresses."""

    def prepare(self) -> None:
        raise web.HTTPError(403 if not self.studio.is_ours(self.request) else 404)


class Page(websocket.WebSocketHandler):
    """A page that is open, with an engine for its picture and one for its editor."""

    def initialize(self, studio: Studio) -> None:
        self.studio = studio
        self.engines: list[QuestionEngine] = []

    def check_origin(self, origin: str) -> bool:
        return origin in {f"http://{host}" for host in self.studio.hosts}

    def prepare(self) -> None:
        if not self.studio.is_ours(self.request) or not self.request.headers.get("Origin"):
            raise web.HTTPError(403)
        if len(self.studio.pages) >= MOST_PAGES:
            raise web.HTTPError(503)

    def open(self, *args: str, **kwargs: str) -> None:
        self.studio.pages.add(self)
        self.engines = [QuestionEngine(self.studio.spare, self.say, self.studio.seconds) for _ in range(2)]
        document = self.studio.document
        name = document.path.name if document.path else ""
        self.tell({"kind": "hello", "name": name, "text": document.text})

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message of the server's own."""
        self.say(json.dumps(message).encode())

    def say(self, message: bytes) -> None:
        """Send a message, if the page is still there."""
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
            self.tell({"seq": data["seq"], "kind": "saved", **saved})
        else:
            self.engines[data.get("ask", "play") not in (*PICTURE_ASKS, "stop")].ask(data)

    def on_close(self) -> None:
        self.studio.pages.discard(self)
        self.studio.closing += [asyncio.ensure_future(engine.close()) for engine in self.engines]


def serve(
    document: Document, port: int, announce: Callable[[str], None], seconds: float = 60.0, patience: float = 10.0
) -> int:
    """Serve the page until a signal comes; the number of that signal.

    Parameters
    ----------
    document : Document
    port : int
        0 for any that is free.
    announce : function
        Takes the address with its token, once it is answered.
    seconds : float
        The most of one answer.
    patience : float
        How many seconds a request may take to arrive.
    """
    return asyncio.run(_serve(document, port, announce, seconds, patience))


async def _serve(
    document: Document, port: int, announce: Callable[[str], None], seconds: float, patience: float
) -> int:
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
            (".*", Nothing, shared),
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
    signalled: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def stop(number: int) -> None:
        if not signalled.done():
            signalled.set_result(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows raises KeyboardInterrupt instead
            asyncio.get_running_loop().add_signal_handler(number, stop, number)
    watching = asyncio.ensure_future(studio.progress())
    announce(f"http://127.0.0.1:{port}/{studio.token}/")
    try:
        return await signalled
    finally:
        watching.cancel()
        server.stop()
        engines = [engine for page in studio.pages for engine in page.engines]
        await asyncio.gather(*(engine.close() for engine in engines), *studio.closing, studio.spare.close())

"""Run a worker process that answers the newest question of a page.

A worker that does not stop in time is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from typing import Any

GRACE = 0.4
"""Seconds that a worker has to stop an answer before it is killed."""

SECONDS = 60.0
"""Time limit of an answer in seconds; the answer is then stopped."""

LONGEST = 1 << 26
"""Maximum number of bytes of a message; the worker that writes a longer one is killed."""

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

HEAD = re.compile(rb'{"seq":(-?\d+),"kind":"(\w+)"')
"""The beginning of each message of a worker.

The rest is passed on unread, as the data of a trace are long.
"""

Send = Callable[[bytes], None]


MAX_IDLE = 2
"""Maximum number of idle processes that are kept from closed pages: a page that is loaded again uses them."""


class Spare:
    """A pool of idle worker processes, started early or left by closed pages.

    All engines share them.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._next: asyncio.Task[asyncio.subprocess.Process] | None = None
        self._idle: list[asyncio.subprocess.Process] = []

    async def take(self) -> asyncio.subprocess.Process:
        """Return an idle process, or if there is none, the one started early.

        In the second case the next process is started early.
        """
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        ready, self._next = self._next or self._start(), self._start()
        return await ready

    async def give_back(self, process: asyncio.subprocess.Process) -> None:
        """Keep an idle process for another engine; end it if ``MAX_IDLE`` are kept already."""
        if len(self._idle) < MAX_IDLE:
            self._idle.append(process)
        else:
            await end(process)

    def _start(self) -> asyncio.Task[asyncio.subprocess.Process]:
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-P", "-m", "dsl.studio.worker", self._path)
        text_from_left = asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=LONGEST, start_new_session=True
        )
        return asyncio.ensure_future(text_from_left)

    async def close(self) -> None:
        """Kill the idle processes and the one started early."""
        for process in self._idle:
            await end(process)
        if self._next is not None:
            await end(await self._next)


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill a process and wait until it has exited."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            # ``process.kill()`` polls the process, so asyncio's watcher could no longer wait for it.
            os.kill(process.pid, KILL)
    await process.wait()


class QuestionEngine:
    """An engine with a worker process, which answers only the newest question.

    Parameters
    ----------
    spare : Spare
        The source of worker processes.
    send : function
        Called with each message, as JSON.
    seconds : float
        Time limit of an answer in seconds.
    """

    def __init__(self, spare: Spare, send: Send, seconds: float = SECONDS) -> None:
        self._spare, self._send, self._seconds = spare, send, seconds
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: dict[str, Any] | None = None
        self._is_answering = False
        self._new = asyncio.Event()
        self._task = asyncio.ensure_future(self._work())

    def ask(self, question: dict[str, Any]) -> None:
        """Replace the waiting question, and stop the current answer; ``ask: stop`` only stops it."""
        if self._waiting is not None:
            self._send_stopped(self._waiting, "stopped")
        self._waiting = question
        self._new.set()

    async def close(self) -> None:
        """Stop the engine; end its process if it is answering, and give it back otherwise."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        if self._process is not None:
            await (end if self._is_answering else self._spare.give_back)(self._process)

    async def _work(self) -> None:
        """Answer the waiting question, again and again, until the task is cancelled."""
        while True:
            await self._new.wait()
            self._new.clear()
            question, self._waiting = self._waiting, None
            if question is not None and question.get("ask") != "stop":
                self._is_answering = True
                await self._answer(question)
                self._is_answering = False

    async def _answer(self, question: dict[str, Any]) -> None:
        """Send a question to the worker, and pass its messages to the page.

        The answer ends when it is complete, when a newer question waits, or at the time limit.
        """
        seq = question.get("seq")
        if self._process is None or self._process.returncode is not None:
            self._process = await self._spare.take()
        assert self._process.stdin is not None
        self._write(question)
        answering = asyncio.ensure_future(self._pass_on(seq))
        newer_question = asyncio.ensure_future(self._new.wait())
        try:
            await asyncio.wait({answering, newer_question}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
            # Ask the worker to stop, and give it a moment.
            if not answering.done():
                self._write({"seq": seq, "ask": "stop"})
                await asyncio.wait({answering}, timeout=GRACE)
        finally:
            newer_question.cancel()
            if not answering.done():
                answering.cancel()
        ending = answering.result() if answering.done() else ""
        has_died = answering.done() and not ending
        if ending == "done":
            return
        # Kill a worker that does not stop, has ended, or breaks the protocol.
        if not ending:
            await end(self._process)
            self._process = None
        reason = "stopped" if self._new.is_set() else f"stopped after {self._seconds:g} seconds"
        message = "the engine has ended" if has_died else reason
        self._send_stopped(question, message)

    def _send_stopped(self, question: dict[str, Any], message: str) -> None:
        """Send the page a message that the answer to a question was stopped."""
        self._send(json.dumps({"seq": question.get("seq"), "kind": "stopped", "message": message}).encode())

    def _write(self, data: dict[str, Any]) -> None:
        """Write ``data`` to the worker as JSON; do nothing if it has exited."""
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(json.dumps(data).encode() + b"\n")

    async def _pass_on(self, seq: object) -> str:
        """Pass the messages of answer ``seq`` to the page; return ``done`` or ``stopped``.

        The result is empty if the process has ended or has written a line that is not a message.
        """
        assert self._process is not None and self._process.stdout is not None
        while True:
            try:
                line = await self._process.stdout.readline()
            except (ValueError, ConnectionError):
                return ""
            head = HEAD.match(line)
            if head is None:  # the output has ended, or the line is not a message
                return ""
            if int(head[1]) == seq:
                if head[2] == b"stopped":
                    return "stopped"
                self._send(line)
                if head[2] == b"done":
                    return "done"

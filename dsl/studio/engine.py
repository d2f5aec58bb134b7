"""An engine in a process of its own: the newest question wins, and what does not stop is killed."""

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
"""How many seconds an engine has to stop by itself."""

SECONDS = 60.0
"""The most seconds of one answer."""

LONGEST = 1 << 26
"""The most bytes of one message."""

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)

HEAD = re.compile(rb'{"seq":(-?\d+),"kind":"(\w+)"')
"""How each message of a worker begins; films are long, and nobody but the page reads them."""

Say = Callable[[bytes], None]


class Spare:
    """One process that has started already, for whoever needs the next."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._next: asyncio.Task[asyncio.subprocess.Process] | None = None

    async def take(self) -> asyncio.subprocess.Process:
        """A process; another one is started in its place."""
        ready, self._next = self._next or self._start(), self._start()
        return await ready

    def _start(self) -> asyncio.Task[asyncio.subprocess.Process]:
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-P", "-m", "dsl.studio.worker", self._path)
        started = asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=LONGEST, start_new_session=True
        )
        return asyncio.ensure_future(started)

    async def close(self) -> None:
        """End the process that nobody has taken."""
        if self._next is not None:
            await end(await self._next)


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill a process and see it gone."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, KILL)  # ``process.kill()`` polls, and asyncio's watcher would find nobody to wait for
    await process.wait()


class QuestionEngine:
    """Answers the newest of the questions that it is asked.

    Parameters
    ----------
    spare : Spare
    say : function
        Takes the messages, as JSON.
    seconds : float
        The most of one answer.
    """

    def __init__(self, spare: Spare, say: Say, seconds: float = SECONDS) -> None:
        self._spare, self._say, self._seconds = spare, say, seconds
        self._process: asyncio.subprocess.Process | None = None
        self._asked: dict[str, Any] | None = None
        self._new = asyncio.Event()
        self._task = asyncio.ensure_future(self._work())

    def ask(self, question: dict[str, Any]) -> None:
        """Take a question in the place of the one that is being answered; ``ask: stop`` only ends that."""
        if self._asked is not None:
            self._stopped(self._asked, "stopped")
        self._asked = question
        self._new.set()

    async def close(self) -> None:
        """End the process."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        if self._process is not None:
            await end(self._process)

    async def _work(self) -> None:
        while True:
            await self._new.wait()
            self._new.clear()
            question, self._asked = self._asked, None
            if question is not None and question.get("ask") != "stop":
                await self._answer(question)

    async def _answer(self, question: dict[str, Any]) -> None:
        """Hand a question over and pass messages on, until all is said, a newer one is there or the time is over."""
        seq = question.get("seq")
        if self._process is None or self._process.returncode is not None:
            self._process = await self._spare.take()
        assert self._process.stdin is not None
        self._write(question)
        answered = asyncio.ensure_future(self._pass_on(seq))
        newer = asyncio.ensure_future(self._new.wait())
        both = {answered, newer}
        try:
            await asyncio.wait(both, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
            if not answered.done():
                self._write({"seq": seq, "ask": "stop"})
                await asyncio.wait({answered}, timeout=GRACE)
        finally:
            newer.cancel()
            if not answered.done():
                answered.cancel()
        ending = answered.result() if answered.done() else ""
        has_died = answered.done() and not ending
        if ending == "done":
            return
        if not ending:  # it does not stop by itself, has died, or breaks the protocol
            await end(self._process)
            self._process = None
        why = "stopped" if self._new.is_set() else f"stopped after {self._seconds:g} seconds"
        message = "the engine has ended" if has_died else why
        self._stopped(question, message)

    def _stopped(self, question: dict[str, Any], message: str) -> None:
        self._say(json.dumps({"seq": question.get("seq"), "kind": "stopped", "message": message}).encode())

    def _write(self, data: dict[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(json.dumps(data).encode() + b"\n")

    async def _pass_on(self, seq: object) -> str:
        """Pass messages on and return how the answer ends.

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
                self._say(line)
                if head[2] == b"done":
                    return "done"

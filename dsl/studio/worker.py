"""Run in the worker process: answer the questions that the engine sends.

The worker reads questions from standard input and writes messages to standard output, each a line of JSON. It ends when
its input ends, even in the middle of an answer, so it does not outlive the server.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any

from csp import CspError

from .protocol import answer
from .questions import Question

MEMORY = 2 << 30
"""Maximum number of bytes of memory of a worker; beyond it, an answer fails with a message."""


class NewerQuestion(BaseException):
    """The exception that interrupts an answer because a newer question has arrived.

    It does not derive from ``Exception``, so that error handlers do not catch it.
    """


class Worker:
    """A worker that answers the newest question and abandons older ones.

    The reading thread raises ``NewerQuestion`` in the answering thread, wherever that is. Thus the process survives,
    with its caches; otherwise it would have to be killed.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._questions: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._lock = threading.Lock()
        self._answering = 0
        self._is_swallowed = False

    def keep(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Record a ``NewerQuestion`` that was raised while Python freed an object.

        No exception can leave such a place, so ``check`` raises it later.
        """
        if unraisable.exc_type is NewerQuestion:
            self._is_swallowed = True
        else:
            sys.__unraisablehook__(unraisable)

    def check(self, effort: object = None) -> None:
        """Raise the ``NewerQuestion`` that ``keep`` has recorded, if any."""
        if self._is_swallowed:
            self._is_swallowed = False
            raise NewerQuestion

    def read(self) -> None:
        """Read questions; interrupt the current answer at each; exit at the input's end."""
        for line in sys.stdin.buffer:
            # Without the lock, the answer to this question could begin here and be interrupted by the question itself.
            with self._lock:
                self._questions.put(json.loads(line))
                if self._answering:
                    thread, self._answering = ctypes.c_ulong(self._answering), 0
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(NewerQuestion))
        os._exit(0)

    def work(self) -> None:
        """Answer the newest question, again and again; never return."""
        while True:
            data = self._questions.get()
            # Skip all questions but the newest.
            while not self._questions.empty():
                self.send({"seq": data.get("seq"), "kind": "stopped"})
                data = self._questions.get()
            if data.get("ask") == "stop":
                continue
            try:
                self._answer(data)
            except NewerQuestion:
                self.send({"seq": data.get("seq"), "kind": "stopped"})

    def _answer(self, data: dict[str, Any]) -> None:
        """Send the answer to a question; send ``done`` once no interruption can follow."""
        with self._lock:
            self._answering = threading.get_ident() if self._questions.empty() else 0
            if not self._answering:
                raise NewerQuestion
        try:
            for message in answer(Question.of(data), self._path, self.check):
                if message["kind"] != "done":
                    self.send(message)
                last = message
        except Exception as error:  # report the error and answer the next question
            text = str(error) if isinstance(error, CspError) else f"internal error: {error!r:.200}"
            self.send({"seq": data.get("seq"), "kind": "refused", "message": text})
            last = {"seq": data.get("seq"), "kind": "done", "ms": 0}
        with self._lock:
            is_interrupted, self._answering = not self._answering, 0
        # The reading thread has raised the exception, which arrives at one of the next instructions.
        while is_interrupted:
            self.check()
            time.sleep(0)
        self.send(last)

    @staticmethod
    def send(message: dict[str, Any]) -> None:
        """Write a message in a single call, so that no interruption splits it."""
        sys.stdout.buffer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        sys.stdout.buffer.flush()


def main() -> None:
    """Run the worker process; the program's argument is the path of the spec."""
    try:
        import resource
    except ImportError:  # Windows
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    worker = Worker(sys.argv[1])
    sys.unraisablehook = worker.keep
    # Answer a small question, so that all imports are done before the first question arrives.
    for _ in answer(Question(0, text="A, B in 1..2. all_different([A, B]).")):
        pass
    threading.Thread(target=worker.read, daemon=True).start()
    worker.work()


if __name__ == "__main__":
    main()

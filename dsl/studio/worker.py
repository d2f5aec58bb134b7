"""The process that answers: questions on standard input, messages on standard output, a line of JSON each.

It ends with its input, also in the middle of an answer, and so does not outlive who has started it.
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
"""The most bytes that an engine may take."""


class Newer(BaseException):
    """A question that takes the place of the one that is being answered; no handler of errors holds it up."""


class Worker:
    """Answers the newest question.

    Whoever reads a newer one raises ``Newer`` in the thread that answers, wherever that is: so the engine goes on, with
    what it has learnt about a board, where it would have to be killed.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._questions: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._lock = threading.Lock()
        self._answering = 0

    def read(self) -> None:
        """Take questions as they come, and end with the input."""
        for line in sys.stdin.buffer:
            with self._lock:  # else the question itself could be taken for the one that a newer one interrupts
                self._questions.put(json.loads(line))
                if self._answering:
                    thread, self._answering = ctypes.c_ulong(self._answering), 0
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(Newer))
        os._exit(0)

    def work(self) -> None:
        """Answer until the input ends."""
        while True:
            data = self._questions.get()
            while not self._questions.empty():
                self.say({"seq": data.get("seq"), "kind": "stopped"})
                data = self._questions.get()
            if data.get("ask") == "stop":
                continue
            try:
                self._answer(data)
            except Newer:
                self.say({"seq": data.get("seq"), "kind": "stopped"})

    def _answer(self, data: dict[str, Any]) -> None:
        with self._lock:
            self._answering = threading.get_ident() if self._questions.empty() else 0
            if not self._answering:
                raise Newer
        try:
            for message in answer(Question.of(data), self._path, lambda effort: None):
                if message["kind"] != "done":
                    self.say(message)
                last = message
        except Exception as error:  # an engine that breaks says so and goes on
            said = str(error) if isinstance(error, CspError) else f"the engine broke: {error!r:.200}"
            self.say({"seq": data.get("seq"), "kind": "refused", "message": said})
            last = {"seq": data.get("seq"), "kind": "done", "ms": 0}
        with self._lock:
            is_raised, self._answering = not self._answering, 0
        while is_raised:
            time.sleep(0)  # it is on its way
        self.say(last)

    @staticmethod
    def say(message: dict[str, Any]) -> None:
        """Write a message, at once: no exception comes between its bytes."""
        sys.stdout.buffer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        sys.stdout.buffer.flush()


def main() -> None:
    """Answer questions about a text that stands where the argument says."""
    try:
        import resource
    except ImportError:  # Windows
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    worker = Worker(sys.argv[1])
    for _ in answer(Question(0, text="A, B in 1..2. all_different([A, B]).")):
        pass  # what is imported is there before the first question
    threading.Thread(target=worker.read, daemon=True).start()
    worker.work()


if __name__ == "__main__":
    main()

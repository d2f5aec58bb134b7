"""The process that answers: questions on standard input, messages on standard output, a line of JSON each.

It ends with its input, also in the middle of an answer, and so does not outlive who has started it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import Any

from csp import CspError, Effort

from .protocol import answer
from .questions import Question

MEMORY = 2 << 30
"""The most bytes that an engine may take."""


class Newer(BaseException):
    """A question that takes the place of the one that is being answered; no handler of errors holds it up."""


class Worker:
    """Answers the newest question."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._questions: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def read(self) -> None:
        """Take questions as they come, and end with the input."""
        for line in sys.stdin.buffer:
            self._questions.put(json.loads(line))
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
                for message in answer(Question.of(data), self._path, self._watch):
                    self.say(message)
                    self._watch(None)
            except Newer:
                self.say({"seq": data["seq"], "kind": "stopped"})
            except Exception as error:  # an engine that breaks says so and goes on
                said = str(error) if isinstance(error, CspError) else f"the engine broke: {error!r:.200}"
                self.say({"seq": data.get("seq"), "kind": "refused", "message": said})
                self.say({"seq": data.get("seq"), "kind": "done", "ms": 0})

    def _watch(self, effort: Effort | None) -> None:
        if not self._questions.empty():
            raise Newer

    @staticmethod
    def say(message: dict[str, Any]) -> None:
        """Write a message."""
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

"""Single keys from a terminal, with a limit on how long to wait."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RIGHT, LEFT, HOME, END = "right", "left", "home", "end"
SEQUENCES = {"[C": RIGHT, "OC": RIGHT, "[D": LEFT, "OD": LEFT, "[H": HOME, "OH": HOME, "[1~": HOME, "[F": END,
             "OF": END, "[4~": END}  # fmt: skip
KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|.", re.DOTALL)
ReadKey = Callable[[float | None], str]

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def keyboard() -> Iterator[ReadKey]:
        """A function that waits for a key so many seconds, or for ever: a letter, a name, or nothing."""
        names = {"M": RIGHT, "K": LEFT, "G": HOME, "O": END}

        def key(seconds: float | None) -> str:
            end = None if seconds is None else time.monotonic() + seconds
            while not msvcrt.kbhit():
                if end is not None and time.monotonic() > end:
                    return ""
                time.sleep(0.02)
            letter = msvcrt.getwch()
            if letter == "\x03":
                raise KeyboardInterrupt
            return names.get(msvcrt.getwch(), "?") if letter in "\x00\xe0" else letter

        yield key

else:
    import select
    import termios
    import tty

    @contextmanager
    def keyboard() -> Iterator[ReadKey]:
        """A function that waits for a key so many seconds, or for ever: a letter, a name, or nothing."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        typed: deque[str] = deque()

        def key(seconds: float | None) -> str:
            if not typed:
                if not select.select([terminal], [], [], seconds)[0]:
                    return ""
                typed.extend(KEY.findall(os.read(terminal, 64).decode(errors="replace")) or "q")  # q: it is gone
            pressed = typed.popleft()
            return SEQUENCES.get(pressed[1:], "?") if pressed[0] == "\x1b" else pressed

        tty.setcbreak(terminal)
        try:
            yield key
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)

"""Play a trace in a terminal: screens that the user controls by keys."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ...trace import Decision, Failure, Round, Trace
from .terminal import Reel

RIGHT, LEFT, HOME, END = "right", "left", "home", "end"
SEQUENCES = {"[C": RIGHT, "OC": RIGHT, "[D": LEFT, "OD": LEFT, "[H": HOME, "OH": HOME, "[1~": HOME, "[F": END,
             "OF": END, "[4~": END}  # fmt: skip
KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|.", re.DOTALL)
"""The bytes of one key: an escape sequence, or a single character."""
ReadKey = Callable[[float | None], str]
"""Waits for a key for some seconds, or without limit, and returns a letter, a name of a key, or an empty text."""

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def keyboard() -> Iterator[ReadKey]:
        """Provide a function that reads the next key from the Windows console."""
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
        """Provide a function that reads the next key, and restore the terminal afterwards."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        typed: deque[str] = deque()

        def key(seconds: float | None) -> str:
            if not typed:
                if not select.select([terminal], [], [], seconds)[0]:
                    return ""
                typed.extend(
                    KEY.findall(os.read(terminal, 64).decode(errors="replace")) or "q"
                )  # q: the terminal is closed
            pressed = typed.popleft()
            return SEQUENCES.get(pressed[1:], "?") if pressed[0] == "\x1b" else pressed

        tty.setcbreak(terminal)
        try:
            yield key
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


FORWARD, BACK, FIRST, LAST = "forward", "back", "first", "last"
KEYS = {RIGHT: FORWARD, "n": FORWARD, LEFT: BACK, "b": BACK, HOME: FIRST, END: LAST}
JUMPS = {
    "r": (Round, 1),
    "R": (Round, -1),
    "d": (Decision, 1),
    "D": (Decision, -1),
    "f": (Failure, 1),
    "F": (Failure, -1),
}
"""For each key, the kind of record that it jumps to, and the direction: 1 forward, -1 back."""
PLAY_SECONDS, RESIZE_SECONDS = 0.5, 0.25
"""Seconds between steps while playing, and between two checks of the size of the terminal while paused."""


def play(trace: Trace) -> None:
    """Play a trace on the terminal until the user presses ``q``.

    Parameters
    ----------
    trace : csp.Trace
    """
    from rich.console import Console
    from rich.live import Live

    reel, console = Reel(trace), Console()
    at, last, playing = 0, len(reel.stops) - 1, False
    screen_key = None
    with keyboard() as key, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            if screen_key != (screen_key := (at, console.size)):
                live.update(reel.screen(at, console.width, console.height), refresh=True)
            pressed = key(PLAY_SECONDS if playing else RESIZE_SECONDS)
            if pressed == "q":
                return
            if pressed in JUMPS:
                at, playing = reel.jump(at, *JUMPS[pressed]), False
                continue
            if pressed == " ":
                playing = not playing
            move = KEYS.get(pressed, FORWARD if playing and not pressed else "")
            at = {FORWARD: min(at + 1, last), BACK: max(at - 1, 0), FIRST: 0, LAST: last}.get(move, at)
            playing = playing and at < last and (not pressed or pressed == " ")

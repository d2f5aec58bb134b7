"""Entry point: handles signals while the slow imports run."""

import gc
import os
import signal
import sys
from types import FrameType

from .signals import REASONS

BUSY = {"asyncio", "multiprocessing.popen_spawn_posix", "multiprocessing.popen_spawn_win32"}
"""What has something to tidy up at the end, also when its threads are over."""

OTHER = (
    "csp: another package called csp has replaced files of alldifferent; "
    "install alldifferent into an environment without that package"
)
"""The error after an unrelated package of PyPI has been installed into the same folder."""


def leave(number: int, frame: FrameType | None) -> None:
    """Leave at once, in the middle of an import even: nothing has been written yet that could be half done."""
    os.write(2, f"csp: stopped by {REASONS[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)


def open_streams() -> None:
    """Give a closed standard stream something to stand for it, before an output file takes its number.

    What is printed to a closed output is lost, as the user wants it; reading from a closed input is an error.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.open(os.devnull, os.O_WRONLY), mode)  # noqa: SIM115 - it stays open
            setattr(sys, name, stream)


def close(code: object) -> None:
    """Leave with a code, without taking the program apart first, which takes longer than many a puzzle.

    Returns where somebody may have something to do at the end, or where what is printed cannot be written.
    """
    if BUSY & sys.modules.keys() or not isinstance(code, int | None) or len(sys._current_frames()) > 1:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(code or 0)


def main() -> None:
    """The program ``csp``."""
    open_streams()
    os.environ["PYTHONSAFEPATH"] = "1"  # processes that multiprocessing starts import nothing from the working folder
    for number in REASONS:
        signal.signal(number, leave)
    gc.disable()  # what is imported stays; until all of it is there, nobody looks for what could go
    try:
        from .cli import main as commands
    except ImportError as error:
        if error.name != "csp":
            raise
        print(OTHER, file=sys.stderr)
        sys.exit(2)

    try:
        commands(prog_name="csp")
    except SystemExit as end:
        close(end.code)
        raise

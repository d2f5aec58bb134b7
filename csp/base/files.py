"""Outputs: files that are written whole or not at all, and what is no file, which is written into."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from os import PathLike


def write_whole(path: str | PathLike[str], content: bytes) -> None:
    """Write an output, as ``>`` of a shell would, but a plain file whole or not at all.

    A link stays a link, and what it leads to is written. A device, a pipe or a socket is written into. A plain file is
    written under another name and only then given its own; it keeps the mode and, where that is allowed, the owner
    of the file that it replaces, and the mode of a new one is what the umask leaves.

    ``path``: the text ``-`` is standard output; a file of that name is ``./-``.

    Raises
    ------
    OSError
        If it cannot be written; the plain file that was there before is still there then.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "picture.svg", b"<svg/>")
    ...     [path.name for path in Path(folder).iterdir()]
    ['picture.svg']
    """
    if is_standard_output(path):
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    before = _status(path)
    if before and not stat.S_ISREG(before.st_mode):
        _pour(path, content)
    elif before and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    else:
        _replace(os.fspath(path), before, content)


def is_standard_output(path: str | PathLike[str]) -> bool:
    """Whether an output goes where standard output goes: to ``-``, or by another name, such as ``/dev/stdout``.

    Examples
    --------
    >>> is_standard_output("-"), is_standard_output("./-")
    (True, False)
    """
    if path == "-":
        return True
    try:
        status = _status(path)
        return status is not None and os.path.samestat(status, os.fstat(1))
    except OSError:
        return False


def _status(path: str | PathLike[str]) -> os.stat_result | None:
    """What a path leads to, or None if there is nothing yet."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _pour(path: str | PathLike[str], content: bytes) -> None:
    try:
        with open(path, "wb") as device:
            device.write(content)
    except OSError as error:
        error.filename = os.fspath(path)
        raise


def _replace(path: str, before: os.stat_result | None, content: bytes) -> None:
    target = os.path.realpath(path)  # beside what a link leads to
    folder, name = os.path.split(target)
    beside = os.path.join(folder, f".{os.urandom(8).hex()}{os.path.splitext(name)[1]}")
    try:
        with open(beside, "xb", opener=lambda name, flags: os.open(name, flags, 0o600 if before else 0o666)) as file:
            if before:
                _take_after(beside, before)
            file.write(content)
        os.replace(beside, target)
    except BaseException as error:
        with suppress(OSError):  # the first error is the one to report
            os.unlink(beside)
        if isinstance(error, OSError) and error.errno:
            error.filename = path  # not the name that nobody gave
        raise


def _take_after(path: str, before: os.stat_result) -> None:
    """Give a file the owner of another one, if that is allowed, and its mode."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(path, before.st_uid, before.st_gid)
    os.chmod(path, stat.S_IMODE(before.st_mode))

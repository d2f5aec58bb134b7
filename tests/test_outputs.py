"""Outputs into what is no plain file, or not ours: nothing is replaced that a shell would not replace."""

from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from csp.base.files import write_whole

from .commands import run
from .conftest import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="files are another thing there")

SPEC = str(ROOT / "examples" / "shidoku.csp")
WRITERS = {
    "play": (["play", SPEC], ".html", b"<!DOCTYPE html>"),
    "tree": (["tree", SPEC], ".dot", b"// the search"),
    "picture": (["tree", SPEC, "--format", "svg"], ".svg", b"<?xml"),
    "levels": (["levels", SPEC], ".svg", b"<?xml"),
    "export": (["export", SPEC, "--to", "asp"], ".lp", b"{ value("),
}
EVERY = pytest.mark.parametrize(("command", "suffix", "start"), WRITERS.values(), ids=WRITERS)
KINDS = pytest.mark.parametrize(
    ("command", "suffix", "start"), [WRITERS["play"], WRITERS["picture"]], ids=["play", "picture"]
)
"""A text and a picture, for what all writers have from one place."""
ONE, SUFFIX, START = WRITERS["export"]


def csp(*arguments: object, **streams: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dsl", *map(str, arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run(command, timeout=120, **streams)  # type: ignore[call-overload, no-any-return]


def written(*arguments: object) -> tuple[int, str]:
    """The exit code and the errors of a command in this process, for what needs no streams of its own."""
    result = run(*arguments)
    return result.exit_code, result.stderr


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@EVERY
def test_a_dash_is_standard_output(
    command: list[str], suffix: str, start: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = csp(*command, "--out", "-", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith(start) and done.stderr == b""
    assert not list(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    assert written(*command, "--out", f"./-{suffix}")[0] == 0
    assert (tmp_path / f"-{suffix}").read_bytes() == done.stdout


def device(folder: Path, minor: int, name: str) -> str:
    """A device that nobody misses if it is replaced: of its own for who may make one and could replace the real one."""
    if os.geteuid():
        return f"/dev/{name}"
    try:
        os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        (folder / name).open("wb").close()
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    return str(folder / name)


@KINDS
def test_a_device_stays_one(command: list[str], suffix: str, start: bytes, tmp_path: Path) -> None:
    full, null = device(tmp_path, 7, "full"), device(tmp_path, 3, "null")
    assert written(*command, "--out", full) == (2, f"csp: {full}: No space left on device\n")
    assert written(*command, "--out", null)[0] == 0
    assert all(stat.S_ISCHR(os.stat(name).st_mode) for name in (full, null))


@KINDS
def test_a_link_stays_one(command: list[str], suffix: str, start: bytes, tmp_path: Path) -> None:
    for there in (True, False):
        target, link = tmp_path / f"{there}{suffix}", tmp_path / f"link-{there}{suffix}"
        if there:
            target.write_text("old")
        link.symlink_to(target)
        assert written(*command, "--out", link)[0] == 0
        assert link.is_symlink() and target.read_bytes().startswith(start) and not target.is_symlink()
    assert len(list(tmp_path.iterdir())) == 4


@KINDS
def test_a_pipe_is_written_into(command: list[str], suffix: str, start: bytes, tmp_path: Path) -> None:
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert written(*command, "--out", pipe)[0] == 0
    reader.join(10)
    assert got[0].startswith(start) and pipe.is_fifo()


def test_a_socket_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "s.lp"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))
        code, errors = written(*ONE, "--out", path)
    assert code == 2 and errors.startswith("csp: ") and path.is_socket()


def test_the_mode_of_a_file_stays_and_the_umask_makes_that_of_a_new_one(tmp_path: Path) -> None:
    for name, before in (("secret.lp", 0o600), ("open.lp", 0o664), ("odd.lp", 0o751)):
        path = tmp_path / name
        path.write_text("old")
        path.chmod(before)
        assert written(*ONE, "--out", path)[0] == 0
        assert mode(path) == before and path.read_bytes().startswith(START)
    for umask in (0o022, 0o077, 0o002):
        path = tmp_path / f"{umask}.lp"
        usual = os.umask(umask)
        try:
            assert written(*ONE, "--out", path)[0] == 0
        finally:
            os.umask(usual)
        assert mode(path) == 0o666 & ~umask


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_of_a_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "theirs.lp"
    path.write_text("old")
    os.chown(path, 1234, 4321)
    assert written(*ONE, "--out", path)[0] == 0
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


@EVERY
def test_a_folder_is_no_file(command: list[str], suffix: str, start: bytes, tmp_path: Path) -> None:
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    code, errors = written(*command, "--out", folder)
    assert code == 2 and "is a directory" in errors
    assert folder.is_dir() and len(list(tmp_path.rglob("*"))) == 1


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_what_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "old.lp"
    path.write_text("old")
    path.chmod(0o444)
    assert written(*ONE, "--out", path)[0] == 2 and path.read_text() == "old"
    tmp_path.chmod(0o555)
    code, errors = written(*ONE, "--out", tmp_path / "new.lp")
    assert code == 2 and "new.lp: Permission denied" in errors


@pytest.mark.skipif(sys.platform != "linux", reason="the name is another one elsewhere")
def test_standard_output_by_name_and_as_a_file(tmp_path: Path) -> None:
    for name in ("/dev/stdout", str(tmp_path / "out.lp")):
        with (tmp_path / "out.lp").open("wb") as out:
            assert csp(*ONE, "--out", name, stdout=out).returncode == 0
        assert (tmp_path / "out.lp").read_bytes().startswith(START)


@pytest.mark.parametrize("out", ["x.pdf", "x.JPEG", "x.csp"])
@EVERY
def test_an_ending_that_cannot_be_written(
    command: list[str], suffix: str, start: bytes, out: str, tmp_path: Path
) -> None:
    if "--format" in command:
        command = command[:-2]
    code, errors = written(*command, "--out", tmp_path / out)
    assert code == 2 and f"{out}: this command writes " in errors
    assert suffix in errors and not list(tmp_path.iterdir())


COMMANDS = [
    WRITERS["play"][0],
    *([name, SPEC] for name in ("solve", "check")),
    ["import", str(ROOT / "docs" / "data" / "lines.txt")],
    ["solve", "nowhere.csp"],
    ["--help"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_closed_streams_are_clean(command: list[str]) -> None:
    usual = run(*command).exit_code
    line = '"$0" -m dsl "$@" '
    for closed in (">&-", "<&- >&- 2>&-"):
        shell = ["bash", "-c", line + closed, sys.executable, *command]
        done = subprocess.run(shell, capture_output=True, timeout=120)
        assert done.returncode == usual and b"Traceback" not in done.stderr


def test_a_closed_output_is_not_written_into_an_output_file(tmp_path: Path) -> None:
    shell = f'"{sys.executable}" -m dsl tree {SPEC} --out x.dot >&- 2>&-'
    assert subprocess.run(["bash", "-c", shell], cwd=tmp_path).returncode == 0
    assert (tmp_path / "x.dot").read_bytes().startswith(b"// the search")


def test_a_closed_input_is_an_error() -> None:
    done = subprocess.run(["bash", "-c", f'"{sys.executable}" -m dsl solve - <&-'], capture_output=True)
    assert done.returncode == 2 and done.stderr == b"csp: <standard input>: Bad file descriptor\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has such a device")
@pytest.mark.parametrize("command", [*COMMANDS[:3], ["--help"]], ids=lambda command: command[0])
def test_a_full_disk_is_told(command: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = csp(*command, stdout=full)
    assert done.returncode == 2 and done.stderr == b"csp: No space left on device\n"


def test_drawing_says_nothing_of_fonts(tmp_path: Path) -> None:
    code = "from csp.render.dot import drawing; print(len(drawing.by_wheel(['graph { A }'], 'svg')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"1\n", b"")
    code = (
        "import os; from csp.render.dot import drawing\nwith drawing._without_font_warnings(): os.write(2, b'real\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"real\n")


def test_a_read_only_file_system_names_the_file_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, *more: object, **named: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    out = tmp_path / "out.dot"
    with monkeypatch.context() as patch:
        patch.setattr("csp.base.files.os.open", refuse)
        patch.setattr("csp.base.files.os.unlink", refuse)
        with pytest.raises(OSError) as error:
            write_whole(out, b"")
    assert error.value.filename == str(out)


def test_a_folder_is_no_standard_output(tmp_path: Path) -> None:
    done = csp("draw", SPEC, "--out", "-", cwd=tmp_path)
    assert done.returncode == 2 and b"pictures go into a folder" in done.stderr and not list(tmp_path.iterdir())
    assert csp("import", "-", "--out", "-", input=b"." * 81 + b"\n").stdout.startswith(b"%")

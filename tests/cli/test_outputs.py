"""Output to pipes, devices, links and other special files."""

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

from ..commands import run
from ..conftest import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes, devices and pipes of POSIX")

SPEC = str(ROOT / "examples" / "shidoku.csp")
WRITERS = {
    "play": (["play", SPEC], ".html", b"<!DOCTYPE html>"),
    "tree": (["tree", SPEC], ".dot", b"// the search"),
    "picture": (["tree", SPEC, "--format", "svg"], ".svg", b"<?xml"),
    "levels": (["levels", SPEC], ".svg", b"<?xml"),
    "export": (["export", SPEC, "--to", "asp"], ".lp", b"{ value("),
}
ALL_WRITERS = pytest.mark.parametrize(("command", "suffix", "start"), WRITERS.values(), ids=WRITERS)
TEXT_AND_PICTURE = pytest.mark.parametrize(
    ("command", "suffix", "start"), [WRITERS["play"], WRITERS["picture"]], ids=["play", "picture"]
)
"""One writer of texts and one of pictures, for code that all writers share."""
EXPORT, SUFFIX, START = WRITERS["export"]


def run_process(*arguments: object, **streams: object) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a separate process."""
    command = [sys.executable, "-m", "dsl", *map(str, arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run(command, timeout=120, **streams)  # type: ignore[call-overload, no-any-return]


def run_writer(*arguments: object) -> tuple[int, str]:
    """Run a command in this process and return its exit code and errors."""
    result = run(*arguments)
    return result.exit_code, result.stderr


def read_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@ALL_WRITERS
def test_a_dash_is_standard_output(
    command: list[str], suffix: str, start: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run_process(*command, "--out", "-", cwd=tmp_path)
    assert result.returncode == 0 and result.stdout.startswith(start) and result.stderr == b""
    assert not list(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    assert run_writer(*command, "--out", f"./-{suffix}")[0] == 0
    assert (tmp_path / f"-{suffix}").read_bytes() == result.stdout


def make_device(folder: Path, minor: int, name: str) -> str:
    """Return a device that may be replaced; only root gets a new one."""
    if os.geteuid():
        return f"/dev/{name}"
    try:
        os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        (folder / name).open("wb").close()
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    return str(folder / name)


@TEXT_AND_PICTURE
def test_a_device_is_not_replaced(command: list[str], suffix: str, start: bytes, tmp_path: Path) -> None:
    full, null = make_device(tmp_path, 7, "full"), make_device(tmp_path, 3, "null")
    assert run_writer(*command, "--out", full) == (2, f"csp: {full}: No space left on device\n")
    assert run_writer(*command, "--out", null)[0] == 0
    assert all(stat.S_ISCHR(os.stat(name).st_mode) for name in (full, null))


@TEXT_AND_PICTURE
def test_a_symbolic_link_is_kept_and_its_target_written(
    command: list[str], suffix: str, start: bytes, tmp_path: Path
) -> None:
    for exists in (True, False):
        target, link = tmp_path / f"{exists}{suffix}", tmp_path / f"link-{exists}{suffix}"
        if exists:
            target.write_text("old")
        link.symlink_to(target)
        assert run_writer(*command, "--out", link)[0] == 0
        assert link.is_symlink() and target.read_bytes().startswith(start) and not target.is_symlink()
    assert len(list(tmp_path.iterdir())) == 4


@TEXT_AND_PICTURE
def test_a_pipe_receives_the_output(command: list[str], suffix: str, start: bytes, tmp_path: Path) -> None:
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert run_writer(*command, "--out", pipe)[0] == 0
    reader.join(10)
    assert received[0].startswith(start) and pipe.is_fifo()


def test_a_socket_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s.lp"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))
        code, errors = run_writer(*EXPORT, "--out", path)
    assert code == 2 and errors.startswith("csp: ") and path.is_socket()


def test_a_file_keeps_its_mode_and_the_umask_sets_the_mode_of_a_new_file(tmp_path: Path) -> None:
    for name, old_mode in (("secret.lp", 0o600), ("open.lp", 0o664), ("odd.lp", 0o751)):
        path = tmp_path / name
        path.write_text("old")
        path.chmod(old_mode)
        assert run_writer(*EXPORT, "--out", path)[0] == 0
        assert read_mode(path) == old_mode and path.read_bytes().startswith(START)
    for umask in (0o022, 0o077, 0o002):
        path = tmp_path / f"{umask}.lp"
        old_umask = os.umask(umask)
        try:
            assert run_writer(*EXPORT, "--out", path)[0] == 0
        finally:
            os.umask(old_umask)
        assert read_mode(path) == 0o666 & ~umask


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can change the owner of a file")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "theirs.lp"
    path.write_text("old")
    os.chown(path, 1234, 4321)
    assert run_writer(*EXPORT, "--out", path)[0] == 0
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


@ALL_WRITERS
def test_a_folder_as_output_file_is_refused(command: list[str], suffix: str, start: bytes, tmp_path: Path) -> None:
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    code, errors = run_writer(*command, "--out", folder)
    assert code == 2 and "is a directory" in errors
    assert folder.is_dir() and len(list(tmp_path.rglob("*"))) == 1


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root can write to every file")
def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "old.lp"
    path.write_text("old")
    path.chmod(0o444)
    assert run_writer(*EXPORT, "--out", path)[0] == 2 and path.read_text() == "old"
    tmp_path.chmod(0o555)
    code, errors = run_writer(*EXPORT, "--out", tmp_path / "new.lp")
    assert code == 2 and "new.lp: Permission denied" in errors


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this name for standard output")
def test_standard_output_can_be_named_as_output_file(tmp_path: Path) -> None:
    for name in ("/dev/stdout", str(tmp_path / "out.lp")):
        with (tmp_path / "out.lp").open("wb") as out:
            assert run_process(*EXPORT, "--out", name, stdout=out).returncode == 0
        assert (tmp_path / "out.lp").read_bytes().startswith(START)


@pytest.mark.parametrize("out", ["x.pdf", "x.JPEG", "x.csp"])
@ALL_WRITERS
def test_a_file_name_with_an_unsupported_suffix_is_refused(
    command: list[str], suffix: str, start: bytes, out: str, tmp_path: Path
) -> None:
    if "--format" in command:
        command = command[:-2]
    code, errors = run_writer(*command, "--out", tmp_path / out)
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
def test_closed_streams_cause_no_traceback(command: list[str]) -> None:
    expected_exit_code = run(*command).exit_code
    line = '"$0" -m dsl "$@" '
    for redirection in (">&-", "<&- >&- 2>&-"):
        shell = ["bash", "-c", line + redirection, sys.executable, *command]
        result = subprocess.run(shell, capture_output=True, timeout=120)
        assert result.returncode == expected_exit_code and b"Traceback" not in result.stderr


def test_a_closed_output_is_not_written_into_an_output_file(tmp_path: Path) -> None:
    shell = f'"{sys.executable}" -m dsl tree {SPEC} --out x.dot >&- 2>&-'
    assert subprocess.run(["bash", "-c", shell], cwd=tmp_path).returncode == 0
    assert (tmp_path / "x.dot").read_bytes().startswith(b"// the search")


def test_a_closed_input_is_an_error() -> None:
    result = subprocess.run(["bash", "-c", f'"{sys.executable}" -m dsl solve - <&-'], capture_output=True)
    assert result.returncode == 2 and result.stderr == b"csp: <standard input>: Bad file descriptor\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full")
@pytest.mark.parametrize("command", [*COMMANDS[:3], ["--help"]], ids=lambda command: command[0])
def test_a_full_disk_is_reported(command: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        result = run_process(*command, stdout=full)
    assert result.returncode == 2 and result.stderr == b"csp: No space left on device\n"


def test_drawing_prints_no_warnings_about_fonts(tmp_path: Path) -> None:
    code = "from csp.render.dot import drawing; print(len(drawing.by_wheel(['graph { A }'], 'svg')))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"1\n", b"")
    code = (
        "import os; from csp.render.dot import drawing\nwith drawing._without_font_warnings(): os.write(2, b'real\\n')"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (result.returncode, result.stderr) == (0, b"real\n")


def test_an_error_of_a_read_only_file_system_names_the_output_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, *args: object, **kwargs: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    out = tmp_path / "out.dot"
    with monkeypatch.context() as patch:
        patch.setattr("csp.base.files.os.open", refuse)
        patch.setattr("csp.base.files.os.unlink", refuse)
        with pytest.raises(OSError) as error:
            write_whole(out, b"")
    assert error.value.filename == str(out)


def test_draw_refuses_standard_output(tmp_path: Path) -> None:
    result = run_process("draw", SPEC, "--out", "-", cwd=tmp_path)
    assert result.returncode == 2 and b"pictures go into a folder" in result.stderr and not list(tmp_path.iterdir())
    assert run_process("import", "-", "--out", "-", input=b"." * 81 + b"\n").stdout.startswith(b"%")

"""Tests that started processes import no module of the working folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import ROOT

IMPORTED = "imported.txt"
"""The file to which each hostile module adds its name."""

PACKAGES = ("clingo", "click", "graphviz", "lark", "networkx", "PIL", "pygls", "pygraphviz", "pysat", "rich")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Make a folder with a module for every imported name.

    The names are those of the standard library and of the packages that the program needs.
    """
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in (*sys.stdlib_module_names, *PACKAGES, "csp", "dsl", "tornado"):
        code = f"import os; open(os.path.join({str(folder)!r}, {IMPORTED!r}), 'a').write('{name} ')\n"
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return folder


def run_in(folder: Path, code: str, *arguments: str) -> str:
    """Run a program from another folder and return its output.

    The command ``csp`` is run in the same way.
    """
    program = folder.parent / "program.py"
    program.write_text(code, encoding="utf-8")
    command = [sys.executable, program, *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def imported_names(folder: Path) -> str:
    """Return the names of the hostile modules that were imported."""
    path = folder / IMPORTED
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_an_import_from_the_hostile_folder_is_recorded(hostile: Path) -> None:
    subprocess.run([sys.executable, "-c", "import json"], cwd=hostile, capture_output=True)
    assert "json" in imported_names(hostile)


def test_an_engine_of_the_studio_imports_nothing_from_the_working_folder(hostile: Path) -> None:
    code = """if True:
        import asyncio, json
        from dsl.studio.engine import Spare, end
        async def main():
            spare = Spare("-")
            process = await spare.take()
            process.stdin.write(b'{"seq": 1, "text": "A in 1..2. A = 1."}\\n')
            while (message := json.loads(await process.stdout.readline()))["kind"] != "done":
                print(message["kind"])
            await end(process)
            await spare.close()
        asyncio.run(main())"""
    assert "verdict" in run_in(hostile, code).split() and not imported_names(hostile)


def test_the_solver_that_writes_proofs_imports_nothing_from_the_working_folder(hostile: Path) -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    code = "from csp.explain.proofs.cadical import prove; print(prove('p cnf 1 2\\n1 0\\n-1 0\\n'))"
    assert run_in(hostile, code).split() and not imported_names(hostile)


def test_processes_of_jobs_import_nothing_from_the_working_folder(hostile: Path) -> None:
    """Start the workers with new interpreters.

    That happens when a process cannot be copied, and when a worker has died.
    """
    code = """if __name__ == "__main__":
        import multiprocessing
        import dsl.start
        multiprocessing.set_start_method("spawn")
        dsl.start.main()"""
    (hostile / "spec.csp").write_text("A, B in 1..3. A != B.", encoding="utf-8")
    assert run_in(hostile, code, "solve", "spec.csp", "--count", "--jobs", "2") == "6\n" and not imported_names(hostile)


def test_a_lens_of_the_language_server_imports_nothing_from_the_folder_of_the_spec(hostile: Path) -> None:
    pytest.importorskip("pygls", reason="pygls is not installed")
    from ..editor.test_language_server import Editor, ask

    (hostile / "part.csp").write_text("A in 1..2.", encoding="utf-8")

    async def script(editor: Editor) -> None:
        await editor.open('include "part.csp". A = 1.', hostile / "spec.csp")
        for name, answer in (("solve", "1"), ("check", "one solution")):
            assert answer in await editor.call(name)
        Path(await editor.call("play")).unlink()

    ask(script)
    assert not imported_names(hostile)


def test_every_started_interpreter_excludes_the_working_folder() -> None:
    paths = [*(ROOT / "csp").rglob("*.py"), *(ROOT / "dsl").rglob("*.py"), *(ROOT / "docs").glob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    following = [word for text in texts for word in re.findall(r"sys\.executable,\s*(\S+)", text)]
    assert len(following) >= 3 and set(following) == {'"-P",'}

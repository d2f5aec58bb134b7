"""Five ways to install: python tests/installing.py

Makes a source distribution and a wheel of it, and installs, in an environment of its own, the source distribution, the
wheel, and the source distribution where there is no compiler (``CC=/bin/false``); then a tree of sources, twice, where
``build/`` still holds the native kernel when there is no compiler. Each time ``csp`` must name the right
kernel and solve a puzzle. The kernel of the wheel has no debug information. It needs the package index for what the
package depends on. The exit status is 1 if one of them fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUZZLE = "A, B, C in 1..3.\nall_different(A, B, C).\nA = 2.\nB = 3.\n"
SOLVED = ["A=2", "B=3", "C=1"]


def run(*command: str | Path, **environment: str) -> str:
    """What a command says; it ends the program where the command fails."""
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "dist"
        venv.create(Path(folder) / "env", with_pip=True)
        python = Path(folder) / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        run(
            python,
            "-m",
            "pip",
            "install",
            "-q",
            *project["build-system"]["requires"],
            *project["project"]["dependencies"],
        )
        run(python, "-c", "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])", made)
        (source,) = made.glob("*.tar.gz")
        run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", made, source)
        (wheel,) = made.glob("*.whl")
        shutil.unpack_archive(source, Path(folder) / "trees")
        (tree,) = (Path(folder) / "trees").iterdir()
        with zipfile.ZipFile(wheel) as archive:
            [kernel] = [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
            faults = int(b".debug_info" in archive.read(kernel))
            print(f"{'WRONG' if faults else 'ok'}: {kernel} has {archive.getinfo(kernel).file_size:,} bytes")
        for what, kernel, environment in (
            (source, "native", {}),
            (wheel, "native", {}),
            (source, "python", {"CC": "/bin/false"}),
            (tree, "native", {}),
            (tree, "python", {"CC": "/bin/false"}),
        ):
            install = [python, "-m", "pip", "install", "-q", "--no-deps", "--no-cache-dir", "--force-reinstall", what]
            run(*install, **environment)
            version = run(python, "-P", "-m", "csp", "--version").strip()
            spec = Path(folder) / "puzzle.csp"
            spec.write_text(PUZZLE, encoding="utf-8")
            solved = run(python, "-P", "-m", "csp", spec).split()
            is_right = version.endswith(f", {kernel} kernel") and "".join(solved) == "".join(SOLVED)
            faults += not is_right
            verdict = "ok" if is_right else "WRONG"
            print(f"{verdict}: {what.name}, {environment or 'as it is'}: {version}; {' '.join(solved)}")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())

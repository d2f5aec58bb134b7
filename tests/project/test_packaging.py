"""The source distribution, and a conflict with another package named csp."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from ..conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CACHES = ("__pycache__", "*.pyc", "*.so", "*.egg-info", "*.log", "build", "dist", ".*")


def stray_files() -> set[Path]:
    """Return the files of the clone that git does not track; without git, none."""
    command = ["git", "ls-files", "-z", "--others"]
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        return set()
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    return {ROOT / name for name in listed.split("\0") if name}


@pytest.mark.skipif(find_spec("setuptools") is None, reason="setuptools is not installed")
def test_a_source_distribution_contains_every_file_of_the_project(tmp_path: Path) -> None:
    tree, strays = tmp_path / "tree", stray_files()

    def ignore(folder: str, names: list[str]) -> set[str]:
        caches = shutil.ignore_patterns(*CACHES)(folder, names)
        return caches | {name for name in names if Path(folder, name) in strays}

    shutil.copytree(ROOT, tree, ignore=ignore)
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    command = [sys.executable, "-c", code, tmp_path / "made"]
    result = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    assert result.returncode == 0 and "eprecat" not in result.stderr, result.stderr
    [package] = (tmp_path / "made").glob("*.tar.gz")
    with tarfile.open(package) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    files = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    assert not {name for name in files if ".egg-info" not in name} - names
    assert {"tests/conftest.py", "tests/data/corners.txt", "csp/engine/compiled/_native.c"} <= names


def test_required_versions_are_recent_enough() -> None:
    """Require click 8.2 for stderr in tests and python-sat 1.9.dev16 for whole proofs."""
    assert {"click>=8.2", "tornado>=6.4"} <= {*PROJECT["project"]["dependencies"]}
    extras = PROJECT["project"]["optional-dependencies"]
    assert "python-sat>=1.9.dev16" in extras["proof"] and "python-sat>=1.9.dev16" in extras["test"]


def test_the_kernel_is_compiled_without_debug_information() -> None:
    [kernel] = PROJECT["tool"]["setuptools"]["ext-modules"]
    assert kernel["extra-compile-args"] == ["-g0"] and kernel["optional"]


@pytest.mark.parametrize("is_uninstalled", [False, True])
def test_another_package_called_csp_is_reported_in_one_sentence(is_uninstalled: bool, tmp_path: Path) -> None:
    """Check a replaced ``__init__.py``, and a package without it."""
    package = tmp_path / "csp"
    package.mkdir()
    if not is_uninstalled:
        (package / "__init__.py").write_text("class node: pass\n", encoding="utf-8")
    shutil.copytree(ROOT / "dsl", tmp_path / "dsl", ignore=shutil.ignore_patterns(*CACHES))
    folders = os.pathsep.join([str(tmp_path), str(Path(click.__file__).parent.parent)])
    command = [sys.executable, "-P", "-S", "-c", "import dsl.start; dsl.start.main()", "solve", "x.csp"]
    result = subprocess.run(command, env={**os.environ, "PYTHONPATH": folders}, capture_output=True, text=True)
    assert result.returncode == 2 and result.stderr.startswith("csp: another package called csp has replaced files")
    assert result.stderr.count("\n") == 1

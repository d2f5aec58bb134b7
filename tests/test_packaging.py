"""What a source distribution holds, and what another package of the same name does to an installation."""

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

from .conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CACHES = ("__pycache__", "*.pyc", "*.so", "*.egg-info", "build", "dist", ".*")


@pytest.mark.skipif(find_spec("setuptools") is None, reason="setuptools is not installed")
def test_a_source_distribution_has_the_tests_and_all_that_they_read(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*CACHES))
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    command = [sys.executable, "-c", code, tmp_path / "made"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    assert done.returncode == 0 and "eprecat" not in done.stderr, done.stderr
    [made] = (tmp_path / "made").glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    files = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    assert not {name for name in files if ".egg-info" not in name} - names
    assert {"tests/conftest.py", "tests/data/corners.txt", "csp/engine/compiled/_native.c"} <= names


def test_what_is_required_is_enough() -> None:
    """Click separates standard error in tests from 8.2 on; python-sat writes whole proofs from 1.9.dev16 on."""
    assert {"click>=8.2", "tornado>=6.4"} <= {*PROJECT["project"]["dependencies"]}
    extras = PROJECT["project"]["optional-dependencies"]
    assert "python-sat>=1.9.dev16" in extras["proof"] and "python-sat>=1.9.dev16" in extras["test"]


def test_the_kernel_is_compiled_without_debug_information() -> None:
    [kernel] = PROJECT["tool"]["setuptools"]["ext-modules"]
    assert kernel["extra-compile-args"] == ["-g0"] and kernel["optional"]


@pytest.mark.parametrize("is_uninstalled", [False, True])
def test_another_package_called_csp_is_named_in_one_sentence(is_uninstalled: bool, tmp_path: Path) -> None:
    """Its ``__init__.py`` replaces that of this project; without it, what remains is a package without a name."""
    other = tmp_path / "csp"
    other.mkdir()
    if not is_uninstalled:
        (other / "__init__.py").write_text("class node: pass\n", encoding="utf-8")
    shutil.copytree(ROOT / "dsl", tmp_path / "dsl", ignore=shutil.ignore_patterns(*CACHES))
    folders = os.pathsep.join([str(tmp_path), str(Path(click.__file__).parent.parent)])
    command = [sys.executable, "-P", "-S", "-c", "import dsl.start; dsl.start.main()", "solve", "x.csp"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": folders}, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("csp: another package called csp has replaced files")
    assert done.stderr.count("\n") == 1

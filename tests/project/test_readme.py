"""The commands, programs and links of the README and the docs work."""

from __future__ import annotations

import re
import shlex

import pytest
from click.testing import CliRunner

from dsl.cli import main

from ..conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_each_of_the_two_commands_creates_its_environment() -> None:
    block = "".join(re.findall(r"```sh\n(.*?)```", README, re.S))
    commands = block.strip().split("\n")
    assert len(commands) == 2
    assert all(command.startswith("python3 -m venv .venv && .venv/bin/pip install -q ") for command in commands)
    assert commands[0].endswith("csp solve examples/sudoku.csp") and commands[1].endswith("python -m pytest -q")


def test_console_sessions_print_the_documented_output(monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```console\n(.*?)```", README, re.S)
    sessions = re.split(r"^\$ csp ", block, flags=re.M)[1:]
    assert len(sessions) == 3
    for session in sessions:
        command, _, expected = session.partition("\n")
        output = CliRunner().invoke(main, shlex.split(command)).stdout
        parts = [re.escape(part) for part in expected.split("...\n")]
        assert re.fullmatch("(?:.*\n)*".join(parts), output), command


LIBRARY = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
RUNS = re.findall(r"^## ([^\n]*)\n(?:(?!^## ).)*?```python\n(.*?)```\n\n```text\n(.*?)```", LIBRARY, re.S | re.M)


@pytest.mark.parametrize(("title", "code", "output"), RUNS, ids=[title for title, _, _ in RUNS])
def test_programs_of_the_library_page_print_the_documented_output(
    title: str, code: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(code, {})
    printed = capsys.readouterr().out
    assert printed == output


def test_every_program_of_the_library_page_is_tested() -> None:
    assert len(RUNS) == LIBRARY.count("```python") == 6


def test_the_python_program_of_the_readme_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.S)
    scope: dict[str, object] = {}
    exec(block.replace('"examples/', f'"{ROOT}/examples/'), scope)
    assert scope["solver"].solve()["cell(1,1)"] == 3  # type: ignore[attr-defined]


def test_the_error_message_of_the_readme_is_current(tmp_path) -> None:
    (spec,) = re.findall(r"```prolog\n(% latin.*?)```", README, re.S)
    (documented,) = re.findall(r"```text\n(.*?)```", README, re.S)
    path = tmp_path / "latin.csp"
    path.write_text(spec.replace("all_different(cell(R, C) : C", "all_different(cel(R, C) : C"), encoding="utf-8")
    result = CliRunner().invoke(main, ["solve", str(path)])
    assert result.stderr.replace(str(path), "latin.csp") == documented


def test_pictures_and_links_exist() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text, folder = page.read_text(encoding="utf-8"), page.parent
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (folder / target).exists(), target

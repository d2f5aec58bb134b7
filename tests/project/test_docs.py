"""Tests of reference pages: each lists all commands, kinds, words and formats."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable

import pytest

from csp import CONSTRAINTS
from csp.encoding.export import EXPORTS
from csp.picture.lenses import LENSES, lens_of
from dsl.cli import COMMANDS
from dsl.cli.commands.export import SUFFIXES
from dsl.puzzles.convert import FAMILIES
from dsl.syntax import vocabulary

from ..conftest import ROOT

sys.path.insert(0, str(ROOT / "docs"))
import make_cli


def read_page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def first_cells(text: str, heading: str) -> list[str]:
    """Return the code words in the first cells of the table with a heading."""
    rows = text.partition(f"\n{heading}")[2].split("\n\n")[0].split("\n")[2:]
    assert rows, f"there is no table {heading}"
    assert all(row.startswith("| ") for row in rows), f"the table {heading} contains a line that is not a row"
    return [word for row in rows for word in re.findall(r"`([^`]*)`", row[2:].partition(" |")[0])]


def missing_names(expected: Iterable[str], present: Iterable[str]) -> list[str]:
    """Return the expected names that are not present."""
    return sorted({*expected} - {*present})


def test_every_command_file_is_in_the_table_of_commands() -> None:
    files = {path.stem for path in (ROOT / "dsl" / "cli" / "commands").glob("*.py")} - {"__init__"}
    files -= {"each"}  # a part of solve
    assert files == {place.partition(".")[0] for place in COMMANDS.values()}, (
        "dsl/cli/__init__.py: COMMANDS must match the files"
    )


def test_every_command_has_a_row_in_the_list_of_commands() -> None:
    cells = first_cells(read_page("docs/cli.md"), "| command | does |")
    rows = {cell.split()[1] for cell in cells if cell.startswith("csp ")}
    assert not missing_names(COMMANDS, rows), "docs/cli.md: write a row of the first table for each command"
    assert not missing_names(rows, COMMANDS), "docs/cli.md: remove the commands that dsl/cli/__init__.py lacks"


def test_every_command_has_a_section_in_the_manual() -> None:
    sections = [title.split()[0] for title in re.findall(r"^### (.+)$", read_page("docs/cli.md"), re.M)]
    assert not missing_names(COMMANDS, sections), "docs/cli.md: write a section ### NAME for each command"
    assert not missing_names(sections, COMMANDS), "docs/cli.md: remove the commands that dsl/cli/__init__.py lacks"


def test_the_list_of_commands_is_generated(pytestconfig: pytest.Config) -> None:
    path = ROOT / "docs" / "cli.md"
    text = make_cli.write_page(path.read_text(encoding="utf-8"))
    if pytestconfig.getoption("--rewrite"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run python docs/make_cli.py"


def test_every_kind_has_a_row_in_the_table_of_propagators() -> None:
    kinds = [kind.__name__ for kind in CONSTRAINTS]
    rows = first_cells(read_page("docs/engine.md"), "| kind | constraint | how it filters | strength |")
    assert not missing_names(kinds, rows), "docs/engine.md: write a row for each kind"
    assert not missing_names((row for row in rows if row[0].isupper()), kinds), (
        "docs/engine.md: remove the rows of unknown kinds"
    )


def test_every_kind_has_a_row_in_the_library() -> None:
    rows = {row.partition("(")[0] for row in first_cells(read_page("docs/library.md"), "| name | is |")}
    expected = {f"csp.{kind.__name__}" for kind in CONSTRAINTS} - {"csp.AllDifferent"} | {"csp.AllDifferent.of"}
    assert not missing_names(expected, rows), "docs/library.md: write a row for each kind"


@pytest.mark.parametrize("words", [vocabulary.CONSTRAINTS, vocabulary.FUNCTIONS, vocabulary.DECLARING])
def test_every_word_has_a_row_in_the_language(words: Iterable[str]) -> None:
    tables = re.findall(r"^\| (`.*?) \|", read_page("docs/language.md"), re.M)
    rows = {word for cell in tables for code in re.findall(r"`([^`]*)`", cell) for word in re.findall(r"\w+", code)}
    assert not missing_names(words, rows), "docs/language.md: write a row for each word"


def test_every_lens_is_documented() -> None:
    rows = first_cells(read_page("docs/pictures.md"), "| `--lens` | draws |")
    assert not missing_names(LENSES, rows), "docs/pictures.md: write a row for each lens"
    assert not missing_names(rows, LENSES), (
        "docs/pictures.md: remove the rows of lenses that csp/picture/lenses/__init__.py lacks"
    )
    text = read_page("docs/player.md")
    assert not [name for name in LENSES if f"*{lens_of(name).title}*" not in text], "docs/player.md: describe each lens"


def test_every_format_is_documented() -> None:
    rows = first_cells(read_page("docs/export.md"), "| `--to` | is | one answer | all answers |")
    assert not missing_names(EXPORTS, rows), "docs/export.md: write a row for each format"
    assert not missing_names(rows, EXPORTS), (
        "docs/export.md: remove the rows of formats that csp/encoding/export/__init__.py lacks"
    )
    assert not missing_names(EXPORTS, SUFFIXES), "dsl/cli/commands/export.py: add a suffix for each format"


def test_the_page_for_contributors_names_tables_that_exist() -> None:
    names = set(re.findall(r"`([A-Z][A-Z_]+)`", read_page("docs/developing.md")))
    paths = [path for folder in ("csp", "dsl", "tests", "docs") for path in (ROOT / folder).rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    assert names and not [name for name in names if not re.search(rf"^{name}\b.* = ", text, re.MULTILINE)]


def test_every_family_is_documented() -> None:
    rows = first_cells(read_page("docs/import.md"), "| family | fields |")
    assert not missing_names(FAMILIES, rows), "docs/import.md: write a row for each family"


def test_the_index_lists_all_decision_records() -> None:
    index = read_page("docs/decisions.md")
    pages = re.findall(r"^## \[.*\]\((decisions/\w+\.md)\)", index, re.M)
    assert sorted(pages) == sorted(f"decisions/{path.name}" for path in (ROOT / "docs" / "decisions").glob("*.md"))
    for page in pages:
        listed = re.findall(rf"^- \[(.*)\]\({page}#(.*)\)$", index, re.M)
        titles = re.findall(r"^## (.*)$", read_page(f"docs/{page}"), re.M)
        anchors = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
        assert listed == list(zip(titles, anchors, strict=True)), f"docs/decisions.md: list the records of {page}"


def test_every_decision_record_has_a_status_and_three_parts() -> None:
    for path in (ROOT / "docs" / "decisions").glob("*.md"):
        records = read_page(f"docs/decisions/{path.name}").split("\n## ")[1:]
        parts = r".*\n\n\*(Accepted|Superseded by)[^*]*\* \*\*Context\.\*\*.*\*\*Decision\.\*\*.*\*\*Consequence\.\*\*"
        assert records and not [record for record in records if not re.match(parts, record, re.S)]


def test_every_path_on_the_page_for_contributors_exists() -> None:
    code = re.sub(r"```(python|text)\n.*?```", "", read_page("docs/developing.md"), flags=re.S)
    words = {word for span in re.findall(r"`+([^`]+)`+", code) for word in span.split() if "/" in word}
    paths = {word.replace("NAME", "*").replace("FOLDER", "*") for word in words if not word.startswith(".venv")}
    assert len(paths) > 80
    assert not [path for path in sorted(paths) if not any(ROOT.glob(path))]


def test_every_name_on_the_page_for_contributors_is_in_the_sources() -> None:
    page = read_page("docs/developing.md")
    names = {*re.findall(r"`([A-Za-z_][\w.]*)`", page)}
    files = [path for folder in ("csp", "dsl", "tests") for path in (ROOT / folder).rglob("*") if path.is_file()]
    words = {path.name for path in files} | {path.stem for path in files}
    for path in files:
        if path.suffix in (".py", ".js"):
            words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    assert not [name for name in sorted(names) if name not in words and not {*name.split(".")} <= words]


def test_the_program_of_the_page_for_contributors_prints_the_documented_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ((code, output),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", read_page("docs/developing.md"), re.S)
    exec(code, {})
    assert capsys.readouterr().out == output


def test_a_docstring_describes_only_parameters_that_the_function_has() -> None:
    wrong = []
    for path in sorted(path for package in ("csp", "dsl") for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                text = ast.get_docstring(node) or ""
                section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n\w+\n-+\n|\Z)", text, re.M | re.S)
                heads = re.findall(r"^(\S.*?)(?: : .*)?$", section[1], re.M) if section else []
                described = {name.strip().lstrip("*") for head in heads for name in head.split(",")}
                described.update(re.findall(r"(?:^|; |\. )``(\w+)``: ", text, re.M))
                parameters = {*re.findall(r"\w+", ast.unparse(node.args))} if described else set()
                wrong += [f"{path}:{node.lineno}: {name}" for name in described - parameters]
    assert not wrong


def test_every_work_of_the_bibliography_is_the_source_of_an_algorithm() -> None:
    titles = re.findall(r'"(.+?)"', read_page("docs/bibliography.md"))
    sources = " ".join(re.sub(r"\s+", " ", path.read_text(encoding="utf-8")) for path in (ROOT / "csp").rglob("*.py"))
    assert titles and not [title for title in titles if title.casefold() not in sources.casefold()]

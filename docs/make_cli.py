"""Write the list of commands of docs/cli.md, from the commands themselves.

python docs/make_cli.py
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from dsl.cli import GROUPS, main

DOCS = Path(__file__).resolve().parent

START = "<!-- generated: docs/make_cli.py writes the rest of this page -->\n"

MORE = {
    "solve": "search", "check": "verdicts", "verify": "verdicts", "compare": "methods", "explain": "explain",
    "hint": "explain", "rate": "explain", "generate": "setting", "play": "player", "levels": "engine",
    "draw": "pictures", "worksheet": "teaching", "tree": "pictures", "import": "import", "export": "export",
    "format": "language", "studio": "studio", "lsp": "editor/README",
}  # fmt: skip
"""The page about each command, without its ending."""

NAMES = [name for _, _, names in GROUPS for name in names.split()]

CODE = re.compile(rf"(?<!\S)(?:csp (?:{'|'.join(NAMES)})\b(?: --[a-z]+)?|--[a-z]+|-o|[A-Z]+ !?= [A-Z]+)(?![\w-])")
"""Commands and options in a sentence."""


def write_page(text: str) -> str:
    """Return the page with a new list of commands after its hand-written part."""
    rows = Counter(option_row(option) for name in NAMES for option in get_options(name))
    common = [row for row, count in rows.items() if count > 1]
    parts = ["## Common options\n", option_table(common), "## Commands\n", command_table()]
    return text.partition(START)[0] + START + "\n".join(parts + [section(name, common) for name in NAMES])


def get_command(name: str) -> click.Command:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command


def get_options(name: str) -> list[click.Option]:
    return [option for option in get_command(name).params if isinstance(option, click.Option)]


def paragraphs(name: str) -> list[str]:
    """Return the paragraphs of a help text, each on one line."""
    text = inspect.cleandoc(get_command(name).help or "")
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def labelled(name: str, label: str) -> str:
    """Return the paragraph of a help text that begins with a label, without the label."""
    [line] = [line for line in paragraphs(name) if line.startswith(f"{label}: ")]
    return line.removeprefix(f"{label}: ")


def mark_code(text: str) -> str:
    """Put commands and options into code font."""
    return CODE.sub(r"`\g<0>`", text)


def command_table() -> str:
    """Return the table of all commands with their exit codes."""
    rows = ["| command | does | exit code 0 | exit code 1 |", "|---|---|---|---|"]
    for name in NAMES:
        codes = dict(re.findall(r"(\d+) ([^\d]*?)[,.](?= \d|$)", labelled(name, "Exit code")))
        cells = [paragraphs(name)[0], codes["0"], codes.get("1", "-")]
        rows.append(f"| [`csp {name}`](#{name}) | {' | '.join(map(mark_code, cells))} |")
    return "\n".join(rows) + "\n"


def option_row(option: click.Option) -> str:
    """Return the row of an option: its names and value, its meaning, its default."""
    *short, name = option.opts
    value = "" if option.is_flag or isinstance(option.type, click.Choice) else f" {option.metavar}".replace("|", "\\|")
    meaning = mark_code(str(option.help))
    if isinstance(option.type, click.Choice):
        meaning += f" One of {', '.join(f'`{choice}`' for choice in option.type.choices)}."
    first = option.default[0] if isinstance(option.default, list) else option.default
    default = "required" if option.required else f"`{first}`" if option.show_default else ""
    return f"| {''.join(f'`{letter}`, ' for letter in short)}`{name}{value}` | {meaning} | {default} |"


def option_table(rows: Iterable[str]) -> str:
    return "\n".join(["| option | does | default |", "|---|---|---|", *rows]) + "\n"


def section(name: str, common: list[str]) -> str:
    """Return the section of a command: synopsis, example, description and options."""
    command, options = get_command(name), get_options(name)
    usage = " ".join([f"csp {name}", *command.collect_usage_pieces(click.Context(command))])
    parts = [f"### {name}\n", f"```sh\n{usage}\n{labelled(name, 'Example')}\n```\n"]
    # The first paragraph of the help text is in the table of commands, the last two have labels.
    parts += [textwrap.fill(mark_code(line), 119, break_on_hyphens=False) + "\n" for line in paragraphs(name)[1:-2]]
    if own := [row for row in map(option_row, options) if row not in common]:
        parts.append(option_table(own))
    if shared := [f"`{option.opts[-1]}`" for option in options if option_row(option) in common]:
        parts.append(f"Common options: {', '.join(shared)}.\n")
    links = [f"[JSON keys](json.md#{name})"] if any("--json" in option.opts for option in options) else []
    if name in MORE:
        title = (DOCS / f"{MORE[name]}.md").read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        links.insert(0, f"[{title}]({MORE[name]}.md)")
    return "\n".join(parts + ([f"See {' and '.join(links)}.\n"] if links else []))


if __name__ == "__main__":
    page = DOCS / "cli.md"
    page.write_text(write_page(page.read_text(encoding="utf-8")), encoding="utf-8")

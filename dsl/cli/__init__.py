"""The command line: a table of the commands, and the group that runs them.

Each command has its own file in ``commands``.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOENT
from importlib import import_module
from typing import Any

import click

from csp import CspError

from ..syntax.errors import suggest_name
from ..syntax.reading import ENDING
from .progress import Ended, Interrupts, report_error

COMMANDS = {
    "solve": "solve.solve",
    "check": "check.check",
    "verify": "verify.verify",
    "propagate": "propagate.propagate",
    "trace": "tracing.trace",
    "diff": "diff.diff",
    "levels": "levels.levels",
    "compare": "compare.compare",
    "explain": "explain.explain",
    "guard": "guard.guard",
    "hint": "hint.hint",
    "why": "why.why",
    "rate": "rate.rate",
    "candidates": "candidates.candidates",
    "minimal": "minimal.minimal",
    "generate": "generate.generate",
    "play": "play.play",
    "draw": "draw.draw",
    "worksheet": "worksheet.worksheet",
    "graph": "graph.graph",
    "tree": "tree.tree",
    "import": "convert.import_",
    "export": "export.export",
    "format": "format.format_files",
    "lsp": "lsp.lsp",
    "studio": "studio.studio",
}
"""The module and function of each command; a module is imported when its command is called."""


SYNONYMS = {
    "difficulty": "csp rate rates the difficulty",
    "run": "csp FILE is csp solve FILE",
    "unique": "csp check finds none, one or several solutions",
    "validate": "csp check reports errors",
    "create": "csp generate sets puzzles",
    "convert": "csp import and csp export read and write other formats",
}
"""Hints for words that a user may type and that do not resemble the name of a command."""

RENAMED = {"--level": "--detail"}
"""The present name of an option that some commands had under another name."""

MANY = 4
"""Maximum number of commands that a message lists."""

GROUPS = [
    ("Solve and check", "csp check puzzle.csp", "solve check verify guard candidates compare"),
    ("Explain", "csp explain puzzle.csp --until 5", "explain hint why rate"),
    ("Set puzzles", "csp generate rules.csp --grid clue --seed 1", "generate minimal"),
    (
        "See propagation and search",
        "csp play puzzle.csp -o puzzle.html",
        "play trace propagate diff levels draw worksheet graph tree",
    ),
    ("Other files", "csp import puzzles.txt --out specs", "import export format"),
    ("Write", "csp studio puzzle.csp", "studio lsp"),
]
"""The groups of commands in the help: title, example, names."""


class Commands(click.Group):
    """A click group whose errors become messages on stderr and exit codes, never tracebacks."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, example, names in GROUPS:
            with formatter.section(f"{title}, as in {example}"):
                commands = [(name, self.get_command(ctx, name)) for name in names.split()]
                formatter.write_dl([(name, command.get_short_help_str(200)) for name, command in commands if command])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].partition(".")
        command: click.Command = getattr(import_module(f".commands.{module}", __name__), function)
        # The imported modules stay alive: exclude them from garbage collection, which was off during the start.
        gc.freeze()
        gc.enable()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # Shell completion must not print messages.
        if ctx.resilient_parsing and args[0] not in COMMANDS and not os.path.isfile(args[0]):
            return None, None, args
        if args[0] == "help" and args[1:]:
            return super().resolve_command(ctx, [args[1], "--help"])
        if args[0] == "help":
            click.echo(ctx.get_help())
            ctx.exit()
        # A file, a link or a sudoku in place of a command is solved.
        if args[0] not in COMMANDS:
            from .options import written_out

            if os.path.isfile(args[0]) or written_out(args[0]):
                return super().resolve_command(ctx, ["solve", *args])
            if args[0].endswith(ENDING):
                raise FileNotFoundError(ENOENT, os.strerror(ENOENT), args[0])
            if hint := SYNONYMS.get(args[0]) or suggest_name(args[0], COMMANDS):
                ctx.fail(f"unknown command: {args[0]}; {hint}")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        with reporting():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with reporting(), Interrupts().signals() as ctx.obj:
            return super().invoke(ctx)


@contextmanager
def reporting() -> Iterator[None]:
    """Return a context that prints an error on stderr and exits with its code.

    A broken pipe prints nothing and exits with 0.
    """
    try:
        yield
    except click.NoSuchOption as error:
        # Compare without dashes, which make short options similar to each other.
        name = error.option_name.lstrip("-")
        similar = [option for option in error.possibilities or () if suggest_name(name, [option.lstrip("-")])]
        if not similar and (hint := _locate_option(error.option_name, error.ctx)):
            raise click.UsageError(hint, error.ctx) from None
        raise click.NoSuchOption(error.option_name, possibilities=similar, ctx=error.ctx) from None
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the interpreter would complain when it flushes
        sys.exit(0)
    except (Ended, CspError, OSError, UnicodeEncodeError, MemoryError) as error:
        sys.exit(report_error(error))


def _locate_option(option: str, context: click.Context | None) -> str:
    """Return a message that names the commands with an option, or its present name.

    The message is empty if the option has neither.
    """
    if context is None or context.parent is None:
        return ""
    missing, present_name = f"csp {context.info_name} has no {option}", RENAMED.get(option)
    if any(present_name in parameter.opts for parameter in context.command.params):
        return f"{missing}; it is called {present_name}"
    group = context.find_root().command
    assert isinstance(group, Commands)
    commands = [
        f"csp {name}"
        for name in COMMANDS
        if (command := group.get_command(context, name)) and any(option in p.opts for p in command.params)
    ]
    *first, last = [*commands[:MANY], "other commands"] if len(commands) > MANY else commands or [""]
    verb = "have" if first else "has"
    return f"{missing}; {' and '.join([', '.join(first)] * bool(first) + [last])} {verb} it" if last else ""


def _version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not context.resilient_parsing:
        import csp

        click.echo(f"csp (alldifferent) {csp.__version__}, {csp.kernel_in_use()} kernel")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Print the version and the kernel.",
)
def main() -> None:
    """Solve, explain and draw all-different puzzles written as text.

    csp FILE is short for csp solve FILE.

    Exit code: 0 success, 1 negative answer, 2 malformed input, 3 stopped by a limit, 130 Ctrl-C.

    Example: csp solve examples/sudoku.csp
    """

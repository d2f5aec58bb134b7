"""The command line: one file, one command, and one line in this table."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from csp import CspError, Stopped
from csp.errors import DrawingError

from ..language.errors import near
from .watch import INTERRUPTED, UNFINISHED, fail

COMMANDS = {
    "solve": "solve.solve",
    "check": "check.check",
    "propagate": "propagate.propagate",
    "trace": "tracing.trace",
    "diff": "diff.diff",
    "levels": "levels.levels",
    "play": "play.play",
    "draw": "draw.draw",
    "graph": "graph.graph",
    "tree": "tree.tree",
    "import": "convert.import_",
    "export": "export.export",
    "format": "format.format_files",
}
"""Where each command is; its file is read when it is called."""


class Commands(click.Group):
    """Commands whose errors are reports on stderr and exit codes, never tracebacks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        room, _, function = COMMANDS[cmd_name].partition(".")
        command: click.Command = getattr(import_module(f".{room}", __name__), function)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and (hint := near(args[0], COMMANDS)):
            ctx.fail(f"There is no command {args[0]}; {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Stopped as limit:
            fail(f"csp: stopped by {limit}", INTERRUPTED)
        except DrawingError as error:
            fail(f"csp: {error}")
        except CspError as error:
            fail(str(error))
        except UnicodeEncodeError as error:
            fail(f"csp: this terminal cannot show {error.object[error.start : error.end]!r}; set PYTHONUTF8=1")
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the interpreter would complain when it flushes
            sys.exit(0)
        except OSError as error:
            fail(f"csp: {error.filename}: {error.strerror}" if error.filename else f"csp: {error}")
        except KeyboardInterrupt:
            fail("csp: interrupted", INTERRUPTED)
        except MemoryError:
            fail("csp: out of memory", UNFINISHED)


@click.group(cls=Commands)
@click.version_option(package_name="alldifferent", message="csp (alldifferent) %(version)s")
def main() -> None:
    """Solve, propagate and draw all-different puzzles written as text."""

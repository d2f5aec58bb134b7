"""The command line: one file, one command, and one line in this table."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from csp import ModelError, Stopped, TooLarge

from ..errors import SpecError
from .check import check
from .convert import import_
from .diff import diff
from .draw import draw, graph
from .export import export
from .format import format_files
from .levels import levels
from .play import play
from .propagate import propagate
from .solve import solve
from .tracing import trace
from .tree import tree
from .watch import INTERRUPTED, UNFINISHED, fail


class Commands(click.Group):
    """Commands whose errors are reports on stderr and exit codes, never tracebacks."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (SpecError, ModelError, TooLarge) as error:
            fail(str(error))
        except UnicodeEncodeError as error:
            fail(f"csp: this terminal cannot show {error.object[error.start : error.end]!r}; set PYTHONUTF8=1")
        except Stopped as limit:
            fail(f"csp: stopped by {limit}", INTERRUPTED)
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


for command in (solve, check, propagate, trace, diff, levels, play, draw, graph, tree, import_, export, format_files):
    main.add_command(command)

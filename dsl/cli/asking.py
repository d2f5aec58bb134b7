"""What the commands that ask something about one spec have in common."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cached_property, wraps
from typing import Any

import click

from csp import Model, Settings, Solver, Value, Way

from ..semantics.clauses.build import Program
from ..syntax.errors import Source
from .options import build_model, json_option, read_once, read_spec, spare_inputs, spec_options, timeout_option
from .output import form_of, say
from .progress import Ended, ProgressWatch, deadline, say_stopped, watching


class Ask:
    """A question about the spec FILE.

    The time of --timeout runs from the start until the answer is told, and the watch begins where it is first used.
    """

    def __init__(
        self,
        work: ExitStack,
        unit: str,
        file: str,
        param_texts: dict[str, str],
        grids: dict[str, str],
        as_json: bool = False,
        timeout: float | None = None,
        search: Way = "auto",
    ) -> None:
        self.file, self.param_texts, self.grids = file, param_texts, grids
        self.as_json, self.timeout, self.search = as_json, timeout, search
        self.code = 0
        self._work, self._unit = work, unit

    @cached_property
    def spec(self) -> tuple[Program, dict[str, Value], dict[str, Source]]:
        """The spec with its params and grids."""
        return read_spec(self.file, self.param_texts, self.grids)

    @cached_property
    def model(self) -> Model:
        """The model of the spec."""
        return build_model(*self.spec)

    @cached_property
    def solver(self) -> Solver:
        """A solver of the model, by --search."""
        return Solver(self.model, settings=Settings(search=self.search))

    @cached_property
    def progress(self) -> ProgressWatch:
        """The watch over what is asked from now on."""
        return self._work.enter_context(watching(unit=self._unit))

    def reads(self, *more: str) -> None:
        """Refuse to read standard input twice, also for other files of the command."""
        read_once([self.file, *self.grids.values(), *more])

    def form(self, out: str | None, forms: Mapping[str, str], plain: str) -> str:
        """What --out is to hold, by its ending; it is none of the files that are read."""
        spare_inputs(out, self.file, *self.grids.values())
        return form_of(out, forms, plain)

    def say(self, text: object, data: object) -> None:
        """Print a line for people, or for programs if --json asks for it."""
        say(json.dumps(data) if self.as_json else text)

    def tell(self, text: object, data: object, code: int = 0) -> None:
        """End the work and print what comes of it."""
        self.end()
        self.say(text, data)
        self.code = code

    def stop(self, why: object, known: str) -> None:
        """End the work and say what has stopped it, with what is known."""
        self.end()
        code = say_stopped(str(why), known, self.progress)
        self.code = why.code if isinstance(why, Ended) else code

    def end(self) -> None:
        """End the work: what is known is told in peace."""
        self._work.close()


def question(
    short_help: str | None = None, *, json: bool = False, timeout: bool = False, unit: str = "nodes", epilog: str = ""
) -> Callable[[Callable[..., None]], click.Command]:
    """A command about one spec: FILE, --set and --grid before its own options, --json and --timeout after them.

    The function takes an ``Ask`` and the values of its own options.
    """

    def decorate(function: Callable[..., None]) -> click.Command:
        @wraps(function)
        def command(**options: Any) -> None:
            shared = {name: options.pop(name) for name in SHARED if name in options}
            with ExitStack() as work:
                ask = Ask(work, unit, **shared)
                if timeout:
                    work.enter_context(deadline(ask.timeout))
                function(ask, **options)
            sys.exit(ask.code)

        own = vars(command).pop("__click_params__", [])
        if timeout:
            timeout_option("Stop after S seconds.")(command)
        if json:
            json_option(command)
        vars(command).setdefault("__click_params__", []).extend(own)
        return click.command(short_help=short_help, epilog=epilog or None)(spec_options(command))

    return decorate


SHARED = ("file", "param_texts", "grids", "as_json", "timeout", "search")
"""The options that every question treats alike, if it has them."""

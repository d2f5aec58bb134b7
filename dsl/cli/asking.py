"""The common part of all commands that answer a question about a spec."""

from __future__ import annotations

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
from .output import form_of, format_json, say
from .progress import Ended, Interrupts, ProgressWatch, say_stopped


class Ask:
    """The question of a command about a spec: its options, model, solver and exit code.

    The time limit of --timeout covers the work from the start until ``end``. The progress watch starts when
    ``progress`` is first used.
    """

    def __init__(
        self,
        interrupts: Interrupts,
        contexts: ExitStack,
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
        self.interrupts, self._contexts, self._unit = interrupts, contexts, unit

    @cached_property
    def spec(self) -> tuple[Program, dict[str, Value], dict[str, Source]]:
        """The spec as a ``Program``, the values of --set, and the sources of --grid."""
        return read_spec(self.file, self.param_texts, self.grids)

    @cached_property
    def model(self) -> Model:
        """The model of the spec, built on first use."""
        return build_model(*self.spec)

    @cached_property
    def solver(self) -> Solver:
        """A solver of the model, with the search method of --search."""
        return Solver(self.model, settings=Settings(search=self.search))

    @cached_property
    def progress(self) -> ProgressWatch:
        """The callback that shows progress and stops the solver, started on first use."""
        return self._contexts.enter_context(self.interrupts.watching(unit=self._unit))

    def reads(self, *files: str) -> None:
        """Raise ``UsageError`` if several inputs, including ``files``, are standard input."""
        read_once([self.file, *self.grids.values(), *files])

    def form(self, out: str | None, forms: Mapping[str, str], plain: str) -> str:
        """Return the format in ``forms`` for the ending of ``out``; ``plain`` without an ending.

        Raises ``BadParameter`` for another ending, or if the file is an input of the command.
        """
        spare_inputs(out, self.file, *self.grids.values())
        return form_of(out, forms, plain)

    def say(self, text: object, data: Mapping[str, object]) -> None:
        """Print ``text``, or with --json ``data`` as one JSON object."""
        say(format_json(data) if self.as_json else text)

    def finish(self, text: object, data: Mapping[str, object], code: int = 0) -> None:
        """End the time limit, print ``text`` or ``data``, and set ``self.code``."""
        self.end()
        self.say(text, data)
        self.code = code

    def stop(self, reason: object, partial_result: str) -> None:
        """Print why the work stopped and its partial result, and set ``self.code``.

        First ends the progress watch and the time limit.
        """
        self.end()
        code = say_stopped(str(reason), partial_result, self.progress)
        self.code = reason.code if isinstance(reason, Ended) else code

    def end(self) -> None:
        """End the progress watch and time limit, so that nothing interrupts the output."""
        self._contexts.close()


def question(
    *, json: bool = False, timeout: bool = False, unit: str = "nodes", epilog: str = ""
) -> Callable[[Callable[..., None]], click.Command]:
    """Return a decorator that makes a function a click command about one spec.

    The command takes FILE, --set and --grid before the function's own options, and --json and --timeout after them. The
    function receives an ``Ask`` and the values of its own options.
    """

    def decorate(function: Callable[..., None]) -> click.Command:
        @click.pass_obj
        @wraps(function)
        def command(interrupts: Interrupts, /, **options: Any) -> None:
            shared = {name: options.pop(name) for name in SHARED if name in options}
            with ExitStack() as contexts:
                ask = Ask(interrupts, contexts, unit, **shared)
                if timeout:
                    contexts.enter_context(interrupts.deadline(ask.timeout))
                function(ask, **options)
            sys.exit(ask.code)

        # Click reverses this list, so that the shared options, which are first here, come last in the help.
        parameters = vars(command).pop("__click_params__", [])
        if timeout:
            timeout_option()(command)
        if json:
            json_option(command)
        vars(command).setdefault("__click_params__", []).extend(parameters)
        return click.command(epilog=epilog or None)(spec_options(command))

    return decorate


SHARED = ("file", "param_texts", "grids", "as_json", "timeout", "search")
"""The options that ``Ask`` receives, if the command has them."""

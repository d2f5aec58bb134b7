"""Defines the common options of the commands that explain: which techniques, and which words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from csp import Model, Settings, Solver, Stopped
from csp.explain import LADDER, TECHNIQUES, SimpleWords, Technique, verdict
from csp.explain.words import LANGUAGES

from ..syntax.errors import suggest_name
from .options import complete_list
from .output import fail
from .progress import NO_SOLUTION, ProgressWatch

NAMES = [name.lower().replace(" ", "_") for name in TECHNIQUES]
"""The names of the techniques with underscores, which a shell does not split."""


def known_techniques(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[Technique, ...]:
    """Parse names separated by commas to techniques, in the order of ``TECHNIQUES``.

    Without a value, return the default list of techniques.
    """
    if value is None:
        return LADDER
    by_word = {_normalize(name): name for name in TECHNIQUES}
    chosen = set()
    for item in value.split(","):
        name = by_word.get(_normalize(item))
        if name is None:
            hint = suggest_name(_normalize(item), by_word) or "csp explain --help lists them"
            raise click.BadParameter(f"unknown technique: {item.strip()}; {hint}")
        chosen.add(name)
    return tuple([technique for name, technique in TECHNIQUES.items() if name in chosen])


def _normalize(name: str) -> str:
    return name.strip().lower().replace("_", " ").replace("-", " ")


def ladder_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --techniques and --uniqueness to a command."""
    options = [
        click.option("--techniques", metavar="NAMES", callback=known_techniques,
                     shell_complete=lambda ctx, option, text: complete_list(NAMES, text),
                     help="Use only these techniques, separated by commas."),
        click.option("--uniqueness", is_flag=True,
                     help="Also use uniqueness tests, after proving one solution."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def words_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --words and --language to a command."""
    options = [
        click.option("--words", type=click.Choice(["normal", "simple"]), default="normal", show_default=True,
                     help="Style of the sentences: normal, or short for easy steps."),
        click.option("--language", type=click.Choice([*LANGUAGES]), metavar="|".join(LANGUAGES),
                     help="Language of the short sentences."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def choose_words(model: Model, words: str, language: str | None) -> SimpleWords | None:
    """Return a writer of short sentences for --words simple; None for normal words."""
    if words == "simple":
        return SimpleWords(model, language or "en")
    if language:
        raise click.UsageError(f"only short sentences have a language: write --words simple --language {language}")
    return None


def choose_ladder(
    solver: Solver, ladder: tuple[Technique, ...], uniqueness: bool, seconds: float | None, progress: ProgressWatch
) -> tuple[tuple[Technique, ...], bool]:
    """Return the techniques to use, and whether the puzzle was proved unique for them.

    Without this proof, techniques that need it are an error. The proof covers hidden variables, too, as uniqueness
    tests argue from all variables.
    """
    if uniqueness:
        ladder = tuple([technique for technique in TECHNIQUES.values() if technique in ladder or technique.on_request])
    if not any(technique.on_request for technique in ladder):
        return ladder, False
    # Without ``show``, solutions that differ in hidden variables count as different.
    unprojected = Model(solver.model.domains, solver.model.constraints)
    result = verdict(Solver(unprojected, settings=Settings(seconds=seconds)), progress)
    if result.solutions == "unknown":
        raise Stopped(result.stopped)
    if result.solutions != "one":
        hidden = " in all variables, including hidden ones" if set(unprojected.shown) - set(solver.model.shown) else ""
        fail(f"csp: uniqueness tests need a puzzle with one solution{hidden}: {result.message}", NO_SOLUTION)
    return ladder, True

"""The command ``csp explain``: explains a solution in steps that a person can follow."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import click

from csp import Settings, Solver, Stopped, counted
from csp.explain import LADDER, TECHNIQUES, SimpleWords, Step, Technique, Verdict, Walker, report, verdict

from ..asking import Ask, question
from ..ladder import choose_ladder, choose_words, ladder_options, words_options
from ..options import Whole, folder
from ..output import deliver, say
from ..progress import NO_SOLUTION, Ended
from .play import describe_spec


@question(
    json=True, timeout=True,
    epilog=f"Techniques from easy to hard: {', '.join(TECHNIQUES)}.",
)  # fmt: skip
@click.option("--until", type=Whole(min=1), metavar="N", help="Maximum number of steps.")
@ladder_options
@words_options
@click.option("--report", "compact", is_flag=True, help="Print the number of singles in each pass.")
@click.option("-o", "--out", type=click.Path(allow_dash=True), metavar="PAGE|DIR",
              help="Write a page that plays the steps, or pictures.")  # fmt: skip
def explain(
    ask: Ask,
    until: int | None,
    techniques: tuple[Technique, ...],
    uniqueness: bool,
    words: str,
    language: str | None,
    compact: bool,
    out: str | None,
) -> None:
    """Explain how a person solves the spec FILE, step by step.

    Each step uses the easiest technique that finds something, and names its reason.

    Exit code: 0 solved or --until, 1 stuck or no solution, 2 malformed input, 3 stopped by a limit.

    Example: csp explain examples/sudoku.csp --until 3
    """
    form = page_or_folder(ask, out)
    if compact:
        line = report(ask.solver)
        return ask.say(line, {"report": line})
    solver, writer = ask.solver, choose_words(ask.model, words, language)
    ladder, is_unique = choose_ladder(solver, techniques, uniqueness, ask.timeout, ask.progress)
    walker = Walker(solver, None, ladder, is_unique, ask.progress)
    # Normal words state the values of the spec: say once what they mean.
    for line in SimpleWords(ask.model).legend if writer is None and out != "-" and not ask.as_json else ():
        say(line)
    if out is None:
        print_steps(ask, walker, walker if until is None else walker.first(until), until, words=writer)
        return
    from csp.render import StepPictures

    pictures = StepPictures(walker, until, writer)
    ending = print_steps(ask, walker, pictures, until, out == "-", writer)
    if form == "page":
        text, title, included = describe_spec(ask, ask.spec[0])
        deliver(out, pictures.page(ending, title, "", text, included).encode())
    else:
        for name, content in pictures.files().items():
            Path(out).mkdir(parents=True, exist_ok=True)
            deliver(str(Path(out) / name), content.encode())
        if stale := pictures.earlier(Path(out)):
            for path in stale:
                path.unlink()
            say(f"csp: removed {len(stale)} files of an earlier run from {out}", err=True)


def page_or_folder(ask: Ask, out: str | None) -> str:
    """Return ``page`` if --out is a .html file or standard output, else ``folder``.

    Raises ``BadParameter`` if --out is another file, or an input.
    """
    is_page = out == "-" or (out or "").lower().endswith((".html", ".htm"))
    if not is_page and out is not None:
        folder(out, instead=f"a page, such as {Path(out).with_suffix('.html')}, or ")
    if is_page:
        ask.form(out, {".html": "page", ".htm": "page"}, "page")
    return "page" if is_page else "folder"


def print_steps(
    ask: Ask,
    walker: Walker,
    walk: Iterable[Step],
    until: int | None,
    is_quiet: bool = False,
    words: SimpleWords | None = None,
) -> str:
    """Print solution steps as soon as they are found; return the concluding sentence.

    Also prints this sentence and sets the exit code; ``is_quiet`` prints nothing. ``until`` is the maximum number of
    steps in ``walk``.
    """
    steps = 0
    try:
        for step in walk:
            steps += 1
            first, *reasons = step.lines if words is None else words.lines(step)
            text = "\n".join([f"{steps}. {first}", *("   " + line for line in reasons)])
            if not is_quiet:
                simple = {} if words is None else {"words": words.sentences(step)}
                ask.say(text, {"step": steps, **step.as_dict(), **simple})
    except (Stopped, Ended) as end:
        ask.stop(end, f"{counted(steps, 'step')} so far")
        return f"{end}: {counted(steps, 'step')} so far"
    # The requested number of steps ends the walk in the middle.
    ending = "open" if until is not None and steps == until and walker.ending == "open" else walker.ending
    message = detail = walker.conflict
    open_count, code = walker.open, 0 if ending in ("solved", "open") else NO_SOLUTION
    # No technique applies: find out whether the puzzle has a solution.
    if ending == "open" and steps != until:
        solution_verdict = verdict(Solver(ask.model, settings=Settings(seconds=ask.timeout)), ask.progress)
        ending, message = "stuck", solution_verdict.message
        cut_off = f"limits ended the search: {', '.join(walker.limits)}; " if walker.limits else ""
        detail = cut_off + remaining_solutions(solution_verdict) + advice(ask, solution_verdict, walker.ladder)
        code = ask.progress.code if solution_verdict.solutions == "unknown" else NO_SOLUTION
    data = {"ending": ending, "steps": steps, "open": open_count, "message": message}
    sentence = ending_text(ending, steps, open_count, detail)
    if words is not None and ending == "solved":
        sentence = words.write_solved(steps)
    ask.end()
    if not is_quiet:
        ask.say(sentence, data)
    ask.code = code
    return sentence


def advice(ask: Ask, result: Verdict, ladder: Collection[Technique]) -> str:
    """Return a clause about what to do after a stuck path; empty if unknown."""
    if result.solutions == "unknown":
        return "; a larger --timeout may find out" if ask.timeout else ""
    if result.solutions != "one" or result.best is not None:
        return f"; csp check {ask.file} shows {'why' if result.solutions == 'none' else 'two of them'}"
    if len(ladder) < len(LADDER):
        return "; without --techniques, all techniques are tried"
    return f"; csp solve {ask.file} finds it by search"


def remaining_solutions(result: Verdict) -> str:
    """Return a clause about a puzzle's number of solutions, for the end of a message."""
    if result.best is not None:
        return result.message
    is_unknown = result.solutions == "unknown" and not result.found
    return f"{'whether the puzzle has a solution is' if is_unknown else 'the puzzle has'} {result.message}"


def ending_text(ending: str, steps: int, open_count: int, detail: str) -> str:
    """Return the sentence that says how the solution path ends."""
    unfixed = counted(open_count, "unfixed variable")
    match ending:
        case "solved":
            return f"solved in {counted(steps, 'step')}"
        case "no solution":
            return f"no solution: {detail}"
        case "stuck":
            return f"stuck after {counted(steps, 'step')}: no technique finds a step for the {unfixed}; {detail}"
    return f"{counted(steps, 'step')}; {counted(open_count, 'variable')} unfixed"

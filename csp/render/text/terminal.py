"""A trace as screens of text, for a terminal."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

from ...board.borders import DRAWN, Borders
from ...board.grid import Position, is_indexed
from ...board.grid_table import GridTable, grid_tables
from ...model import Value, Variable
from ...picture.scene import Scene, merge_moments, scene
from ...trace import Dequeued, Failure, Removal, Rest, Solved, Trace, replay
from .failed import HATCH, LEGEND, taken

if TYPE_CHECKING:
    from rich.text import Text

BLUE, RED, YELLOW = "bright_blue", "bright_red", "#F0E442"  # the first two as the theme of the terminal has them
Took = Mapping[Variable, str]
"""Of what has failed, who took each place."""
HELP = "q quit · → ← Home End space · rR round dD decision fF failure"
GONE = "."
"""Where a value was."""
TITLE = 4
"""Lines for the captions of a step."""


def stops(trace: Trace) -> list[int]:
    """The moments at which a player stops: the ends of revisions, what was taken, failures, fixpoints and solutions.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> stops(record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])))
    [0, 2, 3, 4, 5]
    """
    found = [0]
    for number, record in enumerate(trace.records, 1):
        following = trace.records[number] if number < len(trace.records) else None
        match record:
            case Removal(step):
                is_stop = not (isinstance(following, Removal) and following.step == step)
            case Rest():
                is_stop = not isinstance(following, Solved)
            case _:
                is_stop = isinstance(record, Dequeued | Failure | Solved) or following is None
        if is_stop:
            found.append(number)
    return found


class Reel:
    """A trace as screens of text.

    Attributes
    ----------
    stops : list of int
        The moments that have a screen.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> reel = Reel(record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])))
    >>> print(reel.screen(1, 60).plain)
    step 1 · all_different([A, B]): A = 1 removes 1 from B ·
    marked 1
    <BLANKLINE>
    <BLANKLINE>
    queue: 2 in all_different([A, B]), B
    <BLANKLINE>
    A 1          B* [1] 2
    <BLANKLINE>
    * marked  [1] removed now  cause  active  #5-2 5 left, 2 re…
    stop 1 of 4 · q quit · → ← Home End space · rR round dD dec…
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.moments = list(replay(trace))
        self.stops = stops(trace)
        self._tables = grid_tables(trace.model, trace.origins)
        self._places = {v: place for table in self._tables for place, v in table.cells.items()}
        self._rest = [v for v in trace.model.domains if v not in self._places]

    def jump(self, stop: int, kind: type, way: int) -> int:
        """The stop at which the nearest record of a kind has happened, before or after one; itself if there is none."""
        found = [i for i, one in enumerate(self.trace.records, 1) if isinstance(one, kind)]
        stops = sorted({bisect_left(self.stops, number) for number in found})
        return next((one for one in stops[::way] if (one - stop) * way > 0), stop)

    def screen(self, stop: int, width: int, height: int | None = None) -> Text:
        """The text of a stop, for a terminal of some size; what has no room is left out, but not the last line.

        First the lines between the rows of grids are, and what stands on them.
        """
        from rich.text import Text

        text = self._all(stop, width, is_lined=True)
        if height is not None and len(text.split("\n")) >= height:
            text = self._all(stop, width, is_lined=False)
        last = Text(_short(f"stop {stop} of {len(self.stops) - 1} · {HELP}", width), style="not bold dim")
        text = _cropped(text, height, width).append(last)
        text.plain = "".join([c if c.isprintable() or c == "\n" else "\ufffd" for c in text.plain])  # of the spec
        return text

    def _all(self, stop: int, width: int, is_lined: bool) -> Text:
        """What is above the last line."""
        from rich.text import Text

        shown = self._scene(self.stops[stop])
        queue = ", ".join(map(str, self.moments[self.stops[stop]].queue)) or "empty"
        shown = replace(shown, title=f"{HATCH} {shown.title}") if shown.failure else shown
        took = taken(self.trace.model, shown, self._places)
        title = [part for line in shown.title.split("\n") for part in wrap(line, width - 2)]
        if len(title) > TITLE:
            title[TITLE - 1 :] = [title[TITLE - 1] + " …"]
        style = f"bold {RED}" if shown.failure else "bold"
        text = Text("\n".join(title + [""] * (TITLE - len(title))) + "\n", style=style)
        text.append(_short(f"queue: {queue}", width) + "\n\n", style="not bold")
        for table in self._tables:
            text.append(_grid(shown, table, width, self.trace, is_lined, took))
        if self._rest:
            text.append(_list(shown, self._rest, width, self.trace, took))
        legend = Text(style="not bold").append("* marked", style=BLUE).append("  [1] removed now", style=RED)
        legend.append("  ").append("cause", style="reverse bold").append("  ")
        legend.append("active", style=f"underline black on {YELLOW}").append("  #5-2 5 left, 2 removed")
        _add(text.append("\n"), Text(LEGEND, style=f"not bold {RED}") if shown.failure else legend, width)
        return text

    def _scene(self, number: int) -> Scene:
        """What the whole revision that ends at a moment has done."""
        record = self.moments[number].record
        if not isinstance(record, Removal):
            return scene(self.moments[number])
        first = number
        while isinstance(before := self.moments[first - 1].record, Removal) and before.step == record.step:
            first -= 1
        return merge_moments(self.moments[first : number + 1])


def _cropped(text: Text, height: int | None, width: int) -> Text:
    """As many lines as leave room for one more."""
    from rich.text import Text

    lines = text.split("\n")
    if height is None or len(lines) < height:
        return text
    for line in lines:
        line.truncate(width)
    kept = [*lines[: max(0, height - 2)], Text(_short("… the terminal is too low", width), style="not bold dim")]
    return Text("\n").join(kept[: max(0, height - 1)]).append("\n" if height > 1 else "")


def _heading(table: GridTable, axis: int) -> dict[int, str]:
    """The index that a row, or a column, of a grid has in the names of all its cells."""
    found: dict[int, set[str]] = {}
    for place, variable in table.cells.items():
        found.setdefault(place[axis], set()).add(str(variable.indices[axis]) if is_indexed(variable) else "")
    return {line: one for line, (one, *more) in ((line, sorted(names)) for line, names in found.items()) if not more}


def _grid(shown: Scene, table: GridTable, width: int, trace: Trace, is_lined: bool, took: Took) -> Text:
    from rich.text import Text

    domains = trace.model.domains
    named = not all(map(is_indexed, table.cells.values()))
    above, beside = _heading(table, 1), _heading(table, 0)
    lead = max(map(len, beside.values()), default=0) + 1 if any(beside.values()) else 0
    widths, fits = _widths(table, width - lead, max(_full(v, domains[v], named) for v in table.cells.values()))
    corners = {(r - 1, c): words for (r, c), words in table.corners.items()} if is_lined else {}
    borders = Borders(table.right, table.below if is_lined else {}, widths, DRAWN, table.column_gaps, corners)
    edge = len(borders.after(0, table.columns[0] - 1))
    text = Text()
    if any(above.values()):
        line = Text(" " * (lead + edge), style="not bold dim")
        for column, wide in widths.items():
            line.append(above.get(column, "")[:wide].ljust(wide + len(borders.after(0, column))))
        _add(text, line, width)
    for row in (table.rows[0] - 1, *table.rows):
        if row in table.rows:
            line = Text(style="not bold")
            line.append(beside.get(row, "").rjust(lead - 1) + " " if lead else "", style="dim")
            line.append(borders.after(row, table.columns[0] - 1))
            for column, wide in widths.items():
                v = table.cells.get((row, column))
                cell = (
                    _vertex(v, shown, domains[v], wide, named, fits, took) if v else _clue(table, (row, column), wide)
                )
                line.append(cell).append(" " * (wide - cell.cell_len))
                line.append(borders.after(row, column))
            _add(text, line, width)
        under = borders.under(row)
        if under is not None or row in table.row_gaps:
            _add(text, Text(" " * lead + under if under else "", style="not bold"), width)
    return text


def _add(text: Text, line: Text, width: int) -> None:
    """A line, which ends in … where the terminal is too narrow for it."""
    line.rstrip()
    line.truncate(width, overflow="ellipsis")
    text.append(line).append("\n")


def _widths(table: GridTable, width: int, full: int) -> tuple[dict[int, int], bool]:
    """The room of each column, and whether whole domains fit."""
    inner = {c for _, c in table.cells}
    words = {c: [len(text) for (_, at), text in table.beside.items() if at == c] for c in table.columns}
    outer = {c: max(own, default=1) for c, own in words.items() if c not in inner}
    full = max([full, *(length for c in inner for length in words[c])])
    room = (width - sum(outer.values()) - len(words) - 1 - 2 * len(table.column_gaps)) // len(inner)
    return {c: outer.get(c, max(2, min(room, full))) for c in words}, full <= room


def _clue(table: GridTable, place: Position, room: int) -> Text:
    """What stands where no cell is."""
    from rich.text import Text

    words = table.beside.get(place, "")
    words = words if len(words) <= room else ""
    return Text(words.center(room), style="dim reverse") if place in table.black else Text(words)


def _list(shown: Scene, variables: Sequence[Variable], width: int, trace: Trace, took: Took) -> Text:
    from rich.text import Text

    full = max(_full(v, trace.model.domains[v], True) for v in variables)
    room = min(width, full)
    columns = max(1, (width + 3) // (room + 3))
    text = Text()
    for i, variable in enumerate(variables):
        entry = _vertex(variable, shown, trace.model.domains[variable], room, True, full <= width, took)
        entry.truncate(room, overflow="ellipsis")
        last = i + 1 == len(variables) or (i + 1) % columns == 0
        text.append(entry).append("\n" if last else " " * (room - entry.cell_len + 3))
    return text


def _full(variable: Variable, domain: Sequence[Value], named: bool) -> int:
    """The room for a vertex with all its values, some of them just removed, so that nothing moves between steps."""
    lengths = [len(str(value)) for value in domain]
    if not named and max(lengths, default=1) == 1:
        return len(lengths) + 3
    return (len(variable) + 1 if named else 0) + sum(lengths) + len(lengths) + 4


def _vertex(
    variable: Variable, shown: Scene, domain: Sequence[Value], room: int, named: bool, fits: bool, took: Took
) -> Text:
    """The name if the place does not tell it, the asterisk, and the domain, or its size where it has no room.

    Where whole domains fit, a value keeps its place, and a point is where one was.
    What a screen shows besides is bold, underlined, reversed or struck out, and not coloured alone.
    """
    from rich.text import Text

    left, domain = shown.domains[variable], list(domain)
    removed = [value for one, value in shown.removed if one == variable]
    text = Text(variable if named else "", style="not bold")
    if variable in shown.marked:
        text.append("*", style=f"bold {BLUE}")
    text.append(" " if named else "")
    joint = " " if named or any(len(str(value)) > 1 for value in domain) else ""
    spelt = Text(joint).join(
        Text(f"[{value}]", style=f"strike {RED}") if value in removed
        else Text(str(value)) if value in left else Text(GONE * len(str(value)), style="dim")
        for value in domain
        if value in left or value in removed or (fits and len(left) != 1)
    )  # fmt: skip
    number = f"#{len(left)}"
    counts = [f"{number}-{len(removed)}" if removed else number, number]
    forms = [spelt, *map(Text, [str(left[0])] if len(left) == 1 else counts)]
    if variable in took:  # what is left gives way to who took it
        sign = HATCH + took[variable]
        forms = [Text(sign) + form for form in forms if not took[variable]] + [Text(sign)]
    body = next((form for form in forms if text.cell_len + form.cell_len <= room), forms[-1])
    if len(left) == 1:
        body.stylize("bold")
    if variable in shown.active:
        body.stylize(f"underline black on {YELLOW}")
    if variable in shown.failed:
        body.stylize(f"bold {RED} reverse")
    if variable in shown.causes:
        body.stylize("reverse bold")
    return text.append(body)


def _short(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"

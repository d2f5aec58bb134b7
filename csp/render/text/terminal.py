"""Write the moments of a trace as text screens for a terminal.

``Reel`` has the screens; ``playing.py`` shows them and reads the keys.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

from ...board.borders import DRAWN, Borders
from ...board.grid import Position, is_indexed
from ...board.grid_table import GridTable, grid_tables
from ...model import Model, Value, Variable
from ...picture.scene import Scene, merge_moments, scene
from ...trace import Dequeued, Failure, Removal, Rest, Solved, Trace, caption, replay

HATCH = "▒"
LEGEND = f"{HATCH} failure: ↔ row  ↕ column  ▦ group  • one cell  ○ decision"


def taker_signs(model: Model, scene: Scene, places: Mapping[Variable, Position]) -> dict[Variable, str]:
    """Return, for each variable of a failure, a sign for what removed its value.

    The signs are for a row, a column, another group, a single cell and the decision; empty without a failed constraint.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> from csp.trace import Failure, Remover
    >>> row = [Variable("x", 1, c) for c in (1, 2)]
    >>> model = Model(dict.fromkeys(row, (1, 2)), [AllDifferent.of(row, label="row")])
    >>> removed_by = Remover("the decision", ((row[0], 2),)), Remover("row", ((row[1], 2),), 0)
    >>> failure = Failure(0, model.constraints[0], 2, removed_by=removed_by)
    >>> shown = Scene(title="", domains=model.domains, failed=tuple(row), failure=failure)
    >>> taker_signs(model, shown, {v: (0, i) for i, v in enumerate(row)})
    {'x(1,1)': '○', 'x(1,2)': '↔'}
    """
    signs = dict.fromkeys(scene.failed, "")
    if scene.failure is None or scene.failure.constraint is None:
        return signs
    for remover, (v, _) in ((group, removed) for group in scene.failure.removed_by for removed in group.removed):
        scope = () if remover.number is None else model.constraints[remover.number].scope
        # A group whose cells are all in one row, or in one column, has an arrow as its sign.
        lines = [{places[v][axis] for v in scope if v in places} for axis in (0, 1)]
        if remover.place == "the decision":
            sign = "○"
        elif len(scope) < 2:
            sign = "•"
        else:
            sign = "↔" if len(lines[0]) == 1 else "↕" if len(lines[1]) == 1 else "▦"
        signs[v] = sign
    return signs


if TYPE_CHECKING:
    from rich.text import Text

BLUE, RED, YELLOW = "bright_blue", "bright_red", "#F0E442"  # the first two as the theme of the terminal has them
TakerSigns = Mapping[Variable, str]
"""For each variable of a failure, the sign of the constraint that excluded the value."""
HELP = "q quit · → ← Home End space · rR round dD decision fF failure"
REMOVED_PLACE = "."
"""Character in the place of a removed value."""
TITLE_LINES = 4
"""Number of lines for the caption of a step; longer captions are cut."""


def stops(trace: Trace) -> list[int]:
    """Return the indices of the moments at which the terminal player stops.

    A player stops after each step, dequeued entry, failure, fixpoint and solution, and at the start and the end.

    Examples
    --------
    >>> from csp import AllDifferent, Model, record
    >>> stops(record(Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])))
    [0, 2, 3, 4, 5]
    """
    moments = [0]
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
            moments.append(number)
    return moments


class Reel:
    """The screens of a trace for the terminal player, one for each stop.

    Attributes
    ----------
    stops : list of int
        The numbers of the moments that have a screen.

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
        self._other_variables = [v for v in trace.model.domains if v not in self._places]

    def jump(self, stop: int, kind: type, direction: int) -> int:
        """Return the next stop at a record of a kind; without one, return ``stop``.

        ``direction`` is 1 to search forward and -1 to search back.
        """
        record_numbers = [i for i, record in enumerate(self.trace.records, 1) if isinstance(record, kind)]
        stops = sorted({bisect_left(self.stops, number) for number in record_numbers})
        return next((record for record in stops[::direction] if (record - stop) * direction > 0), stop)

    def screen(self, stop: int, width: int, height: int | None = None) -> Text:
        """Return the screen of one stop as text, cut to the size of the terminal.

        A screen that is too high loses the lines between the rows of its grids first, and then its end. The last line
        of the screen is always shown.
        """
        from rich.text import Text

        text = self._body(stop, width, is_lined=True)
        if height is not None and len(text.split("\n")) >= height:
            text = self._body(stop, width, is_lined=False)
        last = Text(_shorten(f"stop {stop} of {len(self.stops) - 1} · {HELP}", width), style="not bold dim")
        text = _crop(text, height, width).append(last)
        text.plain = "".join([c if c.isprintable() or c == "\n" else "\ufffd" for c in text.plain])  # names of the spec
        return text

    def _body(self, stop: int, width: int, is_lined: bool) -> Text:
        """Return a screen without its last line: caption, queue, grids, variables, legend."""
        from rich.text import Text

        scene_now = self._scene(self.stops[stop])
        queue = ", ".join(map(str, self.moments[self.stops[stop]].queue)) or "empty"
        if scene_now.failure:
            scene_now = replace(scene_now, title=f"{HATCH} {caption(scene_now.failure, is_short=True)}")
        signs = taker_signs(self.trace.model, scene_now, self._places)
        title = [part for line in scene_now.title.split("\n") for part in wrap(line, width - 2)]
        if len(title) > TITLE_LINES:
            title[TITLE_LINES - 1 :] = [title[TITLE_LINES - 1] + " …"]
        style = f"bold {RED}" if scene_now.failure else "bold"
        text = Text("\n".join(title + [""] * (TITLE_LINES - len(title))) + "\n", style=style)
        text.append(_shorten(f"queue: {queue}", width) + "\n\n", style="not bold")
        for table in self._tables:
            text.append(_grid_text(scene_now, table, width, self.trace, is_lined, signs))
        if self._other_variables:
            text.append(_list_text(scene_now, self._other_variables, width, self.trace, signs))
        legend = Text(style="not bold").append("* marked", style=BLUE).append("  [1] removed now", style=RED)
        legend.append("  ").append("cause", style="reverse bold").append("  ")
        legend.append("active", style=f"underline black on {YELLOW}").append("  #5-2 5 left, 2 removed")
        _append_line(text.append("\n"), Text(LEGEND, style=f"not bold {RED}") if scene_now.failure else legend, width)
        return text

    def _scene(self, number: int) -> Scene:
        """Return the scene at a moment, with all removals of the step that ends there."""
        record = self.moments[number].record
        if not isinstance(record, Removal):
            return scene(self.moments[number])
        first = number
        while isinstance(before := self.moments[first - 1].record, Removal) and before.step == record.step:
            first -= 1
        return merge_moments(self.moments[first : number + 1])


def _crop(text: Text, height: int | None, width: int) -> Text:
    """Return a text, cut so that the terminal has one free line."""
    from rich.text import Text

    lines = text.split("\n")
    if height is None or len(lines) < height:
        return text
    for line in lines:
        line.truncate(width)
    shown_lines = [
        *lines[: max(0, height - 2)],
        Text(_shorten("… the terminal is too low", width), style="not bold dim"),
    ]
    return Text("\n").join(shown_lines[: max(0, height - 1)]).append("\n" if height > 1 else "")


def _headings(table: GridTable, axis: int) -> dict[int, str]:
    """Return the heading of each row or column whose cells share an index."""
    names_by_line: dict[int, set[str]] = {}
    for place, variable in table.cells.items():
        names_by_line.setdefault(place[axis], set()).add(str(variable.indices[axis]) if is_indexed(variable) else "")
    return {
        line: heading
        for line, (heading, *others) in ((line, sorted(names)) for line, names in names_by_line.items())
        if not others
    }


def _grid_text(scene: Scene, table: GridTable, width: int, trace: Trace, is_lined: bool, signs: TakerSigns) -> Text:
    """Return a grid with headings and borders as terminal text."""
    from rich.text import Text

    domains = trace.model.domains
    # Names are needed only in a grid whose cells have no indices.
    has_names = not all(map(is_indexed, table.cells.values()))
    top_headings, left_headings = _headings(table, 1), _headings(table, 0)
    lead_width = max(map(len, left_headings.values()), default=0) + 1 if any(left_headings.values()) else 0
    widths, fits = _widths(
        table, width - lead_width, max(_full_width(v, domains[v], has_names) for v in table.cells.values())
    )
    corners = {(r - 1, c): words for (r, c), words in table.corners.items()} if is_lined else {}
    borders = Borders(table.right, table.below if is_lined else {}, widths, DRAWN, table.column_gaps, corners)
    # Write the headings of the columns, then each row and the border below it.
    edge = len(borders.after(0, table.columns[0] - 1))
    text = Text()
    if any(top_headings.values()):
        line = Text(" " * (lead_width + edge), style="not bold dim")
        for column, wide in widths.items():
            line.append(top_headings.get(column, "")[:wide].ljust(wide + len(borders.after(0, column))))
        _append_line(text, line, width)
    for row in (table.rows[0] - 1, *table.rows):
        if row in table.rows:
            line = Text(style="not bold")
            line.append(left_headings.get(row, "").rjust(lead_width - 1) + " " if lead_width else "", style="dim")
            line.append(borders.after(row, table.columns[0] - 1))
            for column, wide in widths.items():
                v = table.cells.get((row, column))
                cell = (
                    _variable_text(v, scene, domains[v], wide, has_names, fits, signs)
                    if v
                    else _outer_text(table, (row, column), wide)
                )
                line.append(cell).append(" " * (wide - cell.cell_len))
                line.append(borders.after(row, column))
            _append_line(text, line, width)
        under = borders.under(row)
        if under is not None or row in table.row_gaps:
            _append_line(text, Text(" " * lead_width + under if under else "", style="not bold"), width)
    return text


def _append_line(text: Text, line: Text, width: int) -> None:
    """Append ``line`` to ``text``, shortened by an ellipsis if it is too wide."""
    line.rstrip()
    line.truncate(width, overflow="ellipsis")
    text.append(line).append("\n")


def _widths(table: GridTable, width: int, widest: int) -> tuple[dict[int, int], bool]:
    """Return the width of each column in characters, and whether whole domains fit."""
    inner = {c for _, c in table.cells}
    words = {c: [len(text) for (_, at), text in table.beside.items() if at == c] for c in table.columns}
    outer = {c: max(lengths, default=1) for c, lengths in words.items() if c not in inner}
    widest = max([widest, *(length for c in inner for length in words[c])])
    room = (width - sum(outer.values()) - len(words) - 1 - 2 * len(table.column_gaps)) // len(inner)
    return {c: outer.get(c, max(2, min(room, widest))) for c in words}, widest <= room


def _outer_text(table: GridTable, place: Position, room: int) -> Text:
    """Return the clue outside of the grid at a place; empty if longer than ``room``."""
    from rich.text import Text

    words = table.beside.get(place, "")
    words = words if len(words) <= room else ""
    return Text(words.center(room), style="dim reverse") if place in table.black else Text(words)


def _list_text(scene: Scene, variables: Sequence[Variable], width: int, trace: Trace, signs: TakerSigns) -> Text:
    """Return variables with their domains as terminal text, in columns."""
    from rich.text import Text

    full_width = max(_full_width(v, trace.model.domains[v], True) for v in variables)
    room = min(width, full_width)
    columns = max(1, (width + 3) // (room + 3))
    text = Text()
    for i, variable in enumerate(variables):
        entry = _variable_text(variable, scene, trace.model.domains[variable], room, True, full_width <= width, signs)
        entry.truncate(room, overflow="ellipsis")
        last = i + 1 == len(variables) or (i + 1) % columns == 0
        text.append(entry).append("\n" if last else " " * (room - entry.cell_len + 3))
    return text


def _full_width(variable: Variable, domain: Sequence[Value], named: bool) -> int:
    """Return the width in characters of a variable, its whole domain and its signs."""
    lengths = [len(str(value)) for value in domain]
    if not named and max(lengths, default=1) == 1:
        return len(lengths) + 3
    return (len(variable) + 1 if named else 0) + sum(lengths) + len(lengths) + 4


def _variable_text(
    variable: Variable, scene: Scene, domain: Sequence[Value], room: int, has_name: bool, fits: bool, signs: TakerSigns
) -> Text:
    """Return a variable with its domain as terminal text; an asterisk if it is queued.

    If ``room`` is short, the number of values replaces the domain. If whole domains fit (``fits``), each value keeps
    its place, and a point replaces a removed value.
    Every colour is accompanied by bold, underlined, reversed or struck text, for readers who do not see colours.
    """
    from rich.text import Text

    remaining, domain = scene.domains[variable], list(domain)
    removed = [value for v, value in scene.removed if v == variable]
    text = Text(variable if has_name else "", style="not bold")
    if variable in scene.marked:
        text.append("*", style=f"bold {BLUE}")
    text.append(" " if has_name else "")
    # Prepare the domain in full, as a single value or as a count; the first form that fits is shown.
    joint = " " if has_name or any(len(str(value)) > 1 for value in domain) else ""
    spelt = Text(joint).join(
        Text(f"[{value}]", style=f"strike {RED}") if value in removed
        else Text(str(value)) if value in remaining else Text(REMOVED_PLACE * len(str(value)), style="dim")
        for value in domain
        if value in remaining or value in removed or (fits and len(remaining) != 1)
    )  # fmt: skip
    number = f"#{len(remaining)}"
    counts = [f"{number}-{len(removed)}" if removed else number, number]
    forms = [spelt, *map(Text, [str(remaining[0])] if len(remaining) == 1 else counts)]
    if variable in signs:  # the sign of a failure replaces the domain
        sign = HATCH + signs[variable]
        forms = [Text(sign) + form for form in forms if not signs[variable]] + [Text(sign)]
    body = next((form for form in forms if text.cell_len + form.cell_len <= room), forms[-1])
    # Emphasize by the state of the variable; later styles override earlier ones.
    if len(remaining) == 1:
        body.stylize("bold")
    if variable in scene.active:
        body.stylize(f"underline black on {YELLOW}")
    if variable in scene.failed:
        body.stylize(f"bold {RED} reverse")
    if variable in scene.causes:
        body.stylize("reverse bold")
    return text.append(body)


def _shorten(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"

"""A solution as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..engine.ask.answers import Solution
from ..ground.errors import ModelError
from ..ground.notation import Domain, visible
from ..model import AllDifferent, Model, Value, Variable
from .areas import find_areas, sides
from .borders import DRAWN, PLAIN, Borders
from .drawn.skins import joins, skins, undrawn
from .grid import Position, find_grids, is_indexed, loops_of

if TYPE_CHECKING:
    from .drawn.said import Room
    from .grid_table import GridTable


class ShownValue(NamedTuple):
    """What stands at a place: a text, empty where nothing does, and the variable that it is the value of."""

    text: str
    cell: Variable | None


Block = dict[tuple[Value, ...], ShownValue]
"""What is shown under one name, by its indices."""


def answer_text(model: Model, solution: Solution) -> str:
    """What an answer shows: with two integer indices a grid, with three its layers, all else ``name = value``.

    Lines part a grid where it has regions. What is no cell, and what a layout leaves out, is a dot.
    """
    is_named = not all(map(is_indexed, model.domains))
    told = _boards(model, solution) if is_named and not (model.layout or model.show) else {}
    blocks = {**_families(model, solution, {v for own in told.values() for v in own}), **layouts(model, solution)}
    for one in model.drawn:
        if one.name == "pair" and all(family in blocks for family in one.indices):
            left, right = (str(family) for family in one.indices)
            upon = blocks.pop(right)
            pairs = {at: one._replace(text=f"{one.text}/{upon[at].text}") for at, one in blocks[left].items()}
            blocks[left] = pairs
    loops, tables = loops_of(model), _tables(model)
    has_rooms = any(one.name == "border" and one.variables for one in model.drawn)
    plain: list[str] = []
    texts = [*told]
    for name, block in blocks.items():
        if name in loops:
            from .drawn.texts import loop_text

            texts.append((f"{name}:\n" if len(blocks) > 1 else "") + loop_text(model, name, solution))
            continue
        if not all(is_place(indices) for indices in block):
            plain += [f"{Variable(name, *indices)} = {shown.text}" for indices, shown in block.items() if shown.text]
            continue
        for layer, cells in layers(block):
            title = f"{name}({layer},_,_):\n" if layer is not None else f"{name}:\n" if len(blocks) > 1 else ""
            own = {one.cell: one.text for one in cells.values() if one.cell}
            table = next((one for one in tables if {*one.cells.values()} == own.keys()), None)
            if table and (has_rooms or (table.corners and not skins(model).keys().isdisjoint(own))):
                table = None
            texts.append(title + (table.framed(own) if table else _grid(model, cells, solution, name)))
    return "\n\n".join(["\n".join(plain), *texts] if plain else texts)


def solution_text(solution: Solution) -> str | None:
    """As ``answer_text``, where the solution knows its model."""
    return answer_text(solution.model, solution) if solution.model else None


def domains_text(model: Model, domains: Mapping[Variable, Domain]) -> str:
    """The same with all values that variables may have, as a person writes them into the cells with a pencil.

    Examples
    --------
    >>> model = Model({Variable("x", 1, c): (1, 2) for c in (1, 2)})
    >>> print(domains_text(model, {Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (2,)}))
    12  2
    """
    texts = [(v, _joined(domain, is_place(v.indices))) for v, domain in domains.items()]
    return answer_text(replace(model, layout=(), drawn=()), Solution(texts))


def _joined(domain: Domain, is_inside: bool) -> str:
    """Values beside each other, within a grid as close as they can be told apart."""
    texts = [str(value) for value in domain]
    return ("" if is_inside and max(map(len, texts), default=0) == 1 else " ").join(texts)


def is_place(indices: tuple[Value, ...]) -> bool:
    return len(indices) in (2, 3) and all(isinstance(index, int) for index in indices)


def _tables(model: Model) -> list[GridTable]:
    """The grids on which more than regions is printed; there is none where nothing is asked of groups but to differ."""
    asks = any(len(one.scope) > 1 and not isinstance(one, AllDifferent) for one in model.constraints)
    if model.layout or not (model.drawn or asks):
        return []
    from .grid_table import grid_tables

    return [table for table in grid_tables(model) if table.is_marked]


def _boards(model: Model, solution: Mapping[str, Value]) -> dict[str, Collection[Variable]]:
    """What has no indices and is a grid all the same, or a table of which each column has one of each group."""
    from .strips import find_boards, short_name

    found: dict[str, Collection[Variable]] = {}
    for grid in find_grids(model, undrawn(model)):
        if not all(map(is_indexed, grid)):
            shown = {place: ShownValue(visible(str(solution[v])), v) for v, place in grid.items()}
            found[_grid(model, shown, solution)] = grid
    taken = {v for grid in found.values() for v in grid}
    for board in find_boards(model, taken=taken) if len(taken) < len(model.domains) else ():
        if board.kind == "table" and not all(is_place(v.indices) for v in board.variables):
            columns = [["", *(title for title, _ in board.groups)]]
            for value in board.values:
                own = [next((v for v in group if solution[v] == value), None) for _, group in board.groups]
                columns.append([str(value), *(short_name(v) if v else "" for v in own)])
            wide = [max(map(len, column)) for column in columns]
            rows = zip(*columns, strict=True)
            lines = ["  ".join(text.ljust(w) for text, w in zip(row, wide, strict=True)).rstrip() for row in rows]
            found["\n".join(lines)] = board.variables
    return found


def read_table(text: str, model: Model) -> dict[str, Value]:
    """The values that a table of an answer says, a column for each; none where the model is not shown as one.

    Raises
    ------
    ModelError
        If a row does not have each variable of its group once.
    """
    from .strips import find_boards, short_name

    first, *rows = [line.split() for line in text.splitlines() if line.strip()]
    found: dict[str, Value] = {}
    for board in find_boards(model):
        if board.kind == "table" and first == [*map(str, board.values)] and len(rows) == len(board.groups):
            for (title, group), row in zip(board.groups, rows, strict=True):
                names = {short_name(variable): str(variable) for variable in group}
                own = row[len(title.split()) :]
                if {*own} != names.keys() or len(own) != len(names):
                    raise ModelError(f"the row {' '.join(row)} does not have {', '.join(names)} once each")
                found |= {names[name]: value for name, value in zip(own, board.values, strict=True)}
    return found


def _families(model: Model, solution: Solution, told: Collection[Variable]) -> dict[str, Block]:
    blocks: dict[str, Block] = {}
    made: Mapping[Variable, str] = {}
    away: Collection[Variable] = ()
    on_layout: Collection[str] = ()
    if model.drawn:
        from .drawn.sheets import sheets
        from .drawn.texts import place_texts

        made, away = place_texts(model, solution), undrawn(model)
        lines = joins(model).keys() | {v for one in model.drawn if one.name == "border" for v in one.variables}
        on_layout = {v.family for v in lines if not is_indexed(v)} if sheets(model) else ()
    beside = {v.family for v in model.shown if v not in away}
    for variable in model.shown:
        if variable in told or variable.family in on_layout or (model.layout and variable.family not in model.show):
            continue
        if variable not in away or variable.family not in beside:
            text = made.get(variable, str(solution[variable]))
            blocks.setdefault(variable.family, {})[variable.indices] = ShownValue(visible(text), variable)
    return blocks


def layouts(model: Model, solution: Mapping[str, Value]) -> dict[str, Block]:
    """What the model says to show; several values of one place stand beside each other."""
    blocks: dict[str, Block] = {}
    for entry in model.layout:
        indices, value = entry.place(solution), entry.shown(solution)
        is_fixed = not any(index.variables for index in entry.indices if not isinstance(index, int | str))
        if indices is None or (value is None and not is_fixed):
            continue
        block = blocks.setdefault(entry.name, {})
        known = block.get(indices, ShownValue("", None))
        own = "" if value is None else visible(str(value))
        block[indices] = ShownValue("/".join(filter(None, (known.text, own))), entry.cell or known.cell)
    return blocks


def layers(block: Block) -> Iterator[tuple[Value | None, dict[Position, ShownValue]]]:
    """The grids of a block, each with its first index where there are three."""
    layers: dict[Value | None, dict[Position, ShownValue]] = {}
    for indices, shown in block.items():
        *layer, row, column = indices
        layers.setdefault(layer[0] if layer else None, {})[int(row), int(column)] = shown
    for index in sorted(layers, key=lambda index: int(index or 0)):
        yield index, layers[index]


def _grid(model: Model, shown: Mapping[Position, ShownValue], solution: Mapping[str, Value], name: str = "") -> str:
    rows, columns = (numbered(place[axis] for place in shown) for axis in (0, 1))
    at = {(rows[row], columns[column]): cell for (row, column), cell in shown.items()}
    cells = {cell.cell: place for place, cell in at.items() if cell.cell}
    if not cells and (model.drawn or any(variable.family == name for variable in model.domains)):
        cells = {Variable(name, r, c): (rows[r], columns[c]) for r in rows for c in columns}
    rooms: Sequence[Room] = ()
    drawn: Collection[tuple[Position, Position]] = ()
    level: dict[Position, str] = {}
    if model.drawn:
        from .drawn.texts import LEVEL, bridged, drawn_on

        told = drawn_on(model, cells, solution)
        rooms, drawn = told.rooms, told.sides
        walls = dict.fromkeys(told.shades, "#") | {s.places[0]: s.text for s in told.spots if len(s.places) == 1}
        bridges = bridged(told.chains)
        at = {place: ShownValue(text, None) for place, text in walls.items()} | at
        at |= {place: ShownValue(text, None) for place, text in bridges.items()}
        level = {(r, c + i): text for (r, c), text in bridges.items() for i in (-1, 0) if text in LEVEL}
    width = max(1, *(len(cell.text) for (r, c), cell in at.items() if 0 <= r < len(rows) and 0 <= c < len(columns)))
    texts = [[(at[r, c].text if (r, c) in at else "") or "." for c in range(len(columns))] for r in range(len(rows))]
    right, below = _borders(model, cells, rooms, drawn)
    if width > 1 and all((r, c) in right for r in range(len(rows)) for c in range(len(columns) - 1)):
        right, below = {}, {}  # without two entries beside each other it would be read letter by letter
    pen = DRAWN if any(min(place) < 0 for place in (*right, *below)) else PLAIN
    wide = {c for _, c in right} if pen is PLAIN else ()
    borders = Borders(right | level, below, dict.fromkeys(range(len(columns)), width), pen, wide)
    lines = [borders.under(-1)] if pen is DRAWN else []
    for r, row in enumerate(texts):
        own = "".join(text.rjust(width) + borders.after(r, c) for c, text in enumerate(row))
        lines += [(borders.after(r, -1) + own).rstrip(), borders.under(r)]
    return "\n".join(line for line in lines if line is not None)


def numbered(indices: Iterable[int]) -> dict[int, int]:
    return {index: number for number, index in enumerate(sorted(set(indices)))}


def _borders(
    model: Model,
    cells: Mapping[Variable, Position],
    rooms: Sequence[Room],
    drawn: Collection[tuple[Position, Position]],
) -> tuple[dict[Position, str], dict[Position, str]]:
    """The cells with a border to their right, and those with one below, wherever there is a cell beyond.

    What the spec draws as a border of a solution goes before what can be guessed.
    """
    inside = {*cells.values()}
    out = any(not inside.issuperset(side) for side in drawn)  # a loop may go along the edge
    if rooms or drawn:
        of = {place: number for number, room in enumerate(rooms) for place in room.places}
        pairs = {((r, c), (r + i, c + j)) for r, c in inside for i, j in ((0, 1), (1, 0))}
        lines = {*drawn, *(pair for pair in pairs if of.get(pair[0]) != of.get(pair[1]))}
        right = {one for one, other in lines if one[0] == other[0]}
        below = {one for one, other in lines if one[0] != other[0]}
    else:
        areas = find_areas(model, cells)
        right, below = sides([*areas.boxes, *areas.regions], cells)
    return (
        {(r, c): "region" for r, c in right if out or inside.issuperset([(r, c), (r, c + 1)])},
        {(r, c): "region" for r, c in below if out or inside.issuperset([(r, c), (r + 1, c)])},
    )

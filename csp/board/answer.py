"""Write a solution, or domains, as text.

The text has grids, loops, tables, and lines ``name = value``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..base.errors import ModelError
from ..base.notation import Domain, visible
from ..engine.solver.answers import Solution
from ..model import AllDifferent, Model, Value, Variable
from .areas import border_places, find_areas
from .borders import DRAWN, PLAIN, Borders
from .drawn.skins import line_variables, skins, undrawn_variables
from .grid import Position, find_grids, is_indexed, loops_of

if TYPE_CHECKING:
    from .drawn.drawing import Room
    from .grid_table import GridTable


class ShownValue(NamedTuple):
    """The text at a place, possibly empty, with the variable that it shows, or None."""

    text: str
    cell: Variable | None


Block = dict[tuple[Value, ...], ShownValue]
"""The texts under one name, by their indices."""


def answer_text(model: Model, solution: Solution) -> str:
    """Return a solution as text: grids, layouts and lines ``name = value``.

    - Variables with two integer indices form a grid, and with three integer indices several grids.
    - All other variables have a line ``name = value``.
    - Lines separate the regions of a grid.
    - A dot is a place without a cell, or one that a layout leaves empty.
    """
    is_named = not all(map(is_indexed, model.domains))
    boards = _boards(model, solution) if is_named and not (model.layout or model.show) else {}
    blocks = {
        **_families(model, solution, {variable for variables in boards.values() for variable in variables}),
        **layouts(model, solution),
    }
    # A drawing "pair" shows two families in the same places.
    for entry in model.drawn:
        names = [str(family) for family in entry.indices] if entry.name == "pair" else []
        if len({*names}.intersection(blocks)) == 2 and blocks[names[0]].keys() == blocks[names[1]].keys():
            left_name, right_name = names
            right_block = blocks.pop(right_name)
            pairs = {
                at: shown._replace(text=f"{shown.text}/{right_block[at].text}")
                for at, shown in blocks[left_name].items()
            }
            blocks[left_name] = pairs
    loops, tables = loops_of(model), _tables(model)
    has_rooms = any(entry.name == "border" and entry.variables for entry in model.drawn)
    plain: list[str] = []
    texts = [*boards]
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
            values_of_cells = {shown.cell: shown.text for shown in cells.values() if shown.cell}
            # A table shows cages, clues and signs; without one, the grid has only regions.
            table = next(
                (candidate for candidate in tables if {*candidate.cells.values()} == values_of_cells.keys()), None
            )
            if table and (has_rooms or (table.corners and not skins(model).keys().isdisjoint(values_of_cells))):
                table = None
            texts.append(
                title + (table.write_text(values_of_cells) if table else _grid_text(model, cells, solution, name))
            )
    return "\n\n".join(["\n".join(plain), *texts] if plain else texts)


def solution_text(solution: Solution) -> str | None:
    """Return the text of a solution, or None if the solution has no model."""
    return answer_text(solution.model, solution) if solution.model else None


def domains_text(model: Model, domains: Mapping[Variable, Domain]) -> str:
    """Return domains as text: a grid or lines, with the remaining values of each variable.

    Examples
    --------
    >>> model = Model({Variable("x", 1, c): (1, 2) for c in (1, 2)})
    >>> print(domains_text(model, {Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (2,)}))
    12  2
    """
    texts = [(v, _join_values(domain, is_place(v.indices))) for v, domain in domains.items()]
    return answer_text(replace(model, layout=(), drawn=()), Solution(texts))


def _join_values(domain: Domain, is_inside: bool) -> str:
    """Join the values of a domain by spaces; one-character values inside a grid without spaces."""
    texts = [str(value) for value in domain]
    return ("" if is_inside and max(map(len, texts), default=0) == 1 else " ").join(texts)


def is_place(indices: tuple[Value, ...]) -> bool:
    """Return whether indices denote a place: two or three integers."""
    return len(indices) in (2, 3) and all(isinstance(index, int) for index in indices)


def _tables(model: Model) -> list[GridTable]:
    """Return a ``GridTable`` for each grid with printed clues, cages or signs.

    There is none for a model with a layout, and for one without drawings whose constraints are only all_different.
    """
    has_other_constraints = any(
        len(constraint.scope) > 1 and not isinstance(constraint, AllDifferent) for constraint in model.constraints
    )
    if model.layout or not (model.drawn or has_other_constraints):
        return []
    from .grid_table import grid_tables

    return [table for table in grid_tables(model) if table.is_marked]


def _boards(model: Model, solution: Mapping[str, Value]) -> dict[str, Collection[Variable]]:
    """Return the texts of grids without indices and of tables, each with its variables.

    In a table, every column has one variable of each group.
    """
    from .strips import find_boards, short_name

    variables_by_text: dict[str, Collection[Variable]] = {}
    for grid in find_grids(model, undrawn_variables(model)):
        if not all(map(is_indexed, grid)):
            shown = {place: ShownValue(visible(str(solution[v])), v) for v, place in grid.items()}
            variables_by_text[_grid_text(model, shown, solution)] = grid
    taken = {v for grid in variables_by_text.values() for v in grid}
    # A table has a column for each value, with the variable of each group that has it.
    for board in find_boards(model, taken=taken) if len(taken) < len(model.domains) else ():
        if board.kind == "table" and not all(is_place(v.indices) for v in board.variables):
            columns = [["", *(title for title, _ in board.groups)]]
            for value in board.values:
                column_variables = [next((v for v in group if solution[v] == value), None) for _, group in board.groups]
                columns.append([str(value), *(short_name(v) if v else "" for v in column_variables)])
            wide = [max(map(len, column)) for column in columns]
            rows = zip(*columns, strict=True)
            lines = ["  ".join(text.ljust(w) for text, w in zip(row, wide, strict=True)).rstrip() for row in rows]
            variables_by_text["\n".join(lines)] = board.variables
    return variables_by_text


def read_table(text: str, model: Model) -> dict[str, Value]:
    """Read the values of variables from a table that ``answer_text`` has written.

    The result is empty if the model is not shown as a table.

    Raises
    ------
    ModelError
        If a row does not have each variable of its group once.
    """
    from .strips import find_boards, short_name

    first, *rows = [line.split() for line in text.splitlines() if line.strip()]
    values: dict[str, Value] = {}
    for board in find_boards(model):
        if board.kind == "table" and first == [*map(str, board.values)] and len(rows) == len(board.groups):
            for (title, group), row in zip(board.groups, rows, strict=True):
                names = {short_name(variable): str(variable) for variable in group}
                row_names = row[len(title.split()) :]
                if {*row_names} != names.keys() or len(row_names) != len(names):
                    raise ModelError(f"the row {' '.join(row)} does not have {', '.join(names)} once each")
                values |= {names[name]: value for name, value in zip(row_names, board.values, strict=True)}
    return values


def _families(model: Model, solution: Solution, variables_on_boards: Collection[Variable]) -> dict[str, Block]:
    """Return the text of each shown variable, by family and indices.

    Variables that a board or a layout shows are omitted.
    """
    blocks: dict[str, Block] = {}
    texts: Mapping[Variable, str] = {}
    hidden: Collection[Variable] = ()
    on_layout: Collection[str] = ()
    if model.drawn:
        from .drawn.layouts import sheets
        from .drawn.texts import place_texts

        texts, hidden = place_texts(model, solution), undrawn_variables(model)
        lines = line_variables(model).keys() | {
            v for entry in model.drawn if entry.name == "border" for v in entry.variables
        }
        on_layout = {variable.family for variable in lines if not is_indexed(variable)} if sheets(model) else ()
    shown_families = {v.family for v in model.shown if v not in hidden}
    for variable in model.shown:
        if (
            variable in variables_on_boards
            or variable.family in on_layout
            or (model.layout and variable.family not in model.show)
        ):
            continue
        # A variable that is not drawn is printed only if nothing else of its family is.
        if variable not in hidden or variable.family not in shown_families:
            text = texts.get(variable, str(solution[variable]))
            blocks.setdefault(variable.family, {})[variable.indices] = ShownValue(visible(text), variable)
    return blocks


def layouts(model: Model, solution: Mapping[str, Value]) -> dict[str, Block]:
    """Return the texts of the model's ``show`` entries in a solution, by layout and indices.

    Several values at one place are joined by a slash.
    """
    blocks: dict[str, Block] = {}
    for entry in model.layout:
        indices, value = entry.place(solution), entry.shown(solution)
        is_fixed = not any(index.variables for index in entry.indices if not isinstance(index, int | str))
        if indices is None or (value is None and not is_fixed):
            continue
        block = blocks.setdefault(entry.name, {})
        previous = block.get(indices, ShownValue("", None))
        text = "" if value is None else visible(str(value))
        block[indices] = ShownValue("/".join(filter(None, (previous.text, text))), entry.cell or previous.cell)
    return blocks


def layers(block: Block) -> Iterator[tuple[Value | None, dict[Position, ShownValue]]]:
    """Split a block of texts by the first of three indices; yield index and grid.

    With two indices there is one grid, and None instead of that index.
    """
    layers: dict[Value | None, dict[Position, ShownValue]] = {}
    for indices, shown in block.items():
        *layer, row, column = indices
        layers.setdefault(layer[0] if layer else None, {})[int(row), int(column)] = shown
    for index in sorted(layers, key=lambda index: int(index or 0)):
        yield index, layers[index]


def _grid_text(
    model: Model, shown: Mapping[Position, ShownValue], solution: Mapping[str, Value], name: str = ""
) -> str:
    """Return the text of one grid of a solution, with its values, borders and drawings."""
    rows, columns = (ranks_of(place[axis] for place in shown) for axis in (0, 1))
    shown_at = {(rows[row], columns[column]): cell for (row, column), cell in shown.items()}
    cells = {cell.cell: place for place, cell in shown_at.items() if cell.cell}
    # Only a family of the model, or a drawing, has a variable for each place.
    if not cells and (model.drawn or any(variable.family == name for variable in model.domains)):
        cells = {Variable(name, r, c): (rows[r], columns[c]) for r in rows for c in columns}
    rooms: Sequence[Room] = ()
    drawn_borders: Collection[tuple[Position, Position]] = ()
    extensions: dict[Position, str] = {}
    if model.drawn:
        from .drawn.texts import HORIZONTAL, bridge_characters, solution_drawing

        drawing = solution_drawing(model, cells, solution)
        rooms, drawn_borders = drawing.rooms, drawing.sides
        walls = dict.fromkeys(drawing.shades, "#") | {
            spot.places[0]: spot.text for spot in drawing.spots if len(spot.places) == 1
        }
        # Walls are under the values, bridges over them; a bridge also fills the gap between cells.
        bridges = bridge_characters(drawing.chains)
        shown_at = {place: ShownValue(text, None) for place, text in walls.items()} | shown_at
        shown_at |= {place: ShownValue(text, None) for place, text in bridges.items()}
        extensions = {(r, c + i): text for (r, c), text in bridges.items() for i in (-1, 0) if text in HORIZONTAL}
    width = max(
        1, *(len(cell.text) for (r, c), cell in shown_at.items() if 0 <= r < len(rows) and 0 <= c < len(columns))
    )
    texts = [
        [(shown_at[r, c].text if (r, c) in shown_at else "") or "." for c in range(len(columns))]
        for r in range(len(rows))
    ]
    right, below = _borders(model, cells, rooms, drawn_borders)
    # If every cell has a border, wide texts would be read letter by letter: print no borders.
    if width > 1 and all((r, c) in right for r in range(len(rows)) for c in range(len(columns) - 1)):
        right, below = {}, {}
    pen = DRAWN if any(min(place) < 0 for place in (*right, *below)) else PLAIN
    wide = {c for _, c in right} if pen is PLAIN else ()
    borders = Borders(right | extensions, below, dict.fromkeys(range(len(columns)), width), pen, wide)
    lines = [borders.under(-1)] if pen is DRAWN else []
    for r, row in enumerate(texts):
        line = "".join(text.rjust(width) + borders.after(r, c) for c, text in enumerate(row))
        lines += [(borders.after(r, -1) + line).rstrip(), borders.under(r)]
    return "\n".join(text for text in lines if text is not None)


def ranks_of(indices: Iterable[int]) -> dict[int, int]:
    """Map each index to its rank among the sorted indices, from 0."""
    return {index: number for number, index in enumerate(sorted(set(indices)))}


def _borders(
    model: Model,
    cells: Mapping[Variable, Position],
    rooms: Sequence[Room],
    drawn_borders: Collection[tuple[Position, Position]],
) -> tuple[dict[Position, str], dict[Position, str]]:
    """Return the cells with a border to the right, and those with a border below.

    Borders that the spec draws for a solution take precedence over the regions of the model. Only borders between two
    cells of the grid count, unless a drawn border leaves it.
    """
    inside = {*cells.values()}
    has_outer_borders = any(not inside.issuperset(side) for side in drawn_borders)  # a loop may go along the edge
    if rooms or drawn_borders:
        room_of = {place: number for number, room in enumerate(rooms) for place in room.places}
        pairs = {((r, c), (r + i, c + j)) for r, c in inside for i, j in ((0, 1), (1, 0))}
        lines = {*drawn_borders, *(pair for pair in pairs if room_of.get(pair[0]) != room_of.get(pair[1]))}
        right = {first for first, second in lines if first[0] == second[0]}
        below = {first for first, second in lines if first[0] != second[0]}
    else:
        areas = find_areas(model, cells)
        right, below = border_places([*areas.boxes, *areas.regions], cells)
    return (
        {(r, c): "region" for r, c in right if has_outer_borders or inside.issuperset([(r, c), (r, c + 1)])},
        {(r, c): "region" for r, c in below if has_outer_borders or inside.issuperset([(r, c), (r + 1, c)])},
    )

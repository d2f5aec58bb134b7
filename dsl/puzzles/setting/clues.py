"""What a spec without clues has in common with all its puzzles, and what may be told of a solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from csp import Clue, Model, Value

from ...meaning.clauses.build import Build, Program
from ...meaning.expressions.names import Row
from ...text import syntax
from ...text.editing.edit import locate
from ...text.editing.fill import filled
from ...text.errors import Source, SpecError
from ...text.printing.write import quoted_in_spec
from .choice import Choice
from .chosen import ChosenGrid, NoClues, chosen_from, pictures_of
from .options import Options

FactTable = Mapping[str, Sequence[Row]]


class Clues:
    """The facts of a spec that a setter may choose.

    What the spec says of them is left out as far as its variables stay what they are and nothing is added to its
    constraints. A fact is a clue of a solution if constraints follow from it and hold there.

    Parameters
    ----------
    program : Program
    params : mapping from str to value
    grids : mapping from str to Source
        Those that replace grids of the spec; of a chosen one it is the template.
    choices : sequence of Choice
    symmetry : {"rotation", "mirror", "diagonal"}, optional
        Clues whose places a symmetry exchanges come and go together.

    Attributes
    ----------
    model : csp.Model
        The spec without its clues.
    has_files : bool
        Whether the spec includes files that stand beside it.

    Raises
    ------
    SpecError
        If the spec has a mistake.
    NoClues
        If there is nothing to choose.

    Examples
    --------
    >>> text = "grid clue(1, 2).  x(R, C) in 1..2 :- R in {1}, C in 1..2.  x(R, C) = V :- clue(R, C, V)."
    >>> clues = Clues(Program(Source("two.csp", text)), {}, {}, [Choice("clue")])
    >>> groups = clues.told({"x(1,1)": 2, "x(1,2)": 1}, Random(1))
    >>> [clue.fact for (clue,) in groups]
    [('clue', 1, 1, 2), ('clue', 1, 2, 1)]
    """

    def __init__(
        self,
        program: Program,
        params: Mapping[str, Value],
        grids: Mapping[str, Source],
        choices: Sequence[Choice],
        symmetry: str | None = None,
    ) -> None:
        self._program, self._params, self._symmetry = program, params, symmetry
        self._located = locate(program.source.text)
        self.has_files = any(isinstance(one.clause, syntax.Include) and one.clause.is_file for one in self._located)
        pictures = pictures_of(program, grids, choices)
        self._grids = {name: source for name, source in grids.items() if name not in pictures}
        try:
            whole = self._with({}, pictures)
        except SpecError:  # perhaps the spec's own puzzle is none with these params
            pictures = {name: text if name in grids else "" for name, text in pictures.items()}
            whole = self._with({one.name: () for one in choices if one.filled is not None}, pictures)
        self._chosen = {one.name: one for one in chosen_from(program, pictures, choices, whole)}
        build = self._left_out(whole)
        self.model = build.model
        self._options = {name: Options(one, program, build) for name, one in self._chosen.items()}
        self._orbits = list(self._all_orbits())

    def told(self, solution: Mapping[str, Value], random: Random) -> list[tuple[Clue, ...]]:
        """All that may be told of a solution, of each place one fact, in groups that come and go together."""
        found = {
            (name, *place): Clue((name, *row), constraints)
            for name, options in self._options.items()
            for place, row, constraints in options.true(solution, random)
        }
        return [tuple([found[place] for place in orbit]) for orbit in self._orbits if found.keys() >= {*orbit}]

    def text(self, clues: Iterable[Clue], title: str) -> str:
        """The spec with these clues and no others, and with its params and grids.

        Raises
        ------
        NoClues
            If it means anything else than the model with the constraints of the clues.
        """
        clues = list(clues)
        if not all(isinstance(one, ChosenGrid) for one in self._chosen.values()):
            title += " · lint: ignore unmatched-value"  # facts are left out on purpose
        text = self._text(self._facts(clues), title)
        more = [constraint for clue in clues for constraint in clue.constraints]
        try:
            model = Program(replace(self._program.source, text=text)).build({}, {}).model
            is_told = model.domains == self.model.domains and {*model.constraints} == {*self.model.constraints, *more}
        except SpecError:  # of a picture of our own: together the facts say what the spec cannot
            is_told = False
        if not is_told:
            names = " and ".join(self._chosen)
            reason = f"facts of {names} say more together than each by itself, so that none is a clue alone"
            raise NoClues(f"{reason}; what is not set, such as walls, can stand in a grid or in facts of its own")
        return text

    def line(self, clues: Iterable[Clue]) -> str:
        """The clues in one line: a grid, if it is all and has a character for each cell, and else facts."""
        clues = list(clues)
        match [*self._chosen.values()]:
            case [ChosenGrid(name=name) as grid]:
                if (line := grid.line(self._facts(clues)[name])) is not None:
                    return line
        return " ".join([f"{self._term(clue)}." for clue in clues])

    def _term(self, clue: Clue) -> str:
        name, *row = clue.fact
        families = {variable.family for variable in self.model.domains}
        return f"{name}({', '.join([str(v) if isinstance(v, int) else quoted_in_spec(v, families) for v in row])})"

    def _facts(self, clues: Iterable[Clue]) -> FactTable:
        rows: dict[str, list[Row]] = {name: [] for name in self._chosen}
        for clue in clues:
            name, *row = clue.fact
            rows[str(name)].append(tuple(row))
        return {name: one.together(rows[name]) for name, one in self._chosen.items()}

    def _text(self, facts: FactTable, title: str) -> str:
        grids = {name: source.text for name, source in self._grids.items()}
        others: dict[str, Sequence[Row]] = {}
        for name, one in self._chosen.items():
            if isinstance(one, ChosenGrid):
                grids[name] = one.picture(facts[name])
            else:
                others[name] = facts[name]
        return filled(self._program.source.text, self._located, title, self._params, grids, others)

    def _with(self, facts: FactTable, pictures: Mapping[str, str]) -> Build:
        """The spec with other facts and pictures."""
        program = self._program
        if facts:
            text = filled(program.source.text, self._located, "", {}, {}, facts)
            program = Program(replace(program.source, text=text))
        texts = {name: Source(f"grid {name}", text) for name, text in pictures.items()}
        return program.build(self._params, {**self._grids, **texts})

    def _left_out(self, whole: Build) -> Build:
        """Leave out what can be left out; what the spec is without it."""
        build = whole
        for name, one in self._chosen.items():
            for ways in one.without():
                for rows in ways:
                    facts = {**{other: own.rows for other, own in self._chosen.items()}, name: rows}
                    try:
                        text = self._text(facts, "")
                        smaller = Program(replace(self._program.source, text=text)).build({}, {})
                    except SpecError:
                        continue
                    if _is_within(smaller.model, build.model):
                        one.leave(rows)
                        build = smaller
                        break
        return build

    def _all_orbits(self) -> Iterator[list[Row]]:
        """The places, together with those that the symmetry exchanges them with."""
        places = [(name, *place) for name, options in self._options.items() for place in options.places]
        known, told = set(places), set[Row]()
        for place in places:
            if place in told:
                continue
            orbit = [place]
            if self._symmetry is not None:
                name = str(place[0])
                image = self._chosen[name].image(place[1:], self._symmetry)
                if image is None or (name, *image) not in known:
                    raise NoClues(f"the places of {name} have no such symmetry: {self._symmetry}")
                orbit += [(name, *image)] if (name, *image) != place else []
            told.update(orbit)
            yield orbit


def _is_within(smaller: Model, model: Model) -> bool:
    """Whether a model has the same variables and nothing but constraints of another."""
    return smaller.domains == model.domains and {*smaller.constraints} <= {*model.constraints}

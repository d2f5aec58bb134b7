"""Removes the clues of a spec, and finds all clues true in a solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from csp import Clue, Model, Value

from ...semantics.clauses.build import Build, Program
from ...semantics.expressions.names import Row
from ...syntax import nodes
from ...syntax.edit import fill_in, locate
from ...syntax.errors import Source, SpecError
from ...syntax.write import quoted_in_spec
from .chosen import Choice, ChosenGrid, NoClues, chosen_from, pictures_of
from .options import Options

FactTable = Mapping[str, Sequence[Row]]
"""The facts of each chosen relation."""


class Clues:
    """The possible clues of a spec: facts of its chosen relations.

    The facts of the chosen relations are removed from the spec, as far as its variables remain the same and it gets no
    additional constraint. A fact is a clue of a solution if constraints follow from it that the solution satisfies.

    Parameters
    ----------
    program : Program
    params : mapping from str to value
    grids : mapping from str to Source
        Grids that replace grids of the spec; a chosen grid is a template.
    choices : sequence of Choice
    symmetry : {"rotation", "mirror", "diagonal"}, optional
        Clues whose places a symmetry exchanges are added and removed together.

    Attributes
    ----------
    model : csp.Model
        The model of the spec without its clues.
    has_files : bool
        Whether the spec includes other files.

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
    >>> groups = clues.true_clues({"x(1,1)": 2, "x(1,2)": 1}, Random(1))
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
        self.has_files = any(isinstance(item.clause, nodes.Include) and item.clause.is_file for item in self._located)
        # Build the spec with its clues; then remove the clues.
        pictures = pictures_of(program, grids, choices)
        self._grids = {name: source for name, source in grids.items() if name not in pictures}
        try:
            complete = self._build_with({}, pictures)
        except SpecError:  # the puzzle of the spec may not fit these params
            pictures = {name: text if name in grids else "" for name, text in pictures.items()}
            complete = self._build_with({choice.name: () for choice in choices if choice.filled is not None}, pictures)
        self._chosen = {relation.name: relation for relation in chosen_from(program, pictures, choices, complete)}
        build = self._remove_clues(complete)
        self.model = build.model
        self._options = {name: Options(relation, program, build) for name, relation in self._chosen.items()}
        for name, relation in self._chosen.items():
            if isinstance(relation, ChosenGrid):
                relation.check_size(self._options[name].places)
        self._orbits = list(self._all_orbits())

    def true_clues(self, solution: Mapping[str, Value], random: Random) -> list[tuple[Clue, ...]]:
        """Return random clues that hold in a solution, one per place, grouped by symmetry.

        The clues of a group are added and removed together. A group with a place without a true clue is omitted.
        """
        clues = {
            (name, *place): Clue((name, *row), constraints)
            for name, options in self._options.items()
            for place, row, constraints in options.true_facts(solution, random)
        }
        return [tuple([clues[place] for place in orbit]) for orbit in self._orbits if clues.keys() >= {*orbit}]

    def text(self, clues: Iterable[Clue], title: str) -> str:
        """Return the text of the spec with exactly these clues and a title.

        It has the params and grids of this object.

        Raises
        ------
        NoClues
            If its model differs from the model without clues plus the constraints of the clues.
        """
        clues = list(clues)
        if not all(isinstance(relation, ChosenGrid) for relation in self._chosen.values()):
            title += " · lint: ignore unmatched-value"  # facts are left out on purpose
        text = self._text(self._facts(clues), title)
        constraints = [constraint for clue in clues for constraint in clue.constraints]
        # The facts must mean the same together as each of them alone.
        try:
            model = Program(replace(self._program.source, text=text)).build({}, {}).model
            is_same_model = model.domains == self.model.domains and {*model.constraints} == {
                *self.model.constraints,
                *constraints,
            }
        except SpecError:  # the facts contradict each other in combination
            is_same_model = False
        if not is_same_model:
            names = " and ".join(self._chosen)
            reason = f"facts of {names} exclude more together than separately, so no fact is a clue alone"
            raise NoClues(f"{reason}; write fixed parts, such as walls, in a grid or a relation of their own")
        return text

    def line(self, clues: Iterable[Clue]) -> str:
        """Return clues in one line: as a grid if possible, else as facts.

        A grid is possible if it is the only chosen relation and every entry is a single character.
        """
        clues = list(clues)
        match [*self._chosen.values()]:
            case [ChosenGrid(name=name) as grid]:
                if (line := grid.line(self._facts(clues)[name])) is not None:
                    return line
        return " ".join([f"{self._term(clue)}." for clue in clues])

    def _term(self, clue: Clue) -> str:
        """Return the text of a clue's fact, such as ``clue(1, 2, 3)``."""
        name, *row = clue.fact
        families = {variable.family for variable in self.model.domains}
        return f"{name}({', '.join([str(v) if isinstance(v, int) else quoted_in_spec(v, families) for v in row])})"

    def _facts(self, clues: Iterable[Clue]) -> FactTable:
        """Return the facts of the chosen relations in a puzzle with these clues.

        They include the facts that all puzzles have.
        """
        rows: dict[str, list[Row]] = {name: [] for name in self._chosen}
        for clue in clues:
            name, *row = clue.fact
            rows[str(name)].append(tuple(row))
        return {name: relation.with_common_facts(rows[name]) for name, relation in self._chosen.items()}

    def _text(self, facts: FactTable, title: str) -> str:
        """Return the spec's text with ``facts`` in the chosen relations, and a title."""
        grids = {name: source.text for name, source in self._grids.items()}
        plain_facts: dict[str, Sequence[Row]] = {}
        for name, relation in self._chosen.items():
            if isinstance(relation, ChosenGrid):
                grids[name] = relation.picture(facts[name])
            else:
                plain_facts[name] = facts[name]
        return fill_in(self._program.source.text, self._located, title, self._params, grids, plain_facts)

    def _build_with(self, facts: FactTable, pictures: Mapping[str, str]) -> Build:
        """Return the evaluated spec with ``facts`` and ``pictures`` in chosen relations and grids."""
        program = self._program
        if facts:
            text = fill_in(program.source.text, self._located, "", {}, {}, facts)
            program = Program(replace(program.source, text=text))
        texts = {name: Source(f"grid {name}", text) for name, text in pictures.items()}
        return program.build(self._params, {**self._grids, **texts})

    def _remove_clues(self, complete: Build) -> Build:
        """Remove possible clues from the chosen relations; return the spec evaluated without them."""
        build = complete
        for name, relation in self._chosen.items():
            for alternatives in relation.removals():
                for rows in alternatives:
                    facts = {**{other_name: other.rows for other_name, other in self._chosen.items()}, name: rows}
                    try:
                        text = self._text(facts, "")
                        smaller = Program(replace(self._program.source, text=text)).build({}, {})
                    except SpecError:
                        continue
                    # Keep a removal only if the variables remain and no constraint is added.
                    if _is_within(smaller.model, build.model):
                        relation.set_common_facts(rows)
                        build = smaller
                        break
        return build

    def _all_orbits(self) -> Iterator[list[Row]]:
        """Yield the groups of places that the symmetry exchanges, or single places.

        Raises
        ------
        NoClues
            If the image of a place is not a place.
        """
        places = [(name, *place) for name, options in self._options.items() for place in options.places]
        all_places, done = set(places), set[Row]()
        for place in places:
            if place in done:
                continue
            orbit = [place]
            if self._symmetry is not None:
                name = str(place[0])
                image = self._chosen[name].image(place[1:], self._symmetry)
                if image is None or (name, *image) not in all_places:
                    raise NoClues(f"the places of {name} have no such symmetry: {self._symmetry}")
                orbit += [(name, *image)] if (name, *image) != place else []
            done.update(orbit)
            yield orbit


def _is_within(smaller: Model, larger: Model) -> bool:
    """Return whether two models have equal domains, and ``larger`` all constraints of ``smaller``."""
    return smaller.domains == larger.domains and {*smaller.constraints} <= {*larger.constraints}

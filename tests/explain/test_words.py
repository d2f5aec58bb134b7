"""Tests of steps in short sentences: their length, their reasons, and the truth of what they state."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

import dsl
from csp import AllDifferent, Candidate, Drawn, Model, Solver, Value, Variable
from csp.board.drawn.skins import drawings
from csp.board.names import ModelNames
from csp.explain import TECHNIQUES, SimpleWords, Step, Walker
from csp.explain.words import LANGUAGES
from csp.explain.words.simple import MAX_WORDS, PARTS
from docs.make_techniques import CORPUS, load_puzzle

from ..commands import EXAMPLES, run
from ..conftest import TIMES
from ..verdicts import records
from .test_minimal import HIDDEN_PARITIES

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

SIDES = {"above": (-1, 0), "below": (1, 0), "left of": (0, -1), "right of": (0, 1)}
WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
"""The steps that the words for the side of a cell, and for the way from a cell, mean."""
REASONS = {"en": "because", "de": "weil"}
"""The word for a reason in each language; an explanation has it once."""
MAX_VARIABLES, MAX_STEPS = 90, 6
"""The size of the examples that are explained, and the number of their steps."""
SLOW = ("fillomino", "hidoku", "knights_tour", "numbrix")
"""Examples whose first steps take several seconds."""
EASY = [*[*TECHNIQUES.values()][:20], TECHNIQUES["small reason"]]


@cache
def explained_steps() -> list[tuple[Model, Step]]:
    """Return the first steps of examples, and a step of each technique, by the techniques with short sentences.

    Use every third example; ``TIMES=3`` uses all examples.
    """
    steps = []
    for file in sorted(EXAMPLES.glob("*.csp"))[:: max(1, 3 // TIMES)]:
        model = dsl.load(file)
        if len(model.domains) <= MAX_VARIABLES and file.stem not in SLOW:
            steps += [(model, step) for step in Walker(Solver(model), ladder=EASY).first(MAX_STEPS)]
    for record in records(CORPUS):
        if record["technique"] in PARTS:
            model, names = load_puzzle(record), (record["technique"], *record["on"])
            ladder = [technique for technique in TECHNIQUES.values() if technique.name in names]
            for step in Walker(Solver(model), ladder=ladder):
                steps += [(model, step)]
                if step.technique == record["technique"]:
                    break
    return steps


class Reader:
    """A reader of short sentences, which finds the pattern of a sentence and the candidates that it states."""

    def __init__(self, model: Model, language: str) -> None:
        self.words = SimpleWords(model, language)
        self.patterns = LANGUAGES[language][0]
        self.names = ModelNames(model)
        # The cells of a name: each cell alone, and the cells of a row or a column.
        self.cells = {self.words.cells([variable]).lower(): [variable] for variable in model.domains}
        self.cells |= {self.words.short_name(variable).lower(): [variable] for variable in model.domains}
        self.by_place = {(v.family, *cell): v for v, cell in self.names.cells.items()}
        self.domains = model.domains
        self.drawings = drawings(model)

    def matches(self, sentence: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the patterns that a sentence follows, with its fields."""
        for key, pattern in self.patterns.items():
            if pattern.endswith("."):
                fields = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(pattern))
                if match := re.fullmatch(fields, sentence, re.IGNORECASE):
                    yield key, match.groupdict()

    def items(self, text: str) -> list[str]:
        return re.split(rf", | {self.patterns['and']} | {self.patterns['or']} ", text)

    def variables(self, text: str) -> list[Variable]:
        """Return the variables that a name of cells means."""
        if text.lower() in self.cells:
            return self.cells[text.lower()]
        for family in sorted({v.family for v in self.by_place.values()}):
            for key in ("cells of row", "cells of column"):
                with_grid = self.patterns["cell of grid"].format(grid=family, cell=self.patterns[key])
                for pattern in (self.patterns[key], with_grid):
                    fields = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(pattern))
                    if match := re.fullmatch(fields, text, re.IGNORECASE):
                        places = [
                            (family, int(r), int(c))
                            for r in self.items(match["row"])
                            for c in self.items(match["column"])
                        ]
                        found = [self.by_place[place] for place in places if place in self.by_place]
                        # Only a cell that needs no name of its grid is named without it.
                        is_named = pattern == with_grid or not any(map(self.names.is_ambiguous, found))
                        if len(found) == len(places) and is_named:
                            return found
        return [
            variable for item in self.items(text) for variable in self.cells.get(item.lower(), [Variable("unknown")])
        ]

    def candidates(self, fields: dict[str, str]) -> set[tuple[str, str]]:
        return {(v, value) for v in self.variables(fields["cells"]) for value in self.items(fields["values"])}

    def named(self, candidates: Iterable[Candidate]) -> set[tuple[str, str]]:
        """Return candidates with their values in words."""
        return {(variable, self.words.value(variable, value)) for variable, value in candidates}

    def all_values(self, variable: Variable) -> set[tuple[str, str]]:
        return self.named((variable, value) for value in self.domains[variable])

    def lines(self, clause: str) -> list[tuple[Drawn, bool]]:
        """Return the lines between two cells that a clause is about, each with whether it is drawn."""
        found = []
        for key, steps in (("side", SIDES), ("no side", SIDES), ("way", WAYS), ("no way", WAYS)):
            cell = self.patterns["cell"].format(row=r"(?P<row>\d+)", column=r"(?P<column>\d+)")
            if not (match := re.fullmatch(self.patterns[key].format(side="(?P<side>.+)", cell=cell), clause, re.I)):
                continue
            start = int(match["row"]), int(match["column"])
            for word in self.items(match["side"]):
                ways = [way for name, way in steps.items() if self.patterns[name] == word]
                if not ways:
                    return []
                ends = {start, (start[0] + ways[0][0], start[1] + ways[0][1])}
                found += [
                    (drawn, not key.startswith("no "))
                    for drawn in self.drawings
                    if drawn.name == ("border" if steps is SIDES else "join")
                    and {drawn.indices[:2], drawn.indices[2:]} == ends
                ]
        return found


READERS: dict[tuple[int, str], Reader] = {}


def reader_of(model: Model, language: str) -> Reader:
    """Return the reader of a model, made once."""
    key = id(model), language
    if key not in READERS:
        READERS[key] = Reader(model, language)
    return READERS[key]


def is_true(step: Step, key: str, fields: dict[str, str], reader: Reader) -> bool:
    """Return whether the facts of a sentence are in the record of its step."""
    placed, removed, pattern = (reader.named(part) for part in (step.placed, step.removed, step.pattern))
    if "place" in fields:
        places = {reader.words.place(c.place).lower() for c in step.constraints}
        places |= {
            reader.words.place(outline.line).lower() for outline in step.sets if outline.role in ("base", "cover")
        }
        if fields["place"].lower() not in places:
            return False
    if key in ("clause", "suppose that", "then that"):
        lines = reader.lines(fields["clause"])
        return bool(lines) and all(is_true_line(step, key, drawn, is_drawn) for drawn, is_drawn in lines)
    if key == "differ":
        groups = [{*c.scope} for c in step.constraints[1:] if isinstance(c, AllDifferent)]
        return {*step.constraints[0].scope} in groups
    if key in ("sums", "sums, one"):
        return reader.items(fields["values"]) == ["+".join(map(str, values)) for values in step.sums]
    if key in ("rules", "rules, many"):
        return int(fields["count"]) == len(step.constraints)
    if key in ("search", "no technique"):
        return step.is_searched
    if key == "cases":
        return {*reader.variables(fields["cells"])} <= {*step.cases}
    if key.startswith("only"):
        places = {v for v, value in pattern if value == fields["values"]}
        return step.names_places and (
            len(places) == int(fields["count"]) if "count" in fields else {*reader.variables(fields["cells"])} == places
        )
    if key == "then nothing":
        cells = reader.variables(fields["cells"])
        return all(v in reader.domains and reader.all_values(v) <= pattern for v in cells)
    if key.startswith("then ") or (key == "is" and step.names_places):
        candidates = reader.candidates(fields)
        if not {v for v, _ in candidates} <= {*reader.domains}:
            return False
        others = {candidate for v, _ in candidates for candidate in reader.all_values(Variable.of(v))}
        return candidates <= placed if step.names_places else others - candidates <= pattern - removed
    if key in ("is", "are"):
        return reader.candidates(fields) <= placed | pattern
    if key.startswith("cannot"):
        return reader.candidates(fields) <= removed
    if key == "not":
        # Of a premise, the values that are not in the pattern are excluded.
        premises = {v for v, _ in pattern} - {v for v, _ in placed | removed}
        return all(v in premises and (v, value) not in pattern for v, value in reader.candidates(fields))
    left = reader.named(step.left)
    if (key.startswith("can,") and "values" in fields) or (key == "can" and reader.candidates(fields) <= left):
        return reader.candidates(fields) == {(v, x) for v, x in left if v in reader.variables(fields["cells"])}
    if key in ("can", "can, many", "keeps"):
        (variable,) = reader.variables(fields["cells"])
        if "count" in fields:
            return int(fields["count"]) == len([v for v, _ in pattern if v == variable])
        return {*reader.items(fields["values"])} == {value for v, value in pattern if v == variable}
    if key.startswith("then"):
        return reader.candidates(fields) <= pattern - removed
    if key == "suppose":
        return reader.candidates(fields) == removed
    if "other" in fields and fields["other"].isdigit():
        values = [int(value) for v, value in pattern if v in reader.variables(fields["cells"])]
        return int(fields["other"]) == (min(values) if key == ">=" else max(values))
    if "other" in fields:
        first, second = (reader.variables(fields[name])[0] for name in ("cells", "other"))
        return f"{first} {key} {second}" in [str(constraint) for constraint in step.constraints]
    if "values" in fields:
        return fields["values"] in {value for _, value in placed | pattern}
    if key.startswith("connected"):
        return step.reason.startswith("by ") and ("only" in step.reason) == (key == "connected, inside")
    return key in ("look", "inside", "needs", "full") or key.split(",")[0] == step.technique


def is_true_line(step: Step, key: str, drawn: Drawn, is_drawn: bool) -> bool:
    """Return whether the record of a step says that a line between two cells is drawn, or is not."""
    if len(drawn.variables) > 1:
        known: dict[str, Value] = {v: value for v, value in step.known}
        assert drawn.condition is not None
        return {*drawn.variables} <= {*known} and drawn.condition.check(known) == is_drawn
    [v] = drawn.variables
    is_true = {value: drawn.condition is None or drawn.condition.check({v: value}) for value in (0, 1)}
    [value] = [value for value in (0, 1) if is_true[value] == is_drawn]
    match key:
        case "suppose that":
            return (v, value) in step.removed
        case "then that":
            return (v, 1 - value) in step.pattern
    return (v, value) in step.placed + step.pattern and (v, 1 - value) not in step.placed


def test_the_twenty_easiest_techniques_have_short_sentences() -> None:
    assert {*PARTS} == {technique.name for technique in EASY}
    for patterns, _ in LANGUAGES.values():
        assert {*patterns} == {*LANGUAGES["en"][0]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_sentences_are_short_and_have_one_reason(language: str) -> None:
    steps = explained_steps()
    assert {step.technique for _, step in steps} == {*PARTS}
    for model, step in steps:
        sentences = SimpleWords(model, language).sentences(step)
        assert max(len(sentence.split()) for sentence in sentences) <= MAX_WORDS, sentences
        words = re.findall(r"\w+", " ".join(sentences).lower())
        assert words.count(REASONS[language]) == 1, sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_sentences_state_only_facts_of_the_record(language: str) -> None:
    for model, step in explained_steps():
        reader = reader_of(model, language)
        for sentence in reader.words.sentences(step):
            found = [*reader.matches(sentence)]
            assert any(is_true(step, key, fields, reader) for key, fields in found), (sentence, found, step.sentence)


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_sentences_state_the_whole_conclusion(language: str) -> None:
    for model, step in explained_steps():
        reader = reader_of(model, language)
        stated: dict[str, set[tuple[str, str]]] = {"is": set(), "cannot": set()}
        for sentence in reader.words.sentences(step):
            for key, fields in reader.matches(sentence):
                kind = {"is": "is", "are": "is", "cannot": "cannot", "cannot, several": "cannot"}.get(key)
                if kind and is_true(step, key, fields, reader):
                    stated[kind] |= reader.candidates(fields)
                lines = reader.lines(fields["clause"]) if key == "clause" else []
                for v, value in step.placed:
                    for drawn, is_drawn in lines:
                        if drawn.variables == (v,) and is_true_line(step, key, drawn, is_drawn):
                            stated["is"] |= reader.named([(v, value)])
                # Cells that can only be their remaining values cannot be the others.
                if key in ("can", "can, several") and reader.candidates(fields) <= reader.named(step.left):
                    cells = reader.variables(fields["cells"])
                    stated["cannot"] |= reader.named([(v, value) for v, value in step.removed if v in cells])
        placed = reader.named(step.placed)
        assert placed <= stated["is"], step.sentence
        removed = reader.named([(v, value) for v, value in step.removed if v not in {v for v, _ in step.placed}])
        assert removed == stated["cannot"], step.sentence


def test_explain_and_hint_write_short_sentences() -> None:
    simple = ("--words", "simple")
    result = run("explain", EXAMPLES / "futoshiki.csp", *simple, "--until", 1)
    assert result.stdout.startswith("1. Row 2, column 1 is less than row 2, column 2. Row 2, column 1 cannot be 7. ")
    last = run("explain", EXAMPLES / "shidoku.csp", *simple, "--language", "de").stdout.splitlines()[-1]
    assert last == "Das Rätsel ist nach 12 Schritten gelöst."
    texts = [run("hint", EXAMPLES / "jigsaw.csp", *simple, "--detail", detail).stdout for detail in (1, 2, 3)]
    assert texts[:2] == ["Look at row 6.\n", "hidden single · Look at row 6.\n"]
    assert texts[2].endswith("Row 6, column 8 is 3. That is because 3 fits nowhere else there.\n")
    refused = run("hint", EXAMPLES / "jigsaw.csp", "--language", "de")
    assert refused.exit_code == 2 and "write --words simple --language de" in refused.stderr


def test_a_harder_step_keeps_its_sentence_with_a_notice() -> None:
    options = ("--techniques", "contradiction,naked single", "--until", 1, "--words", "simple")
    first = run("explain", EXAMPLES / "zebra.csp", *options).stdout.splitlines()
    assert first[0] == "1. This step is too hard for short sentences:" and first[1].startswith("   contradiction · ")
    data = json.loads(run("explain", EXAMPLES / "zebra.csp", *options, "--json").stdout.splitlines()[0])
    assert data["words"] == []


def test_a_cell_on_one_of_several_grids_has_the_name_of_the_grid() -> None:
    cells = [Variable(family, 1, c) for family in ("top", "low") for c in (1, 2)]
    words = SimpleWords(Model({cell: (1, 2) for cell in cells}))
    assert (
        words.cells(cells[:1]) == "top at row 1, column 1" and words.cells(cells[2:]) == "low at row 1, columns 1 and 2"
    )


def read_steps(name: str, language: str = "en") -> list[str]:
    """Return the short sentences of each step of an example."""
    model = dsl.load(EXAMPLES / f"{name}.csp")
    words = SimpleWords(model, language)
    return [" ".join(words.sentences(step)) for step in Walker(Solver(model)).first(15)]


def test_sentences_speak_of_the_lines_between_cells() -> None:
    reason = "That is because this rule allows nothing else."
    slitherlink = read_steps("slitherlink")
    assert slitherlink[5] == (
        "Look at the 1 at r1c6. The line runs below row 1, column 6. The line runs right of row 2, column 6. "
        "Row 2, column 6 is inside. "
        f"{reason} Row 1, column 5 is outside."
    )
    assert slitherlink[11].endswith(
        "No line runs above row 4, column 3. Row 4, column 3 is inside. "
        "That is because otherwise these rules contradict each other. "
        "Row 3, column 3 is inside. Row 5, column 5 is outside. Row 6, column 4 is outside."
    )
    masyu, german = read_steps("masyu"), read_steps("masyu", "de")
    assert masyu[2] == (
        "Look at loop at r1c4. The line goes left and right from row 1, column 4. "
        "That is because otherwise the count would be wrong. "
        "No line goes up or down from row 1, column 4. Row 1, column 4 is on the line."
    )
    assert german[2].startswith("Schau auf Weg bei Z1S4. Die Linie geht von Zeile 1, Spalte 4 nach links und rechts.")
    assert masyu[9].startswith("Look at black r6c6, left. The line goes left from row 6, column 5.")
    # Lines that may be several have a name with both ends.
    assert read_steps("hashi")[9] == "Bridges r1c1-r1c4 are 1. That is because no other value fits."


def test_sentences_use_the_words_of_the_spec_for_values() -> None:
    nurikabe = read_steps("nurikabe")
    assert nurikabe[1] == (
        "Look at apart at r2c2 and r2c3. Row 2, column 2 cannot be part of the 5 at r1c5. "
        "That is because this rule allows nothing else. Row 2, column 3 is the 4."
    )
    assert nurikabe[5] == "Row 3, column 3 is sea. That is because no other value fits."
    assert read_steps("nurikabe", "de")[5].startswith("Zeile 3, Spalte 3 ist Meer.")
    assert "Row 1, columns 2, 4 and 6 cannot be empty." in read_steps("tents")[0]
    assert read_steps("heyawake")[1].endswith("Row 1, column 4 is shaded.")
    # With normal words, a line says once what the values mean.
    first = run("explain", EXAMPLES / "nurikabe.csp", "--until", 1).stdout.splitlines()[0]
    assert first.startswith("land: 0 = sea, 5 = part of the 5 at r1c5, 9 = part of the 4 at r2c3, ")
    assert run("hint", EXAMPLES / "tents.csp").stdout.splitlines()[-1].startswith("cell: 0 = empty, ")
    assert json.loads(run("explain", EXAMPLES / "nurikabe.csp", "--until", 1, "--json").stdout.splitlines()[0])["step"]


def test_two_values_with_the_same_word_keep_their_numbers() -> None:
    text = "x(R, C) in 0..2 :- R in 1..2, C in 1..2. draw word(R, C) = full : R in 1..2, C in 1..2, x(R, C) > 0."
    words = SimpleWords(dsl.loads(text))
    assert words.value(Variable("x", 1, 1), 2) == "2" and not words.legend


def test_a_cell_with_several_colours_is_not_shaded() -> None:
    two = "x(1) in 1..3. draw shade(1, 1) = blue : x(1) = 2."
    assert ModelNames(dsl.loads(two)).words["x(1)"] == {2: ("shaded", None)}
    assert not ModelNames(dsl.loads(f"{two} draw shade(1, 1) = yellow : x(1) = 1.")).words


def test_numbers_in_a_label_are_a_cell_only_if_all_such_labels_are_at_cells() -> None:
    words = SimpleWords(dsl.load(EXAMPLES / "sudoku.csp"))
    assert words.place("box 1,2 (line 27)") == "box 1,2"
    words = SimpleWords(dsl.load(EXAMPLES / "masyu.csp"), "de")
    assert words.place("no crossing at [3, 4] from inside (line 25)") == "ohne Kreuzung bei Z3S4"
    assert words.place("turn beside 3,6, down (line 26)") == "Knick neben Z3S6, unten"


def test_a_sum_names_its_combinations() -> None:
    assert read_steps("kakuro")[9] == (
        "Look at sum right of r6c1. There all values are different. Only 1+5 or 2+4 add up. "
        "Row 6, column 3 cannot be 4 or 5. That is because otherwise the numbers would not add up. "
        "Row 6, column 2 can only be 4 or 5."
    )


def test_a_step_that_needs_a_search_says_so() -> None:
    model = dsl.loads(HIDDEN_PARITIES)
    [step] = Walker(Solver(model))
    assert step.is_searched and step.lines[1].startswith("  a search takes over for this one step: no technique finds")
    sentences = SimpleWords(model).sentences(step)
    assert sentences[:3] == [
        "A search takes over for this one step.",
        "No technique finds a step here.",
        "Use these 2 rules together.",
    ]


def test_a_small_reason_with_several_comparisons_names_values() -> None:
    model = dsl.load(EXAMPLES.parent / "tests" / "data" / "gaps.csp")
    words, steps = SimpleWords(model), [*Walker(Solver(model), ladder=EASY).first(20)]
    sentences = [" ".join(words.sentences(step)) for step in steps if step.technique == "small reason"]
    assert len(sentences) > 5 and not any("at least" in text or "at most" in text for text in sentences)


def test_a_reason_with_many_constraints_only_counts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csp.explain.words.simple.MAX_RULES", 1)
    model = dsl.loads(HIDDEN_PARITIES)
    [step] = Walker(Solver(model))
    assert SimpleWords(model).sentences(step)[2:4] == ["This step uses 2 rules together.", "x is 0."]

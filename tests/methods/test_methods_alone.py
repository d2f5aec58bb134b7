"""Each method alone: its log, its counts and its limits."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest

import dsl
from csp import LEVELS, AllDifferent, Equality, Model, Solver, Variable
from csp.methods import attempt
from csp.methods.links import Links

from ..conftest import ROOT, Limits
from .test_methods import ARTICLE, HARD, SPEC, boxes, latin, logged, nine


def test_tracking_checks_the_givens_before_the_search() -> None:
    cases = {
        "A and B are both given 1, in row": {"A": 1, "B": 1},
        "C has no candidate": {"A": 1, "B": 2, "D": 3},
        "C and D both have one candidate, 3, in row": {"A": 1, "B": 2},
    }
    groups = [AllDifferent.of("ABCD", label="row")]
    for message, givens in cases.items():
        model = Model({v: (1, 2, 3) for v in "ABCD"}, [*groups, *(Equality(v, i) for v, i in givens.items())])
        result, log = logged(model, "tracking")
        assert (result.attempts, result.solutions, result.complete) == (0, 0, True)
        assert f"check: {message}" in log and all(line.startswith("check: ") for line in log)
    sum_of_givens = dsl.loads('A, B in 1..3. A = 1. B = 2. "sum": A + B = 4.')
    assert logged(sum_of_givens, "tracking")[1] == ["check: sum (line 1) does not hold"]


def test_tracking_logs_its_assignments_and_backtracks() -> None:
    model = Model({"A": (1, 2), "B": (1, 3), "C": (3,)}, [AllDifferent.of("AB"), AllDifferent.of("AC")])
    assert logged(model, "tracking")[1] == [
        "check: 1 given without a conflict",
        "counter  options  history",
        "      1        2  A = 1",
        "      2        1  B = 3",
        "      2           solution",
        "      2           B = 3 undone",
        "      2           A = 1 undone",
        "      3        1  A = 2",
        "      4        2  B = 1",
        "      4           solution",
        "      4           B = 1 undone",
        "      5        1  B = 3",
        "      5           solution",
        "      5           B = 3 undone",
        "      5           A = 2 undone",
    ]
    by_fewest = Model({"A": (1, 2, 3), "B": (2, 3), "C": (1, 2, 3)}, [AllDifferent.of("ABC")])
    assert [line[18:] for line in logged(by_fewest, "tracking")[1][2:5]] == ["B = 2", "A = 1", "C = 3"]
    result, log = logged(dsl.loads("A, B, C in 1..3. all_different([A, B, C]). A + B + C = 5."), "tracking")
    assert not result.solved and "      3           C: dead end, A + B + C = 5 (line 1) does not hold" in log


def test_the_log_of_tracking_is_a_consistent_walk() -> None:
    """Check that each assignment had options and each backtrack undoes the last assignment."""
    _, log = logged(
        nine("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"), "tracking"
    )
    path: list[str] = []
    dead_ends = assignments = 0
    for line in log[2:]:
        event = line[18:]
        if event.endswith(" undone"):
            assert path.pop() == event.removesuffix(" undone")
        elif event.endswith("dead end"):
            assert int(line[9:16]) == 0
            dead_ends += 1
        elif event != "solution":
            assignments += 1
            assert int(line[:7]) == assignments and int(line[9:16]) >= 1
            path.append(event)
    assert not path and dead_ends > 100


def test_the_method_of_norvig_logs_the_remaining_candidates() -> None:
    result, log = logged(nine(HARD), "norvig")
    domains = Solver(nine(HARD), "singles").propagate().domains
    grid = [line.replace("|", "").split() for line in log[1:12] if "-+-" not in line]
    assert grid == [["".join(map(str, domains[Variable("cell", r, c)])) for c in range(1, 10)] for r in range(1, 10)]
    assert log[0] == "the rules leave 61 variables with several values" and result.solutions == 1
    assert logged(nine(ARTICLE), "norvig")[1][0] == "the rules alone solve it"
    contradiction = Model({"A": (1, 2), "B": (1,), "C": (2,)}, [AllDifferent.of("ABC")])
    assert logged(contradiction, "norvig")[1][0] == "the rules alone exclude all solutions"
    symbols = Model({"A": ("red", "blue"), "B": ("red", "blue")}, [AllDifferent.of("AB")])
    assert logged(symbols, "norvig")[1][1:3] == ["A = red blue", "B = red blue"]


@pytest.mark.parametrize(
    ("domains", "groups", "report"),
    [
        ({"A": "12", "B": "12", "C": "123"}, ["ABC"], "U3,A2,S1,U2"),  # 3 has one place and is filled in
        ({"A": "12", "B": "2", "C": "123"}, ["ABC"], "U2,S1,S1,U0"),
        # 1 is in A or B within ABC, so it is not in D
        ({"A": "12", "B": "13", "C": "23", "D": "14"}, ["ABC", "ABD"], "U4,P1,S1,U3"),
        ({"A": "1", "B": "1", "C": "12"}, ["ABC"], "U1,contradiction: B has no candidate,U1"),
        (
            {"A": "123", "B": "123", "C": "123", "D": "1"},
            ["ABC", "ABD", "CD"],
            "U3,contradiction: ABC has no place for 1,U3",
        ),
        ({"A": "1234", "B": "1234", "C": "1234"}, ["ABC"], "U3,U3"),  # three variables need not take all four values
    ],
)
def test_the_human_method_logs_counts_of_its_steps(domains: dict[str, str], groups: list[str], report: str) -> None:
    constraints = [AllDifferent.of(group, label=group) for group in groups]
    model = Model({v: [*map(int, values)] for v, values in domains.items()}, constraints)
    assert logged(model, "human")[1] == [report]


def test_the_permutation_method_counts_and_joins_permutations() -> None:
    """Compare the article's 4x4 with an enumeration: permutations of blocks, then of bands."""
    model = dsl.load(ROOT / "examples" / "shidoku.csp")
    result, log = logged(model, "permutation")
    sizes = {line.split(":")[0]: int(line.split()[-2].replace(",", "")) for line in log[:-1]}
    blocks = {"box 1": "ABEF", "box 2": "CDGH", "box 3": "IJMN", "box 4": "KLOP"}
    givens = {c.left: c.right for c in model.constraints if isinstance(c, Equality)}
    groups = [set(c.scope) for c in model.constraints if isinstance(c, AllDifferent)]

    def fits(assignment: dict[str, int]) -> bool:
        values = {**givens, **assignment}
        pairs = combinations(values, 2)
        return all(values[a] != values[b] for a, b in pairs if any({a, b} <= group for group in groups))

    def permutations_of(names: str) -> list[dict[str, int]]:
        assignments = (dict(zip(names, values, strict=True)) for values in permutations(range(1, 5)))
        return [
            assignment
            for assignment in assignments
            if all(assignment.get(v, i) == i for v, i in givens.items()) and fits(assignment)
        ]

    # First every block alone, then every band of two blocks.
    for name, block in blocks.items():
        assert sizes[f"S1 {name}"] == len(permutations_of(block))
    for first, second in (("box 1", "box 2"), ("box 3", "box 4")):
        joined = [{**a, **b} for a in permutations_of(blocks[first]) for b in permutations_of(blocks[second])]
        assert sizes[f"S2 {first}, {second}"] == sum(map(fits, joined))
    assert len(sizes) == 7 and sizes["S3 all"] == 1 and log[-1] == "S4 whole solutions verified: 1"
    counts = [int(line.split(": ")[1].split()[0].replace(",", "")) for line in log[:-1]]
    assert result.attempts == sum(counts)


def test_the_permutation_method_gives_up_at_too_many_solutions(limits: Limits) -> None:
    limits("csp.methods.permutation", MAX_SOLUTIONS=20)
    result = attempt(dsl.load(ROOT / "examples" / "latin.csp"), "permutation")
    assert result.note == "gave up: S1 column 1 has more than 20 solutions"


@pytest.mark.parametrize(
    ("example", "size"),
    [
        ("sudoku", "729 options, 324 items"),
        ("shidoku", "64 options, 64 items"),
        ("sudoku_x", "729 options, 342 items"),
        ("australia", "21 options, 34 items, 27 optional"),
    ],
)
def test_the_exact_cover_method_logs_the_size_of_its_problem(example: str, size: str) -> None:
    assert logged(dsl.load(ROOT / "examples" / f"{example}.csp"), "cover")[1][0] == size


def test_dancing_links_begin_with_the_item_with_the_fewest_options() -> None:
    steps: list[int] = []
    assert list(Links(2, 2, [(0,), (0,), (1,)]).covers(lambda: steps.append(1))) == [[2, 0], [2, 1]] and len(steps) == 3


def test_dancing_links_find_every_cover_once() -> None:
    rng = random.Random(2000)
    cover_count = 0
    for _ in range(300):
        count = rng.randint(1, 6)
        needed = rng.randint(0, count)
        options = [rng.sample(range(count), rng.randint(1, min(3, count))) for _ in range(rng.randint(0, 8))]
        attempts: list[int] = []
        covers = [
            sorted(cover)
            for cover in Links(count, needed, options).covers(lambda attempts=attempts: attempts.append(1))
        ]
        # Enumerate the subsets of options; an option without a needed item is in no cover.
        expected = []
        for size in range(len(options) + 1):
            for chosen in combinations(range(len(options)), size):
                items = [item for number in chosen for item in options[number]]
                useful = all(any(item < needed for item in options[number]) for number in chosen)
                if useful and len(items) == len(set(items)) and set(range(needed)) <= set(items):
                    expected.append(list(chosen))
        assert sorted(covers) == sorted(expected)
        cover_count += len(covers)
    assert cover_count > 200


def test_annealing_is_deterministic_and_gives_up(limits: Limits) -> None:
    model = dsl.load(SPEC)
    (first, log), (second, second_log) = logged(model, "annealing"), logged(model, "annealing")
    assert first.solved and not first.complete and (first.attempts, log) == (second.attempts, second_log)
    assert log[0].startswith("cost in ") and len(log) == 9 and all(line[7] == "|" for line in log[1:])
    limits("csp.methods.annealing", MAX_COOLINGS=1)
    limits("csp.methods.annealing", COOLING=0.9)
    unsatisfiable = latin(4, {(1, 1): 1, (1, 2): 2, (2, 3): 3}, boxes(2, 2))
    assert Solver(unsatisfiable).solve() is None
    assert attempt(unsatisfiable, "annealing").note.startswith("gave up: the minimum cost in 1 coolings was ")
    assert attempt(latin(4, {(1, 1): 1, (2, 2): 1}, boxes(2, 2)), "annealing").note == (
        f"gave up: two givens of {AllDifferent.of([f'cell({r},{c})' for r, c in boxes(2, 2)[0]])} are equal"
    )
    australia = attempt(dsl.load(ROOT / "examples" / "australia.csp"), "annealing")
    assert australia.note.startswith("not for this model: no partition of the variables")
    evenodd = attempt(dsl.load(ROOT / "examples" / "evenodd.csp"), "annealing")
    assert evenodd.note == "not for this model: cell(1,3) lacks some values of box 1,1"


@pytest.mark.parametrize("level", LEVELS)
def test_the_engine_counts_its_nodes(level: str) -> None:
    model = dsl.load(ROOT / "examples" / "sudoku_x.csp")
    answers = Solver(model, level).solutions()  # type: ignore[arg-type]
    assert len(list(answers)) == 1
    assert attempt(model, "engine", level).attempts == answers.effort.nodes  # type: ignore[arg-type]

"""Random specs over the whole grammar with their meaning, without code of the language.

Each part has its text and a function of the values of five variables, which returns its value or whether it holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, product

Env = Mapping[str, int]
NAMES = ["A", "B", "x(1)", "x(2)", "x(3)"]


class Undefined(Exception):
    """The error of an expression without a value."""


@dataclass
class Number:
    """An expression: its text and the function of its value."""

    text: str
    value: Callable[[Env], int]


@dataclass
class Truth:
    """A condition: its text and the function that decides whether it holds."""

    text: str
    holds: Callable[[Env], bool]
    simple: bool = True

    @property
    def part(self) -> str:
        """The text, in parentheses if it is not simple."""
        return self.text if self.simple else f"({self.text})"


def false_if_undefined(meaning: Callable[[Env], bool]) -> Callable[[Env], bool]:
    """Return a condition that is false where a part is undefined."""

    def holds(env: Env) -> bool:
        try:
            return meaning(env)
        except Undefined:
            return False

    return holds


class Specs:
    """A maker of one random spec."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.clauses: list[str] = []
        self.named = 0

    # numbers

    def number(self, depth: int = 2) -> Number:
        """Make a random expression."""
        rng = self.rng
        kind = rng.randrange(15) if depth > 0 else rng.randrange(4)
        if kind == 0:
            constant = rng.randint(-1, 4)
            return Number(str(constant) if constant >= 0 else f"({constant})", lambda env: constant)
        if kind < 4:
            name = rng.choice(NAMES)
            return Number(name, lambda env: env[name])
        first, second = self.number(depth - 1), self.number(depth - 1)
        match kind:
            case 4:
                return Number(f"({first.text} + {second.text})", lambda env: first.value(env) + second.value(env))
            case 5:
                return Number(f"({first.text} - {second.text})", lambda env: first.value(env) - second.value(env))
            case 6:
                return Number(f"({first.text} * {second.text})", lambda env: first.value(env) * second.value(env))
            case 7 | 8:
                sign = "//" if kind == 7 else "mod"
                return Number(f"({first.text} {sign} {second.text})", lambda env: divide(sign, first, second, env))
            case 9:
                return Number(f"abs({first.text})", lambda env: abs(first.value(env)))
            case 10:
                return Number(f"x({first.text})", lambda env: look_up(first, env))
            case 11:
                return Number(
                    f"nvalue([{first.text}, {second.text}, A])",
                    lambda env: len(values([first, second], env) | {env["A"]}),
                )
            case 12:
                conditions = [self.truth(depth - 1) for _ in range(rng.randint(1, 3))]
                text = ", ".join(c.text for c in conditions)
                return Number(f"count({text})", lambda env: sum(c.holds(env) for c in conditions))
            case 13:
                word = rng.choice(["sum", "product", "min", "max"])
                return Number(
                    f"{word}({first.text}, {second.text})",
                    lambda env: fold(word, [first.value(env), second.value(env)]),
                )
        return self.aggregate(depth)

    def aggregate(self, depth: int) -> Number:
        """Make an aggregate over generators: ``sum(E : I in 1..3, C)``."""
        rng = self.rng
        word = rng.choice(["sum", "sum", "product", "min", "max", "count"])
        condition, inner = self.truth(depth - 1), self.number(depth - 1)
        bound = rng.randint(0, 3)
        self.named += 1
        index = f"I{self.named}"
        if word == "count":
            text = f"count(x({index}) > {bound} : {index} in 1..3, not {condition.part})"
            return Number(text, lambda env: sum(env[f"x({i})"] > bound and not condition.holds(env) for i in (1, 2, 3)))

        def value(env: Env) -> int:
            if not any(env[f"x({i})"] >= bound for i in (1, 2, 3)) or not condition.holds(env):
                return fold(word, [])
            return fold(word, [env[f"x({i})"] + inner.value(env) for i in (1, 2, 3) if env[f"x({i})"] >= bound])

        return Number(
            f"{word}(x({index}) + {inner.text} : {index} in 1..3, x({index}) >= {bound}, not not {condition.part})",
            value,
        )

    # conditions

    def truth(self, depth: int = 2) -> Truth:
        """Make a random condition."""
        rng = self.rng
        if depth > 0 and rng.random() < 0.45:
            return self.compound(depth)
        first, second = self.number(depth - 1), self.number(depth - 1)
        match rng.randrange(13):
            case 0:
                members = sorted(rng.sample(range(-1, 6), 3))
                text = f"{first.text} + 0 in {{{', '.join(map(str, members))}}}"
                return Truth(text, false_if_undefined(lambda env: first.value(env) in members))
            case 1:
                rows = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(3)]
                text = f"[{first.text}, {second.text}] in {{{', '.join(f'[{a}, {b}]' for a, b in rows)}}}"
                return Truth(text, false_if_undefined(lambda env: (first.value(env), second.value(env)) in rows))
            case 2 | 3:
                sign = rng.choice(["=", "!=", "<", "<=", ">", ">="])
                third = self.number(0)
                text = f"[{first.text}, {third.text}] {sign} [{second.text}, A]"
                return Truth(
                    text,
                    false_if_undefined(
                        lambda env: compare((first.value(env), third.value(env)), sign, (second.value(env), env["A"]))
                    ),
                )
            case 4:
                return rng.choice(
                    [self.ordered_list, self.ordered_tuples, self.ordered_by_facts, self.runs_of_numbers]
                )(depth)
            case 5:
                return self.global_constraint()
            case 6:
                return Truth(
                    f"edge({first.text}, {second.text})",
                    false_if_undefined(lambda env: (first.value(env), second.value(env)) in self.edges),
                )
            case 7:
                return Truth(
                    f"path({first.text}, {second.text})",
                    false_if_undefined(lambda env: (first.value(env), second.value(env)) in self.closure),
                )
            case 8:
                return self.piece()
            case 9:
                return Truth(
                    f"near({first.text}, {second.text})",
                    false_if_undefined(lambda env: abs(first.value(env) - second.value(env)) <= 1),
                )
        sign = rng.choice(["=", "!=", "<", "<=", ">", ">="])
        return Truth(
            f"{first.text} {sign} {second.text}",
            false_if_undefined(lambda env: compare(first.value(env), sign, second.value(env))),
        )

    def compound(self, depth: int) -> Truth:
        """Make a condition of two conditions and a connective."""
        first, second = self.truth(depth - 1), self.truth(depth - 1)
        match self.rng.randrange(5):
            case 0:
                return Truth(f"not {first.part}", lambda env: not first.holds(env))
            case 1:
                return Truth(f"({first.part}, {second.part})", lambda env: first.holds(env) and second.holds(env))
            case 2:
                return Truth(f"{first.part} ; {second.part}", lambda env: first.holds(env) or second.holds(env), False)
            case 3:
                return Truth(
                    f"{first.part} -> {second.part}", lambda env: not first.holds(env) or second.holds(env), False
                )
        return Truth(f"{first.part} <-> {second.part}", lambda env: first.holds(env) == second.holds(env), False)

    def ordered_list(self, depth: int) -> Truth:
        """Make a condition on the order of a list."""
        word = self.rng.choice(["increasing", "decreasing", "strictly_increasing", "all_equal"])
        elements = [self.number(depth - 1) for _ in range(self.rng.randint(1, 3))]

        def holds(env: Env) -> bool:
            numbers = [element.value(env) for element in elements]
            pairs = list(pairwise(numbers))
            tests = {
                "increasing": lambda a, b: a <= b,
                "decreasing": lambda a, b: a >= b,
                "all_equal": lambda a, b: a == b,
            }
            return all(tests.get(word, lambda a, b: a < b)(a, b) for a, b in pairs)

        return Truth(f"{word}([{', '.join(element.text for element in elements)}])", false_if_undefined(holds))

    def ordered_tuples(self, depth: int) -> Truth:
        """Make an increasing list of tuples; a single tuple only needs values."""
        rows = [[self.number(depth - 1), self.number(0)] for _ in range(self.rng.choice([1, 1, 2, 3]))]
        text = ", ".join(f"[{', '.join(element.text for element in row)}]" for row in rows)

        def holds(env: Env) -> bool:
            tuples = [tuple(element.value(env) for element in row) for row in rows]
            return all(compare(first, "<=", second) for first, second in pairwise(tuples))

        return Truth(f"increasing([{text}])", false_if_undefined(holds))

    def ordered_by_facts(self, depth: int) -> Truth:
        """Make a list in the order of a relation's tuples.

        The generator ignores the first position of the tuples, but the order of the list depends on it.
        """
        word = self.rng.choice(["increasing", "strictly_increasing"])
        self.named += 1
        relation = f"rank{self.named}"
        tuples = self.rng.sample([(place, index) for place in (1, 2) for index in (1, 2, 3)], self.rng.randint(1, 3))
        self.clauses += [f"{relation}({place}, {index})." for place, index in tuples]
        places = [index for _, index in sorted(tuples)]
        text = f"{word}([x(I{self.named}) : {relation}(_, I{self.named})])"
        sign = "<=" if word == "increasing" else "<"
        return Truth(text, lambda env: all(compare(env[f"x({i})"], sign, env[f"x({j})"]) for i, j in pairwise(places)))

    def runs_of_numbers(self, depth: int) -> Truth:
        """Make runs of expressions with sums that are facts in random order."""
        self.named += 1
        relation = f"length{self.named}"
        sums = [self.rng.randint(1, 4) for _ in range(self.rng.choice([1, 1, 2]))]
        facts = [f"{relation}({place}, {total})." for place, total in enumerate(sums, 1)]
        self.clauses += self.rng.sample(facts, len(facts))
        elements = [self.number(0), self.number(depth - 1), self.number(0)]
        elements = [Number(f"abs({element.text})", lambda env, e=element: abs(e.value(env))) for element in elements]
        text = ", ".join(element.text for element in elements)
        return Truth(
            f"runs([{text}], [L : {relation}(_, L)])",
            false_if_undefined(lambda env: run_sums([element.value(env) for element in elements]) == sums),
        )

    def global_constraint(self) -> Truth:
        """Make a global constraint on some variables."""
        names = self.rng.sample(NAMES, self.rng.choice([2, 3]))
        terms = ", ".join(names)
        match self.rng.randrange(5):
            case 0:
                return Truth(f"all_different([{terms}])", lambda env: len({env[n] for n in names}) == len(names))
            case 1:
                return Truth(
                    f"all_different_except(0, {terms})", lambda env: different([env[n] for n in names if env[n]])
                )
            case 2:
                return Truth(f"circuit([{terms}])", lambda env: is_round_trip([env[n] for n in names]))
            case 3:
                sums = [self.rng.randint(1, 4) for _ in range(self.rng.choice([0, 1, 1, 2]))]
                return Truth(f"runs([{terms}], {sums})", lambda env: run_sums([env[n] for n in names]) == sums)
        first, second = names[:2], self.rng.sample(NAMES, 2)
        text = f"inverse([{', '.join(first)}], [{', '.join(second)}])"
        return Truth(text, lambda env: are_inverse([env[n] for n in first], [env[n] for n in second]))

    def piece(self) -> Truth:
        """Make a condition that some places are connected."""
        value = self.rng.randint(0, 3)
        different_value = Truth(
            f"connected(edge, J : J in 1..3, x(J) != {value})",
            lambda env: is_piece([i for i in (1, 2, 3) if env[f"x({i})"] != value], self.edges),
        )
        if self.rng.random() < 0.6:
            return different_value
        same_value = Truth(
            f"connected(edge, J : J in 1..3, x(J) = {value})",
            lambda env: is_piece([i for i in (1, 2, 3) if env[f"x({i})"] == value], self.edges),
        )
        return Truth(
            f"({different_value.text}, {same_value.text})",
            lambda env: different_value.holds(env) and same_value.holds(env),
        )

    # specs

    def spec(self) -> Spec:
        """Make the whole spec."""
        rng = self.rng
        # the relation and its transitive closure
        self.edges = {(rng.randint(1, 3), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))}
        self.closure = set(self.edges)
        while new_edges := {(a, d) for a, b in self.closure for c, d in self.closure if b == c} - self.closure:
            self.closure |= new_edges
        facts = " ".join(f"edge({a}, {b})." for a, b in sorted(self.edges))
        rules = "path(P, Q) :- edge(P, Q). path(P, R) :- path(P, Q), edge(Q, R). near(P, Q) :- abs(P - Q) <= 1."
        # the shown variables and the objective
        options, shown = self.show_clauses()
        priorities = (
            [self.number(depth) for depth in (2, 1, 1)[: rng.choice([1, 1, 2, 3])]] if rng.random() < 0.25 else []
        )
        sense = rng.choice(["minimize", "maximize"])
        options += f"{sense}({', '.join(priority.text for priority in priorities)}). " if priorities else ""
        # the constraints
        truths = [self.truth(rng.choice([1, 2, 2, 3])) for _ in range(rng.randint(1, 3))]
        constraints = " ".join(f'"c{i}": {truth.text}.' for i, truth in enumerate(truths))
        domain, declaration = self.domain_of_a()
        drawing = rng.choice(
            [
                "",
                "",
                "draw circle(I, 1) : I in 1..3, x(I) = A. ",
                "draw text(1, I) = max(J : J in 1..3, J < I) : I in 1..3. ",
            ]
        )
        clauses = f"{facts} {rules} {' '.join(self.clauses)} {options}{drawing}{constraints}"
        text = f"{declaration} B in 0..2. x(I) in 0..3 :- I in 1..3. {clauses}"
        return Spec(text, truths, shown, priorities, 1 if sense == "minimize" else -1, domain)

    def domain_of_a(self) -> tuple[list[int], str]:
        """Return the domain of A and the clauses that declare it.

        The domain is a range or the first arguments of a relation.
        """
        if self.rng.random() < 0.7:
            return [0, 1, 2], "A in 0..2."
        domain = self.rng.sample(range(3), self.rng.randint(1, 3))
        return sorted(domain), " ".join(f"size({value}, {7 - value})." for value in domain) + " A in {P : size(P, _)}."

    def show_clauses(self) -> tuple[str, list[str]]:
        """Return random ``show`` clauses and the variables that answers then consist of."""
        match self.rng.randrange(6):
            case 0:
                return "show x. ", NAMES[2:]
            case 1:
                return "show B, A. ", NAMES[:2]
            case 2:
                return "show b(I) = x(I) : I in 1..3, (I = 2 -> edge(A, 1)). ", [NAMES[0], *NAMES[2:]]
            case 3:
                return "show b(A, 1) = x(2) : x(2) > 1. show b(3, 1) = B. ", ["A", "B", "x(2)"]
            case 4 if self.rng.random() < 0.5:
                return "show x, b(1) = A, c(I, 2) = x(I) : I in 1..2, x(I) > 0. show c(1, 1) = A. ", [
                    NAMES[0],
                    *NAMES[2:],
                ]
        return "", NAMES


@dataclass
class Spec:
    """A spec: its text and its meaning."""

    text: str
    truths: list[Truth]
    shown: list[str]
    priorities: list[Number]
    sign: int
    domain: list[int]

    @property
    def is_plain(self) -> bool:
        """Whether all variables are shown and there is no objective."""
        return self.shown == NAMES and not self.priorities

    def worth(self, env: Env) -> tuple[int, ...] | None:
        """Return the values of the priorities; ``None`` if a value is undefined.

        A smaller tuple is better.
        """
        try:
            return tuple([self.sign * priority.value(env) for priority in self.priorities])
        except Undefined:
            return None

    def answers(self) -> set[tuple[int, ...]]:
        """Return the shown values of the optimal assignments."""
        domains = [self.domain, range(3), range(4), range(4), range(4)]
        assignments = (dict(zip(NAMES, row, strict=True)) for row in product(*domains))
        solutions = [(worth, env) for env in assignments if self.holds(env) and (worth := self.worth(env)) is not None]
        optimum = min((worth for worth, _ in solutions), default=())
        return {tuple(env[name] for name in self.shown) for worth, env in solutions if worth == optimum}

    def holds(self, env: Env) -> bool:
        """Return whether all conditions hold."""
        return all(truth.holds(env) for truth in self.truths)


def divide(sign: str, left: Number, right: Number, env: Env) -> int:
    """Return the quotient or the remainder; raise ``Undefined`` for the divisor 0."""
    dividend, divisor = left.value(env), right.value(env)
    if divisor == 0:
        raise Undefined
    return dividend // divisor if sign == "//" else dividend % divisor


def look_up(index: Number, env: Env) -> int:
    """Return the value of ``x`` at an index.

    An index outside of 1..3 raises ``Undefined``.
    """
    place = index.value(env)
    if place not in (1, 2, 3):
        raise Undefined
    return env[f"x({place})"]


def values(elements: Sequence[Number], env: Env) -> set[int]:
    """Return the set of values of some expressions."""
    return {element.value(env) for element in elements}


def fold(word: str, numbers: list[int]) -> int:
    """Return the sum, product, minimum or maximum of some numbers."""
    if word == "sum":
        return sum(numbers)
    if word == "product":
        total = 1
        for number in numbers:
            total *= number
        return total
    if not numbers:
        raise Undefined
    return min(numbers) if word == "min" else max(numbers)


def compare(left: object, sign: str, right: object) -> bool:
    """Return whether a comparison of numbers or tuples holds."""
    tests = {"=": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
    return bool(getattr(left, tests[sign])(right))


def different(numbers: list[int]) -> bool:
    return len({*numbers}) == len(numbers)


def is_round_trip(successors: list[int]) -> bool:
    """Return whether the successors form one circuit through all places."""
    visited, place = [], 1
    while place not in visited and 1 <= place <= len(successors):
        visited.append(place)
        place = successors[place - 1]
    return len(visited) == len(successors) and place == 1


def run_sums(numbers: list[int]) -> list[int]:
    """Return the sums of the runs of numbers other than 0."""
    return [sum(run) for is_run, run in groupby(numbers, bool) if is_run]


def are_inverse(left: list[int], right: list[int]) -> bool:
    """Return whether two lists of places are each other's inverse."""
    places = range(1, len(left) + 1)
    are_places = all(place in places for place in [*left, *right])
    return are_places and all((left[i - 1] == j) == (right[j - 1] == i) for i in places for j in places)


def is_piece(places: list[int], edges: set[tuple[int, int]]) -> bool:
    """Return whether the places are connected by the edges."""
    reached = set(places[:1])
    for _ in places:
        reached |= {b for a, b in edges | {(b, a) for a, b in edges} if a in reached and b in places}
    return reached == set(places)

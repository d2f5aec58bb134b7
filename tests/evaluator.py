"""Random specs over the whole grammar, and what they mean, by code that shares nothing with the language.

Each piece knows its text and, as a function of the values of five variables, what it is worth or whether it holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, product

Env = Mapping[str, int]
NAMES = ["A", "B", "x(1)", "x(2)", "x(3)"]


class Undefined(Exception):
    """There is no value."""


@dataclass
class Number:
    """An expression: what is written, and what it is worth."""

    text: str
    value: Callable[[Env], int]


@dataclass
class Truth:
    """A condition: what is written, and whether it holds."""

    text: str
    holds: Callable[[Env], bool]
    simple: bool = True

    @property
    def part(self) -> str:
        return self.text if self.simple else f"({self.text})"


def nearest(meaning: Callable[[Env], bool]) -> Callable[[Env], bool]:
    """What does not hold where something in it has no value."""

    def holds(env: Env) -> bool:
        try:
            return meaning(env)
        except Undefined:
            return False

    return holds


class Specs:
    """Makes one random spec."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.clauses: list[str] = []
        self.named = 0

    # numbers

    def number(self, depth: int = 2) -> Number:
        rng = self.rng
        kind = rng.randrange(15) if depth > 0 else rng.randrange(4)
        if kind == 0:
            constant = rng.randint(-1, 4)
            return Number(str(constant) if constant >= 0 else f"({constant})", lambda env: constant)
        if kind < 4:
            name = rng.choice(NAMES)
            return Number(name, lambda env: env[name])
        one, other = self.number(depth - 1), self.number(depth - 1)
        match kind:
            case 4:
                return Number(f"({one.text} + {other.text})", lambda env: one.value(env) + other.value(env))
            case 5:
                return Number(f"({one.text} - {other.text})", lambda env: one.value(env) - other.value(env))
            case 6:
                return Number(f"({one.text} * {other.text})", lambda env: one.value(env) * other.value(env))
            case 7 | 8:
                sign = "//" if kind == 7 else "mod"
                return Number(f"({one.text} {sign} {other.text})", lambda env: divided(sign, one, other, env))
            case 9:
                return Number(f"abs({one.text})", lambda env: abs(one.value(env)))
            case 10:
                return Number(f"x({one.text})", lambda env: looked_up(one, env))
            case 11:
                return Number(
                    f"nvalue([{one.text}, {other.text}, A])", lambda env: len(values([one, other], env) | {env["A"]})
                )
            case 12:
                conditions = [self.truth(depth - 1) for _ in range(rng.randint(1, 3))]
                text = ", ".join(c.text for c in conditions)
                return Number(f"count({text})", lambda env: sum(c.holds(env) for c in conditions))
            case 13:
                word = rng.choice(["sum", "product", "min", "max"])
                return Number(
                    f"{word}({one.text}, {other.text})", lambda env: folded(word, [one.value(env), other.value(env)])
                )
        return self.chosen(depth)

    def chosen(self, depth: int) -> Number:
        """``sum(E : I in 1..3, C)`` and its like."""
        rng = self.rng
        word = rng.choice(["sum", "sum", "product", "min", "max", "count"])
        condition, inner = self.truth(depth - 1), self.number(depth - 1)
        bound = rng.randint(0, 3)
        self.named += 1
        own = f"I{self.named}"
        if word == "count":
            text = f"count(x({own}) > {bound} : {own} in 1..3, not {condition.part})"
            return Number(text, lambda env: sum(env[f"x({i})"] > bound and not condition.holds(env) for i in (1, 2, 3)))

        def value(env: Env) -> int:
            if not any(env[f"x({i})"] >= bound for i in (1, 2, 3)) or not condition.holds(env):
                return folded(word, [])
            return folded(word, [env[f"x({i})"] + inner.value(env) for i in (1, 2, 3) if env[f"x({i})"] >= bound])

        return Number(
            f"{word}(x({own}) + {inner.text} : {own} in 1..3, x({own}) >= {bound}, not not {condition.part})", value
        )

    # conditions

    def truth(self, depth: int = 2) -> Truth:
        rng = self.rng
        if depth > 0 and rng.random() < 0.45:
            return self.compound(depth)
        one, other = self.number(depth - 1), self.number(depth - 1)
        match rng.randrange(13):
            case 0:
                chosen = sorted(rng.sample(range(-1, 6), 3))
                text = f"{one.text} + 0 in {{{', '.join(map(str, chosen))}}}"
                return Truth(text, nearest(lambda env: one.value(env) in chosen))
            case 1:
                rows = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(3)]
                text = f"[{one.text}, {other.text}] in {{{', '.join(f'[{a}, {b}]' for a, b in rows)}}}"
                return Truth(text, nearest(lambda env: (one.value(env), other.value(env)) in rows))
            case 2 | 3:
                sign = rng.choice(["=", "!=", "<", "<=", ">", ">="])
                third = self.number(0)
                text = f"[{one.text}, {third.text}] {sign} [{other.text}, A]"
                return Truth(
                    text,
                    nearest(
                        lambda env: compared((one.value(env), third.value(env)), sign, (other.value(env), env["A"]))
                    ),
                )
            case 4:
                return rng.choice([self.listed, self.listed_tuples, self.listed_by_facts, self.runs_of_numbers])(depth)
            case 5:
                return self.of_names()
            case 6:
                return Truth(
                    f"edge({one.text}, {other.text})",
                    nearest(lambda env: (one.value(env), other.value(env)) in self.edges),
                )
            case 7:
                return Truth(
                    f"path({one.text}, {other.text})",
                    nearest(lambda env: (one.value(env), other.value(env)) in self.closure),
                )
            case 8:
                return self.piece()
            case 9:
                return Truth(
                    f"near({one.text}, {other.text})", nearest(lambda env: abs(one.value(env) - other.value(env)) <= 1)
                )
        sign = rng.choice(["=", "!=", "<", "<=", ">", ">="])
        return Truth(
            f"{one.text} {sign} {other.text}", nearest(lambda env: compared(one.value(env), sign, other.value(env)))
        )

    def compound(self, depth: int) -> Truth:
        one, other = self.truth(depth - 1), self.truth(depth - 1)
        match self.rng.randrange(5):
            case 0:
                return Truth(f"not {one.part}", lambda env: not one.holds(env))
            case 1:
                return Truth(f"({one.part}, {other.part})", lambda env: one.holds(env) and other.holds(env))
            case 2:
                return Truth(f"{one.part} ; {other.part}", lambda env: one.holds(env) or other.holds(env), False)
            case 3:
                return Truth(f"{one.part} -> {other.part}", lambda env: not one.holds(env) or other.holds(env), False)
        return Truth(f"{one.part} <-> {other.part}", lambda env: one.holds(env) == other.holds(env), False)

    def listed(self, depth: int) -> Truth:
        word = self.rng.choice(["increasing", "decreasing", "strictly_increasing", "all_equal"])
        elements = [self.number(depth - 1) for _ in range(self.rng.randint(1, 3))]

        def holds(env: Env) -> bool:
            own = [one.value(env) for one in elements]
            pairs = list(pairwise(own))
            tests = {
                "increasing": lambda a, b: a <= b,
                "decreasing": lambda a, b: a >= b,
                "all_equal": lambda a, b: a == b,
            }
            return all(tests.get(word, lambda a, b: a < b)(a, b) for a, b in pairs)

        return Truth(f"{word}([{', '.join(one.text for one in elements)}])", nearest(holds))

    def listed_tuples(self, depth: int) -> Truth:
        """Make a list of tuples that increases; a single tuple needs nothing but values."""
        rows = [[self.number(depth - 1), self.number(0)] for _ in range(self.rng.choice([1, 1, 2, 3]))]
        text = ", ".join(f"[{', '.join(element.text for element in row)}]" for row in rows)

        def holds(env: Env) -> bool:
            tuples = [tuple(element.value(env) for element in row) for row in rows]
            return all(compared(one, "<=", two) for one, two in pairwise(tuples))

        return Truth(f"increasing([{text}])", nearest(holds))

    def listed_by_facts(self, depth: int) -> Truth:
        """Make a list whose order is that of the tuples of a relation, its ignored position included."""
        word = self.rng.choice(["increasing", "strictly_increasing"])
        self.named += 1
        relation = f"rank{self.named}"
        tuples = self.rng.sample([(place, index) for place in (1, 2) for index in (1, 2, 3)], self.rng.randint(1, 3))
        self.clauses += [f"{relation}({place}, {index})." for place, index in tuples]
        places = [index for _, index in sorted(tuples)]
        text = f"{word}([x(I{self.named}) : {relation}(_, I{self.named})])"
        sign = "<=" if word == "increasing" else "<"
        return Truth(text, lambda env: all(compared(env[f"x({i})"], sign, env[f"x({j})"]) for i, j in pairwise(places)))

    def runs_of_numbers(self, depth: int) -> Truth:
        """Make runs of expressions, whose sums are facts in any order."""
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
            nearest(lambda env: run_sums([element.value(env) for element in elements]) == sums),
        )

    def of_names(self) -> Truth:
        chosen = self.rng.sample(NAMES, self.rng.choice([2, 3]))
        listed = ", ".join(chosen)
        match self.rng.randrange(5):
            case 0:
                return Truth(f"all_different([{listed}])", lambda env: len({env[n] for n in chosen}) == len(chosen))
            case 1:
                return Truth(
                    f"all_different_except(0, {listed})", lambda env: different([env[n] for n in chosen if env[n]])
                )
            case 2:
                return Truth(f"circuit([{listed}])", lambda env: is_round_trip([env[n] for n in chosen]))
            case 3:
                sums = [self.rng.randint(1, 4) for _ in range(self.rng.choice([0, 1, 1, 2]))]
                return Truth(f"runs([{listed}], {sums})", lambda env: run_sums([env[n] for n in chosen]) == sums)
        one, other = chosen[:2], self.rng.sample(NAMES, 2)
        text = f"inverse([{', '.join(one)}], [{', '.join(other)}])"
        return Truth(text, lambda env: are_inverse([env[n] for n in one], [env[n] for n in other]))

    def piece(self) -> Truth:
        value = self.rng.randint(0, 3)
        outside = Truth(
            f"connected(edge, J : J in 1..3, x(J) != {value})",
            lambda env: is_piece([i for i in (1, 2, 3) if env[f"x({i})"] != value], self.edges),
        )
        if self.rng.random() < 0.6:
            return outside
        inside = Truth(
            f"connected(edge, J : J in 1..3, x(J) = {value})",
            lambda env: is_piece([i for i in (1, 2, 3) if env[f"x({i})"] == value], self.edges),
        )
        return Truth(f"({outside.text}, {inside.text})", lambda env: outside.holds(env) and inside.holds(env))

    # specs

    def spec(self) -> Spec:
        rng = self.rng
        self.edges = {(rng.randint(1, 3), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))}
        self.closure = set(self.edges)
        while more := {(a, d) for a, b in self.closure for c, d in self.closure if b == c} - self.closure:
            self.closure |= more
        facts = " ".join(f"edge({a}, {b})." for a, b in sorted(self.edges))
        rules = "path(P, Q) :- edge(P, Q). path(P, R) :- path(P, Q), edge(Q, R). near(P, Q) :- abs(P - Q) <= 1."
        said, shown = self.shown()
        priorities = (
            [self.number(depth) for depth in (2, 1, 1)[: rng.choice([1, 1, 2, 3])]] if rng.random() < 0.25 else []
        )
        sense = rng.choice(["minimize", "maximize"])
        said += f"{sense}({', '.join(priority.text for priority in priorities)}). " if priorities else ""
        truths = [self.truth(rng.choice([1, 2, 2, 3])) for _ in range(rng.randint(1, 3))]
        held = " ".join(f'"c{i}": {one.text}.' for i, one in enumerate(truths))
        domain, declared = self.domain_of_a()
        drawn = rng.choice(
            [
                "",
                "",
                "draw circle(I, 1) : I in 1..3, x(I) = A. ",
                "draw text(1, I) = max(J : J in 1..3, J < I) : I in 1..3. ",
            ]
        )
        clauses = f"{facts} {rules} {' '.join(self.clauses)} {said}{drawn}{held}"
        text = f"{declared} B in 0..2. x(I) in 0..3 :- I in 1..3. {clauses}"
        return Spec(text, truths, shown, priorities, 1 if sense == "minimize" else -1, domain)

    def domain_of_a(self) -> tuple[list[int], str]:
        """Return the domain of A and the clauses that declare it: a range, or the first arguments of a relation."""
        if self.rng.random() < 0.7:
            return [0, 1, 2], "A in 0..2."
        domain = self.rng.sample(range(3), self.rng.randint(1, 3))
        return sorted(domain), " ".join(f"size({value}, {7 - value})." for value in domain) + " A in {P : size(P, _)}."

    def shown(self) -> tuple[str, list[str]]:
        """What is shown: everything, families, or a layout; and the variables that answers are about."""
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
    """A spec: its text and what it says, in code of its own."""

    text: str
    truths: list[Truth]
    shown: list[str]
    priorities: list[Number]
    sign: int
    domain: list[int]

    @property
    def is_plain(self) -> bool:
        return self.shown == NAMES and not self.priorities

    def worth(self, env: Env) -> tuple[int, ...] | None:
        """Return how good an assignment is by each priority, less is better; None if a priority has no value."""
        try:
            return tuple([self.sign * priority.value(env) for priority in self.priorities])
        except Undefined:
            return None

    def answers(self) -> set[tuple[int, ...]]:
        """Return the shown values of the optimal assignments."""
        domains = [self.domain, range(3), range(4), range(4), range(4)]
        every = (dict(zip(NAMES, row, strict=True)) for row in product(*domains))
        held = [(worth, env) for env in every if self.holds(env) and (worth := self.worth(env)) is not None]
        least = min((worth for worth, _ in held), default=())
        return {tuple(env[name] for name in self.shown) for worth, env in held if worth == least}

    def holds(self, env: Env) -> bool:
        return all(one.holds(env) for one in self.truths)


def divided(sign: str, one: Number, other: Number, env: Env) -> int:
    dividend, divisor = one.value(env), other.value(env)
    if divisor == 0:
        raise Undefined
    return dividend // divisor if sign == "//" else dividend % divisor


def looked_up(index: Number, env: Env) -> int:
    place = index.value(env)
    if place not in (1, 2, 3):
        raise Undefined
    return env[f"x({place})"]


def values(elements: Sequence[Number], env: Env) -> set[int]:
    return {one.value(env) for one in elements}


def folded(word: str, numbers: list[int]) -> int:
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


def compared(one: object, sign: str, other: object) -> bool:
    tests = {"=": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
    return bool(getattr(one, tests[sign])(other))


def different(numbers: list[int]) -> bool:
    return len({*numbers}) == len(numbers)


def is_round_trip(after: list[int]) -> bool:
    seen, place = [], 1
    while place not in seen and 1 <= place <= len(after):
        seen.append(place)
        place = after[place - 1]
    return len(seen) == len(after) and place == 1


def run_sums(numbers: list[int]) -> list[int]:
    return [sum(run) for is_run, run in groupby(numbers, bool) if is_run]


def are_inverse(one: list[int], other: list[int]) -> bool:
    places = range(1, len(one) + 1)
    inside = all(place in places for place in [*one, *other])
    return inside and all((one[i - 1] == j) == (other[j - 1] == i) for i in places for j in places)


def is_piece(chosen: list[int], edges: set[tuple[int, int]]) -> bool:
    reached = set(chosen[:1])
    for _ in chosen:
        reached |= {b for a, b in edges | {(b, a) for a, b in edges} if a in reached and b in chosen}
    return reached == set(chosen)

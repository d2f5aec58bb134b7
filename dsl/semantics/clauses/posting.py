"""Evaluates clauses to constraints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from csp import Constraint, Value, Variable, counted

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Diagnostics, Falsehood, Outside
from ...syntax.grids import LETTERS
from ...syntax.vocabulary import FUNCTIONS
from ..expressions.binding import all_names
from ..expressions.compiler import Compiler
from ..expressions.named import parameters
from ..expressions.names import Env, Names, Scope
from .definitions import is_constraint, mentioned
from .labels import Chunk, compile_label, parse_label
from .nesting import check_nesting
from .observer import ClauseObserver
from .origins import Origins

FEW = 8
"""How many places of the same mistake are named."""

Made = Callable[[Env], Constraint | bool]


def post(
    rules: Iterable[nodes.Rule], names: Names, origins: Origins, diagnostics: Diagnostics, observer: ClauseObserver
) -> list[Constraint]:
    """The constraints of all clauses, each once."""
    for rule in [rule for of in names.named.values() for rule in of]:
        with diagnostics.collecting(rule.at):
            Compiler(names).condition(nodes.Conjunction(rule.at, rule.body), Scope(parameters(rule)))
    posting = _Posting(names, origins, diagnostics, observer)
    for rule in rules:
        if is_constraint(rule, names) and not diagnostics.is_full:
            with diagnostics.collecting(rule.at):
                posting.post(rule)
    return list(posting.made)


def is_about_params(rule: nodes.Rule, names: Names) -> bool:
    """Whether a clause such as ``n >= 1.`` says what params must be, and nothing of the puzzle."""
    if rule.body or not isinstance(rule.head, nodes.Comparison | nodes.Compound):
        return False
    words = {getattr(part, "name", None) for part in nodes.walk(rule.head)} - {None, *FUNCTIONS}
    return bool(words) and words <= names.params.keys()


def check_params(rules: Iterable[nodes.Rule], names: Names, diagnostics: Diagnostics) -> None:
    """What a spec says of its params must hold before anything is made of them."""
    for rule in rules:
        if is_about_params(rule, names):
            with diagnostics.collecting(rule.at):
                if compile_rule(rule, parse_label(rule.label), names, ())({}) is False:
                    raise Falsehood("this never holds", rule.head.at)


def check_effect(
    clauses: Iterable[nodes.Clause], overrides: Collection[str], names: Names, diagnostics: Diagnostics
) -> None:
    """What a user sets, params and grids, must be used: by other params, or by what does more than check params."""
    inputs = {clause.name: clause for clause in clauses if isinstance(clause, nodes.Param | nodes.Grid)}
    waiting: set[str] = set()
    for clause in clauses:
        if isinstance(clause, nodes.Rule) and not is_about_params(clause, names):
            waiting |= mentioned((clause, tuple(parse_label(clause.label))))
        elif not isinstance(clause, nodes.Rule | nodes.Param):
            waiting |= mentioned(clause)
    used: set[str] = set()
    while waiting := waiting & inputs.keys() - used:
        used |= waiting
        waiting = set().union(*(mentioned(getattr(inputs[name], "value", None)) for name in waiting))
    for name in sorted({*overrides} - used):
        hint = f"what has an effect is {', '.join(sorted(used))}" if used else ""
        diagnostics.append(Diagnostic(f"to set {name} has no effect here: nothing uses it", inputs[name].at, hint))


def compile_rule(rule: nodes.Rule, label: Sequence[Chunk], names: Names, bound: Collection[str]) -> Made:
    """A function from the values of the words that the body binds to the constraint, or to what is known beforehand."""
    text = compile_label(label, names, bound)
    make = Compiler(names).condition(rule.head, Scope(bound), given=True)

    def labelled(env: Env) -> Constraint | bool:
        name = text(env)
        try:
            return make(env, {"label": name, "line": rule.at.line, "file": rule.at.file})
        except Diagnostic as diagnostic:
            diagnostic.message = f"{name}: {diagnostic.message}" if name else diagnostic.message
            raise

    return labelled


class _Posting:
    """The constraints made so far, and the givens among them."""

    def __init__(self, names: Names, origins: Origins, diagnostics: Diagnostics, observer: ClauseObserver) -> None:
        self.made: dict[Constraint, None] = {}
        self._names, self._origins, self._diagnostics, self._progress = names, origins, diagnostics, observer
        self._givens: dict[Variable, tuple[Value, nodes.Rule, Env]] = {}

    def post(self, rule: nodes.Rule) -> None:
        """Make the constraints of a clause."""
        label = parse_label(rule.label)
        bound, found = Compiler(self._names).instances(rule.body, (rule.head, *label))
        make = compile_rule(rule, label, self._names, bound)
        zeros: list[Diagnostic] = []  # that stand for blanks of one grid: the first is reported, with the places of all
        for number, env in enumerate(found, 1):
            try:
                constraint = make(env)
                if constraint is False:
                    raise Falsehood("this never holds", rule.head.at)
                if isinstance(constraint, Constraint):
                    check_nesting([constraint], self._names, rule.head.at)
                    if isinstance(rule.head, nodes.Comparison):
                        self._check_agreement(constraint, rule, env)
                    self.made[constraint] = None
                self._progress.posted(rule, env, constraint)
            except Diagnostic as diagnostic:
                cell = self._origins.find(rule, env)
                if cell is None or self._diagnostics.is_full:
                    _add_bindings(diagnostic, rule, env)
                    if isinstance(diagnostic, Falsehood) and (more := _count_false(make, found[number:])):
                        diagnostic.add_hint(f"and {counted(more, 'more instance')} of this clause")
                    raise
                diagnostic.grid, diagnostic.at = cell
                if isinstance(diagnostic, Outside) and diagnostic.value == 0:
                    diagnostic.hint = "a blank is written ."
                    zeros.append(diagnostic)
                    if len(zeros) > 1:
                        continue
                elif (
                    isinstance(diagnostic, Outside)
                    and cell[1].width == 1
                    and diagnostic.value in range(10, len(LETTERS))
                ):
                    letter = LETTERS[int(diagnostic.value)]
                    diagnostic.hint = f"{letter} in the picture is {diagnostic.value}, a digit above nine"
                diagnostic.add_hint(f"the clause of {rule.at.line_from(cell[1])} says so")
                self._diagnostics.append(diagnostic.with_traceback(None))
        if len(zeros) > 1:
            places = [f"{zero.at.line}:{zero.at.column}" for zero in zeros[1:] if zero.at]
            ending = ", ..." if len(places) > FEW else ""
            zeros[0].add_hint(f"{counted(len(places), 'more 0', 'more zeros')} at {', '.join(places[:FEW])}{ending}")

    def _check_agreement(self, constraint: Constraint, rule: nodes.Rule, env: Env) -> None:
        """Two givens for one variable must agree."""
        if constraint.given:
            left, right = constraint.given
            value, first, binding = self._givens.setdefault(left, (right, rule, env))
            if value != right:
                grid, at = self._origins.find(first, binding) or ("", first.at)
                where = f"line {at.line} of {self._origins.sources[grid].name}" if grid else at.line_from(rule.at)
                raise Diagnostic(f"{left} = {right} contradicts {left} = {value} of {where}", rule.at)


def _add_bindings(diagnostic: Diagnostic, rule: nodes.Rule, env: Env) -> None:
    words = all_names(rule.head)
    if bindings := ", ".join(f"{word} = {value}" for word, value in env.items() if word in words):
        diagnostic.add_hint(f"here {bindings}")


def _count_false(make: Callable[[Env], Constraint | bool], found: Iterable[Env]) -> int:
    """How many instances never hold, up to one that is wrong in another way."""
    count = 0
    for env in found:
        try:
            count += make(env) is False
        except Falsehood:
            count += 1
        except Diagnostic:
            break
    return count

"""Posts constraints: each solution of a clause's body makes one, with the clause's label."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

from csp import Constraint, Value, Variable, counted

from ...syntax import nodes
from ...syntax.errors import IMPLICATION, Diagnostic, Diagnostics, Edit, Falsehood, Outside, Suggestion
from ...syntax.grids import LETTERS
from ...syntax.parse import parse_expression
from ...syntax.vocabulary import FUNCTIONS
from ...syntax.write import write
from ..expressions.binding import all_names
from ..expressions.compiler import Compiler
from ..expressions.constraints import check_nesting
from ..expressions.named import parameters
from ..expressions.names import LABEL, Env, Names, Scope
from .definitions import is_constraint, mentioned_words
from .observing import ClauseObserver, Origins
from .unbound import explaining_unbound

FEW = 5
"""Maximum number of places that the hint of one repeated error lists."""

MakeInstance = Callable[[Env], Constraint | bool]
"""A function from an environment to a constraint, or to a truth value that needs no solving."""

BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
"""Matches a doubled brace, an expression in braces, or a brace without a partner."""

Chunk = str | nodes.Expr
"""A part of a label: literal text, or an expression."""


def post(
    rules: Iterable[nodes.Rule], names: Names, origins: Origins, diagnostics: Diagnostics, observer: ClauseObserver
) -> list[Constraint]:
    """Return the constraints that all clauses make, without repetitions.

    Errors are collected in ``diagnostics``, also of named constraints that no clause uses.
    """
    # Compile each named constraint once, so that errors in an unused one are reported, too.
    for rule in [rule for definitions in names.named.values() for rule in definitions]:
        with diagnostics.collecting(rule.at):
            Compiler(names).condition(nodes.Conjunction(rule.at, rule.body), Scope(parameters(rule)))
    posting = _Posting(names, origins, diagnostics, observer)
    for rule in rules:
        if is_constraint(rule, names) and not diagnostics.is_full:
            with diagnostics.collecting(rule.at):
                posting.post(rule)
    return list(posting.constraints)


def is_about_params(rule: nodes.Rule, names: Names) -> bool:
    """Return whether a clause without body, ``n >= 1.``, mentions params only."""
    if rule.body or not isinstance(rule.head, nodes.Comparison | nodes.Compound):
        return False
    words = {getattr(part, "name", None) for part in nodes.walk(rule.head)} - {None, *FUNCTIONS}
    return bool(words) and words <= names.params.keys()


def check_params(rules: Iterable[nodes.Rule], names: Names, diagnostics: Diagnostics) -> None:
    """Report each clause about params alone that does not hold."""
    for rule in rules:
        if is_about_params(rule, names):
            with diagnostics.collecting(rule.at):
                if compile_rule(rule, parse_label(rule.label), names, ())({}) is False:
                    raise Falsehood("never-holds", "this constraint can never hold", rule.head.at)


def check_effect(
    clauses: Iterable[nodes.Clause], overrides: Collection[str], names: Names, diagnostics: Diagnostics
) -> None:
    """Report params and grids of the caller that no clause uses.

    A clause that only checks params does not count as a use.
    """
    inputs = {clause.name: clause for clause in clauses if isinstance(clause, nodes.Param | nodes.Grid)}
    # Collect the words of all clauses that do more than check params.
    waiting: set[str] = set()
    for clause in clauses:
        if isinstance(clause, nodes.Rule) and not is_about_params(clause, names):
            waiting |= mentioned_words((clause, tuple(parse_label(clause.label))))
        elif not isinstance(clause, nodes.Rule | nodes.Param):
            waiting |= mentioned_words(clause)
    # Follow the params that these use, and those that the params use in turn.
    used: set[str] = set()
    while waiting := waiting & inputs.keys() - used:
        used |= waiting
        waiting = set().union(*(mentioned_words(getattr(inputs[name], "value", None)) for name in waiting))
    for name in sorted({*overrides} - used):
        hint = f"these have an effect: {', '.join(sorted(used))}" if used else ""
        diagnostics.append(
            Diagnostic("unused-input", f"setting {name} has no effect: nothing uses it", inputs[name].at, hint)
        )


def compile_rule(rule: nodes.Rule, label: Sequence[Chunk], names: Names, bound: Collection[str]) -> MakeInstance:
    """Compile a clause's head to a function from an environment to a labelled constraint.

    The environment has values for the logical variables in ``bound``. The function returns a truth value if no puzzle
    variable decides it. Errors in the instance begin with its label.
    """
    text = compile_label(label, names, bound)
    make = Compiler(names).condition(rule.head, Scope(bound), given=True)

    def make_labelled(env: Env) -> Constraint | bool:
        name = text(env)
        try:
            return make(env, {"label": name, "line": rule.at.line, "file": rule.at.file})
        except Diagnostic as diagnostic:
            diagnostic.message += f' (in "{name}")' if name else ""
            raise

    return make_labelled


@contextmanager
def _explain_lookup(rule: nodes.Rule, names: Names) -> Iterator[None]:
    """Return a context manager that explains the use of a relation as a function.

    It adds a hint to the errors of clauses such as ``x = p(A).``
    """
    try:
        yield
    except Diagnostic as diagnostic:
        match rule.head:
            case nodes.Comparison(_, left, "=", nodes.Call(_, name, arguments, None)) if (
                diagnostic.code in ("unbound-variable", "no-value") and names.arities.get(name) == len(arguments) + 1
            ):
                body = [f"{name}({', '.join([*map(write, arguments), 'V'])})", *map(write, rule.body)]
                clause = f"{write(left)} = V :- {', '.join(body)}"
                edits = [] if rule.label or rule.body else [Edit(rule.at, clause)]
                diagnostic.hint = Suggestion(f"write {clause}.", *edits)
        raise


@contextmanager
def _explain_solved(rule: nodes.Rule) -> Iterator[None]:
    """Return a context manager that explains a condition of the body on puzzle variables.

    The hint then moves the condition before ``:-``, with an arrow.
    """
    try:
        yield
    except Diagnostic as diagnostic:
        if diagnostic.code == "variable-in-body" and diagnostic.hint == IMPLICATION:
            for literal in rule.body:
                if isinstance(literal, nodes.Comparison) and diagnostic.at in [part.at for part in nodes.walk(literal)]:
                    condition = write(nodes.Implication(rule.head.at, literal, rule.head))
                    body = ", ".join(
                        [
                            write(condition_of_body)
                            for condition_of_body in rule.body
                            if condition_of_body is not literal
                        ]
                    )
                    diagnostic.hint = f"write {condition}{' :- ' if body else ''}{body}."
        raise


class _Posting:
    """A collector of the constraints that clauses make, which also compares their givens."""

    def __init__(self, names: Names, origins: Origins, diagnostics: Diagnostics, observer: ClauseObserver) -> None:
        self.constraints: dict[Constraint, None] = {}
        self._names, self._origins, self._diagnostics, self._observer = names, origins, diagnostics, observer
        self._givens: dict[Variable, tuple[Value, nodes.Rule, Env]] = {}

    def post(self, rule: nodes.Rule) -> None:
        """Collect the constraints of a clause, one for each solution of its body.

        An error that a clue causes is reported in the grid; any other error ends the clause.
        """
        label = parse_label(rule.label)
        # Ground the body, and compile the head once for all environments.
        with _explain_solved(rule), _explain_lookup(rule, self._names), explaining_unbound(rule, self._names):
            bound, environments = Compiler(self._names).instances(rule.body, (rule.head, *label))
            make = compile_rule(rule, label, self._names, bound)
        # Zeros of one grid, meant as blanks: the first is reported, with the places of the others.
        zero_errors: list[Diagnostic] = []
        for instance_number, env in enumerate(environments, 1):
            try:
                # Make the instance, and check it.
                constraint = make(env)
                if constraint is False:
                    raise Falsehood("never-holds", "this constraint can never hold", rule.head.at)
                if isinstance(constraint, Constraint):
                    check_nesting([constraint], self._names, rule.head.at)
                    if isinstance(rule.head, nodes.Comparison):
                        self._check_agreement(constraint, rule, env)
                    self.constraints[constraint] = None
                self._observer.on_posted(rule, env, constraint)
            except Diagnostic as diagnostic:
                # An error without a clue ends the clause: report the environment and the number of like errors.
                cell = self._origins.find(rule, env)
                if cell is None or self._diagnostics.is_full:
                    _add_bindings(diagnostic, rule, env)
                    if isinstance(diagnostic, Falsehood) and (
                        false_count := _count_false(make, environments[instance_number:])
                    ):
                        diagnostic.add_hint(f"and {counted(false_count, 'more instance')} of this clause")
                    raise
                # An error from a clue is reported in the picture, and the other clues are still checked.
                diagnostic.grid, diagnostic.at = cell
                if isinstance(diagnostic, Outside) and diagnostic.value == 0:
                    diagnostic.hint = Suggestion("write . for a blank cell", ".")
                    zero_errors.append(diagnostic)
                    if len(zero_errors) == 1:
                        self._diagnostics.append(diagnostic.with_traceback(None))
                    continue
                if (
                    isinstance(diagnostic, Outside)
                    and cell[1].width == 1
                    and diagnostic.value in range(10, len(LETTERS))
                ):
                    letter = LETTERS[int(diagnostic.value)]
                    diagnostic.hint = f"{letter} in the picture is {diagnostic.value}, a digit above nine"
                diagnostic.add_hint(f"{rule.at.line_from(cell[1])} uses this entry")
                self._diagnostics.append(diagnostic.with_traceback(None))
        if len(zero_errors) > 1:
            places = [zero.at for zero in zero_errors[1:] if zero.at]
            others = f"{counted(len(places), 'more zero')} ({_write_places(places)})"
            zero_errors[0].hint = Suggestion(f"{zero_errors[0].hint}, here and for {others}", ".")

    def _check_agreement(self, constraint: Constraint, rule: nodes.Rule, env: Env) -> None:
        """Raise an error if ``A = 1`` contradicts an earlier given value of ``A``.

        The first given value is recorded; other constraints are ignored.
        """
        if constraint.given:
            variable, right = constraint.given
            value, first_rule, first_env = self._givens.setdefault(variable, (right, rule, env))
            if value != right:
                grid, at = self._origins.find(first_rule, first_env) or ("", first_rule.at)
                where = f"line {at.line} of {self._origins.sources[grid].name}" if grid else at.line_from(rule.at)
                message = f"{variable} = {right} contradicts {variable} = {value} of {where}"
                raise Diagnostic("contradicting-givens", message, rule.at, "remove one of the two")


def _write_places(places: Sequence[nodes.Place]) -> str:
    """Return the lines and columns of places as text, cut off after ``FEW`` places.

    Examples
    --------
    >>> _write_places([nodes.Place(2, 7), nodes.Place(2, 11), nodes.Place(3, 5)])
    'line 2, columns 7 and 11; line 3, column 5'
    """
    lines: dict[int, list[str]] = {}
    for place in places[:FEW]:
        lines.setdefault(place.line, []).append(str(place.column))
    texts = [
        f"line {line}, column {columns[0]}"
        if len(columns) == 1
        else f"line {line}, columns {', '.join(columns[:-1])} and {columns[-1]}"
        for line, columns in lines.items()
    ]
    return "; ".join([*texts, "..."] if len(places) > FEW else texts)


def _add_bindings(diagnostic: Diagnostic, rule: nodes.Rule, env: Env) -> None:
    """Append the values of the head's logical variables to the hint of a diagnostic."""
    words = all_names(rule.head)
    if bindings := ", ".join(f"{word} = {value}" for word, value in env.items() if word in words):
        diagnostic.add_hint(f"here {bindings}")


def _count_false(make: Callable[[Env], Constraint | bool], environments: Iterable[Env]) -> int:
    """Count the false instances of a clause, up to the first with another error."""
    count = 0
    for env in environments:
        try:
            count += make(env) is False
        except Falsehood:
            count += 1
        except Diagnostic:
            break
    return count


def parse_label(label: nodes.Constant | None) -> list[Chunk]:
    """Split a label into literal texts and the expressions between braces; empty for None.

    ``{{`` and ``}}`` mean braces, and ``""`` means a quote.

    Raises
    ------
    Diagnostic
        With its place inside the label.
    """
    if label is None:
        return []
    text, end = str(label.value), 0
    parts: list[Chunk] = []
    # Each match ends a literal text, and adds an expression or a brace.
    for match in BRACES.finditer(text):
        parts.append(text[end : match.start()].replace('""', '"'))
        at = label.at._replace(column=label.at.column + 1 + match.start(), width=len(match[0]))
        if match[1] is not None:
            parts.append(_expression(match[1], at))
        elif len(match[0]) == 2:
            parts.append(match[0][0])
        else:
            raise Diagnostic(
                "label-braces",
                f"this {match[0]} has no partner",
                at,
                Suggestion(f"write {match[0] * 2} for a brace", match[0] * 2),
            )
        end = match.end()
    return [*parts, text[end:].replace('""', '"')]


def _expression(text: str, at: nodes.Place) -> nodes.Expr:
    """Parse the text between two braces of a label; refuse an empty text."""
    if not text.strip():
        raise Diagnostic("label-braces", "the braces are empty", at, "write {{ and }} for braces")
    return parse_expression(text, at._replace(column=at.column + 1))


def compile_label(parts: Sequence[Chunk], names: Names, bound: Collection[str]) -> Callable[[Env], str]:
    """Compile a label's parts to a function from an environment to the label's text.

    The function spends the text's length from the budget of labels.
    """
    if all(isinstance(part, str) for part in parts):
        text = "".join(map(str, parts))
        return lambda env: text
    form = "".join([part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts])
    expressions = [part for part in parts if not isinstance(part, str)]
    values_of = [Compiler(names).value(part, bound, LABEL) for part in expressions]

    def text_of(env: Env) -> str:
        text = form % tuple([value_of(env) for value_of in values_of])
        names.spend_label(text, expressions[0].at)
        return text

    return text_of

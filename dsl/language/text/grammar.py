"""A grammar to its tables: the only file that asks lark."""

from __future__ import annotations

from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.parse_tree_builder import ChildFilter, ExpandSingleChild


def made(grammar: str, options: dict[str, Any]) -> dict[str, Any]:
    """The tables that lark makes of a grammar.

    Parameters
    ----------
    grammar : str
    options : dict
        Of ``lark.Lark``: an LALR parser with a basic lexer.

    Returns
    -------
    dict
        By the names of the fields of ``Tables``.
    """
    lark = Lark(grammar, **options)
    lexer: Any = lark._build_lexer()
    pattern = "|".join(f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in lexer.scanner.terminals)
    words = {
        kind: {one.pattern.value: one.name for one in unless.scanner.terminals}
        for kind, unless in lexer.callback.items()
    }
    conf: Any = lark.parse_interactive(start="expr").parser_state.parse_conf
    numbers = {rule: number for number, rule in enumerate(r for r in conf.callbacks if isinstance(r, Rule))}
    order = {state: number for number, state in enumerate(conf.states)}
    states = [
        {name: ~numbers[to] if isinstance(to, Rule) else order[to] for name, (_, to) in actions.items()}
        for actions in conf.states.values()
    ]
    table = conf.parse_table
    begins, ends = (
        {start: order[state] for start, state in by_start.items()}
        for by_start in (table.start_states, table.end_states)
    )
    rules = [_rule(rule, conf.callbacks[rule]) for rule in numbers]
    return {
        "pattern": pattern, "words": words, "ignored": sorted(lexer.ignore_types), "rules": rules, "states": states,
        "begins": begins, "ends": ends,
    }  # fmt: skip


def _rule(rule: Rule, select: Any) -> list[Any]:
    """A rule with what lark would select of its parts."""
    parts: list[tuple[int, bool, int]] | None = None
    behind = 0
    if isinstance(select, ChildFilter):
        parts = [(part[0], part[1], part[2] if len(part) > 2 else 0) for part in select.to_include]
        behind, select = getattr(select, "append_none", 0), select.node_builder
    is_single = isinstance(select, ExpandSingleChild)
    return [len(rule.expansion), rule.origin.name, rule.alias or rule.origin.name, parts, behind, is_single]

"""A grammar to its tables: the only file that asks lark."""

from __future__ import annotations

import json
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.parse_tree_builder import ChildFilter, ExpandSingleChild


def made(grammar: str) -> dict[str, Any]:
    """The tables that lark makes of a grammar.

    Examples
    --------
    >>> made("clause: A\\nexpr: A\\nA: /a/")["pattern"]
    '(?P<A>a)'
    """
    lark = Lark(grammar, parser="lalr", lexer="basic", start=["clause", "expr"], maybe_placeholders=True)
    lexer: Any = lark._build_lexer()
    pattern = "|".join(f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in lexer.scanner.terminals)
    words = {
        kind: {one.pattern.value: one.name for one in unless.scanner.terminals}
        for kind, unless in lexer.callback.items()
    }
    conf: Any = lark.parse_interactive(start="expr").parser_state.parse_conf
    told = {rule: _rule(rule, select) for rule, select in conf.callbacks.items() if isinstance(rule, Rule)}
    rules = sorted(told.values(), key=json.dumps)
    table = conf.parse_table
    order = _ordered(conf.states, [state for _, state in sorted(table.start_states.items())])
    return {
        "pattern": pattern,
        "words": words,
        "ignored": sorted(lexer.ignore_types),
        "rules": rules,
        "states": [
            {
                name: ~rules.index(told[to]) if isinstance(to, Rule) else order[to]
                for name, (_, to) in sorted(actions.items())
            }
            for actions in map(conf.states.get, order)
        ],
        "begins": {start: order[state] for start, state in sorted(table.start_states.items())},
        "ends": {start: order[state] for start, state in sorted(table.end_states.items())},
    }


def _ordered(states: dict[Any, Any], begins: list[Any]) -> dict[Any, int]:
    """Numbers for the states that do not depend on how lark has come upon them."""
    found = dict.fromkeys(begins)
    for state in (waiting := list(found)):
        for _, (_, to) in sorted(states[state].items()):
            if not isinstance(to, Rule) and to not in found:
                found[to] = None
                waiting.append(to)
    return {state: number for number, state in enumerate(found)}


def _rule(rule: Rule, select: Any) -> list[Any]:
    """A rule with what lark would select of its parts."""
    parts: list[tuple[int, bool, int]] | None = None
    behind = 0
    if isinstance(select, ChildFilter):
        parts = [(part[0], part[1], part[2] if len(part) > 2 else 0) for part in select.to_include]
        behind, select = getattr(select, "append_none", 0), select.node_builder
    is_single = isinstance(select, ExpandSingleChild)
    return [len(rule.expansion), rule.origin.name, rule.alias or rule.origin.name, parts, behind, is_single]

"""Generate the tables of lexer and parser from a grammar.

No other file imports lark.
"""

from __future__ import annotations

import json
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.parse_tree_builder import ChildFilter, ExpandSingleChild


def make_tables(grammar: str) -> dict[str, Any]:
    """Generate the tables of a grammar with lark; ``Tables`` describes them.

    Examples
    --------
    >>> make_tables("clause: A\\nexpr: A\\nA: /a/")["pattern"]
    '(?P<A>a)'
    """
    lark = Lark(grammar, parser="lalr", lexer="basic", start=["clause", "expr"], maybe_placeholders=True)
    lexer: Any = lark._build_lexer()
    pattern = "|".join(f"(?P<{terminal.name}>{terminal.pattern.to_regexp()})" for terminal in lexer.scanner.terminals)
    words = {
        kind: {terminal.pattern.value: terminal.name for terminal in unless.scanner.terminals}
        for kind, unless in lexer.callback.items()
    }
    conf: Any = lark.parse_interactive(start="expr").parser_state.parse_conf
    rows = {rule: _rule_row(rule, select) for rule, select in conf.callbacks.items() if isinstance(rule, Rule)}
    rules = sorted(rows.values(), key=json.dumps)
    table = conf.parse_table
    order = _number_states(conf.states, [state for _, state in sorted(table.start_states.items())])
    return {
        "pattern": pattern,
        "words": words,
        "ignored": sorted(lexer.ignore_types),
        "rules": rules,
        "states": [
            {
                name: ~rules.index(rows[to]) if isinstance(to, Rule) else order[to]
                for name, (_, to) in sorted(actions.items())
            }
            for actions in map(conf.states.get, order)
        ],
        "begins": {start: order[state] for start, state in sorted(table.start_states.items())},
        "ends": {start: order[state] for start, state in sorted(table.end_states.items())},
    }


def _number_states(states: dict[Any, Any], begins: list[Any]) -> dict[Any, int]:
    """Number the states breadth first from the start states, independently of lark's order."""
    reached = dict.fromkeys(begins)
    for state in (waiting := list(reached)):
        for _, (_, to) in sorted(states[state].items()):
            if not isinstance(to, Rule) and to not in reached:
                reached[to] = None
                waiting.append(to)
    return {state: number for number, state in enumerate(reached)}


def _rule_row(rule: Rule, select: Any) -> list[Any]:
    """Return the row that represents a grammar rule in ``Tables.rules``.

    ``select`` is lark's callback that selects the children of a match.
    """
    parts: list[tuple[int, bool, int]] | None = None
    appended_nones = 0
    if isinstance(select, ChildFilter):
        parts = [(part[0], part[1], part[2] if len(part) > 2 else 0) for part in select.to_include]
        appended_nones, select = getattr(select, "append_none", 0), select.node_builder
    is_single = isinstance(select, ExpandSingleChild)
    return [len(rule.expansion), rule.origin.name, rule.alias or rule.origin.name, parts, appended_nones, is_single]

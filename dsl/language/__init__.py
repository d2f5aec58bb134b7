"""The language: its words, its text, its expressions and its clauses.

Imports point down: ``load`` and ``each``, ``clauses``, ``expressions``, ``text``, ``habits``, ``errors``, ``syntax``,
``vocabulary``.
"""

"""The language: its words, its text and what it means.

Imports point down this list: ``load``, ``each`` - ``meaning`` - ``text`` - ``errors``, ``syntax``, ``vocabulary``.
"""

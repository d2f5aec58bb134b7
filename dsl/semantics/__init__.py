"""Evaluates a parsed spec: includes, clauses and expressions become a model.

Read `clauses/build.py` first, which carries out the stages in order.
"""

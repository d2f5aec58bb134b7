"""The compiled form of a model: its candidates as bits, its constraints as propagators.

Start with ``kernel`` (what a snapshot is) and ``program`` (how a model is compiled).
"""

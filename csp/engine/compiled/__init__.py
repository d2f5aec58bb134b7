"""The compiled form of a model, for propagation and search.

Start with ``kernel`` (what a snapshot is) and ``program`` (how a model is compiled).
"""

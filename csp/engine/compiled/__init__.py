"""The compiled form of a model, on which propagation and search work; start with ``kernel`` and ``program``."""

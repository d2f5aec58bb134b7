"""The engine: a model compiled to a program, propagated and searched, with a trail of what it did."""

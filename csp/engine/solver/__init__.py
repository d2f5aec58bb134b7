"""The queries of a user: ``Solver``, ``Session`` and the classes of their answers."""

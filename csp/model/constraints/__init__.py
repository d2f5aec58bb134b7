"""The kinds of constraints: one file, one kind, and one line in the table ``csp.model.CONSTRAINTS``."""

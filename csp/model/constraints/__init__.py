"""The kinds of constraints: one file for each kind; ``csp.model.CONSTRAINTS`` lists them."""

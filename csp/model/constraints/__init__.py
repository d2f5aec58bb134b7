"""All kinds of constraints, one file each; ``csp.model.CONSTRAINTS`` lists them."""

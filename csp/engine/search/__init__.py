"""Propagation to a fixpoint, and the searches above it: the tree, the learner, and counting."""

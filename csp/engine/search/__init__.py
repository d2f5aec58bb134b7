"""Propagation to a fixpoint, and the searches that use it: tree search, learner, and counting."""

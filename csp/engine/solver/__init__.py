"""Questions and answers: solver, session, and what they return."""

"""The translation of constraints into formulas, for the conflict-driven search and for exports."""
